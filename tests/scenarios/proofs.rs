//! Red/green proofs: S-62 to S-78 (BR-55 to BR-62).

use code_polishy_tests::{EVIDENCE, Flow, Output, Project, Repo, digest_without, sha256};
use serde_json::{Value, json};

use crate::{WORLD, keys};

fn prepared(project: Project) -> Flow {
    Flow::prepared(WORLD, project)
}

/// What a failed proof must not change.
fn assert_no_record(flow: &Flow, id: &str, head: &str) {
    assert!(!flow.repo.has_evidence(&format!("proofs/{id}.json")));
    assert_eq!((flow.repo.head(), flow.repo.git(&["status", "--porcelain"])), (head.to_owned(), String::new()));
    flow.repo.assert_no_worktree();
}

fn refused(flow: &Flow, id: &str) -> Output {
    let head = flow.repo.head();
    let output = flow.prove(id).exits(1);
    assert_no_record(flow, id, &head);
    output
}

fn shop_with_suite(edit: impl FnOnce(&mut Value)) -> Project {
    Project::shop().with_policy(|policy| edit(&mut policy["tests"]["suites"][0]))
}

fn assert_recorded(flow: &Flow, id: &str) {
    let record = flow.repo.evidence(&format!("proofs/{id}.json"));
    let (packet, project) = (flow.packet(), &flow.project);
    let documented = [
        "version",
        "id",
        "review_id",
        "review_base",
        "base",
        "candidate",
        "selection_sha256",
        "decision_sha256",
        "selected_features",
        "full_candidate",
        "suite",
        "suite_sha256",
        "runner",
        "evidence",
        "evidence_patch_sha256",
        "expected_red_exit_status",
        "red_kind",
        "flipped_cases",
        "apply_log",
        "control",
        "baseline",
        "candidate_execution",
    ];
    assert_eq!(keys(&record), documented);
    for key in ["review_id", "candidate", "selection_sha256", "decision_sha256"] {
        assert_eq!(record[key], packet[key], "{key}");
    }
    assert_eq!((&record["review_base"], &record["base"]), (&json!(flow.base), &json!(flow.base)));
    assert_eq!((&record["suite"], &record["evidence"]), (&json!(project.suite), &json!([project.evidence])));
    assert_eq!(record["evidence_patch_sha256"], sha256(flow.repo.plain_diff(&["main", "HEAD", "--", project.evidence])));
    assert_eq!((&record["red_kind"], &record["flipped_cases"], &record["runner"]["name"]), (&json!("failed"), &json!([]), &json!("exec")));
    let red: i64 = project.red_exit.parse().unwrap();
    assert_eq!(record["expected_red_exit_status"], red);
    for (member, status, log) in [("control", 0, "control"), ("baseline", red, "baseline"), ("candidate_execution", 0, "candidate")] {
        let execution = &record[member];
        assert_eq!(execution["exit_status"], status, "{member}");
        assert_eq!(execution["outcome"], if status == 0 { "passed" } else { "failed" }, "{member}");
        assert_log(&flow.repo, execution["log_path"].as_str().unwrap(), &execution["log_sha256"], &format!("proofs/{id}.{log}.log"));
    }
    assert_log(
        &flow.repo,
        record["apply_log"]["path"].as_str().unwrap(),
        &record["apply_log"]["sha256"],
        &format!("proofs/{id}.apply.log"),
    );
}

fn assert_log(repo: &Repo, path: &str, digest: &Value, name: &str) {
    assert!(path.ends_with(name), "{path}");
    assert_eq!(*digest, sha256(repo.read(&format!("{EVIDENCE}/{name}"))), "{path}");
}

