//! A run directory: found by its path, locked by its id, written one whole file at a time (CR-7, CR-9).

use std::path::{Path, PathBuf};

use code_polishy_core::{
    canonical::{artifact_bytes, read_strict},
    code_review::{
        codes,
        image::max_bytes,
        prior::run_number,
        run::{RUN_FILE, RunRecord},
    },
    diagnostic::{Failure, FailureKind},
};
use serde::Serialize;

use super::operational;
use crate::{
    lock::{Lock, acquire_now},
    store::{Store, remove_tree},
};

/// The result of a promoted run (CR-206).
pub const RESULT_FILE: &str = "result.json";
/// The result before it is promoted.
pub const CANDIDATE_FILE: &str = "result.candidate.json";

/// Tries to find a free name (CR-12).
const MAX_RENAMES: u32 = 100;

/// A run directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The folder that the run is in; absolute, resolved.
    parent: PathBuf,
    name: String,
}

impl Run {
    pub(super) fn at(parent: PathBuf, name: String) -> Self {
        Self { parent, name }
    }

    /// The run at a path that the caller wrote, starting at `cwd`.
    ///
    /// # Errors
    /// Exit 3 `run-not-found`: there is no folder with a `run.json`.
    pub fn open(cwd: &Path, operand: &Path) -> Result<Self, Failure> {
        let place = cwd.join(operand);
        let found = place.canonicalize().ok().filter(|place| place.join(RUN_FILE).is_file());
        let parts = found.as_deref().and_then(|place| Some((place.parent()?.to_owned(), place.file_name()?.to_str()?.to_owned())));
        match parts {
            Some((parent, name)) => Ok(Self { parent, name }),
            None => Err(operational(
                &codes::RUN_NOT_FOUND,
                format!("no run is at {}", place.display()),
                "name the path that `code-review start` printed",
            )),
        }
    }

    /// The name of the run's folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The run's folder; absolute.
    pub fn path(&self) -> PathBuf {
        self.parent.join(&self.name)
    }

    /// The path as text.
    pub fn text(&self) -> String {
        self.path().display().to_string()
    }

    /// The folder of all runs.
    pub fn reports(&self) -> &Path {
        let is_pr = |name: &str| name.strip_prefix("pr-").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        match (self.parent.file_name().and_then(|name| name.to_str()), self.parent.parent()) {
            (Some(name), Some(above)) if is_pr(name) => above,
            _ => &self.parent,
        }
    }

    /// The number of the pull request that the run belongs to by its place, and its own among that one's runs (CR-12).
    pub fn pull_request(&self) -> Option<(u64, u32)> {
        let number = self.parent.file_name()?.to_str()?.strip_prefix("pr-")?;
        Some((number.parse().ok()?, run_number(&self.name)?))
    }

    /// The runs of the same pull request with a lower number, oldest first (CR-47).
    ///
    /// # Errors
    /// Exit 3.
    pub fn earlier(&self) -> Result<Vec<Self>, Failure> {
        let (Some((_, own)), Some(store)) = (self.pull_request(), Store::open(&self.parent, "")?) else { return Ok(Vec::new()) };
        let names = store.names()?.into_iter();
        let mut numbered: Vec<_> = names.filter_map(|name| Some((run_number(&name).filter(|number| *number < own)?, name))).collect();
        numbered.sort_unstable();
        Ok(numbered.into_iter().map(|(_, name)| Self::at(self.parent.clone(), name)).collect())
    }

    /// Moves the run to the next free `pr-<number>/run-<NNN>`, in one step (CR-12).
    ///
    /// # Errors
    /// Exit 3 `run-name-exhausted`; `io-error` when something that is no run has the name of one.
    pub fn move_to(self, number: u64) -> Result<Self, Failure> {
        let folder = format!("pr-{number}");
        let (from, to) = (Store::create(&self.parent, "")?, Store::create(&self.parent, &folder)?);
        for _ in 0..MAX_RENAMES {
            let name = format!("run-{:03}", highest(&to)? + 1);
            if from.move_folder(&self.name, &to, &name)? {
                return Ok(Self { parent: self.parent.join(folder), name });
            }
        }
        let message = format!("no run below `{folder}` could be made in {MAX_RENAMES} tries");
        Err(operational(&codes::RUN_NAME_EXHAUSTED, message, "run the command again when nothing else imports this pull request"))
    }

