//! Disposable worktrees: exact, quiet, and gone afterwards (BR-57, BR-82).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod git_support;

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

use code_polishy_core::patch::Entry;
use code_polishy_engine::git::{Repository, Tree, Worktree, Worktrees};
use git_support::{Sample, git_in};

fn worktrees(sample: &Sample) -> Worktrees {
    Worktrees::new(&sample.open(), sample.beside("disposable")).unwrap()
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    String::from_utf8(git_in(folder, arguments).stdout).unwrap().trim().to_owned()
}

fn entry(sample: &Sample, commit: &str, path: &str) -> Option<Entry> {
    Tree::of(&sample.open(), commit).unwrap().entry(path).unwrap()
}

/// Nothing is registered and nothing lies about.
fn assert_gone(sample: &Sample) {
    assert_eq!(sample.git(["worktree", "list", "--porcelain"]).matches("worktree ").count(), 1);
    let left: Vec<_> = fs::read_dir(sample.beside("disposable")).unwrap().map(|child| child.unwrap().file_name()).collect();
    assert_eq!(left, [".guard"]);
}

fn two_commits() -> (Sample, String, String) {
    let sample = Sample::new();
    sample.write("a", "one\n").write("dir/b", "two\n").write("run", "x\n").mode("run", 0o755).link("link", "a").write("test", "old\n");
    let base = sample.commit("base");
    sample.write("a", "changed\n").write("tests/new", "new\n").remove("test");
    let candidate = sample.commit("candidate");
    (sample, base, candidate)
}

#[test]
fn holds_exactly_the_commit_and_goes_away() {
    let (sample, base, _) = two_commits();
    let worktree = worktrees(&sample).add(&base, "control").unwrap();
    let path = worktree.path().to_owned();
    assert_eq!(path.file_name().unwrap(), "control");
    assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
    assert_eq!(git(&path, &["rev-parse", "HEAD"]), base);
    assert_eq!(git(&path, &["status", "--porcelain"]), "");
    assert_eq!(git(&path, &["rev-parse", "--abbrev-ref", "HEAD"]), "HEAD");
    assert_eq!(fs::read_link(path.join("link")).unwrap(), Path::new("a"));
    assert!(fs::metadata(path.join("run")).unwrap().permissions().mode() & 0o100 != 0);
    assert!(!worktree.tracked_changes().unwrap());
    worktree.remove().unwrap();
    assert_gone(&sample);
}

#[test]
fn dropping_removes_too() {
    let (sample, base, candidate) = two_commits();
    let worktrees = worktrees(&sample);
    let (one, other) = (worktrees.add(&base, "baseline").unwrap(), worktrees.add(&candidate, "baseline").unwrap());
    assert_ne!(one.path(), other.path());
    drop((one, other));
    assert_gone(&sample);
}

#[test]
fn runs_no_hook_and_no_filter_but_converts_line_ends() {
    let sample = Sample::new();
    sample.write(
        ".gitattributes",
        "*.txt text eol=crlf\n*.latin working-tree-encoding=ISO-8859-1\n*.wide working-tree-encoding=UTF-16LE eol=crlf\n*.odd filter=odd\n",
    );
    sample
        .write("a.txt", "one\n")
        .write("b.latin", b"\xe9\n")
        .write("c.odd", "raw\n")
        .write("d.wide", "A\0\r\0\n\0")
        .write("plain", "one\n");
    let base = sample.commit("base");
    let hook = sample.root().join(".git/hooks/post-checkout");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\ntouch ran\n").unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    for (key, value) in [("filter.odd.smudge", "sed s/raw/smudged/"), ("filter.odd.required", "true"), ("core.autocrlf", "true")] {
        sample.git(["config", key, value]);
    }
    fs::create_dir_all(sample.root().join(".git/info")).unwrap();
    fs::write(sample.root().join(".git/info/attributes"), "plain text eol=crlf\n").unwrap();
    let worktree = worktrees(&sample).add(&base, "control").unwrap();
    let read = |name: &str| fs::read(worktree.path().join(name)).unwrap();
    assert_eq!((read("a.txt"), read("b.latin")), (b"one\r\n".to_vec(), b"\xe9\n".to_vec()));
    assert_eq!(read("d.wide"), b"A\0\r\0\n\0");
    assert_eq!((read("c.odd"), read("plain")), (b"raw\n".to_vec(), b"one\n".to_vec()));
    assert!(!worktree.path().join("ran").exists());
    assert!(!worktree.tracked_changes().unwrap());
}

