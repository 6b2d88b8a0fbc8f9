//! The keys of each object of the file. Whatever is not here is refused; a test holds the JSON Schema to the same lists.

/// Sections of a version 4 policy that are accepted and not enforced (BR-12).
pub const NOT_ENFORCED: &[&str] =
    &["languages", "architecture", "quality", "supplyChain", "builds", "artifacts", "providers", "entryPoints", "data", "exceptions"];
/// The root, beside `NOT_ENFORCED`.
pub const ROOT: &[&str] =
    &["version", "verification", "modules", "tests", "checks", "documentation", "plugins", "reports", "scope", "codeReview"];
/// `verification`
pub const VERIFICATION: &[&str] = &["behaviorReview", "trustedMergeTarget", "mergeGate"];
/// `verification.behaviorReview`
pub const BEHAVIOR_REVIEW: &[&str] = &["defaultRequiredAt", "features", "allowedRedKinds", "instructions"];
/// `verification.behaviorReview.features[]`
pub const FEATURE: &[&str] = &["name", "description", "aliases", "modules", "paths", "suites", "requiredAt"];
/// `verification.mergeGate`
pub const MERGE_GATE: &[&str] = &["recommendedModules"];
/// `modules[]`
pub const MODULE: &[&str] = &["name", "paths", "dependsOn"];
/// `tests`
pub const TESTS: &[&str] = &["suites"];
/// `tests.suites[]`
pub const SUITE: &[&str] = &[
    "name",
    "kind",
    "scope",
    "modules",
    "cost",
    "argv",
    "cwd",
    "paths",
    "runOn",
    "environment",
    "hazards",
    "exclusiveResources",
    "timeoutSeconds",
    "runner",
    "runnerOptions",
];
/// `checks[]`
pub const CHECK: &[&str] = &["name", "category", "argv", "cwd", "timeoutSeconds", "environment", "runOn"];
/// `documentation`
pub const DOCUMENTATION: &[&str] = &["design", "productInputs"];
/// `documentation.design[]`
pub const DESIGN: &[&str] = &["path", "module", "sourcePaths"];
/// `plugins[]`
pub const PLUGIN: &[&str] = &["name", "kind", "source", "sha256", "options", "limits"];
/// `plugins[].limits`
pub const LIMITS: &[&str] = &["fuel", "memoryMiB", "sizeMiB"];
/// `reports`
pub const REPORTS: &[&str] = &["renderers", "strict"];
/// `scope`
pub const SCOPE: &[&str] = &["exclude", "generated", "development"];
/// `codeReview` (CR-18)
pub const CODE_REVIEW: &[&str] =
    &["reportsDir", "roleCards", "gates", "productionSource", "testPaths", "highRiskPaths", "renderers", "reviewerAdapters"];
/// `codeReview.gates`: the gates of CR-130
pub const CODE_REVIEW_GATES: &[&str] = &["lint", "format", "types", "tests", "review"];
/// `codeReview.gates.<id>`
pub const CODE_REVIEW_GATE: &[&str] = &["command", "runner", "args", "imports", "notApplicable", "timeoutSeconds", "behavioral"];
/// `codeReview.renderers[]`
pub const CODE_REVIEW_RENDERER: &[&str] = &["id", "required"];
