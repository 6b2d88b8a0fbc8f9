//! The command line (contract 2): every word that the program takes, with what it means.

pub mod code_review;
pub mod plugin;

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use code_polishy_core::policy::model::Boundary;
pub use code_review::CodeReview;
pub use plugin::Plugin;

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
    /// Say what a code means, how one gets there, and what to do about it
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
    #[arg(value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(code_polishy_core::schema::names()))]
    pub name: String,
}

/// `explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// The code, as a violation, an error or a finding shows it; a subject after a colon is left out of account
    #[arg(value_name = "CODE")]
    pub code: String,
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
