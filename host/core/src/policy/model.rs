//! The policy as a value: `.code-polishy.json` version 4 with every default resolved.
//!
//! Serialised, the types give the file's own keys, so that one definition serves the JSON Schema and the digests.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::plugin::PluginKind;

/// The file's name, at the repository's root.
pub const POLICY_FILE: &str = ".code-polishy.json";

/// When something is asked, weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Only when a task asks.
    #[default]
    OnRequest,
    /// At the merge gate.
    Merge,
    /// At every checkpoint and at the merge gate.
    Checkpoint,
}

/// The level at which something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Boundary {
    /// A merge gate.
    Merge,
    /// A checkpoint gate.
    Checkpoint,
}

impl Level {
    /// Whether a rule of this level fires at the boundary (BR-37): `checkpoint` at both, `merge` at merge only.
    pub fn reaches(self, boundary: Boundary) -> bool {
        match boundary {
            Boundary::Merge => self >= Self::Merge,
            Boundary::Checkpoint => self >= Self::Checkpoint,
        }
    }
}

/// How a red run came to be red (BR-59).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RedKind {
    /// Tests ran and failed.
    Failed,
    /// Tests could not be built, collected or loaded.
    Broken,
}

/// A whole policy. `Policy::default()` is the empty one of a repository that has no file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Policy {
    /// Review, merge target and gate.
    pub verification: Verification,
    /// Owners of paths.
    pub modules: Vec<Module>,
    /// `tests.suites`.
    pub suites: Vec<Suite>,
    /// Ordinary commands of gates that are no tests.
    pub checks: Vec<Check>,
    /// Design documents and product inputs.
    pub documentation: Documentation,
    /// Pinned components, in the order in which classifiers are asked.
    pub plugins: Vec<PluginPin>,
    /// Renderers.
    pub reports: Reports,
    /// Exclusions and extra role patterns.
    pub scope: Scope,
    /// `codeReview`, checked for its closed keys.
    pub code_review: Option<Value>,
    /// Sections of a version 4 policy that are accepted and not enforced (BR-12), in file order.
    pub not_enforced: Vec<String>,
}

/// `verification`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// Absent: review is optional.
    pub behavior_review: Option<BehaviorReview>,
    /// The merge gate's base must be this reference's merge base with HEAD.
    pub trusted_merge_target: Option<String>,
    /// Absent: every merge gate is `full`.
    pub merge_gate: Option<MergeGate>,
}

/// `verification.behaviorReview`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BehaviorReview {
    /// Level of features that name none; from `merge` on it also selects the full candidate.
    pub default_required_at: Level,
    /// At most 128, in file order.
    pub features: Vec<Feature>,
    /// Sorted, unique.
    pub allowed_red_kinds: Vec<RedKind>,
    /// An organisation's reviewer instructions; repository-relative.
    pub instructions: Option<String>,
}

/// A named behavior that a review protects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Feature {
    /// Identifier, unique.
    pub name: String,
    /// 1..512 UTF-8 bytes.
    pub description: String,
    /// Declared spelling, for display; identities are unique (BR-15).
    pub aliases: Vec<String>,
    /// Existing modules, sorted, unique.
    pub modules: Vec<String>,
    /// Path patterns (BR-14), sorted, unique.
    pub paths: Vec<String>,
    /// Eligible suites (BR-18), sorted, unique, at least one.
    pub suites: Vec<String>,
    /// Never weaker than the default.
    pub required_at: Level,
}

/// `verification.mergeGate`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MergeGate {
    /// Allow-list for the `recommended` level; sorted.
    pub recommended_modules: Option<Vec<String>>,
}

/// An owner of paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Module {
    /// Identifier, unique.
    pub name: String,
    /// At least one pattern.
    pub paths: Vec<String>,
    /// Modules that this one builds on; acyclic.
    pub depends_on: Vec<String>,
}

/// What a suite covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SuiteScope {
    /// Exactly one module.
    Module,
    /// The repository.
    Repository,
}

/// What a suite costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cost {
    /// Seconds.
    Quick,
    /// Minutes.
    Standard,
    /// More.
    Expensive,
}

/// When a suite runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SuiteRun {
    /// With every change of its module.
    Focused,
    /// In a `recommended` gate.
    Recommended,
    /// In a `full` gate.
    Full,
    /// Only when named.
    Supplemental,
}

/// What running a suite may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Hazard {
    /// Talks to running systems.
    Live,
    /// Destroys data.
    Destructive,
    /// Needs credentials.
    Credentialed,
}

/// A test suite with every default resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Suite {
    /// Identifier, unique.
    pub name: String,
    /// Identifier; open.
    pub kind: String,
    /// What it covers.
    pub scope: SuiteScope,
    /// Exactly one for the scope `module`, none for `repository`.
    pub modules: Vec<String>,
    /// What it costs.
    pub cost: Cost,
    /// Program and arguments, non-empty.
    pub argv: Vec<String>,
    /// Repository-relative folder; `.` is the root.
    pub cwd: String,
    /// Trigger patterns of a repository suite.
    pub paths: Vec<String>,
    /// Sorted, unique.
    pub run_on: Vec<SuiteRun>,
    /// Names of variables passed through; sorted, unique.
    pub environment: Vec<String>,
    /// Sorted, unique.
    pub hazards: Vec<Hazard>,
    /// Leased one at a time on the machine; sorted, unique.
    pub exclusive_resources: Vec<String>,
    /// 1..3600.
    pub timeout_seconds: u32,
    /// A suite-runner plugin.
    pub runner: String,
    /// Its options.
    pub runner_options: Map<String, Value>,
}

