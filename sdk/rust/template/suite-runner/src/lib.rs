//! A runner for programs that print one line a test: `ok NAME` or `not ok NAME`.

use code_polishy_sdk::suite_runner::{CaseOutcome, Execution, Exit, Invocation, Outcome, Suite, TestCase, Variable, Verdict};
use code_polishy_sdk::{Failure, NoOptions, SuiteRunner};

struct Plugin;

impl SuiteRunner for Plugin {
    type Options = NoOptions;

    /// Asks the program for plain text.
    fn plan(_: &Suite, _: &NoOptions) -> Result<Invocation, Failure> {
        let plain = Variable { name: "NO_COLOR".into(), value: "1".into() };
        Ok(Invocation { variables: vec![plain], ..Invocation::default() })
    }

    fn judge(_: &Suite, execution: &Execution, _: &NoOptions) -> Result<Verdict, Failure> {
        // Output that was cut is not the whole truth: count on the exit status alone.
        let cases = execution.output.whole().map(|output| String::from_utf8_lossy(&output).lines().filter_map(case).collect::<Vec<_>>());
        let failed = cases.iter().flatten().filter(|case| case.outcome == CaseOutcome::Failed).count();
        let outcome = match execution.exit {
            Exit::Code(0) if failed == 0 => Outcome::Passed,
            Exit::Code(_) if failed > 0 => Outcome::Failed,
            // It ended badly and no test says why: it did not get to its end.
            _ => Outcome::Broken,
        };
        let ran = cases.as_ref().map_or_else(|| "an unknown number of tests".to_owned(), |cases| format!("{} tests", cases.len()));
        Ok(Verdict { outcome, cases, summary: format!("{ran}, {failed} failed") })
    }
}

/// The test that a line tells of.
fn case(line: &str) -> Option<TestCase> {
    let (outcome, name) = match line.strip_prefix("not ok ") {
        Some(name) => (CaseOutcome::Failed, name),
        None => (CaseOutcome::Passed, line.strip_prefix("ok ")?),
    };
    let name: String = name.trim().chars().filter(|character| !character.is_control()).collect();
    (!name.is_empty() && name.len() <= 4096).then_some(TestCase { name, outcome, message: None, path: None, line: None })
}

code_polishy_sdk::export_suite_runner!(Plugin);

#[cfg(test)]
mod tests {
    use super::*;
    use code_polishy_sdk::suite_runner::Stream;

    fn judged(output: &str, status: i32) -> Verdict {
        let stream = |text: &str| Stream { head: text.into(), tail: Vec::new(), total: text.len() as u64 };
        let suite = Suite { name: "unit".into(), kind: "unit".into(), argv: vec!["./test".into()], cwd: ".".into(), options: "{}".into() };
        let execution = Execution { exit: Exit::Code(status), output: stream(output), errors: stream(""), files: Vec::new() };
        Plugin::judge(&suite, &execution, &NoOptions {}).expect("every execution has a verdict")
    }

    #[test]
    fn each_line_is_a_case() {
        let verdict = judged("ok adds\nnot ok divides\nnoise\n", 1);
        assert_eq!((verdict.outcome, verdict.summary.as_str()), (Outcome::Failed, "2 tests, 1 failed"));
        let names: Vec<String> = verdict.cases.expect("known").into_iter().map(|case| case.name).collect();
        assert_eq!(names, ["adds", "divides"]);
    }

    #[test]
    fn a_bad_end_without_a_failed_case_is_broken() {
        assert_eq!(judged("ok adds\n", 2).outcome, Outcome::Broken);
        assert_eq!(judged("ok adds\n", 0).outcome, Outcome::Passed);
    }
}
