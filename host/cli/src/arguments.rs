//! The command line (contract 2): every word that the program takes, with what it means.

pub mod code_review;

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use code_polishy_core::{
    plugin::PluginKind,
    plugin_case,
    policy::model::{Boundary, PluginLimits},
};
pub use code_review::CodeReview;

const EXIT_STATUSES: &str = "\
Exit status: 0 done or accepted; 1 blocked; 2 usage or configuration; 3 git, files, processes or a plugin failed; 130 interrupted.
Results go to standard output, progress and diagnostics to standard error.";

/// Says whether the evidence for a change is good enough to merge.
#[derive(Debug, Parser)]
#[command(name = "code-polishy", version, after_help = EXIT_STATUSES, max_term_width = 110)]
pub struct Arguments {
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Options that stand before or after the command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Work on the repository that this folder is in, instead of the working directory's
    #[arg(long, global = true, value_name = "PATH")]
    pub repo: Option<PathBuf>,
    /// Print lines for people, or exactly one JSON document
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    pub format: Format,
    /// Colour the output: on a terminal, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print plain progress lines on a terminal too
    #[arg(long, global = true)]
    pub no_progress: bool,
    /// Say more: reasons of levels, policy sections that are not enforced, what plugins log
    #[arg(short, long, global = true)]
    pub verbose: bool,
    /// Print results only, without progress and notes
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
}

/// Who reads standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// People.
    Human,
    /// Programs.
    Json,
}

/// When output is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that shows colours, unless the environment says no.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Capture requests, prepare a review, and accept its result
    #[command(subcommand)]
    BehaviorReview(BehaviorReview),
    /// Review a change: freeze it, follow its reviewers, and judge the verdict
    #[command(subcommand)]
    CodeReview(CodeReview),
    /// Record that a suite is red before a change and green after it
    RegressionProof(RegressionProof),
    /// Decide about the change since the previous checkpoint
    CheckpointGate(CheckpointGate),
    /// Decide whether the change may be merged
    MergeGate(MergeGate),
    /// Show a gate's report again
    Report(Report),
    /// Run suites of the working policy
    Test(Test),
    /// Show what each level would run; runs nothing
    #[command(visible_aliases = ["test-plan", "plan"])]
    TestLevels(TestLevels),
    /// Write a starting `.code-polishy.json` from what the repository holds; never overwrites
    Init,
    /// Print the JSON Schema of a document
    Schema(Schema),
    /// Say what a code of code review means and what to do about it
    Explain(Explain),
    /// Make, build, check, add and list plugins
    #[command(subcommand)]
    Plugin(Plugin),
    /// Play the whole story on a small repository
    Demo(Demo),
    /// Print the completion script of a shell
    Completions(Completions),
}

/// Actions of `behavior-review`.
#[derive(Debug, Subcommand)]
pub enum BehaviorReview {
    /// Keep the exact words of a request, with the state they were said in
    CaptureIntent(CaptureIntent),
    /// Ask for the review of more features, bound to the captured request
    Require(Require),
    /// Say what is asked of the change and how it stands; writes nothing
    Status(Status),
    /// Write the packet that an isolated reviewer reads
    Prepare(Prepare),
    /// Accept the reviewer's result and bind it in a receipt
    Finalize(Finalize),
    /// Remove all review artifacts together
    Cleanup,
}

/// `behavior-review capture-intent`.
#[derive(Args, Debug)]
pub struct CaptureIntent {
    /// A regular file inside the repository that holds the request; `-` reads standard input
    #[arg(long, value_name = "PATH|-")]
    pub intent_file: PathBuf,
    /// Require the review of this feature, by exact name or alias; may be repeated
    #[arg(long, value_name = "NAME")]
    pub feature: Vec<String>,
    /// History was rewritten since the last capture
    #[arg(long)]
    pub rewritten: bool,
}

/// `behavior-review require`.
#[derive(Args, Debug)]
pub struct Require {
    /// The commit at which the task's request was captured
    #[arg(long, value_name = "REF")]
    pub base: String,
    /// A feature to review, by exact name or alias; may be repeated
    #[arg(long, value_name = "NAME", required = true)]
    pub feature: Vec<String>,
}

