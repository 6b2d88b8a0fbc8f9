//! `validate`: reads a run once, gathers the facts around it, and lets the core judge (section 3.2).

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use code_polishy_core::{
    canonical::{digest_bytes, read_strict},
    code_review::{
        codes,
        context::Facts,
        evidence::{Coordinate, Resolved, coordinates},
        image::RunImage,
        run::RunRecord,
        t0::{GitState, SNAPSHOT_FILE, SourceSnapshot},
        validation::{self, Validation},
    },
    diagnostic::Failure,
};
use serde::Serialize;

use super::{
    git_state, image, mirror,
    run::{CANDIDATE_FILE, RESULT_FILE, Run},
    usage,
};
use crate::{
    git::{Blob, Repository, Tree},
    input::{contained_path, read_contained},
    workspace::Workspace,
};

/// Bytes of a cited file.
const MAX_CITED_BYTES: u64 = 64 << 20;

/// What `validate` is asked for.
#[derive(Clone, Debug)]
pub struct ValidateRequest {
    /// `--run`.
    pub run: PathBuf,
    /// `--producer-id`.
    pub producer_id: Option<String>,
    /// `--result`.
    pub result: Option<PathBuf>,
    /// `--manifest-only`.
    pub manifest_only: bool,
}

/// The fields of the document (CR-25).
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// What the result says about the review; only assessed results are judged.
    pub branch: &'static str,
    /// What was found.
    #[serde(flatten)]
    pub validation: Validation,
}

/// Judges a run; `cwd` is where the caller's paths start.
///
/// # Errors
/// Exit 2 `missing-producer-id`, `usage-error`; exit 3 `run-not-found`, `run-locked`; exit 130.
pub fn validate(workspace: &Workspace<'_>, cwd: &Path, request: &ValidateRequest) -> Result<(Run, Judged), Failure> {
    let Some(producer_id) = &request.producer_id else {
        let next = "give the id that `code-review start` printed, with --producer-id or CODE_POLISHY_PRODUCER_ID";
        return Err(usage(&codes::MISSING_PRODUCER_ID, "a validation needs the id of who drives the review", next));
    };
    let run = Run::open(cwd, &request.run)?;
    // A record that cannot be read is the finding of a step; it names no lock either.
    let record = run.record().ok();
    let _lock = record.as_ref().map(|record| run.lock(record)).transpose()?;
    let image = image::read(&run, &workspace.interrupt)?;
    let result_file = result_file(&run, cwd, request, &image)?;
    let around = match &record {
        Some(record) => Around::gather(record, &image, result_file.as_deref())?,
        None => Around::default(),
    };
    workspace.interrupt.check()?;
    let run_path = run.text();
    let facts = Facts {
        image: &image,
        run_path: &run_path,
        producer_id: Some(producer_id),
        git_state: around.git_state.as_ref(),
        mirror: around.mirror.as_ref(),
        role_cards: &BTreeMap::new(),
        prior: None,
        reviewed_tree: around.reviewed_tree,
        resolved: &around.resolved,
        promoted: image.has(RESULT_FILE),
    };
    let (validation, _) = validation::validate(&facts, result_file.as_deref());
    Ok((run, Judged { branch: "assessed", validation }))
}

/// The file to judge, relative to the run; `None` for the receipts alone.
fn result_file(run: &Run, cwd: &Path, request: &ValidateRequest, image: &RunImage) -> Result<Option<String>, Failure> {
    if request.manifest_only {
        return Ok(None);
    }
    let Some(file) = &request.result else {
        return match [CANDIDATE_FILE, RESULT_FILE].into_iter().find(|file| image.has(file)) {
            Some(file) => Ok(Some(file.to_owned())),
            None => {
                let next = "write `result.candidate.json`, or judge the receipts alone with --manifest-only";
                Err(usage(&codes::USAGE_ERROR, "the run has no result to judge", next))
            }
        };
    };
    match contained_path(&run.path(), cwd, file).filter(|path| image.has(path)) {
        Some(path) => Ok(Some(path)),
        None => {
            let message = format!("the run has no file {}", file.display());
            Err(usage(&codes::USAGE_ERROR, message, "name a result inside the run, such as `result.candidate.json`"))
        }
    }
}

/// What is looked at outside the run.
#[derive(Default)]
struct Around {
    git_state: Option<GitState>,
    mirror: Option<SourceSnapshot>,
    reviewed_tree: bool,
    resolved: BTreeMap<Coordinate, Resolved>,
}

impl Around {
    /// A checkout that is gone leaves its facts out, and the steps that need them say so.
    fn gather(record: &RunRecord, image: &RunImage, result_file: Option<&str>) -> Result<Self, Failure> {
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
            reviewed_tree: trees.is_there(),
            resolved: trees.resolve(cited.into_iter().map(|cited| cited.coordinate).collect())?,
        })
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
