//! The canonical patch, made from blobs (BR-44, BR-45).

use std::{
    num::NonZero,
    ops::Range,
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

use super::blobs::Blobs;

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
    let threads = cores.min(changes.len() / CHANGES_A_THREAD).max(1);
    let next = AtomicUsize::new(0);
    let mut patches = thread::scope(|scope| {
        let work = |blobs: Blobs| Differ { blobs, old: Vec::new(), new: Vec::new() }.work(changes, &next);
        let others: Vec<_> = (1..threads)
            .map(|_| {
                let blobs = blobs.clone();
                scope.spawn(move || work(blobs))
            })
            .collect();
        let own = work(blobs.clone());
        let others = others.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(own).chain(others).collect::<Result<Vec<_>, _>>()
    })?
    .into_iter()
    .flatten()
    .collect::<Vec<_>>();
    patches.sort_unstable_by_key(|(index, _)| *index);
    Ok(patches.into_iter().map(|(_, patch)| patch).collect())
}

/// Compares blobs; one per thread. Its buffers are used again for every change.
struct Differ {
    blobs: Blobs,
    old: Vec<u8>,
    new: Vec<u8>,
}

impl Differ {
    /// Takes the next change until none is left.
    fn work(mut self, changes: &[Change], next: &AtomicUsize) -> Result<Vec<(usize, FilePatch)>, Failure> {
        let mut patches = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(change) = changes.get(index) else { return Ok(patches) };
            patches.push((index, self.patch(change)?));
        }
    }

    fn patch(&mut self, change: &Change) -> Result<FilePatch, Failure> {
        match (&change.old, &change.new) {
            (Some(old), Some(new)) if kind(old) != kind(new) => {
                let deleted = self.patch(&Change { new: None, ..change.clone() })?;
                let added = self.patch(&Change { old: None, ..change.clone() })?;
                Ok(join(change, deleted, added))
            }
            (Some(old), Some(new)) if old.id == new.id => {
                let size = self.blobs.size(&old.id)?;
                Ok(file_patch(change, Body::Opaque { kind: OpaqueKind::Mode, old_size: size, new_size: size }))
            }
            (old, new) => {
                let old = load(&self.blobs, old.as_ref(), &mut self.old)?;
                let new = load(&self.blobs, new.as_ref(), &mut self.new)?;
                Ok(compare(change, old, new))
            }
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

/// One side of a change: its bytes, or its size when it is over-size.
type Side<'a> = Result<&'a [u8], u64>;

/// Nothing for a side that does not exist, the commit for a submodule, which is never entered.
fn load<'a>(blobs: &Blobs, entry: Option<&Entry>, buffer: &'a mut Vec<u8>) -> Result<Side<'a>, Failure> {
    buffer.clear();
    match entry {
        None => {}
        Some(Entry { mode: EntryMode::Gitlink, id }) => buffer.extend_from_slice(format!("Subproject commit {id}\n").as_bytes()),
        Some(Entry { id, .. }) => {
            if let Some(size) = blobs.read_into(id, MAX_TEXT_BYTES, buffer)? {
                return Ok(Err(size));
            }
        }
    }
    Ok(Ok(buffer))
}

fn compare(change: &Change, old: Side<'_>, new: Side<'_>) -> FilePatch {
    let size = |side: Side<'_>| side.map_or_else(|size| size, |bytes| bytes.len() as u64);
    let opaque = |kind| file_patch(change, Body::Opaque { kind, old_size: size(old), new_size: size(new) });
    let (Ok(old), Ok(new)) = (old, new) else { return opaque(OpaqueKind::OverSize) };
    match (content(old), content(new)) {
        (Content::Binary, _) | (_, Content::Binary) => opaque(OpaqueKind::Binary),
        _ if old.is_empty() && new.is_empty() => opaque(OpaqueKind::Empty),
        (Content::Utf8(old), Content::Utf8(new)) => lines(change, old, new, false),
        _ => lines(change, &content_escaped(old), &content_escaped(new), true),
    }
}

/// Myers with git's indentation heuristic: the hunks of `git diff --diff-algorithm=myers`.
fn lines(change: &Change, old: &str, new: &str, escaped: bool) -> FilePatch {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    let widen = |range: Range<u32>| range.start as usize..range.end as usize;
    let edits: Vec<_> = diff.hunks().map(|hunk| Edit { before: widen(hunk.before), after: widen(hunk.after) }).collect();
    let [old, new] = [&input.before, &input.after].map(|tokens| tokens.iter().map(|token| input.interner[*token]).collect::<Vec<_>>());
    file_patch(change, Body::Lines { old: &old, new: &new, edits: &edits, escaped })
}
