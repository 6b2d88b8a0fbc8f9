//! Test files that node reports as if they were tests.

use test_output::place::{Printed, Roots};

const EXTENSIONS: [&str; 6] = [".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"];

/// Whether this is the name of a file: node names so a file without tests, and one that failed outside of its tests.
pub fn is_file(name: &str, location: Option<&str>) -> bool {
    if !EXTENSIONS.iter().any(|end| name.ends_with(end)) {
        return false;
    }
    // The place of a file is its first line; one of an older version has an absolute name.
    name.starts_with('/')
        || location
            .and_then(Printed::colon)
            .is_some_and(|at| at.line == 1 && at.path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/')))
}

/// A name that is the same in every worktree: relative where that is known, otherwise the last part of the path.
pub fn stable<'a>(name: &'a str, roots: &'a Roots) -> &'a str {
    if !name.starts_with('/') {
        return name;
    }
    roots.relative(name).unwrap_or_else(|| name.rsplit('/').next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_tests() {
        assert!(is_file("/w/test/a.test.js", None));
        assert!(is_file("test/a.test.mjs", Some("/w/test/a.test.mjs:1:1")));
        assert!(is_file("test/a.test.mjs", Some("test/a.test.mjs:1:1")));
        assert!(!is_file("a.js", Some("/w/test/b.js:1:1")));
        assert!(!is_file("a.js", Some("/w/test/a.js:7:1")));
        assert!(!is_file("loads a.js", None));
        assert!(!is_file("/api/users", None));
    }

    #[test]
    fn names_do_not_tell_the_worktree() {
        let roots = Roots::new("web", &["node".to_owned(), "--test".to_owned(), "test/a.js".to_owned()]);
        assert_eq!(stable("/w/1/test/a.js", &roots), "test/a.js");
        assert_eq!(stable("/w/1/test/b.js", &roots), "b.js");
        assert_eq!(stable("test/b.js", &roots), "test/b.js");
    }
}
