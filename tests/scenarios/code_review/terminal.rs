//! Reviews that end before the source is judged: C-127 to C-130 (section 16).

use std::fs;

use code_polishy_tests::{Forge, Output, PRODUCER, ReviewRun};
use serde_json::{Value, json};

use crate::WORLD;

/// The run of a pull request whose head was not fetched.
fn uncollected() -> ReviewRun {
    let forge = Forge::new(WORLD);
    forge.edit("pr.json", |pr| pr["headRefOid"] = json!("f".repeat(40)));
    let output = forge.import(&[]).exits(1);
    forge.run(&output)
}

fn end(run: &ReviewRun, options: &[&str]) -> Output {
    run.command("finalize", &[&["--producer-id", PRODUCER], options].concat())
}

/// A conclusive decision about a collected pull request.
fn decision(run: &ReviewRun, code: &str) -> Value {
    json!({
        "schema_version": 1,
        "code": code,
        "advisory_only": true,
        "head_sha": run.json("pr-routing.json")["head_oid"],
        "summary": "The same fix was merged before.",
        "rationale": "Both changes touch the same lines to the same end.",
        "confidence": 0.93,
        "evidence": [
            {"claim": "Another change did it", "source": "comments.json"},
            {"claim": "The target branch has the fix", "source": "src/upload.rs:40"}
        ],
        "counterevidence_checked": ["Whether this change fixes more: it does not."]
    })
}

fn close(run: &ReviewRun, decision: &Value, options: &[&str]) -> Output {
    let place = run.repo.area("decision.json");
    fs::write(&place, decision.to_string()).expect("a written decision");
    let file = place.display().to_string();
    end(run, &[&["--branch", "closed", "--close-decision", &file], options].concat())
}

/// The result fits its published schema.
#[track_caller]
fn assert_described(run: &ReviewRun) {
    let schema: Value = serde_json::from_str(&run.repo.run(&["schema", "code-review/ended-result"]).exits(0).stdout).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let faults: Vec<String> = validator.iter_errors(&run.json("result.json")).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn what_could_not_be_collected_ends_unavailable() {
    let run = uncollected();
    let document = end(&run, &["--branch", "unavailable", "--promote"]).exits(0).json();
    assert_eq!((&document["review_status"], &document["change_readiness"]), (&json!("unavailable"), &json!("not-ready")));
    assert_described(&run);
    let code = run.text("pr-error.txt").trim_end().to_owned();
    let notes = run.text("review-notes.md");
    assert!(
        notes.starts_with("# PR Review Availability: unavailable\n\nSource findings: not assessed\n\nMerge decision: not made\n\n"),
        "{notes}"
    );
    assert!(notes.ends_with("\n\nEvidence: pr-error.txt\n"), "{notes}");
    let report = run.text("final.md");
    assert!(report.contains(&format!("Reason: {code}.")) && report.contains("| Merge decision | not made |"), "{report}");
    assert!(!report.contains("Suggestion") && !report.contains("Findings and Merge Blocks"), "{report}");
    let path = run.path.display().to_string();
    assert_eq!(run.repo.run(&["code-review", "complete", "--run", &path]).exits(0).stdout, report);
}

#[test]
fn c_129_an_unavailable_result_says_nothing_else() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 6] = [
        (|it| it["metadata"]["review_decision"] = json!({"recommendation": "reject"}), "shape terminal-review-unexpected-fields"),
        (|it| it["recommendations"] = json!([]), "shape terminal-review-unexpected-fields"),
        (|it| it["findings"]["high"] = json!(1), "terminal terminal-review-has-findings"),
        (|it| it["status"] = json!("pass"), "terminal unavailable-review-status-invalid"),
        (|it| it["metadata"]["collection_failure"]["code"] = json!("pr-not-open"), "terminal unavailable-review-failure-artifact-mismatch"),
        (|it| it["confidence"] = json!(0.95), "terminal terminal-confidence-mismatch"),
    ];
    let run = uncollected();
    end(&run, &["--branch", "unavailable"]).exits(0);
    let candidate = run.json("result.candidate.json");
    for (change, expected) in cases {
        let mut changed = candidate.clone();
        change(&mut changed);
        run.write("result.candidate.json", changed.to_string());
        let violations = run.validate().exits(1).violations();
        assert!(violations.iter().any(|violation| violation == expected), "{expected}: {violations:?}");
    }
    run.write("result.candidate.json", candidate.to_string());
    for (file, expected) in [
        ("review-notes.md", "terminal terminal-notes-mismatch:review-notes.md"),
        ("gates.json", "terminal terminal-gates-invalid:gates.json"),
        ("local-checkout.json", "terminal terminal-review-forbidden-artifact:local-checkout.json"),
    ] {
        let before = fs::read(run.file(file)).ok();
        run.write(file, [before.as_deref().unwrap_or(b"{}"), b" "].concat());
        let violations = run.validate().exits(1).violations();
        assert!(violations.iter().any(|violation| violation == expected), "{expected}: {violations:?}");
        match before {
            Some(bytes) => drop(run.write(file, bytes)),
            None => fs::remove_file(run.file(file)).unwrap(),
        }
    }
}

