//! The mirror of a working tree: HEAD, with the changed and untracked files put over it byte by byte (CR-31, CR-32).

use std::path::Path;

use code_polishy_core::{
    canonical::digest_bytes,
    code_review::{
        codes,
        t0::{MirrorReceipt, SnapshotFile, SourceSnapshot},
    },
    diagnostic::Failure,
};

use super::{
    blocked, members,
    scope::{Capture, Texts, capture_local},
};
use crate::git::{Operations, Repository, add_review_tree};

/// Makes the mirror at `place` and verifies it; its two receipts.
///
/// # Errors
/// Exit 1 `review-worktree-occupied`, `review-source-changed-during-capture`, `review-mirror-mismatch`; exit 3.
pub fn make(repository: &Repository, capture: &Capture, texts: &Texts, place: &Path) -> Result<(MirrorReceipt, SourceSnapshot), Failure> {
    let root = repository.root();
    let paths = &capture.inspection_set;
    let index_sha256 = Operations::read(repository)?.index_sha256;
    let before = members::look(root, paths)?;
    add_review_tree(repository, place, capture.head.as_deref())?;
    let copied = capture.changes.iter().map(|change| &change.path).chain(&capture.untracked);
    let (gone, there): (Vec<_>, Vec<_>) = copied.partition(|path| root.join(path.as_str()).symlink_metadata().is_err());
    for path in gone.into_iter().chain(there) {
        members::copy(root, place, path)?;
    }
    let after = Operations::read(repository)?.index_sha256;
    if members::look(root, paths)? != before || after != index_sha256 || repository.head_as_is()? != capture.head {
        return Err(changed(&before, &members::look(root, paths)?));
    }
    verify(&before, &members::look(place, paths)?)?;
    let source_worktree = root.display().to_string();
    let scope_paths = capture.targets.clone();
    let mirror = MirrorReceipt {
        schema_version: 1,
        source_worktree: source_worktree.clone(),
        review_worktree: place.display().to_string(),
        revision: capture.head.clone(),
        scope_paths: scope_paths.clone(),
        index_sha256: index_sha256.clone(),
        diff_sha256: digest_bytes(texts.diff.as_bytes()),
        status_sha256: digest_bytes(texts.status.as_bytes()),
        review_status_sha256: digest_bytes(status(place)?.as_bytes()),
    };
    let revision = capture.head.clone();
    Ok((mirror, SourceSnapshot { schema_version: 1, repository: source_worktree, scope_paths, revision, index_sha256, files: before }))
}

/// The mirror as it is now, in the form of its snapshot; `None` when it is gone.
///
/// # Errors
/// Exit 3: a file cannot be read.
pub fn look(recorded: &SourceSnapshot, place: &Path) -> Result<Option<SourceSnapshot>, Failure> {
    if !place.is_dir() {
        return Ok(None);
    }
    let files = members::look(place, recorded.files.iter().map(|file| &file.path))?;
    Ok(Some(SourceSnapshot { files, ..recorded.clone() }))
}

fn status(place: &Path) -> Result<String, Failure> {
    let mirror = Repository::open(place)?;
    Ok(capture_local(&mirror, place, &[], None)?.texts(place)?.status)
}

fn verify(source: &[SnapshotFile], mirror: &[SnapshotFile]) -> Result<(), Failure> {
    match source.iter().zip(mirror).find(|(source, mirror)| source != mirror) {
        None => Ok(()),
        Some((file, _)) => {
            let message = format!("`{}` is not the same in the checkout and in its mirror", file.path);
            Err(blocked(&codes::REVIEW_MIRROR_MISMATCH, message, "check the file system of the reports folder, then start again")
                .at_path(&file.path))
        }
    }
}

fn changed(before: &[SnapshotFile], now: &[SnapshotFile]) -> Failure {
    let path = before.iter().zip(now).find(|(before, now)| before != now).map(|(file, _)| file.path.as_str());
    let message = match path {
        Some(path) => format!("`{path}` changed while it was captured"),
        None => "HEAD or the index changed during the capture".to_owned(),
    };
    let failure = blocked(&codes::REVIEW_SOURCE_CHANGED_DURING_CAPTURE, message, "start again when nothing else writes");
    match path {
        Some(path) => failure.at_path(path),
        None => failure,
    }
}
