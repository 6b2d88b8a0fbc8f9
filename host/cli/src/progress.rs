//! What happens while a command works (BR-74): a live line for each running command on a terminal, plain lines elsewhere.

use std::{
    collections::BTreeMap,
    io::{IsTerminal, Write, stderr},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use code_polishy_core::{
    plugin::TestCase,
    text::{escape_line, shorten},
};
use code_polishy_engine::event::{Event, Observer};
use code_polishy_sandbox::{Level, Note};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::{
    arguments::{Format, Global},
    view::lines::{BAD, FAINT, GOOD, OPEN, paint, quoted},
};

/// Prints events as they come.
///
/// What became of a command is a result and goes to standard output for people; that it was started, waits or has something to note is
/// progress and goes to standard error. With `--format json` all of it goes to standard error.
#[derive(Debug)]
pub struct Progress {
    show: Show,
    verbose: bool,
    format: Format,
    live: Mutex<Live>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Show {
    /// A failure is a result, and is never kept back.
    Failures,
    Lines,
    Live,
}

#[derive(Debug, Default)]
struct Live {
    screen: MultiProgress,
    running: BTreeMap<String, ProgressBar>,
}

/// A line and the stream it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    Result(String),
    Progress(String),
}

impl Progress {
    /// For these options and this terminal.
    pub fn new(global: &Global) -> Self {
        let show = match (global.quiet, global.no_progress || !stderr().is_terminal()) {
            (true, _) => Show::Failures,
            (false, true) => Show::Lines,
            (false, false) => Show::Live,
        };
        Self { show, verbose: global.verbose, format: global.format, live: Mutex::default() }
    }

    /// What a plugin logged, or the host has to say about it.
    pub fn note(&self, note: &Note) {
        let wanted = note.level >= Level::Warning || self.verbose;
        if wanted && self.show != Show::Failures {
            let label = if note.level >= Level::Warning { paint(OPEN, "WARNING") } else { paint(FAINT, "LOG") };
            let head = format!("{label} plugin `{}`:", escape_line(&note.plugin));
            match note.foreign {
                true => self.print(std::iter::once(head).chain(quoted(&note.text)).map(Line::Progress)),
                false => self.print([Line::Progress(format!("{head} {}", escape_line(&note.text)))]),
            }
        }
    }

    /// A line of a program that works for us, such as cargo.
    pub fn foreign(&self, text: &str) {
        if self.show != Show::Failures {
            self.print(quoted(text).map(Line::Progress));
        }
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn print(&self, lines: impl IntoIterator<Item = Line>) {
        let live = self.live();
        live.screen.suspend(|| lines.into_iter().for_each(|line| self.write(line)));
    }

    /// Nothing can be done about a stream that is closed; the command's own result tells.
    fn write(&self, line: Line) {
        match (line, self.format) {
            (Line::Result(line), Format::Human) => drop(writeln!(anstream::stdout(), "{line}")),
            (Line::Result(line), Format::Json) | (Line::Progress(line), _) => drop(writeln!(anstream::stderr(), "{line}")),
        }
    }

    /// Keeps one live line for each running command.
    fn track(&self, event: &Event<'_>) {
        let mut live = self.live();
        match event {
            Event::Started { name } => {
                let style = ProgressStyle::with_template("{spinner} RUN {msg} ({elapsed})").expect("a template without unknown keys");
                let bar = live.screen.add(ProgressBar::new_spinner().with_style(style).with_message(escape_line(name)));
                bar.enable_steady_tick(Duration::from_millis(120));
                live.running.insert((*name).to_owned(), bar);
            }
            Event::Ended { name } => {
                if let Some(bar) = live.running.remove(*name) {
                    bar.finish_and_clear();
                    live.screen.remove(&bar);
                }
            }
            _ => {}
        }
    }
}

impl Observer for Progress {
    fn on(&self, event: &Event<'_>) {
        match self.show {
            Show::Failures if matches!(event, Event::Failed { .. }) => self.print(lines(event)),
            Show::Failures => {}
            Show::Lines => self.print(lines(event)),
            Show::Live => {
                self.track(event);
                if !matches!(event, Event::Started { .. }) {
                    self.print(lines(event));
                }
            }
        }
    }
}

fn lines(event: &Event<'_>) -> Vec<Line> {
    let label = |style, word: &str, text: &str| format!("{} {}", paint(style, word), escape_line(text));
    match event {
        Event::Waiting { what } => vec![Line::Progress(label(FAINT, "WAIT", what))],
        Event::Started { name } => vec![Line::Progress(label(FAINT, "RUN", name))],
        Event::Ended { .. } => Vec::new(),
        Event::Passed { name, duration } => vec![Line::Result(format!("{} ({})", label(GOOD, "PASS", name), seconds(*duration)))],
        Event::Observed { name, green, duration } => {
            let (style, word) = if *green { (GOOD, "GREEN") } else { (BAD, "RED") };
            vec![Line::Result(format!("{} ({})", label(style, word, name), seconds(*duration)))]
        }
        Event::Reused { name, run } => vec![Line::Result(format!("{} ({})", label(GOOD, "REUSE", name), escape_line(run)))],
        Event::Failed { name, category, why, failed, tail, log_path } => {
            let head = format!("{} [{}]", label(BAD, "FAIL", name), category.name());
            let log = (!log_path.is_empty()).then(|| label(FAINT, "LOG", log_path));
            let why = (!why.is_empty()).then(|| format!("  {}", escape_line(why)));
            let lines = std::iter::once(head).chain(why).chain(cases(failed)).chain(quoted(tail)).chain(log);
            lines.map(Line::Result).collect()
        }
        Event::Note { text } => vec![Line::Progress(label(OPEN, "NOTE:", text))],
    }
}

/// Failed tests that people see of one command.
const SHOWN_CASES: usize = 10;

/// Each failed test with its place and the first line of its reason.
fn cases(failed: &[TestCase]) -> Vec<String> {
    let mut lines: Vec<String> = failed.iter().take(SHOWN_CASES).map(case).collect();
    if failed.len() > SHOWN_CASES {
        lines.push(format!("  and {} more", failed.len() - SHOWN_CASES));
    }
    lines
}

fn case(case: &TestCase) -> String {
    let line = case.line.map(|line| format!(":{line}")).unwrap_or_default();
    let place = case.path.as_ref().map(|path| format!(" ({}{line})", escape_line(path))).unwrap_or_default();
    let reason = case.message.iter().flat_map(|message| message.lines()).map(str::trim).find(|line| !line.is_empty());
    let reason = reason.map(|reason| format!(": {}", shorten(&escape_line(reason), 200))).unwrap_or_default();
    format!("  {} {}{place}{reason}", paint(BAD, "failed"), escape_line(&case.name))
}

/// `0.04 s`.
fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use code_polishy_core::{gate::report::FailureCategory, plugin::CaseOutcome};

    use super::*;

    fn shown(event: &Event<'_>) -> String {
        let stream = |line: Line| match line {
            Line::Result(line) => format!("1 {line}"),
            Line::Progress(line) => format!("2 {line}"),
        };
        let text: Vec<String> = lines(event).into_iter().map(stream).collect();
        anstream::adapter::strip_str(&text.join("\n")).to_string()
    }

    #[test]
    fn every_event_has_its_lines() {
        let failed_case = |name: &str| TestCase {
            name: name.to_owned(),
            outcome: CaseOutcome::Failed,
            message: Some("\n  left: 1\nright: 2".to_owned()),
            path: Some("tests/lib.rs".to_owned()),
            line: Some(12),
        };
        let mut failed_cases = vec![TestCase { path: None, line: None, message: None, ..failed_case("no\nplace") }];
        failed_cases.extend((0..11).map(|number| failed_case(&format!("adds {number}"))));
        let failed = Event::Failed {
            name: "unit",
            category: FailureCategory::CommandExit,
            why: "1 of 2 tests failed (exit status 101)",
            failed: &failed_cases,
            tail: "PASS all\n::error::x",
            log_path: "logs/000-unit.log",
        };
        let events = [
            Event::Waiting { what: "the journal lock" },
            Event::Started { name: "unit" },
            Event::Passed { name: "unit\nPASS", duration: Duration::from_millis(1234) },
            Event::Observed { name: "unit at the base", green: true, duration: Duration::from_millis(40) },
            Event::Observed { name: "unit at the base with the evidence", green: false, duration: Duration::from_millis(40) },
            Event::Reused { name: "unit", run: "run-0123456789ab-1" },
            failed,
            Event::Note { text: "a renderer failed" },
        ];
        insta::assert_snapshot!(events.iter().map(shown).collect::<Vec<_>>().join("\n"), @r"
        2 WAIT the journal lock
        2 RUN unit
        1 PASS unit\nPASS (1.23 s)
        1 GREEN unit at the base (0.04 s)
        1 RED unit at the base with the evidence (0.04 s)
        1 REUSE unit (run-0123456789ab-1)
        1 FAIL unit [command-exit]
        1   1 of 2 tests failed (exit status 101)
        1   failed no\nplace
        1   failed adds 0 (tests/lib.rs:12): left: 1
        1   failed adds 1 (tests/lib.rs:12): left: 1
        1   failed adds 2 (tests/lib.rs:12): left: 1
        1   failed adds 3 (tests/lib.rs:12): left: 1
        1   failed adds 4 (tests/lib.rs:12): left: 1
        1   failed adds 5 (tests/lib.rs:12): left: 1
        1   failed adds 6 (tests/lib.rs:12): left: 1
        1   failed adds 7 (tests/lib.rs:12): left: 1
        1   failed adds 8 (tests/lib.rs:12): left: 1
        1   and 2 more
        1   | PASS all
        1   | \u{3a}:error::x
        1 LOG logs/000-unit.log
        2 NOTE: a renderer failed
        ");
    }
}
