//! A real repository in a folder of its own, with a home, a place for worktrees and a fixed clock.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use tempfile::TempDir;

use crate::{EVIDENCE, Output, Snapshot};

/// Where the binary is, and the folder in which tests share what is costly to make.
#[derive(Clone, Copy, Debug)]
pub struct World {
    /// Path of the binary under test.
    pub binary: &'static str,
    /// Holds the compiled plugins of all tests.
    pub scratch: &'static str,
}

/// A repository that disappears with the value.
#[derive(Debug)]
pub struct Repo {
    world: World,
    area: TempDir,
}

impl Repo {
    /// An empty repository on the branch `main`.
    pub fn new(world: World) -> Self {
        Self::new_in(world, &std::env::temp_dir())
    }

    /// The same where files are made fast: in memory, if there is such a place.
    pub fn new_in_memory(world: World) -> Self {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() { Self::new_in(world, memory) } else { Self::new(world) }
    }

    fn new_in(world: World, place: &Path) -> Self {
        let area = tempfile::Builder::new().prefix("polishy-").tempdir_in(place).expect("a temporary folder");
        let repo = Self { world, area };
        for folder in ["repo", "home", "tmp", "worktrees"] {
            fs::create_dir(repo.area(folder)).expect("a new folder");
        }
        repo.git(&["init", "--quiet", "--initial-branch=main"]);
        repo
    }

    /// The working tree.
    pub fn root(&self) -> PathBuf {
        self.area("repo")
    }

    /// A path beside the repository: `home`, `tmp`, `worktrees` or anything that a test adds.
    pub fn area(&self, name: &str) -> PathBuf {
        // Commands see resolved paths, and so must the tests that compare them.
        self.area.path().canonicalize().expect("an existing folder").join(name)
    }

