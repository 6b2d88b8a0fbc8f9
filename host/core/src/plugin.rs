//! What the engine asks of plugins, as values and traits. The sandbox implements the traits; tests of the engine may too.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::code_review::vocabulary::{Attestation, EventKind, PassMode};

/// The kinds of plugins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PluginKind {
    /// Says what part a path plays.
    PathRoles,
    /// Says how a suite is run and what its output means.
    SuiteRunner,
    /// Draws a report.
    ReportRenderer,
    /// Checks what a harness recorded about a reviewer.
    ReviewerAdapter,
}

impl PluginKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::PathRoles, Self::SuiteRunner, Self::ReportRenderer, Self::ReviewerAdapter];

    /// The name that policies and commands use.
    pub fn name(self) -> &'static str {
        match self {
            Self::PathRoles => "path-roles",
            Self::SuiteRunner => "suite-runner",
            Self::ReportRenderer => "report-renderer",
            Self::ReviewerAdapter => "reviewer-adapter",
        }
    }
}

impl fmt::Display for PluginKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Which component answers: what evidence records about a plugin.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PluginIdentity {
    /// The name in the policy, or of the bundled plugin.
    pub name: String,
    /// Digest of the component's bytes.
    pub sha256: String,
}

/// Why a plugin gave no usable answer. It fails the command that asked (exit 3).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("plugin `{plugin}`: {message}")]
pub struct PluginFault {
    /// The plugin's name.
    pub plugin: String,
    /// What kind of fault it is.
    pub kind: PluginFaultKind,
    /// What happened, in one sentence.
    pub message: String,
    /// What to do about it.
    pub next: String,
    /// What the plugin sent through `log`, oldest first: foreign text.
    pub log: Vec<String>,
}

/// The ways in which a plugin fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PluginFaultKind {
    /// It answered with a `failure` of its own.
    Refused,
    /// It panicked or executed an illegal instruction.
    Trapped,
    /// It used up its fuel.
    OutOfFuel,
    /// It asked for more memory than it may have.
    OutOfMemory,
    /// Its answer is larger than the contract allows.
    OutputTooLarge,
    /// Its answer breaks the contract.
    BadOutput,
    /// It was made for another contract, or imports what the host does not give.
    Incompatible,
    /// Its bytes are not the pinned ones.
    PinMismatch,
    /// Its file is missing, unreadable or not a component.
    Unreadable,
    /// The wall-clock watchdog ended the run.
    TimedOut,
    /// The host itself could not run it: no code for this machine, no thread.
    HostFailed,
}

impl PluginFaultKind {
    /// The last part of the diagnostic's code: `plugin.<this>`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Trapped => "trapped",
            Self::OutOfFuel => "out-of-fuel",
            Self::OutOfMemory => "out-of-memory",
            Self::OutputTooLarge => "output-too-large",
            Self::BadOutput => "bad-output",
            Self::Incompatible => "incompatible",
            Self::PinMismatch => "pin-mismatch",
            Self::Unreadable => "unreadable",
            Self::TimedOut => "timed-out",
            Self::HostFailed => "host-failed",
        }
    }
}

impl From<PluginFault> for crate::diagnostic::Failure {
    /// A mismatch between pin and bytes, and a component that cannot be admitted, are configuration (exit 2); the rest is operational (exit 3).
    fn from(fault: PluginFault) -> Self {
        use crate::diagnostic::{Diagnostic, Failure, FailureKind};
        let kind = match fault.kind {
            PluginFaultKind::PinMismatch | PluginFaultKind::Incompatible | PluginFaultKind::Unreadable => FailureKind::Usage,
            _ => FailureKind::Operational,
        };
        let message = match fault.log.last() {
            Some(line) => format!("plugin `{}`: {} ({line})", fault.plugin, fault.message),
            None => format!("plugin `{}`: {}", fault.plugin, fault.message),
        };
        Failure::new(kind, vec![Diagnostic::new(format!("plugin.{}", fault.kind.code()), message, fault.next)])
    }
}

