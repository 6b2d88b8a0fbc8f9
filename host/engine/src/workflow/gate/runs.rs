//! A run that is under way: its logs, its report, its renders (BR-73).

use code_polishy_core::{
    canonical::{artifact_bytes, canonical_json, digest_bytes},
    diagnostic::{Diagnostic, Failure, FailureKind},
    gate::report::{Report, ReportStatus},
    policy::model::Boundary,
};

use crate::{
    failpoint, lock,
    store::Store,
    workflow::gate::{
        Gate, checkpoint,
        records::{LATEST_FILE, Latest, REPORT_FILE, folder, ordinal, runs_folder},
    },
};

const LOCK_FILE: &str = ".runs.lock";

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
        if gate.request.boundary == Boundary::Checkpoint && report.status == ReportStatus::Passed {
            checkpoint::accept(gate, &report, &report_path)?;
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
