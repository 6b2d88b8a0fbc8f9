//! Puts lines together: documents, subtests, YAML blocks and comments.

use code_polishy_sdk::suite_runner::CaseOutcome;

use super::{
    Point, Stream,
    line::{Line, Told},
};

/// Bytes of comments and of YAML that are kept for one point.
const MAX_SAID_BYTES: usize = 16 << 10;

/// Subtests that are nested deeper are noise.
const MAX_DEPTH: usize = 64;

const INDENT: usize = 4;

/// Reads line by line.
#[derive(Default)]
pub struct Reader {
    stream: Stream,
    /// The test points at each depth that have no parent yet, and the plan they are to keep.
    levels: Vec<Level>,
    /// The point whose YAML block is open, and the block's indent.
    yaml: Option<(usize, usize)>,
    /// The last point, and its depth.
    last: Option<(usize, usize)>,
    /// Points that turned out to be no test points.
    noise: Vec<usize>,
}

#[derive(Default)]
struct Level {
    points: Vec<usize>,
    plan: Option<usize>,
    /// The plan stands behind the points.
    trailing: bool,
    /// The point before its subtests: `ok 1 - table {`.
    opened: Option<usize>,
}

impl Reader {
    /// Takes the next line.
    pub fn line(&mut self, line: &str) {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        if self.yaml(text, line, indent) {
            return;
        }
        if let Some(file) = heading(line) {
            return self.file(file);
        }
        let depth = indent / INDENT;
        let told = if indent.is_multiple_of(INDENT) && depth <= MAX_DEPTH { Line::read(text) } else { None };
        match told {
            Some(Line::Version) if depth == 0 => self.version(),
            Some(Line::Plan(points)) => self.plan(depth, points),
            Some(Line::Point(told)) => self.point(depth, told),
            Some(Line::BailOut(why)) => self.bail_out(&why),
            Some(Line::Close) => self.close(depth),
            Some(Line::Subtest) => self.last = None,
            _ => self.comment(text),
        }
    }

    fn file(&mut self, file: &str) {
        self.end_document();
        self.stream.files.push(file.to_owned());
        self.stream.started = true;
    }

    /// Whether the line belongs to a YAML block.
    fn yaml(&mut self, text: &str, line: &str, indent: usize) -> bool {
        if let Some((index, base)) = self.yaml {
            if text.is_empty() || indent >= base {
                let ends = indent == base && text == "...";
                let yaml = &mut self.stream.points[index].yaml;
                if !ends && yaml.len() + line.len() < MAX_SAID_BYTES {
                    yaml.push_str(line.get(base..).unwrap_or_default());
                    yaml.push('\n');
                }
                if ends {
                    self.yaml = None;
                }
                return true;
            }
            self.yaml = None;
        }
        let begins = |(index, depth): (usize, usize)| text == "---" && indent > depth * INDENT && self.stream.points[index].yaml.is_empty();
        if let Some((index, _)) = self.last.filter(|last| begins(*last)) {
            self.yaml = Some((index, indent));
        }
        self.yaml.is_some()
    }

    fn comment(&mut self, text: &str) {
        let Some((index, _)) = self.last else { return };
        let point = &mut self.stream.points[index];
        if let (false, Some(comment)) = (point.ok, text.strip_prefix('#')) {
            if point.comments.len() + comment.len() < MAX_SAID_BYTES {
                point.comments.push_str(comment.strip_prefix(' ').unwrap_or(comment));
                point.comments.push('\n');
            }
        }
    }

    fn version(&mut self) {
        if self.levels.first().is_some_and(|level| level.plan.is_some()) {
            self.end_document();
        } else {
            // Nothing comes before a version: what looked like points was printed by the tests' program itself.
            let levels = std::mem::take(&mut self.levels).into_iter();
            levels.for_each(|level| self.noise.extend(level.points));
        }
        (self.stream.started, self.last) = (true, None);
    }

    fn plan(&mut self, depth: usize, points: usize) {
        if depth == 0 && self.level(0).plan.is_some() {
            self.end_document();
        }
        self.stream.started = true;
        let level = self.level(depth);
        level.trailing = !level.points.is_empty();
        level.plan = Some(points);
    }

    fn point(&mut self, depth: usize, told: Told) {
        let under_prove = !self.stream.files.is_empty();
        if under_prove && depth == 0 && told.number.is_none() && told.name.is_empty() {
            return; // The verdict of `prove` on the file.
        }
        if depth == 0 && self.level(0).trailing {
            self.end_document();
        }
        self.stream.started = true;
        let index = self.stream.points.len();
        self.stream.points.push(Point::told(&told, self.stream.files.len().checked_sub(1)));
        self.adopt(depth, index);
        let level = self.level(depth);
        level.points.push(index);
        level.opened = told.opens.then_some(index);
        self.last = Some((index, depth));
    }

