//! `verification` (3.1, BR-15, BR-18).

use std::collections::{BTreeMap, BTreeSet};

use super::features::Identity;
use super::keys;
use super::model::{BehaviorReview, Feature, Level, MergeGate, RedKind, Suite, Verification};
use super::reference::reference_fault;
use crate::strict::{At, Json, Node};
use crate::strict::{Fields, Reader, list, quoted};
use crate::text::control_free;

/// Features of one policy.
pub const MAX_FEATURES: usize = 128;
/// Aliases of one feature.
pub const MAX_ALIASES: usize = 16;
/// UTF-8 bytes of a feature's description.
pub const MAX_DESCRIPTION_BYTES: usize = 512;

const LEVELS: [(&str, Level); 3] = [("on-request", Level::OnRequest), ("merge", Level::Merge), ("checkpoint", Level::Checkpoint)];
const RED_KINDS: [(&str, RedKind); 2] = [("failed", RedKind::Failed), ("broken", RedKind::Broken)];

/// What features may refer to.
pub(super) struct Known<'n> {
    /// Names of modules, of faulty ones too.
    pub(super) modules: BTreeSet<&'n str>,
    /// Names of suites, of faulty ones too.
    pub(super) suites: BTreeSet<&'n str>,
    /// The suites that could be read.
    pub(super) read: &'n [Suite],
}

/// Reads the section.
pub(super) fn verification(reader: &mut Reader, node: Option<&Node>, known: &Known<'_>) -> Verification {
    let Some(fields) = node.and_then(|node| reader.object(node, keys::VERIFICATION)) else {
        return Verification::default();
    };
    Verification {
        behavior_review: fields.get("behaviorReview").and_then(|node| behavior_review(reader, node, known)),
        trusted_merge_target: fields.get("trustedMergeTarget").and_then(|node| reference(reader, node)),
        merge_gate: fields.get("mergeGate").and_then(|node| merge_gate(reader, node, &known.modules)),
    }
}

fn reference(reader: &mut Reader, node: &Node) -> Option<String> {
    let text = reader.text(node)?;
    if let Some(fault) = reference_fault(text) {
        reader.refuse(&node.at, "bad-reference", format!("the reference {} {fault}", quoted(text)), "name a branch, such as `origin/main`");
    }
    Some(text.to_owned())
}

fn merge_gate(reader: &mut Reader, node: &Node, modules: &BTreeSet<&str>) -> Option<MergeGate> {
    let fields = reader.object(node, keys::MERGE_GATE)?;
    let recommended = fields.get("recommendedModules");
    Some(MergeGate { recommended_modules: recommended.map(|node| reader.references(Some(node), "module", modules)) })
}

fn behavior_review(reader: &mut Reader, node: &Node, known: &Known<'_>) -> Option<BehaviorReview> {
    let fields = reader.object(node, keys::BEHAVIOR_REVIEW)?;
    let default_required_at = fields.get("defaultRequiredAt").and_then(|node| reader.choice(node, &LEVELS)).unwrap_or_default();
    let nodes = reader.elements(fields.get("features"));
    too_many(reader, fields.get("features"), MAX_FEATURES, "features");
    let features = nodes.iter().filter_map(|node| feature(reader, node, default_required_at, known)).collect();
    unique_identities(reader, nodes);
    Some(BehaviorReview {
        default_required_at,
        features,
        allowed_red_kinds: red_kinds(reader, &fields),
        instructions: fields.get("instructions").and_then(|node| reader.exact_path(node)).map(str::to_owned),
    })
}

fn red_kinds(reader: &mut Reader, fields: &Fields<'_>) -> Vec<RedKind> {
    let Some(node) = fields.get("allowedRedKinds") else { return vec![RedKind::Failed, RedKind::Broken] };
    let mut kinds = reader.set(Some(node), |reader, node| reader.choice(node, &RED_KINDS));
    if is_empty_array(node) {
        reader.refuse(&node.at, "empty-set", "no red run would ever be accepted", "allow `failed`, `broken` or both");
    }
    kinds.sort_unstable();
    kinds
}

fn feature(reader: &mut Reader, node: &Node, default: Level, known: &Known<'_>) -> Option<Feature> {
    let fields = reader.object(node, keys::FEATURE)?;
    let name = reader.required(&fields, "name").and_then(|node| reader.identifier(node));
    let description = reader.required(&fields, "description").and_then(|node| description(reader, node));
    too_many(reader, fields.get("aliases"), MAX_ALIASES, "aliases");
    let aliases = reader.elements(fields.get("aliases")).iter().filter_map(|node| alias(reader, node)).collect();
    let modules = reader.references(fields.get("modules"), "module", &known.modules);
    let paths = reader.sorted(fields.get("paths"), Reader::pattern);
    let suites = reader.required(&fields, "suites");
    let suites = suites.map(|node| suites_of(reader, node, known)).unwrap_or_default();
    let required_at = level(reader, &fields, default);
    if ["modules", "paths"].iter().all(|key| fields.get(key).is_none_or(is_empty_array)) {
        let next = "name the modules or the path patterns that the feature lives in";
        reader.refuse(fields.at, "feature-without-scope", "the feature has neither a module nor a path", next);
    }
    Some(Feature { name: name?.to_owned(), description: description?, aliases, modules, paths, suites, required_at })
}

