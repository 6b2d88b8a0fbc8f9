//! Reads `.code-polishy.json` (BR-11, BR-12): every violation of one pass, in file order.

use std::collections::BTreeSet;

use super::code_review::code_review;
use super::documentation::documentation;
use super::graph::module_cycles;
use super::keys;
use super::model::{Module, POLICY_FILE, PluginLimits, PluginPin, Policy, Reports, Scope};
use super::names::{identifier_fault, path_fault};
use super::paths::PathSet;
use super::read::declared;
use super::suites::{check, options, suite};
use super::verification::{Known, verification};
use crate::diagnostic::Diagnostic;
use crate::plugin::PluginKind;
use crate::strict::{Json, Kind, Node, document};
use crate::strict::{Reader, quoted};

/// Suite runners that come with the engine. A pin of the same name replaces one.
pub const BUNDLED_RUNNERS: [&str; 7] = ["cargo", "exec", "go-test", "junit", "node-test", "pytest", "tap"];
/// Report renderers that come with the engine. A pin of the same name replaces one.
pub const BUNDLED_RENDERERS: [&str; 6] = ["github", "gitlab", "html", "junit", "markdown", "sarif"];
/// The version of the format.
pub const POLICY_VERSION: u64 = 4;
/// Bytes of a policy file.
pub const MAX_POLICY_BYTES: usize = 8 * 1024 * 1024;

const KINDS: [(&str, PluginKind); 4] = [
    ("path-roles", PluginKind::PathRoles),
    ("suite-runner", PluginKind::SuiteRunner),
    ("report-renderer", PluginKind::ReportRenderer),
    ("reviewer-adapter", PluginKind::ReviewerAdapter),
];

/// The policy that these bytes of `.code-polishy.json` state, with every default resolved, or everything that is wrong with them.
pub fn load(bytes: &[u8]) -> Result<Policy, Vec<Diagnostic>> {
    read(bytes, References::Pinned)
}

/// The same, where a suite or a report may name a plugin that is not pinned yet: for commands that look at pins or write one.
pub fn load_for_pinning(bytes: &[u8]) -> Result<Policy, Vec<Diagnostic>> {
    read(bytes, References::Open)
}

/// Which plugins a suite or a report may name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum References {
    /// Bundled and pinned ones.
    Pinned,
    /// Any.
    Open,
}

fn read(bytes: &[u8], references: References) -> Result<Policy, Vec<Diagnostic>> {
    if bytes.len() > MAX_POLICY_BYTES {
        let message = format!("the policy has {} bytes, and {MAX_POLICY_BYTES} is the most", bytes.len());
        return Err(vec![Diagnostic::new("policy.too-large", message, "make the policy smaller").at_path(POLICY_FILE)]);
    }
    document(KIND, bytes, |reader, root| policy(reader, root, references))
}

pub(super) const KIND: Kind = Kind { code: "policy", noun: "the policy", file: POLICY_FILE };

fn policy(reader: &mut Reader, root: &Node, references: References) -> Policy {
    if !version_is_known(reader, root) {
        return Policy::default();
    }
    let known: Vec<&str> = keys::ROOT.iter().chain(keys::NOT_ENFORCED).copied().collect();
    let Some(fields) = reader.object(root, &known) else { return Policy::default() };

    let module_nodes = reader.elements(fields.get("modules"));
    let module_names = declared(module_nodes);
    let modules = modules(reader, module_nodes, &module_names);

    let plugin_nodes = reader.elements(fields.get("plugins"));
    let plugins = plugins(reader, plugin_nodes);

    let tests = fields.get("tests").and_then(|node| reader.object(node, keys::TESTS));
    let suite_nodes = reader.elements(tests.and_then(|tests| tests.get("suites")));
    let mut runners = usable(plugin_nodes, PluginKind::SuiteRunner, &BUNDLED_RUNNERS);
    if references == References::Open {
        runners.extend(suite_nodes.iter().filter_map(|node| node.get("runner")?.text()));
    }
    let suites: Vec<_> = suite_nodes.iter().filter_map(|node| suite(reader, node, &module_names, &runners)).collect();
    reader.unique_names(suite_nodes, "suite");

    let check_nodes = reader.elements(fields.get("checks"));
    let checks = check_nodes.iter().filter_map(|node| check(reader, node)).collect();
    reader.unique_names(check_nodes, "check");

    let known = Known { modules: module_names, suites: declared(suite_nodes), read: &suites };
    let verification = verification(reader, fields.get("verification"), &known);
    Policy {
        verification,
        documentation: documentation(reader, fields.get("documentation"), &known.modules),
        reports: reports(reader, fields.get("reports"), plugin_nodes, references),
        scope: scope(reader, fields.get("scope")),
        code_review: fields.get("codeReview").and_then(|node| code_review(reader, node)),
        not_enforced: not_enforced(fields.members().iter().map(|member| member.key.as_str())),
        modules,
        checks,
        plugins,
        suites,
    }
}

