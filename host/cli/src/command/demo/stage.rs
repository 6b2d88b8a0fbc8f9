//! Where the demo is played: files, git, and this very program as a child, each command shown before its output.

use std::{
    ffi::OsStr,
    fs,
    io::{self, Read, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use code_polishy_core::diagnostic::Failure;
use serde::Serialize;

use super::project::File;
use crate::{
    arguments::Format,
    command::Context,
    view::lines::{FAINT, STRONG, paint},
};

/// The repository and what was played in it.
pub struct Stage<'a> {
    context: &'a Context,
    program: PathBuf,
    root: PathBuf,
    color: &'static str,
    /// The commands of this program so far.
    pub steps: Vec<Step>,
}

/// A command that ended as the story says.
#[derive(Debug, Serialize)]
pub struct Step {
    command: String,
    exit: u8,
}

impl<'a> Stage<'a> {
    /// An empty stage in this folder.
    pub fn new(context: &'a Context, root: &Path) -> Result<Self, Failure> {
        let program = std::env::current_exe().map_err(|error| fault(&format!("cannot tell which program this is: {error}"), ""))?;
        let root = root.canonicalize().map_err(|error| fault(&format!("cannot use `{}`: {error}", root.display()), ""))?;
        let plain = anstream::AutoStream::choice(&io::stdout()) == anstream::ColorChoice::Never;
        Ok(Self { context, program, root, color: if plain { "never" } else { "always" }, steps: Vec::new() })
    }

    /// The repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Commits the base on `main` and leaves it for `topic`.
    pub fn begin(&self, files: &[File]) -> Result<(), Failure> {
        self.git(&["init", "--quiet"])?;
        self.git(&["symbolic-ref", "HEAD", "refs/heads/main"])?;
        self.commit(files, "Open the shop")?;
        self.git(&["checkout", "--quiet", "-b", "topic"])
    }

    /// Commits the change and shows it.
    pub fn change(&self, files: &[File], message: &str) -> Result<(), Failure> {
        self.commit(files, message)?;
        self.prompt(&format!("git add --all && git commit --message '{message}'"))?;
        self.show(&files.iter().map(|(path, _)| format!("  {path}")).collect::<Vec<_>>())
    }

    /// Runs this program and returns what it printed.
    pub fn run(&mut self, words: &[&str], input: &str, expected: u8) -> Result<String, Failure> {
        let shown = format!("code-polishy {}", words.join(" "));
        self.prompt(&if input.is_empty() { shown.clone() } else { format!("{shown} <<'END'\n{input}END") })?;
        let mut command = self.isolated(self.program.as_os_str());
        command.args(words).args(["--color", self.color]);
        let (exit, output) = finish(command, input).map_err(|error| fault(&format!("cannot run `{shown}`: {error}"), ""))?;
        self.show(&output.lines().map(str::to_owned).collect::<Vec<_>>())?;
        self.context.setup.interrupt.check()?;
        if exit != Some(i32::from(expected)) {
            let ended = exit.map_or_else(|| "a signal".to_owned(), |status| format!("exit status {status}"));
            return Err(fault(&format!("`{shown}` ended with {ended}, and the story says {expected}"), &output));
        }
        self.steps.push(Step { command: shown, exit: expected });
        Ok(anstream::adapter::strip_str(&output).to_string())
    }

    /// Tells what comes.
    pub fn say(&self, text: &str) -> Result<(), Failure> {
        self.show(&[String::new(), paint(FAINT, &format!("# {text}"))])
    }

    /// Shows a command before it runs.
    pub fn prompt(&self, command: &str) -> Result<(), Failure> {
        self.show(&[paint(STRONG, &format!("$ {command}"))])
    }

    /// Shows lines to people; a program gets the document at the end.
    pub fn show(&self, lines: &[String]) -> Result<(), Failure> {
        match self.context.console.format() {
            Format::Json => Ok(()),
            Format::Human => self.context.console.print(lines).map_err(|error| fault(&format!("cannot write the output: {error}"), "")),
        }
    }

    fn commit(&self, files: &[File], message: &str) -> Result<(), Failure> {
        for (path, content) in files {
            write(&self.root.join(path), content).map_err(|error| fault(&format!("cannot write {path}: {error}"), ""))?;
        }
        self.git(&["add", "--all"])?;
        self.git(&["commit", "--quiet", "--message", message])
    }

    fn git(&self, words: &[&str]) -> Result<(), Failure> {
        let mut command = self.isolated(OsStr::new("git"));
        command.args(words).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "Demo").env(format!("GIT_{role}_EMAIL"), "demo@example.org");
            command.env(format!("GIT_{role}_DATE"), "2001-02-03T04:05:06Z");
        }
        match finish(command, "") {
            Ok((Some(0), _)) => Ok(()),
            Ok((_, output)) => Err(fault(&format!("`git {}` failed", words.join(" ")), &output)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let message = "the demo makes its repository with the git program, which is not on the path";
                Err(Failure::operational("demo.no-git", message, "install git, then run the demo again"))
            }
            Err(error) => Err(fault(&format!("cannot run git: {error}"), "")),
        }
    }

    /// A command in the repository that hears nothing of the caller's git.
    fn isolated(&self, program: &OsStr) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
            command.env_remove(name);
        }
        command
    }
}

/// What the story did not expect, with what was printed.
pub fn fault(message: &str, output: &str) -> Failure {
    let output = anstream::adapter::strip_str(output).to_string();
    let text = if output.is_empty() { message.to_owned() } else { format!("{message}\n{output}") };
    Failure::operational("demo.surprise", text, "run the demo again with --keep DIR and look at what is there")
}

fn write(path: &Path, content: &str) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, content)?;
    let mode = if content.starts_with("#!") { 0o755 } else { 0o644 };
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Exit status and both streams in the order in which they were written.
fn finish(mut command: Command, input: &str) -> io::Result<(Option<i32>, String)> {
    let (mut reader, writer) = io::pipe()?;
    command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() }).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // The writing ends that the command holds would keep the reader waiting.
    drop(command);
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(input.as_bytes())?;
    }
    let mut output = Vec::new();
    reader.read_to_end(&mut output)?;
    Ok((child.wait()?.code(), String::from_utf8_lossy(&output).into_owned()))
}
