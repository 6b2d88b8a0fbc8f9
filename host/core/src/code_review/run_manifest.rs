//! `run-manifest.json` and `promotion.json`: which files a report stands on, and which bytes became the report (CR-14, CR-15, CR-169).

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{image::RunImage, prior::LEDGER_FILE, run::RunRecord};

/// The file's name.
pub const RUN_MANIFEST_FILE: &str = "run-manifest.json";
/// The record of the promotion.
pub const PROMOTION_FILE: &str = "promotion.json";

/// The result of a promoted run (CR-206).
pub const RESULT_FILE: &str = "result.json";
/// The result before it is promoted.
pub const CANDIDATE_FILE: &str = "result.candidate.json";
/// The record of a completion.
pub const COMPLETION_FILE: &str = "completion.json";
/// Every attempt to finalize.
pub const ATTEMPTS_FILE: &str = "finalize.attempts.jsonl";

/// Files that no manifest lists: itself, what binds it, and what may still change or appear (CR-14, CR-204).
pub const UNLISTED: [&str; 7] =
    [RUN_MANIFEST_FILE, CANDIDATE_FILE, RESULT_FILE, PROMOTION_FILE, COMPLETION_FILE, LEDGER_FILE, ATTEMPTS_FILE];

/// Every file of a run that its report stands on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunManifest {
    /// 1.
    pub schema_version: u32,
    /// The run.
    pub run_id: String,
    /// In path order.
    pub files: Vec<ListedFile>,
}

/// A file of a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListedFile {
    /// Relative to the run.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Digest of the bytes.
    pub sha256: String,
}

/// `metadata.run_manifest`: what binds a manifest into a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunManifestBinding {
    /// `run-manifest.json`.
    pub path: String,
    /// Digest of the file.
    pub sha256: String,
    /// How many files it lists.
    pub file_count: usize,
}

/// `promotion.json`: binds the bytes of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Promotion {
    /// 1.
    pub schema_version: u32,
    /// Digest of `result.json`.
    pub result_sha256: String,
    /// Digest of `run-manifest.json`.
    pub run_manifest_sha256: String,
    /// The version of `code-polishy` that promoted the result.
    pub tool_version: String,
    /// RFC 3339, UTC.
    pub promoted_at: String,
}

/// Where the result of this run will lie: relative to the checkout when the run is inside (CR-164).
pub fn result_path(run: &RunRecord, run_path: &str) -> String {
    let absolute = format!("{run_path}/{RESULT_FILE}");
    let inside = Path::new(&absolute).strip_prefix(&run.source_worktree).ok().and_then(Path::to_str);
    inside.unwrap_or(&absolute).to_owned()
}

impl RunManifest {
    /// The manifest of the run as it was read.
    pub fn of(run_id: &str, image: &RunImage) -> Self {
        let listed = image.files.iter().filter(|(path, _)| !UNLISTED.contains(&path.as_str()));
        let listed = listed.map(|(path, file)| ListedFile { path: path.clone(), size: file.size, sha256: file.sha256.clone() });
        Self { schema_version: 1, run_id: run_id.to_owned(), files: listed.collect() }
    }

    /// What binds this manifest, whose file has this digest.
    pub fn binding(&self, sha256: &str) -> RunManifestBinding {
        RunManifestBinding { path: RUN_MANIFEST_FILE.to_owned(), sha256: sha256.to_owned(), file_count: self.files.len() }
    }
}

impl Promotion {
    /// The record of these bytes, promoted at this moment.
    pub fn of(result_sha256: &str, run_manifest_sha256: &str, tool_version: &str, promoted_at: &str) -> Self {
        Self {
            schema_version: 1,
            result_sha256: result_sha256.to_owned(),
            run_manifest_sha256: run_manifest_sha256.to_owned(),
            tool_version: tool_version.to_owned(),
            promoted_at: promoted_at.to_owned(),
        }
    }
}
