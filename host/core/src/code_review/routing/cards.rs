//! The built-in role cards: what each reviewer is for (CR-53, CR-67).

use crate::code_review::vocabulary::Role;

/// The card of this role, as Markdown.
pub fn built_in(role: Role) -> &'static str {
    match role {
        Role::SwEngineer => include_str!("cards/sw-engineer.md"),
        Role::QaSpecialist => include_str!("cards/qa-specialist.md"),
        Role::Challenger => include_str!("cards/challenger.md"),
        Role::SolutionArchitect => include_str!("cards/solution-architect.md"),
        Role::SecurityAuditor => include_str!("cards/security-auditor.md"),
        Role::DataSteward => include_str!("cards/data-steward.md"),
        Role::CicdSteward => include_str!("cards/cicd-steward.md"),
        Role::LintingExpert => include_str!("cards/linting-expert.md"),
        Role::DocScribe => include_str!("cards/doc-scribe.md"),
        Role::OssShepherd => include_str!("cards/oss-shepherd.md"),
        Role::Squeezer => include_str!("cards/squeezer.md"),
        Role::Scientist => include_str!("cards/scientist.md"),
        Role::WebExplorer => include_str!("cards/web-explorer.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_names_its_role_and_leaves_room_for_paths() {
        for (word, role) in Role::WORDS {
            let card = built_in(*role);
            assert!(card.starts_with(&format!("# {}\n", role.label())), "{word}");
            assert!(card.ends_with('\n') && card.len() < 4096 && card.lines().all(|line| line.len() <= 140), "{word}");
            for part in ["\n## Look for\n", "\n## Leave to others\n", "\n## Show\n"] {
                assert_eq!(card.matches(part).count(), 1, "{word}: {part}");
            }
        }
    }
}
