//! Kills a command at each of its failpoints, and looks at what is left.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::{Output, Repo, Snapshot};

const REPORTS: &str = ".code-polishy-reports";

/// No command has more failpoints.
const MOST: u32 = 1000;

/// A command that is to be killed, with what it starts from and what it makes of it.
///
/// What two undisturbed runs make differently, such as times, is an observation: only whether it is whole is asked.
#[derive(Debug)]
pub struct Killed<'a> {
    repo: &'a Repo,
    arguments: Vec<&'a str>,
    status: Option<i32>,
    before: Snapshot,
    after: Snapshot,
    observations: BTreeSet<String>,
}

impl<'a> Killed<'a> {
    /// Runs the command twice undisturbed, each time from the reports as they are now.
    pub fn new(repo: &'a Repo, arguments: &[&'a str]) -> Self {
        let before = repo.reports();
        copy(repo, &repo.path(REPORTS), &repo.area("saved"));
        let undisturbed = || {
            let status = repo.run(arguments).status;
            let after = repo.reports();
            copy(repo, &repo.area("saved"), &repo.path(REPORTS));
            (status, after)
        };
        let (status, after) = undisturbed();
        // Times are whole seconds: the second run must not fall into the first one's.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let (_, again) = undisturbed();
        Self { repo, arguments: arguments.to_vec(), status, before, observations: after.differences(&again), after }
    }

    /// Kills the command at each failpoint, as [`Killed::at`] does.
    pub fn everywhere(&self, recover: impl Fn(&Self)) -> u32 {
        self.at("any", recover)
    }

    /// Kills the command each time it reaches the failpoint, always from the same start. Every file must then be as it was before or as
    /// it is after, with one temporary at most; `recover` does what comes next. Returns how often the failpoint is reached.
    pub fn at(&self, failpoint: &str, recover: impl Fn(&Self)) -> u32 {
        for hit in 1..MOST {
            let output = self.run_until(&format!("{failpoint}:{hit}"));
            if output.status.is_some() {
                assert_eq!(output.status, self.status, "no failpoint is left, so that it ends as ever: {output}");
                self.restore();
                return hit - 1;
            }
            self.assert_old_or_new(hit);
            recover(self);
            self.restore();
        }
        panic!("{:?} does not end", self.arguments)
    }

    /// Runs the command until it reaches the failpoint `POINT` or `POINT:N`.
    pub fn run_until(&self, failpoint: &str) -> Output {
        let mut command = self.repo.command(&self.arguments);
        command.env("CODE_POLISHY_KILL_AT", failpoint);
        self.repo.run_command(command)
    }

    /// Runs the command again, and demands that it ends as ever and leaves what it ever does.
    #[track_caller]
    pub fn run_again(&self) {
        let output = self.repo.run(&self.arguments);
        assert_eq!(output.status, self.status, "{output}");
        let differences: Vec<_> = self.after.differences(&self.repo.reports()).difference(&self.observations).cloned().collect();
        assert!(differences.is_empty(), "{differences:?} differ after {output}");
        self.assert_no_temporary();
    }

    /// Demands that the temporary of the killed writer is gone, which the next writer in its folder removes.
    #[track_caller]
    pub fn assert_no_temporary(&self) {
        assert_eq!(self.temporaries(), BTreeSet::new());
    }

    fn restore(&self) {
        copy(self.repo, &self.repo.area("saved"), &self.repo.path(REPORTS));
    }

    fn assert_old_or_new(&self, hit: u32) {
        let now = self.repo.reports();
        assert!(self.temporaries().len() <= 1, "after the kill at failpoint {hit}: {:?}", self.temporaries());
        let (not_old, not_new) = (self.before.differences(&now), self.after.differences(&now));
        let torn: Vec<_> = not_old.intersection(&not_new).filter(|path| !is_temporary(path) && !self.is_whole(path)).collect();
        assert!(torn.is_empty(), "neither old nor new after the kill at failpoint {hit} of {:?}: {torn:?}", self.arguments);
    }

    /// An observation that can be read, if it is JSON.
    fn is_whole(&self, path: &str) -> bool {
        let read = || self.repo.read(&format!("{REPORTS}/{path}"));
        self.observations.contains(path) && (!path.ends_with(".json") || serde_json::from_slice::<serde_json::Value>(&read()).is_ok())
    }

    fn temporaries(&self) -> BTreeSet<String> {
        let now = self.repo.reports();
        now.paths().into_iter().filter(|path| path.rsplit('/').next().is_some_and(is_temporary_name)).map(str::to_owned).collect()
    }
}

/// Makes `to` what `from` is, with modes, or absent.
fn copy(repo: &Repo, from: &Path, to: &Path) {
    if to.exists() {
        fs::remove_dir_all(to).expect("a removed folder");
    }
    if from.exists() {
        let arguments = [from, to].map(|path| path.to_str().expect("a UTF-8 path"));
        let status = repo.program("cp", &["-a", arguments[0], arguments[1]]).status().expect("cp runs");
        assert!(status.success(), "cp of {}", from.display());
    }
}

fn is_temporary(path: &str) -> bool {
    path.split('/').any(is_temporary_name)
}

fn is_temporary_name(name: &str) -> bool {
    name.starts_with(".code-polishy-tmp-")
}
