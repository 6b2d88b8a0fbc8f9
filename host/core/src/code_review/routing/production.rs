//! Production sources and test paths (CR-54, CR-219).

use super::tier::basename;
use crate::{code_review::t0::PathRole, plugin::Role, policy::path_set::PathSet};

const EXTENSIONS: [&str; 25] = [
    "py", "pyi", "rs", "go", "c", "h", "cc", "cpp", "hpp", "cs", "java", "kt", "swift", "js", "jsx", "mjs", "cjs", "ts", "tsx", "rb",
    "php", "scala", "sh", "ps1", "sql",
];

/// The path is a production source: by its role under either policy and its extension, or because the configuration says so; never a test.
pub fn is_production(path: &str, role: Option<&PathRole>, configured: &PathSet, test_paths: &PathSet) -> bool {
    let plays = role.is_some_and(|role| [role.base, role.candidate].contains(&Role::ProductionSource));
    ((plays && has_source_extension(path)) || configured.is_match(path)) && !is_test_path(path, test_paths)
}

fn has_source_extension(path: &str) -> bool {
    let extension = basename(path).rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
}

/// The path is a test's, by its folders, its name or the configuration.
pub fn is_test_path(path: &str, test_paths: &PathSet) -> bool {
    let lower = path.to_lowercase();
    let folders = lower.rsplit_once('/').map_or("", |(folders, _)| folders);
    let name = basename(&lower);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    folders.split('/').any(|folder| ["test", "tests", "testdata"].contains(&folder))
        || name.starts_with("test_")
        || stem.ends_with("_test")
        || name.contains("_test.")
        || name.contains(".test.")
        || name.contains(".spec.")
        || test_paths.is_match(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn production(path: &str, candidate: Role) -> bool {
        let role = PathRole { path: path.to_owned(), base: Role::Test, candidate };
        is_production(path, Some(&role), &PathSet::default(), &PathSet::default())
    }

    #[test]
    fn sources_need_their_role_and_their_extension() {
        assert!(production("src/a.rs", Role::ProductionSource) && production("src/x.PYI", Role::ProductionSource));
        assert!(!production("src/a.rs", Role::Development) && !production("src/a.txt", Role::ProductionSource));
        assert!(!production("src/Makefile", Role::ProductionSource) && !production("src/a.", Role::ProductionSource));
    }

    #[test]
    fn tests_are_no_sources() {
        for path in ["tests/a.rs", "src/Test/a.rs", "src/test_a.py", "src/a_test.go", "src/a.test.ts", "src/a.spec.js"] {
            assert!(!production(path, Role::ProductionSource), "{path}");
        }
        assert!(production("src/contest.rs", Role::ProductionSource));
    }
}
