//! What is reviewed: the change of a scope, as facts and as the texts that are kept of it (CR-28 to CR-30, CR-214).

use std::{collections::BTreeSet, path::Path};

use code_polishy_core::{
    code_review::{
        codes,
        t0::{
            Numstat,
            lists::{numstat_lines, path_lines},
        },
        vocabulary::Scope,
    },
    diagnostic::Failure,
    patch::{Change, ChangeStatus, Content, MAX_TEXT_BYTES, content, quote, whole_text},
    policy::scope::REPORT_FOLDERS,
};

use super::{blocked, members, operational, usage};
use crate::{
    git::{self, Blobs, LocalChange, Repository, additions, changes, first_parent, merge_base, patch},
    input::contained_path,
};

/// Paths of an inspection set (CR-201).
const MAX_PATHS: usize = 20_000;

/// The change of a scope.
pub struct Capture {
    /// What it is compared with; `None` for a root commit and before the first commit.
    pub base: Option<String>,
    /// The reviewed commit, or HEAD; `None` before the first commit.
    pub head: Option<String>,
    /// As they are recorded.
    pub targets: Vec<String>,
    /// Tracked changes, sorted by path bytes.
    pub changes: Vec<Change>,
    /// Untracked paths, sorted by bytes.
    pub untracked: Vec<String>,
    /// What must be inspected, sorted by bytes.
    pub inspection_set: Vec<String>,
    /// The difference between HEAD and the index, and between index and files; `None` for commits.
    pub local: Option<LocalChange>,
    blobs: Blobs,
}

/// The files that keep a capture.
pub struct Texts {
    /// `status.txt`, as `git status --porcelain` prints it; empty for commits.
    pub status: String,
    /// `diff.patch`.
    pub diff: String,
    /// `files.txt`.
    pub files: String,
    /// `untracked.txt`.
    pub untracked: String,
    /// `numstat.txt`, with a row for each untracked file too.
    pub numstat: String,
    /// `diffstat.txt`.
    pub diffstat: String,
    /// `staged.patch`; empty for commits.
    pub staged: String,
}

/// Captures index, files and untracked files below the targets; all of them without a target.
///
/// # Errors
/// Exit 2 `review-target-not-found`, `review-target-outside-repository`; exit 3 of git.
pub fn capture_local(repository: &Repository, cwd: &Path, targets: &[String], reports: Option<&str>) -> Result<Capture, Failure> {
    let targets = targets.iter().map(|target| path_target(repository, cwd, target)).collect::<Result<BTreeSet<_>, _>>()?;
    let below = Below { targets: targets.into_iter().collect(), reports: reports.map(str::to_owned) };
    let local = LocalChange::read(repository, &below)?;
    let changes = local.changes();
    let changed: BTreeSet<&str> =
        changes.iter().map(|change| change.path.as_str()).chain(local.untracked.iter().map(String::as_str)).collect();
    for target in &below.targets {
        let is_named = |path: &str| is_below(path, target);
        if repository.root().join(target).symlink_metadata().is_err() && !changed.iter().any(|path| is_named(path)) {
            let message = format!("nothing is at `{target}`");
            return Err(usage(&codes::REVIEW_TARGET_NOT_FOUND, message, "name a path of the repository").at_path(target));
        }
    }
    let inspection_set = match (changed.is_empty(), below.targets.is_empty()) {
        (true, false) => local.tracked.clone(),
        _ => changed.into_iter().map(str::to_owned).collect(),
    };
    Ok(Capture {
        base: local.head.clone(),
        head: local.head.clone(),
        targets: below.targets,
        changes,
        untracked: local.untracked.clone(),
        inspection_set,
        blobs: local.blobs(),
        local: Some(local),
    })
}

