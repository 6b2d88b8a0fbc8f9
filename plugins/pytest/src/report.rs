//! The cases of the report.

use std::borrow::Cow;

use code_polishy_sdk::suite_runner::{CaseOutcome, CollectedFile, Suite};
use junit_xml::{Case, Ending, MAX_CASES, MAX_NAME_BYTES, MAX_REASONS, read};
use test_output::{
    cases::{Counts, Said},
    text::{Text, utf_8},
    verdict::Run,
};

use crate::node;

/// Reads the report; `None` when it is not whole, and what pytest printed says more.
pub fn run(suite: &Suite, file: &CollectedFile, output: &Text) -> Option<Run> {
    let mut nodes = Nodes { suite, root: Root::of(output, &suite.cwd), run: Run::default(), read: Counts::default(), name_bytes: 0 };
    let text = utf_8(&file.content);
    let report = read(&text, &mut |case| nodes.add(case));
    let run = nodes.run;
    match report.ending {
        _ if file.truncated => Some(Run { problem: run.problem, unnamed: true, more: report.declared, ..Run::default() }),
        Ending::Whole => Some(run),
        Ending::Early | Ending::Malformed(_) | Ending::Foreign => None,
    }
}

/// Whether files are told relative to a folder above the suite's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Own,
    Above,
}

impl Root {
    /// `rootdir: /home/build/shop, configfile: pytest.ini`; files are relative to it, and places that a traceback has to the suite's folder.
    fn of(output: &Text, folder: &str) -> Self {
        let told = output.lines().find_map(|line| line.strip_prefix("rootdir: "));
        let root = told.and_then(|told| told.split(',').next()).unwrap_or_default().trim();
        let is_own = folder == "." || root.is_empty() || root.strip_suffix(folder).is_some_and(|above| above.ends_with('/'));
        if is_own { Self::Own } else { Self::Above }
    }
}

/// Cases by node id. A test that fails and whose teardown fails is told twice.
struct Nodes<'a> {
    suite: &'a Suite,
    root: Root,
    run: Run,
    /// The cases that were read.
    read: Counts,
    name_bytes: usize,
}

impl Nodes<'_> {
    fn add(&mut self, mut case: Case<'_>) {
        if let Some(why) = case.unloaded() {
            let what = if case.file.is_empty() { &case.name } else { &case.file };
            self.run.problem.get_or_insert(format!("not collected: {what}: {why}"));
            return;
        }
        let id = node::id(&case);
        let cwd = &self.suite.cwd;
        if self.root == Root::Above {
            let below = case.file.strip_prefix(cwd.as_str()).and_then(|file| file.strip_prefix('/')).map(str::to_owned);
            case.file = below.map_or(case.file, Cow::Owned);
        }
        self.read.add(case.outcome);
        self.name_bytes += id.len();
        let Counts { passed, failed, skipped } = self.read;
        if passed + failed + skipped > MAX_CASES || self.name_bytes > MAX_NAME_BYTES {
            self.run.unnamed = true;
            self.run.more.add(case.outcome);
            return;
        }
        let has_reason = case.outcome == CaseOutcome::Failed && failed <= MAX_REASONS;
        let said = if has_reason { case.said(cwd, &self.suite.argv) } else { Said::default() };
        self.run.cases.merge(&id, case.outcome, said);
    }
}