#[test]
fn evidence_is_laid_over_and_is_no_change() {
    let (sample, base, candidate) = two_commits();
    let mut worktree = worktrees(&sample).add(&base, "baseline").unwrap();
    let files = ["a", "tests/new", "test"].map(|path| (path.to_owned(), entry(&sample, &candidate, path)));
    worktree.write_files(&files).unwrap();
    assert_eq!(fs::read(worktree.path().join("a")).unwrap(), b"changed\n");
    assert_eq!(fs::read(worktree.path().join("tests/new")).unwrap(), b"new\n");
    assert!(!worktree.path().join("test").exists());
    assert!(!worktree.tracked_changes().unwrap());
    fs::write(worktree.path().join("untracked"), "u").unwrap();
    assert!(!worktree.tracked_changes().unwrap());
    fs::write(worktree.path().join("tests/new"), "NEW\n").unwrap();
    assert!(worktree.tracked_changes().unwrap());
}

#[test]
fn evidence_never_goes_through_a_link() {
    let sample = Sample::new();
    let outside = sample.beside("outside");
    fs::create_dir(&outside).unwrap();
    sample.link("tests", outside.to_str().unwrap());
    let base = sample.commit("base");
    sample.remove("tests").write("tests/new", "new\n");
    let candidate = sample.commit("candidate");
    let mut worktree = worktrees(&sample).add(&base, "baseline").unwrap();
    let failure = worktree.write_files(&[("tests/new".to_owned(), entry(&sample, &candidate, "tests/new"))]).unwrap_err();
    assert_eq!((failure.diagnostics[0].code.as_str(), failure.kind.exit_status()), ("git.path-in-the-way", 1));
    assert!(fs::read_dir(outside).unwrap().next().is_none());
}

fn spoil(worktree: &Worktree) {
    let path = worktree.path();
    git(path, &["checkout", "-q", "-b", "stolen"]);
    git(path, &["worktree", "lock", "."]);
    git(path, &["commit", "-q", "--allow-empty", "-m", "own"]);
    fs::create_dir_all(path.join("deep/er")).unwrap();
    fs::write(path.join("deep/er/file"), "x").unwrap();
    for folder in ["deep/er", "deep", "dir"] {
        fs::set_permissions(path.join(folder), fs::Permissions::from_mode(0o500)).unwrap();
    }
    fs::remove_file(path.join(".git")).unwrap();
}

#[test]
fn a_suite_cannot_keep_its_worktree() {
    let (sample, base, _) = two_commits();
    let worktree = worktrees(&sample).add(&base, "control").unwrap();
    spoil(&worktree);
    worktree.remove().unwrap();
    assert_gone(&sample);
}

#[test]
fn changes_of_every_kind_are_seen() {
    let (sample, base, _) = two_commits();
    let changes: [fn(&Path); 5] = [
        |path| fs::write(path.join("a"), "two\n").unwrap(),
        |path| fs::remove_file(path.join("dir/b")).unwrap(),
        |path| fs::set_permissions(path.join("a"), fs::Permissions::from_mode(0o755)).unwrap(),
        |path| fs::remove_file(path.join("link")).and_then(|()| fs::write(path.join("link"), "a")).unwrap(),
        |path| fs::remove_dir_all(path).unwrap(),
    ];
    for change in changes {
        let worktree = worktrees(&sample).add(&base, "control").unwrap();
        change(worktree.path());
        assert!(worktree.tracked_changes().unwrap());
    }
    let worktree = worktrees(&sample).add(&base, "control").unwrap();
    fs::write(worktree.path().join("a"), "one\n").unwrap();
    assert!(!worktree.tracked_changes().unwrap());
}

#[test]
fn worktrees_that_a_suite_makes_go_with_its_own() {
    let (sample, base, _) = two_commits();
    let worktrees = worktrees(&sample);
    let outside = sample.beside("outside");
    let worktree = worktrees.add(&base, "control").unwrap();
    git(worktree.path(), &["worktree", "add", "-q", "--detach", "--lock", "../own", &base]);
    git(worktree.path(), &["worktree", "add", "-q", "--detach", outside.to_str().unwrap(), &base]);
    git(&outside, &["worktree", "move", worktree.path().to_str().unwrap(), worktree.path().with_file_name("moved").to_str().unwrap()]);
    worktree.remove().unwrap();
    assert_eq!(sample.git(["worktree", "list", "--porcelain"]).matches("worktree ").count(), 2, "what is elsewhere is not ours to remove");
    sample.git(["worktree", "remove", outside.to_str().unwrap()]);
    assert_gone(&sample);
}

