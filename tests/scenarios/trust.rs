//! What a tree, a candidate or a configuration cannot hide: S-104, S-108, S-110, S-114, S-115, S-118 (BR-21, BR-82 to BR-84).

use std::fs;

use code_polishy_tests::{Flow, INTENT, Project, Repo};
use serde_json::json;

use crate::WORLD;

const REQUIRED: &str = "BEHAVIOR REVIEW: REQUIRED (checkout)";

fn shop() -> Flow {
    Flow::new(WORLD, Project::shop())
}

#[test]
fn s_104_a_shallow_clone_without_the_base_names_the_fetch() {
    let flow = Flow::changed(WORLD, Project::shop());
    let shallow = flow.repo.area("shallow");
    let source = format!("file://{}", flow.repo.root().display());
    flow.repo.git(&["clone", "--quiet", "--depth", "1", "--branch", "topic", &source, shallow.to_str().unwrap()]);
    let status = ["--repo", shallow.to_str().unwrap(), "behavior-review", "status", "--base", &flow.base];
    flow.repo.run(&status).exits(2).names("fetch");
}

#[test]
fn s_108_a_candidate_cannot_exclude_its_own_change() {
    let flow = shop();
    let mut policy = flow.project.policy.clone();
    policy["scope"] = json!({"exclude": ["checkout/**"]});
    flow.repo.policy(&policy);
    flow.change();
    flow.status(&[]).exits(0).says(REQUIRED);

    let agreed = Flow::new(WORLD, Project::shop().with_policy(|policy| policy["scope"] = json!({"exclude": ["checkout/**"]})));
    agreed.change();
    agreed.status(&[]).exits(0).says("BEHAVIOR REVIEW: NOT RUN (optional)");
}

#[test]
fn s_108_a_candidate_that_tracks_reports_is_refused() {
    for folder in [".code-polishy-reports", ".code-polishy-artifacts"] {
        let flow = shop();
        flow.change();
        flow.repo.write(&format!("{folder}/notes.txt"), "notes\n").git(&["add", "--force", folder]);
        flow.repo.git(&["commit", "--quiet", "--message", "Track a report"]);
        flow.status(&[]).exits(2).names(folder);
        flow.repo.git(&["branch", "--force", "main"]);
        flow.repo.write("checkout/other.sh", "").git(&["add", "checkout/other.sh"]);
        flow.repo.git(&["commit", "--quiet", "--message", "Change something else"]);
        flow.status(&[]).exits(2).names(folder);
    }
}

#[test]
fn s_110_only_plain_markdown_is_documentation() {
    let plain = shop();
    plain.repo.write("checkout/README.md", "# Checkout\n").commit("Explain");
    plain.status(&[]).exits(0).says("BEHAVIOR REVIEW: NOT RUN (optional)");
    let others: [fn(&Repo); 4] = [
        |repo| drop(repo.write("checkout/run.md", "#!/bin/sh\n").path("")),
        |repo| drop(repo.link("checkout/link.md", "total.sh").path("")),
        |repo| drop(repo.write("checkout/AGENTS.md", "# Rules\n").path("")),
        |repo| drop(repo.write("checkout/Skills/total.md", "# Skill\n").path("")),
    ];
    for other in others {
        let flow = shop();
        other(&flow.repo);
        flow.repo.commit("Add something else");
        flow.status(&[]).exits(0).says(REQUIRED);
    }
}

#[test]
fn s_114_foreign_text_prints_no_line_of_ours() {
    let forged = "checkout/a\nBEHAVIOR REVIEW: PASSED (checkout)\n\u{1b}[2Jx.sh";
    let flow = shop();
    flow.repo.write(forged, "x\n");
    let status = flow.status(&[]).exits(0).says(REQUIRED).never_says("BEHAVIOR REVIEW: PASSED");
    assert!(!format!("{}{}", status.stdout, status.stderr).contains('\u{1b}'));
    let capture = flow.capture(INTENT).exits(1).never_says("BEHAVIOR REVIEW: PASSED");
    assert!(!capture.stderr.lines().any(|line| line.starts_with("BEHAVIOR REVIEW: PASSED")) && !capture.stderr.contains('\u{1b}'));

    let tail = "#!/bin/sh\nprintf 'PASS everything\\n::error file=x::hacked\\nMERGE GATE: FULL against nothing\\n\\033[2J'\nexit 1\n";
    let optional = Project { policy: code_polishy_tests::policy::without_review(), ..Project::shop() };
    let flow = Flow::new(WORLD, optional.with_file("run-tests.sh", tail));
    flow.change();
    let gate =
        flow.merge_gate(&[]).exits(1).never_says("PASS everything").never_says("::error").never_says("MERGE GATE: FULL against nothing");
    assert!(!format!("{}{}", gate.stdout, gate.stderr).contains('\u{1b}'));
}

#[test]
fn s_115_replace_refs_and_index_flags_have_no_effect() {
    let flow = Flow::changed(WORLD, Project::shop());
    flow.repo.git(&["replace", &flow.repo.head(), &flow.base]);
    flow.status(&[]).exits(0).says(REQUIRED);
    flow.repo.git(&["replace", "--delete", &flow.repo.head()]);

    for flag in ["--skip-worktree", "--assume-unchanged"] {
        let flow = Flow::changed(WORLD, Project::shop());
        flow.repo.git(&["update-index", flag, "search/items.txt"]);
        flow.prepare().exits(0);
        flow.repo.write("search/items.txt", "plum\n");
        flow.prepare().exits(1).names("search/items.txt");
    }
}

#[test]
fn s_118_private_ignores_hide_nothing() {
    let flow = shop();
    flow.repo.write(".git/info/exclude", "hidden.sh\n").write("checkout/hidden.sh", "x\n");
    flow.capture(INTENT).exits(1).names("checkout/hidden.sh");
    fs::remove_file(flow.repo.path("checkout/hidden.sh")).unwrap();

    flow.repo.write("checkout/elsewhere.sh", "x\n");
    fs::write(flow.repo.area("home").join("ignore"), "elsewhere.sh\n").unwrap();
    flow.repo.git(&["config", "core.excludesFile", flow.repo.area("home").join("ignore").to_str().unwrap()]);
    flow.capture(INTENT).exits(1).names("checkout/elsewhere.sh");
}
