//! The script of `docs/ci.md`, run as a team's CI would run it.

use std::fs;
use std::path::Path;

use code_polishy_tests::{Flow, Output, Project};

use crate::WORLD;

const PAGE: &str = include_str!("../../docs/ci.md");

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let after_fence = PAGE.split("\n```").skip(1).step_by(2);
    after_fence.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n')).collect()
}

/// Runs the page's blocks in their order, in one shell.
fn run(flow: &Flow) -> Output {
    let origin = flow.repo.area("origin.git");
    flow.repo.git(&["clone", "--quiet", "--bare", ".", origin.to_str().unwrap()]);
    let binary = flow.repo.command(&[]);
    let mut shell = flow.repo.program("sh", &["-eu", "-c", &blocks("sh").join("\n")]);
    shell.env("ORIGIN", origin).env("TARGET", "main").env("BRANCH", "topic").env("CACHE", Path::new(WORLD.scratch).join("plugins"));
    for folder in ["ARTIFACTS", "CODE_POLISHY_WORKTREES"] {
        fs::create_dir_all(flow.repo.area(&folder.to_lowercase())).unwrap();
        shell.env(folder, flow.repo.area(&folder.to_lowercase()));
    }
    let folder = Path::new(binary.get_program()).parent().unwrap().to_str().unwrap();
    let path = shell.get_envs().find_map(|(name, value)| (name == "PATH").then(|| value.unwrap().to_str().unwrap().to_owned()));
    shell.env("PATH", format!("{folder}:{}", path.unwrap()));
    Output::new("docs/ci.md".to_owned(), shell.output().unwrap())
}

fn artifact(flow: &Flow, name: &str) -> String {
    fs::read_to_string(flow.repo.area("artifacts").join(name)).unwrap()
}

#[test]
fn the_page_lets_a_reviewed_change_in() {
    let flow = Flow::accepted(WORLD, Project::shop());
    let output = run(&flow).exits(0);
    for line in blocks("text").iter().flat_map(|block| block.lines()) {
        let said = [&output.stdout, &output.stderr].iter().any(|stream| stream.lines().any(|said| said == line));
        assert!(said, "nobody says {line:?} in {output}");
    }
    assert!(artifact(&flow, "summary.md").starts_with("# Merge gate: PASSED\n"));
    let report: serde_json::Value = serde_json::from_str(&artifact(&flow, "report.json")).unwrap();
    assert_eq!((&report["status"], &report["candidate"]), (&"passed".into(), &flow.repo.head().into()));
    assert!(flow.repo.area("artifacts").join("merge-gate.tar.gz").exists());
    assert!(output.stdout.contains("\nCHECKPOINT ACCEPTED: "), "{output}");
}

#[test]
fn the_page_stops_an_unreviewed_change_and_shows_why() {
    let flow = Flow::prepared(WORLD, Project::shop());
    run(&flow).exits(1).says("BEHAVIOR REVIEW: REQUIRED (checkout)");
    assert!(artifact(&flow, "summary.md").starts_with("# Merge gate: FAILED\n"));
}
