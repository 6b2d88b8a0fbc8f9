//! The report as the built-in renderer draws the hand-off of a run now (CR-159, CR-160).

use code_polishy_core::{
    canonical::{canonical_json, read_strict},
    code_review::{
        handoff::{FINAL_FILE, HANDOFF_FILE, RENDERER},
        image::RunImage,
    },
    diagnostic::Failure,
    plugin::{PluginFaultKind, PluginHost, PluginKind, PluginSource},
};
use serde_json::Value;

/// The bytes, or why the renderer refuses the hand-off; nothing when the run has none that is JSON.
///
/// # Errors
/// Exit 3 when the renderer ends without an answer.
pub(super) fn rendered(host: &dyn PluginHost, image: &RunImage) -> Result<Option<Result<Vec<u8>, String>>, Failure> {
    let handoff: Option<Value> = image.bytes(HANDOFF_FILE).and_then(|bytes| read_strict(bytes, HANDOFF_FILE, "").ok());
    handoff.map(|handoff| render(host, &canonical_json(&handoff))).transpose()
}

/// What the renderer makes of a hand-off, given as RFC 8785 text.
///
/// # Errors
/// As [`rendered`].
pub(super) fn render(host: &dyn PluginHost, handoff: &str) -> Result<Result<Vec<u8>, String>, Failure> {
    let source = PluginSource { name: RENDERER.to_owned(), kind: PluginKind::ReportRenderer, pinned: None, options: "{}".to_owned() };
    match host.report_renderer(&source)?.render(handoff) {
        Ok(artifacts) => {
            let report = artifacts.into_iter().find(|artifact| artifact.name == FINAL_FILE);
            Ok(report.map(|report| report.content).ok_or_else(|| format!("the renderer made no `{FINAL_FILE}`")))
        }
        Err(fault) if fault.kind == PluginFaultKind::Refused => Ok(Err(fault.message)),
        Err(fault) => Err(fault.into()),
    }
}
