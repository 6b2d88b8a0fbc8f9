//! How gates end and what they leave: S-85, S-95 (BR-63, BR-69, BR-70, BR-73, BR-74, 9.4).

use std::collections::BTreeSet;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use code_polishy_tests::{Flow, Output, Project, sha256};
use serde_json::{Value, json};

use crate::WORLD;

const CHECKPOINT: &str = ".code-polishy-reports/checkpoint-gate";
const MERGE: &str = ".code-polishy-reports/merge-gate";

/// The shop under this script in place of its own, with everything in the module `search` changed.
fn scripted(script: &'static str, edit: impl FnOnce(&mut Value)) -> Flow {
    let flow = Flow::new(WORLD, Project::gated().with_file("run-tests.sh", script).with_policy(edit));
    flow.change();
    flow
}

fn report(flow: &Flow, gate: &Output) -> Value {
    flow.repo.json(&gate.after("GATE REPORT: "))
}

/// The commands of a report in its order, each with its status.
fn statuses(report: &Value) -> Vec<(&str, &str)> {
    let commands = report["commands"].as_array().unwrap().iter();
    commands.map(|command| (command["name"].as_str().unwrap(), command["status"].as_str().unwrap())).collect()
}

fn categories(report: &Value) -> Vec<&str> {
    let attempts = report["commands"].as_array().unwrap().iter().flat_map(|command| command["attempts"].as_array().unwrap());
    attempts.filter_map(|attempt| attempt["failure_category"].as_str()).collect()
}

fn builds(policy: &mut Value) {
    policy["checks"].as_array_mut().unwrap().push(json!({"name": "pack", "category": "build", "argv": ["./run-tests.sh", "pack"]}));
}

#[test]
fn s_85_a_checkpoint_receipt_is_for_its_base_alone() {
    let project =
        Project::shop().with_policy(|policy| policy["verification"]["behaviorReview"]["features"][0]["requiredAt"] = json!("checkpoint"));
    let flow = Flow::new(WORLD, project);
    flow.capture(code_polishy_tests::INTENT).exits(0);
    let between = flow.repo.write("search/items.txt", "apple\npear\nplum\n").commit("Sell plums");
    flow.change();
    flow.review_action("prepare", &["--boundary", "checkpoint"]).exits(0);
    flow.prove("three").exits(0);
    flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
    flow.finalize().exits(0);
    flow.checkpoint_gate(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)");

    let other = || flow.repo.run(&["checkpoint-gate", "--base", &between]);
    other().exits(1).says("BEHAVIOR REVIEW: REQUIRED (checkout)").says("FINAL STATE: NOT RUN (required)").never_says("CHECKPOINT ACCEPTED");
    let kept = flow.repo.json(&format!("{CHECKPOINT}/receipt.json"));
    assert_eq!((&kept["base"], &kept["candidate"]), (&json!(flow.base), &json!(flow.repo.head())), "the accepted one is untouched");
}

