//! What a run means, from whichever of the two reporters spoke.

use code_polishy_sdk::suite_runner::{CaseOutcome, Execution, Suite, Verdict};
use test_output::{
    cases::{Cases, Said},
    place::{Printed, Roots},
    tap::Stream,
    text::Text,
    verdict::Run,
    yaml,
};

use crate::{
    counters::Counters,
    files::{is_file, stable},
    spec::Spec,
};

/// Judges a finished run of a suite.
pub fn judge(suite: &Suite, execution: &Execution) -> Verdict {
    let (output, errors) = (Text::of(&execution.output), Text::of(&execution.errors));
    let mut roots = Roots::new(&suite.cwd, &suite.argv);
    let mut run = if output.lines().any(|line| line.starts_with("TAP version ")) {
        let people = Spec::read(errors.lines());
        people.failures.locations().filter_map(Printed::colon).for_each(|at| roots.learn(at.path));
        by_tap(&output, &roots)
    } else {
        by_spec(&output, &roots)
    };
    let counters = Counters::read(output.lines());
    if counters.is_some_and(|counters| counters.tests.executed() == 0) {
        // What is left are suites: they pass when nothing in them ran.
        run.cases = Cases::default();
    }
    run.cut = output.cut;
    if output.cut {
        run.problem = None;
    } else if counters.is_none() && run.problem.is_none() {
        run.problem = silence(&output, &errors);
    }
    if let Some(problem) = &mut run.problem {
        if let Some(error) = error(&output) {
            *problem = format!("{problem}: {error}");
        }
    }
    run.verdict(execution)
}

fn by_tap(output: &Text, roots: &Roots) -> Run {
    let stream = Stream::read(output.lines());
    let mut run = Run { problem: stream.problem.clone(), ..Run::default() };
    for (index, point) in stream.points.iter().enumerate() {
        let location = yaml::value(&point.yaml, "location");
        let file = point.parent.is_none() && is_file(&point.name, location.as_deref());
        let name = stream.name(index);
        let name = if file { stable(&name, roots) } else { &name };
        if file && point.outcome == CaseOutcome::Failed {
            run.problem.get_or_insert_with(|| not_loaded(name));
            continue;
        }
        let place = location.as_deref().and_then(Printed::colon).and_then(|at| roots.place(at));
        let message = if point.ok { None } else { yaml::value(&point.yaml, "error") };
        run.cases.add(name, point.outcome, Said { message: message.unwrap_or_default(), place });
    }
    run
}

fn by_spec(output: &Text, roots: &Roots) -> Run {
    let mut spec = Spec::read(output.lines());
    let counters = Counters::read(output.lines()).unwrap_or_default();
    let mut run = Run::default();
    // Tests print between the lines of the reporter: what does not add up is counted by node alone.
    if spec.entries.len() != counters.all && !output.cut {
        run.unnamed = true;
        run.more = counters.tests;
        return run;
    }
    for entry in &spec.entries {
        let failure = if entry.outcome == CaseOutcome::Failed { spec.failures.take(&entry.name) } else { None }.unwrap_or_default();
        let file = entry.depth == 0 && is_file(&entry.name, Some(&failure.location));
        let name = if file { stable(&entry.name, roots) } else { &entry.name };
        if file && entry.outcome == CaseOutcome::Failed {
            run.problem.get_or_insert_with(|| not_loaded(name));
            continue;
        }
        let place = Printed::colon(&failure.location).and_then(|at| roots.place(at));
        run.cases.add(name, entry.outcome, Said { message: failure.message, place });
    }
    run
}

fn not_loaded(file: &str) -> String {
    format!("`{file}` could not be loaded, or ended outside of its tests")
}

/// What node said in place of tests; `None` for nothing at all.
fn silence(output: &Text, errors: &Text) -> Option<String> {
    let said = errors.first_line().or_else(|| output.first_line())?;
    Some(format!("the tests were not reported to their end: {said}"))
}

/// The first error that a file printed when it was loaded.
fn error(output: &Text) -> Option<&str> {
    let lines = output.lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
    lines
        .filter(|line| line.starts_with(|char: char| char.is_ascii_uppercase()))
        .find(|line| line.split_once(": ").is_some_and(|(kind, _)| kind.split(' ').next().is_some_and(|kind| kind.ends_with("Error"))))
}
