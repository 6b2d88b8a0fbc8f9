//! The state of the working tree beside `git status`, and what may not change it (contract 4.2, BR-84).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

mod git_support;

use std::{fs, os::unix::net::UnixListener};

use code_polishy_core::canonical::{digest_bytes, digest_json};
use code_polishy_engine::git::{Scope, Status, WorkingState};
use git_support::{Everything, Sample};

fn state(sample: &Sample) -> WorkingState {
    WorkingState::read(&sample.open(), &Everything).unwrap()
}

fn paths(sample: &Sample) -> Vec<String> {
    Status::read(&sample.open(), &Everything).unwrap().paths().into_iter().map(str::to_owned).collect()
}

/// What `git status` calls changed, sorted.
fn git_paths(sample: &Sample) -> Vec<String> {
    let text = sample.git(["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"]);
    let mut paths: Vec<_> = text.split_terminator('\0').map(|line| line[3..].to_owned()).collect();
    paths.sort();
    paths
}

fn start() -> Sample {
    let sample = Sample::new();
    sample.write("a", "one\n").write("dir/b", "two\n").write("dir/c", "three\n").write("run", "x\n").link("link", "a");
    sample.write(".gitignore", "*.log\n/out/\n!keep.log\n");
    sample.commit("base");
    sample
}

#[test]
fn a_clean_tree_is_clean_whatever_the_stat_data_say() {
    let sample = start();
    let before = state(&sample);
    assert!(before.clean);
    let empty = digest_bytes(b"");
    let document = serde_json::json!({
        "head": sample.git(["rev-parse", "HEAD"]).trim(),
        "staged": {"paths": [], "sha256": empty},
        "unstaged": {"paths": [], "sha256": empty},
        "untracked": [],
    });
    assert_eq!(before.sha256, digest_json(&document));
    sample.write("a", "one\n").mode("dir/b", 0o600);
    assert_eq!(state(&sample), before);
}

#[test]
fn finds_what_git_finds() {
    let sample = start();
    sample.write("a", "changed\n").remove("dir/b").mode("run", 0o755).write("new", "n\n").write("dir/deep/new file", "n\n");
    sample.write("x.log", "hidden").write("keep.log", "seen").write("out/hidden", "hidden");
    sample.write("staged", "s\n").write("dir/c", "staged\n");
    sample.git(["add", "staged", "dir/c"]);
    sample.write("dir/c", "staged and changed\n").remove("link").write("link", "a");
    sample.write("intended", "i\n");
    sample.git(["add", "--intent-to-add", "intended"]);
    assert_eq!(paths(&sample), git_paths(&sample));
    let state = state(&sample);
    assert_eq!(state.staged.iter().map(|change| change.path.as_str()).collect::<Vec<_>>(), ["dir/c", "staged"]);
    assert_eq!(state.untracked.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["dir/deep/new file", "keep.log", "new"]);
    assert!(!state.clean);
}

#[test]
fn equal_trees_have_equal_digests() {
    let change = |sample: &Sample| {
        sample.write("a", "changed\n").remove("dir/b").write("staged", "s\n");
        sample.git(["add", "staged"]);
        sample.write("new", "n\n").mode("new", 0o755).link("new-link", "nowhere");
        state(sample)
    };
    let (one, other) = (start(), start());
    let (one, other) = (change(&one), change(&other));
    assert_eq!(one, other);
    let link = one.untracked.iter().find(|file| file.path == "new-link").unwrap();
    assert_eq!((link.kind, link.size, &link.sha256), ("symlink", 7, &digest_bytes(b"nowhere")));
    assert!(one.untracked.iter().any(|file| file.path == "new" && file.executable && file.size == 2));
}

#[test]
fn content_decides_the_digest() {
    let sample = start();
    sample.write("a", "changed\n").write("new", "1");
    let before = state(&sample).sha256;
    sample.write("new", "2");
    let after = state(&sample).sha256;
    sample.write("a", "changed again\n");
    let last = state(&sample).sha256;
    assert!(before != after && after != last);
}

#[test]
fn only_ignore_files_of_the_tree_hide() {
    let sample = start();
    fs::create_dir_all(sample.root().join(".git/info")).unwrap();
    fs::write(sample.root().join(".git/info/exclude"), "new\n").unwrap();
    let global = sample.beside("ignore");
    fs::write(&global, "new\n").unwrap();
    sample.git(["config", "core.excludesFile", global.to_str().unwrap()]);
    sample.write("new", "n").write("dir/.gitignore", "hidden\n").write("dir/hidden", "h").write("dir/sub/hidden", "h");
    assert_eq!(paths(&sample), ["dir/.gitignore", "new"]);
}

#[test]
fn nested_repositories_and_sockets_count_by_kind() {
    let sample = start();
    fs::create_dir_all(sample.root().join("nested")).unwrap();
    git_support::git_in(&sample.root().join("nested"), ["init", "-q"]);
    sample.write("nested/file", "f");
    let _socket = UnixListener::bind(sample.root().join("socket")).unwrap();
    let state = state(&sample);
    let kinds: Vec<_> = state.untracked.iter().map(|file| (file.path.as_str(), file.kind, file.size)).collect();
    assert_eq!(kinds, [("nested", "repository", 0), ("socket", "other", 0)]);
}

