//! `explain` (CR-23).

use code_polishy_tests::Repo;
use serde_json::json;

use crate::WORLD;

#[test]
fn a_code_is_explained_with_its_remedy_and_its_action() {
    let repo = Repo::new(WORLD);
    let document = repo.run(&["explain", "gates-aggregate-mismatch", "--format", "json"]).exits(0).json();
    assert_eq!(document["explanation"]["code"], json!("gates-aggregate-mismatch"));
    assert_eq!(document["explanation"]["next_action"], json!("rerun-gate"));
    assert_eq!(document["explanation"]["rule"], json!("CR-135"));
    assert!(document["explanation"]["remedy"].as_str().is_some_and(|remedy| !remedy.is_empty()));
}

#[test]
fn a_subject_after_the_code_does_not_count() {
    let repo = Repo::new(WORLD);
    let one = repo.run(&["explain", "review-notes-path-missing:src/a.rs"]).exits(0).stdout;
    assert_eq!(one, repo.run(&["explain", "review-notes-path-missing"]).exits(0).stdout);
}

#[test]
fn an_unknown_code_is_refused_with_the_nearest() {
    let refused = Repo::new(WORLD).run(&["explain", "gates-agregate-mismatch"]).exits(2);
    assert!(refused.stderr.contains("gates-aggregate-mismatch"), "{}", refused.stderr);
}

#[test]
fn a_code_of_a_diagnostic_is_explained_too() {
    let repo = Repo::new(WORLD);
    let document = repo.run(&["explain", "policy.unknown-key", "--format", "json"]).exits(0).json();
    assert_eq!(document["explanation"]["reported_as"], json!("diagnostic"));
    assert_eq!(document["explanation"]["next_action"], json!(null));
    assert_eq!(document["explanation"]["rule"], json!("BR-11"));
    let lines = repo.run(&["explain", "policy.unknown-key"]).exits(0).stdout;
    assert!(lines.ends_with("Rule     BR-11\n") && !lines.contains("Action"), "{lines}");
}

#[test]
fn a_warning_asks_for_no_action() {
    let lines = Repo::new(WORLD).run(&["explain", "review-rating-verdict-incoherent"]).exits(0).stdout;
    assert!(lines.contains("none: it is a warning"), "{lines}");
}