/// The part that a path plays (contract 3.7), in the built-in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Made by a tool.
    Generated,
    /// Documentation that the product reads.
    ProductInput,
    /// Data of tests.
    Fixture,
    /// A test.
    Test,
    /// Code that develops the product and is not shipped.
    Development,
    /// A plan.
    Plan,
    /// A record of changes.
    Changelog,
    /// Documentation of the current state.
    CurrentStateDocumentation,
    /// Everything that ships.
    ProductionSource,
}

/// What a path points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A submodule.
    Gitlink,
}

/// What a classifier is told about a path in one tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathFact {
    /// Repository-relative, `/`.
    pub path: String,
    /// What it points at.
    pub kind: PathKind,
    /// Has the executable bit.
    pub executable: bool,
    /// Bytes of the blob; 0 for a gitlink.
    pub size: u64,
    /// The first 4 KiB of the blob.
    pub head: Vec<u8>,
    /// `linguist-*` attributes by name.
    pub attributes: Vec<(String, String)>,
}

/// A plugin of the kind `path-roles`.
pub trait PathRoles {
    /// Which component answers.
    fn identity(&self) -> &PluginIdentity;
    /// One answer a path, in the order of `paths`; `None` leaves the path to the next plugin.
    fn classify(&self, paths: &[PathFact]) -> Result<Vec<Option<Role>>, PluginFault>;
}

/// A suite as a runner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteFacts {
    /// The suite's name.
    pub name: String,
    /// Such as `unit`.
    pub kind: String,
    /// The configured program and arguments.
    pub argv: Vec<String>,
    /// Repository-relative folder, `.` for the root.
    pub cwd: String,
}

/// What a runner adds to the configured command, already checked against BR-20 by the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// Appended to the configured words.
    pub arguments: Vec<String>,
    /// Variables to set, each of the four allowed names.
    pub variables: Vec<(String, String)>,
    /// Files to collect: path relative to `cwd`, and how many bytes of it.
    pub reports: Vec<(String, u32)>,
}

/// How a process ended by itself. Timeouts and signals are judged by the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessExit {
    /// With this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Ended by the host after its time.
    TimedOut,
}

/// The first and the last bytes of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StreamFacts {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes, not overlapping `head`.
    pub tail: Vec<u8>,
    /// All bytes that were written.
    pub total: u64,
}

/// A file that the suite wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectedFile {
    /// As named by the runner.
    pub path: String,
    /// At most as many bytes as the runner asked for.
    pub content: Vec<u8>,
    /// The file was longer.
    pub truncated: bool,
}

/// A finished run of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionFacts {
    /// How it ended.
    pub exit: ProcessExit,
    /// Standard output.
    pub output: StreamFacts,
    /// Standard error.
    pub errors: StreamFacts,
    /// Collected report files.
    pub files: Vec<CollectedFile>,
}

/// What a run of a suite means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Every test that ran passed.
    Passed,
    /// The tests ran and at least one failed.
    Failed,
    /// The tests could not be built, collected or loaded.
    Broken,
    /// Nothing ran.
    NoTests,
}

/// What a single test did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CaseOutcome {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It did not run.
    Skipped,
}

/// A single test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// The same in every run.
    pub name: String,
    /// What it did.
    pub outcome: CaseOutcome,
    /// Why it failed: foreign text.
    pub message: Option<String>,
    /// Where it is, repository-relative.
    pub path: Option<String>,
    /// Line in `path`, from 1.
    pub line: Option<u32>,
}

/// A runner's judgement. The host has already turned zero executed cases into `NoTests` (BR-20).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What the run means.
    pub outcome: Outcome,
    /// `None` when only the exit status is known.
    pub cases: Option<Vec<TestCase>>,
    /// One line: foreign text.
    pub summary: String,
}

