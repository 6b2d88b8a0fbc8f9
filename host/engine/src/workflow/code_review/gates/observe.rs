//! The reviewed tree as it is before and after each gate (CR-138, CR-139).

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use code_polishy_core::{
    canonical::{artifact_bytes, digest_bytes},
    code_review::{
        codes,
        gates::{GateSource, LOCAL_SNAPSHOT_FILE, Observation, SourceMode},
        t0::{MIRROR_FILE, SnapshotFile, SourceSnapshot},
    },
    diagnostic::Failure,
};

use crate::{
    git::{LocalChange, Operations, Repository, Scope, Status},
    interrupt::Interrupt,
    workflow::code_review::{blocked, members},
};

/// How long one look may take (CR-201).
const LIMIT: Duration = Duration::from_secs(30);
/// The longest wait between two looks at the interrupt.
const PAUSE: Duration = Duration::from_millis(20);

/// Every path but those that a `.gitignore` hides.
pub(super) struct Everything;

impl Scope for Everything {
    fn tracked(&self, _: &str) -> bool {
        true
    }

    fn untracked(&self, _: &str) -> bool {
        true
    }
}

/// How the tree is watched.
#[derive(Clone, Debug)]
pub enum Watch {
    /// A commit (CR-138).
    Clean {
        /// The checkout; absolute.
        worktree: PathBuf,
        /// The reviewed commit.
        expected_head: String,
    },
    /// A mirror of working files (CR-139).
    Mirror {
        /// The mirror; absolute.
        worktree: PathBuf,
        /// What was mirrored.
        recorded: SourceSnapshot,
    },
}

/// The mirror at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorState {
    /// The mirrored files, and whatever else differs from the commit below; HEAD and index are the mirror's own.
    pub snapshot: SourceSnapshot,
    /// Paths that are not as they were mirrored, sorted by bytes.
    pub dirty: Vec<String>,
    /// Some of it is in the index: a mirror has nothing there but its commit.
    pub staged: bool,
}

impl Watch {
    /// The checkout.
    pub fn worktree(&self) -> &Path {
        match self {
            Self::Clean { worktree, .. } | Self::Mirror { worktree, .. } => worktree,
        }
    }

    /// A look at the tree; why it cannot be seen.
    ///
    /// # Errors
    /// Exit 130.
    pub fn look(&self, interrupt: &Interrupt) -> Result<Result<Observation, String>, Failure> {
        let watch = self.clone();
        let seen = within(LIMIT, interrupt, move || watch.observation())?;
        Ok(match seen {
            Some(Ok(observation)) => Ok(observation),
            Some(Err(failure)) => Err(failure.diagnostics.first().map(|first| first.message.clone()).unwrap_or_default()),
            None => Err(format!("the tree was not seen within {} seconds", LIMIT.as_secs())),
        })
    }

    fn observation(&self) -> Result<Observation, Failure> {
        let top_level = self.worktree().display().to_string();
        match self {
            Self::Clean { worktree, .. } => {
                let status = Status::read(&checkout(worktree)?, &Everything)?;
                let dirty = status.paths().into_iter().map(str::to_owned).collect();
                Ok(Observation { head: Some(status.head().to_owned()), dirty, top_level, snapshot_sha256: None })
            }
            Self::Mirror { worktree, recorded } => {
                let MirrorState { snapshot, dirty, .. } = mirror_state(worktree, recorded)?;
                let snapshot_sha256 = Some(digest_bytes(&artifact_bytes(&snapshot)));
                Ok(Observation { head: None, dirty, top_level, snapshot_sha256 })
            }
        }
    }

