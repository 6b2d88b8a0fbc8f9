//! What lies at each path of the inspection set: of a mirror as its snapshot says, of a commit as its tree says.

use std::path::Path;

use code_polishy_core::{
    canonical::digest_bytes,
    code_review::{
        routing::Source,
        t0::{SnapshotKind, T0},
    },
    diagnostic::Failure,
    patch::EntryMode,
};

use crate::git::{Repository, Tree};

/// One source for each path of the inspection set, in its order.
///
/// # Errors
/// Exit 3 of git.
pub(super) fn of(t0: &T0) -> Result<Vec<Source>, Failure> {
    match (&t0.snapshot, &t0.run.head_oid) {
        (Some(snapshot), _) => Ok(snapshot.files.iter().map(|file| Source { kind: file.kind, sha256: file.sha256.clone() }).collect()),
        (None, Some(head)) => {
            let tree = Tree::of(&Repository::open(Path::new(&t0.run.source_worktree))?, head)?;
            t0.inspection_set.iter().map(|path| in_tree(&tree, path)).collect()
        }
        (None, None) => Ok(Vec::new()),
    }
}

fn in_tree(tree: &Tree, path: &str) -> Result<Source, Failure> {
    let Some(entry) = tree.entry(path)? else { return Ok(Source { kind: SnapshotKind::Missing, sha256: None }) };
    let kind = match entry.mode {
        EntryMode::Gitlink => return Ok(Source { kind: SnapshotKind::Gitlink, sha256: None }),
        EntryMode::Link => SnapshotKind::Symlink,
        EntryMode::File | EntryMode::Executable => SnapshotKind::File,
    };
    Ok(Source { kind, sha256: Some(digest_bytes(&tree.blobs().read(&entry.id)?)) })
}
