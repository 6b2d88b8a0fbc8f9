//! `tests.suites` and `checks` (3.3, BR-17, BR-19).

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::commands::{check_argv, suite_argv};
use super::keys;
use super::model::{Check, CheckCategory, CheckRun, Cost, Hazard, Suite, SuiteRun, SuiteScope, TEST_STRENGTH_KINDS};
use super::names::folder_fault;
use crate::strict::{Fields, Reader, quoted};
use crate::strict::{Json, Node};

/// Seconds that a command may take when nothing is configured.
pub const DEFAULT_TIMEOUT_SECONDS: u32 = 900;
/// Seconds that may be configured.
pub const MAX_TIMEOUT_SECONDS: u32 = 3600;
/// The runner of a suite that names none.
pub const DEFAULT_RUNNER: &str = "exec";

const EXPENSIVE_KINDS: [&str; 5] = ["browser", "visual", "e2e", "performance", "live"];
const SCOPES: [(&str, SuiteScope); 2] = [("module", SuiteScope::Module), ("repository", SuiteScope::Repository)];
const COSTS: [(&str, Cost); 3] = [("quick", Cost::Quick), ("standard", Cost::Standard), ("expensive", Cost::Expensive)];
const HAZARDS: [(&str, Hazard); 3] = [("live", Hazard::Live), ("destructive", Hazard::Destructive), ("credentialed", Hazard::Credentialed)];
const CATEGORIES: [(&str, CheckCategory); 3] =
    [("check", CheckCategory::Check), ("build", CheckCategory::Build), ("supply-chain", CheckCategory::SupplyChain)];
const CHECK_RUNS: [(&str, CheckRun); 3] =
    [("checkpoint", CheckRun::Checkpoint), ("recommended", CheckRun::Recommended), ("full", CheckRun::Full)];
const SUITE_RUNS: [(&str, SuiteRun); 4] = [
    ("focused", SuiteRun::Focused),
    ("recommended", SuiteRun::Recommended),
    ("full", SuiteRun::Full),
    ("supplemental", SuiteRun::Supplemental),
];

/// Reads one suite. `None` when a part without which nothing can be said about it is missing or faulty.
pub(super) fn suite(reader: &mut Reader, node: &Node, modules: &BTreeSet<&str>, runners: &BTreeSet<&str>) -> Option<Suite> {
    let fields = reader.object(node, keys::SUITE)?;
    let name = reader.required(&fields, "name").and_then(|node| reader.identifier(node));
    let kind = reader.required(&fields, "kind").and_then(|node| reader.identifier(node));
    let scope = reader.required(&fields, "scope").and_then(|node| reader.choice(node, &SCOPES));
    let owned = reader.references(fields.get("modules"), "module", modules);
    let argv = reader.required(&fields, "argv").map(|node| suite_argv(reader, node));
    let cwd = folder(reader, &fields);
    let paths = reader.sorted(fields.get("paths"), Reader::pattern);
    let cost = fields.get("cost").and_then(|node| reader.choice(node, &COSTS));
    let environment = reader.sorted(fields.get("environment"), Reader::variable);
    let mut hazards = reader.set(fields.get("hazards"), |reader, node| reader.choice(node, &HAZARDS));
    let exclusive_resources = reader.sorted(fields.get("exclusiveResources"), Reader::identifier);
    let timeout_seconds = timeout(reader, &fields);
    let runner = runner(reader, &fields, runners);
    let runner_options = options(reader, fields.get("runnerOptions"));
    hazards.sort_unstable();
    let (name, kind, scope) = (name?, kind?, scope?);
    matches_scope(reader, &fields, scope);
    let cost = cost.unwrap_or_else(|| default_cost(kind, scope));
    let run_on = suite_runs(reader, &fields, kind, scope, cost);
    Some(Suite {
        name: name.to_owned(),
        kind: kind.to_owned(),
        scope,
        modules: owned,
        cost,
        argv: argv?,
        cwd,
        paths,
        run_on,
        environment,
        hazards,
        exclusive_resources,
        timeout_seconds,
        runner,
        runner_options,
    })
}

