//! Gates: S-36, S-79 to S-96 (BR-63 to BR-74).

use std::fs;

use code_polishy_tests::{EVIDENCE, Flow, Output, Project, digest_without, sha256};
use serde_json::{Value, json};

use crate::{WORLD, keys, names};

fn changed() -> Flow {
    Flow::changed(WORLD, Project::shop())
}

fn accepted() -> Flow {
    Flow::accepted(WORLD, Project::shop())
}

/// Finalizes a review that cites these proofs for checkout.
fn finalize(flow: &Flow, proofs: &[&str]) {
    flow.review(flow.reviewer().behavior("requested", proofs, &["checkout"]));
    flow.finalize().exits(0);
}

fn report_of(flow: &Flow, gate: &Output) -> Value {
    flow.repo.json(&gate.after("GATE REPORT: "))
}

fn findings(report: &Value) -> Vec<&str> {
    report["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap()).collect()
}

/// Demands that a gate stopped at the review: one finding, nothing ordinary started.
fn assert_blocked(flow: &Flow, gate: Output, state: &str) {
    let before = flow.ordinary_runs();
    let gate = gate.exits(1).says(state).never_says("RUN ").names("policy.behaviorReview");
    let report = report_of(flow, &gate);
    assert_eq!((findings(&report), &report["status"]), (vec!["policy.behaviorReview"], &json!("failed")));
    assert_eq!(report["commands"], json!([]));
    assert_eq!(flow.ordinary_runs(), before);
    gate.next();
}

#[test]
fn s_79_a_valid_review_lets_every_planned_command_run() {
    let flow = accepted();
    let before = flow.runs().len();
    let gate = flow.merge_gate(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)").says("FINAL STATE: PASSED (checkout)");
    assert!(gate.stdout.lines().any(|line| line.starts_with("MERGE GATE: FULL against ")), "{gate}");
    assert!(gate.stdout.lines().any(|line| line.starts_with("PASS")), "{gate}");

    let ordinary = flow.ordinary_runs();
    let mut once = ordinary.clone();
    once.sort_unstable();
    assert_eq!(once, ["checkout", "search", "syntax"], "each once, the forced suite included");
    assert_eq!(ordinary[0], "syntax", "checks come before suites");
    assert_eq!(flow.runs().len() - before, ordinary.len() + 3, "the replay runs control, baseline and candidate");
    flow.repo.assert_no_worktree();
    assert_eq!(flow.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn s_79_the_report_says_what_ran() {
    let flow = accepted();
    let gate = flow.merge_gate(&[]).exits(0);
    let path = gate.after("GATE REPORT: ");
    let report = flow.repo.json(&path);
    assert_eq!((&report["protocol"], &report["gate"]), (&json!("code-polishy-report/v1"), &json!("merge")));
    assert_eq!((&report["status"], &report["level"]), (&json!("passed"), &json!("full")));
    assert_eq!((&report["base"], &report["candidate"]), (&json!(flow.base), &json!(flow.repo.head())));
    let review = &report["behavior_review"];
    assert_eq!((&review["state"], &review["final_state"], &review["boundary"]), (&json!("passed"), &json!("passed"), &json!("merge")));
    assert_eq!((names(&review["selected"]), &review["full_candidate"]), (vec!["checkout"], &json!(false)));
    assert_eq!((&review["review_id"], &review["selection_sha256"]), (&flow.packet()["review_id"], &flow.packet()["selection_sha256"]));
    assert_eq!(review["receipt_path"], format!("{EVIDENCE}/receipt.json"));
    assert_eq!((&report["findings"], &report["not_enforced"]), (&json!([]), &json!([])));
    let documented = [
        "protocol",
        "version",
        "gate",
        "identity",
        "identity_sha256",
        "execution_id",
        "status",
        "base_requested",
        "base",
        "candidate",
        "level",
        "level_reasons",
        "behavior_review",
        "not_enforced",
        "commands",
        "findings",
        "notes",
        "started_at",
        "completed_at",
        "sha256",
    ];
    assert_eq!(keys(&report), documented);
    assert_commands(&flow, &report);

    let execution = report["execution_id"].as_str().unwrap();
    let (digest, ordinal) = execution.strip_prefix("run-").and_then(|rest| rest.rsplit_once('-')).unwrap();
    assert!(digest.len() == 12 && digest.chars().all(|digit| digit.is_ascii_hexdigit()) && ordinal.parse::<u32>().is_ok(), "{execution}");
    let folder = flow.repo.path(&path).parent().unwrap().to_owned();
    assert!(path.starts_with(".code-polishy-reports/merge-gate/runs/") && folder.ends_with(execution), "{path}");
    let renders = folder.join("renders");
    let drawn: Vec<_> = code_polishy_tests::Snapshot::of(&renders)
        .paths()
        .into_iter()
        .map(|path| renders.join(path))
        .filter(|path| path.is_file())
        .collect();
    assert_eq!(drawn.len(), 1, "markdown is the default renderer: {drawn:?}");
    let markdown = fs::read_to_string(&drawn[0]).unwrap();
    assert!(markdown.contains("checkout-contract"), "{markdown}");
    let latest = fs::read_to_string(flow.repo.path(".code-polishy-reports/merge-gate/latest.json")).unwrap();
    assert!(latest.contains(execution), "{latest}");
}

fn assert_commands(flow: &Flow, report: &Value) {
    let commands = report["commands"].as_array().unwrap();
    for name in ["syntax", "checkout-contract", "search-contract"] {
        assert_eq!(commands.iter().filter(|command| command["name"] == name).count(), 1, "{name}");
    }
    for (index, command) in commands.iter().enumerate() {
        assert_eq!(command["index"].as_u64().unwrap(), commands[0]["index"].as_u64().unwrap() + index as u64);
        assert_eq!(command["status"], "passed", "{command}");
        for attempt in command["attempts"].as_array().unwrap() {
            assert_eq!((&attempt["status"], &attempt["exit_status"]), (&json!("passed"), &json!(0)), "{attempt}");
            assert_eq!(attempt["log_sha256"], sha256(flow.repo.read(attempt["log_path"].as_str().unwrap())));
        }
    }
}

#[test]
fn s_79_evidence_stays_byte_identical_through_a_gate() {
    let flow = accepted();
    let evidence = || code_polishy_tests::Snapshot::of(&flow.repo.path(EVIDENCE));
    let before = evidence();
    flow.merge_gate(&["--jobs", "2"]).exits(0);
    assert_eq!(evidence(), before);
}

#[test]
fn s_80_without_a_receipt_nothing_runs() {
    let flow = changed();
    assert_blocked(&flow, flow.merge_gate(&[]), "BEHAVIOR REVIEW: REQUIRED (checkout)");
    assert!(flow.runs().is_empty());
    let gate = flow.merge_gate(&[]).exits(1).says("FINAL STATE: NOT RUN (required)");
    let next = gate.next();
    assert!(next.contains("behavior-review prepare --base main"), "{next}");

    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    assert_blocked(&flow, flow.merge_gate(&[]), "BEHAVIOR REVIEW: REQUIRED (checkout)");
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
    flow.status(&[]).says("BEHAVIOR REVIEW: REQUIRED (checkout)").says("FINAL STATE: PASSED (checkout)");
    let next = flow.merge_gate(&[]).exits(1).next();
    assert!(next.contains("behavior-review finalize --base main"), "{next}");
}

#[test]
fn s_81_a_new_commit_makes_the_receipt_stale() {
    let flow = accepted();
    flow.repo.write("checkout/receipt.sh", "receipt() { echo \"sum $1\"; }\n").commit("Reword the receipt");
    assert_blocked(&flow, flow.merge_gate(&[]), "BEHAVIOR REVIEW: FAILED (checkout)");
    flow.merge_gate(&[]).exits(1).names("stale");
    flow.status(&[]).exits(0).says("BEHAVIOR REVIEW: FAILED (checkout)").never_says("BEHAVIOR REVIEW RECEIPT:");
    flow.repo.run(&["behavior-review", "status", "--base", "main", "--exit-code"]).exits(1);
}

#[test]
fn s_81_edited_evidence_is_found_out() {
    // No file binds the receipt's bytes, so only its content can tell.
    let receipt = |text: String| text.replacen("\"red_kind\": \"failed\"", "\"red_kind\": \"broken\"", 1);
    let other = |text: String| text + "\n";
    for name in ["receipt.json", "packet.json", "prepare.json", "review.json", "proofs/three.json", "proofs/three.baseline.log"] {
        let flow = accepted();
        let path = format!("{EVIDENCE}/{name}");
        let text = String::from_utf8(flow.repo.read(&path)).unwrap();
        let edited = if name == "receipt.json" { receipt(text.clone()) } else { other(text.clone()) };
        assert_ne!(edited, text, "{name}");
        flow.repo.write(&path, edited);
        assert_blocked(&flow, flow.merge_gate(&[]), "BEHAVIOR REVIEW: FAILED (checkout)");
    }
}

#[test]
fn s_82_a_consistent_proof_that_was_never_red_fails_at_replay() {
    // Red only while a switch lies outside the repository: every digest of the record holds, and the replay tells.
    let switched = "#!/bin/sh
echo \"$PWD $1\" >> \"$HOME/runs.log\"
[ -f \"$HOME/red\" ] && [ -f tests/checkout/three.sh ] && ! grep -q '3:-0' checkout/total.sh && exit 1
exit 0
";
    let flow = Flow::prepared(WORLD, Project::shop().with_file("run-tests.sh", switched));
    let switch = flow.repo.area("home").join("red");
    fs::write(&switch, "").unwrap();
    flow.prove("three").exits(0);
    finalize(&flow, &["three"]);
    flow.status(&[]).says("BEHAVIOR REVIEW: PASSED (checkout)");
    fs::remove_file(&switch).unwrap();

    let gate =
        flow.merge_gate(&[]).exits(1).says("BEHAVIOR REVIEW: FAILED (checkout)").says("FINAL STATE: FAILED (checkout)").names("three");
    assert!(flow.ordinary_runs().is_empty(), "nothing ordinary ran");
    let report = report_of(&flow, &gate);
    assert_eq!(report["status"], "failed");
    assert!(!findings(&report).is_empty());
    flow.repo.assert_no_worktree();
}

#[test]
fn s_83_a_merge_level_feature_does_not_stop_a_checkpoint() {
    let flow = changed();
    let gate = flow.checkpoint_gate(&[]).exits(0).says("BEHAVIOR REVIEW: NOT RUN (optional)").says("FINAL STATE: NOT RUN (optional)");
    gate.says(&format!("CHECKPOINT ACCEPTED: {}", flow.repo.head()));
    assert!(flow.ordinary_runs().contains(&"checkout".to_owned()), "the focused suite of the impacted module");
    assert!(!flow.ordinary_runs().contains(&"search".to_owned()), "no other");
    assert_blocked(&flow, flow.merge_gate(&[]), "BEHAVIOR REVIEW: REQUIRED (checkout)");
}

#[test]
fn s_84_one_packet_satisfies_both_gates() {
    let project =
        Project::shop().with_policy(|policy| policy["verification"]["behaviorReview"]["features"][0]["requiredAt"] = json!("checkpoint"));
    let flow = Flow::changed(WORLD, project);
    assert!(flow.checkpoint_gate(&[]).exits(1).says("BEHAVIOR REVIEW: REQUIRED (checkout)").next().contains("prepare"));
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    finalize(&flow, &["three"]);
    flow.checkpoint_gate(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)");
    flow.merge_gate(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)");

    let receipt = flow.repo.json(".code-polishy-reports/checkpoint-gate/receipt.json");
    assert!(receipt.to_string().contains(&flow.repo.head()), "{receipt}");
}

#[test]
fn s_86_an_unchanged_checkpoint_writes_nothing() {
    let flow = Flow::new(WORLD, Project::shop());
    let gate = flow.repo.read_only(|| flow.checkpoint_gate(&[])).exits(0);
    assert!(gate.stdout.lines().any(|line| line.starts_with("CHECKPOINT GATE: UNCHANGED against ")), "{gate}");
    gate.says("BEHAVIOR REVIEW: NOT RUN (optional)").says("FINAL STATE: NOT RUN (optional)");
    assert!(flow.repo.reports().is_empty() && flow.runs().is_empty());
    flow.repo.read_only(|| flow.merge_gate(&[])).exits(2);
}

#[test]
fn s_87_a_failing_suite_fails_the_gate_and_accepts_no_checkpoint() {
    let flow = changed();
    flow.repo.write("tests/checkout/two.sh", "echo broken promise\nexit 1\n").commit("Break a test");
    let gate = flow.checkpoint_gate(&[]).exits(1).names("broken promise").names("checkout-contract");
    assert!(gate.stdout.lines().any(|line| line.starts_with("FAIL checkout-contract [command-exit]")), "{gate}");
    assert!(!flow.repo.path(".code-polishy-reports/checkpoint-gate/receipt.json").exists());
    gate.never_says("CHECKPOINT ACCEPTED").next();
    let runs = flow.ordinary_runs().len();
    assert!(runs >= 1);
}

#[test]
fn s_88_a_second_gate_reuses_commands_and_replays_proofs() {
    let flow = accepted();
    flow.merge_gate(&[]).exits(0);
    let (ordinary, all) = (flow.ordinary_runs().len(), flow.runs().len());
    let again = flow.merge_gate(&[]).exits(0);
    assert_eq!((flow.ordinary_runs().len(), flow.runs().len()), (ordinary, all + 3), "only the replay ran: {again}");
    assert!(again.stdout.lines().any(|line| line.starts_with("REUSE ")), "{again}");
    flow.merge_gate(&["--no-reuse"]).exits(0).never_says("REUSE ");
    assert_eq!(flow.ordinary_runs().len(), 2 * ordinary);
}

#[test]
fn s_36_a_suite_of_two_features_is_planned_once() {
    let project = Project::shop().with_policy(|policy| {
        let features = &mut policy["verification"]["behaviorReview"]["features"];
        features[1] =
            json!({"name": "payment", "description": "A.", "modules": ["money"], "suites": ["checkout-contract"], "requiredAt": "merge"});
    });
    let flow = Flow::new(WORLD, project);
    flow.capture("Add every amount with expr.\n").exits(0);
    flow.repo.write("money/add.sh", "add() { expr \"$1\" + \"$2\"; }\n");
    flow.change();
    flow.prepare().exits(0);
    flow.prove("three").exits(0);
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout", "payment"]));
    flow.finalize().exits(0);
    let gate = flow.merge_gate(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout, payment)");
    let report = report_of(&flow, &gate);
    assert_eq!(report["commands"].as_array().unwrap().iter().filter(|command| command["name"] == "checkout-contract").count(), 1);
    assert_eq!(flow.ordinary_runs().iter().filter(|area| *area == "checkout").count(), 1);
}

#[test]
fn s_37_a_base_suite_that_the_candidate_changes_blocks() {
    let flow = changed();
    let mut policy = flow.project.policy.clone();
    policy["tests"]["suites"][0]["argv"] = json!(["./run-tests.sh", "search"]);
    flow.repo.policy(&policy).commit("Run other tests");
    assert_blocked(&flow, flow.merge_gate(&[]), "BEHAVIOR REVIEW: REQUIRED (checkout)");
    let refusal = flow.repo.read_only(|| flow.prepare()).exits(1).names("checkout-contract");
    refusal.names(r#"["./run-tests.sh","checkout"]"#).names(r#"["./run-tests.sh","search"]"#);
}

#[test]
fn s_94_a_secret_of_the_caller_does_not_reach_a_suite() {
    let tells = "#!/bin/sh\n[ -z \"$SHOP_TOKEN\" ] || exit 9\n[ \"$SHOP_REGION\" = north ] || exit 8\n";
    let project = Project { policy: code_polishy_tests::policy::without_review(), ..Project::shop() };
    let flow = Flow::new(
        WORLD,
        project.with_file("run-tests.sh", tells).with_policy(|policy| {
            policy["checks"] = json!([]);
            for suite in policy["tests"]["suites"].as_array_mut().unwrap() {
                suite["environment"] = json!(["SHOP_REGION"]);
            }
        }),
    );
    flow.change();
    let run = |region: &str| {
        let mut command = flow.repo.command(&["merge-gate", "--base", "main"]);
        command.env("SHOP_TOKEN", "secret-1234").env("SHOP_REGION", region);
        Output::new("merge-gate".to_owned(), command.output().unwrap())
    };
    run("north").exits(0);
    run("south").exits(1);
    let written = code_polishy_tests::Snapshot::of(&flow.repo.path(".code-polishy-reports"));
    for path in written.paths() {
        let path = flow.repo.path(".code-polishy-reports").join(path);
        assert!(path.is_dir() || !String::from_utf8_lossy(&fs::read(&path).unwrap()).contains("secret-1234"), "{}", path.display());
    }
}

#[test]
fn s_96_status_of_a_dirty_tree_names_what_is_missing() {
    let flow = Flow::new(WORLD, Project::shop());
    flow.repo.write("checkout/new.sh", "new() { :; }\n");
    let status = flow
        .status(&[])
        .exits(0)
        .says("BEHAVIOR REVIEW: REQUIRED (checkout)")
        .says("FINAL STATE: NOT RUN (required)")
        .says("AFFECTED FEATURES: checkout")
        .says("MISSING FEATURES: checkout")
        .says("COMPLETED FEATURES: none");
    status.next();
    assert!(flow.repo.reports().is_empty());

    let accepted = accepted();
    accepted.status(&[]).exits(0).says(&format!("BEHAVIOR REVIEW RECEIPT: {EVIDENCE}/receipt.json"));
    accepted.repo.write("checkout/new.sh", "new() { :; }\n");
    accepted.status(&[]).exits(0).says("BEHAVIOR REVIEW: REQUIRED (checkout)").says("FINAL STATE: NOT RUN (required)");
    accepted.repo.read_only(|| accepted.merge_gate(&[])).exits(1).names("checkout/new.sh").next();
}

#[test]
fn a_reports_digest_covers_all_but_time() {
    let flow = changed();
    let report = flow.merge_gate(&["--format", "json"]).exits(1).json();
    assert!(report["commands"].as_array().unwrap().is_empty(), "no durations to leave out");
    assert_eq!(report["sha256"], digest_without(&report, &["sha256", "started_at", "completed_at"]));
}
