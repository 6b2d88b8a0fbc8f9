//! The worktree that reviewers read: detached, at exactly the head, beside the run or in the folder for temporary files (CR-40).

use std::path::{Path, PathBuf};

use code_polishy_core::{
    canonical::digest_bytes,
    code_review::{
        codes,
        pull_request::{
            fault::CollectionFault,
            receipt::{CheckoutState, CheckoutStatus, Location, PreflightStatus, SourceObservation, WORKTREE_SUFFIX, WorktreePreflight},
        },
    },
    diagnostic::Failure,
};

use crate::{
    git::{Operations, Repository, add_review_tree, is_ignored},
    input::contained_path,
    workspace::Workspace,
};

/// A made worktree.
pub(super) struct Made {
    /// Absolute.
    pub(super) place: PathBuf,
    /// Which of the places it is.
    pub(super) location: Location,
}

/// Nothing could be made: what is in the way.
pub(super) struct Obstruction {
    /// Places that are taken, in the order in which they were tried.
    pub(super) overlap: Vec<String>,
    /// Unmerged paths of a worktree at one of them.
    pub(super) unmerged: Vec<String>,
}

/// Where the worktree may go; `collected_as` is the run's path while it is collected.
pub(super) fn places(workspace: &Workspace<'_>, wanted: &str, adjacent: &Path, collected_as: &str) -> Vec<(PathBuf, Location)> {
    if wanted != "auto" {
        return vec![(PathBuf::from(wanted), Location::ReportAdjacent)];
    }
    let variable = workspace.environment.iter().find(|(name, _)| name == "TMPDIR").map(|(_, value)| PathBuf::from(value));
    let temporary = variable.filter(|folder| folder.is_absolute()).unwrap_or_else(|| PathBuf::from("/tmp"));
    let name = format!("code-review-{}{WORKTREE_SUFFIX}", &digest_bytes(collected_as.as_bytes())[..16]);
    let temporary = temporary.canonicalize().unwrap_or(temporary).join(name);
    vec![(adjacent.to_owned(), Location::ReportAdjacent), (temporary, Location::TemporaryFallback)]
}

/// Makes it at the first free place.
///
/// # Errors
/// Exit 3.
pub(super) fn make(
    workspace: &Workspace<'_>,
    cwd: &Path,
    places: Vec<(PathBuf, Location)>,
    head: &str,
) -> Result<Result<Made, Obstruction>, Failure> {
    let mut obstruction = Obstruction { overlap: Vec::new(), unmerged: Vec::new() };
    for (place, location) in places {
        if is_visible(workspace, cwd, &place)? {
            obstruction.overlap.push(place.display().to_string());
            continue;
        }
        match add_review_tree(&workspace.repository, &place, Some(head)) {
            Ok(()) => return Ok(Ok(Made { place, location })),
            Err(failure) if failure.diagnostics.iter().any(|found| found.code == codes::REVIEW_WORKTREE_OCCUPIED.name) => {
                obstruction.unmerged.extend(unmerged(&place));
                obstruction.overlap.push(place.display().to_string());
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(Err(obstruction))
}

/// Git would see it as a part of the invoking checkout.
fn is_visible(workspace: &Workspace<'_>, cwd: &Path, place: &Path) -> Result<bool, Failure> {
    match contained_path(workspace.repository.root(), cwd, place) {
        Some(relative) => Ok(!is_ignored(&workspace.repository, &relative)?),
        None => Ok(false),
    }
}

fn unmerged(place: &Path) -> Vec<String> {
    let found = Repository::open(place).and_then(|found| Operations::read(&found));
    found.map(|found| found.unmerged_paths).unwrap_or_default()
}

impl Obstruction {
    /// What the run ends with.
    pub(super) fn fault(&self) -> CollectionFault {
        let places = self.overlap.join(", ");
        match self.unmerged.is_empty() {
            true => {
                CollectionFault::new(&codes::WORKTREE_OBSTRUCTED, format!("something is at the place of the review worktree: {places}"))
            }
            false => CollectionFault::new(&codes::WORKTREE_UNMERGED, format!("an unfinished merge is at {places}")),
        }
    }

    /// The receipts of what is in the way.
    pub(super) fn receipts(self, head: &str) -> (WorktreePreflight, CheckoutState) {
        let (preflight, checkout) = match self.unmerged.is_empty() {
            true => (PreflightStatus::Obstructed, CheckoutStatus::Obstructed),
            false => (PreflightStatus::Unmerged, CheckoutStatus::Unmerged),
        };
        let preflight = WorktreePreflight {
            phase: "before-checkout".to_owned(),
            status: preflight,
            current_head: None,
            expected_head: head.to_owned(),
            unmerged: self.unmerged,
            overlap: self.overlap,
        };
        (preflight, state(checkout, "no-checkout; main-worktree-unchanged"))
    }
}

/// The receipt of a clear way: what is dirty in the invoking checkout is somewhere else.
pub(super) fn preflight(source: &SourceObservation, current: Option<String>, head: &str) -> WorktreePreflight {
    let status = if source.dirty_paths.is_empty() { PreflightStatus::Clean } else { PreflightStatus::SafeUnrelatedDirtyPaths };
    WorktreePreflight {
        phase: "after-checkout".to_owned(),
        status,
        current_head: current,
        expected_head: head.to_owned(),
        unmerged: Vec::new(),
        overlap: Vec::new(),
    }
}

/// `checkout-state.json`.
pub(super) fn state(status: CheckoutStatus, local_state: &str) -> CheckoutState {
    CheckoutState { status, local_state: local_state.to_owned(), worktree_lifecycle: "preserved-for-review".to_owned() }
}