/// A module suite has one module; what triggers a repository suite are its `paths`.
fn matches_scope(reader: &mut Reader, fields: &Fields<'_>, scope: SuiteScope) {
    let modules = fields.get("modules").map_or(0, |node| node.elements().len());
    let at = fields.get("modules").map_or(fields.at, |node| &node.at);
    if scope == SuiteScope::Module && modules != 1 {
        let message = format!("a suite of scope `module` has exactly one module, not {modules}");
        reader.refuse(at, "suite-scope", message, "name one module, or use the scope `repository`");
    }
    if scope == SuiteScope::Repository && modules > 0 {
        reader.refuse(
            at,
            "suite-scope",
            "a suite of scope `repository` has no modules",
            "say with `paths` what triggers it, or use the scope `module`",
        );
    }
    if let Some(paths) = fields.get("paths").filter(|paths| scope == SuiteScope::Module && !paths.elements().is_empty()) {
        let next = "remove `paths`, or use the scope `repository`";
        reader.refuse(&paths.at, "suite-scope", "a suite of scope `module` is triggered by its module, not by `paths`", next);
    }
}

fn default_cost(kind: &str, scope: SuiteScope) -> Cost {
    match scope {
        _ if EXPENSIVE_KINDS.contains(&kind) || TEST_STRENGTH_KINDS.contains(&kind) => Cost::Expensive,
        SuiteScope::Module => Cost::Quick,
        SuiteScope::Repository => Cost::Standard,
    }
}

/// The runs that a suite of this kind, scope and cost has when it names none: those of its scope that its cost allows.
fn default_runs(kind: &str, scope: SuiteScope, cost: Cost) -> Vec<SuiteRun> {
    match (scope, cost) {
        _ if TEST_STRENGTH_KINDS.contains(&kind) => vec![SuiteRun::Supplemental],
        (SuiteScope::Module, Cost::Quick) => vec![SuiteRun::Focused, SuiteRun::Recommended, SuiteRun::Full],
        (SuiteScope::Module, Cost::Standard) => vec![SuiteRun::Recommended, SuiteRun::Full],
        _ => vec![SuiteRun::Full],
    }
}

fn suite_runs(reader: &mut Reader, fields: &Fields<'_>, kind: &str, scope: SuiteScope, cost: Cost) -> Vec<SuiteRun> {
    let Some(node) = fields.get("runOn") else {
        let runs = default_runs(kind, scope, cost);
        if runs == [SuiteRun::Supplemental] && cost != Cost::Expensive {
            let at = fields.get("cost").map_or(fields.at, |node| &node.at);
            reader.refuse(
                at,
                "suite-run",
                format!("a suite of kind `{kind}` is supplemental, and that needs the cost `expensive`"),
                "remove `cost`",
            );
        }
        return runs;
    };
    let runs: BTreeSet<SuiteRun> = reader.set(Some(node), |reader, node| reader.choice(node, &SUITE_RUNS)).into_iter().collect();
    if let Some((message, next)) = run_fault(&runs, node, kind, cost) {
        reader.refuse(&node.at, "suite-run", message, next);
    }
    closed(runs)
}

fn run_fault(runs: &BTreeSet<SuiteRun>, node: &Node, kind: &str, cost: Cost) -> Option<(&'static str, &'static str)> {
    let all = closed(runs.clone());
    let supplemental = runs.contains(&SuiteRun::Supplemental);
    if matches!(&node.json, Json::Array(elements) if elements.is_empty()) {
        Some(("the suite would never run", "name at least one run, or remove `runOn`"))
    } else if supplemental && runs.len() > 1 {
        Some(("`supplemental` stands alone", "keep `supplemental`, or the others"))
    } else if supplemental && cost != Cost::Expensive {
        Some(("`supplemental` needs the cost `expensive`", "set the cost to `expensive`, or choose other runs"))
    } else if !supplemental && !runs.is_empty() && TEST_STRENGTH_KINDS.contains(&kind) {
        Some(("a suite that measures test strength is supplemental only", "use `supplemental` alone, or remove `runOn`"))
    } else if all.contains(&SuiteRun::Focused) && cost != Cost::Quick {
        Some(("`focused` needs the cost `quick`", "set the cost to `quick`, or leave `focused` out"))
    } else if all.contains(&SuiteRun::Recommended) && cost == Cost::Expensive {
        Some(("`recommended` does not take the cost `expensive`", "set another cost, or leave `recommended` out"))
    } else {
        None
    }
}

