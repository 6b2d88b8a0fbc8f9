//! Proof by imports: what pytest's processes loaded and collected (CR-146).

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    facts::KeptRecord,
    judge::{Found, Judge, Part},
    reason::ProofReason,
};
use crate::{
    canonical::{nullable, read_strict},
    code_review::gates::{ProofOrigin, ProofStatus},
    text::control_free,
};

/// The process that was started; with xdist it hands its tests to workers.
const MAIN: &str = "main";

/// What the recorder of one process wrote when its session ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProcessRecord {
    /// 1.
    pub schema_version: u32,
    /// `main`, or the name of the worker.
    pub process: String,
    /// What it did.
    pub role: ProcessRole,
    /// Tests that it began.
    pub executed: u64,
    /// Workers that it started, in their order; a controller's alone.
    pub workers: Vec<StartedWorker>,
    /// The declared modules, in byte order.
    pub modules: Vec<SeenModule>,
    /// Files of the collected tests, in byte order.
    pub tests: Vec<SeenFile>,
}

/// What a process did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProcessRole {
    /// It ran the tests itself.
    Single,
    /// It handed them to workers.
    Controller,
    /// It was handed some.
    Worker,
}

/// A worker, as its controller saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StartedWorker {
    /// Its name.
    pub process: String,
    /// How it failed; null when it ended well.
    #[serde(deserialize_with = "nullable")]
    pub failure: Option<String>,
}

/// A declared module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenModule {
    /// Its dotted name.
    pub name: String,
    /// It was loaded, at some time, from no file.
    pub without_file: bool,
    /// The files that it was loaded from, in byte order.
    pub files: Vec<SeenFile>,
}

/// A file that a process read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SeenFile {
    /// Absolute.
    pub path: String,
    /// Digest of its bytes then; null when it could not be read.
    #[serde(deserialize_with = "nullable")]
    pub sha256: Option<String>,
}

/// The record in these bytes; why it is none.
///
/// # Errors
/// What is wrong with it, in words.
pub fn read_record(bytes: &[u8]) -> Result<ProcessRecord, String> {
    let record: ProcessRecord = read_strict(bytes, "source-proof", "").map_err(|diagnostic| diagnostic.message.clone())?;
    let ran_or_started = match record.role {
        ProcessRole::Controller => record.executed == 0 && record.process == MAIN,
        ProcessRole::Single => record.workers.is_empty() && record.process == MAIN,
        ProcessRole::Worker => record.workers.is_empty() && record.process != MAIN,
    };
    let mut files = record.modules.iter().flat_map(|module| &module.files).chain(&record.tests);
    if record.schema_version != 1 {
        Err("its version is not 1".to_owned())
    } else if !ran_or_started {
        Err("its process, its role and its workers contradict each other".to_owned())
    } else if !files.all(|file| file.path.starts_with('/') && control_free(&file.path, false)) {
        Err("a path is not absolute".to_owned())
    } else {
        Ok(record)
    }
}

/// Every file that a readable record names.
pub(super) fn named_files<'r>(records: &[KeptRecord], record: &dyn Fn(&str) -> Option<&'r [u8]>) -> Vec<String> {
    let readable = records.iter().filter_map(|kept| read_record(record(&kept.path)?).ok());
    let files = |record: ProcessRecord| record.modules.into_iter().flat_map(|module| module.files).chain(record.tests);
    readable.flat_map(files).map(|file| file.path).collect()
}

/// What the processes prove together: each that ran tests has a record, and each import that any of them saw is judged.
pub(super) fn found<'r>(modules: &[String], records: &[KeptRecord], record: &dyn Fn(&str) -> Option<&'r [u8]>, judge: &Judge<'_>) -> Found {
    let mut found = Found::default();
    let readable = readable(modules, records, record, &mut found);
    accounted(&readable, records, &mut found);
    found.processes = readable.iter().filter(|record| record.executed > 0).map(|record| record.process.clone()).collect();
    for module in modules {
        found.origins.extend(imported(module, &readable, judge));
    }
    let mut tests = BTreeMap::new();
    for file in readable.iter().flat_map(|record| &record.tests) {
        tests.entry(judge.path(&file.path)).or_insert_with(BTreeSet::new).insert(file);
    }
    found.origins.extend(tests.iter().map(|(path, files)| worst(path, files, Part::Test, judge)));
    if modules.is_empty() {
        found.lacking.push("no module is declared that the tests have to exercise".to_owned());
    }
    if tests.is_empty() || found.processes.is_empty() {
        found.lacking.push("no test was collected and run".to_owned());
    }
    found
}

