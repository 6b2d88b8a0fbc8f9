//! Governed paths (section 1 and 3.6): what is part of a candidate.

use std::sync::LazyLock;

pub use super::inputs::{PolicyInputs, is_policy_input};
use super::model::Policy;
use super::paths::PathSet;

/// Folders of the engine at the root: never part of a candidate, and one that tracks anything in them is refused.
pub const REPORT_FOLDERS: [&str; 2] = [".code-polishy-reports", ".code-polishy-artifacts"];

/// Paths that do not count while they are untracked, whatever the policy says.
pub const BUILT_IN_EXCLUDES: &[&str] = &[
    ".git/**",
    ".code-polishy-reports/**",
    ".code-polishy-artifacts/**",
    "**/node_modules/**",
    "**/.venv/**",
    "**/target/**",
    "**/dist/**",
    "**/build/**",
    "**/coverage/**",
];

static BUILT_IN: LazyLock<PathSet> = LazyLock::new(|| PathSet::parse(BUILT_IN_EXCLUDES.iter().copied()).expect("the list holds patterns"));

/// Whether the path is one of the engine's folders or lies in one.
pub fn is_report_path(path: &str) -> bool {
    is_at_or_below(path, &REPORT_FOLDERS)
}

fn is_at_or_below(path: &str, folders: &[&str]) -> bool {
    folders.iter().any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Which paths are governed under a base and a candidate policy, compiled once.
#[derive(Clone, Debug)]
pub struct Governed {
    base: Option<PathSet>,
    candidate: Option<PathSet>,
    inputs: PolicyInputs,
}

impl Governed {
    /// An absent policy excludes nothing.
    pub fn new(base: Option<&Policy>, candidate: Option<&Policy>) -> Self {
        let excluded = |policy: Option<&Policy>| policy.map(|policy| PathSet::of_policy(&policy.scope.exclude));
        Self { base: excluded(base), candidate: excluded(candidate), inputs: PolicyInputs::new(base, candidate) }
    }

    /// Whether a tracked path is governed: unless both policies exclude it, and always when it is a policy input.
    ///
    /// A tracked path for which [`is_report_path`] holds is a fault of the candidate that the caller refuses.
    pub fn tracked(&self, path: &str) -> bool {
        let excluded = |side: &Option<PathSet>| side.as_ref().is_some_and(|set| set.is_match(path));
        !(excluded(&self.base) && excluded(&self.candidate)) || self.inputs.contains(path)
    }

    /// Whether an untracked path that the tree's `.gitignore` files do not ignore is governed: unless it is built in or either policy
    /// excludes it, and always when the policies name it or, outside the built-in folders, it is another policy input.
    pub fn untracked(&self, path: &str) -> bool {
        if is_report_path(path) || is_at_or_below(path, &[".git"]) {
            return false;
        }
        if self.inputs.is_named(path) {
            return true;
        }
        let excluded = [&self.base, &self.candidate].into_iter().flatten().any(|set| set.is_match(path));
        !BUILT_IN.is_match(path) && (!excluded || self.inputs.contains(path))
    }

    /// Whether nothing below this untracked folder (no `/` at its end) can be governed, so that it need not be walked.
    pub fn skips_folder(&self, folder: &str) -> bool {
        let below = format!("{folder}/x");
        let named_below = || self.inputs.named().any(|path| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')));
        is_report_path(folder) || is_at_or_below(folder, &[".git"]) || (BUILT_IN.is_match(&below) && !named_below())
    }

    /// The policy inputs of both sides.
    pub fn inputs(&self) -> &PolicyInputs {
        &self.inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excluding(patterns: &[&str]) -> Policy {
        let mut policy = Policy::default();
        policy.scope.exclude = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        policy
    }

    #[test]
    fn a_tracked_path_is_excluded_by_both_or_not_at_all() {
        let policy = excluding(&["gen/**"]);
        assert!(!Governed::new(Some(&policy), Some(&policy)).tracked("gen/a"));
        for governed in [Governed::new(None, Some(&policy)), Governed::new(Some(&policy), None), Governed::new(None, None)] {
            assert!(governed.tracked("gen/a") && governed.tracked("target/a") && governed.tracked("dist/a"));
        }
    }

    #[test]
    fn an_untracked_path_is_excluded_by_either() {
        let policy = excluding(&["gen/**"]);
        for governed in [Governed::new(None, Some(&policy)), Governed::new(Some(&policy), None)] {
            assert!(!governed.untracked("gen/a") && governed.untracked("src/a"));
        }
        let governed = Governed::new(None, None);
        for path in ["target/a", "a/node_modules/b/package.json", ".git/config", ".code-polishy-reports/x", "x/.venv/y"] {
            assert!(!governed.untracked(path), "{path}");
        }
        assert!(governed.untracked("targets") && governed.untracked("a/.code-polishy-reports/x") && governed.untracked("build"));
    }

    #[test]
    fn policy_inputs_are_always_governed() {
        let mut policy = excluding(&["**/*.json", "**/*.toml", "plugins/**"]);
        policy.plugins.push(super::super::model::PluginPin {
            name: "p".to_owned(),
            kind: crate::plugin::PluginKind::PathRoles,
            source: "plugins/dist/p.wasm".to_owned(),
            sha256: "0".repeat(64),
            options: serde_json::Map::new(),
            limits: super::super::model::PluginLimits::default(),
        });
        let governed = Governed::new(Some(&policy), Some(&policy));
        for path in [".code-polishy.json", "Cargo.toml", "plugins/dist/p.wasm"] {
            assert!(governed.tracked(path) && governed.untracked(path), "{path}");
        }
        assert!(!governed.tracked("plugins/other") && !governed.tracked("data.json"));
        assert!(governed.skips_folder("target") && governed.skips_folder("a/node_modules/b") && !governed.skips_folder("src"));
        assert!(!governed.skips_folder("plugins/dist") && governed.skips_folder(".git"));
    }
}