#[test]
fn a_checkpoint_is_accepted_by_its_receipt_and_its_report_together() {
    let flow = scripted("#!/bin/sh\nexit 0\n", |_| ());
    let shown = || flow.repo.run_read_only(&["report", "--gate", "checkpoint"]);
    flow.repo.run(&["report", "--gate", "checkpoint"]).exits(1).next();
    let gate = flow.checkpoint_gate(&[]).exits(0);
    let accepted = format!("CHECKPOINT ACCEPTED: {}", flow.repo.head());
    let path = gate.says(&accepted).after("GATE REPORT: ");
    shown().exits(0).says(&accepted);
    let report = flow.repo.json(&path);
    let receipt = flow.repo.json(&format!("{CHECKPOINT}/receipt.json"));
    assert_eq!((&receipt["report_sha256"], &receipt["report_path"]), (&report["sha256"], &json!(path)));

    let stale = |why: &str| {
        let output = shown().exits(1).never_says("CHECKPOINT ACCEPTED").names("stale").names(why);
        assert!(output.next().starts_with("code-polishy checkpoint-gate"));
    };
    let edit = |path: &str, from: &str, to: &str, why: &str| {
        let text = String::from_utf8(flow.repo.read(path)).unwrap();
        assert!(text.contains(from), "{from} in {text}");
        flow.repo.write(path, text.replacen(from, to, 1));
        stale(why);
        flow.repo.write(path, text);
    };
    let receipt_path = format!("{CHECKPOINT}/receipt.json");
    edit(&receipt_path, &flow.repo.head(), &flow.base, "something else");
    edit(&receipt_path, report["sha256"].as_str().unwrap(), &sha256("other"), "something else");
    edit(&receipt_path, "/runs/", "/../", "names no report");
    edit(&receipt_path, "\"version\": 1", "\"version\": 1, \"more\": 2", "unknown");
    shown().exits(0).says(&accepted);

    // A later gate that does not pass accepts nothing and takes nothing back.
    flow.repo.write("checkout/receipt.sh", "if\n").write("run-tests.sh", "#!/bin/sh\nexit 1\n").commit("Break");
    flow.checkpoint_gate(&[]).exits(1).never_says("CHECKPOINT ACCEPTED");
    shown().exits(0).never_says("CHECKPOINT ACCEPTED");
    let first = report["execution_id"].as_str().unwrap();
    flow.repo.run_read_only(&["report", "--gate", "checkpoint", "--run", first]).exits(0).says(&accepted);
}

#[test]
fn a_checkpoint_gate_killed_between_receipt_and_report_accepts_nothing() {
    let flow = scripted("#!/bin/sh\nexit 0\n", |_| ());
    let killed = || {
        let mut command = flow.repo.command(&["checkpoint-gate", "--base", "main"]);
        command.env("CODE_POLISHY_KILL_AT", "checkpoint.receipt-written");
        assert_eq!(flow.repo.run_command(command).status, None);
        assert!(flow.repo.path(CHECKPOINT).join("receipt.json").exists());
    };
    let shown = || flow.repo.run_read_only(&["report", "--gate", "checkpoint"]).exits(1).never_says("CHECKPOINT ACCEPTED").names("stale");
    killed();
    shown().next();
    let accepted = flow.checkpoint_gate(&[]).exits(0).after("CHECKPOINT ACCEPTED: ");
    flow.repo.write("search/items.txt", "apple\n").commit("Sell apples only");
    killed();
    shown().next();
    assert_ne!(flow.checkpoint_gate(&[]).exits(0).after("CHECKPOINT ACCEPTED: "), accepted);
}

#[test]
fn later_phases_do_not_start_after_a_failure() {
    let fails = "#!/bin/sh\necho \"$PWD $1\" >> \"$HOME/runs.log\"\n[ \"$1\" != \"$(cat \"$HOME/broken\")\" ]\n";
    let flow = scripted(fails, |policy| {
        builds(policy);
        policy["verification"] = json!({});
        policy["checks"].as_array_mut().unwrap().push(json!({"name": "lint", "category": "check", "argv": ["./run-tests.sh", "lint"]}));
    });
    let ends = |broken: &str, expected: [&str; 5]| {
        std::fs::write(flow.repo.area("home").join("broken"), broken).unwrap();
        let gate = flow.merge_gate(&["--jobs", "1", "--no-reuse"]).exits(1);
        let report = report(&flow, &gate);
        let names = ["syntax", "lint", "checkout-contract", "search-contract", "pack"];
        assert_eq!(statuses(&report), names.into_iter().zip(expected).collect::<Vec<_>>());
        assert_eq!((categories(&report), &report["status"]), (vec!["command-exit"], &json!("failed")));
        let findings = report["findings"].as_array().unwrap();
        assert!(findings.len() == 1 && findings[0]["path"].as_str().unwrap().ends_with(".log"), "{findings:?}");
        gate.next();
    };
    ends("syntax", ["failed", "not-started", "not-started", "not-started", "not-started"]);
    ends("lint", ["passed", "failed", "not-started", "not-started", "not-started"]);
    ends("checkout", ["passed", "passed", "failed", "not-started", "not-started"]);
    ends("search", ["passed", "passed", "passed", "failed", "not-started"]);
    ends("pack", ["passed", "passed", "passed", "passed", "failed"]);
}