#[test]
fn s_62_red_then_green_is_recorded_for_a_shell_suite() {
    let flow = prepared(Project::shop());
    let head = flow.repo.head();
    let document = flow.repo.run(&[&flow.proof_arguments("three")[..], &["--format", "json"]].concat()).exits(0).json();
    assert_eq!((&document["action"], &document["state"]), (&json!("regression-proof"), &json!("proved")));
    let path = format!("{EVIDENCE}/proofs/three.json");
    assert_eq!((&document["proof"]["id"], &document["proof"]["proof_path"]), (&json!("three"), &json!(path)));
    assert_eq!(document["proof"]["proof_sha256"], sha256(flow.repo.read(&path)));

    assert_recorded(&flow, "three");
    assert_eq!((flow.repo.head(), flow.repo.git(&["status", "--porcelain"])), (head, String::new()));
    flow.repo.assert_no_worktree();
    let folders: Vec<_> = flow.runs().into_iter().map(|(folder, _)| folder).collect();
    let root = flow.repo.root();
    assert_eq!(folders.len(), 3, "control, baseline, candidate");
    assert!(folders.iter().all(|folder| !std::path::Path::new(folder).starts_with(&root)), "never inside the repository: {folders:?}");
    let baseline = String::from_utf8(flow.repo.read(&format!("{EVIDENCE}/proofs/three.baseline.log"))).unwrap();
    assert!(baseline.contains("case tests/checkout/three.sh"), "{baseline}");
    flow.prove("three-again").exits(0).names(&format!("Regression proof recorded: {EVIDENCE}/proofs/three-again.json (proof three-again)"));
}

#[test]
fn s_62_red_then_green_is_recorded_for_python() {
    let flow = prepared(Project::python());
    flow.prove("three").exits(0);
    assert_recorded(&flow, "three");
    flow.repo.assert_no_worktree();
}

#[test]
fn s_62_red_then_green_is_recorded_for_cargo() {
    let flow = Flow::accepted(WORLD, Project::cargo());
    assert_recorded(&flow, "three");
    flow.merge_gate(&[]).exits(0).says("BEHAVIOR REVIEW: PASSED (checkout)");
    flow.repo.assert_no_worktree();
}

#[test]
fn s_62_equal_inputs_give_an_equal_proof() {
    let records: Vec<Value> = (0..2)
        .map(|_| {
            let flow = prepared(Project::shop());
            flow.prove("three").exits(0);
            flow.repo.evidence("proofs/three.json")
        })
        .collect();
    assert_eq!(records[0], records[1]);
}

#[test]
fn s_63_a_reproducer_that_is_in_the_base_needs_no_evidence_patch() {
    let (path, content) = Project::shop().change[1];
    let flow = prepared(Project::shop().with_file(path, content));
    flow.prove("three").exits(0);
    let record = flow.repo.evidence("proofs/three.json");
    assert_eq!((&record["control"], &record["evidence_patch_sha256"]), (&Value::Null, &json!(sha256(""))));
    assert_eq!(flow.runs().len(), 2, "no control");
}

#[test]
fn s_64_a_proof_needs_a_packet_and_a_base_inside_the_review() {
    let unprepared = Flow::changed(WORLD, Project::shop());
    let output = unprepared.repo.read_only(|| unprepared.prove("three")).exits(1);
    assert!(output.next().contains("behavior-review prepare"));

    let flow = Flow::new(WORLD, Project::shop());
    flow.repo.write("LICENSE", "As is.\n").commit("State the licence");
    flow.repo.git(&["branch", "--force", "main"]);
    flow.capture("Add every amount.\n").exits(0);
    flow.change();
    flow.prepare().exits(0);
    for base in ["main~1", "HEAD"] {
        let mut arguments = flow.proof_arguments("three");
        arguments[2] = base;
        flow.repo.run_read_only(&arguments).refuses();
    }
    flow.prove("three").exits(0);
}

#[test]
fn s_65_red_needs_the_expected_exit_status() {
    let exits_two = "#!/bin/sh\nfor case in tests/\"$1\"/*.sh; do sh \"$case\" || exit 2; done\n";
    let flow = prepared(Project::shop().with_file("run-tests.sh", exits_two));
    refused(&flow, "three").names("2");
    let mut arguments = flow.proof_arguments("three");
    *arguments.last_mut().unwrap() = "2";
    flow.repo.run(&arguments).exits(0);
    assert_eq!(flow.repo.evidence("proofs/three.json")["baseline"]["exit_status"], 2);

    for status in ["0", "256", "one", "-1"] {
        *arguments.last_mut().unwrap() = status;
        flow.repo.run_read_only(&arguments).exits(2);
    }
}

