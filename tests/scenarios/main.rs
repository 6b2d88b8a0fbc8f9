//! The scenarios of both contracts, by number: the real binary on real repositories.
//!
//! A test asserts what the contract states: exit statuses, human lines, documents, files and digests. Codes and wording of
//! diagnostics are free, so they are asked only whether they name what is wrong.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod cases;
mod ci_page;
mod code_review;
mod commands;
mod foreign_text;
mod full_disk;
mod gate_levels;
mod gate_reports;
mod gate_reuse;
mod gates;
mod harness;
mod history;
mod hostile;
mod hostile_plugins;
mod journal;
mod journal_rules;
mod killed;
mod large;
mod locks;
mod packet;
mod packet_content;
mod patch;
mod path_roles;
mod plugin_add;
mod plugin_c;
mod plugin_languages;
mod plugin_registry;
mod plugin_store;
mod plugin_tools;
mod plugins;
mod policy;
mod processes;
mod proofs;
mod renderers;
mod renderers_ci;
mod result;
mod runner_go;
mod runner_junit;
mod runner_node;
mod runner_pytest;
mod runner_tap;
mod schemas;
mod selection;
mod store;
mod tamper;
mod trust;
mod worktrees;

use code_polishy_tests::World;

/// The binary under test, and the folder that keeps compiled plugins between tests.
const WORLD: World = World { binary: env!("CARGO_BIN_EXE_code-polishy"), scratch: env!("CARGO_TARGET_TMPDIR") };

/// The names in a JSON array of strings.
fn names(value: &serde_json::Value) -> Vec<&str> {
    let items = value.as_array().unwrap_or_else(|| panic!("{value} is no array"));
    items.iter().map(|item| item.as_str().unwrap_or_else(|| panic!("{item} is no string"))).collect()
}

/// The keys of a JSON object in file order.
fn keys(value: &serde_json::Value) -> Vec<&str> {
    value.as_object().unwrap_or_else(|| panic!("{value} is no object")).keys().map(String::as_str).collect()
}