    /// The place of the review worktree (CR-31).
    pub fn review_worktree(&self) -> PathBuf {
        self.parent.join(format!("{}-review-worktree", self.name))
    }

    /// The run's lock.
    ///
    /// # Errors
    /// Exit 3 `run-locked`: another command works on the run.
    pub fn lock(&self, record: &RunRecord) -> Result<Lock, Failure> {
        match acquire_now(self.reports(), ".locks", &format!("{}.lock", record.run_id))? {
            Some(lock) => Ok(lock),
            None => Err(operational(
                &codes::RUN_LOCKED,
                format!("another command works on the run {}", self.name),
                "wait until it has ended, then run the command again",
            )),
        }
    }

    /// `run.json`.
    ///
    /// # Errors
    /// Exit 3 `run-json-invalid`.
    pub fn record(&self) -> Result<RunRecord, Failure> {
        let bytes = self.read(RUN_FILE)?.unwrap_or_default();
        read_strict(&bytes, codes::RUN_JSON_INVALID.name, "restore `run.json`, or start a new run")
            .map_err(|diagnostic| Failure::new(FailureKind::Operational, vec![diagnostic.at_path(RUN_FILE)]))
    }

    /// A file of the run, by its path relative to the run; `None` when it is absent.
    ///
    /// # Errors
    /// Exit 3, also for a file above the limits of CR-201.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        match Store::open(&self.parent, &self.below(folder))? {
            Some(store) => store.read(name, max_bytes(path)),
            None => Ok(None),
        }
    }

    /// Writes a file of the run whole; folders are made.
    ///
    /// # Errors
    /// Exit 3.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Store::create(&self.parent, &self.below(folder))?.write(name, bytes)
    }

    /// Removes a file of the run; whether it was there.
    ///
    /// # Errors
    /// Exit 3.
    pub fn remove(&self, path: &str) -> Result<bool, Failure> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        match Store::open(&self.parent, &self.below(folder))? {
            Some(store) => store.remove(name),
            None => Ok(false),
        }
    }

    /// Removes a folder of the run with everything in it; whether it was there.
    ///
    /// # Errors
    /// Exit 3.
    pub fn remove_tree(&self, folder: &str) -> Result<bool, Failure> {
        remove_tree(&self.parent, &self.below(folder))
    }

    /// Writes a record in the file form of CR-4; its bytes.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_json(&self, path: &str, record: &impl Serialize) -> Result<Vec<u8>, Failure> {
        let bytes = artifact_bytes(record);
        self.write(path, &bytes)?;
        Ok(bytes)
    }

    /// The run's folder, open.
    ///
    /// # Errors
    /// Exit 3.
    pub fn store(&self) -> Result<Store, Failure> {
        Store::create(&self.parent, &self.name)
    }

    /// A folder of the run, by its path relative to the run (empty for the run itself), open; `None` when it is absent.
    ///
    /// # Errors
    /// Exit 3.
    pub fn folder(&self, folder: &str) -> Result<Option<Store>, Failure> {
        Store::open(&self.parent, &self.below(folder))
    }

    fn below(&self, folder: &str) -> String {
        if folder.is_empty() { self.name.clone() } else { format!("{}/{folder}", self.name) }
    }
}

/// The highest number of a run; whatever is named like a run and is none is in the way.
fn highest(pull_request: &Store) -> Result<u32, Failure> {
    let mut highest = 0;
    for name in pull_request.names()?.iter().filter(|name| name.starts_with("run-")) {
        match run_number(name).filter(|_| pull_request.dir().symlink_metadata(name).is_ok_and(|there| there.is_dir())) {
            Some(number) => highest = highest.max(number),
            None => {
                let place = format!("{}/{name}", pull_request.path());
                let next = "find out whose it is and move it away, then run the command again";
                return Err(operational(&codes::IO_ERROR, format!("`{place}` is no run, and is named like one"), next).at_path(&place));
            }
        }
    }
    Ok(highest)
}