#[test]
fn s_66_only_tracked_regular_files_with_a_test_role_are_evidence() {
    let flow = Flow::changed(WORLD, Project::shop());
    flow.repo.link("tests/checkout/alias.sh", "three.sh").write("tests/checkout/scratch.ignored", "true\n");
    flow.repo.commit("Add a link");
    flow.prepare().exits(0);
    for path in [
        "checkout/total.sh",
        "tests/checkout/alias.sh",
        "tests/checkout/scratch.ignored",
        "tests/checkout",
        "tests/absent.sh",
        "../three.sh",
    ] {
        let mut arguments = flow.proof_arguments("three");
        arguments[6] = path;
        flow.repo.run_read_only(&arguments).refuses().names(path);
    }
    let twice = [&flow.proof_arguments("three")[..], &["--evidence", flow.project.evidence]].concat();
    flow.repo.run_read_only(&twice).refuses();
    assert!(flow.runs().is_empty(), "refused before the first run");
}

#[test]
fn evidence_that_passes_at_the_base_proves_nothing() {
    let mut project = Project::shop();
    project.change[1].1 = ". ./checkout/total.sh\ntest \"$(total 2 2)\" = 4\n";
    refused(&prepared(project), "three");
}

#[test]
fn a_candidate_that_stays_red_proves_nothing() {
    let mut project = Project::shop();
    project.change[1].1 = "exit 1\n";
    refused(&prepared(project), "three");
}

#[test]
fn s_70_a_timeout_is_operational_and_no_exit_status() {
    let sleeping = |project: Project| project.with_file("tests/checkout/two.sh", "sleep 600\n");
    let flow = prepared(sleeping(shop_with_suite(|suite| suite["timeoutSeconds"] = json!(1))));
    let head = flow.repo.head();
    let mut arguments = flow.proof_arguments("three");
    *arguments.last_mut().unwrap() = "124";
    flow.repo.run(&arguments).exits(3);
    assert_no_record(&flow, "three", &head);

    let exits_124 = "#!/bin/sh\nfor case in tests/\"$1\"/*.sh; do sh \"$case\" || exit 124; done\n";
    let flow = prepared(Project::shop().with_file("run-tests.sh", exits_124));
    flow.repo.run(&arguments).exits(0);
}

#[test]
fn a_program_that_cannot_start_is_operational() {
    let flow = prepared(shop_with_suite(|suite| suite["argv"] = json!(["no-such-program-anywhere"])));
    let head = flow.repo.head();
    flow.prove("three").exits(3).names("no-such-program-anywhere");
    assert_no_record(&flow, "three", &head);
}

/// A change under a suite that does this before it runs its cases.
pub fn meddled(meddle: impl FnOnce(&Repo) -> String) -> Flow {
    let flow = Flow::changed(WORLD, Project::shop());
    let suite = format!("#!/bin/sh\n{}\nfor case in tests/\"$1\"/*.sh; do sh \"$case\" || exit 1; done\n", meddle(&flow.repo));
    // Only now is the folder known that the suite reaches for, and it must be in the base.
    flow.repo.git(&["switch", "--quiet", "main"]);
    flow.repo.write("run-tests.sh", &suite).commit("Meddle");
    flow.repo.git(&["switch", "--quiet", "topic"]);
    flow.repo.git(&["rebase", "--quiet", "main"]);
    flow
}

/// Demands that the meddling ends the proof, and that nothing of it stays.
pub fn assert_found_out(flow: &Flow) {
    flow.prove("three").exits(1).names("candidate changed");
    assert!(!flow.repo.has_evidence("proofs/three.json"), "{}", String::from_utf8_lossy(&flow.repo.read("run-tests.sh")));
    flow.repo.assert_no_worktree();
}

