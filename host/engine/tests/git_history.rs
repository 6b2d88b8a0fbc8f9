//! References, ancestry and trees (BR-7, BR-24, BR-83, BR-84).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod git_support;

use std::fs;

use code_polishy_core::{
    diagnostic::Failure,
    patch::EntryMode,
    plugin::{PathFact, PathKind},
};
use code_polishy_engine::git::{Ancestry, Repository, Tree, changes, merge_base, merge_bases};
use git_support::{Sample, git_in};

fn code(failure: &Failure) -> (&str, u8) {
    (&failure.diagnostics[0].code, failure.kind.exit_status())
}

fn refusal<T>(result: Result<T, Failure>) -> Failure {
    result.err().expect("it must be refused")
}

#[test]
fn opens_from_any_folder_of_the_tree() {
    let sample = Sample::new();
    sample.write("dir/sub/file", "x");
    let commit = sample.commit("base");
    let repository = Repository::discover(&sample.root().join("dir/sub")).unwrap();
    assert_eq!(repository.root(), sample.root());
    assert_eq!(repository.git_dir(), sample.root().join(".git"));
    assert_eq!(repository.head().unwrap(), commit);
    sample.git(["checkout", "-q", "--detach"]);
    assert_eq!(repository.head().unwrap(), commit);
}

#[test]
fn a_linked_worktree_shares_the_history() {
    let sample = Sample::new();
    let base = sample.commit("base");
    let linked = sample.beside("linked");
    sample.git(["worktree", "add", "-q", "-b", "other", linked.to_str().unwrap()]);
    git_in(&linked, ["commit", "-q", "--allow-empty", "-m", "more"]);
    let repository = Repository::discover(&linked).unwrap();
    assert_eq!(repository.root(), linked);
    assert_eq!(repository.common_dir(), sample.root().join(".git"));
    assert_ne!(repository.head().unwrap(), base);
    assert_eq!(repository.resolve("main").unwrap(), base);
}

#[test]
fn refuses_what_cannot_have_a_candidate() {
    let sample = Sample::new();
    assert_eq!(code(&refusal(sample.open().head())), ("git.unborn-head", 2));
    let bare = sample.beside("bare.git");
    git_in(sample.root(), ["init", "-q", "--bare", bare.to_str().unwrap()]);
    assert_eq!(code(&refusal(Repository::discover(&bare))), ("git.bare-repository", 2));
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(code(&refusal(Repository::discover(empty.path()))), ("git.no-repository", 2));
    fs::write(sample.root().join(".git/config"), "[core\n").unwrap();
    assert_eq!(code(&refusal(Repository::discover(sample.root()))), ("git.unreadable-repository", 2));
}

#[test]
fn a_reference_names_one_commit() {
    let sample = Sample::new();
    sample.write("file", "x");
    let first = sample.commit("first");
    let second = sample.commit("second");
    sample.git(["tag", "-a", "-m", "annotated", "v1", &first]);
    sample.git(["branch", "feature/x", &first]);
    let repository = sample.open();
    for name in ["v1", "feature/x", "HEAD~1", "main^", &first, &first[..12], "refs/tags/v1"] {
        assert_eq!(repository.resolve(name).unwrap(), first, "{name}");
    }
    assert_eq!(repository.resolve("HEAD").unwrap(), second);
    for name in ["", "-x", "a b", "a\tb", "a\0b"] {
        assert_eq!(code(&refusal(repository.resolve(name))), ("git.bad-reference", 2), "{name:?}");
    }
    for name in ["absent", "HEAD~9", "HEAD:file", "HEAD^{tree}", "HEAD~1..HEAD", "0000000000000000000000000000000000000000"] {
        assert_eq!(code(&refusal(repository.resolve(name))), ("git.unknown-reference", 2), "{name}");
    }
    assert_eq!(refusal(repository.resolve("origin/main")).diagnostics[0].next, "fetch it: git fetch origin main");
}

#[test]
fn ancestry_is_one_walk() {
    let sample = Sample::new();
    let commits: Vec<_> = (0..20).map(|number| sample.commit(&number.to_string())).collect();
    sample.git(["checkout", "-q", "-b", "side", &commits[10]]);
    let side = sample.commit("side");
    let repository = sample.open();
    let check = |repository: &Repository| {
        let ancestry = Ancestry::of(repository, &commits[19]).unwrap();
        assert!(commits.iter().all(|commit| ancestry.contains(commit).unwrap()));
        assert!(!ancestry.contains(&side).unwrap());
        assert!(!ancestry.contains(&"0".repeat(40)).unwrap());
        assert!(!ancestry.contains("nonsense").unwrap());
        ancestry.join(&side).unwrap();
        assert!(ancestry.contains(&side).unwrap() && ancestry.contains(&commits[0]).unwrap());
        assert!(!ancestry.contains(&"0".repeat(40)).unwrap());
        assert_eq!(merge_bases(repository, &side, &commits[19]).unwrap(), [commits[10].clone()]);
    };
    check(&repository);
    sample.git(["commit-graph", "write", "--reachable"]);
    check(&sample.open());
}

