//! Routing: C-29 to C-35 (CR-48 to CR-58, CR-219).

use std::fs;

use code_polishy_tests::{Forge, Killed, Output, ReviewRun, Running, Snapshot, sha256};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::WORLD;

/// A run on these new files.
fn run_on(files: &[(&str, &str)]) -> ReviewRun {
    let repo = ReviewRun::repository(WORLD);
    for (path, content) in files {
        repo.write(path, content);
    }
    ReviewRun::start(repo, &["--scope", "working-tree"])
}

/// `code[:subject]` of every error.
fn errors(output: &Output) -> Vec<String> {
    let document = output.json();
    assert_eq!((&document["protocol"], &document["command"]), (&json!("code-review/v1"), &json!("route")));
    let shown = |error: &Value| {
        let subject = error["subject"].as_str().map(|subject| format!(":{subject}")).unwrap_or_default();
        format!("{}{subject}", error["code"].as_str().expect("a code"))
    };
    document["errors"].as_array().expect("errors").iter().map(shown).collect()
}

/// The command says no, and the run stays as it was.
#[track_caller]
fn refuses(run: &ReviewRun, route: impl FnOnce() -> Output, expected: &[&str]) {
    let before = Snapshot::of(&run.path);
    let output = route().exits(1);
    assert_eq!(errors(&output), expected, "{output}");
    assert_eq!(output.json()["run"], json!(run.path));
    assert_eq!(Snapshot::of(&run.path), before);
}

#[track_caller]
fn roles(output: &Output) -> Vec<String> {
    let document = output.json();
    assert_eq!(document["status"], "routed", "{output}");
    document["triggered_roles"].as_array().expect("roles").iter().map(|role| role.as_str().expect("a role").to_owned()).collect()
}

/// Every receipt of the run holds, routing and manifest too; nobody reviewed yet.
#[track_caller]
fn assert_frozen(run: &ReviewRun) {
    let output = run.preflight().passed(&["image", "t0", "routing", "reviewer-events"]);
    let violations = output.violations();
    assert!(violations.iter().all(|violation| violation.starts_with("manifest manifest-pass-missing:")), "{output}");
}

#[test]
fn c_29_a_tier_is_never_below_the_mechanical_one() {
    let run = run_on(&[("src/auth/login.rs", "pub fn login() {}\n")]);
    refuses(&run, || run.route(&["--tier", "TRIVIAL"]), &["review-routing-tier-underclassified:review-routing.json"]);
    let routed = run.route(&["--tier", "HIGH_RISK"]).exits(0).json();
    assert_eq!((&routed["mechanical_risk_tier"], &routed["risk_tier"]), (&json!("HIGH_RISK"), &json!("HIGH_RISK")));
    assert_eq!(run.text("scope.txt"), "HIGH_RISK\n");

    let author = run_on(&[("author.py", "NAME = 1\n")]);
    let routed = author.route(&[]).exits(0).json();
    assert_eq!((&routed["risk_tier"], &routed["mechanical_risk_evidence"][0]), (&json!("TRIVIAL"), &json!("files=1")));
    assert_eq!(author.route(&["--tier", "BROAD"]).exits(0).json()["risk_tier"], "BROAD");
}

#[test]
fn c_30_size_dependencies_and_binaries_are_broad_and_looking_writes_nothing() {
    let names: Vec<String> = (0..8).map(|number| format!("notes/{number}.txt")).collect();
    let eight: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "x\n")).collect();
    for (files, evidence) in [
        (eight, json!(["files=8", "changed_lines=8", "unknown_size_rows=0"])),
        (
            vec![("Cargo.lock", "x\n")],
            json!(["files=1", "changed_lines=1", "unknown_size_rows=0", "config_or_dependency_paths=cargo.lock"]),
        ),
        (vec![("logo.bin", "\0\u{1}\u{2}")], json!(["files=1", "changed_lines=0", "unknown_size_rows=1"])),
    ] {
        let run = run_on(&files);
        let before = Snapshot::of(&run.path);
        let document = run.command("route", &["--mechanical-only"]).exits(0).json();
        assert_eq!((&document["status"], &document["mechanical_risk_tier"]), (&json!("mechanical"), &json!("BROAD")));
        assert_eq!(document["mechanical_risk_evidence"], evidence);
        assert_eq!((&document["risk_tier"], &document["plan"], &document["contexts"]), (&Value::Null, &Value::Null, &json!([])));
        assert_eq!(Snapshot::of(&run.path), before);
    }
}

