//! Giving the review worktree its reviewed bytes again after something was left in it (CR-229).

use std::{fs, io, path::Path};

use code_polishy_core::{
    code_review::{
        codes,
        gates::{RESET_FILE, WorktreeReset, WorktreeResets},
        run::RunRecord,
        t0::{SnapshotFile, SnapshotKind, SourceSnapshot},
    },
    diagnostic::Failure,
    patch::Entry,
};

use super::observe::{Everything, Watch, checkout, mirror_state};
use crate::{
    git::{Repository, Status, Tree, rewrite},
    workflow::code_review::{blocked, members, operational, run::Run, usage},
};

/// Resets the worktree whenever it is asked, and records each reset before it does it.
pub struct Resets<'a> {
    run: &'a Run,
    watch: &'a Watch,
    source: &'a Path,
    done: WorktreeResets,
}

impl<'a> Resets<'a> {
    /// Of a run whose worktree is the run's own.
    ///
    /// # Errors
    /// Exit 2 `usage-error`: the tree is a checkout of the user's.
    pub fn of(run: &'a Run, watch: &'a Watch, record: &'a RunRecord) -> Result<Self, Failure> {
        if record.review_worktree.is_none() {
            let message = "the run has no review worktree, and a checkout of the user's is not reset";
            return Err(usage(&codes::USAGE_ERROR, message, "restore the checkout yourself"));
        }
        let done = WorktreeResets { schema_version: 1, resets: Vec::new() };
        Ok(Self { run, watch, source: Path::new(&record.source_worktree), done })
    }

    /// What a reset will do.
    ///
    /// # Errors
    /// Exit 1 `local-gate-source-changed`, `gate-source-mismatch`: the reviewed bytes are nowhere, or HEAD or the index moved; exit 3.
    pub fn plan(&self) -> Result<Restoration, Failure> {
        match self.watch {
            Watch::Clean { worktree, expected_head } => Restoration::of_commit(worktree, expected_head),
            Watch::Mirror { worktree, recorded } => Restoration::of_mirror(worktree, recorded, self.source),
        }
    }

    /// Does what was planned; `after` is the gate that made it necessary.
    ///
    /// # Errors
    /// Exit 3.
    pub fn apply(&mut self, plan: Restoration, after: Option<&str>) -> Result<(), Failure> {
        let mut restored: Vec<String> = plan.committed.iter().map(|(path, _)| path).chain(&plan.mirrored).cloned().collect();
        restored.sort_unstable();
        if restored.is_empty() && plan.surplus.is_empty() {
            return Ok(());
        }
        let removed = plan.surplus.clone();
        self.done.resets.push(WorktreeReset { after: after.map(str::to_owned), restored, removed });
        self.run.write_json(RESET_FILE, &self.done)?;
        plan.apply(self.watch.worktree(), self.source)
    }

    /// Every reset.
    pub fn done(self) -> Vec<WorktreeReset> {
        self.done.resets
    }
}

/// What a reset will do; nothing for a tree that is as it was.
#[derive(Default)]
pub struct Restoration {
    /// Paths that the reviewed commit has.
    committed: Vec<(String, Entry)>,
    /// Paths whose bytes lie in the invoking checkout.
    mirrored: Vec<String>,
    /// Paths that the reviewed source does not have.
    surplus: Vec<String>,
}

impl Restoration {
    fn of_commit(worktree: &Path, head: &str) -> Result<Self, Failure> {
        let repository = checkout(worktree)?;
        let status = Status::read(&repository, &Everything)?;
        if status.head() != head || status.has_staged() {
            return Err(moved());
        }
        let mut plan = Self::default();
        let tree = Tree::of(&repository, head)?;
        for path in status.paths() {
            plan.take_committed(&tree, path)?;
        }
        Ok(plan)
    }

    fn of_mirror(worktree: &Path, recorded: &SourceSnapshot, source: &Path) -> Result<Self, Failure> {
        let now = mirror_state(worktree, recorded)?;
        if now.snapshot.revision != recorded.revision || now.staged {
            return Err(moved());
        }
        let repository = checkout(worktree)?;
        let tree = match &recorded.revision {
            Some(commit) => Tree::of(&repository, commit)?,
            None => Tree::empty(&repository),
        };
        let mut plan = Self::default();
        for path in &now.dirty {
            match recorded.files.iter().find(|file| file.path == *path) {
                None => plan.take_committed(&tree, path)?,
                Some(SnapshotFile { kind: SnapshotKind::Missing, .. }) => plan.surplus.push(path.clone()),
                Some(file) if members::look(source, [path])?.first() == Some(file) => plan.mirrored.push(path.clone()),
                Some(_) => {
                    let message = format!("`{path}` was changed in the mirror, and the checkout no longer has what was mirrored");
                    return Err(blocked(&codes::LOCAL_GATE_SOURCE_CHANGED, message, "start a new run").at_path(path));
                }
            }
        }
        Ok(plan)
    }

    fn take_committed(&mut self, tree: &Tree, path: &str) -> Result<(), Failure> {
        match tree.entry(path)? {
            Some(entry) => self.committed.push((path.to_owned(), entry)),
            None => self.surplus.push(path.to_owned()),
        }
        Ok(())
    }

    fn apply(self, worktree: &Path, source: &Path) -> Result<(), Failure> {
        for path in self.committed.iter().map(|(path, _)| path).chain(&self.mirrored).chain(&self.surplus) {
            remove(worktree, path).map_err(|error| unusable(path, &error))?;
        }
        let files: Vec<(&str, &Entry)> = self.committed.iter().map(|(path, entry)| (path.as_str(), entry)).collect();
        if !files.is_empty() {
            rewrite(&Repository::open(worktree)?, &files)?;
        }
        self.mirrored.iter().try_for_each(|path| members::copy(source, worktree, path))
    }
}

/// Nothing is removed through a link.
fn remove(worktree: &Path, path: &str) -> io::Result<()> {
    let is_folder = |end: usize| worktree.join(&path[..end]).symlink_metadata().is_ok_and(|above| above.is_dir());
    if !path.match_indices('/').all(|(end, _)| is_folder(end)) {
        return Ok(());
    }
    let place = worktree.join(path);
    match place.symlink_metadata() {
        Ok(found) if found.is_dir() => fs::remove_dir_all(place),
        Ok(_) => fs::remove_file(place),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

fn moved() -> Failure {
    let message = "HEAD or the index of the review worktree moved, which a reset of its files does not mend";
    blocked(&codes::GATE_SOURCE_MISMATCH, message, "start a new run")
}

fn unusable(path: &str, error: &io::Error) -> Failure {
    let message = format!("cannot restore `{path}` in the review worktree: {error}");
    operational(&codes::IO_ERROR, message, "check its permissions, then run the command again").at_path(path)
}
