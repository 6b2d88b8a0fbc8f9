//! Whole files, kept beside their reports, and what holds for every file.
//!
//! `ACCEPT=1 cargo test -p gitlab` writes the files again: look at them before they are committed.

use std::collections::BTreeSet;

use code_polishy_sdk::serde_json::{self, Value};
use reading::samples::{ALL, GATES, HOSTILE, findings};

use super::*;

fn rendered(report: &str) -> String {
    let artifacts = GitLab::render(report, &NoOptions {}).expect("a report");
    assert_eq!((artifacts.len(), artifacts[0].name.as_str()), (1, "gl-code-quality-report.json"));
    String::from_utf8(artifacts[0].content.clone()).expect("made of text")
}

fn issues(report: &str) -> Vec<Value> {
    serde_json::from_str(&rendered(report)).expect("an array")
}

#[test]
fn gates_of_each_ending_are_drawn_as_kept() {
    for (name, report) in GATES {
        let path = format!("{}/tests/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let drawn = rendered(report);
        if std::env::var_os("ACCEPT").is_some() {
            std::fs::write(&path, &drawn).expect("the folder is there");
        }
        assert!(std::fs::read_to_string(&path).is_ok_and(|kept| kept == drawn), "{path} is not what `{name}.json` gives");
    }
}

#[test]
fn a_passed_gate_has_no_issues() {
    for (name, report) in ALL {
        let count = issues(report).len();
        assert_eq!(count > 0, ["blocked", "failed", "proofs", "hostile"].contains(&name), "{name}: {count}");
    }
    assert_eq!(rendered(r#"{"protocol":"code-polishy-report/v1"}"#), "[]\n");
}

#[test]
fn every_issue_has_what_gitlab_asks_for() {
    for (name, report) in ALL.into_iter().chain(GATES) {
        let issues = issues(report);
        for issue in &issues {
            let text = |pointer: &str| issue.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{name}: {pointer}"));
            assert!(!text("/check_name").is_empty() && text("/description").chars().count() < 2_100, "{name}");
            assert!(["info", "minor", "major", "critical", "blocker"].contains(&text("/severity")));
            assert!(text("/location/path").split('/').all(|segment| !["", ".", ".."].contains(&segment)), "{name}");
            assert!(issue["location"]["lines"]["begin"].as_u64().is_some_and(|line| line > 0));
        }
        let fingerprints: BTreeSet<_> = issues.iter().map(|issue| issue["fingerprint"].as_str()).collect();
        assert_eq!(fingerprints.len(), issues.len(), "{name}: GitLab drops issues with one fingerprint");
    }
}

#[test]
fn foreign_text_neither_hides_nor_commands() {
    for report in [HOSTILE, GATES[4].1] {
        let text = rendered(report);
        assert!(!text.contains(['<', '>', '&', '\u{1b}', '\u{202e}', '\u{2028}', '\u{feff}', '\r']), "{text}");
        let visible = |value: &Value| !value.as_str().unwrap_or_default().contains(char::is_control);
        assert!(issues(report).iter().all(|issue| visible(&issue["description"]) && visible(&issue["location"]["path"])));
    }
}

#[test]
fn many_findings_are_all_there() {
    assert_eq!(issues(&findings(5_000)).len(), 5_000);
}

#[test]
fn what_is_no_report_is_refused() {
    let code = |report: &str| GitLab::render(report, &NoOptions {}).map(drop).map_err(|failure| failure.code);
    assert_eq!(code("{"), Err("bad-report".to_owned()));
    assert_eq!(code(r#"{"protocol":"code-polishy-report/v2"}"#), Err("unknown-report".to_owned()));
}
