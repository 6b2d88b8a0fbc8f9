//! What a run means, from events or from text.

use std::collections::BTreeMap;

use code_polishy_sdk::suite_runner::{CaseOutcome, Execution, Suite, Verdict};
use test_output::{
    cases::{Said, hash},
    text::Text,
    verdict::Run,
};

use crate::{
    command::Command,
    event::Event,
    package::{End, Package, append},
    said::Folders,
    text,
};

/// Judges a finished run of a suite.
pub fn judge(suite: &Suite, execution: &Execution) -> Verdict {
    let (output, errors) = (Text::of(&execution.output), Text::of(&execution.errors));
    let command = Command::read(&suite.argv);
    let folders = Folders::of(&suite.cwd, command.as_ref());
    let (mut packages, build) = events(&output);
    let mut named = !packages.is_empty() || !build.is_empty();
    if !named {
        (packages, named) = text::packages(output.lines());
    }
    // Packages are tested side by side: which one is first is chance.
    packages.sort_by(|one, two| one.path.cmp(&two.path));
    let mut run = Run { cut: output.cut, unnamed: !named, ..Run::default() };
    for package in &mut packages {
        read(package, &folders, &mut run, output.cut);
    }
    if output.cut {
        run.problem = None;
    } else {
        why(&mut run, &packages, &build, &errors);
    }
    run.verdict(execution)
}

/// Adds what a package did.
fn read(package: &mut Package, folders: &Folders<'_>, run: &mut Run, cut: bool) {
    if cut && package.end.is_none() {
        package.end = Some(End::Passed); // Its end was left out; what failed in it may be seen or not.
    }
    package.settle();
    if matches!(package.end, Some(End::Failed) | None) {
        if package.tests.is_empty() && !run.unnamed {
            run.problem.get_or_insert_with(|| not_started(package));
        } else {
            run.failed = true;
        }
    }
    if package.end == Some(End::Passed) && run.unnamed {
        run.more.passed += 1;
        run.note = Some("without `-v` a package that passed counts as one");
    }
    for test in &package.tests {
        let Some(outcome) = test.outcome else {
            run.unnamed = true;
            continue;
        };
        let said = if outcome == CaseOutcome::Failed { folders.said(&package.path, &test.output) } else { Said::default() };
        run.cases.add(&format!("{}.{}", package.path, test.name), outcome, said);
    }
}

fn not_started(package: &Package) -> String {
    let said = package.output.lines().next().map(|line| format!(": {line}")).unwrap_or_default();
    format!("`{}` ended before its first test{said}", package.path)
}

/// Says why tests were not built.
fn why(run: &mut Run, packages: &[Package], build: &str, errors: &Text) {
    let not_built = packages.iter().find(|package| package.end == Some(End::NotBuilt));
    let lines = || build.lines().chain(errors.lines());
    if let Some(package) = not_built {
        let heading = |line: &&str| line.strip_prefix("# ").and_then(|path| path.split(' ').next()) == Some(&package.path);
        let error = lines().skip_while(|line| !heading(line)).find(|line| is_error(line));
        let error = error.map(|error| format!(": {error}")).unwrap_or_default();
        run.problem = Some(format!("`{}` was not built{error}", package.path));
    } else if packages.is_empty() && run.problem.is_none() {
        run.problem = lines().find(|line| is_error(line)).or_else(|| errors.first_line()).map(str::to_owned);
    }
}

/// `broken/b_test.go:5:28: undefined: missing`, and not the heading above it.
fn is_error(line: &str) -> bool {
    line.contains(".go:")
        || line.contains("cannot find")
        || line.starts_with("go: ") && !line.contains(": downloading ") && !line.contains(": finding ")
}

/// The packages of a stream of events, and what was printed while they were built.
fn events(output: &Text) -> (Vec<Package>, String) {
    let mut packages: Vec<Package> = Vec::new();
    let mut index = BTreeMap::<u64, usize>::new();
    let mut build = String::new();
    for line in output.lines() {
        match Event::read(line) {
            Some(event) if event.action == "build-output" => append(&mut build, &event.output),
            Some(event) if !event.package.is_empty() => {
                let hash = hash(&event.package);
                let known = index.get(&hash).copied().filter(|at| packages[*at].path == event.package);
                let at = known.unwrap_or(packages.len());
                if at == packages.len() {
                    packages.push(Package::new(&event.package));
                    index.insert(hash, at);
                }
                apply(&mut packages[at], &event);
            }
            Some(_) => {}
            // Before Go 1.24 a package that does not build is told in text.
            None => {
                if let Some((path, end @ End::NotBuilt)) = text::ending(line) {
                    packages.push(Package::ended(path, end));
                }
            }
        }
    }
    let only_text = index.is_empty() && build.is_empty();
    (if only_text { Vec::new() } else { packages }, build)
}

fn apply(package: &mut Package, event: &Event<'_>) {
    let outcome = match &*event.action {
        "pass" | "bench" => CaseOutcome::Passed,
        "fail" => CaseOutcome::Failed,
        "skip" => CaseOutcome::Skipped,
        "run" => {
            package.start(&event.test);
            return;
        }
        "output" => {
            if event.test.is_empty() {
                let line = event.output.trim_end_matches('\n');
                package.end = text::ending(line).map(|(_, end)| end).or(package.end);
                if let Some(name) = text::benchmark(line) {
                    package.start(name);
                }
            }
            package.print(&event.test, &event.output);
            return;
        }
        _ => return,
    };
    if !event.test.is_empty() {
        // What ends without having begun was printed by a test; older versions take it for an end.
        if package.is_running(&event.test) {
            package.finish(&event.test, outcome);
        }
        return;
    }
    package.end = Some(match (outcome, package.end) {
        (CaseOutcome::Failed, Some(End::NotBuilt)) => End::NotBuilt,
        (CaseOutcome::Failed, _) => End::Failed,
        (CaseOutcome::Skipped, _) => End::NoTests,
        (CaseOutcome::Passed, _) => End::Passed,
    });
}