#[test]
fn c_130_a_secret_of_the_exporter_is_not_shown() {
    let run = uncollected();
    let secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    let failure = json!({"schema_version": 1, "code": "export-auth", "command_id": secret, "exit": 4, "stage": "metadata"});
    run.write("command-failure.json", failure.to_string());
    let output = end(&run, &["--branch", "unavailable"]).exits(1);
    assert_eq!(output.errors(), ["unavailable-review-diagnostic-invalid:command-failure.json"]);
    assert!(!output.stdout.contains(secret) && !output.stderr.contains(secret), "{output}");
    assert!(!run.file("review-notes.md").exists() && !run.file("final.md").exists());
}

#[test]
fn c_127_each_close_code_with_valid_evidence_closes() {
    for code in ["FALSE_GOAL", "BREAKING_CONDUCT", "WRONG_SCOPE", "WRONG_PROVENANCE"] {
        let run = Forge::new(WORLD).collected();
        let document = close(&run, &decision(&run, code), &["--promote"]).exits(0).json();
        assert_eq!(document["review_status"], "closed");
        assert_described(&run);
        let report = run.text("final.md");
        assert!(report.starts_with("Closing without detailed review is advised: The same fix was merged before.\n"), "{report}");
        assert!(report.contains(&format!("| Close code | {code} |")) && report.contains("- review: pass — review-notes.md"), "{report}");
        let path = run.path.display().to_string();
        assert_eq!(run.repo.run(&["code-review", "complete", "--run", &path]).exits(0).stdout, report);
    }
    let run = Forge::new(WORLD).collected();
    for code in ["DUPLICATE", "UNADDRESSED_REVERT", "SPAM", "ARCHITECTURE_VIOLATION"] {
        close(&run, &decision(&run, code), &[]).exits(0);
    }
}

#[test]
fn c_127_an_inconclusive_decision_closes_nothing() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 8] = [
        (|it| it["code"] = json!("BORING"), "closed-review-code-invalid:code"),
        (|it| it["advisory_only"] = json!(false), "closed-review-not-advisory:advisory_only"),
        (|it| it["head_sha"] = json!("a".repeat(40)), "closed-review-head-mismatch:head_sha"),
        (|it| it["evidence"][1]["source"] = json!("comments.json"), "closed-review-distinct-evidence-required:evidence"),
        (|it| it["evidence"] = json!([it["evidence"][0]]), "closed-review-distinct-evidence-required:evidence"),
        (|it| it["counterevidence_checked"] = json!([]), "closed-review-counterevidence-required:counterevidence_checked"),
        (|it| it["confidence"] = json!(0.89), "closed-review-confidence-below-threshold:confidence"),
        (|it| it["summary"] = json!(" "), "closed-review-decision-invalid:texts"),
    ];
    let run = Forge::new(WORLD).collected();
    for (change, expected) in cases {
        let mut decision = decision(&run, "DUPLICATE");
        change(&mut decision);
        let violations = close(&run, &decision, &["--promote"]).exits(1).violations();
        let of_step: Vec<&String> = violations.iter().filter(|violation| violation.starts_with("terminal ")).collect();
        assert_eq!(of_step, [&format!("terminal {expected}")]);
    }
    let mut more = decision(&run, "DUPLICATE");
    more["merge"] = json!(true);
    assert_eq!(close(&run, &more, &[]).exits(1).errors(), ["closed-review-decision-invalid"]);
    assert!(!run.file("result.json").exists());
}

#[test]
fn c_127_public_pages_alone_close_nothing() {
    let forge = Forge::new(WORLD);
    forge.edit("export.json", |export| {
        export["transport"] = json!("public-https-fallback");
        export["unavailable_evidence"] = json!(["mergeability", "review_decision"]);
    });
    let run = forge.collected();
    let violations = close(&run, &decision(&run, "DUPLICATE"), &[]).exits(1).violations();
    assert_eq!(violations, ["terminal closed-review-public-fallback-insufficient:transport"]);
}

#[test]
fn c_128_a_closed_review_is_nothing_to_fix_and_only_a_decision_closes() {
    let run = Forge::new(WORLD).collected();
    close(&run, &decision(&run, "DUPLICATE"), &["--promote"]).exits(0);
    let found = run.repo.run(&["--format", "json", "code-review", "find", "--target", "7"]).exits(1);
    assert_eq!(found.errors(), ["matching-review-closed-not-remediable"]);
    let local = ReviewRun::document(WORLD);
    local.write("pr-error.txt", "export-network\n");
    let violations = end(&local, &["--branch", "unavailable"]).exits(1).violations();
    assert!(violations.contains(&"terminal terminal-review-non-pr-scope".to_owned()), "{violations:?}");
    let detailed = Forge::new(WORLD).collected().review(&[("sw-engineer", "1", &json!([]))]);
    let violations = close(&detailed, &decision(&detailed, "DUPLICATE"), &[]).exits(1).violations();
    assert!(violations.contains(&"terminal terminal-review-forbidden-artifact:review-routing.json".to_owned()), "{violations:?}");
}
