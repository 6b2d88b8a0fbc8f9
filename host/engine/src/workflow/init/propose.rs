//! Which policy the facts give.

use std::collections::{BTreeMap, BTreeSet};

use code_polishy_core::policy::{load::POLICY_VERSION, names::identifier_fault, suites::DEFAULT_RUNNER};
use serde::Serialize;
use serde_json::{Value, json};

use super::facts::{Ecosystem, Facts, Found};

/// A suite of the starting policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundSuite {
    /// Its name.
    pub name: String,
    /// The file that speaks for it; repository-relative.
    pub evidence: String,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Repository-relative folder; `.` is the root.
    pub cwd: String,
    /// The bundled runner that understands the program.
    pub runner: String,
}

/// A module of the starting policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundModule {
    /// Its name.
    pub name: String,
    /// What it owns.
    pub paths: Vec<String>,
    /// Modules that it builds on.
    pub depends_on: Vec<String>,
}

/// A policy with what it was made from.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The content of the policy file.
    pub policy: Value,
    /// Its suites.
    pub suites: Vec<FoundSuite>,
    /// Its modules.
    pub modules: Vec<FoundModule>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// The policy that the facts give: review on request, one suite an ecosystem, one module a folder or Cargo member.
pub fn propose(facts: &Facts) -> Proposal {
    let suites = suites(facts);
    let modules = modules(facts);
    let notes = notes(facts, &suites);
    let mut review = json!({"defaultRequiredAt": "on-request"});
    if let (Some(module), Some(suite)) = (main_module(&modules), suites.first()) {
        review["features"] = json!([{
            "name": "example",
            "description": "An example to replace: a behavior that users rely on, the modules that make it, and the suites that prove it",
            "modules": [module.name],
            "suites": [suite.name],
        }]);
    }
    let policy = json!({
        "version": POLICY_VERSION,
        "verification": {"behaviorReview": review},
        "modules": modules.iter().map(module_value).collect::<Vec<_>>(),
        "tests": {"suites": suites.iter().map(suite_value).collect::<Vec<_>>()},
    });
    Proposal { policy, suites, modules, notes }
}

/// The first module that is likely to hold what users rely on.
fn main_module(modules: &[FoundModule]) -> Option<&FoundModule> {
    const BESIDE: [&str; 8] = ["bench", "benches", "docs", "examples", "fuzz", "scripts", "test", "tests"];
    modules.iter().find(|module| !BESIDE.contains(&module.name.as_str())).or_else(|| modules.first())
}

fn module_value(module: &FoundModule) -> Value {
    let mut value = json!({"name": module.name, "paths": module.paths});
    if !module.depends_on.is_empty() {
        value["dependsOn"] = json!(module.depends_on);
    }
    value
}

/// A suite at the root is triggered by every change: what its tests read is not known.
fn suite_value(suite: &FoundSuite) -> Value {
    let mut value = json!({"name": suite.name, "kind": "unit", "scope": "repository", "argv": suite.argv});
    if suite.cwd != "." {
        value["cwd"] = json!(suite.cwd);
        value["paths"] = json!([format!("{}/**", suite.cwd)]);
    }
    value["runOn"] = json!(["recommended", "full"]);
    value["runner"] = json!(suite.runner);
    value
}

fn suites(facts: &Facts) -> Vec<FoundSuite> {
    let mut names = Names::default();
    let suite = |found: &Found| {
        let (base, argv) = command(&found.ecosystem);
        let (name, cwd) = match found.folder.as_str() {
            "" => (base.to_owned(), ".".to_owned()),
            folder => (format!("{folder}-{base}"), folder.to_owned()),
        };
        FoundSuite {
            name: names.take(&name),
            evidence: found.evidence.clone(),
            argv: argv.into_iter().map(str::to_owned).collect(),
            cwd,
            runner: runner(&found.ecosystem).to_owned(),
        }
    };
    facts.found.iter().map(suite).collect()
}

