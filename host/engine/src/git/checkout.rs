//! Writing a tree, or some of its files, into a folder: end-of-line and encoding attributes apply, nothing else does (BR-82).

use std::{
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use code_polishy_core::{
    diagnostic::Failure,
    patch::{Entry, EntryMode},
};
use gix::{
    ObjectId,
    bstr::ByteSlice,
    filter::plumbing::{
        driver::apply::Delay,
        pipeline::{CrlfRoundTripCheck, Options},
    },
    index::{
        State,
        entry::{Flags, Mode, Stat},
    },
    progress::Discard,
    worktree::{stack::state::attributes::Source, state::checkout},
};

use super::{
    clean_filter::{in_tree_attributes, pipeline},
    fault,
    repository::object_id,
    utf16,
};

/// Writes a whole tree into an empty folder and its index to `index_path`; returns the index as it was written.
pub(super) fn tree(local: &gix::Repository, tree: ObjectId, folder: &Path, index_path: PathBuf) -> Result<gix::index::File, Failure> {
    let state = local.index_from_tree(&tree).map_err(|error| failed(folder, error))?.into_parts().0;
    let mut index = gix::index::File::from_state(state, index_path);
    let options = checkout::Options { destination_is_initially_empty: true, ..options(local, Source::IdMapping)? };
    write(local, &mut index, folder, options)?;
    utf16::encode(local, &mut index, folder, Source::IdMapping)?;
    index.write(gix::index::write::Options::default()).map_err(|error| failed(folder, error))?;
    // Read back, the index is as old as its file, so that a file written after it is never taken for unchanged.
    gix::index::File::at(index.path(), local.object_hash(), false, gix::index::decode::Options::default())
        .map_err(|error| failed(folder, error))
}

/// Writes some files over what is in the folder; returns an index of them.
pub(super) fn files(local: &gix::Repository, files: &[(&str, &Entry)], folder: &Path) -> Result<State, Failure> {
    let mut index = State::new(local.object_hash());
    for (path, entry) in files {
        index.dangerously_push_entry(Stat::default(), object_id(&entry.id)?, Flags::empty(), mode(entry.mode), path.as_bytes().as_bstr());
    }
    index.sort_entries();
    let options = checkout::Options { overwrite_existing: true, ..options(local, Source::IdMappingThenWorktree)? };
    write(local, &mut index, folder, options)?;
    utf16::encode(local, &mut index, folder, Source::IdMappingThenWorktree)?;
    Ok(index)
}

pub(super) fn mode(mode: EntryMode) -> Mode {
    match mode {
        EntryMode::File => Mode::FILE,
        EntryMode::Executable => Mode::FILE_EXECUTABLE,
        EntryMode::Link => Mode::SYMLINK,
        EntryMode::Gitlink => Mode::COMMIT,
    }
}

fn write(local: &gix::Repository, index: &mut State, folder: &Path, options: checkout::Options) -> Result<(), Failure> {
    let mut objects = local.objects.clone();
    // A blob is read once.
    objects.unset_object_cache();
    let objects = objects.into_arc().map_err(|error| failed(folder, error))?;
    let never = AtomicBool::new(false);
    let done = gix::worktree::state::checkout(index, folder, objects, &Discard, &Discard, &never, options);
    let done = done.map_err(|error| failed(folder, error))?;
    match done.collisions.first() {
        Some(collision) => Err(failed(folder, format_args!("`{}` collides with another path", collision.path))),
        None => Ok(()),
    }
}

/// Nothing of the repository's, the user's or the system's settings: no filter program, no attributes but those of the tree.
fn options(local: &gix::Repository, source: Source) -> Result<checkout::Options, Failure> {
    let rules = Options { crlf_roundtrip_check: CrlfRoundTripCheck::Skip, ..Options::default() };
    let mut options = checkout::Options::new(pipeline(local, rules)?);
    options.attributes = in_tree_attributes(source);
    options.filter_process_delay = Delay::Forbid;
    options.stat_options.use_nsec = true;
    Ok(options)
}

fn failed(folder: &Path, error: impl std::fmt::Display) -> Failure {
    fault::files("cannot write the tree into", folder, error)
}