#[test]
fn suites_run_side_by_side_and_are_told_in_plan_order() {
    // Each waits for the other, and the first of the plan ends last.
    let meets = r#"#!/bin/sh
[ "$1" = syntax ] && exit 0
touch "$HOME/$1"
for _ in $(seq 500); do
    [ -f "$HOME/checkout" ] && [ -f "$HOME/search" ] && met=1 && break
    sleep 0.01
done
[ "$met" ] || exit 1
[ "$1" != checkout ] || sleep 0.3
"#;
    let flow = scripted(meets, |policy| policy["verification"] = json!({}));
    let gate = flow.merge_gate(&["--jobs", "2"]).exits(0);
    let told: Vec<_> = gate.stdout.lines().filter_map(|line| line.strip_prefix("PASS ")?.split(' ').next()).collect();
    assert_eq!(told[..3], ["syntax", "checkout-contract", "search-contract"], "{gate}");
    assert_eq!(statuses(&report(&flow, &gate)).len(), 3);
    for name in ["checkout", "search"] {
        std::fs::remove_file(flow.repo.area("home").join(name)).unwrap();
    }
    flow.merge_gate(&["--jobs", "1", "--no-reuse"]).exits(1).names("checkout-contract");
}

#[test]
fn what_ends_a_command_has_its_category() {
    let ends = "#!/bin/sh\ncase $1 in checkout) sleep 30;; search) kill -9 $$;; esac\n";
    let flow = scripted(ends, |policy| {
        policy["verification"] = json!({});
        policy["tests"]["suites"][0]["timeoutSeconds"] = json!(1);
    });
    let started = Instant::now();
    let gate = flow.merge_gate(&["--jobs", "2"]).exits(1).names("[timeout]").names("[command-exit]").names("signal 9");
    assert!(started.elapsed() < Duration::from_secs(20));
    let report = report(&flow, &gate);
    assert_eq!(categories(&report), ["timeout", "command-exit"]);
    let commands = report["commands"].as_array().unwrap();
    assert!(commands[1..].iter().all(|command| command["attempts"][0].get("exit_status").is_none()), "{commands:?}");
    assert_eq!(report["status"], "failed");
}

#[test]
fn a_failure_shows_the_end_of_its_output_and_names_the_log() {
    let flow = scripted("#!/bin/sh\nseq 1000\nprintf 'PASS all\\n::error::x\\n' >&2\nexit 3\n", |_| ());
    let gate = flow.merge_gate(&[]).exits(1).says("FAIL syntax [command-exit]");
    let tail: Vec<&str> = gate.stdout.lines().filter(|line| line.starts_with("  | ")).collect();
    assert!(tail.len() <= 20 && tail.contains(&"  | PASS all") && !gate.stdout.contains("\n::error"), "{gate}");
    let log = String::from_utf8(flow.repo.read(&gate.after("LOG "))).unwrap();
    assert!(log.contains("\n1\n2\n3\n") || log.starts_with("1\n2\n3\n"), "{log}");
    gate.never_says("PASS all").next();
}

#[test]
fn a_program_that_is_absent_is_operational() {
    let flow = scripted("#!/bin/sh\nexit 0\n", |policy| {
        policy["checks"][0]["argv"] = json!(["no-such-program"]);
        builds(policy);
    });
    let gate = flow.merge_gate(&[]).exits(3).names("[environment]").names("no-such-program");
    let report = report(&flow, &gate);
    assert_eq!((&report["status"], categories(&report)), (&json!("operational"), vec!["environment"]));
    assert!(statuses(&report)[1..].iter().all(|(_, status)| *status == "not-started"), "{report}");
    assert!(report["findings"][0]["message"].as_str().unwrap().contains("no-such-program"));
    assert!(gate.next().contains("no-such-program"));
    let shown = flow.repo.run_read_only(&["report"]).exits(0).names("operational fault");
    assert!(shown.next().contains("no-such-program"), "a stored report tells the step too");
    let document = flow.repo.run(&["merge-gate", "--base", "main", "--format", "json"]).exits(3).json();
    assert_eq!(document["status"], "operational");
    flow.repo.read_only(|| flow.merge_gate(&["--resume"])).exits(2);
}

