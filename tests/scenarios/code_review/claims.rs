//! Claims and what becomes of them: C-52 to C-62, C-96 (CR-73 to CR-80).

use code_polishy_tests::ReviewRun;
use serde_json::{Value, json};

use crate::WORLD;

/// A concluded run with one claim of each closed disposition.
fn closed() -> ReviewRun {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| {
        for (id, severity, disposition) in [
            ("F-1", "medium", "confirmed"),
            ("R-1", "high", "refuted"),
            ("A-1", "low", "already-fixed"),
            ("O-1", "low", "optional-out-of-scope"),
        ] {
            run.record(result, id, severity, Some(disposition));
        }
    });
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    run
}

/// A concluded run that accepts beside an open claim, with this change of it.
fn open(change: impl FnOnce(&mut Value)) -> ReviewRun {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| {
        run.record(result, "U-1", "medium", Some("unverified"));
        let metadata = &mut result["metadata"];
        metadata["review_validation"]["verification_readiness"] = json!("blocked");
        metadata["review_decision"]["rationale"] = json!("U-1 does not touch the sum.");
        change(&mut metadata["review_validation"]["candidates"][0]);
        result["status"] = json!("fail");
    });
    run
}

fn candidate<'r>(result: &'r mut Value, id: &str) -> &'r mut Value {
    let candidates = result["metadata"]["review_validation"]["candidates"].as_array_mut().unwrap();
    candidates.iter_mut().find(|candidate| candidate["id"] == id).unwrap()
}

#[test]
fn c_52_a_marker_of_another_family_is_refused() {
    let run = closed();
    for marker in [json!(1), json!(true), json!(2.0), json!("2"), json!(null)] {
        let found = run.after(|result| result["metadata"]["finding_records_version"] = marker.clone());
        assert_eq!(found, ["candidates review-finding-records-version-invalid"], "{marker}");
    }
}

#[test]
fn c_53_a_claim_has_exactly_twenty_fields() {
    let run = closed();
    let fewer = run.after(|result| drop(candidate(result, "R-1").as_object_mut().unwrap().shift_remove("owner")));
    let more = run.after(|result| candidate(result, "R-1")["votes"] = json!(3));
    for found in [fewer, more] {
        assert_eq!(found, ["candidates review-candidate-fields-invalid"]);
    }
}

#[test]
fn c_54_confirmed_claims_are_the_findings() {
    let run = closed();
    let mismatch = |id: &str| [format!("candidates review-candidate-confirmed-set-mismatch:{id}")];
    let without_finding = run.after(|result| candidate(result, "O-1")["disposition"] = json!("confirmed"));
    assert_eq!(without_finding, mismatch("O-1"));
    let without_claim = run.after(|result| candidate(result, "F-1")["disposition"] = json!("optional-out-of-scope"));
    assert_eq!(without_claim, mismatch("F-1"));
    let otherwise_severe = run.after(|result| candidate(result, "F-1")["severity"] = json!("high"));
    assert_eq!(otherwise_severe, mismatch("F-1"));
}

#[test]
fn c_55_a_refutation_has_counterevidence() {
    let found = closed().after(|result| candidate(result, "R-1")["counterevidence"] = json!([]));
    assert_eq!(found, ["candidates review-candidate-refuted-without-counterevidence:R-1"]);
}

#[test]
fn c_56_a_fix_names_the_original_and_the_fixing_state() {
    let run = closed();
    for result_text in ["It is fixed.", &format!("It is fixed in {}.", "a".repeat(40)), "It is fixed in bbbbbbb."] {
        let found = run.after(|result| candidate(result, "A-1")["result"] = json!(result_text));
        assert_eq!(found, ["candidates review-candidate-fix-identity-missing:A-1"], "{result_text}");
    }
}

#[test]
fn c_57_an_unverified_claim_names_what_is_missing() {
    let run = open(|_| ());
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    let unnamed = run.after(|result| candidate(result, "U-1")["missing_prerequisite"] = json!(""));
    assert_eq!(unnamed, ["candidates review-candidate-prerequisite-missing:U-1"]);
    let left = run.after(|result| candidate(result, "U-1")["feasible_checks_complete"] = json!(false));
    assert_eq!(left, ["candidates review-candidate-feasible-conflict:U-1"]);
}