/// `focused` implies `recommended`, which implies `full`.
fn closed(mut runs: BTreeSet<SuiteRun>) -> Vec<SuiteRun> {
    if runs.contains(&SuiteRun::Focused) {
        runs.insert(SuiteRun::Recommended);
    }
    if runs.contains(&SuiteRun::Recommended) {
        runs.insert(SuiteRun::Full);
    }
    runs.into_iter().collect()
}

/// Reads one check. `None` as for a suite.
pub(super) fn check(reader: &mut Reader, node: &Node) -> Option<Check> {
    let fields = reader.object(node, keys::CHECK)?;
    let name = reader.required(&fields, "name").and_then(|node| reader.identifier(node));
    let category = reader.required(&fields, "category").and_then(|node| reader.choice(node, &CATEGORIES));
    let argv = reader.required(&fields, "argv").map(|node| check_argv(reader, node));
    let cwd = folder(reader, &fields);
    let timeout_seconds = timeout(reader, &fields);
    let environment = reader.sorted(fields.get("environment"), Reader::variable);
    let configured = fields.get("runOn").map(|node| check_runs(reader, node));
    let category = category?;
    let run_on = configured.unwrap_or_else(|| match category {
        CheckCategory::SupplyChain => vec![CheckRun::Full],
        CheckCategory::Check | CheckCategory::Build => vec![CheckRun::Recommended, CheckRun::Full],
    });
    Some(Check { name: name?.to_owned(), category, argv: argv?, cwd, timeout_seconds, environment, run_on })
}

fn check_runs(reader: &mut Reader, node: &Node) -> Vec<CheckRun> {
    let mut runs = reader.set(Some(node), |reader, node| reader.choice(node, &CHECK_RUNS));
    if matches!(&node.json, Json::Array(elements) if elements.is_empty()) {
        reader.refuse(&node.at, "check-run", "the check would never run", "name at least one run, or remove `runOn`");
    }
    runs.sort_unstable();
    runs
}

fn folder(reader: &mut Reader, fields: &Fields<'_>) -> String {
    let Some(node) = fields.get("cwd") else { return ".".to_owned() };
    let Some(text) = reader.text(node) else { return String::new() };
    if let Some(fault) = folder_fault(text) {
        let next = "name a folder inside the repository; `.` is its root";
        reader.refuse(&node.at, "bad-path", format!("the folder {} {fault}", quoted(text)), next);
    }
    text.to_owned()
}

fn timeout(reader: &mut Reader, fields: &Fields<'_>) -> u32 {
    let configured = fields.get("timeoutSeconds").and_then(|node| reader.integer(node, 1..=u64::from(MAX_TIMEOUT_SECONDS)));
    configured.and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or(DEFAULT_TIMEOUT_SECONDS)
}

fn runner(reader: &mut Reader, fields: &Fields<'_>, runners: &BTreeSet<&str>) -> String {
    let Some(node) = fields.get("runner") else { return DEFAULT_RUNNER.to_owned() };
    let Some(name) = reader.identifier(node) else { return String::new() };
    reader.plugin_reference(node, name, "suite runner", runners);
    name.to_owned()
}

/// Options of a plugin: any object; the plugin's own schema says more.
pub(super) fn options(reader: &mut Reader, node: Option<&Node>) -> Map<String, Value> {
    let Some(node) = node else { return Map::new() };
    match reader.open_object(node).map(|_| node.value()) {
        Some(Value::Object(options)) => options,
        _ => Map::new(),
    }
}
