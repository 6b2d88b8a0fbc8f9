//! The document around the results: one run of one tool.

use reading::json::{Value, list, object, text};
use reading::report::{Ending, Report};

use crate::result::{self, ROOT};
use crate::rule::Rules;
use crate::text::message;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The whole log file.
pub fn document(report: &Report) -> Value {
    let mut rules = Rules::default();
    let findings = report.findings.iter().zip(report.fingerprints()).zip(report.owners());
    let results = list(findings.map(|((finding, name), owner)| result::of(finding, name, owner.is_some(), &mut rules)));
    let driver = object([
        ("name", text("code-polishy")),
        ("version", text(identifier(&report.identity.engine_version, "unknown"))),
        ("rules", rules.all()),
    ]);
    let run = object([
        ("tool", object([("driver", driver)])),
        ("automationDetails", object([("id", text(automation(report)))])),
        ("invocations", list([invocation(report)])),
        ("originalUriBaseIds", object([(ROOT, object([("description", message("The root of the repository."))]))])),
        ("columnKind", text("unicodeCodePoints")),
        ("results", results),
    ]);
    object([("$schema", text(SCHEMA)), ("version", text("2.1.0")), ("runs", list([run]))])
}

/// It ran successfully when the gate got to its end, whatever it found.
fn invocation(report: &Report) -> Value {
    let note = |note: &String| object([("level", text("note")), ("message", message(note))]);
    let times = [("startTimeUtc", &report.started_at), ("endTimeUtc", &report.completed_at)];
    let mut members = vec![("executionSuccessful".to_owned(), Value::Truth(report.status != Ending::Operational))];
    members.extend(times.into_iter().filter(|(_, time)| is_time(time)).map(|(name, time)| (name.to_owned(), text(time.as_str()))));
    members.push(("toolExecutionNotifications".to_owned(), list(report.notes.iter().map(note))));
    Value::Object(members)
}

/// What comes before the last `/` names the gate, what follows the run: results of a gate replace the earlier ones of the same gate alone.
fn automation(report: &Report) -> String {
    format!("code-polishy/{}-gate/{}", identifier(&report.gate, "unknown"), identifier(&report.execution_id, ""))
}

/// The characters that names, versions and runs are made of.
fn identifier(foreign: &str, otherwise: &str) -> String {
    let kept: String =
        foreign.chars().filter(|character| character.is_ascii_alphanumeric() || "-+.".contains(*character)).take(100).collect();
    if kept.is_empty() { otherwise.to_owned() } else { kept }
}

/// RFC 3339 in UTC, as reports have it.
fn is_time(text: &str) -> bool {
    text.len() >= 20 && text.ends_with('Z') && text.bytes().all(|byte| byte.is_ascii_digit() || b"-:.TZ".contains(&byte))
}