/// What a killed process leaves: everything but the lock.
fn abandon(worktree: Worktree) {
    let (folder, copy) = (worktree.path().parent().unwrap().to_owned(), worktree.path().parent().unwrap().with_file_name("kept"));
    let git_dir = git(worktree.path(), &["rev-parse", "--absolute-git-dir"]);
    let kept = Path::new(&git_dir).ancestors().nth(2).unwrap().join("kept");
    fs::rename(&folder, &copy).unwrap();
    fs::rename(&git_dir, &kept).unwrap();
    drop(worktree);
    fs::rename(copy, folder).unwrap();
    fs::create_dir_all(Path::new(&git_dir).parent().unwrap()).unwrap();
    fs::rename(kept, git_dir).unwrap();
}

#[test]
fn sweeping_spares_the_living() {
    let (sample, base, _) = two_commits();
    let worktrees = worktrees(&sample);
    let living = worktrees.add(&base, "living").unwrap();
    abandon(worktrees.add(&base, "dead").unwrap());
    assert_eq!(sample.git(["worktree", "list", "--porcelain"]).matches("worktree ").count(), 3);
    assert_eq!(worktrees.sweep().unwrap(), 1);
    assert!(living.path().join("a").exists());
    assert_eq!(worktrees.sweep().unwrap(), 0);
    living.remove().unwrap();
    assert_gone(&sample);
}

#[test]
fn sweeping_forgets_registrations_without_a_folder() {
    let (sample, base, _) = two_commits();
    let worktrees = worktrees(&sample);
    let worktree = worktrees.add(&base, "lost").unwrap();
    let folder = worktree.path().parent().unwrap().to_owned();
    abandon(worktree);
    fs::remove_dir_all(folder).unwrap();
    assert_eq!(worktrees.sweep().unwrap(), 1);
    assert_gone(&sample);
}

#[test]
fn sweeping_cleans_after_another_repository() {
    let (one, base, _) = two_commits();
    let other = Sample::new();
    other.commit("base");
    abandon(worktrees(&one).add(&base, "dead").unwrap());
    assert_eq!(Worktrees::new(&other.open(), one.beside("disposable")).unwrap().sweep().unwrap(), 1);
    assert_gone(&one);
}

#[test]
fn the_place_is_outside_the_repository() {
    let (sample, ..) = two_commits();
    for inside in ["", "x", ".git/x"] {
        let failure = Worktrees::new(&sample.open(), sample.root().join(inside)).err().unwrap();
        assert_eq!(failure.diagnostics[0].code, "git.worktrees-inside-repository");
    }
}

#[test]
fn works_from_a_linked_worktree_and_with_long_ids() {
    let sample = Sample::with_format("sha256");
    sample.write("a", "one\n").write(".gitmodules", "");
    let base = sample.commit("base");
    let linked = sample.beside("linked");
    sample.git(["worktree", "add", "-q", linked.to_str().unwrap()]);
    let repository = Repository::discover(&linked).unwrap();
    let worktree = Worktrees::new(&repository, sample.beside("disposable")).unwrap().add(&base, "control").unwrap();
    assert_eq!(git(worktree.path(), &["status", "--porcelain"]), "");
    assert_eq!(git(worktree.path(), &["rev-parse", "HEAD"]), base);
    worktree.remove().unwrap();
    sample.git(["worktree", "remove", linked.to_str().unwrap()]);
    assert_gone(&sample);
}

#[test]
fn a_submodule_is_an_empty_folder() {
    let sample = Sample::new();
    sample.write("a", "one\n");
    sample.git(["update-index", "--add", "--cacheinfo", "160000,2222222222222222222222222222222222222222,sub"]);
    sample.git(["add", "a"]);
    sample.git(["commit", "-q", "-m", "base"]);
    let base = sample.git(["rev-parse", "HEAD"]).trim().to_owned();
    let worktree = worktrees(&sample).add(&base, "control").unwrap();
    assert!(worktree.path().join("sub").is_dir());
    assert!(!worktree.tracked_changes().unwrap());
}
