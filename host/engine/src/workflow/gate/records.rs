//! What gates have left behind: where it is, and which run is the newest (BR-73).

use std::path::Path;

use code_polishy_core::{canonical::read_strict, diagnostic::Failure, gate::report::Report, packet::MAX_BYTES, policy::model::Boundary};
use serde::{Deserialize, Serialize};

use crate::{store::Store, workflow::gate::gate_name, workspace::Workspace};

/// The report's file name in its run.
pub const REPORT_FILE: &str = "report.json";
/// The file that names the newest run.
pub const LATEST_FILE: &str = "latest.json";

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

/// The folder of a gate.
pub fn folder(boundary: Boundary) -> String {
    format!(".code-polishy-reports/{}-gate", gate_name(boundary))
}

/// The folder of an identity's runs. 16 digits keep paths short; whoever reads a report compares the whole identity.
pub fn runs_folder(boundary: Boundary, identity_sha256: &str) -> String {
    format!("{}/runs/{}", folder(boundary), &identity_sha256[..16])
}

/// The newest run of a gate; `None` before the first.
pub fn latest(root: &Path, boundary: Boundary) -> Result<Option<Latest>, Failure> {
    let Some(store) = Store::open(root, &folder(boundary))? else { return Ok(None) };
    let Some(bytes) = store.read(LATEST_FILE, MAX_BYTES)? else { return Ok(None) };
    let latest = read_strict(&bytes, "report.latest", "run the gate again");
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

/// The ordinal in a run's name.
pub fn ordinal(name: &str) -> Option<u64> {
    name.strip_prefix("run-")?.rsplit_once('-')?.1.parse().ok()
}
