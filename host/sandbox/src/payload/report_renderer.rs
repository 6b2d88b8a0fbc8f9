//! Gate reports, as RFC 8785 text.

use code_polishy_core::canonical::canonical_json;
use serde_json::{Value, json};

use super::{INJECTION, UNICODE};

/// A name and what makes the payload.
pub type Named = (&'static str, fn() -> String);

/// Every payload of `render`.
pub const ALL: [Named; 7] = [
    ("nothing was to be run", || report("passed", "unchanged", &[], &[])),
    ("a passed gate", || report("passed", "full", &commands("unit", "passed", 3), &[])),
    ("a failed gate", || report("failed", "full", &commands("unit", "failed", 3), &findings("unit", "1 test failed", 2))),
    ("markup and commands", || report("failed", "full", &commands(INJECTION, "failed", 2), &findings(INJECTION, INJECTION, 3))),
    ("other scripts", || report("operational", "recommended", &commands(UNICODE, "not-started", 2), &findings(UNICODE, UNICODE, 2))),
    ("keys of a later version", later),
    ("5,000 findings", || {
        report("failed", "full", &commands("unit", "failed", 500), &findings("unit", "1 test failed in a suite that has many", 5000))
    }),
];

fn report(status: &str, level: &str, commands: &[Value], findings: &[Value]) -> String {
    canonical_json(&document(status, level, commands, findings))
}

/// A document that fits the schema of reports.
fn document(status: &str, level: &str, commands: &[Value], findings: &[Value]) -> Value {
    let (base, candidate, digest) = ("1".repeat(40), "2".repeat(40), "ab".repeat(32));
    let reviewed = level != "unchanged";
    let review = json!({
        "state": if reviewed { "failed" } else { "not-run" },
        "final_state": if reviewed { "failed" } else { "not-run-optional" },
        "boundary": "merge",
        "selected": if reviewed { json!(["checkout"]) } else { json!([]) },
        "selection_sha256": digest,
        "full_candidate": reviewed,
    });
    json!({
        "protocol": "code-polishy-report/v1",
        "version": 1,
        "gate": "merge",
        "identity": {
            "gate": "merge",
            "base": base,
            "candidate": candidate,
            "level": level,
            "engine_version": "0.1.0",
            "policy_sha256": [digest, ""],
            "plugins": [{"name": "exec", "sha256": digest}],
            "platform": "linux-x86_64",
            "commands": [],
            "environment": {"LANG": digest},
            "behavior_review": review,
        },
        "identity_sha256": digest,
        "execution_id": if commands.is_empty() { "" } else { "run-0123456789ab-1" },
        "status": status,
        "base_requested": "main",
        "base": base,
        "candidate": candidate,
        "level": level,
        "level_reasons": ["`Cargo.toml` is a policy input"],
        "behavior_review": review,
        "not_enforced": ["architecture"],
        "commands": commands,
        "findings": findings,
        "notes": [format!("1 command was reused; {UNICODE}")],
        "started_at": "2026-01-02T03:04:05Z",
        "completed_at": "2026-01-02T03:05:10.5Z",
        "sha256": digest,
    })
}

/// Commands with this name and status, replays of proofs among them, with attempts that ended in every way.
fn commands(name: &str, status: &str, count: usize) -> Vec<Value> {
    let categories = ["check", "test", "build"];
    let attempt = |number: usize, command: usize| {
        let mut attempt = json!({
            "number": number, "status": status, "duration_ms": 5250, "resource_wait_ms": 10,
            "log_path": format!(".code-polishy-reports/merge-gate/run-0123456789ab-1/logs/{command:03}.log"),
            "log_sha256": "cd".repeat(32), "truncated": command.is_multiple_of(2),
        });
        if status == "failed" {
            attempt["failure_category"] = ["command-exit", "timeout", "environment"][command % 3].into();
            attempt["exit_status"] = 101.into();
        }
        attempt["cases"] = json!({"passed": 12, "failed": u32::from(status == "failed"), "skipped": 1});
        attempt
    };
    let command = |index: usize| {
        let mut command = json!({
            "index": index, "sha256": "ef".repeat(32), "name": format!("{name} {index}"), "category": categories[index % 3], "status": status,
            "attempts": if status == "not-started" { Vec::new() } else { (1..=2).map(|number| attempt(number, index)).collect() },
        });
        if status == "passed" && index == 0 {
            command["attempts"] = json!([]);
            command["reused_from"] = "run-0123456789ab-1".into();
        }
        command
    };
    (0..count).map(command).collect()
}

fn findings(subject: &str, message: &str, count: usize) -> Vec<Value> {
    let finding = |index: usize| {
        let mut finding = json!({
            "rule": "gate.command", "path": if index == 0 { "" } else { "src/größe \"x\".rs" }, "subject": format!("{subject} {index}"),
            "message": message, "remedy": format!("mend {subject}"), "next": format!("code-polishy test --suite '{subject}'"),
        });
        if index > 0 {
            finding["line"] = index.into();
        }
        finding
    };
    (0..count).map(finding).collect()
}

/// A later minor version may add keys: they are read past.
fn later() -> String {
    let mut document = document("failed", "full", &commands("unit", "failed", 1), &findings("unit", "1 test failed", 1));
    for place in ["", "/behavior_review", "/commands/0", "/commands/0/attempts/0", "/findings/0"] {
        document.pointer_mut(place).expect("it was made with it")["added_later"] = json!({"deep": [null, 1.5, {"text": INJECTION}]});
    }
    canonical_json(&document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use code_polishy_core::gate::report::Report;

    #[test]
    fn every_report_but_the_later_one_is_one_of_today() {
        for (name, report) in ALL {
            let read = serde_json::from_str::<Report>(&report());
            assert_eq!(read.is_ok(), name != "keys of a later version", "{name}: {read:?}");
        }
    }
}