    /// A path in the working tree.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root().join(path)
    }

    /// Writes a file; one that starts with `#!` is executable.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let target = self.path(path);
        fs::create_dir_all(target.parent().expect("a folder")).expect("folders");
        fs::write(&target, content.as_ref()).expect("a written file");
        if content.as_ref().starts_with(b"#!") {
            fs::set_permissions(&target, fs::Permissions::from_mode(0o755)).expect("an executable file");
        }
        self
    }

    /// Removes a file of the working tree.
    pub fn remove(&self, path: &str) -> &Self {
        fs::remove_file(self.path(path)).expect("a removed file");
        self
    }

    /// Makes a symbolic link in the working tree.
    pub fn link(&self, path: &str, target: impl AsRef<Path>) -> &Self {
        let link = self.path(path);
        fs::create_dir_all(link.parent().expect("a folder")).expect("folders");
        symlink(target, link).expect("a new link");
        self
    }

    /// Writes the policy file.
    pub fn policy(&self, policy: &Value) -> &Self {
        self.write(".code-polishy.json", serde_json::to_vec_pretty(policy).expect("JSON"))
    }

    /// Reads a file of the working tree.
    pub fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Reads a JSON file of the working tree.
    pub fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&self.read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Reads a JSON file of the evidence.
    pub fn evidence(&self, name: &str) -> Value {
        self.json(&format!("{EVIDENCE}/{name}"))
    }

    /// Whether there is a file of this name in the evidence.
    pub fn has_evidence(&self, name: &str) -> bool {
        self.path(EVIDENCE).join(name).exists()
    }

    /// Everything below `.code-polishy-reports`.
    pub fn reports(&self) -> Snapshot {
        Snapshot::of(&self.path(".code-polishy-reports"))
    }

    /// Commits the whole working tree but the reports; the commit's id.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["rm", "-r", "--cached", "--quiet", "--ignore-unmatch", ".code-polishy-reports"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
        self.head()
    }

    /// The id of HEAD.
    pub fn head(&self) -> String {
        self.git(&["rev-parse", "HEAD"])
    }

    /// What the git program prints, without the final line end.
    #[track_caller]
    pub fn git(&self, arguments: &[&str]) -> String {
        let output = self.program("git", arguments).output().expect("git runs");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("git prints UTF-8").trim_end_matches('\n').to_owned()
    }

    /// The diff that git makes under the fixed rules of BR-44, without the line of context that git guesses behind a hunk's `@@`.
    #[track_caller]
    pub fn plain_diff(&self, arguments: &[&str]) -> String {
        const RULES: &[&str] = &[
            "-c",
            "core.quotePath=true",
            "diff",
            "--full-index",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            "--unified=3",
            "--diff-algorithm=myers",
            "--src-prefix=a/",
            "--dst-prefix=b/",
        ];
        let output = self.program("git", &[RULES, arguments].concat()).output().expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("a diff of UTF-8 text");
        text.split_inclusive('\n').map(without_heading).collect()
    }

    /// The binary with these arguments, ready to be changed and run.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.program(self.world.binary, arguments);
        command.env("CODE_POLISHY_CACHE", Path::new(self.world.scratch).join("plugins"));
        command.env("CODE_POLISHY_WORKTREES", self.area("worktrees"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the binary.
    pub fn run(&self, arguments: &[&str]) -> Output {
        finish(self.command(arguments), b"")
    }

    /// Runs the binary with this standard input.
    pub fn run_with_input(&self, arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
        finish(self.command(arguments), input.as_ref())
    }

    /// Runs a command that was made here and then changed.
    pub fn run_command(&self, command: Command) -> Output {
        finish(command, b"")
    }

    /// Runs the binary and demands that it changes neither reports nor candidate.
    #[track_caller]
    pub fn run_read_only(&self, arguments: &[&str]) -> Output {
        self.read_only(|| self.run(arguments))
    }

    /// Demands that a run changes neither reports nor candidate.
    #[track_caller]
    pub fn read_only(&self, run: impl FnOnce() -> Output) -> Output {
        let state = || (self.reports(), self.git(&["status", "--porcelain"]), self.git(&["for-each-ref"]));
        let before = state();
        let output = run();
        assert_eq!(before, state(), "something was written by {output}");
        output
    }

    /// Demands that no disposable worktree is left: none registered, none on disk.
    #[track_caller]
    pub fn assert_no_worktree(&self) {
        assert_eq!(self.git(&["worktree", "list", "--porcelain"]).lines().filter(|line| line.starts_with("worktree ")).count(), 1);
        let left = Snapshot::of(&self.area("worktrees"));
        let trees: Vec<_> = left.paths().into_iter().filter(|path| path.ends_with(".git")).collect();
        assert!(trees.is_empty(), "left worktrees: {trees:?}");
    }

    /// Any program in the working tree, cut off from the caller's home, settings and clock.
    pub fn program(&self, program: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.root()).env_clear().env("PATH", search_path());
        command.env("HOME", self.area("home")).env("TMPDIR", self.area("tmp")).env("LANG", "C.UTF-8");
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "Robin").env(format!("GIT_{role}_EMAIL"), "robin@example.org");
            command.env(format!("GIT_{role}_DATE"), "2001-02-03T04:05:06Z");
        }
        command
    }
}

fn without_heading(line: &str) -> String {
    match line.strip_prefix("@@ ").and_then(|rest| rest.split_once(" @@")) {
        Some((ranges, _)) => format!("@@ {ranges} @@\n"),
        None => line.to_owned(),
    }
}

fn finish(mut command: Command, input: &[u8]) -> Output {
    let name = display(&command);
    if !input.is_empty() {
        command.stdin(Stdio::piped());
    }
    let mut child = command.spawn().expect("the binary starts");
    if let Some(mut pipe) = child.stdin.take() {
        // A command that refuses its options closes the pipe before it has read anything.
        let _ = pipe.write_all(input);
    }
    Output::new(name, child.wait_with_output().expect("the command ends"))
}

fn display(command: &Command) -> String {
    command.get_args().fold("code-polishy".to_owned(), |text, argument| format!("{text} {}", argument.to_string_lossy()))
}

/// The caller's search path behind the real toolchain, so that cargo needs no rustup home.
fn search_path() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| {
        let inherited = std::env::var("PATH").expect("a search path");
        let printed = Command::new("rustc").args(["--print", "sysroot"]).output().expect("rustc runs");
        let sysroot = String::from_utf8(printed.stdout).expect("a UTF-8 path");
        format!("{}/bin:{inherited}", sysroot.trim())
    })
}
