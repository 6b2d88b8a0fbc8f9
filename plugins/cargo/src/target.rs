//! What cargo says of the programs it runs, on standard error.

/// A line that announces test programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heading {
    /// One program, by the label of its target.
    Target(String),
    /// The documentation tests of one library: one program or several.
    Docs,
}

/// All headings, in order.
///
/// A label is made of its package's own headings alone, so that it stays when other packages come and go:
/// `src/lib.rs (shop)`, `tests/two.rs (shop)`.
pub fn headings<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut package = Package::default();
    for line in lines.map(str::trim_start) {
        if line.starts_with("Doc-tests ") {
            headings.push(Heading::Docs);
        } else if let Some(label) = line.strip_prefix("Running ").and_then(|program| package.label(program)) {
            headings.push(Heading::Target(label));
        }
    }
    headings
}

/// The package whose targets are run. Cargo runs a package's library first, then its programs, then its tests.
#[derive(Default)]
struct Package {
    name: Option<String>,
    at_unit_tests: bool,
}

impl Package {
    fn label(&mut self, program: &str) -> Option<String> {
        if let Some(command) = program.strip_prefix('`') {
            let words = command.trim_end_matches('`').split(' ');
            return stem(words.into_iter().find(|word| !word.contains('='))?).map(str::to_owned);
        }
        let (path, executable) = program.strip_suffix(')')?.rsplit_once(" (")?;
        let stem = stem(executable)?;
        let Some(path) = path.strip_prefix("unittests ") else {
            self.at_unit_tests = false;
            return Some(self.name.as_ref().map_or_else(|| path.to_owned(), |package| format!("{path} ({package})")));
        };
        if !self.at_unit_tests || is_library(path) {
            self.name = Some(stem.to_owned());
        }
        self.at_unit_tests = true;
        Some(format!("{path} ({stem})"))
    }
}

fn is_library(path: &str) -> bool {
    path.split(['/', '\\']).all(|part| !matches!(part, "main.rs" | "bin" | "examples" | "benches"))
}

/// `shop` of `target/debug/deps/shop-507999230d6984fa`.
fn stem(executable: &str) -> Option<&str> {
    let name = executable.rsplit(['/', '\\']).next()?;
    let (stem, hash) = name.strip_suffix(".exe").unwrap_or(name).rsplit_once('-')?;
    (hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(lines: &str) -> Vec<String> {
        let label = |heading| match heading {
            Heading::Target(label) => label,
            Heading::Docs => "docs".to_owned(),
        };
        headings(lines.lines()).into_iter().map(label).collect()
    }

    #[test]
    fn labels_name_the_target_and_its_package() {
        let lines = "   Compiling a-pkg v0.1.0 (/home/me/a)
     Running unittests src/lib.rs (target/debug/deps/a_pkg-cd2afdd12793d12c)
     Running unittests src/main.rs (target/debug/deps/a_tool-d760ca9f1f1e3f21)
     Running tests/lib.rs (target/debug/deps/lib-288fb9ed71d7ca80)
     Running unittests src/main.rs (target\\debug\\deps\\b_tool-c159f430814c63c4.exe)
     Running tests/lib.rs (target/debug/deps/lib-4e0fc18a06908270)
     Running away (from home)
   Doc-tests a_pkg";
        let expected =
            ["src/lib.rs (a_pkg)", "src/main.rs (a_tool)", "tests/lib.rs (a_pkg)", "src/main.rs (b_tool)", "tests/lib.rs (b_tool)", "docs"];
        assert_eq!(labels(lines), expected);
    }

    #[test]
    fn verbose_headings_name_the_program() {
        let lines = "     Running `CARGO=/bin/cargo /home/me/target/debug/deps/two-3a2e775eb745ac0c --nocapture`\n     Running `rustc --crate-name two`";
        assert_eq!(labels(lines), ["two"]);
    }

    #[test]
    fn a_test_without_its_package_is_named_by_its_path() {
        assert_eq!(labels("     Running tests/two.rs (target/debug/deps/two-3a2e775eb745ac0c)"), ["tests/two.rs"]);
    }
}
