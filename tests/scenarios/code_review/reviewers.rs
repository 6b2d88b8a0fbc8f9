//! Reviewers: C-36 to C-51 (CR-59 to CR-72, CR-220, CR-221).

use std::fs;

use code_polishy_tests::{Output, ReviewRun, Snapshot};
use serde_json::{Value, json};

use crate::WORLD;

const ROLE: &str = "sw-engineer";
const OTHER: &str = "qa-specialist";
const LOG: &str = "reviewers.events.jsonl";

/// A run on two sources, routed to these roles; the first is triggered by the sources, the other selected.
fn routed(roles: &[&str]) -> ReviewRun {
    let run = ReviewRun::sources(WORLD);
    let selections: Vec<String> = roles.iter().skip(1).map(|role| format!("{role}=The user asked for it.")).collect();
    let options: Vec<&str> = selections.iter().flat_map(|selection| ["--select", selection]).collect();
    let document = run.route(&options).exits(0).json();
    let mut wanted = roles.to_vec();
    wanted.sort_unstable();
    assert_eq!(document["triggered_roles"], json!(wanted), "{document}");
    run
}

fn whole(run: &ReviewRun, role: &str) -> Output {
    run.pass(role, &run.response(role, "1", &json!([])))
}

/// Completes the open attempt with this response.
fn complete(run: &ReviewRun, role: &str, attempt: u32, response: &str) -> Output {
    let path = format!("specialists/{role}.attempt-{attempt}.md");
    run.write(&path, response);
    run.event("completed", role, &["--output", run.file(&path).to_str().expect("UTF-8")])
}

/// The event is refused with these codes, and the run stays as it was.
#[track_caller]
fn refuses(run: &ReviewRun, event: &str, role: &str, options: &[&str], expected: &[&str]) {
    let before = Snapshot::of(&run.path);
    let output = run.event(event, role, options).exits(1);
    assert_eq!(output.errors(), expected, "{output}");
    assert_eq!(output.json()["run"], json!(run.path));
    assert_eq!(Snapshot::of(&run.path), before);
}