/// The records that can be read and are of this run; the others prove nothing.
fn readable<'r>(
    modules: &[String],
    records: &[KeptRecord],
    record: &dyn Fn(&str) -> Option<&'r [u8]>,
    found: &mut Found,
) -> Vec<ProcessRecord> {
    let mut readable: Vec<ProcessRecord> = Vec::new();
    for kept in records {
        let read = record(&kept.path).ok_or_else(|| "it is not kept".to_owned()).and_then(read_record);
        match read.and_then(|record| fitting(record, kept, modules, &readable)) {
            Ok(record) => readable.push(record),
            Err(why) => found.broken.push((ProofReason::WorkerProofInvalid, format!("{}: {why}", kept.process))),
        }
    }
    readable
}

/// The record, when it is of the process that its file is named after and of this run.
fn fitting(record: ProcessRecord, kept: &KeptRecord, modules: &[String], known: &[ProcessRecord]) -> Result<ProcessRecord, String> {
    if record.process != kept.process {
        Err("it names another process than its file".to_owned())
    } else if record.modules.iter().map(|module| &module.name).ne(modules) {
        Err("it is about other modules".to_owned())
    } else if known.iter().any(|known| known.process == record.process) {
        Err("there is another one of this process".to_owned())
    } else {
        Ok(record)
    }
}

/// Every process that was started has a record, and every record is of a process that was started.
fn accounted(readable: &[ProcessRecord], records: &[KeptRecord], found: &mut Found) {
    let is_kept = |process: &str| records.iter().any(|kept| kept.process == process);
    let Some(main) = readable.iter().find(|record| record.process == MAIN) else {
        if !is_kept(MAIN) {
            found.broken.push((ProofReason::WorkerProofMissing, format!("{MAIN}: it left no record")));
        }
        return;
    };
    for worker in &main.workers {
        if let Some(why) = &worker.failure {
            found.broken.push((ProofReason::WorkerFailed, format!("{}: {}", worker.process, crate::text::escape_line(why))));
        } else if !is_kept(&worker.process) {
            found.broken.push((ProofReason::WorkerProofMissing, format!("{}: it left no record", worker.process)));
        }
    }
    let unknown =
        |record: &&ProcessRecord| record.role == ProcessRole::Worker && main.workers.iter().all(|worker| worker.process != record.process);
    for record in readable.iter().filter(unknown) {
        found.broken.push((ProofReason::WorkerProofInvalid, format!("{}: nothing started this worker", record.process)));
    }
}

/// The origins of a module. Only a process that ran tests proves; what any process saw is judged.
fn imported(module: &str, readable: &[ProcessRecord], judge: &Judge<'_>) -> Vec<ProofOrigin> {
    let seen = |record: &'_ ProcessRecord| record.modules.iter().find(|seen| seen.name == module).cloned();
    let mut files: BTreeSet<SeenFile> = BTreeSet::new();
    let (mut proven, mut without_file) = (false, false);
    for (record, seen) in readable.iter().filter_map(|record| Some((record, seen(record)?))) {
        proven |= record.executed > 0 && !seen.files.is_empty();
        without_file |= seen.without_file;
        files.extend(seen.files);
    }
    let mut places: BTreeMap<&str, BTreeSet<&SeenFile>> = BTreeMap::new();
    for file in &files {
        places.entry(judge.path(&file.path)).or_default().insert(file);
    }
    let is_one = places.len() == 1;
    let mut origins: Vec<ProofOrigin> = Vec::new();
    for files in places.values() {
        let mut origin = worst(module, files, Part::Origin, judge);
        if !is_one && origin.reason.is_none() {
            (origin.status, origin.reason) = (ProofStatus::Fail, Some(ProofReason::ConflictingWorkerOrigins));
        }
        origins.push(origin);
    }
    if without_file {
        origins.push(unseen(module, ProofReason::ModuleHasNoFile));
    } else if !proven {
        origins.push(unseen(module, ProofReason::ModuleNotImported));
    }
    origins
}

/// One place that processes told of: what the least of them says.
fn worst(name: &str, files: &BTreeSet<&SeenFile>, part: Part, judge: &Judge<'_>) -> ProofOrigin {
    let mut origins: Vec<ProofOrigin> =
        files.iter().map(|file| judge.origin(name, &file.path, part, Some(file.sha256.as_deref().unwrap_or_default()))).collect();
    let at = origins.iter().position(|origin| origin.status != ProofStatus::Pass).unwrap_or_default();
    origins.swap_remove(at)
}

fn unseen(name: &str, reason: ProofReason) -> ProofOrigin {
    ProofOrigin {
        name: name.to_owned(),
        path: None,
        tracked: false,
        sha256: None,
        snapshot_member: false,
        status: reason.status(),
        reason: Some(reason),
    }
}