    /// What `gates.json` says of the tree, and the bytes of the mirror's snapshot, taken twice.
    ///
    /// # Errors
    /// Exit 1 `local-gate-source-changed`, `local-gate-worktree-mismatch`; exit 3; exit 130.
    pub fn source(&self, receipt_sha256: Option<&str>, interrupt: &Interrupt) -> Result<(GateSource, Option<Vec<u8>>), Failure> {
        let source = |mode, expected_head: Option<&String>| GateSource {
            mode,
            worktree: self.worktree().display().to_string(),
            expected_head: expected_head.cloned(),
            receipt_path: None,
            receipt_sha256: None,
            snapshot_path: None,
            snapshot_sha256: None,
        };
        let (worktree, recorded) = match self {
            Self::Clean { expected_head, .. } => return Ok((source(SourceMode::Clean, Some(expected_head)), None)),
            Self::Mirror { worktree, recorded } => (worktree, recorded),
        };
        let first = mirror_state(worktree, recorded).map_err(gone)?;
        interrupt.check()?;
        if mirror_state(worktree, recorded).map_err(gone)? != first {
            let message = "the mirror changed while it was captured";
            return Err(blocked(&codes::LOCAL_GATE_SOURCE_CHANGED, message, "run the gates again when nothing writes there"));
        }
        let bytes = artifact_bytes(&first.snapshot);
        let source = GateSource {
            receipt_path: Some(MIRROR_FILE.to_owned()),
            receipt_sha256: receipt_sha256.map(str::to_owned),
            snapshot_path: Some(LOCAL_SNAPSHOT_FILE.to_owned()),
            snapshot_sha256: Some(digest_bytes(&bytes)),
            ..source(SourceMode::LocalReviewMirror, None)
        };
        Ok((source, Some(bytes)))
    }
}

/// The mirror now.
///
/// # Errors
/// Exit 2 and 3 of git; exit 3: a file cannot be read.
pub fn mirror_state(worktree: &Path, recorded: &SourceSnapshot) -> Result<MirrorState, Failure> {
    let mirror = checkout(worktree)?;
    let local = LocalChange::read(&mirror, &Everything)?;
    let staged = local.staged.iter().map(|change| change.path.clone());
    let differing = local.changes().into_iter().map(|change| change.path);
    let others = local.untracked.iter().chain(&local.skipped).cloned();
    let paths: BTreeSet<String> =
        recorded.files.iter().map(|file| file.path.clone()).chain(staged.clone()).chain(differing).chain(others).collect();
    let files = members::look(worktree, &paths)?;
    let known: BTreeMap<&str, &SnapshotFile> = recorded.files.iter().map(|file| (file.path.as_str(), file)).collect();
    let altered = files.iter().filter(|file| known.get(file.path.as_str()) != Some(file)).map(|file| file.path.clone());
    let dirty: BTreeSet<String> = altered.chain(staged).collect();
    let snapshot =
        SourceSnapshot { revision: local.head.clone(), index_sha256: Operations::read(&mirror)?.index_sha256, files, ..recorded.clone() };
    Ok(MirrorState { snapshot, dirty: dirty.into_iter().collect(), staged: !local.staged.is_empty() })
}

/// The repository whose checkout this folder is, not one that it merely lies in.
pub(super) fn checkout(worktree: &Path) -> Result<Repository, Failure> {
    let repository = Repository::open(worktree)?;
    if worktree.canonicalize().is_ok_and(|real| real == repository.root()) {
        return Ok(repository);
    }
    let message = format!("{} is not the top folder of a checkout", worktree.display());
    Err(blocked(&codes::GATE_SOURCE_MISMATCH, message, "name the folder that the receipts name"))
}

fn gone(failure: Failure) -> Failure {
    let why = failure.diagnostics.first().map(|first| first.message.clone()).unwrap_or_default();
    let message = format!("the mirror cannot be seen: {why}");
    blocked(&codes::LOCAL_GATE_WORKTREE_MISMATCH, message, "restore the review worktree, or start a new run")
}

/// Does the work on a thread of its own; `None` when it takes longer. What is late goes on unheard.
fn within<T: Send + 'static>(
    limit: Duration,
    interrupt: &Interrupt,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Option<T>, Failure> {
    let (sender, result) = mpsc::channel();
    let started = Instant::now();
    // Nobody hears who is late.
    thread::spawn(move || drop(sender.send(work())));
    loop {
        interrupt.check()?;
        match result.recv_timeout(PAUSE) {
            Ok(done) => return Ok(Some(done)),
            Err(RecvTimeoutError::Timeout) if started.elapsed() < limit => {}
            Err(_) => return Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_late_is_not_waited_for() {
        let interrupt = Interrupt::manual();
        assert_eq!(within(LIMIT, &interrupt, || 7), Ok(Some(7)));
        let slow = || thread::sleep(Duration::from_secs(60));
        assert_eq!(within(Duration::from_millis(50), &interrupt, slow), Ok(None));
        interrupt.trigger();
        assert_eq!(within(LIMIT, &interrupt, slow), Err(Failure::interrupted()));
    }
}
