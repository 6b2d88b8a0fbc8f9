//! The Test Anything Protocol, versions 12 to 14.

mod line;
mod reader;

use code_polishy_sdk::suite_runner::CaseOutcome;

pub use line::Directive;

/// What was read of a stream: one document, or several one after the other.
#[derive(Debug, Default)]
pub struct Stream {
    /// Every test point, subtests before their parent when the producer prints them so.
    pub points: Vec<Point>,
    /// Why the stream is not whole: a plan that is missing or not kept, or `Bail out!`.
    pub problem: Option<String>,
    /// A version, a plan or a test point was read.
    pub started: bool,
    /// The test files that `prove --verbose` names, in order.
    pub files: Vec<String>,
}

/// A test point: `ok 1 - adds two # SKIP why`.
#[derive(Debug)]
pub struct Point {
    /// Its description, without number, directive and times; may be empty.
    pub name: String,
    /// As printed.
    pub number: Option<u32>,
    /// `ok`.
    pub ok: bool,
    /// `# SKIP` or `# TODO`.
    pub directive: Option<Directive>,
    /// Its parent's index in [`Stream::points`].
    pub parent: Option<usize>,
    /// Its file's index in [`Stream::files`].
    pub file: Option<usize>,
    /// What it did. A parent that passed and none of whose subtests ran did not run.
    pub outcome: CaseOutcome,
    /// The text of its YAML block, without its indent.
    pub yaml: String,
    /// The comments that follow it, without `# `. Only kept when it failed.
    pub comments: String,
}

impl Stream {
    /// Reads a stream. Lines that are not of the protocol are passed over.
    pub fn read<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let mut reader = reader::Reader::default();
        lines.for_each(|line| reader.line(line));
        reader.finish()
    }

    /// The names of a point and its parents, outermost first: `table > two`, and below its file when that is known.
    pub fn name(&self, index: usize) -> String {
        let Some(point) = self.points.get(index) else { return String::new() };
        let mut name = point.label();
        let mut above = |above: &str| name.insert_str(0, &[above, " > "].concat());
        let mut next = point.parent;
        while let Some(parent) = next.and_then(|parent| self.points.get(parent)) {
            above(&parent.label());
            next = parent.parent;
        }
        if let Some(file) = point.file.and_then(|file| self.files.get(file)) {
            above(file);
        }
        name
    }
}

impl Point {
    fn told(told: &line::Told, file: Option<usize>) -> Self {
        let line::Told { ok, number, directive, .. } = *told;
        let outcome = match (directive, ok) {
            // A `TODO` is expected to fail, so it counts neither way.
            (Some(Directive::Todo), _) | (Some(Directive::Skip), true) => CaseOutcome::Skipped,
            (_, true) => CaseOutcome::Passed,
            (_, false) => CaseOutcome::Failed,
        };
        let (yaml, comments) = (String::new(), String::new());
        Self { name: told.name.clone(), number, ok, directive, parent: None, file, outcome, yaml, comments }
    }

    /// Its description, or its number when it has none.
    pub fn label(&self) -> String {
        match self.number {
            Some(number) if self.name.is_empty() => format!("test {number}"),
            _ => self.name.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