#[test]
fn the_merge_base_is_one() {
    let sample = Sample::new();
    let base = sample.commit("base");
    sample.git(["checkout", "-q", "-b", "other"]);
    let other = sample.commit("other");
    sample.git(["checkout", "-q", "main"]);
    let main = sample.commit("main");
    let repository = sample.open();
    assert_eq!(merge_base(&repository, "other", &main).unwrap(), base);
    sample.git(["merge", "-q", "-m", "m", &other]);
    let crossed = sample.git(["rev-parse", "HEAD"]).trim().to_owned();
    sample.git(["checkout", "-q", "other"]);
    sample.git(["merge", "-q", "-m", "m", &main]);
    assert_eq!(code(&refusal(merge_base(&repository, "other", &crossed))), ("git.several-merge-bases", 2));
    sample.git(["checkout", "-q", "--orphan", "alone"]);
    sample.commit("alone");
    assert_eq!(code(&refusal(merge_base(&repository, "alone", &crossed))), ("git.no-merge-base", 2));
}

#[test]
fn a_shallow_clone_names_the_fetch() {
    let sample = Sample::new();
    let first = sample.commit("first");
    let second = sample.commit("second");
    let clone = sample.beside("clone");
    let url = format!("file://{}", sample.root().display());
    git_in(sample.root(), ["clone", "-q", "--depth", "1", &url, clone.to_str().unwrap()]);
    let repository = Repository::open(&clone).unwrap();
    let failure = refusal(repository.resolve(&first));
    assert_eq!(code(&failure), ("git.unknown-reference", 2));
    assert!(failure.diagnostics[0].next.contains("git fetch --unshallow"));
    let ancestry = Ancestry::of(&repository, &second).unwrap();
    assert!(!ancestry.contains(&first).unwrap());
}

#[test]
fn replacements_and_grafts_have_no_effect() {
    let sample = Sample::new();
    sample.write("a", "one\n");
    let base = sample.commit("base");
    sample.write("a", "two\n");
    let candidate = sample.commit("candidate");
    let before = changes(&sample.open(), &base, &candidate).unwrap();
    sample.git(["replace", &candidate, &base]);
    fs::create_dir_all(sample.root().join(".git/info")).unwrap();
    fs::write(sample.root().join(".git/info/grafts"), format!("{candidate}\n")).unwrap();
    let repository = sample.open();
    assert_eq!(changes(&repository, &base, &candidate).unwrap(), before);
    assert!(Ancestry::of(&repository, &candidate).unwrap().contains(&base).unwrap());
}

fn attributed() -> (Sample, String) {
    let sample = Sample::new();
    sample.write(".gitattributes", "[attr]made linguist-generated -diff\n*.gen made\n*.md linguist-documentation=false text\n");
    sample.write("vendor/.gitattributes", "* linguist-vendored\n*.md !linguist-documentation -linguist-detectable\n");
    sample.write("a.gen", "x".repeat(5000)).write("vendor/b.md", "#\n").write("run", "#!\n").mode("run", 0o755).link("link", "run");
    sample.git(["update-index", "--add", "--cacheinfo", "160000,2222222222222222222222222222222222222222,sub"]);
    sample.git(["add", "-A", ":!sub"]);
    sample.git(["commit", "-q", "-m", "base"]);
    let commit = sample.git(["rev-parse", "HEAD"]).trim().to_owned();
    fs::create_dir_all(sample.root().join(".git/info")).unwrap();
    fs::write(sample.root().join(".git/info/attributes"), "* linguist-language=Outside\n").unwrap();
    (sample, commit)
}

#[test]
fn facts_come_from_the_tree_alone() {
    let (sample, commit) = attributed();
    sample.write(".gitattributes", "* linguist-language=Dirty\n");
    let tree = Tree::of(&sample.open(), &commit).unwrap();
    let facts = tree.facts(&["a.gen", "vendor/b.md", "run", "link", "sub"]).unwrap();
    let attribute = |name: &str, value: &str| (format!("linguist-{name}"), value.to_owned());
    let fact = |path: &str, kind, executable, size, head: &[u8], attributes| PathFact {
        path: path.to_owned(),
        kind,
        executable,
        size,
        head: head.to_vec(),
        attributes,
    };
    assert_eq!(facts[0], fact("a.gen", PathKind::File, false, 5000, &[b'x'; 4096], vec![attribute("generated", "true")]));
    let vendored = vec![attribute("detectable", "false"), attribute("vendored", "true")];
    assert_eq!(facts[1], fact("vendor/b.md", PathKind::File, false, 2, b"#\n", vendored));
    assert_eq!(facts[2], fact("run", PathKind::File, true, 3, b"#!\n", vec![]));
    assert_eq!(facts[3], fact("link", PathKind::Link, false, 3, b"run", vec![]));
    assert_eq!(facts[4], fact("sub", PathKind::Gitlink, false, 0, b"", vec![]));
}

#[test]
fn entries_are_found_and_listed() {
    let (sample, commit) = attributed();
    let tree = Tree::of(&sample.open(), &commit).unwrap();
    let mode = |path: &str| tree.entry(path).unwrap().map(|entry| entry.mode);
    assert_eq!([mode("run"), mode("link"), mode("sub")], [Some(EntryMode::Executable), Some(EntryMode::Link), Some(EntryMode::Gitlink)]);
    assert_eq!([mode("vendor"), mode("absent"), mode("run/x"), mode("vendor/absent")], [None; 4]);
    let paths = |folder: &str| tree.entries_below(folder).unwrap().into_iter().map(|(path, _)| path).collect::<Vec<_>>();
    assert_eq!(paths("vendor"), ["vendor/.gitattributes", "vendor/b.md"]);
    assert_eq!(paths(""), sample.git(["ls-files"]).lines().collect::<Vec<_>>());
    assert!(paths("absent").is_empty() && paths("run").is_empty());
}
