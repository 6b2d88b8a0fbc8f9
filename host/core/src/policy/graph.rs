//! Circles among modules (3.2).

use std::collections::{BTreeMap, BTreeSet};

use crate::strict::{At, Node};

/// Each circle once: the place of one of its dependencies, and the names along it, the first one again at the end.
pub(super) fn module_cycles(modules: &[Node]) -> Vec<(&At, Vec<&str>)> {
    let mut foundations = edges(modules);
    let mut cycles = Vec::new();
    loop {
        without_leaves(&mut foundations);
        // File order decides where the search starts, so that the report does not depend on names.
        let Some(start) = modules.iter().filter_map(name).find(|name| foundations.contains_key(name)) else { return cycles };
        let cycle = walk(&foundations, start);
        let at = foundations[cycle[0]][cycle[1]];
        for name in &cycle {
            foundations.remove(name);
        }
        cycles.push((at, cycle));
    }
}

fn name(module: &Node) -> Option<&str> {
    module.get("name")?.text()
}

/// Dependencies by module and name, each with its place.
fn edges(modules: &[Node]) -> BTreeMap<&str, BTreeMap<&str, &At>> {
    let mut foundations: BTreeMap<&str, BTreeMap<&str, &At>> = BTreeMap::new();
    for module in modules {
        let Some(name) = name(module) else { continue };
        let dependencies = module.get("dependsOn").map(Node::elements).unwrap_or_default();
        foundations.entry(name).or_default().extend(dependencies.iter().filter_map(|element| Some((element.text()?, &element.at))));
    }
    foundations
}

/// Removes what builds on nothing that is left, until nothing does: what stays has a circle ahead of it.
fn without_leaves<'n>(foundations: &mut BTreeMap<&'n str, BTreeMap<&'n str, &'n At>>) {
    let present: BTreeSet<&str> = foundations.keys().copied().collect();
    let mut dependents: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (module, dependencies) in foundations.iter_mut() {
        dependencies.retain(|name, _| present.contains(name));
        for name in dependencies.keys() {
            dependents.entry(name).or_default().push(module);
        }
    }
    let mut leaves: Vec<&str> = present.into_iter().filter(|name| foundations[name].is_empty()).collect();
    while let Some(leaf) = leaves.pop() {
        foundations.remove(leaf);
        for dependent in dependents.remove(leaf).unwrap_or_default() {
            let Some(dependencies) = foundations.get_mut(dependent) else { continue };
            dependencies.remove(leaf);
            if dependencies.is_empty() {
                leaves.push(dependent);
            }
        }
    }
}

/// Follows first dependencies until a module comes again.
fn walk<'n>(foundations: &BTreeMap<&'n str, BTreeMap<&'n str, &'n At>>, start: &'n str) -> Vec<&'n str> {
    let mut path = vec![start];
    loop {
        let last = path[path.len() - 1];
        let next = *foundations[last].keys().next().expect("leaves have been removed");
        path.push(next);
        if let Some(first) = path[..path.len() - 1].iter().position(|name| *name == next) {
            return path.split_off(first);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::load::KIND;
    use super::*;
    use crate::strict::parse;

    fn cycles(modules: &[(&str, &[&str])]) -> Vec<(String, String)> {
        let value: Vec<_> = modules.iter().map(|(name, on)| serde_json::json!({"name": name, "dependsOn": on})).collect();
        let text = serde_json::to_string(&value).expect("plain");
        let (_, node) = parse(KIND, text.as_bytes()).expect("valid");
        module_cycles(node.elements()).into_iter().map(|(at, names)| (at.pointer.clone(), names.join(" "))).collect()
    }

    #[test]
    fn a_tree_has_no_circle() {
        assert!(cycles(&[("a", &["b", "c"]), ("b", &["c"]), ("c", &[]), ("d", &["unknown"])]).is_empty());
    }

    #[test]
    fn each_circle_is_reported_once() {
        let expected = [("/0/dependsOn/0", "z b z"), ("/3/dependsOn/0", "c c")].map(|(at, names)| (at.to_owned(), names.to_owned()));
        assert_eq!(cycles(&[("z", &["b"]), ("b", &["z"]), ("user", &["z"]), ("c", &["c"])]), expected);
    }

    #[test]
    fn a_long_chain_is_no_recursion() {
        let names: Vec<String> = (0..2000).map(|index| format!("m{index:04}")).collect();
        let chain: Vec<(&str, Vec<&str>)> = names
            .iter()
            .enumerate()
            .map(|(index, name)| (name.as_str(), names.get(index + 1).map(String::as_str).into_iter().collect()))
            .collect();
        let chain: Vec<(&str, &[&str])> = chain.iter().map(|(name, on)| (*name, on.as_slice())).collect();
        assert!(cycles(&chain).is_empty());
    }
}
