//! What a run means, by pytest's exit status and its cases.

use code_polishy_sdk::suite_runner::{Execution, Exit, Suite, Verdict};
use test_output::{text::Text, verdict::Run};

use crate::{report, terminal};

/// Judges a finished run of a suite.
pub fn judge(suite: &Suite, execution: &Execution) -> Verdict {
    let (output, errors) = (Text::of(&execution.output), Text::of(&execution.errors));
    let reported = execution.files.first().and_then(|file| report::run(suite, file, &output));
    let run = reported.or_else(|| terminal::run(suite, &output));
    match (execution.exit, run) {
        // All passed, some failed, nothing was collected.
        (Exit::Code(0 | 1 | 5), Some(run)) => run,
        // Interrupted, not by a case; or pytest itself failed, or was asked for what it does not know.
        (_, run) => {
            let known = run.and_then(|run| run.problem).or_else(|| reason(&errors)).or_else(|| reason(&output));
            let problem = known.unwrap_or_else(|| "pytest wrote no report and printed no result".to_owned());
            Run { problem: Some(problem), ..Run::default() }
        }
    }
    .verdict(execution)
}

/// Why pytest gave up, in its words: the end of a traceback of its own, or else the first error.
fn reason(text: &Text) -> Option<String> {
    let (mut crash, mut error) = (None, None);
    for line in text.lines() {
        if let Some(line) = line.strip_prefix("INTERNALERROR> ") {
            crash = Some(line);
        } else if let Some((_, usage)) = line.split_once(": error: ") {
            crash = Some(usage);
        } else if error.is_none() && (line.starts_with("ERROR: ") || line.starts_with('!')) {
            error = Some(line.trim_matches(['!', ' ']));
        }
    }
    crash.or(error).map(str::to_owned)
}
