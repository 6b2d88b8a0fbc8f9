//! Findings and blockers: C-65 to C-71, C-96 (CR-81 to CR-85, CR-225, CR-226).

use code_polishy_tests::ReviewRun;
use serde_json::{Value, json};

use crate::WORLD;

/// A concluded run with one confirmed finding `F-1` of this severity.
fn found(severity: &str) -> ReviewRun {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| run.record(result, "F-1", severity, Some("confirmed")));
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    run
}

fn finding(result: &mut Value) -> &mut Value {
    &mut result["metadata"]["review_findings"][0]
}

/// The same without what follows from it in steps behind this one.
fn of_step(violations: Vec<String>, step: &str) -> Vec<String> {
    violations.into_iter().filter(|violation| violation.starts_with(&format!("{step} "))).collect()
}

fn blocker(id: &str, title: &str) -> Value {
    json!({"id": id, "title": title, "required_change": "Add a licence.", "evidence": ["The forge shows none."], "authors": ["Software engineer"]})
}

#[test]
fn c_65_a_finding_is_a_whole_record_and_nothing_more() {
    let run = found("medium");
    let changes: [fn(&mut Value); 4] = [
        |finding| finding["closure_evidence"] = json!(["A test."]),
        |finding| finding["votes"] = json!(1),
        |finding| finding["summary"] = json!(" "),
        |finding| finding["evidence"] = json!([]),
    ];
    for change in changes {
        let found = run.after(|result| change(finding(result)));
        assert!(found.contains(&"findings review-finding-record-invalid".to_owned()), "{found:?}");
    }
}

#[test]
fn c_66_every_action_has_an_id_of_its_own() {
    let run = found("medium");
    let twice = run.after(|result| {
        let again = finding(result).clone();
        result["metadata"]["review_findings"].as_array_mut().unwrap().push(again);
        result["findings"]["medium"] = json!(2);
    });
    assert_eq!(twice, ["findings review-finding-id-duplicate:F-1"]);
    let shared = run.after(|result| result["metadata"]["operational_blockers"] = json!([blocker("F-1", "No licence")]));
    assert_eq!(shared, ["findings review-operational-blocker-id-duplicate:F-1"]);
}

#[test]
fn c_67_the_counts_are_those_of_the_records() {
    let found = found("high").after(|result| result["findings"]["high"] = json!(0));
    assert_eq!(found, ["findings review-findings-severity-count-mismatch:high"]);
}

#[test]
fn c_68_authors_are_those_who_rated() {
    let run = found("medium");
    for authors in [json!(["Somebody"]), json!([]), json!(["Software engineer", "software engineer"])] {
        let found = run.after(|result| finding(result)["authors"] = authors.clone());
        assert_eq!(found, ["findings review-finding-authors-invalid:F-1"], "{authors}");
    }
}

#[test]
fn c_69_a_limit_of_the_process_is_no_blocker() {
    let run = found("medium");
    let about = |title: &str| {
        let found = run.after(|result| result["metadata"]["operational_blockers"] = json!([blocker("B-1", title)]));
        of_step(found, "findings")
    };
    for title in ["gate:lint failed", "The lint gate failed", "The QA specialist pass is missing", "The rendered page was not looked at."] {
        assert_eq!(about(title), ["findings review-operational-blocker-process-limit:B-1"], "{title}");
    }
    assert_eq!(about("No licence"), Vec::<String>::new());
}

#[test]
fn c_70_coordinates_lie_in_the_reviewed_or_the_base_tree() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("old.rs", "fn a() {}\n\nfn b() {}\n").commit("Keep the old sum");
    repo.remove("old.rs").write("src/shop.rs", "pub fn total() -> u32 {\n    1\n}\n");
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]).review(&[("sw-engineer", "2", &json!([]))]);
    run.conclude(|result| {
        run.record(result, "F-1", "medium", Some("confirmed"));
        candidate(result)["counterevidence"] = json!([]);
        finding(result)["evidence"] = json!(["base:old.rs:3 was the sum", "run:checks/tests.stdout.txt:1", "prose of src/a.rs:900"]);
    });
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    let place = |text: &str| of_step(run.after(|result| finding(result)["evidence"] = json!([text])), "evidence");
    for nowhere in ["src/shop.rs:900", "src/shop.rs:3-2", "old.rs:1", "base:old.rs:4", "src/none.rs:1", "run:checks/none.txt:1"] {
        assert_eq!(place(nowhere), ["evidence review-evidence-unresolved:finding:F-1"], "{nowhere}");
    }
    for claimed in ["confirmation_evidence", "falsification_evidence", "check"] {
        let found = run.after(|result| candidate(result)[claimed] = json!("src/shop.rs:900 gives one"));
        assert_eq!(of_step(found, "evidence"), ["evidence review-evidence-unresolved:candidate:F-1"], "{claimed}");
    }
}

fn candidate(result: &mut Value) -> &mut Value {
    &mut result["metadata"]["review_validation"]["candidates"][0]
}

#[test]
fn c_71_what_blocks_points_at_source() {
    let run = found("high");
    let prose = |result: &mut Value| finding(result)["evidence"] = json!(["Everybody saw it.", "see src/shop.rs:2"]);
    assert_eq!(of_step(run.after(prose), "evidence"), ["evidence review-blocking-evidence-missing:F-1"]);
}

#[test]
fn c_96_findings_on_structure_are_ordinary_claims() {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| {
        run.record(result, "deep-branching", "medium", Some("confirmed"));
        run.record(result, "masking-docstring", "low", Some("confirmed"));
        finding(result)["title"] = json!("Seven levels of branches");
        result["metadata"]["review_findings"][1]["title"] = json!("The docstring tells what the names should");
    });
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    assert_eq!(run.json("result.candidate.json")["metadata"]["review_decision"]["recommendation"], "minor-changes");
}
