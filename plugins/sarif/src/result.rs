//! One result: what is wrong, where, and which one it is.

use reading::json::{Value, list, number, object, text};
use reading::report::Finding;

use crate::rule::Rules;
use crate::text::{message, uri};

/// Where findings about no file are placed.
const POLICY_FILE: &str = ".code-polishy.json";

/// The base of every location: the repository's root, wherever it is checked out.
pub const ROOT: &str = "SRCROOT";

/// The result of a finding with this fingerprint. One that a command left may name the command's log.
pub fn of(finding: &Finding, fingerprint: String, of_command: bool, rules: &mut Rules) -> Value {
    let (index, id) = rules.index(&finding.rule);
    let mut members = vec![
        ("ruleId", text(id)),
        ("ruleIndex", number(index)),
        ("level", text("error")),
        ("message", message(&told(finding))),
        ("locations", list([object([("physicalLocation", place(finding))])])),
        ("partialFingerprints", object([("codePolishyFinding/v1", text(fingerprint))])),
    ];
    if of_command && finding.file().is_none() && !finding.path.contains("..") {
        let attachment = object([("description", message("What the command printed.")), ("artifactLocation", artifact(&finding.path))]);
        members.push(("attachments", list([attachment])));
    }
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn place(finding: &Finding) -> Value {
    let location = artifact(finding.file().unwrap_or(POLICY_FILE));
    match finding.file_line() {
        Some(line) => object([("artifactLocation", location), ("region", object([("startLine", number(line))]))]),
        None => object([("artifactLocation", location)]),
    }
}

fn artifact(path: &str) -> Value {
    object([("uri", text(uri(path))), ("uriBaseId", text(ROOT))])
}

/// What is wrong and what to do, a line each.
fn told(finding: &Finding) -> String {
    let mut told = finding.message.clone();
    for (label, text) in [("Remedy", &finding.remedy), ("Next", &finding.next)] {
        if !text.is_empty() && (label == "Remedy" || *text != finding.remedy) {
            told += &format!("\n{label}: {text}");
        }
    }
    told
}
