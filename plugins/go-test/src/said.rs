//! Why and where a test failed, from what it printed.

use test_output::{
    cases::Said,
    place::{Printed, Roots, is_contained},
};

use crate::command::Command;

/// Where the packages of a run are, as far as its command tells it.
///
/// Go prints the name of a test's file and not its folder. An import path becomes a folder when the command names the package by its folder,
/// because then the two end alike.
#[derive(Debug)]
pub struct Folders<'a> {
    roots: Roots,
    named: Vec<&'a str>,
    known: bool,
}

impl<'a> Folders<'a> {
    /// The folders of a suite.
    pub fn of(cwd: &str, command: Option<&Command<'a>>) -> Self {
        let inside = command.and_then(|command| command.folder).map(|folder| folder.trim_end_matches('/'));
        let folder = match inside {
            Some(inside) if cwd == "." => inside.to_owned(),
            Some(inside) => format!("{cwd}/{inside}"),
            None => cwd.to_owned(),
        };
        let known = command.is_some() && inside.is_none_or(is_contained);
        let named = command.map(|command| command.packages.clone()).unwrap_or_default();
        Self { roots: Roots::new(&folder, &[]), named: if named.is_empty() { vec!["."] } else { named }, known }
    }

    /// The folder of a package relative to the one that go ran in; empty for that itself.
    fn of_package(&self, package: &str) -> Option<&'a str> {
        if !self.known {
            return None;
        }
        if let [only @ ("." | "./")] = self.named[..] {
            return only.strip_prefix(only);
        }
        let folders = self.named.iter().filter_map(|named| named.strip_prefix("./")).map(|named| named.trim_end_matches('/'));
        let ends = |folder: &&str| package.strip_suffix(folder).is_some_and(|before| before.ends_with('/'));
        folders.filter(|folder| !folder.is_empty()).filter(ends).max_by_key(|folder| folder.len())
    }

    /// What a failing test of this package said.
    pub fn said(&self, package: &str, output: &str) -> Said {
        let lines = || output.lines().map(str::trim_start);
        let printed = lines().filter(|line| !is_frame(line)).find_map(of_test).filter(|at| !at.path.contains('/'));
        let place = printed.and_then(|at| {
            let folder = self.of_package(package)?;
            let path = if folder.is_empty() { at.path.to_owned() } else { format!("{folder}/{}", at.path) };
            self.roots.place(Printed { path: &path, line: at.line })
        });
        let kept: Vec<&str> = output.lines().filter(|line| !is_frame(line.trim_start())).collect();
        Said { message: kept.join("\n"), place }
    }
}

/// `total_test.go:20: got 5, want 9`. The place of a data race is in the testing package itself.
fn of_test(line: &str) -> Option<Printed<'_>> {
    let (place, _) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
    let (path, number) = place.rsplit_once(".go:")?;
    let path = &place[..path.len() + 3];
    let path = path.rsplit(' ').next().unwrap_or(path);
    Printed::new(path, number).filter(|_| path != "testing.go")
}

/// The lines of go's own between those of the test.
fn is_frame(line: &str) -> bool {
    line.starts_with("=== ") || line.starts_with("--- ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(cwd: &str, command: &str, package: &str, output: &str) -> Option<(String, u32)> {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let command = Command::read(&words);
        Folders::of(cwd, command.as_ref()).said(package, output).place.map(|place| (place.path, place.line))
    }

    #[test]
    fn a_file_is_found_when_the_command_names_the_folder() {
        let output = "=== RUN   TestA\nnoise    log_test.go:3: first\n    a_test.go:20: got 5\n";
        let found = |cwd, command, package| place(cwd, command, package, output).map(|(path, _)| path);
        assert_eq!(place(".", "go test", "e.com/shop", output), Some(("log_test.go".to_owned(), 3)));
        assert_eq!(found("go", "go test -v .", "e.com/shop").as_deref(), Some("go/log_test.go"));
        assert_eq!(found(".", "go test ./checkout ./b", "e.com/shop/checkout").as_deref(), Some("checkout/log_test.go"));
        assert_eq!(found("go", "go -C sub test ./checkout", "e.com/shop/checkout").as_deref(), Some("go/sub/checkout/log_test.go"));
        assert_eq!(found(".", "go test ./...", "e.com/shop/checkout"), None, "nobody says where the module starts");
        assert_eq!(found(".", "go test ./checkout", "e.com/shop/xcheckout"), None);
        assert_eq!(found(".", "go -C ../other test", "e.com/shop"), None);
        assert_eq!(found(".", "make test", "e.com/shop"), None);
    }

    #[test]
    fn messages_have_no_lines_of_gos_own() {
        let output = "=== RUN   TestA\n    a_test.go:20: got 5\n        more\n--- FAIL: TestA (0.00s)\n";
        let said = Folders::of(".", None).said("e.com/a", output);
        assert_eq!(said.message, "    a_test.go:20: got 5\n        more");
        assert_eq!(of_test("testing.go:1867: race detected during execution of test"), None);
    }
}