/// `behavior-review status`.
#[derive(Args, Debug)]
pub struct Status {
    /// The target of the change; its merge base with HEAD is the base
    #[arg(long, value_name = "REF")]
    pub base: String,
    /// The gate at which the review is asked
    #[arg(long, value_name = "GATE", default_value = "merge")]
    pub boundary: Gate,
    /// Exit with 1 when the review is REQUIRED or FAILED
    #[arg(long)]
    pub exit_code: bool,
}

/// `behavior-review prepare`.
#[derive(Args, Debug)]
pub struct Prepare {
    /// The target of the change; its merge base with HEAD is the base
    #[arg(long, value_name = "REF")]
    pub base: String,
    /// The gate at which the review is asked
    #[arg(long, value_name = "GATE", default_value = "merge")]
    pub boundary: Gate,
    /// Prepare another review of a candidate whose result was refused; says who authorised it and why
    #[arg(long, value_name = "REASON")]
    pub follow_up: Option<String>,
}

/// `behavior-review finalize`.
#[derive(Args, Debug)]
pub struct Finalize {
    /// The target of the change, as it was given to `prepare`
    #[arg(long, value_name = "REF")]
    pub base: String,
}

/// `regression-proof`.
#[derive(Args, Debug)]
pub struct RegressionProof {
    /// The commit before the change, at or after the packet's base
    #[arg(long, value_name = "REF")]
    pub base: String,
    /// The suite that is red there and green at HEAD
    #[arg(long, value_name = "NAME")]
    pub suite: String,
    /// The id under which the reviewer cites the proof
    #[arg(long, value_name = "ID")]
    pub id: String,
    /// A test, fixture or development file of HEAD that is put on the base, relative to the repository's root; may be repeated
    #[arg(long, value_name = "PATH", required = true)]
    pub evidence: Vec<String>,
    /// The exit status of red, 1 to 255
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(i32).range(1..=255))]
    pub red_exit: i32,
    /// Take an id that is in use
    #[arg(long)]
    pub replace: bool,
}

/// `checkpoint-gate`.
#[derive(Args, Debug)]
pub struct CheckpointGate {
    /// The previous checkpoint
    #[arg(long, value_name = "REF")]
    pub base: String,
    /// How commands run.
    #[command(flatten)]
    pub running: Running,
}

/// `merge-gate`.
#[derive(Args, Debug)]
pub struct MergeGate {
    /// The target of the merge; its merge base with HEAD is the base
    #[arg(long, value_name = "REF")]
    pub base: String,
    /// Take the passed commands of the newest failed run of exactly this plan
    #[arg(long, conflicts_with = "no_reuse")]
    pub resume: bool,
    /// How commands run.
    #[command(flatten)]
    pub running: Running,
}

/// How a gate runs its commands.
#[derive(Args, Debug)]
pub struct Running {
    /// Suites and replays at a time; the number of processors when absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Take nothing of earlier runs
    #[arg(long)]
    pub no_reuse: bool,
}

impl Running {
    /// Commands at a time, at least 1.
    pub fn jobs(&self) -> usize {
        self.jobs.map_or_else(processors, usize::from)
    }
}

/// Commands at a time when the caller does not say.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// `report`.
#[derive(Args, Debug)]
pub struct Report {
    /// Whose report
    #[arg(long, value_name = "GATE", default_value = "merge")]
    pub gate: Gate,
    /// The run, such as `run-0123456789ab-1`; the newest one when absent
    #[arg(long, value_name = "ID")]
    pub run: Option<String>,
    /// Print what this report renderer, bundled or pinned at HEAD, makes of the report
    #[arg(long, value_name = "NAME")]
    pub renderer: Option<String>,
}

/// `test`.
#[derive(Args, Debug)]
#[group(skip)]
#[command(group = ArgGroup::new("what").args(["suite", "module", "changed", "recommended", "all", "supplemental"]).required(true).multiple(true))]
#[command(group = ArgGroup::new("change").args(["changed", "recommended"]).multiple(true))]
pub struct Test {
    /// Run this suite; may be repeated
    #[arg(long, value_name = "NAME")]
    pub suite: Vec<String>,
    /// Run the suites of this module
    #[arg(long, value_name = "NAME")]
    pub module: Option<String>,
    /// Run the focused suites of changed modules
    #[arg(long)]
    pub changed: bool,
    /// Run the recommended suites of changed modules
    #[arg(long)]
    pub recommended: bool,
    /// Run every suite but the supplemental ones
    #[arg(long)]
    pub all: bool,
    /// Run the supplemental suites
    #[arg(long)]
    pub supplemental: bool,
    /// What `--changed` and `--recommended` compare with; HEAD when absent
    #[arg(long, value_name = "REF", requires = "change")]
    pub base: Option<String>,
}