#[test]
fn a_whole_pass_stands_in_the_log_and_in_the_manifest() {
    let run = routed(&[ROLE]);
    let dispatched = run.event("dispatched", ROLE, &["--mode", "spawned", "--reviewer-id", "r-1", "--at", "2026-01-31T13:00:00.50+01:00"]);
    let document = dispatched.exits(0).json();
    assert_eq!((&document["status"], &document["seq"], &document["evidence"]), (&json!("appended"), &json!(1), &json!("recorded")));
    assert_eq!((&document["attempt"], &document["pass"], &document["format"]), (&json!(1), &Value::Null, &Value::Null));
    let line = run.log().remove(0);
    assert_eq!((&line["at"], &line["hash"]), (&json!("2026-01-31T12:00:00.5Z"), &document["hash"]));
    assert_eq!(line["context_sha256"], json!(run.digest(line["context_path"].as_str().expect("the frozen context"))));

    run.event("delivered", ROLE, &[]).exits(0);
    run.event("started", ROLE, &["--claimed", r#"{"model":"one"}"#, "--observed", r#"{"controls":["read-only"]}"#]).exits(0);
    let completed = complete(&run, ROLE, 1, &run.response(ROLE, "2", &json!([]))).exits(0).json();
    assert_eq!((&completed["format"], &completed["faults"], &completed["pass"]), (&json!("valid"), &json!([]), &Value::Null));
    let pass = &run.event("joined", ROLE, &[]).exits(0).json()["pass"];
    assert_eq!((&pass["mode"], &pass["evidence_level"], &pass["confidence"]), (&json!("spawned"), &json!("recorded"), &json!(0.9)));
    assert_eq!(pass["attempts"][0]["observed"], json!({"controls": ["read-only"]}));
    assert_eq!(&run.json("specialist-manifest.json")["passes"][0], pass);
    assert_eq!(run.log().len(), 5);
    let report = run.preflight().exits(0);
    assert_eq!(report.violations(), Vec::<String>::new());
}

#[test]
fn a_response_and_a_receipt_from_outside_are_retained() {
    let run = routed(&[ROLE]);
    run.begin(ROLE, &[]);
    let (output, receipt) = (run.repo.area("answer.txt"), run.repo.area("receipt.json"));
    fs::write(&output, run.response(ROLE, "1", &json!([]))).unwrap();
    fs::write(&receipt, "not JSON: another program wrote it").unwrap();
    let options = ["--output", output.to_str().unwrap(), "--receipt", receipt.to_str().unwrap()];
    run.event("completed", ROLE, &options).exits(0);
    let line = run.log().pop().unwrap();
    assert_eq!(line["output_path"], "specialists/sw-engineer.attempt-1.md");
    assert_eq!(line["receipt_path"], "specialists/receipts/sw-engineer.attempt-1.completed.json");
    for (path, source) in [("output", &output), ("receipt", &receipt)] {
        let kept = line[format!("{path}_path")].as_str().unwrap();
        assert_eq!(fs::read(run.file(kept)).unwrap(), fs::read(source).unwrap());
        assert_eq!(line[format!("{path}_sha256")], json!(run.digest(kept)));
    }
    fs::write(&output, "another").unwrap();
    let before = Snapshot::of(&run.path);
    assert_eq!(run.event("joined", ROLE, &["--output", output.to_str().unwrap()]).exits(2).errors(), ["usage-error"]);
    assert_eq!(run.event("joined", ROLE, &["--output", "nowhere.md"]).exits(2).errors(), ["usage-error"]);
    assert_eq!(run.event("joined", ROLE, &["--output", "/dev/zero"]).exits(2).errors(), ["usage-error"]);
    assert_eq!(Snapshot::of(&run.path), before);
    run.event("joined", ROLE, &[]).exits(0);
    assert_eq!(run.preflight().exits(0).violations(), Vec::<String>::new());
}

#[test]
fn words_that_are_none_are_usage() {
    let run = routed(&[ROLE]);
    let before = Snapshot::of(&run.path);
    let spawned = ["--mode", "spawned", "--reviewer-id", "r-1"];
    for (event, role, options) in [
        ("sent", ROLE, spawned.as_slice()),
        ("dispatched", "engineer", &spawned),
        ("dispatched", ROLE, &["--mode", "remote"]),
        ("dispatched", ROLE, &["--mode", "spawned", "--at", "yesterday"]),
        ("dispatched", ROLE, &["--mode", "spawned", "--claimed", "{"]),
        ("dispatched", ROLE, &["--mode", "spawned", "--observed", r#"{"a":1,"a":2}"#]),
        ("dispatched", ROLE, &["--mode", "spawned", "--retry-reason", "again"]),
        ("dispatched", ROLE, &["--mode", "spawned", "--context", "specialists/none.md"]),
    ] {
        let output = run.event(event, role, options).exits(2);
        assert_eq!(output.errors(), ["usage-error"], "{output}");
    }
    assert_eq!(run.event("dispatched", ROLE, &[]).exits(2).errors(), ["missing-required"]);
    assert_eq!(Snapshot::of(&run.path), before);
    refuses(&run, "dispatched", ROLE, &["--mode", "spawned"], &["reviewer-event-invalid:sw-engineer"]);
    refuses(&run, "dispatched", OTHER, &spawned, &["reviewer-role-not-triggered:qa-specialist"]);
}

#[test]
fn an_unrouted_run_has_no_reviewers() {
    let run = ReviewRun::sources(WORLD);
    let spawned = ["--mode", "spawned", "--reviewer-id", "r-1"];
    let output = run.event("dispatched", ROLE, &spawned).exits(1);
    assert!(output.errors().contains(&"review-routing-missing:review-routing.json".to_owned()), "{output}");
    assert!(!run.file(LOG).exists());
}

#[test]
fn the_first_event_freezes_the_routing() {
    let run = routed(&[ROLE]);
    run.begin(ROLE, &[]);
    let output = run.route(&["--tier", "HIGH_RISK"]).exits(1);
    assert_eq!(output.errors(), ["review-routing-frozen:reviewers.events.jsonl"]);
}

#[test]
fn c_36_one_changed_byte_breaks_the_chain() {
    let run = routed(&[ROLE]);
    whole(&run, ROLE);
    let text = run.text(LOG);
    for (from, to) in [("spawned", "spawneD"), ("sw-engineer-1", "sw-engineer-2"), ("\"seq\":2", "\"seq\":3"), ("}\n", "} \n")] {
        run.write(LOG, text.replacen(from, to, 1));
        let violations = run.preflight().exits(1).violations();
        let broken = |violation: &String| violation.starts_with("reviewer-events reviewer-event-chain-broken");
        assert!(violations.iter().any(broken), "{to}: {violations:?}");
        let refusal = run.event("refused", ROLE, &["--reason", "none"]).exits(1).errors();
        assert!(refusal.iter().any(|code| code.starts_with("reviewer-event-chain-broken")), "{refusal:?}");
    }
    run.write(LOG, text);
    assert_eq!(run.preflight().exits(0).violations(), Vec::<String>::new());
}

#[test]
fn c_37_events_out_of_order_leave_the_log_as_it_is() {
    let run = routed(&[ROLE]);
    let order = ["reviewer-event-order:sw-engineer"];
    run.event("dispatched", ROLE, &["--mode", "spawned", "--reviewer-id", "r-1"]).exits(0);
    run.write("specialists/sw-engineer.attempt-1.md", run.response(ROLE, "1", &json!([])));
    let output = run.file("specialists/sw-engineer.attempt-1.md");
    refuses(&run, "completed", ROLE, &["--output", output.to_str().unwrap()], &order);
    refuses(&run, "dispatched", ROLE, &["--attempt", "1", "--mode", "spawned", "--reviewer-id", "r-1"], &order);
    refuses(&run, "started", ROLE, &["--at", "2020-01-01T00:00:00Z"], &order);
    refuses(&run, "started", ROLE, &["--mode", "app-server"], &order);
    run.event("started", ROLE, &[]).exits(0);
}

#[test]
fn c_38_a_response_stays_as_it_was_completed() {
    let run = routed(&[ROLE]);
    whole(&run, ROLE);
    run.write("specialists/sw-engineer.attempt-1.md", run.response(ROLE, "5", &json!([])));
    let violations = run.preflight().exits(1).violations();
    assert_eq!(violations, ["reviewer-events reviewer-event-digest-mismatch:sw-engineer"; 2]);

    let open = routed(&[ROLE]);
    open.begin(ROLE, &[]);
    complete(&open, ROLE, 1, &open.response(ROLE, "1", &json!([]))).exits(0);
    open.write("specialists/sw-engineer.attempt-1.md", open.response(ROLE, "5", &json!([])));
    refuses(&open, "joined", ROLE, &[], &["reviewer-event-digest-mismatch:sw-engineer"]);
}

#[test]
fn c_39_a_pass_has_two_attempts() {
    let run = routed(&[ROLE]);
    for attempt in [1, 2] {
        let options: &[&str] = if attempt == 2 { &["--retry-reason", "format-correction"] } else { &[] };
        run.begin(ROLE, options);
        let completed = complete(&run, ROLE, attempt, &format!("Looks good to me, {attempt}.")).exits(0);
        assert_eq!(completed.json()["format"], "invalid");
    }
    let third = ["--mode", "spawned", "--reviewer-id", "r-3", "--retry-reason", "format-correction"];
    refuses(&run, "dispatched", ROLE, &third, &["reviewer-attempt-limit:sw-engineer"]);
    run.substitute(ROLE, &run.response(ROLE, "1", &json!([]))).exits(0);
}

#[test]
fn c_40_a_host_failure_without_a_receipt_is_no_reason_and_substitution_is() {
    let run = routed(&[ROLE]);
    run.begin(ROLE, &[]);
    run.event("refused", ROLE, &["--reason", "The host is gone."]).exits(0);
    let second = ["--mode", "spawned", "--reviewer-id", "r-2", "--retry-reason", "host-failure"];
    refuses(&run, "dispatched", ROLE, &second, &["reviewer-retry-unsupported:sw-engineer"]);
    let pass = run.substitute(ROLE, &run.response(ROLE, "1", &json!([]))).exits(0).json()["pass"].take();
    assert_eq!((&pass["mode"], &pass["evidence_level"]), (&json!("substituted"), &json!("substituted")));
    assert_eq!((&pass["selected_attempt"], &pass["attempts"][0]["outcome"]), (&Value::Null, &json!("refused")));
    let report = run.preflight().exits(0);
    assert_eq!(report.violations(), Vec::<String>::new());
    assert_eq!(report.json()["mirror"]["fanout_substituted"], json!(true), "{report}");
}

#[test]
fn c_41_a_response_that_does_not_parse_may_be_corrected() {
    let run = routed(&[ROLE]);
    run.begin(ROLE, &[]);
    let completed = complete(&run, ROLE, 1, "Looks good to me.").exits(0).json();
    assert_eq!((&completed["format"], &completed["pass"]), (&json!("invalid"), &Value::Null));
    assert!(completed["faults"].as_array().is_some_and(|faults| faults.len() >= 3), "{completed}");
    refuses(&run, "joined", ROLE, &[], &["reviewer-event-order:sw-engineer"]);
    run.begin(ROLE, &["--retry-reason", "format-correction"]);
    complete(&run, ROLE, 2, &run.response(ROLE, "1", &json!([]))).exits(0);
    let pass = run.event("joined", ROLE, &[]).exits(0).json()["pass"].take();
    let outcomes: Vec<&Value> = pass["attempts"].as_array().unwrap().iter().map(|attempt| &attempt["outcome"]).collect();
    assert_eq!((&pass["selected_attempt"], outcomes), (&json!(2), vec![&json!("invalid"), &json!("joined")]));
    assert_eq!(run.preflight().exits(0).violations(), Vec::<String>::new());
}

/// C-45: the gap that discloses a waiver.
const WAIVED: &str = "Independent review waived for the revised scope.";

#[test]
fn c_43_recorded_passes_do_not_satisfy_a_requirement_of_independence() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("src/shop.rs", "pub fn total() -> u32 {\n    1\n}\n").write("src/cart.rs", "pub struct Cart;\n");
    let options = ["--scope", "working-tree", "--independence-required", "The user asked for independent reviewers."];
    let run = ReviewRun::start(repo, &options);
    run.route(&[]).exits(0);
    whole(&run, ROLE);
    let required = "independence independent-review-required-for-completion:sw-engineer";
    assert_eq!(run.preflight().exits(1).violations(), [required]);
    run.edit(|_| ());
    let output = run.finalize(&json!({}), &["--promote"]).exits(1);
    assert!(output.violations().contains(&required.to_owned()), "{output}");
    assert!(!run.file("result.json").exists());
}

#[test]
fn c_44_recorded_passes_are_told_as_such_and_may_be_promoted() {
    let run = ReviewRun::reviewed(WORLD, &json!([]));
    run.conclude(|_| ());
    run.finalize(&run.handoff_draft(), &["--promote"]).exits(0);
    assert!(run.text("review-notes.md").contains("recorded"), "the level is printed");
    let metadata = run.json("result.json")["metadata"].take();
    assert_eq!((&metadata["execution_evidence_level"], &metadata["independence_satisfied"]), (&json!("recorded"), &json!(false)));
}

#[test]
fn c_45_a_waiver_is_disclosed_as_a_gap() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("src/shop.rs", "pub fn total() -> u32 {\n    1\n}\n").write("src/cart.rs", "pub struct Cart;\n");
    let required = ["--scope", "working-tree", "--independence-required", "The user asked for independent reviewers."];
    let original = ReviewRun::try_start(&repo, &required).exits(0).json()["run"].as_str().unwrap().to_owned();
    let options = ["--scope", "working-tree", "--revised-scope-of", &original, "--waiver", "Go on without."];
    let run = ReviewRun::start(repo, &options).review(&[(ROLE, "1", &json!([]))]);
    run.conclude(|_| ());
    let hidden = run.finalize(&run.handoff_draft(), &[]).exits(1);
    assert_eq!(hidden.violations(), ["reported independence-waiver-invalid"], "{hidden}");
    fs::remove_file(run.repo.area("metadata-draft.json")).unwrap();
    run.conclude(|result| {
        result["metadata"]["confidence_gaps"].as_array_mut().unwrap().push(json!(WAIVED));
        let closure = json!({"gap": WAIVED, "status": "unresolved", "rationale": "(-0.00) As the user wished."});
        result["metadata"]["confidence_gap_closures"].as_array_mut().unwrap().push(closure);
    });
    run.finalize(&run.handoff_draft(), &[]).exits(0);
}

#[test]
fn c_46_a_substitute_says_which_role_it_stands_in_for() {
    let run = routed(&[ROLE]);
    let before = Snapshot::of(&run.path);
    let response = run.response(ROLE, "1", &json!([]));
    let anonymous = run.substitute(ROLE, &response.replacen("role_id: sw-engineer\n", "", 1)).exits(1);
    assert_eq!(anonymous.errors(), ["reviewer-response-role-missing:sw-engineer"]);
    let unrated = run.substitute(ROLE, &response.replacen("Rating: 1", "Rating: 7", 1)).exits(1);
    assert_eq!(unrated.errors(), ["review-assessment-content-invalid:sw-engineer"]);
    fs::remove_file(run.file("specialists/sw-engineer.md")).unwrap();
    assert_eq!(Snapshot::of(&run.path), before);
    run.substitute(ROLE, &response).exits(0);
    assert_eq!(run.preflight().exits(0).violations(), Vec::<String>::new());
}

#[test]
fn c_47_nobody_claims_the_controls_of_an_inspection() {
    let run = routed(&[ROLE]);
    let refusal = ["reviewer-observed-controls-forbidden:sw-engineer"];
    let inspection = ["--mode", "inspection", "--reviewer-id", "r-1"];
    for controls in ["--claimed", "--observed"] {
        let options = [inspection.as_slice(), &[controls, r#"{"controls":["read-only"]}"#]].concat();
        refuses(&run, "dispatched", ROLE, &options, &refusal);
    }
    run.event("dispatched", ROLE, &inspection).exits(0);
}

#[test]
fn c_48_a_reviewer_inspects_every_path_it_was_given() {
    let run = routed(&[ROLE]);
    let response = run.response(ROLE, "1", &json!([])).replacen("- `src/cart.rs`\n", "", 1);
    run.pass(ROLE, &response);
    run.green().conclude(|_| ());
    let violations = run.validate().exits(1).violations();
    assert!(violations.contains(&"passes review-coverage-path-missing:sw-engineer:src/cart.rs".to_owned()), "{violations:?}");
}

#[test]
fn c_49_every_triggered_role_has_a_finished_pass() {
    let run = routed(&[ROLE, OTHER]);
    run.begin(ROLE, &[]);
    let missing = "manifest manifest-pass-missing:qa-specialist";
    let unfinished = "manifest manifest-pass-unfinished:sw-engineer";
    let mut found = run.preflight().exits(1).violations();
    found.sort();
    assert_eq!(found, [missing, unfinished]);
    complete(&run, ROLE, 1, &run.response(ROLE, "1", &json!([]))).exits(0);
    run.event("joined", ROLE, &[]).exits(0);
    assert_eq!(run.preflight().exits(1).violations(), [missing]);
    run.substitute(OTHER, &run.response(OTHER, "2", &json!([]))).exits(0);
    assert_eq!(run.preflight().exits(0).violations(), Vec::<String>::new());
}

#[test]
fn c_51_the_manifest_is_not_edited_by_hand() {
    let run = routed(&[ROLE]);
    whole(&run, ROLE);
    let before = run.text("specialist-manifest.json");
    run.write("specialist-manifest.json", before.replace("\"recorded\"", "\"attested\""));
    let output = run.preflight().exits(1);
    assert_eq!(output.violations(), ["manifest manifest-derivation-mismatch"], "{output}");
    assert!(!run.file("result.candidate.json").exists());
}

#[test]
fn c_50_cards_are_the_installed_ones_until_the_promotion() {
    let repo = ReviewRun::repository(WORLD);
    let policy = json!({"version": 4, "codeReview": {"roleCards": "review/cards"}});
    repo.policy(&policy).write("review/cards/sw-engineer/ROLE.md", "# Ours\n").commit("Keep cards");
    repo.write("src/shop.rs", "pub fn total() -> u32 {\n    1\n}\n").write("src/cart.rs", "pub struct Cart;\n");
    let run = ReviewRun::start(repo, &["--scope", "commit", "--target", "HEAD"]);
    run.route(&["--select", "sw-engineer=The user asked for it."]).exits(0);
    run.pass(ROLE, &run.response(ROLE, "1", &json!([])));
    let mismatch = "manifest role-card-mismatch:sw-engineer";
    assert_eq!(run.preflight().violations().iter().filter(|violation| *violation == mismatch).count(), 0);
    run.repo.write("review/cards/sw-engineer/ROLE.md", "# Others\n");
    assert!(run.preflight().exits(1).violations().contains(&mismatch.to_owned()));
    // A promoted run is one that has its result.
    run.write("result.json", serde_json::to_vec_pretty(&run.result()).unwrap());
    assert!(!run.validate().exits(1).violations().contains(&mismatch.to_owned()));
}

#[test]
fn c_132_an_app_server_answers_in_json() {
    let run = routed(&[ROLE]);
    run.event("dispatched", ROLE, &["--mode", "app-server", "--reviewer-id", "thread-1"]).exits(0);
    run.event("started", ROLE, &[]).exits(0);
    let answer = run.repo.area("answer");
    fs::write(&answer, run.json_response(ROLE, 2).to_string()).unwrap();
    let completed = run.event("completed", ROLE, &["--output", answer.to_str().unwrap()]).exits(0).json();
    assert_eq!((&completed["format"], &completed["faults"]), (&json!("valid"), &json!([])));
    let pass = run.event("joined", ROLE, &[]).exits(0).json()["pass"].take();
    assert_eq!((&pass["mode"], &pass["output_path"]), (&json!("app-server"), &json!("specialists/sw-engineer.attempt-1.json")));
    assert_eq!(run.preflight().exits(0).violations(), Vec::<String>::new());
}

#[test]
fn c_132_a_batched_run_sends_the_context_that_names_its_batches() {
    let repo = ReviewRun::repository(WORLD);
    for number in 0..40 {
        repo.write(&format!("src/part_{number}.rs"), format!("pub const PART: u32 = {number};\n"));
    }
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    let routed = run.route(&["--batch-bytes", "8192"]).exits(0).json();
    assert_eq!(routed["plan"]["plan_kind"], "batched", "{routed}");
    for context in routed["contexts"].as_array().unwrap() {
        let role = context["role"].as_str().unwrap();
        run.pass(role, &run.response(role, "1", &json!([])));
        let line = run.log().into_iter().find(|line| line["role"] == role).unwrap();
        assert_eq!(line["context_sha256"], context["context_sha256"]);
    }
    assert_eq!(run.preflight().exits(0).violations(), Vec::<String>::new());
    assert_eq!(run.json("specialist-manifest.json")["manifest_kind"], "batched");
}
