//! The verdict and the confidence of a review: C-11, C-81 to C-90, C-136 (CR-97 to CR-114, CR-223, CR-224).

use code_polishy_tests::{Output, ReviewRun};
use serde_json::{Value, json};

use crate::WORLD;

/// The steps between the records and the verdict.
const STEPS: [&str; 7] = ["passes", "assessments", "findings", "confidence", "candidates", "gate-reconcile", "decision"];
const GREEN: [&str; 8] = ["--lint", "true", "--format-cmd", "true", "--types", "true", "--skip-tests", "a document has none"];

/// A review of a document by the parent alone, after these gates.
fn after(gates: &[&str]) -> ReviewRun {
    let run = ReviewRun::document(WORLD);
    run.route(&[]).exits(0);
    run.command("gates", gates);
    run.edit(|result| settle(&run, result)).write_notes();
    run
}

/// The same, when the gate of the tests gave this.
fn after_tests(tests: [&str; 2]) -> ReviewRun {
    after(&[&GREEN[..6], &tests].concat())
}

/// What the gates determine.
fn settle(run: &ReviewRun, result: &mut Value) {
    let gates = run.json("gates.json");
    result["checks_failed"] = gates["checks_failed"].clone();
    result["status"] = gates["status"].clone();
}

/// Judges the result with this change.
#[track_caller]
fn judge(run: &ReviewRun, change: impl FnOnce(&mut Value)) -> Output {
    run.edit(|result| {
        settle(run, result);
        change(result);
    });
    run.validate()
}

/// What is found of the verdict after this change.
#[track_caller]
fn found(run: &ReviewRun, change: impl FnOnce(&mut Value)) -> Vec<String> {
    let output = judge(run, change);
    let violations = output.violations();
    let is_asked = |violation: &&String| STEPS.iter().any(|step| violation.starts_with(&format!("{step} ")));
    let found: Vec<String> = violations.iter().filter(is_asked).cloned().collect();
    assert!(!found.is_empty() || output.step("decision") == "passed", "the verdict was not judged: {output}");
    found
}

const ACCEPTED: [&str; 0] = [];

fn decide(result: &mut Value, verdict: &Value, rationale: &str) {
    let metadata = &mut result["metadata"];
    metadata["review_decision"] = json!({"recommendation": verdict, "summary": "It was read.", "rationale": rationale});
    metadata["review_validation"]["source_verdict"] = verdict.clone();
}

/// A claim about the sentence, with this disposition.
fn claim(run: &ReviewRun, id: &str, severity: &str, disposition: &Value) -> Value {
    let unverified = disposition == "unverified";
    json!({
        "id": id, "severity": severity, "claim": "Not everything is sold.",
        "source_revision": format!("sha256:{}", run.digest("local-source/source-snapshot.json")),
        "contract": "The document is true.", "trigger": "A reader orders a thing.", "confirmation_evidence": "README.md:3 promises it.",
        "falsification_evidence": "A catalogue would list everything.", "counterevidence": [], "check": "The document was read.",
        "result": "It promises everything.", "environment": "The review worktree.", "limits": [], "disposition": disposition,
        "reason": "The code sells nothing.", "feasible_checks_complete": true,
        "missing_prerequisite": if unverified { "The catalogue of the shop." } else { "" }, "owner": "author",
        "next_check": "Read the catalogue.", "closure_condition": "The sentence is true."
    })
}

/// A finding with its claim.
fn find(run: &ReviewRun, result: &mut Value, severity: &str, evidence: &[&str]) {
    let evidence: Vec<&str> = ["README.md:3"].iter().chain(evidence).copied().collect();
    result["metadata"]["review_findings"] = json!([{
        "id": "F-1", "severity": severity, "title": "Sells what it has not", "summary": "Not everything is sold.",
        "required_change": "Say what is sold.", "evidence": evidence, "closure_evidence": "The sentence is true.",
        "authors": ["Main reviewer"]
    }]);
    result["metadata"]["review_validation"]["candidates"] = json!([claim(run, "F-1", severity, &json!("confirmed"))]);
    result["findings"][severity] = json!(1);
}

