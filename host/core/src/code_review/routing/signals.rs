//! The eighteen signals: what the author states about a change, and what paths make true whoever states otherwise (CR-51, CR-52).

use std::collections::BTreeMap;

use super::{
    production::is_test_path,
    tier::{is_security, words},
};
use crate::{code_review::vocabulary::Tier, policy::path_set::PathSet};

/// Their names.
pub const SIGNALS: [&str; 18] = [
    "behavior_change",
    "bug_fix",
    "test_or_error_path",
    "data_tensor_boundary",
    "high_candidate",
    "unresolved_material_assumption",
    "material_no_finding",
    "explicit_adversarial",
    "axis_solution_architect",
    "axis_security_auditor",
    "axis_data_steward",
    "axis_cicd_steward",
    "axis_linting_expert",
    "axis_doc_scribe",
    "axis_oss_shepherd",
    "axis_squeezer",
    "axis_scientist",
    "axis_web_explorer",
];

/// Those that call for tests to be looked at.
pub(super) const TESTING: [&str; 4] = ["behavior_change", "bug_fix", "test_or_error_path", "data_tensor_boundary"];
/// Those that call for an adversary.
pub(super) const ADVERSARIAL: [&str; 4] =
    ["high_candidate", "unresolved_material_assumption", "material_no_finding", "explicit_adversarial"];

/// Signals that the paths make true, each with the first path that does.
pub fn mandatory(paths: &[String], test_paths: &PathSet, tier: Tier) -> BTreeMap<&'static str, String> {
    let mut signals = BTreeMap::new();
    let only_documents = paths.iter().all(|path| is_document(&path.to_lowercase()));
    for path in paths {
        let lower = path.to_lowercase();
        let is_data = is_data(&lower);
        for (signal, holds) in [
            ("test_or_error_path", is_test_path(path, test_paths)),
            ("data_tensor_boundary", is_data),
            ("axis_data_steward", is_data),
            ("axis_cicd_steward", has_segment(&lower, ".github")),
            ("axis_doc_scribe", is_document(&lower) && !(tier == Tier::Trivial && only_documents)),
            ("axis_security_auditor", is_security(&lower)),
        ] {
            if holds {
                signals.entry(signal).or_insert_with(|| path.clone());
            }
        }
    }
    signals
}

fn is_data(path: &str) -> bool {
    words(path).any(|word| ["tensor", "dataset", "dataloader"].contains(&word)) || has_segment(path, "data")
}

fn is_document(path: &str) -> bool {
    path.ends_with(".md") || path.ends_with(".rst") || has_segment(path, "docs")
}

/// A folder of this name is on the path.
fn has_segment(path: &str, segment: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|folder| folder == segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(paths: &[&str], tier: Tier) -> Vec<&'static str> {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        mandatory(&paths, &PathSet::default(), tier).into_keys().collect()
    }

    #[test]
    fn paths_speak_for_themselves() {
        assert_eq!(of(&["tests/a.rs"], Tier::Trivial), ["test_or_error_path"]);
        assert_eq!(of(&["Data/x.csv"], Tier::Local), ["axis_data_steward", "data_tensor_boundary"]);
        assert_eq!(of(&[".github/dependabot.yml"], Tier::Local), ["axis_cicd_steward"]);
        assert_eq!(of(&["src/credentials.rs"], Tier::HighRisk), ["axis_security_auditor"]);
        assert!(of(&["src/metadata.rs"], Tier::Local).is_empty());
    }

    #[test]
    fn a_trivial_change_of_documents_needs_no_scribe() {
        assert!(of(&["README.md"], Tier::Trivial).is_empty());
        assert_eq!(of(&["README.md"], Tier::Local), ["axis_doc_scribe"]);
        assert_eq!(of(&["README.md", "src/a.rs"], Tier::Trivial), ["axis_doc_scribe"]);
    }
}
