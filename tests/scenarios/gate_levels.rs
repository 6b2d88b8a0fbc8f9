//! How much a merge gate runs, and that `test-levels` says the same before: S-92, S-93, S-111 (BR-69, BR-71, 9.1).

use code_polishy_tests::{Flow, Project, Repo};
use serde_json::{Value, json};

use crate::{WORLD, names};

/// A change and what it asks of the merge gate.
struct Case {
    policy: fn(&mut Value),
    change: fn(&Repo),
    level: &'static str,
    /// One of the reasons holds this.
    reason: &'static str,
}

const SAME: fn(&mut Value) = |_| ();

/// The shop has three modules, of which two thirds are reached by a change of `money`.
const CASES: &[Case] = &[
    Case { policy: SAME, change: |repo| edit(repo, "search/find.sh"), level: "recommended", reason: "one recommended module" },
    Case { policy: SAME, change: |repo| edit(repo, "README.md"), level: "documentation", reason: "documentation" },
    Case {
        policy: |policy| policy["verification"] = json!({}),
        change: |repo| edit(repo, "search/find.sh"),
        level: "full",
        reason: "mergeGate",
    },
    Case {
        policy: SAME,
        change: |repo| drop(repo.remove("checkout/receipt.sh").path("")),
        level: "full",
        reason: "deleted: checkout/receipt.sh",
    },
    Case { policy: SAME, change: |repo| drop(repo.link("search/alias", "items.txt").path("")), level: "full", reason: "search/alias" },
    Case {
        policy: SAME,
        change: |repo| edit(repo, ".code-polishy.json"),
        level: "full",
        reason: "policy input changed: .code-polishy.json",
    },
    Case { policy: SAME, change: |repo| edit(repo, "run-tests.sh"), level: "full", reason: "policy input changed: run-tests.sh" },
    Case {
        policy: SAME,
        change: |repo| edit(repo, "search/package.json"),
        level: "full",
        reason: "policy input changed: search/package.json",
    },
    Case { policy: SAME, change: |repo| edit(repo, "search/yarn.lock"), level: "full", reason: "policy input changed: search/yarn.lock" },
    Case {
        policy: SAME,
        change: |repo| edit(repo, ".github/workflows/ci.yml"),
        level: "full",
        reason: "policy input changed: .github/workflows/ci.yml",
    },
    Case { policy: SAME, change: |repo| edit(repo, "search/Dockerfile"), level: "full", reason: "policy input changed: search/Dockerfile" },
    Case { policy: SAME, change: |repo| edit(repo, "tools/clean.sh"), level: "full", reason: "owned by no module: tools/clean.sh" },
    Case {
        policy: |policy| policy["modules"][2]["paths"] = json!(["search/**", "checkout/receipt.sh"]),
        change: |repo| edit(repo, "checkout/receipt.sh"),
        level: "full",
        reason: "several modules: checkout/receipt.sh",
    },
    Case {
        policy: |policy| policy["verification"]["mergeGate"] = json!({"recommendedModules": ["checkout"]}),
        change: |repo| edit(repo, "search/find.sh"),
        level: "full",
        reason: "recommendedModules",
    },
    Case {
        policy: SAME,
        change: |repo| (0..20).for_each(|number| edit(repo, &format!("search/{number}.txt"))),
        level: "full",
        reason: "20 paths changed",
    },
    Case {
        policy: |policy| {
            let modules = policy["modules"].as_array_mut().unwrap();
            modules.extend(["a", "b", "c"].map(|name| json!({"name": name, "paths": [format!("{name}/**")]})));
        },
        change: |repo| ["a/x", "b/x", "c/x"].into_iter().for_each(|path| edit(repo, path)),
        level: "full",
        reason: "3 modules changed directly",
    },
    Case { policy: SAME, change: |repo| edit(repo, "money/add.sh"), level: "full", reason: "2 of 3 modules are impacted" },
];

/// Adds a line, which changes no meaning.
fn edit(repo: &Repo, path: &str) {
    let mut text = std::fs::read(repo.path(path)).unwrap_or_default();
    text.push(b'\n');
    repo.write(path, text);
}

