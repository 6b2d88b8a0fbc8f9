//! Where a gate's runs are kept: reports, logs and renders, and which one is the newest (BR-73).

use std::path::Path;

use code_polishy_core::{
    canonical::{artifact_bytes, canonical_json, digest_bytes},
    diagnostic::{Diagnostic, Failure, FailureKind},
    gate::report::Report,
    packet::MAX_BYTES,
    policy::model::Boundary,
};
use serde::{Deserialize, Serialize};

use crate::{
    failpoint, lock,
    store::Store,
    workflow::gate::{Gate, gate_name},
    workspace::Workspace,
};

/// The report's file name in its run.
pub const REPORT_FILE: &str = "report.json";
const LATEST_FILE: &str = "latest.json";
const LOCK_FILE: &str = ".runs.lock";

/// The file `latest.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latest {
    /// Always 1.
    pub version: u32,
    /// The newest run.
    pub execution_id: String,
    /// Repository-relative.
    pub report_path: String,
    /// The report's own digest.
    pub report_sha256: String,
}

/// A run that is under way.
pub struct Run {
    /// `run-`, 12 hex digits of the identity, `-`, ordinal.
    pub execution_id: String,
    store: Store,
    logs: Store,
}

/// What was written.
pub struct Written {
    /// With its notes and its digest.
    pub report: Report,
    /// Repository-relative.
    pub report_path: String,
    /// Repository-relative.
    pub renders: Vec<String>,
    /// A renderer's fault under `reports.strict`.
    pub fault: Option<Failure>,
}

/// The folder of a gate.
pub fn folder(boundary: Boundary) -> String {
    format!(".code-polishy-reports/{}-gate", gate_name(boundary))
}

/// 16 digits keep paths short; whoever reads a report compares the whole identity.
fn runs_folder(boundary: Boundary, identity_sha256: &str) -> String {
    format!("{}/runs/{}", folder(boundary), &identity_sha256[..16])
}

impl Run {
    /// Takes the next ordinal of the identity, under a lock, so that gates side by side do not share a run.
    pub fn begin(gate: &Gate<'_>, identity_sha256: &str) -> Result<Self, Failure> {
        let root = gate.workspace.repository.root();
        let boundary = gate.request.boundary;
        let _lock = lock::acquire(root, &folder(boundary), LOCK_FILE, &gate.workspace.interrupt, || ())?;
        let runs = Store::create(root, &runs_folder(boundary, identity_sha256))?;
        let ordinal = runs.names()?.iter().filter_map(|name| ordinal(name)).max().unwrap_or(0) + 1;
        let execution_id = format!("run-{}-{ordinal}", &identity_sha256[..12]);
        let made = "the folder is made when it is absent";
        let store = runs.child(&execution_id, true)?.expect(made);
        let logs = store.child("logs", true)?.expect(made);
        Ok(Self { execution_id, store, logs })
    }

    /// Writes a log and returns its repository-relative path and digest.
    pub fn write_log(&self, name: &str, bytes: &[u8]) -> Result<(String, String), Failure> {
        self.logs.write(name, bytes)?;
        Ok((format!("{}/{name}", self.logs.path()), digest_bytes(bytes)))
    }

    /// Writes the report, asks the renderers, and points `latest.json` to it.
    pub fn finish(self, gate: &Gate<'_>, report: Report) -> Result<Written, Failure> {
        let report = report.sealed();
        let report_path = format!("{}/{REPORT_FILE}", self.store.path());
        if gate.request.boundary == Boundary::Checkpoint && report.status == code_polishy_core::gate::report::ReportStatus::Passed {
            super::checkpoint::accept(gate, &report, &report_path)?;
            failpoint::reached("checkpoint.receipt-written");
        }
        self.store.write(REPORT_FILE, &artifact_bytes(&report))?;
        let parent = Store::create(gate.workspace.repository.root(), &folder(gate.request.boundary))?;
        let latest = Latest {
            version: 1,
            execution_id: report.execution_id.clone(),
            report_path: report_path.clone(),
            report_sha256: report.sha256.clone(),
        };
        parent.write(LATEST_FILE, &artifact_bytes(&latest))?;
        let (renders, faults) = self.render(gate, &report)?;
        for fault in &faults {
            gate.note(&format!("a renderer failed: {}", fault.message));
        }
        let strict = gate.change.policies.candidate.policy.reports.strict && !faults.is_empty();
        let fault = strict.then(|| Failure::new(FailureKind::Operational, faults));
        Ok(Written { report, report_path, renders, fault })
    }