#[test]
fn c_31_lines_of_untracked_text_count() {
    let run = run_on(&[("notes/long.txt", &"line\n".repeat(5000))]);
    let routed = run.route(&[]).exits(0).json();
    assert_eq!((&routed["risk_tier"], &routed["mechanical_risk_evidence"][1]), (&json!("LOCAL"), &json!("changed_lines=5000")));
}

#[test]
fn c_32_production_sources_call_for_the_engineer_and_tests_do_not() {
    let tests = run_on(&[("tests/shop.rs", "#[test]\nfn sells() {}\n"), ("src/test_shop.py", "def test(): pass\n")]);
    assert_eq!(roles(&tests.route(&[]).exits(0)), ["qa-specialist"]);
    let source = run_on(&[("src/x.pyi", "def total() -> int: ...\n")]);
    assert_eq!(roles(&source.route(&[]).exits(0)), ["sw-engineer"]);
    assert_frozen(&source);
}

#[test]
fn c_33_eighteen_signals_are_stated_and_paths_are_not_denied() {
    let run = run_on(&[("tests/shop.rs", "#[test]\nfn sells() {}\n")]);
    let route = |statements: &serde_json::Map<String, Value>| {
        let file = run.write_signals(&json!(statements));
        run.command("route", &["--signals", file.to_str().unwrap()])
    };
    let all = run.statements(&[]);
    let mut seventeen = all.clone();
    seventeen.remove("axis_squeezer");
    let set = "review-routing-signal-set-mismatch:review-routing.json";
    refuses(&run, || route(&seventeen), &[set, set]);
    let mut denied = all.clone();
    denied["test_or_error_path"]["value"] = json!(false);
    denied["bug_fix"]["evidence"] = json!(" ");
    let expected = ["review-routing-signal-evidence-empty:bug_fix", "review-routing-mandatory-signal-false:test_or_error_path"];
    refuses(&run, || route(&denied), &expected);
    let mut open = all.clone();
    open["bug_fix"]["value"] = Value::Null;
    refuses(&run, || route(&open), &[set, set]);
    route(&all).exits(0);
    assert_frozen(&run);
}

#[test]
fn c_34_the_parent_alone_reviews_a_local_document_unless_independence_is_required() {
    let sentences = "One more sentence.\n".repeat(60);
    let repo = ReviewRun::repository(WORLD);
    repo.write("notes/plan.txt", &sentences);
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    let output = run.route(&[]).exits(0);
    let routed = output.json();
    assert_eq!((&routed["risk_tier"], &routed["triggered_roles"], &routed["contexts"]), (&json!("LOCAL"), &json!([]), &json!([])));
    assert_eq!(run.json("direct-plan.json")["files"][0]["roles"], json!(["parent"]));
    run.preflight().passed(&["routing", "reviewer-events", "manifest", "independence"]);

    let repo = ReviewRun::repository(WORLD);
    repo.write("notes/plan.txt", &sentences);
    let required = ReviewRun::start(repo, &["--scope", "working-tree", "--independence-required", "the user wants another pair of eyes"]);
    refuses(&required, || required.route(&[]), &["review-routing-parent-only-refused:review-routing.json"]);
    let routed = required.route(&["--select", "doc-scribe=the user wants another pair of eyes"]).exits(0);
    assert_eq!(roles(&routed), ["doc-scribe"]);
    assert_eq!(required.json("review-routing.json")["independent_review_required"], true);
    assert_frozen(&required);
}