fn command(ecosystem: &Ecosystem) -> (&'static str, Vec<&str>) {
    match ecosystem {
        Ecosystem::Cargo { locked: true } => ("cargo-test", vec!["cargo", "test", "--workspace", "--locked"]),
        Ecosystem::Cargo { locked: false } => ("cargo-test", vec!["cargo", "test", "--workspace"]),
        Ecosystem::Node { manager: "npm", .. } => ("npm-test", vec!["npm", "test"]),
        Ecosystem::Node { manager, .. } => ("node-test", vec![manager, "run", "test"]),
        Ecosystem::Pytest => ("pytest", vec!["python3", "-m", "pytest"]),
        Ecosystem::Unittest { tests } => ("unittest", vec!["python3", "-m", "unittest", "discover", "-s", tests]),
        Ecosystem::Go => ("go-test", vec!["go", "test", "./..."]),
        Ecosystem::Maven { wrapper: true } => ("maven-test", vec!["./mvnw", "--batch-mode", "test"]),
        Ecosystem::Maven { wrapper: false } => ("maven-test", vec!["mvn", "--batch-mode", "test"]),
        Ecosystem::Gradle { wrapper: true } => ("gradle-test", vec!["./gradlew", "--console=plain", "test"]),
        Ecosystem::Gradle { wrapper: false } => ("gradle-test", vec!["gradle", "--console=plain", "test"]),
        Ecosystem::Make => ("make-test", vec!["make", "test"]),
    }
}

fn runner(ecosystem: &Ecosystem) -> &'static str {
    match ecosystem {
        Ecosystem::Cargo { .. } => "cargo",
        _ => DEFAULT_RUNNER,
    }
}

/// Cargo members, then top-level folders that hold none of them, then sources at the root.
fn modules(facts: &Facts) -> Vec<FoundModule> {
    let mut names = Names::default();
    let members: BTreeMap<&str, String> =
        facts.members.iter().map(|member| (member.package.as_str(), names.take_last(&member.folder))).collect();
    let mut modules: Vec<FoundModule> = Vec::new();
    for member in &facts.members {
        let on: BTreeSet<&String> =
            members.iter().filter(|(package, _)| member.builds_on.contains(**package)).map(|(_, name)| name).collect();
        modules.push(FoundModule {
            name: members[member.package.as_str()].clone(),
            paths: vec![format!("{}/**", member.folder)],
            depends_on: on.into_iter().filter(|name| **name != members[member.package.as_str()]).cloned().collect(),
        });
    }
    for folder in &facts.folders {
        let below = format!("{folder}/");
        if !facts.members.iter().any(|member| member.folder == *folder || member.folder.starts_with(&below)) {
            modules.push(FoundModule { name: names.take(folder), paths: vec![format!("{folder}/**")], depends_on: Vec::new() });
        }
    }
    if !facts.root_sources.is_empty() {
        let paths = facts.root_sources.iter().map(|ending| format!("*.{ending}")).collect();
        modules.push(FoundModule { name: names.take("root"), paths, depends_on: Vec::new() });
    }
    modules
}

fn notes(facts: &Facts, suites: &[FoundSuite]) -> Vec<String> {
    let mut notes = Vec::new();
    if suites.is_empty() {
        notes.push("no test command was recognised".to_owned());
    }
    for found in &facts.found {
        if let Ecosystem::Node { script, .. } = &found.ecosystem
            && script.to_ascii_lowercase().replace('-', "").contains("passwithnotests")
        {
            notes.push(format!("the test script of {} passes although no test ran: remove that option from it", found.evidence));
        }
    }
    notes
}

/// Identifiers that are taken (BR-13).
#[derive(Default)]
struct Names(BTreeSet<String>);

impl Names {
    /// An identifier from a text, with a number when it is taken.
    fn take(&mut self, text: &str) -> String {
        let plain = identifier(text);
        let mut name = plain.clone();
        for number in 2.. {
            if self.0.insert(name.clone()) {
                break;
            }
            name = format!("{plain}-{number}");
        }
        name
    }

    /// From a path's last name, or from the whole path when that is taken.
    fn take_last(&mut self, path: &str) -> String {
        let last = identifier(path.rsplit('/').next().unwrap_or(path));
        if self.0.insert(last.clone()) { last } else { self.take(path) }
    }
}

/// Lower case, one hyphen for everything that an identifier cannot hold, at most 70 characters.
fn identifier(text: &str) -> String {
    let plain: String =
        text.chars().map(|character| if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { '-' }).collect();
    let groups: Vec<&str> = plain.split('-').filter(|group| !group.is_empty()).collect();
    let mut name = groups.join("-");
    name.truncate(70);
    let name = name.trim_end_matches('-');
    if identifier_fault(name).is_none() { name.to_owned() } else { format!("m-{name}").trim_end_matches('-').to_owned() }
}
