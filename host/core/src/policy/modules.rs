//! Who owns a path, and which modules a change reaches (3.2, BR-36).

use std::collections::{BTreeMap, BTreeSet};

use super::model::{Module, Policy};
use super::paths::PathSet;

/// A changed path as patterns see it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedPath {
    /// Repository-relative, `/`.
    pub path: String,
    /// It is a link or a gitlink on some side: patterns of what lies below it match too (BR-35).
    pub below: bool,
}

impl ChangedPath {
    /// Positions of the patterns that this path reaches.
    pub fn reached(&self, patterns: &PathSet) -> Vec<usize> {
        if self.below { patterns.matching_at_or_below(&self.path) } else { patterns.matching(&self.path) }
    }

    /// Whether it reaches some pattern.
    pub fn reaches(&self, patterns: &PathSet) -> bool {
        if self.below { !self.reached(patterns).is_empty() } else { patterns.is_match(&self.path) }
    }
}

impl From<&crate::patch::Change> for ChangedPath {
    fn from(change: &crate::patch::Change) -> Self {
        use crate::patch::EntryMode::{Gitlink, Link};
        let below = [&change.old, &change.new].into_iter().flatten().any(|entry| matches!(entry.mode, Link | Gitlink));
        Self { path: change.path.clone(), below }
    }
}

/// The patterns of all modules of one policy, compiled once.
#[derive(Clone, Debug)]
pub struct Ownership<'p> {
    modules: &'p [Module],
    patterns: PathSet,
    /// Position of the module that has the pattern.
    of_pattern: Vec<usize>,
}

impl<'p> Ownership<'p> {
    /// Compiles the modules' patterns.
    pub fn of(policy: &'p Policy) -> Self {
        let of_pattern =
            policy.modules.iter().enumerate().flat_map(|(index, module)| std::iter::repeat_n(index, module.paths.len())).collect();
        let patterns = PathSet::of_policy(policy.modules.iter().flat_map(|module| &module.paths));
        Self { modules: &policy.modules, patterns, of_pattern }
    }

    /// Names of the modules that own the path: all that match (3.2).
    pub fn owners(&self, path: &ChangedPath) -> BTreeSet<&'p str> {
        path.reached(&self.patterns).into_iter().map(|pattern| self.modules[self.of_pattern[pattern]].name.as_str()).collect()
    }
}

/// What a change reaches under one policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Impact {
    /// Modules that own a changed path.
    pub direct: BTreeSet<String>,
    /// Those, and every module that builds on one of them, however far.
    pub impacted: BTreeSet<String>,
    /// Owners of each changed path; empty for a path that nobody owns.
    pub owners: BTreeMap<String, BTreeSet<String>>,
}

impl Impact {
    /// Direct modules and their transitive reverse dependents (BR-36).
    pub fn of(policy: &Policy, changed: &[ChangedPath]) -> Self {
        let ownership = Ownership::of(policy);
        let owners: BTreeMap<String, BTreeSet<String>> =
            changed.iter().map(|path| (path.path.clone(), ownership.owners(path).into_iter().map(str::to_owned).collect())).collect();
        let direct: BTreeSet<String> = owners.values().flatten().cloned().collect();
        Self { impacted: with_dependents(policy, &direct), direct, owners }
    }
}

/// The modules and everything that builds on them, however far.
pub fn with_dependents(policy: &Policy, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let mut dependents: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for module in &policy.modules {
        for foundation in &module.depends_on {
            dependents.entry(foundation).or_default().push(&module.name);
        }
    }
    let mut reached = modules.clone();
    let mut waiting: Vec<&str> = modules.iter().map(String::as_str).collect();
    while let Some(module) = waiting.pop() {
        for dependent in dependents.get(module).into_iter().flatten() {
            if reached.insert((*dependent).to_owned()) {
                waiting.push(dependent);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(name: &str, paths: &[&str], depends_on: &[&str]) -> Module {
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Module { name: name.to_owned(), paths: owned(paths), depends_on: owned(depends_on) }
    }

    fn policy() -> Policy {
        Policy {
            modules: vec![
                module("base", &["base/**"], &[]),
                module("middle", &["middle/**", "shared/**"], &["base"]),
                module("top", &["top/**", "shared/**"], &["middle"]),
                module("aside", &["aside/**"], &[]),
            ],
            ..Policy::default()
        }
    }

    fn path(path: &str) -> ChangedPath {
        ChangedPath { path: path.to_owned(), below: false }
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_foundation_reaches_everything_that_builds_on_it() {
        let impact = Impact::of(&policy(), &[path("base/a"), path("README.md")]);
        assert_eq!(impact.direct, names(&["base"]));
        assert_eq!(impact.impacted, names(&["base", "middle", "top"]));
        assert_eq!(impact.owners["README.md"], names(&[]));
    }

    #[test]
    fn every_match_owns() {
        let impact = Impact::of(&policy(), &[path("shared/a")]);
        assert_eq!(impact.owners["shared/a"], names(&["middle", "top"]));
        assert_eq!(impact.direct, impact.impacted);
    }

    #[test]
    fn a_gitlink_reaches_what_lies_below_it() {
        let link = ChangedPath { path: "aside".to_owned(), below: true };
        assert_eq!(Impact::of(&policy(), &[link]).direct, names(&["aside"]));
        assert_eq!(Impact::of(&policy(), &[path("aside")]).direct, names(&[]));
    }
}