    fn close(&mut self, depth: usize) {
        if let Some(parent) = self.levels.get_mut(depth).and_then(|level| level.opened.take()) {
            self.adopt(depth, parent);
            self.last = None;
        }
    }

    /// Gives the subtests one level below to their parent.
    fn adopt(&mut self, depth: usize, parent: usize) {
        if self.levels.len() <= depth + 1 {
            return;
        }
        let mut below = self.levels.split_off(depth + 1).into_iter();
        let level = below.next().unwrap_or_default();
        below.for_each(|level| self.abandon(level));
        // What has no plan of its own is no subtest: a test printed it.
        let Some(plan) = level.plan else { return self.noise.extend(level.points) };
        let label = self.stream.points[parent].label();
        if plan != level.points.len() {
            self.problem(format!("{} subtests of `{label}` ran and its plan is {plan}", level.points.len()));
        }
        let points = &mut self.stream.points;
        let ran = level.points.iter().any(|child| points[*child].outcome != CaseOutcome::Skipped);
        level.points.iter().for_each(|child| points[*child].parent = Some(parent));
        if !ran && points[parent].outcome == CaseOutcome::Passed {
            points[parent].outcome = CaseOutcome::Skipped;
        }
    }

    /// A level whose parent never came.
    fn abandon(&mut self, level: Level) {
        if level.plan.is_some() && !level.points.is_empty() {
            self.problem("the tests ended inside of a subtest".to_owned());
        } else {
            self.noise.extend(level.points);
        }
    }

    fn bail_out(&mut self, why: &str) {
        self.stream.started = true;
        self.problem(if why.is_empty() { "the tests bailed out".to_owned() } else { format!("the tests bailed out: {why}") });
    }

    fn problem(&mut self, problem: String) {
        self.stream.problem.get_or_insert(problem);
    }

    fn level(&mut self, depth: usize) -> &mut Level {
        while self.levels.len() <= depth {
            self.levels.push(Level::default());
        }
        &mut self.levels[depth]
    }

    fn end_document(&mut self) {
        (self.yaml, self.last) = (None, None);
        let mut levels = std::mem::take(&mut self.levels).into_iter();
        let level = levels.next().unwrap_or_default();
        levels.for_each(|level| self.abandon(level));
        let points = level.points.len();
        match level.plan {
            Some(plan) if points < plan => self.problem(format!("{points} of {plan} planned tests ran: the tests ended early")),
            Some(plan) if points > plan => self.problem(format!("{points} tests ran and the plan is {plan}")),
            None if points > 0 => self.problem(format!("{points} tests ran and no plan was printed: the tests ended early")),
            None => {
                if let Some(file) = self.stream.files.last() {
                    let problem = format!("`{file}` printed no test points; `prove --verbose` shows them");
                    self.problem(problem);
                }
            }
            Some(_) => {}
        }
    }

    /// The end of the stream.
    pub fn finish(mut self) -> Stream {
        self.end_document();
        if !self.noise.is_empty() {
            self.stream.points = without(std::mem::take(&mut self.stream.points), &self.noise);
        }
        self.stream
    }
}

/// The points without those that are noise and what is below them.
fn without(points: Vec<Point>, noise: &[usize]) -> Vec<Point> {
    let mut kept = vec![true; points.len()];
    noise.iter().for_each(|index| kept[*index] = false);
    let is_kept = |index: usize| {
        let mut next = Some(index);
        while let Some(index) = next {
            if !kept[index] {
                return false;
            }
            next = points[index].parent;
        }
        true
    };
    let mut moved = Vec::with_capacity(points.len());
    let mut count = 0;
    for index in 0..points.len() {
        moved.push(is_kept(index).then_some(count));
        count += usize::from(moved[index].is_some());
    }
    let indexed = points.into_iter().enumerate().filter(|(index, _)| moved[*index].is_some());
    indexed.map(|(_, point)| Point { parent: point.parent.and_then(|parent| moved[parent]), ..point }).collect()
}

/// The file in a heading of `prove --verbose`: `t/a.t ........ `.
fn heading(line: &str) -> Option<&str> {
    let dots = line.strip_suffix(' ')?;
    let file = dots.strip_suffix("..")?.trim_end_matches('.').strip_suffix(' ')?;
    (file.contains(['.', '/']) && !file.contains(' ')).then_some(file)
}