#[test]
fn s_71_and_s_107_a_suite_that_meddles_with_the_primary_tree_is_found_out() {
    let meddling: [fn(&Repo) -> String; 5] = [
        |repo| format!("echo plum >> '{}'", repo.path("search/items.txt").display()),
        |repo| format!("echo plum > '{}'", repo.path("search/new.txt").display()),
        |repo| format!("echo >> '{}'", repo.path(EVIDENCE).join("intent-journal.json").display()),
        |repo| format!("git -C '{}' config core.abbrev 9", repo.root().display()),
        |repo| format!("git -C '{}' update-ref refs/heads/topic main", repo.root().display()),
    ];
    for meddle in meddling {
        let flow = meddled(meddle);
        flow.prepare().exits(0);
        assert_found_out(&flow);
    }
}

#[test]
fn s_72_what_a_suite_leaves_behind_is_ended() {
    let daemon =
        "#!/bin/sh\necho \"$PWD $1\" >> \"$HOME/runs.log\"\nsleep 600 &\nfor case in tests/\"$1\"/*.sh; do sh \"$case\" || exit 1; done\n";
    let flow = prepared(Project::shop().with_file("run-tests.sh", daemon));
    flow.prove("three").exits(0);
    for (folder, _) in flow.runs() {
        assert!(!processes_in(&folder), "a process is left in {folder}");
    }
    flow.repo.assert_no_worktree();
}

#[test]
fn s_73_long_output_is_kept_by_its_head_and_tail() {
    let loud = "#!/bin/sh
echo first-out; echo first-err >&2
yes 0123456789abcde | head -c 3145728
yes 0123456789abcde | head -c 3145728 >&2
echo last-out; echo last-err >&2
for case in tests/\"$1\"/*.sh; do sh \"$case\" || exit 1; done
";
    let flow = prepared(Project::shop().with_file("run-tests.sh", loud));
    flow.prove("three").exits(0);
    let log = String::from_utf8(flow.repo.read(&format!("{EVIDENCE}/proofs/three.baseline.log"))).unwrap();
    for kept in ["first-out", "first-err", "last-out", "last-err"] {
        assert!(log.contains(kept), "{kept}");
    }
    assert!(log.len() > 2 * 1024 * 1024 - 4096 && log.len() < 2 * 1024 * 1024 + 4096, "1 MiB of each stream: {}", log.len());
}

