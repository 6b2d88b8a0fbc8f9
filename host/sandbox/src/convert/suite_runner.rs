//! What a runner may add to a command, and what it says a run means (BR-20).

use std::collections::BTreeSet;

use code_polishy_core::plugin::{
    CaseOutcome, CollectedFile, ExecutionFacts, Invocation, Outcome, ProcessExit, StreamFacts, SuiteFacts, TestCase, Verdict,
};

use super::{AnswerError, Checked, bad, contained, count, line, size};
use crate::bindings::suite_runner::exports::code_polishy::plugin::suite_runner as wit;

/// The variables that a runner may set (BR-20).
pub const VARIABLES: [&str; 4] = ["CARGO_TERM_COLOR", "NO_COLOR", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"];

/// Bytes of one report file.
pub const MAX_REPORT_BYTES: u32 = 8 << 20;

const MAX_ARGUMENTS: usize = 256;
const MAX_ARGUMENT_BYTES: usize = 4 << 10;
const MAX_REPORTS: usize = 64;
const MAX_CASES: usize = 200_000;
const MAX_NAME_BYTES: usize = 4 << 10;
const MAX_MESSAGE_BYTES: usize = 4 << 10;
const MAX_SUMMARY_BYTES: usize = 1 << 10;

/// The suite as the contract has it.
pub fn suite(suite: &SuiteFacts, options: &str) -> wit::Suite {
    wit::Suite {
        name: suite.name.clone(),
        kind: suite.kind.clone(),
        argv: suite.argv.clone(),
        cwd: suite.cwd.clone(),
        options: options.to_owned(),
    }
}

/// Bytes that the suite takes in the guest.
pub fn suite_size(suite: &SuiteFacts, options: &str) -> usize {
    let words: usize = suite.argv.iter().map(|word| word.len() + 8).sum();
    words + suite.name.len() + suite.kind.len() + suite.cwd.len() + options.len()
}

/// The run as the contract has it.
pub fn execution(run: &ExecutionFacts) -> wit::Execution {
    wit::Execution {
        exit: match run.exit {
            ProcessExit::Code(code) => wit::Exit::Code(code),
            ProcessExit::Signal(signal) => wit::Exit::Signal(signal),
            ProcessExit::TimedOut => wit::Exit::TimedOut,
        },
        output: stream(&run.output),
        errors: stream(&run.errors),
        files: run.files.iter().map(file).collect(),
    }
}

/// Bytes that the run takes in the guest.
pub fn execution_size(run: &ExecutionFacts) -> usize {
    let stream = |stream: &StreamFacts| stream.head.len() + stream.tail.len();
    let files: usize = run.files.iter().map(|file| file.path.len() + file.content.len() + 32).sum();
    stream(&run.output) + stream(&run.errors) + files
}

/// Checks what the runner adds: words, allowed variables, contained report files.
pub fn invocation(said: wit::Invocation) -> Checked<Invocation> {
    count("arguments", said.arguments.len(), MAX_ARGUMENTS)?;
    for argument in &said.arguments {
        size("an argument", argument.len(), MAX_ARGUMENT_BYTES)?;
        if argument.contains('\0') {
            return bad("an argument has a NUL");
        }
    }
    Ok(Invocation { arguments: said.arguments, variables: variables(said.variables)?, reports: reports(said.reports)? })
}

fn variables(said: Vec<wit::Variable>) -> Checked<Vec<(String, String)>> {
    let mut names = BTreeSet::new();
    for variable in &said {
        if !VARIABLES.contains(&variable.name.as_str()) {
            return bad(format!("the variable `{}` may not be set, only {}", variable.name.escape_debug(), VARIABLES.join(", ")));
        }
        if !names.insert(&variable.name) {
            return bad(format!("the variable `{}` is set twice", variable.name));
        }
        line("a variable's value", &variable.value, 1 << 10)?;
    }
    Ok(said.into_iter().map(|variable| (variable.name, variable.value)).collect())
}

fn reports(said: Vec<wit::ReportFile>) -> Checked<Vec<(String, u32)>> {
    count("report files", said.len(), MAX_REPORTS)?;
    let mut paths = BTreeSet::new();
    for report in &said {
        contained("a report file", &report.path)?;
        if !paths.insert(&report.path) {
            return bad(format!("the report file `{}` is named twice", report.path));
        }
        if !(1..=MAX_REPORT_BYTES).contains(&report.max_bytes) {
            return bad(format!(
                "{} bytes of the report file `{}`: 1 to {MAX_REPORT_BYTES} may be asked for",
                report.max_bytes, report.path
            ));
        }
    }
    Ok(said.into_iter().map(|report| (report.path, report.max_bytes)).collect())
}

/// Checks a verdict. Zero executed cases are `no-tests`, whatever the runner says (BR-20).
pub fn verdict(said: wit::Verdict) -> Checked<Verdict> {
    line("the summary", &said.summary, MAX_SUMMARY_BYTES)?;
    let cases = said.cases.map(cases).transpose()?;
    let outcome = match said.outcome {
        wit::Outcome::Passed => Outcome::Passed,
        wit::Outcome::Failed => Outcome::Failed,
        wit::Outcome::Broken => Outcome::Broken,
        wit::Outcome::NoTests => Outcome::NoTests,
    };
    let outcome = cases.as_deref().map_or(Ok(outcome), |cases| reconciled(outcome, cases))?;
    Ok(Verdict { outcome, cases, summary: said.summary })
}

/// The outcome that fits the cases. A contradiction is no verdict: nobody could say which half is true.
fn reconciled(outcome: Outcome, cases: &[TestCase]) -> Checked<Outcome> {
    let failed = cases.iter().find(|case| case.outcome == CaseOutcome::Failed);
    let executed = cases.iter().any(|case| case.outcome != CaseOutcome::Skipped);
    match (outcome, failed) {
        _ if !executed => Ok(Outcome::NoTests),
        (Outcome::Passed, Some(case)) => bad(format!("the outcome is `passed` and the case `{}` failed", case.name)),
        (Outcome::NoTests, _) => bad("the outcome is `no-tests` and cases ran"),
        _ => Ok(outcome),
    }
}

fn cases(said: Vec<wit::TestCase>) -> Checked<Vec<TestCase>> {
    count("cases", said.len(), MAX_CASES)?;
    said.into_iter().map(case).collect()
}

fn case(said: wit::TestCase) -> Checked<TestCase> {
    line("a case's name", &said.name, MAX_NAME_BYTES)?;
    if said.name.is_empty() {
        return bad("a case has no name");
    }
    size("a case's message", said.message.as_deref().map_or(0, str::len), MAX_MESSAGE_BYTES)?;
    said.path.as_deref().map_or(Ok(()), |path| contained("a case's path", path))?;
    if said.line == Some(0) {
        return Err(AnswerError::Bad("a case is at line 0; lines count from 1".to_owned()));
    }
    let outcome = match said.outcome {
        wit::CaseOutcome::Passed => CaseOutcome::Passed,
        wit::CaseOutcome::Failed => CaseOutcome::Failed,
        wit::CaseOutcome::Skipped => CaseOutcome::Skipped,
    };
    Ok(TestCase { name: said.name, outcome, message: said.message, path: said.path, line: said.line })
}

fn stream(stream: &StreamFacts) -> wit::Stream {
    wit::Stream { head: stream.head.clone(), tail: stream.tail.clone(), total: stream.total }
}

fn file(file: &CollectedFile) -> wit::CollectedFile {
    wit::CollectedFile { path: file.path.clone(), content: file.content.clone(), truncated: file.truncated }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added() -> wit::Invocation {
        wit::Invocation { arguments: Vec::new(), variables: Vec::new(), reports: Vec::new() }
    }

    fn with_variables(names: &[&str]) -> Checked<Invocation> {
        let variables = names.iter().map(|name| wit::Variable { name: (*name).to_owned(), value: "1".to_owned() }).collect();
        invocation(wit::Invocation { variables, ..added() })
    }

    fn with_report(path: &str, max_bytes: u32) -> Checked<Invocation> {
        invocation(wit::Invocation { reports: vec![wit::ReportFile { path: path.to_owned(), max_bytes }], ..added() })
    }

    fn test_case(outcome: wit::CaseOutcome) -> wit::TestCase {
        wit::TestCase { name: "a".to_owned(), outcome, message: None, path: None, line: None }
    }

    fn judged(outcome: wit::Outcome, cases: Option<Vec<wit::TestCase>>) -> Checked<Outcome> {
        verdict(wit::Verdict { outcome, cases, summary: "done".to_owned() }).map(|verdict| verdict.outcome)
    }

    #[test]
    fn only_the_four_variables_may_be_set() {
        assert_eq!(with_variables(&VARIABLES).expect("allowed").variables.len(), 4);
        for names in [&["PATH"][..], &["no_color"], &[""], &["NO_COLOR", "NO_COLOR"]] {
            assert!(matches!(with_variables(names), Err(AnswerError::Bad(_))), "{names:?}");
        }
    }

    #[test]
    fn report_files_are_contained_and_bounded() {
        assert_eq!(with_report("target/junit.xml", MAX_REPORT_BYTES).expect("allowed").reports.len(), 1);
        for (path, bytes) in [("../junit.xml", 1), ("/tmp/junit.xml", 1), ("a/./b", 1), ("a", 0), ("a", MAX_REPORT_BYTES + 1)] {
            assert!(matches!(with_report(path, bytes), Err(AnswerError::Bad(_))), "{path} {bytes}");
        }
    }

    #[test]
    fn arguments_are_words_of_bounded_size() {
        let with = |argument: String| invocation(wit::Invocation { arguments: vec![argument], ..added() });
        assert!(with("--message-format=json".to_owned()).is_ok());
        assert!(matches!(with("a\0".to_owned()), Err(AnswerError::Bad(_))));
        assert!(matches!(with("a".repeat(MAX_ARGUMENT_BYTES + 1)), Err(AnswerError::TooLarge(_))));
    }

    #[test]
    fn zero_executed_cases_are_no_tests_whatever_the_runner_says() {
        for said in [wit::Outcome::Passed, wit::Outcome::Failed, wit::Outcome::Broken, wit::Outcome::NoTests] {
            assert_eq!(judged(said, Some(Vec::new())), Ok(Outcome::NoTests));
            assert_eq!(judged(said, Some(vec![test_case(wit::CaseOutcome::Skipped)])), Ok(Outcome::NoTests));
        }
    }

    #[test]
    fn without_cases_the_runners_word_stands() {
        assert_eq!(judged(wit::Outcome::Passed, None), Ok(Outcome::Passed));
        assert_eq!(judged(wit::Outcome::Broken, None), Ok(Outcome::Broken));
    }

    #[test]
    fn outcomes_that_contradict_their_cases_are_refused() {
        let failed = || Some(vec![test_case(wit::CaseOutcome::Passed), test_case(wit::CaseOutcome::Failed)]);
        assert_eq!(judged(wit::Outcome::Failed, failed()), Ok(Outcome::Failed));
        assert!(matches!(judged(wit::Outcome::Passed, failed()), Err(AnswerError::Bad(_))));
        assert!(matches!(judged(wit::Outcome::NoTests, failed()), Err(AnswerError::Bad(_))));
        let passed = Some(vec![test_case(wit::CaseOutcome::Passed)]);
        assert_eq!(judged(wit::Outcome::Failed, passed), Ok(Outcome::Failed), "a run can fail after its last test");
    }

    #[test]
    fn cases_are_checked() {
        let with = |edit: fn(&mut wit::TestCase)| {
            let mut case = test_case(wit::CaseOutcome::Failed);
            edit(&mut case);
            judged(wit::Outcome::Failed, Some(vec![case]))
        };
        assert!(matches!(with(|case| case.name.clear()), Err(AnswerError::Bad(_))));
        assert!(matches!(with(|case| case.line = Some(0)), Err(AnswerError::Bad(_))));
        assert!(matches!(with(|case| case.path = Some("/etc/passwd".to_owned())), Err(AnswerError::Bad(_))));
        assert!(matches!(with(|case| case.message = Some("x".repeat(5000))), Err(AnswerError::TooLarge(_))));
        assert!(with(|case| case.message = Some("line\nline".to_owned())).is_ok());
    }
}
