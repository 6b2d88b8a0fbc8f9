//! The words of `plugin` (section 2 of the behavior review's contract).

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use code_polishy_core::{plugin::PluginKind, plugin_case, policy::model::PluginLimits};

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
    /// The function to call when the input is no case; `judge`, `classify`, `render` or `verify` when absent
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

/// Kinds of plugins that are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Says what part a path plays.
    PathRoles,
    /// Says how a suite is run and what its output means.
    SuiteRunner,
    /// Draws a report.
    ReportRenderer,
    /// Checks what a harness recorded about a reviewer.
    ReviewerAdapter,
}

impl From<Kind> for PluginKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::PathRoles => Self::PathRoles,
            Kind::SuiteRunner => Self::SuiteRunner,
            Kind::ReportRenderer => Self::ReportRenderer,
            Kind::ReviewerAdapter => Self::ReviewerAdapter,
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
    /// Of a reviewer adapter.
    Verify,
}

impl From<Call> for plugin_case::Call {
    fn from(call: Call) -> Self {
        match call {
            Call::Plan => Self::Plan,
            Call::Judge => Self::Judge,
            Call::Classify => Self::Classify,
            Call::Render => Self::Render,
            Call::Verify => Self::Verify,
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
