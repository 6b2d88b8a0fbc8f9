//! The suite runner for any program: exit status 0 is a pass, every other status a failure.

use code_polishy_sdk::suite_runner::{Execution, Exit, Outcome, Suite, Verdict};
use code_polishy_sdk::{Failure, NoOptions, SuiteRunner};

struct Exec;

impl SuiteRunner for Exec {
    type Options = NoOptions;

    fn judge(_: &Suite, execution: &Execution, _: &NoOptions) -> Result<Verdict, Failure> {
        let (outcome, summary) = match execution.exit {
            Exit::Code(0) => (Outcome::Passed, "exit status 0".to_owned()),
            Exit::Code(code) => (Outcome::Failed, format!("exit status {code}")),
            Exit::Signal(signal) => (Outcome::Failed, format!("ended by signal {signal}")),
            Exit::TimedOut => (Outcome::Failed, "ran out of time".to_owned()),
        };
        Ok(Verdict { outcome, cases: None, summary })
    }
}

code_polishy_sdk::export_suite_runner!(Exec);

#[cfg(test)]
mod tests {
    use super::*;
    use code_polishy_sdk::suite_runner::{Invocation, Stream};

    fn suite() -> Suite {
        Suite { name: "unit".into(), kind: "unit".into(), argv: vec!["./check".into()], cwd: ".".into(), options: "{}".into() }
    }

    fn judged(exit: Exit) -> Verdict {
        let noise = || Stream { head: b"FAILED".to_vec(), tail: Vec::new(), total: 6 };
        let execution = Execution { exit, output: noise(), errors: noise(), files: Vec::new() };
        Exec::judge(&suite(), &execution, &NoOptions {}).expect("every execution has a verdict")
    }

    #[test]
    fn adds_nothing_to_the_command() {
        assert_eq!(Exec::plan(&suite(), &NoOptions {}), Ok(Invocation::default()));
    }

    #[test]
    fn only_status_0_passes_whatever_was_printed() {
        assert_eq!(judged(Exit::Code(0)), Verdict { outcome: Outcome::Passed, cases: None, summary: "exit status 0".into() });
        for code in [1, 2, 124, 255, -1] {
            assert_eq!(judged(Exit::Code(code)), Verdict { outcome: Outcome::Failed, cases: None, summary: format!("exit status {code}") });
        }
    }

    #[test]
    fn what_did_not_exit_did_not_pass() {
        assert_eq!(judged(Exit::Signal(9)).outcome, Outcome::Failed);
        assert_eq!(judged(Exit::TimedOut).outcome, Outcome::Failed);
    }
}