#[test]
fn s_74_a_suite_that_leans_on_the_primary_worktree_fails_at_creation() {
    let needs_file = "#!/bin/sh\ntest -f local.ignored || exit 3\nfor case in tests/\"$1\"/*.sh; do sh \"$case\" || exit 1; done\n";
    let looks_upwards = "#!/bin/sh
folder=$PWD
until [ -f \"$folder/local.ignored\" ]; do
    [ \"$folder\" = / ] && exit 3
    folder=$(dirname \"$folder\")
done
for case in tests/\"$1\"/*.sh; do sh \"$case\" || exit 1; done
";
    for suite in [needs_file, looks_upwards] {
        let flow = prepared(Project::shop().with_file("run-tests.sh", suite));
        flow.repo.write("local.ignored", "present\n");
        flow.repo.run(&["test", "--suite", "checkout-contract"]).exits(0);
        refused(&flow, "three");
    }
}

#[test]
fn s_75_no_hook_runs_for_a_disposable_worktree() {
    let flow = Flow::changed(WORLD, Project::shop());
    let trace = flow.repo.area("hook-ran");
    let hook = format!("#!/bin/sh\ntouch '{}'\n", trace.display());
    for name in ["post-checkout", "post-index-change", "reference-transaction", "pre-commit", "fsmonitor-watchman"] {
        flow.repo.write(&format!(".git/hooks/{name}"), &hook);
    }
    let run = |flow: &Flow| {
        flow.prepare().exits(0);
        flow.prove("three").exits(0);
        flow.review(flow.reviewer().behavior("requested", &["three"], &["checkout"]));
        flow.finalize().exits(0);
        flow.merge_gate(&[]).exits(0);
        flow.repo.run(&["behavior-review", "cleanup"]).exits(0);
    };
    run(&flow);
    assert!(!trace.exists(), "a hook of .git/hooks ran");

    let elsewhere = Flow::changed(WORLD, Project::shop());
    let trace = elsewhere.repo.area("hook-ran");
    elsewhere.repo.write(".git/other-hooks/post-checkout", format!("#!/bin/sh\ntouch '{}'\n", trace.display()));
    elsewhere.repo.git(&["config", "core.hooksPath", ".git/other-hooks"]);
    elsewhere.repo.git(&["config", "core.fsmonitor", ".git/other-hooks/post-checkout"]);
    elsewhere.repo.git(&["config", "filter.meddle.smudge", &format!("touch '{}'; cat", trace.display())]);
    elsewhere.repo.write(".git/info/attributes", "*.sh filter=meddle\n");
    run(&elsewhere);
    assert!(!trace.exists(), "a configured hook or filter ran");
}

#[test]
fn s_76_only_suites_of_the_selection_prove_it() {
    let flow = prepared(Project::shop());
    for suite in ["search-contract", "no-such-suite"] {
        let mut arguments = flow.proof_arguments("three");
        arguments[4] = suite;
        flow.repo.run_read_only(&arguments).refuses().names(suite);
    }
    assert!(flow.runs().is_empty());
}

#[test]
fn s_77_an_id_in_use_needs_replace() {
    let flow = prepared(Project::shop());
    flow.prove("three").exits(0);
    let runs = flow.runs().len();
    flow.repo.read_only(|| flow.prove("three")).refuses().names("--replace");
    assert_eq!(flow.runs().len(), runs, "refused before the first run");
    flow.repo.run(&[&flow.proof_arguments("three")[..], &["--replace"]].concat()).exits(0);

    for id in ["", "-three", ".three", "a/b", "..", "three four", &"a".repeat(81)] {
        flow.repo.run_read_only(&flow.proof_arguments(id)).exits(2);
    }
}

#[test]
fn s_78_an_interrupted_proof_leaves_nothing() {
    let waits = "#!/bin/sh\necho \"$PWD $1\" >> \"$HOME/runs.log\"\nsleep 600\n";
    let flow = prepared(Project::shop().with_file("run-tests.sh", waits));
    let head = flow.repo.head();
    let child = flow.repo.command(&flow.proof_arguments("three")).spawn().unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while flow.runs().is_empty() {
        assert!(std::time::Instant::now() < deadline, "the suite never started");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    Output::new("regression-proof".to_owned(), child.wait_with_output().unwrap()).exits(130);
    assert_no_record(&flow, "three", &head);
    let worktree = flow.runs()[0].0.clone();
    assert!(!processes_in(&worktree), "the suite's processes are gone");
}

/// Whether a process works in this folder, which may be removed by now.
fn processes_in(folder: &str) -> bool {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| std::fs::read_link(entry.path().join("cwd")).ok())
        .any(|cwd| cwd.starts_with(folder) || cwd.to_string_lossy().starts_with(folder))
}

#[test]
fn the_suite_digest_does_not_depend_on_the_review() {
    let (first, second) = (prepared(Project::shop()), Flow::changed(WORLD, Project::shop()));
    second.capture("A correction.\n").exits(0);
    second.repo.write("LICENSE", "As is.\n").commit("State the licence");
    second.prepare().exits(0);
    let records = [&first, &second].map(|flow| {
        flow.prove("three").exits(0);
        flow.repo.evidence("proofs/three.json")
    });
    assert_eq!(records[0]["suite_sha256"], records[1]["suite_sha256"]);
    assert_ne!(digest_without(&records[0], &["id"]), digest_without(&records[1], &["id"]));
}