/// Of another version nothing more can be said.
fn version_is_known(reader: &mut Reader, root: &Node) -> bool {
    let Json::Object(_) = &root.json else { return true };
    let next = format!("write `\"version\": {POLICY_VERSION}`");
    match root.get("version") {
        None => reader.refuse(&root.at, "missing-key", "the key `version` is missing", next),
        Some(Node { json: Json::Number(text), .. }) if *text == POLICY_VERSION.to_string() => {}
        Some(Node { json: Json::Number(text), at }) if text.parse::<u64>().is_ok() => {
            let message = format!("this is a policy of version {text}, and version {POLICY_VERSION} is the one that is read");
            reader.refuse(at, "unsupported-version", message, next);
            return false;
        }
        Some(node) => reader.refuse(&node.at, "wrong-type", format!("the integer {POLICY_VERSION} is due here"), next),
    }
    true
}

fn not_enforced<'a>(present: impl Iterator<Item = &'a str>) -> Vec<String> {
    present.filter(|key| keys::NOT_ENFORCED.contains(key)).map(str::to_owned).collect()
}

fn modules(reader: &mut Reader, nodes: &[Node], names: &BTreeSet<&str>) -> Vec<Module> {
    let modules = nodes.iter().filter_map(|node| module(reader, node, names)).collect();
    reader.unique_names(nodes, "module");
    for (at, cycle) in module_cycles(nodes) {
        let message =
            format!("modules build on each other in a circle: {}", cycle.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(" → "));
        reader.refuse(at, "dependency-cycle", message, "remove one of these dependencies");
    }
    modules
}

fn module(reader: &mut Reader, node: &Node, names: &BTreeSet<&str>) -> Option<Module> {
    let fields = reader.object(node, keys::MODULE)?;
    let name = reader.required(&fields, "name").and_then(|node| reader.identifier(node));
    let paths = reader.required(&fields, "paths");
    if let Some(node) = paths
        && matches!(&node.json, Json::Array(elements) if elements.is_empty())
    {
        reader.refuse(&node.at, "empty-set", "the module owns no path", "name at least one path pattern");
    }
    let paths = reader.sorted(paths, Reader::pattern);
    let depends_on = reader.references(fields.get("dependsOn"), "module", names);
    Some(Module { name: name?.to_owned(), paths, depends_on })
}

fn plugins(reader: &mut Reader, nodes: &[Node]) -> Vec<PluginPin> {
    let pins = nodes.iter().filter_map(|node| plugin(reader, node)).collect();
    let mut seen = BTreeSet::new();
    for node in nodes {
        if let (Some(name), Some(kind)) = (node.get("name"), node.get("kind").and_then(Node::text))
            && let Some(text) = name.text()
            && !seen.insert((kind, text))
        {
            let message = format!("another {} plugin has the name {}", quoted(kind), quoted(text));
            reader.refuse(&name.at, "duplicate-name", message, "give each plugin of a kind its own name");
        }
    }
    pins
}

fn plugin(reader: &mut Reader, node: &Node) -> Option<PluginPin> {
    let fields = reader.object(node, keys::PLUGIN)?;
    let name = reader.required(&fields, "name").and_then(|node| reader.identifier(node));
    let kind = reader.required(&fields, "kind").and_then(|node| reader.choice(node, &KINDS));
    let source = reader.required(&fields, "source").and_then(|node| source(reader, node));
    let sha256 = reader.required(&fields, "sha256").and_then(|node| sha256(reader, node));
    let options = options(reader, fields.get("options"));
    let limits = fields.get("limits").map(|node| limits(reader, node)).unwrap_or_default();
    Some(PluginPin { name: name?.to_owned(), kind: kind?, source: source?, sha256: sha256?, options, limits })
}