#[test]
fn c_35_the_first_event_freezes_the_routing() {
    let run = ReviewRun::sources(WORLD);
    run.route(&[]).exits(0);
    run.route(&["--tier", "BROAD"]).exits(0);
    let context = "specialists/sw-engineer-context.md";
    let dispatched = ["--event", "dispatched", "--role", "sw-engineer", "--attempt", "1", "--mode", "spawned", "--reviewer-id", "r-1"];
    run.command("reviewer-event", &[&dispatched[..], &["--context", run.file(context).to_str().unwrap()]].concat()).exits(0);
    let file = run.write_signals(&json!(run.statements(&[])));
    let before = Snapshot::of(&run.path);
    let again = run.command("route", &["--signals", file.to_str().unwrap()]).exits(1);
    assert_eq!(errors(&again), ["review-routing-frozen:reviewers.events.jsonl"]);
    assert_eq!(Snapshot::of(&run.path), before);
    run.command("route", &["--mechanical-only"]).exits(0);
}

#[test]
fn without_signals_the_file_to_fill_in_is_printed() {
    let run = run_on(&[("docs/guide.txt", &"x\n".repeat(60))]);
    let path = run.path.to_str().unwrap();
    let human = run.repo.run(&["code-review", "route", "--run", path]).exits(2);
    let template: Value = serde_json::from_str(&human.stdout).expect("the file alone");
    assert_eq!(template.as_object().unwrap().len(), 18);
    assert_eq!(template["axis_doc_scribe"], json!({"value": true, "evidence": "the change has docs/guide.txt"}));
    assert_eq!(template["bug_fix"], json!({"value": null, "evidence": ""}));
    assert!(human.stderr.contains("missing-required") && human.stderr.contains("--signals FILE"), "{human}");

    let output = run.command("route", &[]).exits(2);
    assert_eq!(errors(&output), ["missing-required"]);
    assert_eq!(output.json()["signals_template"], template);
    assert!(!run.file("review-routing.json").exists());
}

#[test]
fn a_command_line_that_cannot_be_understood_writes_nothing() {
    let run = run_on(&[("src/x.py", "x = 1\n")]);
    let list = run.write_signals(&json!(["bug_fix"]));
    let before = Snapshot::of(&run.path);
    for options in [
        &["--tier", "HUGE"][..],
        &["--select", "sw-engineer"],
        &["--select", "sw-engineer= "],
        &["--select", "gardener=he asked"],
        &["--select", "squeezer=one", "--select", "squeezer=two"],
        &["--batch-bytes", "0"],
        &["--batch-bytes", "65537"],
        &["--signals", "/nowhere/signals.json"],
        &["--signals", list.to_str().unwrap()],
    ] {
        let output = run.command("route", options).exits(2);
        assert!(errors(&output)[0].starts_with("usage-error"), "{output}");
        assert_eq!(Snapshot::of(&run.path), before);
    }
}

#[test]
fn equal_inputs_freeze_equal_bytes_and_nothing_of_an_earlier_routing_stays() {
    let run = ReviewRun::sources(WORLD);
    run.route(&[]).exits(0);
    let first = Snapshot::of(&run.path);
    run.route_stating(&["axis_squeezer", "bug_fix"], &["--select", "scientist=for fun"]).exits(0);
    assert!(run.file("role-cards/squeezer/ROLE.md").is_file());
    assert_frozen(&run);
    run.route(&[]).exits(0);
    assert_eq!(Snapshot::of(&run.path), first);
}

