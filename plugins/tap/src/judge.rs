//! What a stream means, and why and where its failing points failed.

use std::collections::BTreeMap;

use code_polishy_sdk::suite_runner::{CaseOutcome, Execution, Suite, Verdict};
use test_output::{
    cases::{Cases, Said},
    place::{Place, Printed, Roots},
    tap::{Point, Stream},
    text::Text,
    verdict::Run,
    yaml,
};

/// Judges a finished run of a suite.
pub fn judge(suite: &Suite, execution: &Execution) -> Verdict {
    let (output, errors) = (Text::of(&execution.output), Text::of(&execution.errors));
    let stream = Stream::read(output.lines());
    let roots = Roots::new(&suite.cwd, &suite.argv);
    let diagnostics = Diagnostics::read(errors.lines());
    let mut cases = Cases::default();
    for (index, point) in stream.points.iter().enumerate() {
        let said = if point.outcome == CaseOutcome::Failed { diagnostics.said(point, &roots) } else { Said::default() };
        cases.add(&stream.name(index), point.outcome, said);
    }
    let problem = if output.cut { None } else { stream.problem.or_else(|| if stream.started { None } else { silence(&output, &errors) }) };
    Run { cases, cut: output.cut, problem, ..Run::default() }.verdict(execution)
}

/// What was printed in place of a stream; `None` for nothing at all.
fn silence(output: &Text, errors: &Text) -> Option<String> {
    let said = errors.first_line().or_else(|| output.first_line())?;
    Some(format!("no test points were printed: {said}"))
}

/// What `Test::More` and its kin print of failures on standard error, by the point's name.
struct Diagnostics<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Diagnostics<'a> {
    /// `#   Failed test 'adds three'`, and the comments that follow it.
    fn read(lines: impl Iterator<Item = &'a str>) -> Self {
        let mut said = BTreeMap::<&str, Vec<&str>>::new();
        let mut current = None;
        for line in lines {
            let comment = line.trim_start().strip_prefix("# ").map(str::trim_start);
            match comment.map(|comment| (comment, comment.strip_prefix("Failed test '"))) {
                Some((_, Some(name))) => {
                    let name = name.trim_end_matches('\'');
                    current = (!said.contains_key(name)).then_some(name);
                }
                Some((comment, None)) if !comment.starts_with("Looks like ") => {
                    if let Some(name) = current {
                        said.entry(name).or_default().push(comment);
                    }
                }
                _ => current = None,
            }
        }
        Self(said)
    }

    fn said(&self, point: &Point, roots: &Roots) -> Said {
        let elsewhere = || self.0.get(point.name.as_str()).map(|lines| lines.join("\n")).unwrap_or_default();
        let comments = if point.comments.is_empty() { elsewhere() } else { point.comments.clone() };
        let place = place_in_yaml(&point.yaml, roots).or_else(|| comments.lines().filter_map(Printed::find).find_map(|at| roots.place(at)));
        let message = ["message", "error"].into_iter().find_map(|key| yaml::value(&point.yaml, key).filter(|text| !text.is_empty()));
        let message = message.unwrap_or_else(|| if comments.is_empty() { point.yaml.clone() } else { comments });
        Said { message, place }
    }
}

/// `at` as a map or as a line of a stack trace, `location`, or `file` and `line`.
fn place_in_yaml(block: &str, roots: &Roots) -> Option<Place> {
    let pair = |map: &str, file: &str, line: &str| roots.place(Printed::new(&yaml::value(map, file)?, &yaml::value(map, line)?)?);
    if let Some(at) = yaml::value(block, "at") {
        let map = || pair(&at, "fileName", "lineNumber").or_else(|| pair(&at, "file", "line"));
        return map().or_else(|| roots.place(at.lines().find_map(Printed::find)?));
    }
    let location = || roots.place(Printed::colon(&yaml::value(block, "location")?)?);
    location().or_else(|| pair(block, "file", "line"))
}
