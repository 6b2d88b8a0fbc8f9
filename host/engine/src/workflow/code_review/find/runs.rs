//! The runs of a pull request, oldest first, with what each of them holds (CR-179).

use std::path::Path;

use code_polishy_core::{
    code_review::{
        discard::DISCARDED_FOLDER,
        finder::{ResultKind, RunFacts},
        notes::NOTES_FILE,
        prior::run_number,
        pull_request::{
            export::PR_FILE,
            identity::{PullAddress, PullTarget},
            receipt::TARGET_FILE,
        },
        run_manifest::{CANDIDATE_FILE, RESULT_FILE},
    },
    diagnostic::Failure,
};
use serde_json::Value;

use super::super::{config::Effective, reports::Reports, run::Run};
use crate::{store::Store, workspace::Workspace};

/// Runs that may hold the report, from the oldest to the newest: flat ones by their names, then numbered ones.
pub(super) struct Candidates {
    runs: Vec<(Run, RunFacts)>,
}

impl Candidates {
    /// Those in the reports folder of `--reports-dir`, else the configured one.
    pub(super) fn of_target(
        workspace: &Workspace<'_>,
        cwd: &Path,
        reports_dir: Option<&Path>,
        target: &PullTarget,
    ) -> Result<Self, Failure> {
        let effective = Effective::of_worktree(&workspace.repository)?;
        let reports = Reports::of(workspace, cwd, reports_dir, effective.config.code_review.reports_dir.as_deref())?;
        Self::of_folder(workspace, &reports.path(), target)
    }

    /// Those in this reports folder; none when it is absent.
    pub(super) fn of_folder(workspace: &Workspace<'_>, reports: &Path, target: &PullTarget) -> Result<Self, Failure> {
        let mut runs = Vec::new();
        if let Some(store) = reports.is_dir().then(|| Store::open(reports, "")).transpose()?.flatten() {
            for name in store.names()?.into_iter().filter(|name| is_flat(name)) {
                workspace.interrupt.check()?;
                let run = Run::at(reports.to_owned(), name);
                runs.extend(flat(&run, target)?.map(|facts| (run, facts)));
            }
            let folder = format!("pr-{}", target.number());
            let names = store.child(&folder, false)?.map(|store| store.names()).transpose()?.unwrap_or_default();
            let mut numbered: Vec<(u32, String)> = names.into_iter().filter_map(|name| Some((run_number(&name)?, name))).collect();
            numbered.sort_unstable();
            for (_, name) in numbered {
                workspace.interrupt.check()?;
                let run = Run::at(reports.join(&folder), name);
                let facts = numbered_facts(&run, target)?;
                runs.push((run, facts));
            }
        }
        Ok(Self { runs })
    }

    pub(super) fn facts(&self) -> Vec<RunFacts> {
        self.runs.iter().map(|(_, facts)| *facts).collect()
    }

    pub(super) fn run(mut self, index: usize) -> Run {
        self.runs.swap_remove(index).0
    }
}

/// `<YYYY-MM-DDTHH-MM-SS-ffffffZ>`.
fn is_flat(name: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00T00-00-00-000000Z";
    let same = |(byte, shape): (u8, &u8)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == *shape };
    name.len() == SHAPE.len() && name.bytes().zip(SHAPE).all(same)
}

/// Whom a run is about, as far as its `pr.json` says so.
enum Identity {
    Absent,
    /// It is there and cannot be read.
    Damaged,
    Of(PullAddress),
}

impl Identity {
    fn of(run: &Run) -> Result<Self, Failure> {
        let Some(bytes) = run.read(PR_FILE)? else { return Ok(Self::Absent) };
        let read = || {
            let record: Value = serde_json::from_slice(&bytes).ok()?;
            let address = PullAddress::read(record.get("url")?.as_str()?)?;
            (record.get("number")?.as_u64()? == address.number).then_some(address)
        };
        Ok(read().map_or(Self::Damaged, Self::Of))
    }
}

/// A run in the folder of its pull request: one that says to be about another blocks what is before it.
fn numbered_facts(run: &Run, target: &PullTarget) -> Result<RunFacts, Failure> {
    let damaged = match Identity::of(run)? {
        Identity::Absent => false,
        Identity::Damaged => true,
        Identity::Of(address) => address.number != target.number(),
    };
    Ok(RunFacts { damaged, ..held(run)? })
}

/// A run that was not moved to the folder of its pull request; `None` when it is about something else.
fn flat(run: &Run, target: &PullTarget) -> Result<Option<RunFacts>, Failure> {
    let named = || -> Result<bool, Failure> {
        let named = run.read(TARGET_FILE)?.and_then(|bytes| PullTarget::read(String::from_utf8(bytes).ok()?.trim_end()));
        Ok(named.is_some_and(|named| match (&named, target) {
            (PullTarget::Address(one), PullTarget::Address(other)) => one == other,
            _ => named.number() == target.number(),
        }))
    };
    let (is_ours, damaged) = match Identity::of(run)? {
        Identity::Absent => (named()?, false),
        Identity::Damaged => (named()?, true),
        Identity::Of(address) => (target.names(&address), false),
    };
    if !is_ours {
        return Ok(None);
    }
    Ok(Some(RunFacts { damaged, ..held(run)? }))
}

fn held(run: &Run) -> Result<RunFacts, Failure> {
    let there = |file: &str| -> bool { run.path().join(file).symlink_metadata().is_ok() };
    Ok(RunFacts {
        begun: [NOTES_FILE, PR_FILE, TARGET_FILE].into_iter().any(there),
        candidate: there(CANDIDATE_FILE),
        discarded: there(DISCARDED_FOLDER),
        result: run.read(RESULT_FILE)?.map(|bytes| kind(&bytes)),
        damaged: false,
    })
}

fn kind(result: &[u8]) -> ResultKind {
    let Ok(result) = serde_json::from_slice::<Value>(result) else { return ResultKind::Invalid };
    let status = result.pointer("/metadata/review_status").map(|status| status.as_str().unwrap_or_default());
    match (result["schema_version"].as_u64(), result["metadata"].is_object(), status) {
        (Some(super::CURRENT_SCHEMA), true, None) => ResultKind::Assessed,
        (Some(super::CURRENT_SCHEMA), true, Some("closed")) => ResultKind::Closed,
        (Some(super::CURRENT_SCHEMA), true, Some("unavailable")) => ResultKind::Unavailable,
        _ => ResultKind::Invalid,
    }
}
