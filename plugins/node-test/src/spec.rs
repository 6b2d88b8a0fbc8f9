//! The spec reporter: one line a test, indented below its suite, and at the end why and where tests failed.

use std::collections::VecDeque;

use code_polishy_sdk::suite_runner::CaseOutcome;

/// A run as the spec reporter tells it.
#[derive(Debug, Default)]
pub struct Spec {
    /// Tests and suites in the order in which they ended.
    pub entries: Vec<Entry>,
    /// What is told at the end, by name.
    pub failures: Failures,
}

/// A test or a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its suites, and its own name last: `suite > fails`.
    pub name: String,
    /// How many suites it is in.
    pub depth: usize,
    /// What it did.
    pub outcome: CaseOutcome,
}

/// Failures by their own names, in the order of the entries; suites of which only a test failed are not among them.
#[derive(Debug, Default)]
pub struct Failures(VecDeque<(String, Failure)>);

/// Why and where a test failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// `red/red.test.js:9:1`, relative to the folder that node ran in.
    pub location: String,
    /// What it says.
    pub message: String,
}

impl Failures {
    /// The next one, when it has the last of these names: `suite > fails`.
    pub fn take(&mut self, name: &str) -> Option<Failure> {
        self.0.front().filter(|(own, _)| name.ends_with(own.as_str()))?;
        self.0.pop_front().map(|(_, failure)| failure)
    }

    /// Every place.
    pub fn locations(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(_, failure)| failure.location.as_str())
    }
}

impl Spec {
    /// Reads the lines of a run.
    pub fn read<'a>(mut lines: impl Iterator<Item = &'a str>) -> Self {
        let mut spec = Self::default();
        let mut open: Vec<(&str, bool)> = Vec::new();
        for line in lines.by_ref() {
            if line == "\u{2716} failing tests:" {
                break;
            }
            if let Some(mark) = Mark::read(line) {
                spec.entry(&mark, &mut open);
            }
        }
        spec.failures(lines);
        spec
    }

    fn entry<'a>(&mut self, mark: &Mark<'a>, open: &mut Vec<(&'a str, bool)>) {
        if mark.depth > open.len() {
            return;
        }
        let closes = open.get(mark.depth).filter(|(name, _)| *name == mark.name).copied();
        let starts = mark.outcome.is_none() && !mark.timed;
        if !starts && mark.outcome.is_none() && closes.is_none() {
            return;
        }
        open.truncate(mark.depth);
        if starts {
            open.push((mark.name, false));
            return;
        }
        // Node 18 ends a suite without a word of what became of it.
        let below = closes.is_some_and(|(_, failed)| failed);
        let outcome = mark.outcome.unwrap_or(if below { CaseOutcome::Failed } else { CaseOutcome::Passed });
        if let Some((_, failed)) = open.last_mut() {
            *failed |= outcome == CaseOutcome::Failed;
        }
        let mut name = String::new();
        for (suite, _) in &*open {
            name.push_str(suite);
            name.push_str(" > ");
        }
        name.push_str(mark.name);
        self.entries.push(Entry { name, depth: open.len(), outcome });
    }

    fn failures<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        let mut location = "";
        let mut told = false;
        for line in lines {
            if let Some(place) = line.strip_prefix("test at ") {
                (location, told) = (place, false);
            } else if let Some(mark) = Mark::read(line).filter(|mark| mark.depth == 0 && !location.is_empty()) {
                told = mark.outcome == Some(CaseOutcome::Failed);
                if told {
                    let failure = Failure { location: location.to_owned(), message: String::new() };
                    self.failures.0.push_back((mark.name.to_owned(), failure));
                }
                location = "";
            } else if let Some((_, failure)) = self.failures.0.back_mut().filter(|_| told) {
                failure.message.push_str(line.strip_prefix("  ").unwrap_or(line));
                failure.message.push('\n');
            }
        }
    }
}

/// `  ✔ name (0.5ms) # why`, its parts.
#[derive(Debug, PartialEq, Eq)]
struct Mark<'a> {
    depth: usize,
    name: &'a str,
    /// `None` for `▶`.
    outcome: Option<CaseOutcome>,
    timed: bool,
}

