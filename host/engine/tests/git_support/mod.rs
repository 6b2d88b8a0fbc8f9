//! Real repositories, made by the git program, in temporary folders.
#![allow(dead_code, reason = "each test file uses some of it")]

use std::{
    ffi::OsStr,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

/// A repository with a work tree, removed when dropped.
pub struct Sample {
    folder: TempDir,
    root: PathBuf,
}

impl Sample {
    /// An empty repository on branch `main`.
    pub fn new() -> Self {
        Self::with_format("sha1")
    }

    /// The same with the object format `sha1` or `sha256`.
    pub fn with_format(format: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("repository");
        fs::create_dir(&root).unwrap();
        let sample = Self { folder, root };
        sample.git(["init", "-q", "-b", "main", "--object-format", format]);
        sample
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A folder beside the repository.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub fn open(&self) -> code_polishy_engine::git::Repository {
        code_polishy_engine::git::Repository::open(&self.root).unwrap()
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let place = self.root.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, content).unwrap();
        self
    }

    pub fn link(&self, path: &str, target: &str) -> &Self {
        symlink(target, self.root.join(path)).unwrap();
        self
    }

    pub fn mode(&self, path: &str, mode: u32) -> &Self {
        fs::set_permissions(self.root.join(path), fs::Permissions::from_mode(mode)).unwrap();
        self
    }

    pub fn remove(&self, path: &str) -> &Self {
        fs::remove_file(self.root.join(path)).unwrap();
        self
    }

    /// Commits everything and returns the id.
    pub fn commit(&self, message: &str) -> String {
        self.git(["add", "-A"]);
        self.git(["commit", "-q", "--allow-empty", "-m", message]);
        self.git(["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// Runs git in the repository and returns its standard output.
    pub fn git<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        String::from_utf8(self.git_bytes(arguments)).unwrap()
    }

    pub fn git_bytes<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Vec<u8> {
        let output = git_in(&self.root, arguments);
        assert!(output.status.success(), "git failed: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }
}

/// Runs git without anybody's configuration.
pub fn git_in<S: AsRef<OsStr>>(folder: &Path, arguments: impl IntoIterator<Item = S>) -> Output {
    isolated(Command::new("git").current_dir(folder).args(arguments)).output().unwrap()
}

pub fn isolated(command: &mut Command) -> &mut Command {
    for (name, value) in [
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ("GIT_AUTHOR_NAME", "A"),
        ("GIT_AUTHOR_EMAIL", "a@example.org"),
        ("GIT_COMMITTER_NAME", "A"),
        ("GIT_COMMITTER_EMAIL", "a@example.org"),
        ("GIT_AUTHOR_DATE", "2020-01-01T00:00:00Z"),
        ("GIT_COMMITTER_DATE", "2020-01-01T00:00:00Z"),
        ("LC_ALL", "C"),
    ] {
        command.env(name, value);
    }
    command
}

/// A scope in which everything counts.
pub struct Everything;

impl code_polishy_engine::git::Scope for Everything {
    fn tracked(&self, _: &str) -> bool {
        true
    }

    fn untracked(&self, _: &str) -> bool {
        true
    }
}
