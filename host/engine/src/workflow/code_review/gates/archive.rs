//! Earlier answers: read before anything is run, and kept in `gate-attempts/` when the gates run again (CR-140, CR-227).
//!
//! The log of the checks is the first file of an attempt and the last one to be archived, so that an archive that was cut short is seen
//! and finished.

use std::collections::BTreeMap;

use code_polishy_core::{
    canonical::{digest_bytes, read_strict},
    code_review::{
        codes,
        gates::{ATTEMPTS_FOLDER, CHECKS_LOG_FILE, FAILED_FILE, GATES_FILE, GateCheck, Gates, STATUS_FILE, attempt_folder, attempts},
    },
    diagnostic::Failure,
};

use crate::{
    failpoint,
    store::Store,
    workflow::code_review::{operational, run::Run, usage},
};

/// The folder of logs.
const CHECKS: &str = "checks";

/// The answer of a gate that stands.
pub struct Standing {
    /// What was recorded.
    pub check: GateCheck,
    /// The text of its command.
    pub command: Option<String>,
}

/// The last answer of each gate, over all attempts.
///
/// # Errors
/// Exit 2 `gate-recovery-blocked`: what is kept cannot be read, or is not as it was recorded; exit 3.
pub fn standing(run: &Run) -> Result<BTreeMap<String, Standing>, Failure> {
    finish(run)?;
    let mut standing = BTreeMap::new();
    for number in numbers(run)? {
        let place = format!("{}/", attempt_folder(number));
        take(run, &place, &mut standing)?;
    }
    intact(run)?;
    take(run, "", &mut standing)?;
    Ok(standing)
}

/// Moves the outputs of the last run aside; their folder, or `None` when there are none.
///
/// # Errors
/// Exit 3.
pub fn archive(run: &Run) -> Result<Option<String>, Failure> {
    let store = run.store()?;
    let there = [GATES_FILE, STATUS_FILE, FAILED_FILE, CHECKS_LOG_FILE].iter().map(|name| store.has(name));
    let there = there.collect::<Result<Vec<bool>, Failure>>()?.contains(&true) || store.child(CHECKS, false)?.is_some();
    if !there {
        return Ok(None);
    }
    let number = numbers(run)?.last().map_or(1, |last| last + 1);
    put_aside(run, number)?;
    Ok(Some(attempt_folder(number)))
}

/// An archive without its log was cut short.
fn finish(run: &Run) -> Result<(), Failure> {
    match numbers(run)?.last() {
        Some(last) if run.read(&format!("{}/{CHECKS_LOG_FILE}", attempt_folder(*last)))?.is_none() => put_aside(run, *last),
        _ => Ok(()),
    }
}

fn put_aside(run: &Run, number: u32) -> Result<(), Failure> {
    let (store, attempt) = (run.store()?, create(run, number)?);
    for name in [GATES_FILE, STATUS_FILE, FAILED_FILE] {
        if store.has(name)? {
            store.move_to(name, &attempt)?;
        }
    }
    if store.child(CHECKS, false)?.is_some() {
        store.dir().rename(CHECKS, attempt.dir(), CHECKS).map_err(|error| {
            let message = format!("cannot move `{CHECKS}` to `{}`: {error}", attempt.path());
            operational(&codes::IO_ERROR, message, "check the permissions of the run, then run the command again")
        })?;
        failpoint::reached("folder.moved");
    }
    if store.has(CHECKS_LOG_FILE)? { store.move_to(CHECKS_LOG_FILE, &attempt) } else { attempt.write(CHECKS_LOG_FILE, b"") }
}

fn create(run: &Run, number: u32) -> Result<Store, Failure> {
    let mut store = run.store()?;
    for name in attempt_folder(number).split('/') {
        store = store.child(name, true)?.expect("an absent folder is made");
    }
    Ok(store)
}

fn numbers(run: &Run) -> Result<Vec<u32>, Failure> {
    let names = match run.store()?.child(ATTEMPTS_FOLDER, false)? {
        Some(folder) => folder.names()?,
        None => Vec::new(),
    };
    Ok(attempts(names.iter().map(String::as_str)))
}

/// The answers of one place are the newest of their gates.
fn take(run: &Run, place: &str, standing: &mut BTreeMap<String, Standing>) -> Result<(), Failure> {
    let file = format!("{place}{CHECKS_LOG_FILE}");
    let bytes = run.read(&file)?.unwrap_or_default();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let check: GateCheck = strict(line, &file)?;
        let command = match &check.command_path {
            Some(path) => run.read(&format!("{place}{path}"))?.and_then(|bytes| String::from_utf8(bytes).ok()),
            None => None,
        };
        let command = command.map(|text| text.trim_end_matches('\n').to_owned());
        standing.insert(check.id.clone(), Standing { check, command });
    }
    Ok(())
}

/// The record, when there is one, is what its log and its artifacts say.
fn intact(run: &Run) -> Result<(), Failure> {
    let log = run.read(CHECKS_LOG_FILE)?;
    let Some(bytes) = run.read(GATES_FILE)? else { return Ok(()) };
    let gates: Gates = strict(&bytes, GATES_FILE)?;
    if log.as_deref() != Some(gates.log_lines().as_bytes()) {
        return Err(damaged(CHECKS_LOG_FILE, &format!("it does not say what `{GATES_FILE}` says")));
    }
    for (path, sha256) in gates.checks.iter().flat_map(|check| &check.artifacts) {
        if run.read(path)?.is_none_or(|bytes| digest_bytes(&bytes) != *sha256) {
            return Err(damaged(path, "it is not as its gate left it"));
        }
    }
    Ok(())
}

fn strict<T: serde::de::DeserializeOwned>(bytes: &[u8], file: &str) -> Result<T, Failure> {
    read_strict(bytes, codes::GATE_RECOVERY_BLOCKED.name, "").map_err(|diagnostic| damaged(file, &diagnostic.message))
}

fn damaged(file: &str, why: &str) -> Failure {
    let message = format!("the earlier answers of the gates cannot be trusted: `{file}`: {why}");
    usage(&codes::GATE_RECOVERY_BLOCKED, message, "restore the file as it was written, or start a new run").at_path(file)
}
