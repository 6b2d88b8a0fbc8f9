//! Path roles by folder: the house rules of an organisation, which its repositories share and may add to.

use std::collections::BTreeMap;

use code_polishy_sdk::path_roles::{PathFact, Role};
use code_polishy_sdk::{PathRoles, serde};

struct OrgRoles;

/// What every repository of the organisation agrees on.
const HOUSE_RULES: [(&str, FolderRole); 3] =
    [("ops/", FolderRole::Development), ("proto/gen/", FolderRole::Generated), ("golden/", FolderRole::Fixture)];

#[derive(Debug, Default, serde::Deserialize)]
#[serde(crate = "code_polishy_sdk::serde", default)]
struct Options {
    /// Roles of one repository's own folders, by the start of the path, such as `"lab/": "development"`.
    folders: BTreeMap<String, FolderRole>,
}

/// The roles that a folder may give.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(crate = "code_polishy_sdk::serde", rename_all = "kebab-case")]
enum FolderRole {
    Generated,
    Fixture,
    Test,
    Development,
    ProductionSource,
}

impl From<FolderRole> for Role {
    fn from(role: FolderRole) -> Self {
        match role {
            FolderRole::Generated => Self::Generated,
            FolderRole::Fixture => Self::Fixture,
            FolderRole::Test => Self::Test,
            FolderRole::Development => Self::Development,
            FolderRole::ProductionSource => Self::ProductionSource,
        }
    }
}

impl PathRoles for OrgRoles {
    type Options = Options;
    const OPTIONS_SCHEMA: &'static str = r#"{
        "type": "object",
        "properties": {
            "folders": {
                "description": "Roles by the start of the path; the longest start that fits wins over shorter ones and over the house rules.",
                "type": "object",
                "additionalProperties": { "enum": ["generated", "fixture", "test", "development", "production-source"] }
            }
        },
        "additionalProperties": false
    }"#;

    fn role(fact: &PathFact, options: &Options) -> Option<Role> {
        let own = options.folders.iter().map(|(start, role)| (start.as_str(), *role));
        let fitting = HOUSE_RULES.into_iter().chain(own).filter(|(start, _)| fact.path.starts_with(start));
        fitting.max_by_key(|(start, _)| start.len()).map(|(_, role)| role.into())
    }
}

code_polishy_sdk::export_path_roles!(OrgRoles);

#[cfg(test)]
mod tests {
    use code_polishy_sdk::path_roles::PathKind;

    use super::*;

    fn role(path: &str, folders: &[(&str, FolderRole)]) -> Option<Role> {
        let folders = folders.iter().map(|(start, role)| ((*start).to_owned(), *role)).collect();
        let fact =
            PathFact { path: path.to_owned(), kind: PathKind::File, executable: false, size: 0, head: Vec::new(), attributes: Vec::new() };
        OrgRoles::role(&fact, &Options { folders })
    }

    #[test]
    fn the_longest_start_wins() {
        assert_eq!(role("ops/deploy.sh", &[]), Some(Role::Development));
        assert_eq!(role("ops/agent/main.rs", &[("ops/agent/", FolderRole::ProductionSource)]), Some(Role::ProductionSource));
        assert_eq!(role("ops/deploy.sh", &[("ops/", FolderRole::Test)]), Some(Role::Test), "a repository's own rule comes last");
    }

    #[test]
    fn everything_else_is_left_to_the_next_classifier() {
        assert_eq!(role("src/lib.rs", &[]), None);
        assert_eq!(role("operations.md", &[("lab/", FolderRole::Development)]), None);
    }
}
