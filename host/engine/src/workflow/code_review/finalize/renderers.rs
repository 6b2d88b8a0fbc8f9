//! Renderers beside the built-in one: what they make of the hand-off lies in `renders/ID/` (CR-160).

use std::collections::BTreeMap;

use code_polishy_core::{
    code_review::{codes, step::Step, t0::T0, violation::Violation},
    diagnostic::Failure,
};

use crate::{plugins::PluginSet, workflow::code_review::pinned::with_plugins, workspace::Workspace};

/// Files by path, and why a renderer left none: a warning, which the validation makes a violation where the renderer is required.
#[derive(Debug, Default)]
pub(super) struct Others {
    pub(super) files: BTreeMap<String, Vec<u8>>,
    pub(super) warnings: Vec<Violation>,
}

/// Asks the renderers of the configuration, then these; each once. `handoff` is RFC 8785 text.
///
/// # Errors
/// As [`with_plugins`]: a plugin's own faults are warnings.
pub(super) fn draw(workspace: &Workspace<'_>, t0: &T0, asked: &[String], handoff: &str) -> Result<Others, Failure> {
    let configured = t0.config.code_review.renderers.iter().map(|renderer| &renderer.id);
    let mut ids: Vec<&String> = Vec::new();
    for id in configured.chain(asked) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    if ids.is_empty() {
        return Ok(Others::default());
    }
    with_plugins(workspace, t0, |plugins| {
        let mut others = Others::default();
        ids.into_iter().for_each(|id| others.ask(plugins, id, handoff));
        Ok(others)
    })
}

impl Others {
    fn ask(&mut self, plugins: &PluginSet<'_>, id: &str, handoff: &str) {
        match plugins.renderer(id).and_then(|renderer| Ok(renderer.render(handoff)?)) {
            Ok(artifacts) => {
                let files = artifacts.into_iter().map(|artifact| (format!("renders/{id}/{}", artifact.name), artifact.content));
                self.files.extend(files);
            }
            Err(failure) => self.warnings.extend(failure.diagnostics.into_iter().map(|fault| {
                let warning = Violation::new(&codes::RENDERER_FAILED, fault.message, fault.next).subject(id);
                Violation { next_action: None, step: Step::Render, ..warning }
            })),
        }
    }
}