/// `test-levels`.
#[derive(Args, Debug)]
pub struct TestLevels {
    /// Show what the change since this reference's merge base asks for
    #[arg(long, value_name = "REF")]
    pub base: Option<String>,
}

/// `schema`.
#[derive(Args, Debug)]
pub struct Schema {
    /// The document
    #[arg(value_name = "NAME", value_parser = code_polishy_core::schema::NAMES)]
    pub name: String,
}

/// `explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// The code, as a violation or an error shows it; a subject after a colon is left out of account
    #[arg(value_name = "CODE")]
    pub code: String,
}

/// Actions of `plugin`.
#[derive(Debug, Subcommand)]
pub enum Plugin {
    /// Write a new plugin: it builds, and passes its check
    New(PluginNew),
    /// Build the plugin of a folder, or the Rust plugins of a workspace
    Build(PluginBuild),
    /// Take a plugin in: check it, keep it where commits find it, and pin it in the working policy
    Add(PluginAdd),
    /// List bundled plugins, those that the working policy pins, and those of your own store
    List,
    /// Check that a component keeps the plugin contract and answers as its cases expect, and show what it costs
    Check(PluginCheck),
    /// Make one call of a plugin, and show everything that came of it
    Run(PluginRun),
    /// Show what is known about a plugin without running it
    Inspect(PluginInspect),
    /// Compile the bundled plugins and those that the working policy pins
    Warm,
}

/// `plugin new`.
#[derive(Args, Debug)]
pub struct PluginNew {
    /// The plugin's name: lower-case words separated by `-`
    #[arg(value_name = "NAME")]
    pub name: String,
    /// What it is used as
    #[arg(long, value_name = "KIND")]
    pub kind: Kind,
    /// What it is written in
    #[arg(long, value_name = "LANG")]
    pub lang: Language,
    /// Write it into this folder, absent or empty, instead of one with its name
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// `plugin build`.
#[derive(Args, Debug)]
pub struct PluginBuild {
    /// A folder with Cargo.toml, package.json, pyproject.toml or plugin.c
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Write the components and `plugins.lock.json` into this folder
    #[arg(long, value_name = "DIR")]
    pub dist: Option<PathBuf>,
}

/// `plugin add`.
#[derive(Args, Debug)]
pub struct PluginAdd {
    /// A `.wasm` file, the folder of a plugin, which is built, or `registry/repository@sha256:DIGEST`
    #[arg(value_name = "SOURCE")]
    pub source: String,
    /// Its name in the policy; the one that it gives itself when absent
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Where the component is kept
    #[arg(long, value_name = "PLACE", default_value = "repository")]
    pub to: PluginPlace,
    /// Its options: a JSON object, or a file that holds one; a pin of this kind and name keeps its own when absent
    #[arg(long, value_name = "FILE|JSON")]
    pub options: Option<String>,
    /// Let it have this many MiB; 1 when neither this nor its pin says so
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub size_mib: Option<u32>,
    /// Let a call use this many MiB of memory; 64 when neither this nor its pin says so
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub memory_mib: Option<u32>,
    /// Let a call use this many units of fuel; 2 billion, about two seconds, when neither this nor its pin says so
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub fuel: Option<u64>,
    /// Replace another component of its name in your plugin store
    #[arg(long)]
    pub replace: bool,
}

/// Where `plugin add` keeps a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PluginPlace {
    /// In `.code-polishy/plugins`, to be committed.
    Repository,
    /// In your plugin store, for you alone.
    User,
}

