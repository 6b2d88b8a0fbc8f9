//! The blob that git would store for a file of the work tree: end-of-line and encoding attributes apply, filter programs never run.

use std::{fs::File, io::Read, path::Path, sync::atomic::AtomicBool};

use code_polishy_core::{diagnostic::Failure, patch::MAX_TEXT_BYTES};
use gix::{
    ObjectId,
    bstr::BStr,
    filter::plumbing::pipeline::{CrlfRoundTripCheck, convert::ToGitOutcome},
    glob::pattern::Case,
    objs::Kind,
    worktree::{
        Stack,
        stack::{State, state::attributes::Source},
    },
};

use super::{blobs::Blob, fault, repository::Repository};

/// Files and the index that they are compared with.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    /// Has the objects.
    pub(super) repository: &'a Repository,
    /// The top folder of the files.
    pub(super) root: &'a Path,
    /// What is tracked.
    pub(super) index: &'a gix::index::State,
    /// The files were written by us: the repository's own end-of-line settings do not count.
    pub(super) disposable: bool,
}

/// Turns files into blobs; one per thread.
pub(super) struct CleanFilter<'index> {
    repository: gix::Repository,
    pipeline: gix::filter::plumbing::Pipeline,
    attributes: Stack,
    index: &'index gix::index::State,
}

impl<'index> CleanFilter<'index> {
    /// The rules of a work tree: its `.gitattributes` files, and the repository's `core.autocrlf` and `core.eol`.
    pub(super) fn of(ground: Ground<'index>) -> Result<Self, Failure> {
        let local = ground.repository.local();
        let mut options = gix::filter::Pipeline::options(&local).map_err(settings)?;
        if ground.disposable {
            options = gix::filter::plumbing::pipeline::Options::default();
        }
        options.drivers.clear();
        options.crlf_roundtrip_check = CrlfRoundTripCheck::Skip;
        let pipeline = pipeline(&local, options)?;
        let state = State::AttributesStack(in_tree_attributes(Source::WorktreeThenIdMapping));
        let ids = state.id_mappings_from_index(ground.index, ground.index.path_backing(), Case::Sensitive);
        let attributes = Stack::new(ground.root, state, Case::Sensitive, Vec::new(), ids);
        Ok(Self { repository: local, pipeline, attributes, index: ground.index })
    }

    /// The blob of a regular file. Its content is kept only when it is small enough to be shown.
    pub(super) fn file(&mut self, path: &BStr, place: &Path) -> Result<(ObjectId, Blob), Failure> {
        let failed = |error: &dyn std::fmt::Display| fault::files("cannot read", place, error);
        let file = File::open(place).map_err(|error| failed(&error))?;
        let relative = gix::path::from_bstr(path).map_err(|error| failed(&error))?;
        let objects = &self.repository.objects;
        let entry = self.attributes.at_entry(path, None, objects).map_err(|error| failed(&error))?;
        let index = self.index;
        let outcome = self.pipeline.convert_to_git(
            file,
            &relative,
            &mut |_, attributes| {
                entry.matching_attributes(attributes);
            },
            &mut |buffer| {
                let Some(tracked) = index.entry_by_path(path) else { return Ok(None) };
                Ok(gix::objs::Find::try_find(objects, &tracked.id, buffer)?.map(|_| ()))
            },
        );
        let hash = self.repository.object_hash();
        match outcome {
            Ok(ToGitOutcome::Unchanged(file)) => raw(file, hash).map_err(|error| failed(&error)),
            Ok(ToGitOutcome::Buffer(bytes)) => whole(bytes.to_vec(), hash).map_err(|error| failed(&error)),
            Ok(ToGitOutcome::Process(_)) => Err(failed(&"a filter program was configured")),
            // An encoding that is unknown, or not that of the file: git could not store it either way, so it is what it is.
            Err(_) => File::open(place).map_err(gix::Error::from_error).and_then(|file| raw(file, hash)).map_err(|error| failed(&error)),
        }
    }

    /// The blob of a symbolic link.
    pub(super) fn link(&self, place: &Path) -> Result<(ObjectId, Blob), Failure> {
        let text = link_text(place)?;
        whole(text, self.repository.object_hash()).map_err(|error| fault::files("cannot read", place, error))
    }
}

/// A pipeline with these options. It knows no filter program unless the options do.
pub(super) fn pipeline(
    local: &gix::Repository,
    options: gix::filter::plumbing::pipeline::Options,
) -> Result<gix::filter::plumbing::Pipeline, Failure> {
    let context = local.command_context().map_err(settings)?;
    Ok(gix::filter::plumbing::Pipeline::new(context, local.object_hash(), options))
}

/// Attribute rules that come from the tree alone: no system, user or `info/attributes` file.
pub(super) fn in_tree_attributes(source: Source) -> gix::worktree::stack::state::Attributes {
    let mut names = gix::attrs::search::MetadataCollection::default();
    let built_in = gix::attrs::Search::new_globals(std::iter::empty::<std::path::PathBuf>(), &mut Vec::new(), &mut names);
    gix::worktree::stack::state::Attributes::new(built_in.unwrap_or_default(), None, source, names)
}

/// The bytes that a symbolic link holds.
pub(super) fn link_text(place: &Path) -> Result<Vec<u8>, Failure> {
    let target = std::fs::read_link(place).map_err(|error| fault::files("cannot read the link", place, error))?;
    Ok(gix::path::into_bstr(target).map_err(|error| fault::files("cannot read the link", place, error))?.into_owned().into())
}

fn raw(mut file: File, hash: gix::hash::Kind) -> gix::Result<(ObjectId, Blob)> {
    let size = file.metadata().map_err(gix::Error::from_error)?.len();
    if size > MAX_TEXT_BYTES {
        let never = AtomicBool::new(false);
        let id = gix::objs::compute_stream_hash(hash, Kind::Blob, &mut file, size, &mut gix::progress::Discard, &never)?;
        return Ok((id, Blob::Larger(size)));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    file.read_to_end(&mut bytes).map_err(gix::Error::from_error)?;
    whole(bytes, hash)
}

fn whole(bytes: Vec<u8>, hash: gix::hash::Kind) -> gix::Result<(ObjectId, Blob)> {
    let id = gix::objs::compute_hash(hash, Kind::Blob, &bytes)?;
    let size = bytes.len() as u64;
    Ok((id, if size > MAX_TEXT_BYTES { Blob::Larger(size) } else { Blob::Whole(bytes) }))
}

fn settings(error: impl std::fmt::Display) -> Failure {
    fault::operational("git.settings", "the repository's end-of-line settings cannot be read", error)
}