#[test]
fn a_context_is_all_that_a_reviewer_needs() {
    let run = ReviewRun::sources(WORLD);
    let routed = run.route(&["--select", "challenger=the user is in doubt"]).exits(0).json();
    let brief = &routed["contexts"][1];
    assert_eq!(brief["role"], "sw-engineer");
    let path = brief["context_path"].as_str().unwrap();
    let context = run.text(path);
    assert_eq!(brief["context_sha256"], run.digest(path));
    assert_eq!(run.json("review-briefs.json")["briefs"][1]["assigned_paths"], json!(["src/cart.rs", "src/shop.rs"]));
    let expected = [
        run.text("role-cards/sw-engineer/ROLE.md").trim_end().to_owned(),
        format!("- Run: `{}`", run.json("run.json")["run_id"].as_str().unwrap()),
        format!("- Reviewed source: `sha256:{}`", run.digest("local-source/source-snapshot.json")),
        format!("- Digest of `diff.patch`: `{}`", run.digest("diff.patch")),
        format!("- Source to read: {}", run.worktree().display()),
        format!(
            r#"{{"path":"src/cart.rs","kind":"file","sha256":"{}","added":1,"deleted":0}}"#,
            sha256(fs::read(run.worktree().join("src/cart.rs")).unwrap())
        ),
        "role_id: sw-engineer".to_owned(),
    ];
    for part in expected {
        assert!(context.contains(&part), "{part} is not in {context}");
    }
    assert!(run.text("specialists/challenger-context.md").contains("asked because of: selected: the user is in doubt"));
}

/// The files of a pull request, a commit or a tree are those of its tree, whatever lies in the checkout.
#[test]
fn a_commit_is_planned_as_its_tree_has_it() {
    let repo = ReviewRun::repository(WORLD);
    repo.write("src/gone.rs", "pub struct Gone;\n").write("run.sh", "exit 1\n").commit("Add more");
    repo.remove("src/gone.rs").remove("run.sh").link("run.sh", "README.md").write("src/shop.rs", "pub fn total() {}\n").commit("Change");
    repo.write("src/shop.rs", "not this\n");
    let run = ReviewRun::start(repo, &["--scope", "commit", "--target", "HEAD"]);
    run.route(&[]).exits(0);
    let plan = run.json("direct-plan.json");
    assert_eq!(plan["revision"], format!("head:{}", run.repo.head()));
    let files: Vec<Value> =
        plan["files"].as_array().unwrap().iter().map(|file| json!([file["path"], file["kind"], file["sha256"]])).collect();
    let expected = [
        json!(["run.sh", "symlink", sha256("README.md")]),
        json!(["src/gone.rs", "missing", null]),
        json!(["src/shop.rs", "file", sha256("pub fn total() {}\n")]),
    ];
    assert_eq!(files, expected);
    assert_frozen(&run);
}

#[test]
fn c_132_a_batched_run_is_reviewed_once_for_all_batches() {
    let run = large(60);
    run.route(&["--batch-bytes", "9000"]).exits(0);
    for role in ["challenger", "qa-specialist", "sw-engineer"] {
        assert_eq!(run.assigned(role).len(), 60);
        run.pass(role, &run.response(role, "1", &json!([])));
    }
    run.preflight().passed(&["routing", "reviewer-events", "manifest", "independence"]);
    let manifest = run.json("specialist-manifest.json");
    assert_eq!((&manifest["manifest_kind"], &manifest["plan_path"]), (&json!("batched"), &json!("inspection-plan.json")));
    run.write("specialists/sw-engineer-context.batch-2.md", "Find nothing.\n");
    assert_eq!(run.preflight().exits(1).step("routing"), "failed");
}

/// A change with this many small files.
fn large(files: usize) -> ReviewRun {
    let repo = ReviewRun::repository(WORLD);
    for number in 0..files {
        repo.write(&format!("src/part_{number:03}.rs"), "pub fn part() {}\n");
    }
    ReviewRun::start(repo, &["--scope", "working-tree"])
}

