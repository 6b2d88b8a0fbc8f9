//! What a workflow says while it works. Views decide how it looks; nothing here is evidence.

use std::time::Duration;

use code_polishy_core::{gate::report::FailureCategory, plugin::TestCase};

/// Something happened.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The workflow waits for somebody else.
    Waiting {
        /// For what: `the journal lock`.
        what: &'a str,
    },
    /// A command was started.
    Started {
        /// The name that people know.
        name: &'a str,
    },
    /// A command no longer runs; what became of it is told in the order of the plan.
    Ended {
        /// The name that people know.
        name: &'a str,
    },
    /// A command passed.
    Passed {
        /// The name that people know.
        name: &'a str,
        /// From start to end.
        duration: Duration,
    },
    /// A suite ran for a proof, where green and red are both welcome.
    Observed {
        /// The name that people know: `checkout-contract at the base with the evidence`.
        name: &'a str,
        /// It passed with exit status 0.
        green: bool,
        /// From start to end.
        duration: Duration,
    },
    /// A passed command of an earlier run counts.
    Reused {
        /// The name that people know.
        name: &'a str,
        /// The earlier run.
        run: &'a str,
    },
    /// A command did not pass.
    Failed {
        /// The name that people know.
        name: &'a str,
        /// Why, in one word.
        category: FailureCategory,
        /// Why, in one line; empty when `tail` says it.
        why: &'a str,
        /// The tests that failed, as far as the runner knows them; each text is foreign.
        failed: &'a [TestCase],
        /// The end of what it printed: foreign text.
        tail: &'a str,
        /// Repository-relative; empty when there is none.
        log_path: &'a str,
    },
    /// Something that the reader should know.
    Note {
        /// One line.
        text: &'a str,
    },
}

/// Takes events, from several threads at a time.
pub trait Observer: Sync {
    /// Something happened.
    fn on(&self, event: &Event<'_>);
}

/// Hears nothing.
pub struct Silent;

impl Observer for Silent {
    fn on(&self, _: &Event<'_>) {}
}
