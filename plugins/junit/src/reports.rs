//! What the collected reports say together, and whether the exit status agrees.

use code_polishy_sdk::suite_runner::{CaseOutcome, CollectedFile, Execution, Exit, Suite, Verdict};
use junit_xml::{Case, Ending, MAX_CASES, MAX_NAME_BYTES, MAX_REASONS, decode, read};
use test_output::{
    cases::{Counts, Said},
    verdict::Run,
};

/// Judges a finished run of a suite by the reports that it was to write.
pub fn judge(suite: &Suite, execution: &Execution, reports: &[String]) -> Verdict {
    let mut reader = Reader { suite, run: Run::default(), read: Counts::default(), declared: Counts::default(), name_bytes: 0 };
    for path in reports {
        match execution.files.iter().find(|file| file.path == *path) {
            Some(file) => reader.report(file),
            None => reader.blame(format!("the report {path} was not written")),
        }
    }
    reader.verdict(execution)
}

struct Reader<'a> {
    suite: &'a Suite,
    run: Run,
    /// The cases that were read.
    read: Counts,
    /// What the suites say of themselves.
    declared: Counts,
    name_bytes: usize,
}

impl Reader<'_> {
    fn report(&mut self, file: &CollectedFile) {
        let before = self.read;
        let report = read(&decode(&file.content), &mut |case| self.case(&case));
        let path = &file.path;
        match report.ending {
            _ if file.truncated => self.truncated(before, report.declared),
            Ending::Whole => {}
            Ending::Early => self.blame(format!("the report {path} ends early")),
            Ending::Foreign => self.blame(format!("the report {path} is no JUnit XML")),
            Ending::Malformed(why) => self.blame(format!("the report {path} is malformed: {why}")),
        }
        self.declared.failed = self.declared.failed.saturating_add(report.declared.failed);
    }

    fn case(&mut self, case: &Case<'_>) {
        let name = case.title();
        if let Some(why) = case.unloaded() {
            self.run.problem.get_or_insert(format!("not loaded: {name}: {why}"));
            return;
        }
        self.read.add(case.outcome);
        self.name_bytes += name.len();
        let Counts { passed, failed, skipped } = self.read;
        if passed + failed + skipped > MAX_CASES || self.name_bytes > MAX_NAME_BYTES {
            self.run.unnamed = true;
            self.run.more.add(case.outcome);
            return;
        }
        let has_reason = case.outcome == CaseOutcome::Failed && failed <= MAX_REASONS;
        let said = if has_reason { case.said(&self.suite.cwd, &self.suite.argv) } else { Said::default() };
        self.run.cases.add(&name, case.outcome, said);
    }

    /// The host collected a part of the report: what its suites say of themselves makes up for the rest.
    fn truncated(&mut self, before: Counts, declared: Counts) {
        let Counts { passed, failed, skipped } = self.read;
        self.run.unnamed = true;
        self.run.more.passed += declared.passed.saturating_sub(passed - before.passed);
        self.run.more.failed += declared.failed.saturating_sub(failed - before.failed);
        self.run.more.skipped += declared.skipped.saturating_sub(skipped - before.skipped);
    }

    /// A report that is not there or not whole: there may be cases that nobody knows.
    fn blame(&mut self, fault: String) {
        self.run.unnamed = true;
        self.run.problem.get_or_insert(fault);
    }

    fn verdict(mut self, execution: &Execution) -> Verdict {
        let failed = self.read.failed + self.run.more.failed;
        if execution.exit != Exit::Code(0) && failed == 0 && self.declared.failed > 0 {
            self.run.problem.get_or_insert("what failed is no case of a report".to_owned());
        }
        self.run.verdict(execution)
    }
}