/// Pins the bundled component of this file name under another name, without the fuel for one answer.
fn without_fuel(flow: &Flow, component: &str, kind: &str, edit: impl FnOnce(&mut Value)) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins/dist");
    let bytes = std::fs::read(folder.join(component)).unwrap();
    let mut policy = flow.project.policy.clone();
    let pin = json!({"name": "weak", "kind": kind, "source": "plugins/weak.wasm", "sha256": sha256(&bytes), "limits": {"fuel": 1}});
    policy["plugins"] = json!([pin]);
    edit(&mut policy);
    flow.repo.write("plugins/weak.wasm", bytes).policy(&policy).commit("Pin a weak plugin");
}

#[test]
fn a_runner_that_faults_is_operational() {
    let flow = scripted("#!/bin/sh\nexit 0\n", |policy| {
        builds(policy);
        policy["tests"]["suites"][0]["runnerOptions"] = json!({"surprise": true});
    });
    let gate = flow.merge_gate(&["--jobs", "1"]).exits(3).names("exec").names("options");
    let report = report(&flow, &gate);
    assert_eq!((&report["status"], categories(&report)), (&json!("operational"), vec!["operational"]));
    let expected = [("syntax", "passed"), ("checkout-contract", "failed"), ("search-contract", "not-started"), ("pack", "not-started")];
    assert_eq!(statuses(&report), expected);
    assert!(report["findings"][0]["message"].as_str().unwrap().contains("options"));
    gate.next();
}

#[test]
fn a_runner_that_cannot_be_loaded_is_refused_before_anything_runs() {
    let flow = scripted("#!/bin/sh\necho \"$PWD $1\" >> \"$HOME/runs.log\"\n", |_| ());
    without_fuel(&flow, "markdown.wasm", "suite-runner", |policy| policy["tests"]["suites"][1]["runner"] = json!("weak"));
    flow.repo.read_only(|| flow.merge_gate(&[])).exits(2).names("weak").next();
    assert!(flow.runs().is_empty());
}

#[test]
fn a_renderer_that_faults_changes_nothing_unless_it_is_strict() {
    let flow = scripted("#!/bin/sh\nexit 0\n", |_| ());
    without_fuel(&flow, "markdown.wasm", "report-renderer", |policy| policy["reports"] = json!({"renderers": ["weak", "markdown"]}));
    let gate = flow.merge_gate(&[]).exits(0).names("renderer failed");
    assert_eq!(report(&flow, &gate)["status"], "passed");
    assert!(gate.after("RENDER: ").contains("/renders/markdown/"));
    flow.repo.run_read_only(&["report", "--renderer", "markdown"]).exits(0).names("# ");
    flow.repo.run_read_only(&["report", "--renderer", "weak"]).exits(3).names("fuel");

    without_fuel(&flow, "markdown.wasm", "report-renderer", |policy| policy["reports"] = json!({"renderers": ["weak"], "strict": true}));
    let gate = flow.merge_gate(&[]).exits(3).names("fuel");
    assert_eq!(report(&flow, &gate)["status"], "passed", "the report was written before");
    gate.next();
}

#[test]
fn stored_reports_are_shown_again() {
    let flow = scripted("#!/bin/sh\nexit 0\n", |_| ());
    flow.repo.run(&["report"]).exits(1).names("no merge gate has run").next();
    let first = flow.merge_gate(&[]).exits(0);
    let second = flow.merge_gate(&[]).exits(0);
    let [old, new] = [&first, &second].map(|gate| report(&flow, gate));
    let after_commands = |gate: &Output| gate.stdout.split_once("MERGE GATE:").map(|(_, rest)| rest.to_owned()).unwrap();
    let shown = flow.repo.run_read_only(&["report"]).exits(0);
    let without_renders =
        |text: String| text.lines().filter(|line| !line.starts_with("RENDER: ")).map(|line| format!("{line}\n")).collect::<String>();
    assert_eq!(without_renders(after_commands(&second)), after_commands(&shown));
    assert_eq!(flow.repo.run_read_only(&["report", "--format", "json"]).exits(0).json(), new);
    let run = old["execution_id"].as_str().unwrap();
    assert_eq!(flow.repo.run_read_only(&["report", "--run", run, "--format", "json"]).exits(0).json(), old);
    flow.repo.run_read_only(&["report", "--run", "run-000000000000-1"]).exits(1).next();
    flow.repo.run_read_only(&["report", "--run", "../../x"]).exits(1).next();
    flow.repo.run_read_only(&["report", "--renderer", "nobody"]).exits(2).names("nobody");

    // The newest of the two gates are apart.
    flow.checkpoint_gate(&[]).exits(0);
    assert_eq!(flow.repo.run(&["report", "--gate", "checkpoint", "--format", "json"]).exits(0).json()["gate"], "checkpoint");
    assert_eq!(flow.repo.run(&["report", "--gate", "merge", "--format", "json"]).exits(0).json(), new);
}

