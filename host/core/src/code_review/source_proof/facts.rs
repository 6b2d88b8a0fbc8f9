//! What the engine saw of a gate's tests: `checks/<gate>.source-proof.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::canonical::nullable;

/// The file of the facts, relative to the run.
pub fn facts_file(gate: &str) -> String {
    format!("checks/{gate}.source-proof.json")
}

/// The kept output of one recorder, relative to the run.
pub fn record_file(gate: &str, process: &str) -> String {
    format!("checks/{gate}.source-proof.{process}.json")
}

/// Everything that a proof follows from, beside the recorders' outputs and the mirror's snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProofFacts {
    /// 1.
    pub schema_version: u32,
    /// What was seen of the tests.
    pub seen: Seen,
    /// The files that it names, in byte order.
    pub files: Vec<FileFact>,
    /// What could not be seen; each leaves the proof open.
    pub faults: Vec<String>,
}

/// What was seen, by kind of proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "kebab-case")]
pub enum Seen {
    /// Imports and test files of pytest's processes (CR-146).
    PytestImport {
        /// The modules that the tests have to exercise, in byte order.
        modules: Vec<String>,
        /// The recorders' outputs.
        records: Vec<KeptRecord>,
    },
    /// Packages that cargo built from folders (CR-147).
    CargoManifest {
        /// The manifest of the workspace; absolute.
        root: String,
        /// Members of the workspace, dependencies by path, and whatever else was built from a folder.
        packages: Vec<CargoPackage>,
        /// Test programs that were built, in byte order.
        tested: Vec<String>,
    },
}

impl Seen {
    /// The kind, as a proof has it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::PytestImport { .. } => "pytest-import",
            Self::CargoManifest { .. } => "cargo-manifest",
        }
    }
}

/// The output of one recorder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KeptRecord {
    /// The process that its file is named after.
    pub process: String,
    /// Where it is kept, relative to the run.
    pub path: String,
}

/// A package that cargo takes from a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CargoPackage {
    /// Its name.
    pub name: String,
    /// Its manifest; absolute.
    pub manifest: String,
    /// What it is built from.
    pub targets: Vec<CargoTarget>,
    /// The other files that the compiler read for it, in byte order; absolute.
    pub sources: Vec<String>,
}

/// A target of a package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CargoTarget {
    /// Kind and name, such as `lib shop`.
    pub name: String,
    /// Its first source file; absolute.
    pub source: String,
}

/// A file, as the engine found it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileFact {
    /// As it was named.
    pub named: String,
    /// Where it really lies, behind every link: relative to the reviewed tree, or absolute outside of it.
    pub path: String,
    /// The reviewed commit has a regular file there.
    pub tracked: bool,
    /// Digest of its bytes; null when there is no regular file.
    #[serde(deserialize_with = "nullable")]
    pub sha256: Option<String>,
}

impl FileFact {
    /// It lies in the reviewed tree.
    pub fn is_inside(&self) -> bool {
        !self.path.is_empty() && !self.path.starts_with('/') && self.path.split('/').all(|segment| !matches!(segment, "" | "." | ".."))
    }
}
