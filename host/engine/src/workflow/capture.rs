//! `capture-intent`: keeps the words of a request with the state they were said in (contract 4.3).

use std::path::{Path, PathBuf};

use code_polishy_core::{
    diagnostic::Failure,
    journal::{self, Capture, Journal},
    packet::FOLDER,
    policy::{
        features::{FeatureNames, resolve_operands},
        model::Policy,
        scope::Governed,
    },
};
use serde::Serialize;

use crate::{
    event::Event,
    git::{Ancestry, WorkingState},
    input::{InputFault, contained_path, read_contained, read_stream},
    lock,
    store::Store,
    workflow::{
        policies::{Side, working_policy},
        working,
    },
    workspace::Workspace,
};

/// The journal's file name.
pub const JOURNAL_FILE: &str = "intent-journal.json";
/// The lock's file name.
pub const LOCK_FILE: &str = ".intent-journal.lock";

/// Where the request's words come from.
pub enum IntentSource {
    /// Standard input.
    Standard,
    /// A file inside the repository, as the caller wrote its path.
    File(PathBuf),
}

/// What the caller asks for.
pub struct CaptureRequest {
    /// The words.
    pub source: IntentSource,
    /// `--feature`, as written.
    pub features: Vec<String>,
    /// History was rewritten since the last capture.
    pub rewritten: bool,
}

/// What was captured: the typed member of 2.2.
#[derive(Clone, Debug, Serialize)]
pub struct Captured {
    /// The entry's id.
    pub id: String,
    /// HEAD.
    pub commit: String,
    /// Digest of the state.
    pub candidate_state_sha256: String,
    /// Digest of the words.
    pub intent_sha256: String,
    /// Digest of the record.
    pub entry_sha256: String,
    /// Repository-relative.
    pub journal_path: String,
    /// Canonical names.
    pub features: Vec<String>,
    /// The requirement that `--feature` appended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirement_id: Option<String>,
    /// Its digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requirement_sha256: Option<String>,
}

/// Captures in the order of BR-25. `cwd` is the caller's folder.
pub fn capture(workspace: &Workspace<'_>, request: &CaptureRequest, cwd: &Path) -> Result<Captured, Failure> {
    let head = Side::at(&workspace.repository, &workspace.repository.head()?)?;
    let working = if request.features.is_empty() { None } else { working_policy(workspace.repository.root())? };
    let features = resolve(&request.features, &head.policy, working.as_ref())?;
    let governed = Governed::new(head.own.as_ref(), head.own.as_ref());
    let input = input_path(workspace, request, cwd)?;
    let state = || working::state(workspace, &governed, input.as_deref());
    let before = state()?;
    let intent = journal::intent_text(&read_intent(workspace, input.as_deref())?)?;
    let lock = lock_journal(workspace)?;
    let mut journal = read_journal(lock.store())?.unwrap_or_else(Journal::empty);
    check_history(workspace, &journal, &before, request.rewritten)?;
    let index = journal.append_entry(Capture {
        commit: before.head.clone(),
        candidate_state_sha256: before.sha256.clone(),
        clean: before.clean,
        rewritten: request.rewritten,
        intent,
    });
    let requirement = (!features.is_empty()).then(|| journal.append_requirement(&before.head, index..index + 1, features.clone()));
    let bytes = journal.to_bytes()?;
    if state()?.sha256 != before.sha256 {
        return Err(Failure::blocked(
            "candidate.changed",
            "candidate changed during the capture",
            "capture again when nothing else writes",
        ));
    }
    lock.store().write(JOURNAL_FILE, &bytes)?;
    let entry = &journal.entries[index];
    let requirement = requirement.map(|index| &journal.requirements[index]);
    Ok(Captured {
        id: entry.id.clone(),
        commit: entry.captured_at_commit.clone(),
        candidate_state_sha256: entry.candidate_state_sha256.clone(),
        intent_sha256: entry.intent_sha256.clone(),
        entry_sha256: entry.entry_sha256.clone(),
        journal_path: format!("{FOLDER}/{JOURNAL_FILE}"),
        features,
        requirement_id: requirement.map(|requirement| requirement.id.clone()),
        requirement_sha256: requirement.map(|requirement| requirement.requirement_sha256.clone()),
    })
}

/// Resolves `--feature` operands in the union of HEAD's policy and the working file (BR-11).
pub fn resolve(operands: &[String], head: &Policy, working: Option<&Policy>) -> Result<Vec<String>, Failure> {
    let mut policies = vec![head];
    policies.extend(working);
    resolve_operands(operands, &FeatureNames::of(&policies))
}

/// Takes the journal's lock, and says so when it has to wait.
pub fn lock_journal(workspace: &Workspace<'_>) -> Result<lock::Lock, Failure> {
    let on_wait = || workspace.observer.on(&Event::Waiting { what: "the journal lock" });
    lock::acquire(workspace.repository.root(), FOLDER, LOCK_FILE, &workspace.interrupt, on_wait)
}

/// The validated journal; `None` when there is none.
pub fn read_journal(store: &Store) -> Result<Option<Journal>, Failure> {
    let path = format!("{FOLDER}/{JOURNAL_FILE}");
    let Some(bytes) = store.read(JOURNAL_FILE, journal::MAX_BYTES)? else { return Ok(None) };
    Journal::read(&bytes).map(Some).map_err(|failure| failure.at_path(&path))
}

/// The first entry needs a clean candidate (BR-26); later ones one history (BR-29).
fn check_history(workspace: &Workspace<'_>, journal: &Journal, state: &WorkingState, rewritten: bool) -> Result<(), Failure> {
    let Some(last) = journal.entries.last() else {
        return if state.clean { Ok(()) } else { Err(working::dirty(&uncommitted(state))) };
    };
    if rewritten
        || last.captured_at_commit == state.head
        || Ancestry::of(&workspace.repository, &state.head)?.contains(&last.captured_at_commit)?
    {
        return Ok(());
    }
    Err(Failure::blocked(
        "journal.other-history",
        format!("HEAD does not descend from {}, where the last request was captured: a journal has one history", last.captured_at_commit),
        "check out the branch of the task; if its history was rewritten, capture with --rewritten",
    ))
}

fn uncommitted(state: &WorkingState) -> Vec<&str> {
    let tracked = state.staged.iter().chain(&state.unstaged).map(|change| change.path.as_str());
    tracked.chain(state.untracked.iter().map(|untracked| untracked.path.as_str())).collect()
}

fn input_path(workspace: &Workspace<'_>, request: &CaptureRequest, cwd: &Path) -> Result<Option<String>, Failure> {
    match &request.source {
        IntentSource::Standard => Ok(None),
        IntentSource::File(operand) => contained_path(workspace.repository.root(), cwd, operand)
            .map(Some)
            .ok_or_else(|| unusable(&operand.display().to_string(), &InputFault::Outside)),
    }
}

fn read_intent(workspace: &Workspace<'_>, input: Option<&str>) -> Result<Vec<u8>, Failure> {
    match input {
        None => read_stream(std::io::stdin(), journal::MAX_INTENT_BYTES, &workspace.interrupt)?
            .map_err(|fault| unusable("standard input", &fault)),
        Some(path) => read_contained(workspace.repository.root(), path, journal::MAX_INTENT_BYTES).map_err(|fault| unusable(path, &fault)),
    }
}

fn unusable(input: &str, fault: &InputFault) -> Failure {
    let shown = code_polishy_core::text::escape_line(input);
    let next = "give a regular file inside the repository, or `--intent-file -` for standard input";
    Failure::usage("intent.unusable", format!("the intent file {shown} {fault}"), next)
}