#[test]
fn a_tampered_report_is_refused() {
    let flow = scripted("#!/bin/sh\nexit 0\n", |_| ());
    let old = flow.merge_gate(&[]).exits(0).after("GATE REPORT: ");
    let new = flow.merge_gate(&[]).exits(0).after("GATE REPORT: ");
    let refused = || flow.repo.run_read_only(&["report"]).refuses().names("report").next();
    let whole = flow.repo.read(&new);
    let text = String::from_utf8(whole.clone()).unwrap();
    for (from, to) in
        [("\"level\": \"", "\"level\": \"x"), ("\"engine_version\": \"", "\"engine_version\": \"9"), ("}", "} {}"), ("{", "{\"x\": 1,")]
    {
        flow.repo.write(&new, text.replacen(from, to, 1));
        refused();
    }
    flow.repo.write(&new, flow.repo.read(&old));
    refused();
    flow.repo.remove(&new);
    refused();
    flow.repo.write(&new, whole);
    flow.repo.run_read_only(&["report"]).exits(0);
}

/// The commands of these names are under way when each has written a file of its name at home.
fn wait_for(flow: &Flow, name: &str) {
    let file = flow.repo.area("home").join(name);
    let since = Instant::now();
    while !file.exists() {
        assert!(since.elapsed() < Duration::from_secs(30), "{name} never started");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn interrupt(flow: &Flow, started: &str, options: &[&str]) -> Output {
    let child = flow.repo.command(&[&["merge-gate", "--base", "main"], options].concat()).spawn().unwrap();
    wait_for(flow, started);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    Output::new("merge-gate".to_owned(), child.wait_with_output().unwrap())
}

/// The processes whose ids a suite has left at home are gone; an ended one may wait for its parent to hear of it.
fn assert_gone(flow: &Flow, name: &str) {
    for process in std::fs::read_to_string(flow.repo.area("home").join(name)).unwrap().split_whitespace() {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let state = status.lines().find_map(|line| line.strip_prefix("State:")).unwrap_or("gone");
        assert!(state == "gone" || state.contains("zombie"), "process {process} is left: {state}");
    }
}

#[test]
fn an_interrupted_gate_reports_what_it_canceled() {
    let sleeps =
        "#!/bin/sh\n[ \"$1\" = syntax ] && exit 0\nsleep 60 &\necho $$ $! > \"$HOME/new\"\nmv \"$HOME/new\" \"$HOME/asleep\"\nwait\n";
    let flow = scripted(sleeps, builds);
    let gate = interrupt(&flow, "asleep", &["--jobs", "1"]).exits(130).names("[canceled]");
    assert_gone(&flow, "asleep");
    let report = report(&flow, &gate);
    assert_eq!((&report["status"], categories(&report)), (&json!("operational"), vec!["canceled"]));
    assert_eq!(statuses(&report).first(), Some(&("syntax", "passed")));
    assert_eq!(statuses(&report).last(), Some(&("pack", "not-started")));
    gate.next();
    flow.repo.run_read_only(&["report"]).exits(0).next();
    assert_eq!(flow.repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn an_interrupted_replay_leaves_no_worktree() {
    // Only replays sleep: the proof was recorded before the switch.
    let sleeps = r#"#!/bin/sh
set -e
echo "$PWD $1" >> "$HOME/runs.log"
if [ -f "$HOME/slow" ]; then echo $$ > "$HOME/new"; mv "$HOME/new" "$HOME/asleep"; sleep 60; fi
for case in tests/"$1"/*.sh; do sh "$case"; done
"#;
    let flow = Flow::accepted(WORLD, Project::shop().with_file("run-tests.sh", sleeps));
    std::fs::write(flow.repo.area("home").join("slow"), "").unwrap();
    let gate = interrupt(&flow, "asleep", &[]).exits(130).names("[canceled]");
    assert_gone(&flow, "asleep");
    flow.repo.assert_no_worktree();
    let report = report(&flow, &gate);
    assert_eq!(statuses(&report)[0], ("three", "failed"));
    assert!(statuses(&report)[1..].iter().all(|(_, status)| *status == "not-started"), "{report}");
    assert_eq!((&report["status"], &report["behavior_review"]["state"]), (&json!("operational"), &json!("passed")), "nothing was refuted");
    std::fs::remove_file(flow.repo.area("home").join("slow")).unwrap();
    flow.merge_gate(&[]).exits(0);
}

fn start(flow: &Flow, options: &[&str]) -> Child {
    flow.repo.command(&[&["merge-gate", "--base", "main"], options].concat()).spawn().unwrap()
}

fn end(child: Child) -> Output {
    Output::new("merge-gate".to_owned(), child.wait_with_output().unwrap())
}

#[test]
fn s_95_gates_that_share_a_resource_take_turns() {
    let alone = "#!/bin/sh\n[ \"$1\" = syntax ] && exit 0\nmkdir \"$HOME/till\" || exit 7\nsleep 0.3\nrmdir \"$HOME/till\"\n";
    let flow = scripted(alone, |policy| {
        policy["verification"] = json!({});
        for suite in policy["tests"]["suites"].as_array_mut().unwrap() {
            suite["exclusiveResources"] = json!([format!("till-{}", std::process::id())]);
        }
    });
    let gates: Vec<Output> =
        [(); 2].map(|()| start(&flow, &["--jobs", "2", "--no-reuse"])).into_iter().map(|gate| end(gate).exits(0)).collect();
    let waits: Vec<u64> = gates
        .iter()
        .flat_map(|gate| report(&flow, gate)["commands"].as_array().unwrap().clone())
        .map(|command| command["attempts"][0]["resource_wait_ms"].as_u64().unwrap())
        .collect();
    assert_eq!(waits.len(), 6);
    assert!(waits.iter().sum::<u64>() >= 600, "four suites of 0.3 s, one after the other: {waits:?}");
}

#[test]
fn eight_gates_at_once_lose_nothing() {
    let flow = Flow::accepted(WORLD, Project::shop());
    let evidence = flow.repo.path(code_polishy_tests::EVIDENCE);
    let before = code_polishy_tests::Snapshot::of(&evidence);
    let gates: Vec<Child> = (0..8).map(|_| start(&flow, &["--jobs", "2"])).collect();
    let gates: Vec<Output> = gates.into_iter().map(|gate| end(gate).exits(0)).collect();
    let mut runs = BTreeSet::new();
    for gate in &gates {
        let report = report(&flow, gate);
        assert_eq!(report["status"], "passed");
        assert!(runs.insert(report["execution_id"].as_str().unwrap().to_owned()), "each its own run: {gate}");
        for attempt in report["commands"].as_array().unwrap().iter().flat_map(|command| command["attempts"].as_array().unwrap()) {
            assert_eq!(attempt["log_sha256"], sha256(flow.repo.read(attempt["log_path"].as_str().unwrap())));
        }
    }
    let latest = flow.repo.json(&format!("{MERGE}/latest.json"));
    assert!(runs.contains(latest["execution_id"].as_str().unwrap()));
    assert_eq!(flow.repo.json(latest["report_path"].as_str().unwrap())["sha256"], latest["report_sha256"]);
    flow.repo.run_read_only(&["report"]).exits(0);
    flow.repo.assert_no_worktree();
    assert_eq!(code_polishy_tests::Snapshot::of(&evidence), before);
}
