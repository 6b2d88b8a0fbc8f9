//! The canonical patch, made from blobs (BR-44, BR-45).

use std::{
    num::NonZero,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use code_polishy_core::{
    diagnostic::Failure,
    patch::{
        Body, Change, Content, Edit, Entry, EntryMode, FilePatch, MAX_TEXT_BYTES, OpaqueKind, content, content_escaped, file_patch, join,
    },
};
use gix::diff::blob::{Algorithm, Diff, InternedInput};

use super::blobs::{Blob, Blobs};

/// Below this, a thread costs more than it brings.
const CHANGES_A_THREAD: usize = 16;

/// Threads beyond these wait for memory.
const MAX_THREADS: usize = 8;

/// The patch of each change, in their order. Equal trees give equal text whatever the configuration says.
///
/// # Errors
/// Operational `git.object` when a blob is missing.
pub fn patch(changes: &[Change], blobs: &Blobs) -> Result<Vec<FilePatch>, Failure> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS);
    let threads = cores.min(changes.len() / CHANGES_A_THREAD);
    if threads < 2 {
        return changes.iter().map(|change| patch_of(change, blobs)).collect();
    }
    let next = AtomicUsize::new(0);
    let mut patches = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (blobs, next) = (blobs.clone(), &next);
                scope.spawn(move || work(changes, &blobs, next))
            })
            .collect();
        let done = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        done.collect::<Result<Vec<_>, _>>()
    })?
    .concat();
    patches.sort_unstable_by_key(|(index, _)| *index);
    Ok(patches.into_iter().map(|(_, patch)| patch).collect())
}

/// Takes the next change until none is left.
fn work(changes: &[Change], blobs: &Blobs, next: &AtomicUsize) -> Result<Vec<(usize, FilePatch)>, Failure> {
    let mut patches = Vec::new();
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(change) = changes.get(index) else { return Ok(patches) };
        patches.push((index, patch_of(change, blobs)?));
    }
}

fn patch_of(change: &Change, blobs: &Blobs) -> Result<FilePatch, Failure> {
    match (&change.old, &change.new) {
        (Some(old), Some(new)) if kind(old) != kind(new) => {
            let deleted = patch_of(&Change { new: None, ..change.clone() }, blobs)?;
            let added = patch_of(&Change { old: None, ..change.clone() }, blobs)?;
            Ok(join(change, deleted, added))
        }
        (Some(old), Some(new)) if old.id == new.id => {
            let size = blobs.size(&old.id)?;
            Ok(file_patch(change, Body::Opaque { kind: OpaqueKind::Mode, old_size: size, new_size: size }))
        }
        (old, new) => {
            let (old, new) = (load(old.as_ref(), blobs)?, load(new.as_ref(), blobs)?);
            Ok(compare(change, &old, &new))
        }
    }
}

/// Git shows a change between these as a deletion and an addition.
fn kind(entry: &Entry) -> u8 {
    match entry.mode {
        EntryMode::File | EntryMode::Executable => 0,
        EntryMode::Link => 1,
        EntryMode::Gitlink => 2,
    }
}

/// A side's bytes: nothing when it does not exist, the commit for a submodule, which is never entered.
fn load(entry: Option<&Entry>, blobs: &Blobs) -> Result<Blob, Failure> {
    match entry {
        None => Ok(Blob::Whole(Vec::new())),
        Some(Entry { mode: EntryMode::Gitlink, id }) => Ok(Blob::Whole(format!("Subproject commit {id}\n").into_bytes())),
        Some(Entry { id, .. }) => blobs.read_at_most(id, MAX_TEXT_BYTES),
    }
}

fn compare(change: &Change, old: &Blob, new: &Blob) -> FilePatch {
    let opaque = |kind| file_patch(change, Body::Opaque { kind, old_size: old.size(), new_size: new.size() });
    let (Blob::Whole(old), Blob::Whole(new)) = (old, new) else { return opaque(OpaqueKind::OverSize) };
    match (content(old), content(new)) {
        (Content::Binary, _) | (_, Content::Binary) => opaque(OpaqueKind::Binary),
        _ if old.is_empty() && new.is_empty() => opaque(OpaqueKind::Empty),
        (Content::Utf8(old), Content::Utf8(new)) => lines(change, old, new, false),
        _ => lines(change, &content_escaped(old), &content_escaped(new), true),
    }
}

fn lines(change: &Change, old: &str, new: &str, escaped: bool) -> FilePatch {
    let edits = edits(old, new);
    file_patch(change, Body::Lines { old, new, edits: &edits, escaped })
}

/// Myers with git's indentation heuristic: the hunks of `git diff --diff-algorithm=myers`.
fn edits(old: &str, new: &str) -> Vec<Edit> {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    let widen = |range: std::ops::Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| Edit { before: widen(hunk.before), after: widen(hunk.after) }).collect()
}
