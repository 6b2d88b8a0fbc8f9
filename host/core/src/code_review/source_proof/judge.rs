//! One file against the reviewed tree, and the parts of a proof put together (CR-144).

use std::collections::BTreeMap;

use super::{
    facts::{FileFact, ProofFacts},
    reason::ProofReason,
};
use crate::code_review::{
    gates::{ProofOrigin, ProofStatus, SourceProof},
    t0::{SnapshotKind, SourceSnapshot},
};

/// The reviewed tree.
#[derive(Clone, Copy, Debug)]
pub enum Reviewed<'a> {
    /// A clean checkout of the reviewed commit.
    Commit,
    /// A mirror: the commit below, with the files of the snapshot put over it.
    Mirror(&'a SourceSnapshot),
}

/// What a file is to the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A module, a manifest or a source.
    Origin,
    /// A file of tests.
    Test,
}

/// Judges files.
pub(super) struct Judge<'a> {
    files: BTreeMap<&'a str, &'a FileFact>,
    snapshot: Option<BTreeMap<&'a str, Option<&'a str>>>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(facts: &'a ProofFacts, reviewed: Reviewed<'a>) -> Self {
        let files = facts.files.iter().map(|file| (file.named.as_str(), file)).collect();
        let bytes = |kind, sha256: &'a Option<String>| sha256.as_deref().filter(|_| kind == SnapshotKind::File);
        let snapshot = match reviewed {
            Reviewed::Commit => None,
            Reviewed::Mirror(snapshot) => {
                Some(snapshot.files.iter().map(|file| (file.path.as_str(), bytes(file.kind, &file.sha256))).collect())
            }
        };
        Self { files, snapshot }
    }

    /// Where the file really lies; as it is named when nothing is known of it.
    pub(super) fn path(&self, named: &'a str) -> &'a str {
        self.files.get(named).map_or(named, |file| file.path.as_str())
    }

    /// The file as an origin. `saw` is the digest of what a process read there. A file that the facts do not tell of lies nowhere.
    pub(super) fn origin(&self, name: &str, named: &str, part: Part, saw: Option<&str>) -> ProofOrigin {
        let file = self.files.get(named).copied();
        let snapshot_member = file.is_some_and(|file| self.is_member(file));
        let reason = match file {
            Some(file) => self.fault(file, part, snapshot_member, saw),
            None => Some(outside(part)),
        };
        ProofOrigin {
            name: name.to_owned(),
            path: Some(file.map_or_else(|| named.to_owned(), |file| file.path.clone())),
            tracked: file.is_some_and(|file| file.tracked && file.is_inside()),
            sha256: file.and_then(|file| file.sha256.clone()),
            snapshot_member,
            status: reason.map_or(ProofStatus::Pass, ProofReason::status),
            reason,
        }
    }

    fn fault(&self, file: &FileFact, part: Part, snapshot_member: bool, saw: Option<&str>) -> Option<ProofReason> {
        let untracked = if part == Part::Test { ProofReason::TestNotTracked } else { ProofReason::OriginNotTracked };
        if !file.is_inside() {
            Some(outside(part))
        } else if self.snapshot.is_some() && !snapshot_member {
            Some(ProofReason::OriginNotCurrentSnapshotMember)
        } else if self.snapshot.is_none() && (!file.tracked || file.sha256.is_none()) {
            Some(untracked)
        } else if saw.is_some() && saw != file.sha256.as_deref() {
            Some(ProofReason::WorkerLocalSnapshotMismatch)
        } else {
            None
        }
    }

    /// What was put over the commit has the bytes that were mirrored; the rest is the commit's.
    fn is_member(&self, file: &FileFact) -> bool {
        let Some(snapshot) = &self.snapshot else { return false };
        file.is_inside()
            && file.sha256.is_some()
            && match snapshot.get(file.path.as_str()) {
                Some(mirrored) => *mirrored == file.sha256.as_deref(),
                None => file.tracked,
            }
    }
}

fn outside(part: Part) -> ProofReason {
    match part {
        Part::Origin => ProofReason::OriginOutsideWorktree,
        Part::Test => ProofReason::TestOutsideWorktree,
    }
}

/// What a kind of proof found.
#[derive(Default)]
pub(super) struct Found {
    /// In the order in which they are told.
    pub(super) origins: Vec<ProofOrigin>,
    /// Processes that ran tests.
    pub(super) processes: Vec<String>,
    /// Processes that prove nothing: why, which, and what is known of it.
    pub(super) broken: Vec<(ProofReason, String)>,
    /// What a proof cannot do without, and is not there.
    pub(super) lacking: Vec<String>,
}

impl Found {
    /// The proof: refuted, or else open, or else passed.
    pub(super) fn proof(self, facts: &ProofFacts) -> SourceProof {
        let broken = self.broken.iter().map(|(reason, process)| format!("{}: {process}", reason.as_str()));
        let errors: Vec<String> = broken.chain(self.lacking.iter().cloned()).chain(facts.faults.iter().cloned()).collect();
        let refuted = !self.broken.is_empty() || self.origins.iter().any(|origin| origin.status == ProofStatus::Fail);
        let proven = errors.is_empty() && !self.origins.is_empty() && self.origins.iter().all(|origin| origin.status == ProofStatus::Pass);
        let status = match (refuted, proven) {
            (true, _) => ProofStatus::Fail,
            (false, true) => ProofStatus::Pass,
            (false, false) => ProofStatus::Inconclusive,
        };
        SourceProof { status, kind: Some(facts.seen.kind().to_owned()), origins: self.origins, processes: self.processes, errors }
    }
}