fn description(reader: &mut Reader, node: &Node) -> Option<String> {
    let text = reader.text(node)?.trim();
    let fault = if text.is_empty() {
        Some("it is blank".to_owned())
    } else if text.len() > MAX_DESCRIPTION_BYTES {
        Some(format!("it has {} bytes, and {MAX_DESCRIPTION_BYTES} is the most", text.len()))
    } else if !control_free(text, false) {
        Some("it has a control character".to_owned())
    } else {
        None
    };
    if let Some(fault) = fault {
        reader.refuse(
            &node.at,
            "bad-description",
            format!("the description does not serve: {fault}"),
            "say in one short line what the feature does",
        );
        return None;
    }
    Some(text.to_owned())
}

fn alias(reader: &mut Reader, node: &Node) -> Option<String> {
    let text = reader.text(node)?;
    match Identity::of(text) {
        Ok(_) => Some(text.to_owned()),
        Err(error) => {
            reader.refuse(&node.at, "bad-alias", format!("the alias {} {error}", quoted(text)), "write a short visible name, or remove it");
            None
        }
    }
}

/// Names of eligible suites, at least one (BR-18).
fn suites_of(reader: &mut Reader, node: &Node, known: &Known<'_>) -> Vec<String> {
    if is_empty_array(node) {
        reader.refuse(&node.at, "feature-without-suite", "the feature has no suite", "name at least one suite that can prove it");
    }
    reader.sorted(Some(node), |reader, element| {
        let name = reader.text(element)?;
        if !reader.reference(element, name, "suite", &known.suites) {
            return None;
        }
        let reason = known.read.iter().find(|suite| suite.name == name).and_then(Suite::ineligible_because);
        if let Some(reason) = reason {
            let eligible: Vec<&str> =
                known.read.iter().filter(|suite| suite.ineligible_because().is_none()).map(|suite| suite.name.as_str()).collect();
            let next = if eligible.is_empty() {
                "define a suite that anyone can repeat".to_owned()
            } else {
                format!("use one of {}", list(&eligible))
            };
            reader.refuse(&element.at, "ineligible-suite", format!("the suite {} cannot protect a feature: {reason}", quoted(name)), next);
        }
        Some(name)
    })
}

/// The feature's level, never weaker than the default.
fn level(reader: &mut Reader, fields: &Fields<'_>, default: Level) -> Level {
    let Some(node) = fields.get("requiredAt") else { return default };
    let Some(level) = reader.choice(node, &LEVELS) else { return default };
    if level < default {
        let name = |level: Level| LEVELS.iter().find(|(_, value)| *value == level).map_or("", |(name, _)| name);
        let message = format!("`{}` is weaker than the default `{}`", name(level), name(default));
        reader.refuse(&node.at, "weaker-level", message, "remove `requiredAt`, or choose a level that is as strong as the default");
    }
    level
}

/// All names and aliases share one map; a second occurrence is a violation, an alias equal to its own feature's name included (BR-15).
fn unique_identities(reader: &mut Reader, features: &[Node]) {
    let mut seen: BTreeMap<Identity, &str> = BTreeMap::new();
    let names = features.iter().filter_map(|feature| feature.get("name"));
    let aliases = features.iter().filter_map(|feature| feature.get("aliases")).flat_map(Node::elements);
    for (node, text) in names.chain(aliases).filter_map(|node| Some((node, node.text()?))) {
        let Ok(identity) = Identity::of(text) else { continue };
        if let Some(first) = seen.get(&identity) {
            let message = if text == *first {
                format!("the name {} is taken", quoted(text))
            } else {
                format!("{} is the same name as {}", quoted(text), quoted(first))
            };
            reader.refuse(
                &node.at,
                "duplicate-name",
                message,
                "remove one, or choose a name that differs in more than case, width or white space",
            );
        } else {
            seen.insert(identity, text);
        }
    }
}

fn too_many(reader: &mut Reader, node: Option<&Node>, most: usize, what: &str) {
    if let Some(node) = node
        && node.elements().len() > most
    {
        let at: &At = &node.at;
        reader.refuse(
            at,
            "too-many",
            format!("there are {} {what}, and {most} is the most", node.elements().len()),
            format!("keep at most {most}"),
        );
    }
}

fn is_empty_array(node: &Node) -> bool {
    matches!(&node.json, Json::Array(elements) if elements.is_empty())
}
