//! What is looked at around a run before it is judged: checkouts, trees, role cards.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::resume_unwind,
    path::Path,
    thread,
};

use code_polishy_core::{
    canonical::{digest_bytes, read_strict},
    code_review::{
        context::Facts,
        evidence::{Coordinate, Resolved, coordinates},
        image::RunImage,
        prior::PriorRecord,
        run::RunRecord,
        t0::{GitState, SNAPSHOT_FILE, SourceSnapshot},
    },
    diagnostic::Failure,
    plugin::PluginHost,
};

use super::{git_state, mirror, render::rendered, role_cards::RoleCards, run::RESULT_FILE};
use crate::{
    git::{Blob, Repository, Tree},
    input::read_contained,
};

/// Bytes of a cited file.
const MAX_CITED_BYTES: u64 = 64 << 20;

/// What is looked at outside the run.
#[derive(Default)]
pub(super) struct Around {
    git_state: Option<GitState>,
    mirror: Option<SourceSnapshot>,
    pub(super) role_cards: RoleCards,
    reviewed_tree: bool,
    resolved: BTreeMap<Coordinate, Resolved>,
    rendered: Option<Result<Vec<u8>, String>>,
    prior: Option<PriorRecord>,
}

impl Around {
    /// A checkout that is gone leaves its facts out, and the steps that need them say so.
    ///
    /// # Errors
    /// Exit 3.
    pub(super) fn gather(record: &RunRecord, image: &RunImage, result_file: Option<&str>) -> Result<Self, Failure> {
        let source = Repository::open(Path::new(&record.source_worktree)).ok();
        let snapshot: Option<SourceSnapshot> = image.bytes(SNAPSHOT_FILE).and_then(|bytes| read_strict(bytes, "snapshot", "").ok());
        let place = record.review_worktree.as_deref().map(Path::new);
        let mirror = match (&snapshot, place) {
            (Some(snapshot), Some(place)) => mirror::look(snapshot, place)?,
            _ => None,
        };
        let trees = Trees { record, source: source.as_ref(), place };
        let cited = result_file.map(|file| coordinates(image, file)).unwrap_or_default();
        Ok(Self {
            git_state: source.as_ref().map(git_state::observe).transpose()?,
            mirror,
            role_cards: RoleCards::read(record, source.as_ref(), image),
            reviewed_tree: trees.is_there(),
            resolved: trees.resolve(cited.into_iter().map(|cited| cited.coordinate).collect())?,
            rendered: None,
            prior: None,
        })
    }

    /// The same, with this report as what the hand-off renders to.
    pub(super) fn with_report(self, rendered: Option<Result<Vec<u8>, String>>) -> Self {
        Self { rendered, ..self }
    }

    /// The same, with the report that the hand-off renders to now: it is drawn while the rest is looked at.
    ///
    /// # Errors
    /// Exit 3, also of a renderer that ends without an answer.
    pub(super) fn gather_and_render(
        host: &dyn PluginHost,
        record: &RunRecord,
        image: &RunImage,
        result_file: &str,
    ) -> Result<Self, Failure> {
        thread::scope(|scope| {
            let rendered = scope.spawn(|| rendered(host, image));
            let around = Self::gather(record, image, Some(result_file))?;
            let rendered = rendered.join().unwrap_or_else(|panic| resume_unwind(panic))?;
            Ok(around.with_report(rendered))
        })
    }

    /// The same, with what the ledgers of earlier runs give now.
    pub(super) fn with_prior(self, prior: Option<PriorRecord>) -> Self {
        Self { prior, ..self }
    }

    /// As the core wants them.
    pub(super) fn facts<'f>(&'f self, image: &'f RunImage, run_path: &'f str, producer_id: Option<&'f str>) -> Facts<'f> {
        Facts {
            image,
            run_path,
            producer_id,
            git_state: self.git_state.as_ref(),
            mirror: self.mirror.as_ref(),
            role_cards: &self.role_cards.cards,
            prior: self.prior.as_ref(),
            reviewed_tree: self.reviewed_tree,
            resolved: &self.resolved,
            rendered: self.rendered.as_ref(),
            promoted: image.has(RESULT_FILE),
        }
    }
}

/// The reviewed and the base tree.
struct Trees<'a> {
    record: &'a RunRecord,
    source: Option<&'a Repository>,
    place: Option<&'a Path>,
}

impl Trees<'_> {
    /// Without a review worktree the reviewed tree is the one of the commit (CR-214).
    fn is_there(&self) -> bool {
        match self.place {
            Some(place) => place.is_dir(),
            None => self.source.is_some() && self.record.head_oid.is_some(),
        }
    }

    fn resolve(&self, cited: BTreeSet<Coordinate>) -> Result<BTreeMap<Coordinate, Resolved>, Failure> {
        let mut resolved = BTreeMap::new();
        for coordinate in cited {
            let bytes = match (coordinate.base, self.place) {
                (false, Some(place)) => read_contained(place, &coordinate.path, MAX_CITED_BYTES).ok(),
                (false, None) => self.blob(self.record.head_oid.as_deref(), &coordinate.path)?,
                (true, _) => self.blob(self.record.base_oid.as_deref(), &coordinate.path)?,
            };
            if let Some(bytes) = bytes {
                let lines = bytes.split_inclusive(|byte| *byte == b'\n').count();
                let lines = u32::try_from(lines).unwrap_or(u32::MAX);
                resolved.insert(coordinate, Resolved { file_sha256: digest_bytes(&bytes), lines });
            }
        }
        Ok(resolved)
    }

    fn blob(&self, commit: Option<&str>, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        let (Some(source), Some(commit)) = (self.source, commit) else { return Ok(None) };
        Ok(match Tree::of(source, commit)?.file_at_most(path, MAX_CITED_BYTES)? {
            Some(Blob::Whole(bytes)) => Some(bytes),
            Some(Blob::Larger(_)) | None => None,
        })
    }
}