/// The report of a gate after `test-levels` has told its decision, its reasons and its commands.
fn gate_as_planned(flow: &Flow) -> Value {
    let plan = flow.repo.run_read_only(&["test-levels", "--base", "main", "--format", "json"]).exits(0).json()["plan"].clone();
    assert_eq!((&plan["refusals"], plan["next"].as_str()), (&json!([]), Some("code-polishy merge-gate --base main")));
    let report = flow.merge_gate(&["--format", "json"]).json();
    for member in ["base", "candidate", "level", "level_reasons"] {
        assert_eq!(plan[member], report[member], "{member}");
    }
    assert_eq!((&plan["state"], &plan["final_state"]), (&report["behavior_review"]["state"], &report["behavior_review"]["final_state"]));
    let planned: Vec<(&Value, &Value)> = plan["phases"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|phase| phase["commands"].as_array().unwrap().iter().map(|command| (&phase["category"], &command["name"])))
        .collect();
    let reported: Vec<_> = report["commands"].as_array().unwrap().iter().map(|command| (&command["category"], &command["name"])).collect();
    assert_eq!(planned, reported, "{plan}");
    report
}

fn assert_level(flow: &Flow, level: &str, reason: &str) {
    let report = gate_as_planned(flow);
    let reasons = names(&report["level_reasons"]);
    assert_eq!(report["level"], level, "{reasons:?}");
    assert!(reasons.iter().any(|given| given.contains(reason)), "{reason:?} is none of {reasons:?}");
}

#[test]
fn s_92_every_rule_decides_the_level_and_gives_its_reason() {
    for case in CASES {
        let flow = Flow::new(WORLD, Project::gated().with_policy(case.policy));
        (case.change)(&flow.repo);
        flow.repo.commit("Change");
        assert_level(&flow, case.level, case.reason);
    }
}

#[test]
fn s_92_without_a_policy_at_the_base_everything_runs() {
    let flow = Flow::new(WORLD, Project::gated());
    flow.repo.remove(".code-polishy.json").commit("Forget the policy");
    flow.repo.git(&["branch", "--force", "main"]);
    edit(&flow.repo, "README.md");
    flow.repo.policy(&flow.project.policy).commit("Adopt a policy");
    assert_level(&flow, "full", "no policy");
    flow.merge_gate(&["-v"]).exits(0).says("  because the base has no policy");
}

#[test]
fn s_92_the_stricter_of_both_policies_decides() {
    let flow = Flow::new(WORLD, Project::gated());
    let mut wider = flow.project.policy.clone();
    wider["modules"][0]["paths"] = json!(["money/**", "tools/**"]);
    flow.repo.policy(&wider);
    edit(&flow.repo, "tools/clean.sh");
    flow.repo.commit("Own the tools");
    assert_level(&flow, "full", "owned by no module: tools/clean.sh");
}

#[test]
fn an_accepted_review_is_planned_with_its_replays() {
    let flow = Flow::accepted(WORLD, Project::shop());
    let report = gate_as_planned(&flow);
    assert_eq!(report["commands"][0]["category"], "behavior-proof-replay");
    assert_eq!(report["status"], "passed");
}