/// Verification that something outside keeps from being complete, with an unresolved gap.
fn block(result: &mut Value, gap: &str) {
    let metadata = &mut result["metadata"];
    metadata["review_validation"]["verification_readiness"] = json!("blocked");
    metadata["confidence_gaps"] = json!([gap]);
    metadata["confidence_gap_closures"] = json!([{"gap": gap, "status": "unresolved", "rationale": "(-0.05) It stays so."}]);
}

#[test]
fn c_11_without_a_worktree_only_the_gates_observe_the_reviewed_commit() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("README.md", "# Shop\n\nSells everything.\n").commit("Sell everything");
    let run = ReviewRun::start(repo, &["--scope", "commit", "--target", "HEAD", "--review-worktree", "none"]);
    run.route(&[]).exits(0);
    let root = run.repo.root().display().to_string();
    let skips: Vec<String> = ["lint", "format", "types", "tests", "review"].map(|gate| format!("--skip-{gate}")).into();
    let skips: Vec<&str> = skips.iter().flat_map(|skip| [skip.as_str(), "it is a document"]).collect();
    run.command("gates", &[&skips, ["--worktree", &root].as_slice()].concat()).exits(0);
    run.edit(|result| settle(&run, result)).write_notes();
    assert_eq!(found(&run, |_| ()), ["gate-reconcile review-commit-sha-unbound"]);
    run.command("gates", &[&GREEN, ["--worktree", &root].as_slice()].concat()).exits(0);
    assert_eq!(found(&run, |_| ()), ACCEPTED);
}

#[test]
fn c_81_an_acceptance_has_no_findings_but_may_have_blockers() {
    let run = after(&GREEN);
    assert_eq!(found(&run, |_| ()), ACCEPTED);
    assert_eq!(found(&run, |result| find(&run, result, "low", &[])), ["decision review-accept-with-findings"]);
    let blocked = judge(&run, |result| {
        result["metadata"]["operational_blockers"] = json!([{
            "id": "B-1", "title": "The site is not published", "required_change": "Publish it.", "evidence": ["README.md:3"],
            "authors": ["Main reviewer"]
        }]);
    });
    assert_eq!(blocked.step("decision"), "passed");
    assert!(blocked.violations().contains(&"action-table review-missing-findings-action-table".to_owned()), "{blocked}");
}

/// `accept-as-is` while a claim cannot be settled and the tests cannot run.
fn open(run: &ReviewRun, result: &mut Value) {
    decide(result, &json!("accept-as-is"), "C-1 needs a catalogue, and the tests gate a device; neither is about this sentence.");
    block(result, "The tests gate did not run.");
    result["metadata"]["review_validation"]["candidates"] = json!([claim(run, "C-1", "low", &json!("unverified"))]);
}

#[test]
fn c_82_what_cannot_be_verified_does_not_bar_an_acceptance_that_says_so() {
    let run = after_tests(["--unavailable-tests", "there is no device"]);
    assert_eq!(found(&run, |result| open(&run, result)), ACCEPTED);
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 3] = [
        (
            |result| decide(result, &json!("accept-as-is"), "The tests gate needs a device."),
            "decision review-open-candidate-not-explained:C-1",
        ),
        (
            |result| {
                decide(result, &json!("accept-as-is"), "C-1 needs a catalogue.");
                block(result, "No device.");
            },
            "decision review-approval-gate-unnamed:tests",
        ),
        (|result| result["status"] = json!("pass"), "candidates review-open-verification-pass"),
    ];
    for (change, expected) in cases {
        let found = found(&run, |result| {
            open(&run, result);
            change(result);
        });
        assert_eq!(found, [expected]);
    }
}

