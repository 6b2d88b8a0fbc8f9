//! The files that recorders name, as they really lie in the reviewed tree.

use std::path::{Path, PathBuf};

use code_polishy_core::{
    code_review::source_proof::FileFact,
    diagnostic::Failure,
    patch::{Entry, EntryMode},
};

use super::{
    super::observe::{Watch, checkout},
    text,
};
use crate::{git::Tree, workflow::code_review::members};

/// What is true of each; a file that cannot be read is a fault.
///
/// # Errors
/// Exit 3: git cannot be read.
pub(super) fn look(watch: &Watch, named: &[String], faults: &mut Vec<String>) -> Result<Vec<FileFact>, Failure> {
    let worktree = watch.worktree();
    let repository = checkout(worktree)?;
    let tree = match watch {
        Watch::Clean { expected_head: commit, .. } => Tree::of(&repository, commit)?,
        Watch::Mirror { recorded, .. } => match &recorded.revision {
            Some(commit) => Tree::of(&repository, commit)?,
            None => Tree::empty(&repository),
        },
    };
    let root = worktree.canonicalize().unwrap_or_else(|_| worktree.to_owned());
    let mut files = Vec::new();
    for named in named {
        let real = real(Path::new(named));
        let inside = real.strip_prefix(&root).ok().and_then(text).filter(|path| !path.is_empty());
        let tracked = match &inside {
            Some(path) => matches!(tree.entry(path)?, Some(Entry { mode: EntryMode::File | EntryMode::Executable, .. })),
            None => false,
        };
        let sha256 = match real.is_file().then(|| members::digest_file(&real)) {
            Some(Err(error)) => {
                faults.push(format!("{named} cannot be read: {error}"));
                None
            }
            Some(Ok(sha256)) => Some(sha256),
            None => None,
        };
        files.push(FileFact {
            named: named.clone(),
            path: inside.or_else(|| text(&real)).unwrap_or_else(|| named.clone()),
            tracked,
            sha256,
        });
    }
    Ok(files)
}

/// Behind every link; of what is gone, the folder that is left.
fn real(named: &Path) -> PathBuf {
    named.canonicalize().unwrap_or_else(|_| match (named.parent(), named.file_name()) {
        (Some(parent), Some(name)) => real(parent).join(name),
        _ => named.to_owned(),
    })
}