#[test]
fn a_plan_is_readable_in_80_columns() {
    let flow = Flow::new(WORLD, Project::gated());
    edit(&flow.repo, "search/find.sh");
    flow.repo.commit("Change");
    for arguments in [&["test-levels"][..], &["test-levels", "--base", "main"], &["plan", "--base=main"]] {
        let shown = flow.repo.run_read_only(arguments).exits(0);
        let wide: Vec<&str> = shown.stdout.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{wide:#?}");
        shown.names("search-contract").names("./run-tests.sh search");
    }
}

#[test]
fn s_93_each_violation_of_the_markdown_contract_is_a_finding() {
    let flow = Flow::new(
        WORLD,
        Project::gated().with_file("docs/old.md", "# Old\n").with_file("docs/guide.md", "# Guide\n\nSee [old](old.md).\n"),
    );
    let violations: [(&str, &[u8], u32, &str); 10] = [
        ("docs/end.md", b"# No final newline", 1, "newline"),
        ("docs/space.md", b"# Space\n\ntrailing \n", 3, "white space"),
        ("docs/link.md", b"# Link\n\n[gone](gone.md)\n", 3, "gone.md"),
        ("docs/image.md", b"# Image\n\n![gone](gone.png)\n", 3, "gone.png"),
        ("docs/reference.md", b"# Reference\n\n[there][a]\n\n[a]: gone.md\n", 5, "gone.md"),
        ("docs/fragment.md", b"# Fragment\n\n[down](#nowhere)\n", 3, "nowhere"),
        ("docs/other.md", b"# Other\n\n[down](guide.md#nowhere)\n", 3, "nowhere"),
        ("docs/outside.md", b"# Outside\n\n[out](../../etc/passwd)\n", 3, "etc/passwd"),
        ("docs/escape.md", b"# Escape\n\n[bad](%ff.md)\n", 3, "%ff.md"),
        ("docs/bytes.md", b"# Bytes\n\n\xff\n", 3, "UTF-8"),
    ];
    for (path, text, ..) in violations {
        flow.repo.write(path, text);
    }
    flow.repo.write("docs/large.md", "# Large\n".to_owned() + &"text\n".repeat(60_000));
    flow.repo.write("docs/a b.md", "# Café & Co.\n\n## Twice\n\n## Twice\n").remove("docs/old.md");
    let good = "# Good\n\n[a](a%20b.md#café--co) [b](<a b.md#twice-1>) [c](guide.md \"t\") [d](/README.md) [e](https://example.invalid/x) [f](..)\n";
    flow.repo.write("docs/good.md", good).commit("Write");

    let gate = flow.merge_gate(&["--format", "json"]).exits(1);
    let report = gate.json();
    assert_eq!((&report["level"], &report["status"]), (&json!("documentation"), &json!("failed")));
    let findings = report["findings"].as_array().unwrap();
    let at = |path: &str| findings.iter().filter(|finding| finding["path"] == path).collect::<Vec<_>>();
    for (path, _, line, named) in violations {
        let found = at(path);
        assert_eq!(found.len(), 1, "{path}: {found:?}");
        assert_eq!(found[0]["line"], line, "{path}");
        assert!(found[0]["message"].as_str().unwrap().contains(named), "{named:?} in {}", found[0]);
    }
    assert!(at("docs/large.md")[0]["message"].as_str().unwrap().contains("bytes"));
    assert_eq!(at("docs/guide.md")[0]["line"], 3, "an unchanged document links to a deleted one");
    assert_eq!((at("docs/good.md").len(), at("docs/a b.md").len(), findings.len()), (0, 0, violations.len() + 2));
    flow.merge_gate(&[]).exits(1).next();
}

#[test]
fn s_111_a_merge_gate_needs_a_change_and_its_one_trusted_base() {
    let flow = Flow::new(WORLD, Project::gated().with_policy(|policy| policy["verification"]["trustedMergeTarget"] = json!("main")));
    edit(&flow.repo, "search/find.sh");
    flow.repo.commit("One");
    edit(&flow.repo, "search/find.sh");
    flow.repo.commit("Two");
    let refused = |base: &str| flow.repo.read_only(|| flow.repo.run(&["merge-gate", "--base", base])).exits(2);
    refused("HEAD").names("nothing to merge").next();
    assert_eq!(refused("HEAD~1").names("main").next(), "code-polishy merge-gate --base main");
    flow.merge_gate(&[]).exits(0);

    // Two branches that have merged each other have two merge bases.
    let git = |arguments: &[&str]| flow.repo.git(arguments);
    git(&["switch", "--quiet", "--create", "other", "main"]);
    edit(&flow.repo, "checkout/receipt.sh");
    flow.repo.commit("Other");
    git(&["switch", "--quiet", "topic"]);
    git(&["branch", "before"]);
    git(&["merge", "--quiet", "--no-edit", "other"]);
    git(&["switch", "--quiet", "other"]);
    git(&["merge", "--quiet", "--no-edit", "before"]);
    git(&["switch", "--quiet", "topic"]);
    refused("other").names("merge base").next();
}
