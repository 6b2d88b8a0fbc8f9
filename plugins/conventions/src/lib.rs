//! The built-in path roles: what common file and folder names imply (contract 3.7). It has an answer for every path.

mod pattern;

use code_polishy_sdk::path_roles::{PathFact, Role};
use code_polishy_sdk::{PathRoles, serde};
use pattern::Pattern;

struct Conventions;

/// What names cannot tell, as the policy has it.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(crate = "code_polishy_sdk::serde", default, rename_all = "camelCase")]
struct Options {
    generated: Vec<Pattern>,
    development: Vec<Pattern>,
    /// Exact paths.
    product_inputs: Vec<String>,
}

impl PathRoles for Conventions {
    type Options = Options;
    const OPTIONS_SCHEMA: &'static str = include_str!("options.schema.json");

    fn role(fact: &PathFact, options: &Options) -> Option<Role> {
        Some(role(&fact.path, options))
    }
}

code_polishy_sdk::export_path_roles!(Conventions);

const FIXTURE_SEGMENTS: [&str; 4] = ["fixture", "fixtures", "testdata", "__fixtures__"];
const TEST_SEGMENTS: [&str; 2] = ["tests", "__tests__"];
const CHANGELOG_STARTS: [&str; 2] = ["changelog", "release-notes"];
const MARKDOWN_ENDS: [&str; 2] = [".md", ".markdown"];

/// The first role, in the order of the contract, whose rule holds.
fn role(path: &str, options: &Options) -> Role {
    let name = path.rsplit('/').next().unwrap_or(path);
    let lower_name = name.to_ascii_lowercase();
    let any = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(path));
    let has_segment = |names: &[&str]| path.split('/').any(|segment| names.contains(&segment));
    if any(&options.generated) {
        Role::Generated
    } else if options.product_inputs.iter().any(|input| input == path) {
        Role::ProductInput
    } else if has_segment(&FIXTURE_SEGMENTS) {
        Role::Fixture
    } else if has_segment(&TEST_SEGMENTS) || is_test_name(name) {
        Role::Test
    } else if any(&options.development) {
        Role::Development
    } else if path.starts_with("docs/plans/") {
        Role::Plan
    } else if CHANGELOG_STARTS.iter().any(|start| lower_name.starts_with(start)) {
        Role::Changelog
    } else if MARKDOWN_ENDS.iter().any(|end| lower_name.ends_with(end)) {
        Role::CurrentStateDocumentation
    } else {
        Role::ProductionSource
    }
}

/// `*_test.*`, `test_*.*`, `*.test.*` or `*.spec.*`.
fn is_test_name(name: &str) -> bool {
    ["_test.", ".test.", ".spec."].iter().any(|part| name.contains(part))
        || name.strip_prefix("test_").is_some_and(|rest| rest.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options {
            generated: ["gen/**", "**/*.pb.go"].map(Pattern::from).into(),
            development: ["tools/**", "*.toml"].map(Pattern::from).into(),
            product_inputs: vec!["docs/prompt.md".into()],
        }
    }

    #[test]
    fn names_imply_roles() {
        let expected = [
            ("src/testdata/a.rs", Role::Fixture),
            ("fixture", Role::Fixture),
            ("a/fixtures/x_test.go", Role::Fixture),
            ("a/__fixtures__/x", Role::Fixture),
            ("pkg/x_test.go", Role::Test),
            ("test_x.py", Role::Test),
            ("web/x.test.ts", Role::Test),
            ("web/x.spec.ts", Role::Test),
            ("tests/README.md", Role::Test),
            ("a/__tests__/x.js", Role::Test),
            ("docs/plans/next.txt", Role::Plan),
            ("CHANGELOG", Role::Changelog),
            ("docs/Changelog-2024.md", Role::Changelog),
            ("release-notes/1.md", Role::CurrentStateDocumentation),
            ("Release-Notes.txt", Role::Changelog),
            ("README.MD", Role::CurrentStateDocumentation),
            ("docs/use.markdown", Role::CurrentStateDocumentation),
            ("src/lib.rs", Role::ProductionSource),
            ("src/contest.rs", Role::ProductionSource),
            ("src/test_support", Role::ProductionSource),
            ("test/a.rs", Role::ProductionSource),
            ("src/fixtures.rs", Role::ProductionSource),
            ("tools/run", Role::ProductionSource),
            ("old/docs/plans/x.rs", Role::ProductionSource),
        ];
        for (path, wanted) in expected {
            assert_eq!(role(path, &Options::default()), wanted, "{path}");
        }
    }

    #[test]
    fn the_policy_adds_what_names_cannot_tell() {
        let expected = [
            ("gen/a.rs", Role::Generated),
            ("api/x.pb.go", Role::Generated),
            ("tools/run", Role::Development),
            ("Cargo.toml", Role::Development),
            ("a/Cargo.toml", Role::ProductionSource),
            ("docs/prompt.md", Role::ProductInput),
            ("docs/prompt.md.md", Role::CurrentStateDocumentation),
        ];
        for (path, wanted) in expected {
            assert_eq!(role(path, &options()), wanted, "{path}");
        }
    }

    #[test]
    fn the_first_role_in_the_order_of_the_contract_wins() {
        let expected = [
            ("gen/fixtures/x_test.go", Role::Generated),
            ("tools/fixtures/x", Role::Fixture),
            ("tools/x_test.go", Role::Test),
            ("tools/README.md", Role::Development),
            ("docs/plans/changelog.md", Role::Plan),
        ];
        for (path, wanted) in expected {
            assert_eq!(role(path, &options()), wanted, "{path}");
        }
        let input = Options { product_inputs: vec!["tests/prompt.md".into()], ..Options::default() };
        assert_eq!(role("tests/prompt.md", &input), Role::ProductInput);
    }
}