#[test]
fn marks_in_the_index_hide_nothing() {
    let sample = start();
    sample.git(["update-index", "--assume-unchanged", "a"]);
    sample.git(["update-index", "--skip-worktree", "dir/b"]);
    assert!(state(&sample).clean);
    sample.write("a", "changed\n").write("dir/b", "changed\n");
    assert_eq!(paths(&sample), ["a", "dir/b"]);
    sample.remove("a").remove("dir/b");
    assert!(state(&sample).clean, "a marked entry may lack its file");
}

#[test]
fn a_linked_folder_holds_no_tracked_file() {
    let sample = start();
    fs::rename(sample.root().join("dir"), sample.beside("elsewhere")).unwrap();
    sample.link("dir", sample.beside("elsewhere").to_str().unwrap());
    assert_eq!(paths(&sample), ["dir", "dir/b", "dir/c"]);
}

#[test]
fn line_end_attributes_apply_and_filters_do_not() {
    let sample = Sample::new();
    sample.write(".gitattributes", "*.txt text eol=crlf\n*.bin filter=odd\n").write("a.txt", "one\r\ntwo\r\n").write("a.bin", "raw");
    sample.commit("base");
    sample.git(["config", "filter.odd.clean", "touch ran; cat"]);
    sample.write("a.txt", "one\r\ntwo\r\n").write("a.bin", "raw");
    assert!(state(&sample).clean);
    assert!(!sample.root().join("ran").exists());
    sample.write("a.txt", "one\r\nthree\r\n");
    assert_eq!(paths(&sample), ["a.txt"]);
}

#[test]
fn a_submodule_is_its_commit() {
    let inner = start();
    let sample = start();
    let url = inner.root().to_str().unwrap();
    sample.git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", url, "sub"]);
    sample.commit("submodule");
    sample.write("sub/untracked", "u");
    assert!(state(&sample).clean, "submodules are never entered");
    git_support::git_in(&sample.root().join("sub"), ["commit", "-q", "--allow-empty", "-m", "more"]);
    assert_eq!(paths(&sample), ["sub"]);
}

struct Outside<'a>(&'a str);

impl Scope for Outside<'_> {
    fn tracked(&self, path: &str) -> bool {
        !path.starts_with(self.0)
    }

    fn untracked(&self, path: &str) -> bool {
        !path.starts_with(self.0)
    }

    fn enters(&self, folder: &str) -> bool {
        folder != self.0
    }
}

#[test]
fn excluded_folders_are_not_entered() {
    let sample = start();
    sample.write("target/x", "x").write("target/.git", "not a repository").write("new", "n").write("dir/b", "changed\n");
    let status = Status::read(&sample.open(), &Outside("target")).unwrap();
    assert_eq!(status.paths(), ["dir/b", "new"]);
    assert!(Status::read(&sample.open(), &Outside("dir")).unwrap().paths().iter().all(|path| !path.starts_with("dir")));
}

#[test]
fn conflicts_and_merges_are_refused() {
    let sample = start();
    sample.git(["checkout", "-q", "-b", "other"]);
    sample.write("a", "other\n").commit("other");
    sample.git(["checkout", "-q", "main"]);
    sample.write("a", "main\n").commit("main");
    git_support::git_in(sample.root(), ["merge", "other"]);
    let failure = Status::read(&sample.open(), &Everything).err().unwrap();
    assert_eq!((failure.diagnostics[0].code.as_str(), failure.kind.exit_status()), ("git.merge-in-progress", 2));
    fs::remove_file(sample.root().join(".git/MERGE_HEAD")).unwrap();
    let failure = Status::read(&sample.open(), &Everything).err().unwrap();
    assert!(failure.diagnostics[0].message.contains("`a` has a conflict"));
}

#[test]
fn a_sparse_or_split_index_is_read_like_any_other() {
    let sample = start();
    sample.git(["update-index", "--split-index"]);
    sample.write("dir/b", "changed\n");
    assert_eq!(paths(&sample), ["dir/b"]);
    sample.git(["checkout", "-q", "dir/b"]);
    sample.git(["update-index", "--no-split-index"]);
    sample.write("other/d", "four\n").commit("more");
    sample.git(["sparse-checkout", "set", "--cone", "--sparse-index", "other"]);
    assert!(!sample.root().join("dir").exists());
    assert!(state(&sample).clean);
    sample.write("other/d", "changed\n").git(["add", "-A"]);
    assert_eq!(paths(&sample), ["other/d"]);
}

#[test]
fn staged_deletions_and_moves_are_exact() {
    let sample = start();
    sample.git(["mv", "dir/b", "moved"]);
    sample.git(["rm", "-q", "--cached", "run"]);
    sample.git(["update-index", "--chmod=+x", "a"]);
    let state = state(&sample);
    let staged: Vec<_> = state.staged.iter().map(|change| (change.path.as_str(), change.old.is_some(), change.new.is_some())).collect();
    assert_eq!(staged, [("a", true, true), ("dir/b", true, false), ("moved", false, true), ("run", true, false)]);
    assert_eq!(state.unstaged.iter().map(|change| change.path.as_str()).collect::<Vec<_>>(), ["a"]);
    assert_eq!(state.untracked.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["run"]);
}