/// A component in the repository, or a name in the user's store.
fn source(reader: &mut Reader, node: &Node) -> Option<String> {
    let text = reader.text(node)?;
    let fault = if text.ends_with(".wasm") { path_fault(text) } else { identifier_fault(text) };
    if let Some(fault) = fault {
        let next = "name a `.wasm` file by its path in the repository, or a plugin of your store by its name";
        reader.refuse(&node.at, "bad-source", format!("the source {} {fault}", quoted(text)), next);
        return None;
    }
    Some(text.to_owned())
}

fn sha256(reader: &mut Reader, node: &Node) -> Option<String> {
    let text = reader.text(node)?;
    if text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Some(text.to_owned());
    }
    let next = "write the 64 lower-case hexadecimal digits that `code-polishy plugin inspect` shows";
    reader.refuse(&node.at, "bad-digest", format!("{} is no SHA-256 digest", quoted(text)), next);
    None
}

fn limits(reader: &mut Reader, node: &Node) -> PluginLimits {
    let Some(fields) = reader.object(node, keys::LIMITS) else { return PluginLimits::default() };
    let mut number = |key: &str, most: u64| fields.get(key).and_then(|node| reader.integer(node, 1..=most));
    let mebibytes = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok());
    PluginLimits {
        fuel: number("fuel", 1_000_000_000_000),
        memory_mib: mebibytes(number("memoryMiB", 4096)),
        size_mib: mebibytes(number("sizeMiB", 256)),
    }
}

/// Names that a reference to a plugin of this kind may have.
fn usable<'n>(nodes: &'n [Node], kind: PluginKind, bundled: &[&'static str]) -> BTreeSet<&'n str> {
    let pinned = nodes.iter().filter(|node| node.get("kind").and_then(Node::text) == Some(kind.name()));
    pinned.filter_map(|node| node.get("name")?.text()).chain(bundled.iter().copied()).collect()
}

fn reports(reader: &mut Reader, node: Option<&Node>, plugin_nodes: &[Node], references: References) -> Reports {
    let Some(fields) = node.and_then(|node| reader.object(node, keys::REPORTS)) else { return Reports::default() };
    let mut renderers = usable(plugin_nodes, PluginKind::ReportRenderer, &BUNDLED_RENDERERS);
    if references == References::Open {
        renderers.extend(fields.get("renderers").map(Node::elements).unwrap_or_default().iter().filter_map(Node::text));
    }
    let named = fields.get("renderers").map(|node| {
        reader.set(Some(node), |reader, element| {
            let name = reader.identifier(element)?;
            reader.plugin_reference(element, name, "report renderer", &renderers).then(|| name.to_owned())
        })
    });
    let strict = fields.get("strict").and_then(|node| reader.boolean(node)).unwrap_or_default();
    Reports { renderers: named.unwrap_or_else(|| Reports::default().renderers), strict }
}

fn scope(reader: &mut Reader, node: Option<&Node>) -> Scope {
    let Some(fields) = node.and_then(|node| reader.object(node, keys::SCOPE)) else { return Scope::default() };
    let scope = Scope {
        exclude: reader.sorted(fields.get("exclude"), Reader::pattern),
        generated: reader.sorted(fields.get("generated"), Reader::pattern),
        development: reader.sorted(fields.get("development"), Reader::pattern),
    };
    if let Some(node) = fields.get("exclude") {
        leaves_something(reader, node);
    }
    scope
}

/// Paths of every shape, with names that no pattern means: patterns that match all of them match everything.
const PROBES: [&str; 7] = ["zq", ".zq", "zq.zq9", "zq/zq", "zq/.zq/zq.zq9", ".zq/zq/zq/zq", "q/7/zq.q7.q"];

fn leaves_something(reader: &mut Reader, node: &Node) {
    let excludes_all =
        |patterns: &[&str]| PathSet::parse(patterns.iter().copied()).is_ok_and(|set| PROBES.iter().all(|path| set.is_match(path)));
    let next = "exclude only what no review shall see";
    let mut found = false;
    for element in node.elements() {
        if let Some(pattern) = element.text().filter(|pattern| excludes_all(&[pattern])) {
            found = true;
            reader.refuse(&element.at, "excludes-everything", format!("{} excludes every path", quoted(pattern)), next);
        }
    }
    let all: Vec<&str> = node.elements().iter().filter_map(Node::text).collect();
    if !found && excludes_all(&all) {
        reader.refuse(&node.at, "excludes-everything", "together these patterns exclude every path", next);
    }
}