/// Kinds of tests that measure tests (BR-17).
pub const TEST_STRENGTH_KINDS: [&str; 5] = ["mutation", "acceptance-mutation", "gherkin-mutation", "crap", "risk-analysis"];

impl Suite {
    /// Why the suite may serve neither a review nor a proof (BR-18); `None` when it may.
    pub fn ineligible_because(&self) -> Option<&'static str> {
        if self.run_on.contains(&SuiteRun::Supplemental) {
            Some("it is supplemental")
        } else if TEST_STRENGTH_KINDS.contains(&self.kind.as_str()) {
            Some("its kind measures test strength")
        } else if ["live", "credentialed", "destructive"].contains(&self.kind.as_str()) {
            Some("its kind is a hazard")
        } else if !self.hazards.is_empty() {
            Some("it has hazards")
        } else if !self.environment.is_empty() {
            Some("it depends on environment variables")
        } else {
            None
        }
    }
}

/// What an ordinary command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CheckCategory {
    /// Lint, format, types.
    Check,
    /// Builds.
    Build,
    /// Licences, advisories.
    SupplyChain,
}

/// When a check runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CheckRun {
    /// At a checkpoint.
    Checkpoint,
    /// In a `recommended` gate.
    Recommended,
    /// In a `full` gate.
    Full,
}

/// An ordinary command of gates (BR-19).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// Identifier, unique.
    pub name: String,
    /// What it does.
    pub category: CheckCategory,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Repository-relative folder.
    pub cwd: String,
    /// 1..3600.
    pub timeout_seconds: u32,
    /// Names of variables passed through; sorted, unique.
    pub environment: Vec<String>,
    /// Sorted, unique, at least one.
    pub run_on: Vec<CheckRun>,
}

/// `documentation`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Documentation {
    /// Documents that explain sources.
    pub design: Vec<DesignDocument>,
    /// Exact Markdown paths that the product reads; sorted.
    pub product_inputs: Vec<String>,
}

/// A document and what it explains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DesignDocument {
    /// A Markdown file.
    pub path: String,
    /// The module it explains.
    pub module: Option<String>,
    /// Or the exact paths.
    pub source_paths: Vec<String>,
}

/// A pinned component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PluginPin {
    /// Identifier, unique within its kind.
    pub name: String,
    /// What it is used as.
    pub kind: PluginKind,
    /// Repository-relative `.wasm`, or a name in the user's plugin store.
    pub source: String,
    /// Digest that the bytes must have.
    pub sha256: String,
    /// Its options.
    pub options: Map<String, Value>,
    /// Raised or lowered limits.
    pub limits: PluginLimits,
}

/// Limits of one plugin; absent ones have the defaults of the sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PluginLimits {
    /// Fuel of one call.
    pub fuel: Option<u64>,
    /// Memory in MiB.
    #[serde(rename = "memoryMiB")]
    pub memory_mib: Option<u32>,
    /// Component size in MiB.
    #[serde(rename = "sizeMiB")]
    pub size_mib: Option<u32>,
}

/// `reports`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reports {
    /// Names of renderers, in order.
    pub renderers: Vec<String>,
    /// A renderer's fault is exit 3.
    pub strict: bool,
}

impl Default for Reports {
    fn default() -> Self {
        Self { renderers: vec!["markdown".to_owned()], strict: false }
    }
}

/// `scope` (3.6).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// Patterns of paths that are not governed.
    pub exclude: Vec<String>,
    /// Patterns of the role `generated`.
    pub generated: Vec<String>,
    /// Patterns of the role `development`.
    pub development: Vec<String>,
}

impl Policy {
    /// The suite of this name.
    pub fn suite(&self, name: &str) -> Option<&Suite> {
        self.suites.iter().find(|suite| suite.name == name)
    }

    /// The feature of this canonical name.
    pub fn feature(&self, name: &str) -> Option<&Feature> {
        self.features().iter().find(|feature| feature.name == name)
    }

    /// Every feature, none without `behaviorReview`.
    pub fn features(&self) -> &[Feature] {
        self.verification.behavior_review.as_ref().map_or(&[], |review| &review.features)
    }

    /// The pin of this kind and name.
    pub fn plugin(&self, kind: PluginKind, name: &str) -> Option<&PluginPin> {
        self.plugins.iter().find(|pin| pin.kind == kind && pin.name == name)
    }

    /// Modules by name.
    pub fn modules_by_name(&self) -> BTreeMap<&str, &Module> {
        self.modules.iter().map(|module| (module.name.as_str(), module)).collect()
    }
}