/// A plugin of the kind `suite-runner`, with its options bound.
pub trait SuiteRunner {
    /// Which component answers.
    fn identity(&self) -> &PluginIdentity;
    /// What to add to the suite's command.
    fn plan(&self, suite: &SuiteFacts) -> Result<Invocation, PluginFault>;
    /// What the run means.
    fn judge(&self, suite: &SuiteFacts, execution: &ExecutionFacts) -> Result<Verdict, PluginFault>;
}

/// A file that a renderer made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Relative path, checked against the contract by the host.
    pub name: String,
    /// Media type.
    pub media_type: String,
    /// Bytes.
    pub content: Vec<u8>,
}

/// A plugin of the kind `report-renderer`, with its options bound.
pub trait ReportRenderer {
    /// Which component answers.
    fn identity(&self) -> &PluginIdentity;
    /// Draws a `code-polishy-report/v1` document, given as RFC 8785 text.
    fn render(&self, report: &str) -> Result<Vec<Artifact>, PluginFault>;
}

/// A receipt of a reviewer's harness, with the event of the review's log that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptFacts {
    /// What happened.
    pub event: EventKind,
    /// Whose work it is.
    pub role: String,
    /// 1 or 2.
    pub attempt: u32,
    /// How the work is done; a substitute has no receipts.
    pub mode: PassMode,
    /// The reviewer.
    pub reviewer_id: String,
    /// RFC 3339, UTC.
    pub at: String,
    /// Digest of what was sent.
    pub context_sha256: Option<String>,
    /// Digest of the response.
    pub output_sha256: Option<String>,
    /// The receipt's bytes.
    pub content: Vec<u8>,
}

/// What an adapter says of a receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Whether it is the harness's.
    pub answer: Attestation,
    /// One line: foreign text.
    pub reason: String,
}

/// A plugin of the kind `reviewer-adapter`, with its options bound.
pub trait ReviewerAdapter {
    /// Which component answers.
    fn identity(&self) -> &PluginIdentity;
    /// Judges the last of these receipts of one attempt of the review with this id.
    fn verify(&self, run_id: &str, receipts: &[ReceiptFacts]) -> Result<Verification, PluginFault>;
}

/// A component to load: bytes from the repository or the user's store, with the policy's pin; or a bundled one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginSource {
    /// The name in the policy, or of the bundled plugin.
    pub name: String,
    /// What it is used as.
    pub kind: PluginKind,
    /// The component; `None` names a bundled plugin.
    pub pinned: Option<PinnedComponent>,
    /// The options object as RFC 8785 text.
    pub options: String,
}

/// A component's bytes with what the policy says of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinnedComponent {
    /// The component's bytes.
    pub bytes: Vec<u8>,
    /// The digest that the policy demands.
    pub sha256: String,
    /// Fuel of one call; `None` for the default.
    pub fuel: Option<u64>,
    /// Memory in MiB; `None` for the default.
    pub memory_mib: Option<u32>,
    /// Largest component in MiB; `None` for the default.
    pub size_mib: Option<u32>,
}

/// Where the engine gets its plugins. The sandbox implements it; nothing is compiled before it is asked for.
pub trait PluginHost: Sync {
    /// Loads a classifier.
    fn path_roles(&self, source: &PluginSource) -> Result<Box<dyn PathRoles + Send + Sync>, PluginFault>;
    /// Loads a runner.
    fn suite_runner(&self, source: &PluginSource) -> Result<Box<dyn SuiteRunner + Send + Sync>, PluginFault>;
    /// Loads a renderer.
    fn report_renderer(&self, source: &PluginSource) -> Result<Box<dyn ReportRenderer + Send + Sync>, PluginFault>;
    /// Loads an adapter.
    fn reviewer_adapter(&self, source: &PluginSource) -> Result<Box<dyn ReviewerAdapter + Send + Sync>, PluginFault>;
    /// The identity of a bundled plugin, without loading it; `None` when there is none of that kind and name.
    fn bundled(&self, kind: PluginKind, name: &str) -> Option<PluginIdentity>;
    /// The bytes of a bundled plugin, for a pin that names it.
    fn bundled_component(&self, kind: PluginKind, name: &str) -> Option<&'static [u8]>;
}
