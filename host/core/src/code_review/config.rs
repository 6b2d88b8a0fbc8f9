//! `config.json`: the configuration that a run was started with; later commands use this copy and no other (CR-18).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The file's name.
pub const CONFIG_FILE: &str = "config.json";

/// The effective configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// 1.
    pub schema_version: u32,
    /// The section `codeReview`, or its defaults.
    #[serde(rename = "codeReview")]
    pub code_review: CodeReview,
    /// The whole policy file that it was read from; null when there was none. Pins of plugins are taken from it.
    pub policy: Value,
}

/// The section `codeReview` of `.code-polishy.json`; every key may be absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct CodeReview {
    /// Where runs are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reports_dir: Option<String>,
    /// A repository folder `<role>/ROLE.md` of role cards, instead of the built-in ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role_cards: Option<String>,
    /// Commands by gate.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub gates: BTreeMap<String, GateConfig>,
    /// Patterns added to the production sources (CR-54).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub production_source: Vec<String>,
    /// Patterns of test paths (CR-54).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test_paths: Vec<String>,
    /// Patterns of high-risk paths (CR-49).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub high_risk_paths: Vec<String>,
    /// Renderers beside the bound one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub renderers: Vec<RendererConfig>,
    /// Names of pinned reviewer adapters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reviewer_adapters: Vec<String>,
}

/// How a gate is run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "camelCase")]
pub struct GateConfig {
    /// A shell line, or a program with its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<GateCommand>,
    /// A suite runner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner: Option<String>,
    /// Arguments of the runner.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Modules that the gate `tests` has to exercise under the runner `pytest` (CR-146).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<String>,
    /// Why the gate does not apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_applicable: Option<String>,
    /// Seconds; 900 when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u32>,
    /// The gate runs behaviour, as `tests` always does (CR-104).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behavioral: Option<bool>,
}

/// A command in one of its two forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum GateCommand {
    /// A line for the shell.
    Shell(String),
    /// A program and its arguments.
    Argv(Vec<String>),
}

/// A renderer beside the bound one (CR-160).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RendererConfig {
    /// A report renderer.
    pub id: String,
    /// Its failure fails the review.
    #[serde(default)]
    pub required: bool,
}