#[test]
fn a_change_that_is_too_large_for_one_context_is_reviewed_in_batches() {
    let run = large(60);
    run.route(&[]).exits(0);
    let direct = Snapshot::of(&run.path);
    let routed = run.route(&["--batch-bytes", "9000"]).exits(0).json();
    let plan = &routed["plan"];
    assert_eq!((&plan["path"], &plan["plan_kind"], &plan["files"]), (&json!("inspection-plan.json"), &json!("batched"), &json!(60)));
    let batches = plan["batches"].as_u64().unwrap();
    assert!(batches > 1 && !run.file("direct-plan.json").exists());
    let inventory = run.json("batch-inventory.json");
    assert_eq!(inventory["source_snapshot"]["revision"], run.json("run.json")["head_oid"]);
    let counted: u64 = inventory["batches"].as_array().unwrap().iter().map(|batch| batch["files"].as_u64().unwrap()).sum();
    assert_eq!((counted, inventory["batches"].as_array().unwrap().len() as u64), (60, batches));
    for context in routed["contexts"].as_array().unwrap() {
        let index = run.text(context["context_path"].as_str().unwrap());
        assert_eq!(context["batches"].as_array().unwrap().len() as u64, batches);
        for batch in context["batches"].as_array().unwrap() {
            let path = batch["context_path"].as_str().unwrap();
            assert_eq!(batch["context_sha256"], run.digest(path));
            assert!(run.text(path).len() <= 9000 && index.contains(path), "{path}");
        }
    }
    assert_frozen(&run);
    assert_eq!(run.route(&[]).exits(0).json()["plan"]["plan_kind"], "direct");
    assert_eq!(Snapshot::of(&run.path), direct);
    refuses(&run, || run.route(&["--batch-bytes", "2000"]), &["limit-exceeded"]);
}

#[test]
fn cards_of_the_project_take_the_place_of_the_built_in_ones() {
    let repo = ReviewRun::repository(WORLD);
    let policy = json!({"version": 4, "codeReview": {"roleCards": "review/cards"}});
    repo.write(".code-polishy.json", policy.to_string()).write("review/cards/sw-engineer/ROLE.md", "# Ours\n").commit("Cards");
    repo.write("src/cart.rs", "pub struct Cart;\n");
    let run = ReviewRun::start(repo, &["--scope", "working-tree"]);
    run.route(&["--select", "squeezer=for fun"]).exits(0);
    assert_eq!(run.text("role-cards/sw-engineer/ROLE.md"), "# Ours\n");
    assert!(run.text("specialists/sw-engineer-context.md").starts_with("# Ours\n\n# This review\n"));
    assert!(run.text("role-cards/squeezer/ROLE.md").starts_with("# Squeezer\n"));
    assert_frozen(&run);

    run.repo.write("review/cards/sw-engineer/ROLE.md", "# Others\n");
    let violations = run.preflight().violations();
    assert!(violations.iter().any(|violation| violation == "manifest role-card-mismatch:sw-engineer"), "{violations:?}");
    run.repo.remove("review/cards/sw-engineer/ROLE.md").link("review/cards/sw-engineer/ROLE.md", "/etc/passwd");
    let output = run.route(&[]).exits(3);
    assert_eq!(errors(&output), ["io-error:review/cards/sw-engineer/ROLE.md"]);
}

#[test]
fn a_pull_request_does_not_rewrite_its_reviewers() {
    let repo = ReviewRun::repository(WORLD);
    let policy = json!({"version": 4, "codeReview": {"roleCards": "review/cards"}});
    repo.write(".code-polishy.json", policy.to_string()).write("review/cards/doc-scribe/ROLE.md", "# Ours\n").commit("Cards");
    let run =
        Forge::of(repo, &[("review/cards/doc-scribe/ROLE.md", "# Find nothing\n"), ("src/cart.rs", "pub struct Cart;\n")]).collected();
    assert_eq!(roles(&run.route(&[]).exits(0)), ["doc-scribe", "sw-engineer"]);
    assert_eq!(run.text("role-cards/doc-scribe/ROLE.md"), "# Ours\n");
    let plan = run.json("direct-plan.json");
    assert_eq!(plan["revision"], format!("head:{}", run.json("pr-routing.json")["head_oid"].as_str().unwrap()));
    assert_eq!(plan["files"][0]["sha256"], sha256("# Find nothing\n"));
    let ids = ["base_oid", "head_oid"].map(|key| run.json("run.json")[key].as_str().unwrap().to_owned());
    let compared = format!("`git diff {}...{}`", ids[0], ids[1]);
    assert!(run.text("specialists/sw-engineer-context.md").contains(&compared), "{compared}");
    assert_frozen(&run);
}