#[test]
fn c_58_feasible_work_that_is_left_makes_verification_incomplete() {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| {
        run.record(result, "F-1", "high", Some("confirmed"));
        run.record(result, "N-1", "low", None);
        result["metadata"]["review_validation"]["verification_readiness"] = json!("incomplete");
        result["status"] = json!("fail");
    });
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    let found = run.after(|result| result["metadata"]["review_validation"]["verification_readiness"] = json!("blocked"));
    assert_eq!(found, ["candidates review-validation-readiness-conflict"]);
}

#[test]
fn c_59_a_claim_is_bound_to_a_retained_source() {
    let run = closed();
    let foreign = [format!("head:{}", "c".repeat(40)), format!("sha256:{}", run.digest("gates.json")), "the working tree".to_owned()];
    for revision in foreign {
        let found = run.after(|result| candidate(result, "F-1")["source_revision"] = json!(revision));
        assert_eq!(found, ["candidates review-candidate-revision-unbound:F-1"], "{revision}");
    }
    let plan = format!("sha256:{}", run.digest("direct-plan.json"));
    assert_eq!(run.after(|result| candidate(result, "F-1")["source_revision"] = json!(plan)), Vec::<String>::new());
}

#[test]
fn c_60_a_result_does_not_pass_beside_an_open_claim() {
    let found = open(|_| ()).after(|result| result["status"] = json!("pass"));
    assert_eq!(found, ["candidates review-open-verification-pass"]);
}

#[test]
fn c_61_a_missing_package_alone_settles_nothing() {
    let run = open(|claim| claim["missing_prerequisite"] = json!("package:foo"));
    let absence = ["candidates review-candidate-package-absence-only:U-1"];
    assert_eq!(run.validate().violations(), absence);
    let preparation = |status: &str| {
        let prepared = (status == "prepared").then_some("overlay");
        let reason = (status != "prepared").then_some("The host denies the network.");
        json!({"schema_version": 1, "preparations": [{
            "id": "foo-1", "package": "foo", "declared_in": "pyproject.toml", "status": status, "overlay": prepared,
            "import_origin": prepared, "receipt": null, "reason": reason
        }]})
    };
    run.edit_record("result.candidate.json", |result| candidate(result, "U-1")["limits"] = json!(["See dependency:foo-1."]));
    for (status, expected) in [("denied", [].as_slice()), ("failed", &[]), ("prepared", &absence)] {
        run.write("dependency-evidence.json", preparation(status).to_string());
        assert_eq!(run.validate().violations(), expected, "{status}");
    }
    let mut unexplained = preparation("denied");
    unexplained["preparations"][0]["reason"] = json!(null);
    run.write("dependency-evidence.json", unexplained.to_string());
    assert_eq!(run.validate().violations(), ["candidates review-candidate-package-absence-only:foo-1"]);
}

#[test]
fn a_reproduction_keeps_its_receipt_and_its_outputs() {
    let run = closed();
    run.edit_record("result.candidate.json", |result| candidate(result, "F-1")["check"] = json!("Ran reproductions/F-1."));
    let missing = |subject: &str| [format!("candidates review-candidate-reproduction-missing:{subject}")];
    assert_eq!(run.validate().violations(), missing("reproductions/F-1/receipt.json"));
    let receipt = json!({
        "schema_version": 1, "candidate_id": "F-1", "selection": ["total"], "command": "cargo test total", "command_exit": 101,
        "stdout": "reproductions/F-1/stdout.txt", "stderr": "reproductions/F-1/stderr.txt", "tree": run.digest("diff.patch")
    });
    run.write("reproductions/F-1/receipt.json", receipt.to_string()).write("reproductions/F-1/stdout.txt", "1\n");
    assert_eq!(run.validate().violations(), missing("F-1"));
    run.write("reproductions/F-1/stderr.txt", "");
    assert_eq!(run.validate().violations(), Vec::<String>::new());
    run.edit_record("reproductions/F-1/receipt.json", |receipt| receipt["candidate_id"] = json!("R-1"));
    assert_eq!(run.validate().violations(), missing("F-1"));
}

#[test]
fn c_62_optional_claims_alone_leave_nothing_to_do() {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|result| run.record(result, "O-1", "low", Some("optional-out-of-scope")));
    let output = run.validate();
    assert_eq!(output.violations(), Vec::<String>::new(), "{output}");
    let notes = run.text("review-notes.md");
    assert!(!notes.contains("Review Findings and Merge Blocks"), "{notes}");
}
