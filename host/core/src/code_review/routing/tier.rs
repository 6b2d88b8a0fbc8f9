//! The mechanical risk tier: from paths and sizes alone (CR-48 to CR-50).

use crate::{
    code_review::{t0::Numstat, vocabulary::Tier},
    policy::path_set::PathSet,
};

/// Files from which a change is broad.
const BROAD_FILES: usize = 8;
/// Files and changed lines below which a change is trivial.
const TRIVIAL: (usize, u64) = (3, 50);

const RISKY_WORDS: [&str; 7] = ["auth", "authentication", "credential", "credentials", "security", "migration", "migrations"];
const SECURITY_WORDS: [&str; 5] = ["auth", "authentication", "credential", "credentials", "security"];
const CONFIGURATION: [&str; 3] = ["config.toml", "config.yaml", "config.yml"];
const ROOT_FILES: [&str; 12] = [
    "pyproject.toml",
    "package.json",
    "cargo.toml",
    "go.mod",
    "uv.lock",
    "poetry.lock",
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "cargo.lock",
    "go.sum",
    ".code-polishy.json",
];

/// The tier and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mechanical {
    /// The first rule that matches.
    pub tier: Tier,
    /// `files=N`, `changed_lines=N`, `unknown_size_rows=N`, and the paths that decided.
    pub evidence: Vec<String>,
}

/// The tier of a change. `paths` are the paths to inspect, `numstat` has a row for each tracked and untracked path that changed.
pub fn mechanical(paths: &[String], numstat: &[Numstat], high_risk: &PathSet) -> Mechanical {
    let changed_lines: u64 = numstat.iter().filter_map(|row| Some(row.added?.saturating_add(row.deleted?))).sum();
    let unknown = numstat.iter().filter(|row| row.added.is_none() || row.deleted.is_none()).count();
    let lower = |path: &&String| path.to_lowercase();
    let risky: Vec<String> =
        paths.iter().filter(|path| is_risky(&path.to_lowercase()) || high_risk.is_match(path)).map(|path| lower(&path)).collect();
    let configuration: Vec<String> = paths.iter().map(|path| lower(&path)).filter(|path| is_configuration(path)).collect();
    let tier = if !risky.is_empty() {
        Tier::HighRisk
    } else if paths.len() >= BROAD_FILES || unknown > 0 || !configuration.is_empty() {
        Tier::Broad
    } else if paths.len() < TRIVIAL.0 && changed_lines < TRIVIAL.1 {
        Tier::Trivial
    } else {
        Tier::Local
    };
    let mut evidence =
        vec![format!("files={}", paths.len()), format!("changed_lines={changed_lines}"), format!("unknown_size_rows={unknown}")];
    if !risky.is_empty() {
        evidence.push(format!("high_risk_paths={}", risky.join(",")));
    } else if !configuration.is_empty() {
        evidence.push(format!("config_or_dependency_paths={}", configuration.join(",")));
    }
    Mechanical { tier, evidence }
}

/// The words of a lower-case path.
pub(super) fn words(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '.', '_', '-'])
}

fn is_risky(path: &str) -> bool {
    path.starts_with(".github/workflows/") || words(path).any(|word| RISKY_WORDS.contains(&word)) || basename(path).contains("deserial")
}

/// Lower-case path of something that guards (CR-52).
pub(super) fn is_security(path: &str) -> bool {
    words(path).any(|word| SECURITY_WORDS.contains(&word)) || basename(path).contains("deserial")
}

fn is_configuration(path: &str) -> bool {
    CONFIGURATION.iter().any(|ending| path.ends_with(ending)) || ROOT_FILES.contains(&path)
}

/// The last segment of a path.
pub(super) fn basename(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tier(paths: &[&str], lines: u64) -> Tier {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        let numstat: Vec<Numstat> = paths.iter().map(|path| Numstat { added: Some(lines), deleted: Some(0), path: path.clone() }).collect();
        mechanical(&paths, &numstat, &PathSet::default()).tier
    }

    #[test]
    fn words_decide_and_not_letters() {
        assert_eq!(tier(&["src/auth/login.rs"], 1), Tier::HighRisk);
        assert_eq!(tier(&["src/Deserializer.rs"], 1), Tier::HighRisk);
        assert_eq!(tier(&[".github/workflows/ci.yml"], 1), Tier::HighRisk);
        assert_eq!(tier(&["author.py"], 1), Tier::Trivial);
    }

    #[test]
    fn size_and_place_make_a_change_broad() {
        assert_eq!(tier(&["Cargo.lock"], 1), Tier::Broad);
        assert_eq!(tier(&["sub/Cargo.lock"], 1), Tier::Trivial);
        assert_eq!(tier(&["app/config.yaml"], 1), Tier::Broad);
        assert_eq!(tier(&["1", "2", "3", "4", "5", "6", "7", "8"], 0), Tier::Broad);
        assert_eq!(tier(&["1", "2", "3"], 0), Tier::Local);
        assert_eq!(tier(&["1"], 50), Tier::Local);
        let binary = Numstat { added: None, deleted: None, path: "a.bin".to_owned() };
        assert_eq!(mechanical(&["a.bin".to_owned()], &[binary], &PathSet::default()).tier, Tier::Broad);
    }

    #[test]
    fn evidence_names_what_decided() {
        let found = mechanical(&["A/Migrations/1.sql".to_owned()], &[], &PathSet::default());
        let expected = ["files=1", "changed_lines=0", "unknown_size_rows=0", "high_risk_paths=a/migrations/1.sql"];
        assert_eq!(found.evidence, expected);
    }
}
