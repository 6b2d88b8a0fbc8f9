//! `codeReview`: the closed keys of CR-18, kept as a value.

use serde_json::Value;

use super::keys;
use super::suites::MAX_TIMEOUT_SECONDS;
use crate::code_review::gates::is_module;
use crate::diagnostic::Diagnostic;
use crate::strict::{Fields, Reader};
use crate::strict::{Json, Kind, Node, document};

/// What is wrong with the section `codeReview` of a run's `config.json`, whose other keys are somebody else's to check.
pub(crate) fn run_config_faults(bytes: &[u8]) -> Vec<Diagnostic> {
    const KIND: Kind = Kind { code: "review-config", noun: "the run's configuration", file: "config.json" };
    document(KIND, bytes, |reader, root| {
        root.get("codeReview").and_then(|node| code_review(reader, node));
    })
    .err()
    .unwrap_or_default()
}

/// Checks the section's shape and returns it as it is.
pub(super) fn code_review(reader: &mut Reader, node: &Node) -> Option<Value> {
    let fields = reader.object(node, keys::CODE_REVIEW)?;
    for key in ["reportsDir", "roleCards"] {
        if let Some(node) = fields.get(key) {
            reader.filled_text(node);
        }
    }
    for key in ["productionSource", "testPaths", "highRiskPaths"] {
        reader.set(fields.get(key), Reader::pattern);
    }
    if let Some(gates) = fields.get("gates").and_then(|node| reader.object(node, keys::CODE_REVIEW_GATES)) {
        for member in gates.members() {
            gate(reader, &member.node);
        }
    }
    reader.set(fields.get("renderers"), renderer);
    reader.set(fields.get("reviewerAdapters"), Reader::identifier);
    Some(node.value())
}

/// A command, a runner, or the reason why neither applies.
fn gate(reader: &mut Reader, node: &Node) {
    let Some(fields) = reader.object(node, keys::CODE_REVIEW_GATE) else { return };
    if let Some(node) = fields.get("command") {
        command(reader, node);
    }
    if let Some(node) = fields.get("runner") {
        reader.identifier(node);
    }
    for argument in reader.elements(fields.get("args")) {
        reader.text(argument);
    }
    for module in reader.elements(fields.get("imports")) {
        if reader.filled_text(module).is_some_and(|name| !is_module(name)) {
            reader.refuse(&module.at, "bad-value", "this is no module", "write its dotted name, such as `shop.cart`");
        }
    }
    if let Some(node) = fields.get("notApplicable") {
        reader.filled_text(node);
    }
    if let Some(node) = fields.get("timeoutSeconds") {
        reader.integer(node, 1..=u64::from(MAX_TIMEOUT_SECONDS));
    }
    if let Some(node) = fields.get("behavioral") {
        reader.boolean(node);
    }
    one_way(reader, &fields);
}

fn command(reader: &mut Reader, node: &Node) {
    match &node.json {
        Json::Array(arguments) if arguments.is_empty() => {
            reader.refuse(&node.at, "empty-command", "the command is empty", "name a program and its arguments");
        }
        Json::Array(arguments) => {
            for argument in arguments {
                reader.text(argument);
            }
        }
        _ => {
            reader.filled_text(node);
        }
    }
}

fn one_way(reader: &mut Reader, fields: &Fields<'_>) {
    let ways = ["command", "runner", "notApplicable"].iter().filter(|key| fields.get(key).is_some()).count();
    if ways > 1 {
        let message = "`command`, `runner` and `notApplicable` exclude each other";
        reader.refuse(fields.at, "conflicting-keys", message, "keep the one that says how the gate is run");
    }
    for key in ["args", "imports"] {
        if let Some(node) = fields.get(key).filter(|_| fields.get("runner").is_none()) {
            let message = format!("`{key}` belongs to a `runner`, and there is none");
            reader.refuse(&node.at, "conflicting-keys", message, format!("name the `runner`, or remove `{key}`"));
        }
    }
}

fn renderer<'n>(reader: &mut Reader, node: &'n Node) -> Option<&'n str> {
    let fields = reader.object(node, keys::CODE_REVIEW_RENDERER)?;
    if let Some(node) = fields.get("required") {
        reader.boolean(node);
    }
    reader.required(&fields, "id").and_then(|node| reader.identifier(node))
}
