//! One `testcase`.

use std::borrow::Cow;

use code_polishy_sdk::suite_runner::CaseOutcome;
use test_output::{
    cases::Said,
    place::{Place, Printed, Roots},
    text::plain,
};

/// A case as its report tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case<'a> {
    /// The name of the innermost suite; may be empty, like every text here.
    pub suite: Cow<'a, str>,
    /// `classname`.
    pub class: Cow<'a, str>,
    /// `name`.
    pub name: Cow<'a, str>,
    /// `file` of the case, or else of its suite.
    pub file: Cow<'a, str>,
    /// Where the case is defined, from 1.
    pub line: Option<u32>,
    /// What it did.
    pub outcome: CaseOutcome,
    /// `message` of what went wrong.
    pub message: String,
    /// The text of what went wrong.
    pub details: String,
}

impl Case<'_> {
    /// Class and name, each once: Jest repeats the whole title in both, Mocha its end.
    pub fn title(&self) -> String {
        let (class, name) = (self.class.trim(), self.name.trim());
        let starts = || name.strip_prefix(class).is_some_and(|rest| rest.starts_with(' '));
        let ends = || name.strip_suffix(class).is_some_and(|rest| rest.ends_with(' '));
        let mut title = String::with_capacity(class.len() + 1 + name.len());
        if !(name == class || starts() || ends()) {
            title.push_str(class);
        }
        if !title.is_empty() && !name.is_empty() {
            title.push(' ');
        }
        title.push_str(name);
        if title.contains('\u{1b}') { plain(&title) } else { title }
    }

    /// Why a file or class could not be loaded, when the case stands for all cases of one.
    pub fn unloaded(&self) -> Option<&str> {
        let class_alone = !self.class.is_empty() && self.class == self.suite && (self.name == self.class || self.name.is_empty());
        let said = self.message == "collection failure" || self.class == "Test suite failed to run";
        let named = matches!(&*self.name, "initializationError" | "classMethod");
        (self.outcome == CaseOutcome::Failed && (class_alone || said || named)).then(|| self.cause())
    }

    /// The line that says most: what Python prints after `E`, or else the first that is no heading.
    fn cause(&self) -> &str {
        let mut first = "";
        for line in self.lines().map(str::trim) {
            if let Some(raised) = line.strip_prefix("E  ") {
                return raised.trim();
            }
            if first.is_empty() && !line.ends_with("Test suite failed to run") {
                first = line;
            }
        }
        if first.is_empty() { "no reason is told" } else { first }
    }

    /// The details, or else the message.
    fn lines(&self) -> std::str::Lines<'_> {
        if self.details.trim().is_empty() { self.message.lines() } else { self.details.lines() }
    }

    /// Why it failed: the message, or the text where the message is a mere word or the start of the text.
    pub fn reason(&self) -> &str {
        let (message, details) = (self.message.trim(), self.details.trim());
        let is_word = !message.contains(char::is_whitespace);
        if !details.is_empty() && (is_word || details.starts_with(message)) { details } else { message }
    }

    /// Why and where it failed, in a suite that runs in `folder` by `argv`.
    pub fn said(&self, folder: &str, argv: &[String]) -> Said {
        Said { message: plain(self.reason()), place: self.place(folder, argv) }
    }

    /// The first line of its own file that it printed; when that is not known, of any file that is not installed; else where it is defined.
    fn place(&self, folder: &str, argv: &[String]) -> Option<Place> {
        let mut roots = Roots::new(folder, argv);
        roots.learn(&self.file);
        let own = roots.relative(&self.file);
        let is_wanted = |path: &str| match own {
            Some(own) => path == own,
            None => path.contains('/') && !path.split('/').any(|segment| segment == "node_modules"),
        };
        for text in [&self.message, &self.details] {
            for line in text.lines() {
                let printed = Printed::find(line).filter(|printed| roots.relative(printed.path).is_some_and(is_wanted));
                if let Some(printed) = printed {
                    return roots.place(printed);
                }
            }
        }
        roots.place(Printed { path: own?, line: self.line? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case<'a>(class: &'a str, name: &'a str) -> Case<'a> {
        let (class, name, message, details) = (class.into(), name.into(), String::new(), String::new());
        Case { suite: "".into(), class, name, file: "".into(), line: None, outcome: CaseOutcome::Failed, message, details }
    }

    #[test]
    fn a_title_says_class_and_name_once() {
        for (class, name, expected) in [
            ("shop.TotalTest", "two", "shop.TotalTest two"),
            ("total adds two", "total adds two", "total adds two"),
            ("adds two", "total adds two", "total adds two"),
            ("total", "total adds two", "total adds two"),
            ("total", "totals", "total totals"),
            (" fine", " fine", "fine"),
            ("shop.TotalTest", "", "shop.TotalTest"),
            ("", "\u{1b}[31mred\u{1b}[0m", "red"),
            ("", "two", "two"),
        ] {
            assert_eq!(case(class, name).title(), expected);
        }
    }

    #[test]
    fn a_case_may_stand_for_what_could_not_be_loaded() {
        let unloaded = |suite: &str, class: &str, name: &str, details: &str| {
            let case = Case { suite: suite.into(), details: details.into(), ..case(class, name) };
            case.unloaded().map(str::to_owned)
        };
        let python = "a.py:1: in <module>\n    import b\nE   ImportError: no b\n";
        assert_eq!(
            Case { message: "collection failure".into(), details: python.into(), ..case("", "a") }.unloaded(),
            Some("ImportError: no b")
        );
        let jest = "  ● Test suite failed to run\n\n    Cannot find module\n";
        assert_eq!(unloaded("a.js", "Test suite failed to run", "a.js", jest).as_deref(), Some("Cannot find module"));
        assert_eq!(unloaded("vi/a.js", "vi/a.js", "vi/a.js", "Error: no\n").as_deref(), Some("Error: no"));
        assert_eq!(unloaded("shop.A", "shop.A", "", "").as_deref(), Some("no reason is told"));
        assert_eq!(unloaded("shop.A", "shop.A", "initializationError", "x").as_deref(), Some("x"));
        assert_eq!(unloaded("total", "total adds", "total adds", "x"), None);
    }

    #[test]
    fn the_reason_is_what_says_most() {
        for (message, details, expected) in [
            ("5 is not 9", "at a.js:1", "5 is not 9"),
            ("Failed", "=== RUN\n", "=== RUN"),
            ("panicked at a.rs:1", "panicked at a.rs:1:\nno", "panicked at a.rs:1:\nno"),
            ("", "no", "no"),
            ("5 is not 9", " ", "5 is not 9"),
            ("", " \n", ""),
        ] {
            assert_eq!(Case { message: message.into(), details: details.into(), ..case("", "a") }.reason(), expected);
        }
    }

    #[test]
    fn the_place_is_in_the_file_of_the_case() {
        let place = |file: &str, line, details: &str| {
            let case = Case { file: file.into(), line, details: details.into(), ..case("", "a") };
            case.said("web", &["php".into(), "tests/B.php".into()]).place.map(|place| (place.path, place.line))
        };
        let at = |path: &str, line| Some((path.to_owned(), line));
        assert_eq!(place("tests/a.js", Some(1), "(/srv/lib/b.js:9:9)\n(/srv/web/tests/a.js:4:2)"), at("web/tests/a.js", 4));
        assert_eq!(place("tests/a.js", Some(1), "lib/b.js:9"), at("web/tests/a.js", 1));
        assert_eq!(place("", None, "node_modules/x/a.js:1\n/srv/a.js:2\nlib/b.js:9"), at("web/lib/b.js", 9));
        assert_eq!(place("/srv/web/tests/B.php", Some(3), "/srv/web/tests/B.php:7"), at("web/tests/B.php", 7));
        assert_eq!(place("/srv/web/tests/A.php", Some(3), "/srv/web/tests/A.php:7"), None);
        assert_eq!(place("", None, "(TotalTest.java:8)"), None);
    }
}