/// `plugin check`.
#[derive(Args, Debug)]
pub struct PluginCheck {
    /// The component
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The kind that it has to be
    #[arg(long, value_name = "KIND")]
    pub kind: Option<Kind>,
    /// What it may use.
    #[command(flatten)]
    pub limits: Limits,
    /// Make the calls of each `.json` file of this folder, and compare the answers with what it expects
    #[arg(long, value_name = "DIR")]
    pub cases: Option<PathBuf>,
    /// Write what the plugin answers into the cases as what they expect
    #[arg(long, requires = "cases")]
    pub accept: bool,
}

/// What a pin's `limits` may allow.
#[derive(Args, Clone, Copy, Debug)]
pub struct Limits {
    /// Let it have this many MiB, as `limits.sizeMiB` of a pin does; 1 when absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    size_mib: Option<u32>,
    /// Let a call use this many MiB of memory, as `limits.memoryMiB` of a pin does; 64 when absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    memory_mib: Option<u32>,
    /// Let a call use this many units of fuel, as `limits.fuel` of a pin does; 2 billion, about two seconds, when absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    fuel: Option<u64>,
}

impl From<Limits> for PluginLimits {
    fn from(limits: Limits) -> Self {
        Self { fuel: limits.fuel, memory_mib: limits.memory_mib, size_mib: limits.size_mib }
    }
}

/// `plugin run`.
#[derive(Args, Debug)]
pub struct PluginRun {
    /// What it is used as
    #[arg(value_name = "KIND")]
    pub kind: Kind,
    /// The component, or the name of a plugin that `plugin list` shows
    #[arg(value_name = "FILE|NAME")]
    pub plugin: PathBuf,
    /// What goes in, as JSON: a case, or the input alone; `-` reads standard input
    #[arg(long, value_name = "PATH|-")]
    pub input: PathBuf,
    /// The function to call when the input is no case; `judge`, `classify` or `render` when absent
    #[arg(long, value_name = "CALL")]
    pub call: Option<Call>,
    /// Write the files of a renderer into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What it may use.
    #[command(flatten)]
    pub limits: Limits,
}

/// `plugin inspect`.
#[derive(Args, Debug)]
pub struct PluginInspect {
    /// The component, or the name of a plugin that `plugin list` shows
    #[arg(value_name = "FILE|NAME")]
    pub plugin: PathBuf,
    /// Run it too, to have it say its name, version, summary and options
    #[arg(long)]
    pub describe: bool,
    /// The largest size in MiB, as `limits.sizeMiB` of its pin says it; 1 when absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub size_mib: Option<u32>,
}

/// `demo`.
#[derive(Args, Debug)]
pub struct Demo {
    /// Make the repository in this folder, absent or empty, and keep it
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

/// `completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// The two gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Gate {
    /// The final merge.
    Merge,
    /// Every completed checkpoint.
    Checkpoint,
}

impl From<Gate> for Boundary {
    fn from(gate: Gate) -> Self {
        match gate {
            Gate::Merge => Self::Merge,
            Gate::Checkpoint => Self::Checkpoint,
        }
    }
}

/// Kinds of plugins that are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Says what part a path plays.
    PathRoles,
    /// Says how a suite is run and what its output means.
    SuiteRunner,
    /// Draws a report.
    ReportRenderer,
}

impl From<Kind> for PluginKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::PathRoles => Self::PathRoles,
            Kind::SuiteRunner => Self::SuiteRunner,
            Kind::ReportRenderer => Self::ReportRenderer,
        }
    }
}

/// Functions of plugins that have an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Call {
    /// Of a suite runner: what to add to the command.
    Plan,
    /// Of a suite runner: what the run means.
    Judge,
    /// Of path roles.
    Classify,
    /// Of a report renderer.
    Render,
}

impl From<Call> for plugin_case::Call {
    fn from(call: Call) -> Self {
        match call {
            Call::Plan => Self::Plan,
            Call::Judge => Self::Judge,
            Call::Classify => Self::Classify,
            Call::Render => Self::Render,
        }
    }
}

/// Languages that `plugin new` has templates of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// With `sdk/rust`.
    Rust,
    /// With `sdk/js`.
    Js,
    /// With `sdk/python`.
    Python,
    /// With `sdk/c`.
    C,
}

impl std::fmt::Display for Language {
    /// The word of the command line.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Rust => "rust",
            Self::Js => "js",
            Self::Python => "python",
            Self::C => "c",
        })
    }
}
