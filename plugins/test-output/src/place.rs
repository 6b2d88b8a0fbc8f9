//! Lines of files, from what tools print about them, made relative to the repository.

/// A line of a file in the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Repository-relative.
    pub path: String,
    /// From 1.
    pub line: u32,
}

/// A place as a tool prints it, relative to the suite's folder or absolute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Printed<'a> {
    /// As it is printed.
    pub path: &'a str,
    /// From 1.
    pub line: u32,
}

impl<'a> Printed<'a> {
    /// `path` at `line`; `None` for a line that is no number from 1, and for an empty path.
    pub fn new(path: &'a str, line: &str) -> Option<Self> {
        let line = line.trim().parse().ok().filter(|line| *line > 0)?;
        let path = path.trim();
        (!path.is_empty()).then_some(Self { path, line })
    }

    /// `tests/a.js:12` or `tests/a.js:12:5`, also as a `file://` address.
    pub fn colon(text: &'a str) -> Option<Self> {
        let text = text.trim().trim_end_matches(':');
        let text = text.strip_prefix("file://").unwrap_or(text);
        let (path, last) = text.rsplit_once(':')?;
        match path.rsplit_once(':') {
            Some((path, line)) if !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()) => Self::new(path, line),
            _ => Self::new(path, last),
        }
    }

    /// The first place in a line of prose or of a stack trace:
    /// `at t/a.t line 3.`, `in test file a.bats, line 4`, `Test.run (/w/a.js:2:47)`, `a_test.py:3: `.
    pub fn find(line: &'a str) -> Option<Self> {
        spelled(line, " line ", "at ").or_else(|| spelled(line, ", line ", "file ")).or_else(|| {
            let words = line.split([' ', '\t', '(', ')', '"', '\'']).map(|word| word.trim_end_matches([',', '.', ';']));
            words.filter(|word| word.contains('.') && !word.starts_with("node:")).find_map(Self::colon)
        })
    }
}

/// `<lead>PATH<separator>LINE`.
fn spelled<'a>(line: &'a str, separator: &str, lead: &str) -> Option<Printed<'a>> {
    let (before, after) = line.rsplit_once(separator)?;
    let start = before.rfind(lead)? + lead.len();
    let digits = after.find(|char: char| !char.is_ascii_digit()).unwrap_or(after.len());
    Printed::new(&before[start..], &after[..digits])
}

/// What is known about where files are: the suite's folder, and paths relative to it.
///
/// Tools that print absolute paths print those of a disposable worktree, whose root nobody tells. An absolute path is understood when it ends
/// with a path that is known.
#[derive(Debug)]
pub struct Roots {
    folder: String,
    known: Vec<String>,
}

impl Roots {
    /// The folder of the suite, and the files that its command names.
    pub fn new(folder: &str, argv: &[String]) -> Self {
        let mut roots = Self { folder: folder.to_owned(), known: Vec::new() };
        argv.iter().skip(1).for_each(|word| roots.learn(word));
        roots
    }

    /// A file relative to the suite's folder. Anything else is passed over.
    pub fn learn(&mut self, path: &str) {
        let path = path.strip_prefix("./").unwrap_or(path);
        let is_file = path.contains('.') && !path.contains(['*', '?', '[', '{']) && !path.starts_with('-');
        if is_file && is_contained(path) && !self.known.iter().any(|known| known == path) {
            self.known.push(path.to_owned());
        }
    }

    /// The path relative to the suite's folder.
    pub fn relative<'a>(&'a self, path: &'a str) -> Option<&'a str> {
        if is_contained(path.strip_prefix("./").unwrap_or(path)) {
            return Some(path.strip_prefix("./").unwrap_or(path));
        }
        let ends = |known: &&String| path.strip_suffix(known.as_str()).is_some_and(|before| before.ends_with('/'));
        let known = self.known.iter().filter(|_| path.starts_with('/'));
        known.filter(ends).max_by_key(|known| known.len()).map(String::as_str)
    }

    /// The place in the repository; `None` for what is outside, or may be.
    pub fn place(&self, printed: Printed<'_>) -> Option<Place> {
        let path = self.relative(printed.path)?;
        let path = if self.folder == "." { path.to_owned() } else { format!("{}/{path}", self.folder) };
        (path.len() <= 4000).then_some(Place { path, line: printed.line })
    }
}

/// A relative path of plain segments.
pub fn is_contained(path: &str) -> bool {
    let plain = |segment: &str| !matches!(segment, "" | "." | "..");
    path.split('/').all(plain) && !path.contains(|char: char| char.is_control() || matches!(char, '\\' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_what_tools_print() {
        for (line, expected) in [
            ("#   at t/a.t line 3.", Some(("t/a.t", 3))),
            ("# (in test file a.bats, line 4)", Some(("a.bats", 4))),
            ("#  in test file test/a b.bats, line 4)", Some(("test/a b.bats", 4))),
            ("Test.<anonymous> (/w/tape.js:2:56)", Some(("/w/tape.js", 2))),
            ("    at file:///w/a.mjs:7:1", Some(("/w/a.mjs", 7))),
            ("Test.run (node:internal/test_runner/test.js:796:25)", None),
            ("# test_a.py:3: ", Some(("test_a.py", 3))),
            ("at 12:30:45 nothing", None),
            ("a.js:0:1", None),
            ("", None),
        ] {
            assert_eq!(Printed::find(line).map(|found| (found.path, found.line)), expected, "{line}");
        }
    }

    #[test]
    fn absolute_paths_are_understood_by_what_is_known() {
        let argv = ["node", "--test", "./test/a.js", "b/test/a.js", "-x.js", "src/**/*.js", "/abs.js"].map(str::to_owned);
        let mut roots = Roots::new("web", &argv);
        let place = |roots: &Roots, path: &str| roots.place(Printed { path, line: 1 }).map(|place| place.path);
        assert_eq!(place(&roots, "/w/1/test/a.js").as_deref(), Some("web/test/a.js"));
        assert_eq!(place(&roots, "/w/1/b/test/a.js").as_deref(), Some("web/b/test/a.js"));
        assert_eq!(place(&roots, "./c.js").as_deref(), Some("web/c.js"));
        assert_eq!(place(&roots, "/w/1/c.js"), None);
        roots.learn("c.js");
        assert_eq!(place(&roots, "/w/1/c.js").as_deref(), Some("web/c.js"));
        for outside in ["/w/1/xc.js", "../c.js", "C:\\c.js", "", "a\nb", "node:test"] {
            assert_eq!(place(&roots, outside), None, "{outside}");
        }
    }
}