impl<'a> Mark<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        let (mark, rest) = text.split_once(' ')?;
        let outcome = match mark {
            "\u{2714}" => Some(CaseOutcome::Passed),
            "\u{2716}" => Some(CaseOutcome::Failed),
            "\u{fe63}" | "\u{26a0}" => Some(CaseOutcome::Skipped),
            "\u{25b6}" => None,
            _ => return None,
        };
        let (name, timed, said) = name(rest);
        // A reason stands behind what was skipped and behind what is still to do, whatever became of it.
        let outcome = if said { Some(CaseOutcome::Skipped) } else { outcome };
        // What passed tells its time; without one, the name goes on in the next line.
        let is_whole = timed || matches!(outcome, None | Some(CaseOutcome::Failed));
        (indent.is_multiple_of(2) && is_whole).then_some(Self { depth: indent / 2, name, outcome, timed })
    }
}

/// The name in `name (0.5ms) # why`, whether a time follows it, and whether a reason does.
fn name(text: &str) -> (&str, bool, bool) {
    let time = text.rmatch_indices(" (").find(|(at, _)| {
        let time = text[at + 2..].split_once("ms)").filter(|(_, after)| after.is_empty() || after.starts_with(" # "));
        time.is_some_and(|(time, _)| !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
    });
    match time {
        Some((at, _)) => (&text[..at], true, !text.ends_with("ms)")),
        None => (text, false, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CaseOutcome::{Failed, Passed, Skipped};

    #[test]
    fn marks_are_read() {
        for (line, expected) in [
            ("✔ adds two (0.81ms)", Some((0, "adds two", Some(Passed), true))),
            ("  ✖ fails (in 3) (3ms)", Some((1, "fails (in 3)", Some(Failed), true))),
            ("✖ cancelled", Some((0, "cancelled", Some(Failed), false))),
            ("﹣ not now (0.13ms) # later", Some((0, "not now", Some(Skipped), true))),
            ("✖ some day (0.6ms) # soon", Some((0, "some day", Some(Skipped), true))),
            ("⚠ some day (0.6ms) # soon", Some((0, "some day", Some(Skipped), true))),
            ("    ▶ suite", Some((2, "suite", None, false))),
            ("▶ suite (1.2ms)", Some((0, "suite", None, true))),
            ("✔ first line of a name", None),
            (" ✔ adds (1ms)", None),
            ("ok 1 - adds", None),
            ("", None),
        ] {
            let read = Mark::read(line).map(|mark| (mark.depth, mark.name, mark.outcome, mark.timed));
            assert_eq!(read, expected, "{line}");
        }
    }

    #[test]
    fn suites_end_with_or_without_their_outcome() {
        for ends in ["▶ suite (1ms)", "✖ suite (1ms)"] {
            let text = format!(
                "▶ suite\n  ✔ a (1ms)\n  ▶ empty\n  ▶ empty (1ms)\n  ✖ b (1ms)\n      ✔ noise (1ms)\n{ends}\n✔ c (1ms)\n▶ no (1ms)\n"
            );
            let entries = Spec::read(text.lines()).entries;
            let told: Vec<_> = entries.iter().map(|entry| (entry.name.clone(), entry.outcome)).collect();
            let expected = [("suite > a", Passed), ("suite > empty", Passed), ("suite > b", Failed), ("suite", Failed), ("c", Passed)];
            assert_eq!(told, expected.map(|(name, outcome)| (name.to_owned(), outcome)));
        }
    }

    #[test]
    fn failures_are_told_by_name_and_order() {
        let text = "✖ failing tests:\n\ntest at a.js:1:2\n✖ a (1ms)\n  one\n    two\n\ntest at a.js:2:2\n✖ later (1ms) # soon\n  no\n\n\
                    test at b.js:3:1\n✖ a\n  three\n";
        let mut failures = Spec::read(text.lines()).failures;
        assert_eq!(failures.locations().collect::<Vec<_>>(), ["a.js:1:2", "b.js:3:1"]);
        assert_eq!(failures.take("suite"), None);
        assert_eq!(failures.take("suite > a"), Some(Failure { location: "a.js:1:2".into(), message: "one\n  two\n\n".into() }));
        assert_eq!(failures.take("a").map(|failure| failure.message).as_deref(), Some("three\n"));
        assert_eq!(failures.take("a"), None);
    }
}