#[test]
fn c_83_a_failed_behaviour_bars_an_approval_until_it_is_settled() {
    let run = after_tests(["--tests", "false"]);
    let barred = "decision review-approval-with-failed-gates:tests";
    let unvalidated = "decision review-behavioral-failure-unvalidated:tests";
    let mut unclaimed = found(&run, |result| open(&run, result));
    unclaimed.sort_unstable();
    assert_eq!(unclaimed, [barred, unvalidated]);
    let claimed = found(&run, |result| {
        open(&run, result);
        result["metadata"]["review_validation"]["candidates"][0]["check"] = json!("gate:tests was read.");
    });
    assert_eq!(claimed, [barred]);
}

#[test]
fn c_84_a_failed_linter_is_itself_a_minor_change() {
    let run = after(&[&["--lint", "false"], &GREEN[2..]].concat());
    let minor = |result: &mut Value, evidence: &[&str]| {
        find(&run, result, "low", evidence);
        decide(result, &json!("minor-changes"), "F-1 is one word.");
    };
    assert_eq!(found(&run, |result| minor(result, &["gate:lint fails on it"])), ACCEPTED);
    assert_eq!(run.json("result.candidate.json")["status"], "fail");
    let mut unclaimed = found(&run, |result| minor(result, &[]));
    unclaimed.sort_unstable();
    assert_eq!(unclaimed, ["decision review-approval-gate-unnamed:lint", "decision review-approval-with-failed-gates"]);
}

#[test]
fn c_85_a_minor_change_is_not_critical_and_names_what_is_high() {
    let run = after(&GREEN);
    let minor = |severity: &str, rationale: &str, status: &str| {
        found(&run, |result| {
            find(&run, result, severity, &[]);
            decide(result, &json!("minor-changes"), rationale);
            result["status"] = json!(status);
        })
    };
    assert_eq!(minor("critical", "F-1 is one word.", "fail"), ["decision review-minor-with-critical-finding:F-1"]);
    assert_eq!(minor("high", "It is one word.", "pass"), ["decision review-minor-high-unnamed:F-1"]);
    assert_eq!(minor("high", "F-1 is high and one word.", "pass"), ACCEPTED);
}

#[test]
fn c_86_a_change_is_asked_for_with_what_carries_it() {
    let run = after(&GREEN);
    let change = |verdict: &str, rationale: &str| {
        found(&run, |result| {
            find(&run, result, "high", &[]);
            decide(result, &json!(verdict), rationale);
        })
    };
    assert_eq!(change("needs-more-work", "It promises too much, see req:README.md:3."), ["decision review-verdict-uncited"]);
    assert_eq!(change("needs-more-work", "F-1 stands."), ACCEPTED);
    assert_eq!(change("reject", "F-1 stands."), ["decision review-reject-without-requirement"]);
    assert_eq!(change("reject", "F-1 breaks req:README.md:3."), ACCEPTED);
    assert_eq!(change("insufficient-but-promising", "req:https://example.org/plan asks for a catalogue."), ACCEPTED);
    let empty = found(&run, |result| decide(result, &json!("insufficient-but-promising"), "req:README.md:1 asks for more."));
    assert_eq!(empty, ["decision review-change-verdict-without-actions"]);
}

#[test]
fn c_87_no_judgment_needs_a_question_that_stays_open() {
    let run = after(&GREEN);
    let null = |result: &mut Value| {
        decide(result, &Value::Null, "C-1 cannot be settled.");
        block(result, "The catalogue is missing.");
        result["status"] = json!("fail");
    };
    assert_eq!(found(&run, null), ["decision review-null-verdict-unsupported"]);
    let supported = found(&run, |result| {
        null(result);
        result["metadata"]["review_validation"]["candidates"] = json!([claim(&run, "C-1", "high", &json!("unverified"))]);
    });
    assert_eq!(supported, ACCEPTED);
}