    fn render(&self, gate: &Gate<'_>, report: &Report) -> Result<(Vec<String>, Vec<Diagnostic>), Failure> {
        let candidate = &gate.change.policies.candidate;
        let plugins = candidate.plugins(gate.workspace);
        let text = canonical_json(report);
        let (mut paths, mut faults) = (Vec::new(), Vec::new());
        for name in &candidate.policy.reports.renderers {
            let rendered = plugins.renderer(name).and_then(|renderer| Ok(renderer.render(&text)?));
            match rendered {
                Err(failure) => faults.extend(failure.diagnostics),
                Ok(artifacts) => {
                    for artifact in artifacts {
                        paths.push(self.write_render(gate, name, &artifact.name, &artifact.content)?);
                    }
                }
            }
        }
        Ok((paths, faults))
    }

    fn write_render(&self, gate: &Gate<'_>, renderer: &str, name: &str, content: &[u8]) -> Result<String, Failure> {
        let (below, file) = name.rsplit_once('/').unwrap_or(("", name));
        let mut folder = format!("{}/renders/{renderer}", self.store.path());
        if !below.is_empty() {
            folder.push('/');
            folder.push_str(below);
        }
        Store::create(gate.workspace.repository.root(), &folder)?.write(file, content)?;
        Ok(format!("{folder}/{file}"))
    }
}

/// The newest run of a gate; `None` before the first.
pub fn latest(root: &Path, boundary: Boundary) -> Result<Option<Latest>, Failure> {
    let Some(store) = Store::open(root, &folder(boundary))? else { return Ok(None) };
    let Some(bytes) = store.read(LATEST_FILE, MAX_BYTES)? else { return Ok(None) };
    let latest = code_polishy_core::canonical::read_strict(&bytes, "report.latest", "run the gate again");
    latest.map(Some).map_err(|fault| Failure::from(*fault))
}

/// A stored report, by the folder of its run.
pub fn stored(root: &Path, folder: &str) -> Result<Option<Report>, Failure> {
    let Some(store) = Store::open(root, folder)? else { return Ok(None) };
    let Some(bytes) = store.read(REPORT_FILE, MAX_BYTES)? else { return Ok(None) };
    Report::read(&bytes).map(Some).map_err(|fault| Failure::from(fault.at_path(format!("{folder}/{REPORT_FILE}"))))
}

/// Readable reports of the identity, newest first; what cannot be read counts as absent.
pub fn of_identity(workspace: &Workspace<'_>, boundary: Boundary, identity_sha256: &str) -> Result<Vec<Report>, Failure> {
    let root = workspace.repository.root();
    let folder = runs_folder(boundary, identity_sha256);
    let Some(store) = Store::open(root, &folder)? else { return Ok(Vec::new()) };
    let mut names: Vec<(u64, String)> = store.names()?.into_iter().filter_map(|name| Some((ordinal(&name)?, name))).collect();
    names.sort_by_key(|(ordinal, _)| std::cmp::Reverse(*ordinal));
    let reports = names.into_iter().filter_map(|(_, name)| stored(root, &format!("{folder}/{name}")).ok().flatten());
    Ok(reports.filter(|report| report.identity_sha256 == identity_sha256).collect())
}

fn ordinal(name: &str) -> Option<u64> {
    name.strip_prefix("run-")?.rsplit_once('-')?.1.parse().ok()
}
