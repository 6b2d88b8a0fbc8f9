//! Whole files, kept beside their reports, and what holds for every file.
//!
//! `ACCEPT=1 cargo test -p junit-report` writes the files again: look at them before they are committed.

use reading::samples::{ALL, GATES, HOSTILE, cases, findings};
use roxmltree::{Document, Node};

use super::*;

fn rendered(report: &str) -> String {
    let artifacts = JUnit::render(report, &NoOptions {}).expect("a report");
    assert_eq!((artifacts.len(), artifacts[0].name.as_str()), (1, "junit.xml"));
    String::from_utf8(artifacts[0].content.clone()).expect("made of text")
}

fn read(text: &str) -> Document<'_> {
    Document::parse(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn count(node: Node, name: &str) -> usize {
    node.descendants().filter(|child| child.has_tag_name(name)).count()
}

fn number(node: Node, name: &str) -> usize {
    node.attribute(name).and_then(|count| count.parse().ok()).unwrap_or_else(|| panic!("{name} of {node:?}"))
}

#[test]
fn gates_of_each_ending_are_drawn_as_kept() {
    for (name, report) in GATES {
        let path = format!("{}/tests/{name}.xml", env!("CARGO_MANIFEST_DIR"));
        let drawn = rendered(report);
        if std::env::var_os("ACCEPT").is_some() {
            std::fs::write(&path, &drawn).expect("the folder is there");
        }
        assert!(std::fs::read_to_string(&path).is_ok_and(|kept| kept == drawn), "{path} is not what `{name}.json` gives");
    }
}

/// What the schemas of Jenkins allow: an element's parent, its attributes, and those that it must have.
const ELEMENTS: [(&str, &str, &[&str], &[&str]); 7] = [
    ("testsuites", "", &["name", "tests", "failures", "errors", "time"], &[]),
    (
        "testsuite",
        "testsuites",
        &["name", "tests", "failures", "errors", "skipped", "time", "timestamp"],
        &["name", "tests", "failures", "errors"],
    ),
    ("testcase", "testsuite", &["name", "classname", "time"], &["name"]),
    ("failure", "testcase", &["type", "message"], &[]),
    ("error", "testcase", &["type", "message"], &[]),
    ("skipped", "testcase", &["message"], &[]),
    ("system-out", "testcase", &[], &[]),
];

#[test]
fn every_document_is_made_of_what_ci_servers_read() {
    for (name, report) in ALL.into_iter().chain(GATES) {
        let text = rendered(report);
        for node in read(&text).descendants().filter(Node::is_element) {
            let tag = node.tag_name().name();
            let (_, parent, allowed, required) =
                ELEMENTS.into_iter().find(|element| element.0 == tag).unwrap_or_else(|| panic!("{name}: {tag}"));
            assert_eq!(node.parent_element().map_or("", |parent| parent.tag_name().name()), parent, "{name}: {tag}");
            assert!(node.attributes().all(|attribute| allowed.contains(&attribute.name())), "{name}: {node:?}");
            assert!(required.iter().all(|attribute| node.has_attribute(*attribute)), "{name}: {node:?}");
        }
    }
}

#[test]
fn the_counts_are_those_of_the_cases() {
    for (name, report) in ALL.into_iter().chain(GATES) {
        let text = rendered(report);
        let document = read(&text);
        for node in document.descendants().filter(|node| node.has_tag_name("testsuites") || node.has_tag_name("testsuite")) {
            for (attribute, element) in [("tests", "testcase"), ("failures", "failure"), ("errors", "error")] {
                assert_eq!(number(node, attribute), count(node, element), "{name}: {attribute}");
            }
        }
        let blocked = ["blocked", "failed", "proofs", "hostile"].contains(&name) || GATES.iter().any(|(gate, _)| *gate == name);
        assert_eq!(
            count(document.root(), "failure") + count(document.root(), "error") > 0,
            blocked,
            "{name}: green exactly when it passed"
        );
    }
}

#[test]
fn foreign_text_neither_hides_nor_commands() {
    for report in [HOSTILE, GATES[4].1] {
        let text = rendered(report);
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{2028}', '\u{feff}', '\u{0}', '\r']) && !text.contains("]]>"));
        assert!(!text.contains("<script") && !text.contains("<img"));
        let document = read(&text);
        assert!(document.descendants().all(|node| !node.is_comment() && (!node.is_pi() || node.pi().is_none())));
    }
}

#[test]
fn a_proof_names_the_cases_that_turned_green() {
    let text = rendered(&cases(&[2]));
    assert!(text.contains("Red before, green now: tests/large.rs (shop)::case_00001"), "{text}");
    assert!(rendered(&cases(&[100_000])).len() < 20_000, "bounded");
}

#[test]
fn many_findings_are_all_there() {
    let text = rendered(&findings(5_000));
    assert_eq!(count(read(&text).root(), "testcase"), 5_000);
}

#[test]
fn what_a_report_leaves_out_is_left_out() {
    let empty = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"Gate\" tests=\"0\" failures=\"0\" errors=\"0\" time=\"0.000\">\n</testsuites>\n";
    assert_eq!(rendered(r#"{"protocol":"code-polishy-report/v1"}"#), empty);
}

#[test]
fn what_is_no_report_is_refused() {
    let code = |report: &str| JUnit::render(report, &NoOptions {}).map(drop).map_err(|failure| failure.code);
    assert_eq!(code("{"), Err("bad-report".to_owned()));
    assert_eq!(code(r#"{"protocol":"code-polishy-report/v2"}"#), Err("unknown-report".to_owned()));
}
