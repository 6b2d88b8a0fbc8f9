//! The step `render`: the report is what the hand-off renders to, and result, hand-off and report are tied together (CR-159, CR-160).

#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_json::Value;

use crate::{
    canonical::read_strict,
    code_review::{
        codes,
        codes::Code,
        config::{CONFIG_FILE, Config},
        context::Context,
        handoff::{FINAL_FILE, FinalHandoff, HANDOFF_FILE, HANDOFF_VALIDATION_FILE, Handoff, HandoffValidation, RENDERER},
        reading::Reading,
        violation::{Sink, Violation},
    },
    strict::{Kind, Node, parse, quoted},
};

const AGAIN: &str = "run `code-polishy code-review finalize` again";
const PATHS: [&str; 3] = ["handoff_path", "rendered_path", "validation_path"];

/// Compares report, validation record and binding with what this hand-off gives.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let Some(handoff) = &context.handoff else { return };
    let mut judge = Judge { context, handoff, sink };
    judge.report();
    judge.validation_record();
    judge.binding();
    judge.other_renderers();
}

struct Judge<'j, 'f> {
    context: &'j Context<'f>,
    handoff: &'j Handoff,
    sink: &'j mut Sink,
}

impl Judge<'_, '_> {
    /// The bytes of the built-in renderer, and no others.
    fn report(&mut self) {
        let failed = |message: String| Violation::new(&codes::RENDERER_FAILED, message, AGAIN).subject(RENDERER).file(HANDOFF_FILE);
        let due = match self.context.facts.rendered {
            Some(Ok(due)) => due,
            Some(Err(fault)) => return self.sink.push(failed(format!("the hand-off cannot be rendered: {fault}"))),
            None => return self.sink.push(failed("the hand-off was not rendered".to_owned())),
        };
        let code = &codes::RENDERED_FINAL_MISMATCH;
        match self.context.facts.image.bytes(FINAL_FILE) {
            Some(stated) if stated == due.as_slice() => {}
            Some(stated) => {
                let violation = Violation::new(code, "the report is not what the hand-off renders to", AGAIN);
                self.sink.push(violation.subject(FINAL_FILE).line(FINAL_FILE, first_difference(stated, due)));
            }
            None => {
                let violation = Violation::new(code, format!("`{FINAL_FILE}` is missing"), AGAIN);
                self.sink.push(violation.subject(FINAL_FILE).file(FINAL_FILE));
            }
        }
    }

    /// Digests of hand-off and report as they are.
    fn digests(&self) -> (&str, &str) {
        let digest = |path| self.context.facts.image.sha256(path).unwrap_or_default();
        (digest(HANDOFF_FILE), digest(FINAL_FILE))
    }

    fn validation_record(&mut self) {
        const KIND: Kind = Kind { code: "handoff", noun: "the validation record", file: "" };
        let code = &codes::HANDOFF_VALIDATION_RECORD_MISMATCH;
        let Some(bytes) = self.context.facts.image.bytes(HANDOFF_VALIDATION_FILE) else {
            let violation = Violation::new(code, format!("`{HANDOFF_VALIDATION_FILE}` is missing"), AGAIN);
            return self.sink.push(violation.subject(HANDOFF_VALIDATION_FILE).file(HANDOFF_VALIDATION_FILE));
        };
        let (handoff, rendered) = self.digests();
        let due = HandoffValidation::of(self.handoff.branch, handoff, rendered);
        match parse(KIND, bytes) {
            Ok((_, root)) => self.compare(code, HANDOFF_VALIDATION_FILE, &root, &due),
            Err(diagnostic) => {
                let violation = Violation::new(code, diagnostic.message, AGAIN).subject(HANDOFF_VALIDATION_FILE);
                self.sink.push(violation.line(HANDOFF_VALIDATION_FILE, diagnostic.line.unwrap_or(1)));
            }
        }
    }

    fn binding(&mut self) {
        let file = self.context.result_file.unwrap_or_default();
        let Some(node) = self.context.metadata().and_then(|metadata| metadata.get("final_handoff")) else { return };
        let paths: Vec<Option<&str>> = PATHS.iter().map(|key| node.get(key).and_then(Node::text)).collect();
        for (index, path) in paths.iter().enumerate() {
            if path.is_some() && paths[..index].contains(path) {
                let message = format!("`{}` is the path of another file of the hand-off", PATHS[index]);
                let violation = Violation::new(&codes::HANDOFF_PATHS_ALIAS, message, "give each file its own path").subject(PATHS[index]);
                self.sink.push(violation.at_node(file, &node.get(PATHS[index]).unwrap_or(node).at));
            }
        }
        let (handoff, rendered) = self.digests();
        let due = FinalHandoff::of(self.handoff.branch, handoff, rendered);
        self.compare(&codes::FINAL_HANDOFF_BINDING_MISMATCH, file, node, &due);
    }

    /// A record with exactly the keys and values of the due one.
    fn compare(&mut self, code: &Code, file: &str, stated: &Node, due: &impl Serialize) {
        let Ok(Value::Object(due)) = serde_json::to_value(due) else { return };
        let keys: Vec<&str> = due.keys().map(String::as_str).collect();
        let mut reading = Reading::new(file, self.sink);
        let Some(record) = reading.exact(code, stated, &keys) else { return };
        for (key, due) in &due {
            if let Some(node) = record.get(key).filter(|node| node.value() != *due) {
                let message = format!("`{key}` is not that of the hand-off and its report");
                reading.refuse(code, &node.at, Some(key), message, format!("write {due}"));
            }
        }
    }

    /// Renderers of the configuration write beside the report; only a required one must have done so.
    fn other_renderers(&mut self) {
        let bytes = self.context.facts.image.bytes(CONFIG_FILE).unwrap_or_default();
        // The step `t0` reports a configuration that cannot be read.
        let Ok(config) = read_strict::<Config>(bytes, CONFIG_FILE, "") else { return };
        for renderer in config.code_review.renderers {
            let folder = format!("renders/{}/", renderer.id);
            if self.context.facts.image.files.keys().any(|path| path.starts_with(&folder)) {
                continue;
            }
            let message = format!("the renderer {} left nothing in `{folder}`", quoted(&renderer.id));
            let mut violation = Violation::new(&codes::RENDERER_FAILED, message, AGAIN).subject(renderer.id);
            if !renderer.required {
                violation.next_action = None;
            }
            self.sink.push(violation);
        }
    }
}

/// The first line, from 1, that is not the same.
pub(super) fn first_difference(stated: &[u8], due: &[u8]) -> u32 {
    let same = stated.iter().zip(due).take_while(|(one, other)| one == other).count();
    let lines = stated[..same].iter().filter(|byte| **byte == b'\n').count();
    u32::try_from(lines + 1).unwrap_or(u32::MAX)
}