/// Captures what a commit or a range changed: `REV`, `A..B`, or `A...B` from the merge base.
///
/// # Errors
/// Exit 2 `review-target-not-found`, `usage-error`; exit 3 of git.
pub fn capture_commit(repository: &Repository, target: &str, base: Option<&str>) -> Result<Capture, Failure> {
    let resolve = |reference: &str| repository.resolve(reference).map_err(not_found);
    let (base, head) = match (target.split_once("..."), target.split_once(".."), base) {
        (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => {
            return Err(usage(&codes::USAGE_ERROR, format!("`{target}` names its base already"), "leave --base out, or name one commit"));
        }
        (Some((from, to)), _, _) => {
            let head = resolve(to)?;
            (Some(merge_base(repository, from, &head).map_err(not_found)?), head)
        }
        (None, Some((from, to)), _) => (Some(resolve(from)?), resolve(to)?),
        (None, None, Some(base)) => (Some(resolve(base)?), resolve(target)?),
        (None, None, None) => {
            let head = resolve(target)?;
            (first_parent(repository, &head)?, head)
        }
    };
    let changes = match &base {
        Some(base) => changes(repository, base, &head)?,
        None => additions(repository, &head)?,
    };
    Ok(Capture {
        base,
        head: Some(head),
        targets: vec![target.to_owned()],
        inspection_set: changes.iter().map(|change| change.path.clone()).collect(),
        changes,
        untracked: Vec::new(),
        local: None,
        blobs: Blobs::of(repository),
    })
}

impl Capture {
    /// Refuses a scope without anything to inspect, and one that is over the limits.
    ///
    /// # Errors
    /// Exit 1 `review-scope-empty`, `limit-exceeded`.
    pub fn require_inspectable(&self, scope: Scope) -> Result<(), Failure> {
        let paths = self.inspection_set.len();
        if paths == 0 {
            let message = format!("nothing changed in the scope {scope}");
            return Err(blocked(&codes::REVIEW_SCOPE_EMPTY, message, "change something, or name another scope or target"));
        }
        if paths > MAX_PATHS {
            let message = format!("{paths} paths are more than the {MAX_PATHS} that a review inspects");
            return Err(blocked(&codes::LIMIT_EXCEEDED, message, "review parts of the change, with --scope path"));
        }
        Ok(())
    }

    /// The texts that keep it. Untracked files are read below `root`.
    ///
    /// # Errors
    /// Exit 3.
    pub fn texts(&self, root: &Path) -> Result<Texts, Failure> {
        let patches = patch(&self.changes, &self.blobs)?;
        let mut rows: Vec<Numstat> = patches.iter().map(Numstat::of).collect();
        for path in &self.untracked {
            rows.push(untracked_row(root, path)?);
        }
        rows.sort_by(|one, other| one.path.cmp(&other.path));
        rows.dedup_by(|next, row| next.path == row.path && merge(row, next));
        let staged = self.local.as_ref().map(|local| patch(&local.staged, &self.blobs)).transpose()?.unwrap_or_default();
        Ok(Texts {
            status: self.local.as_ref().map(status).unwrap_or_default(),
            diff: whole_text(&patches),
            files: path_lines(self.changes.iter().map(|change| change.path.as_str())),
            untracked: path_lines(self.untracked.iter().map(String::as_str)),
            numstat: numstat_lines(&rows),
            diffstat: diffstat(&rows),
            staged: whole_text(&staged),
        })
    }
}

/// Paths that count in a local scope.
struct Below {
    /// Sorted; none for all.
    targets: Vec<String>,
    reports: Option<String>,
}

impl git::Scope for Below {
    fn tracked(&self, path: &str) -> bool {
        self.targets.is_empty() || self.targets.iter().any(|target| is_below(path, target))
    }

    fn untracked(&self, path: &str) -> bool {
        let kept = REPORT_FOLDERS.into_iter().chain(self.reports.as_deref());
        self.tracked(path) && !kept.into_iter().any(|folder| is_below(path, folder))
    }

    fn enters(&self, folder: &str) -> bool {
        let leads = self.targets.is_empty() || self.targets.iter().any(|target| is_below(folder, target) || is_below(target, folder));
        leads && self.reports.as_deref() != Some(folder)
    }
}

/// The path is the target, or below it; `.` is the whole repository.
fn is_below(path: &str, target: &str) -> bool {
    target == "." || path.strip_prefix(target).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn path_target(repository: &Repository, cwd: &Path, target: &str) -> Result<String, Failure> {
    let root = repository.root();
    if cwd.join(target).canonicalize().is_ok_and(|place| place == root) {
        return Ok(".".to_owned());
    }
    contained_path(root, cwd, Path::new(target)).ok_or_else(|| {
        let message = format!("`{target}` is not in the repository");
        usage(&codes::REVIEW_TARGET_OUTSIDE_REPOSITORY, message, "name a path of the repository").at_path(target)
    })
}

/// A reference that names no commit is a target that does not exist.
fn not_found(mut failure: Failure) -> Failure {
    for diagnostic in failure.diagnostics.iter_mut().filter(|diagnostic| diagnostic.code.ends_with("-reference")) {
        codes::REVIEW_TARGET_NOT_FOUND.name.clone_into(&mut diagnostic.code);
    }
    failure
}

/// A new file adds its lines; of binary and over-size content the number is unknown.
fn untracked_row(root: &Path, path: &str) -> Result<Numstat, Failure> {
    let place = root.join(path);
    let failed =
        |error| operational(&codes::IO_ERROR, format!("cannot read {}: {error}", place.display()), "make it readable").at_path(path);
    let metadata = place.symlink_metadata().map_err(failed)?;
    let row = |added| Numstat { added, deleted: Some(0).filter(|_| added.is_some()), path: path.to_owned() };
    if metadata.is_symlink() {
        return Ok(row(Some(1)));
    }
    if metadata.len() > MAX_TEXT_BYTES {
        return Ok(row(None));
    }
    let bytes = members::read(root, path)?;
    Ok(row(match content(&bytes) {
        Content::Binary => None,
        _ => Some(bytes.split_inclusive(|byte| *byte == b'\n').count() as u64),
    }))
}

/// A file that the index no longer has and that lies there all the same is one row; says that it is done.
fn merge(row: &mut Numstat, next: &Numstat) -> bool {
    let sum = |one: Option<u64>, other: Option<u64>| Some(one?.saturating_add(other?));
    (row.added, row.deleted) = (sum(row.added, next.added), sum(row.deleted, next.deleted));
    true
}

fn diffstat(rows: &[Numstat]) -> String {
    let number = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    let lines: String =
        rows.iter().map(|row| format!(" {} | +{} -{}\n", quote(&row.path), number(row.added), number(row.deleted))).collect();
    let sum = |side: fn(&Numstat) -> Option<u64>| rows.iter().filter_map(side).sum::<u64>();
    let (added, deleted) = (sum(|row| row.added), sum(|row| row.deleted));
    format!("{lines} {} files changed, {added} insertions(+), {deleted} deletions(-)\n", rows.len())
}

/// The lines of `git status --porcelain`: tracked paths, then untracked ones.
fn status(local: &LocalChange) -> String {
    let letter = |changes: &[Change], path: &str| {
        let found = changes.binary_search_by(|change| change.path.as_str().cmp(path)).ok().and_then(|index| changes.get(index));
        found.map_or(' ', |change| match change.status() {
            ChangeStatus::Added => 'A',
            ChangeStatus::Deleted => 'D',
            ChangeStatus::Modified => 'M',
        })
    };
    let paths: BTreeSet<&str> = local.staged.iter().chain(&local.unstaged).map(|change| change.path.as_str()).collect();
    let tracked = paths.into_iter().map(|path| match local.unmerged.iter().any(|unmerged| unmerged == path) {
        true => format!("UU {}\n", quote(path)),
        false => format!("{}{} {}\n", letter(&local.staged, path), letter(&local.unstaged, path), quote(path)),
    });
    tracked.chain(local.untracked.iter().map(|path| format!("?? {}\n", quote(path)))).collect()
}