#[test]
fn c_88_an_older_verdict_is_no_recommendation() {
    let run = after(&GREEN);
    let output = judge(&run, |result| decide(result, &json!("not-aligned"), "It is not what the plan says."));
    assert_eq!(output.step("decision"), "not-run");
    assert!(output.violations().contains(&"candidates invalid-review-recommendation".to_owned()), "{output}");
}

fn score(result: &mut Value, score: &Value, status: &str, deduction: &str) {
    result["confidence"] = score.clone();
    let metadata = &mut result["metadata"];
    metadata["confidence_gap_closures"][0]["rationale"] = json!(format!("({deduction}) The site is built elsewhere."));
    let recovery = &mut metadata["confidence_recovery"];
    recovery["final_confidence"] = score.clone();
    recovery["status"] = json!(status);
    recovery["remaining_limits"] = json!(["(-0.02) The site was not seen."]);
}

#[test]
fn c_89_deductions_are_exact() {
    let run = after(&GREEN);
    assert_eq!(found(&run, |result| score(result, &json!(0.86), "cautious-low", "-0.12")), ACCEPTED);
    let sum = found(&run, |result| score(result, &json!(0.86), "cautious-low", "-0.11"));
    assert_eq!(sum, ["confidence confidence-deduction-sum-mismatch"]);
    let precision = found(&run, |result| score(result, &json!(0.857), "cautious-low", "-0.12"));
    assert_eq!(precision, ["confidence confidence-precision-invalid", "confidence confidence-precision-invalid"]);
    let plain = found(&run, |result| score(result, &json!(0.86), "cautious-low", "12 hundredths"));
    assert_eq!(plain, ["confidence confidence-deduction-missing"]);
}

#[test]
fn c_90_a_low_confidence_does_not_pass() {
    let run = after(&GREEN);
    let low = found(&run, |result| score(result, &json!(0.8), "not-acceptable-failed", "-0.18"));
    assert_eq!(low, ["confidence confidence-band-check-missing:confidence-not-acceptable", "confidence result-status-conflict"]);
    let told = found(&run, |result| {
        score(result, &json!(0.8), "not-acceptable-failed", "-0.18");
        find(&run, result, "low", &[]);
        decide(result, &json!("needs-more-work"), "F-1 stands.");
        result["status"] = json!("fail");
        result["checks_failed"] = json!(["confidence-not-acceptable"]);
    });
    assert_eq!(told, ACCEPTED);
    let idle = found(&run, |result| result["metadata"]["confidence_recovery"]["recovery_actions"] = json!([]));
    assert_eq!(idle, ["confidence confidence-recovery-invalid"]);
}

#[test]
fn c_136_a_failure_that_was_there_before_does_not_bar_an_approval() {
    let run = after_tests(["--tests", "false"]);
    let refuted = |result: &mut Value| {
        decide(result, &json!("accept-as-is"), "gate:tests fails without the change too.");
        block(result, "The tests gate fails for a reason that is older than the change.");
        let mut claim = claim(&run, "C-1", "high", &json!("refuted"));
        claim["check"] = json!("gate:tests was run on the base.");
        claim["counterevidence"] = json!(["The base fails in the same place."]);
        result["metadata"]["review_validation"]["candidates"] = json!([claim]);
    };
    assert_eq!(found(&run, refuted), ACCEPTED);
    let barred = "decision review-approval-with-failed-gates:tests";
    let unnamed = found(&run, |result| {
        refuted(result);
        block(result, "Something is older than the change.");
    });
    assert_eq!(unnamed, [barred]);
    let unsettled = found(&run, |result| {
        refuted(result);
        let claim = &mut result["metadata"]["review_validation"]["candidates"][0];
        (claim["disposition"], claim["counterevidence"]) = (json!("optional-out-of-scope"), json!([]));
    });
    assert_eq!(unsettled, [barred]);
}