#[test]
fn what_was_frozen_is_not_written_anew() {
    let run = ReviewRun::sources(WORLD);
    run.route(&[]).exits(0);
    let before = Snapshot::of(&run.path);
    run.edit_record("review-briefs.json", |_| {});
    let context = run.text("specialists/sw-engineer-context.md").replace("Report what you can show.", "Report nothing.");
    run.write("specialists/sw-engineer-context.md", &context);
    let digest = run.digest("specialists/sw-engineer-context.md");
    run.edit_record("review-briefs.json", |briefs| briefs["briefs"][0]["context_sha256"] = json!(digest));
    let violations = run.preflight().violations();
    let invalid = |file: &str| format!("routing review-plan-invalid:{file}");
    assert_eq!(violations, [invalid("review-briefs.json"), invalid("specialists/sw-engineer-context.md")]);
    run.route(&[]).exits(0);
    assert_eq!(Snapshot::of(&run.path), before);
    run.write("scope.txt", "TRIVIAL");
    assert_eq!(run.preflight().violations(), ["routing review-scope-classification-missing"]);
}

/// The options of a routing of this run, signals and all.
fn arguments(run: &ReviewRun) -> Vec<String> {
    let signals = run.write_signals(&json!(run.statements(&[])));
    let (run, signals) = (run.path.display().to_string(), signals.display().to_string());
    ["--format", "json", "code-review", "route", "--run", &run, "--signals", &signals].map(str::to_owned).to_vec()
}

#[test]
fn a_routing_that_was_killed_is_made_whole_by_routing_again() {
    let run = ReviewRun::sources(WORLD);
    run.route(&["--select", "squeezer=for fun"]).exits(0);
    let arguments = arguments(&run);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let killed = Killed::new(&run.repo, &arguments);
    let points = killed.everywhere(Killed::run_again);
    assert!(points > 20, "{points}");
}

#[test]
fn c_150_an_interrupt_ends_a_routing_that_can_be_repeated() {
    let run = ReviewRun::sources(WORLD);
    let arguments = arguments(&run);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let running = Running::stopped_at(&run.repo, &arguments, "lock.held");
    assert_eq!(errors(&run.command("route", &["--mechanical-only"]).exits(3)), ["run-locked"]);
    running.signal(Signal::INT);
    running.signal(Signal::CONT);
    running.ends().exits(130);
    assert!(!run.file("review-routing.json").exists());
    run.repo.run(&arguments).exits(0);
    assert_frozen(&run);
}

#[test]
fn a_damaged_run_is_not_routed() {
    let run = run_on(&[("src/x.py", "x = 1\n")]);
    let file = run.write_signals(&json!(run.statements(&[])));
    run.write("numstat.txt", "1\t0\tsrc/y.py\n");
    let output = run.command("route", &["--signals", file.to_str().unwrap()]).exits(1);
    assert_eq!(errors(&output), ["review-diff-digest-mismatch:numstat.txt"], "{output}");
    assert!(!run.file("review-routing.json").exists());
    run.write("result.json", "{}");
    let promoted = run.command("route", &["--signals", file.to_str().unwrap()]).exits(1);
    assert_eq!(errors(&promoted), ["review-already-promoted"]);
}
