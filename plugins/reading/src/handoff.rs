//! The hand-off of a code review, `final-handoff.json`, as types. What is missing or of another type ends the reading: half a report would look
//! like a whole one.

mod confidence;
mod evidence;
mod opening;
mod part;
mod table;
mod verdict;

use std::cell::Cell;

use code_polishy_sdk::Failure;

use part::Part;

pub use crate::value::Value;

pub use confidence::{Confidence, Gap, deduction};
pub use evidence::{coordinate, points};
pub use table::{Action, Reviewer, Snapshot};
pub use verdict::Verdict;

/// The title of the table of actions.
pub const ACTIONS: &str = "Review Findings and Merge Blocks";
/// The layout of reviews that judged the source.
const ASSESSED: i64 = 13;
/// The layout of reviews that ended before they judged it.
const TERMINAL: i64 = 12;
/// The suffix of labels in machine records, which people do not read.
const SUBSTITUTE: &str = " (parent substitute)";

/// A hand-off.
#[derive(Debug, PartialEq, Eq)]
pub struct Handoff<'v> {
    /// What the review came to, such as `Review Decision`.
    pub title: &'v str,
    /// The same in one sentence.
    pub summary: &'v str,
    /// `pass`, `fail` or `timeout`.
    pub status: &'v str,
    /// How it ended.
    pub ending: Ending<'v>,
    /// One a gate, in order.
    pub gates: Vec<Gate<'v>>,
    /// One a pass.
    pub passes: Vec<Pass<'v>>,
    /// What is left to do.
    pub remaining: Vec<Remaining<'v>>,
    /// How sure the review is.
    pub confidence: Confidence<'v>,
    /// Label and path of the evidence.
    pub artifacts: Vec<(&'v str, &'v str)>,
    /// Where the notes lie; absolute.
    pub report_path: &'v str,
}

/// How a review ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ending<'v> {
    /// The source was judged.
    Assessed(Box<Assessed<'v>>),
    /// The pull request could not be collected.
    Unavailable {
        /// At which stage.
        explanation: &'v str,
        /// What is known of the cause.
        diagnostic: &'v str,
    },
    /// Closing is advised without a detailed review.
    Closed(Box<Closed<'v>>),
}

/// A review that judged the source.
#[derive(Debug, PartialEq, Eq)]
pub struct Assessed<'v> {
    /// The recommendation.
    pub verdict: Verdict,
    /// What is under review.
    pub snapshot: Snapshot<'v>,
    /// Findings and blockers, when there is a table of them.
    pub actions: Option<Vec<Action<'v>>>,
    /// What the caller asked for in the place of the report.
    pub answer: Option<&'v str>,
}

/// Why closing is advised.
#[derive(Debug, PartialEq, Eq)]
pub struct Closed<'v> {
    /// Such as `DUPLICATE`.
    pub code: &'v str,
    /// In one sentence.
    pub summary: &'v str,
    /// The commit that was looked at.
    pub head: &'v str,
    /// Claims and their sources.
    pub evidence: Vec<(&'v str, &'v str)>,
    /// What was looked for against it.
    pub counterevidence: Vec<&'v str>,
}

/// A gate and what became of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Gate<'v> {
    /// Such as `lint`.
    pub id: &'v str,
    /// `pass`, `fail`, `missing-command`, `not-applicable` or `timeout`.
    pub status: &'v str,
    /// A word that says why; none of a gate that passed.
    pub reason: Option<&'v str>,
    /// The same in somebody's words.
    pub detail: Option<&'v str>,
    /// Exit status of the command.
    pub exit: Option<i64>,
    /// The file that shows it.
    pub evidence: &'v str,
}

/// The pass of a reviewer.
#[derive(Debug, PartialEq, Eq)]
pub struct Pass<'v> {
    /// The reviewer's label.
    pub role: &'v str,
    /// `attested`, `recorded`, `substituted` or `none`.
    pub level: &'v str,
}

/// What is left to do.
#[derive(Debug, PartialEq, Eq)]
pub struct Remaining<'v> {
    /// Its id.
    pub id: &'v str,
    /// What it is.
    pub item: &'v str,
    /// Whose it is.
    pub owner: &'v str,
    /// What is done next.
    pub next: &'v str,
}

/// The document in a text.
///
/// # Errors
///
/// `bad-handoff` for what is no JSON.
pub fn document(text: &str) -> Result<Value, Failure> {
    Value::read(text).map_err(|fault| Failure::new("bad-handoff", fault))
}

impl<'v> Handoff<'v> {
    /// Understands a document.
    ///
    /// # Errors
    ///
    /// `unknown-report` for another document, `unknown-presentation` for a layout that is not known here, `bad-handoff` for a hand-off that lacks
    /// something.
    pub fn of(document: &'v Value) -> Result<Self, Failure> {
        let missing = Cell::new(None);
        let whole = Part::whole(document, &missing);
        if whole.optional_text("skill") != Some("code-review") {
            return Err(Failure::new("unknown-report", "the document is no hand-off of a code review"));
        }
        let handoff = Self::read(whole);
        match (missing.get(), handoff) {
            (Some(key), _) => Err(Failure::new("bad-handoff", ["`", key, "` is missing or of another kind"].concat())),
            (None, None) => Err(Failure::new("unknown-presentation", "the hand-off has no layout here").hint("use a newer renderer")),
            (None, Some(handoff)) => Ok(handoff),
        }
    }

    /// Nothing for a presentation that is not known.
    fn read(whole: Part<'v, '_>) -> Option<Self> {
        let outcome = whole.member("outcome");
        let ending = match (whole.integer("presentation_version"), whole.text("branch")) {
            (Some(ASSESSED), "assessed") => Ending::Assessed(Box::new(Assessed::of(whole, None))),
            (Some(ASSESSED), "caller-contract") => {
                let answer = whole.member("caller_contract").text("output");
                Ending::Assessed(Box::new(Assessed::of(whole, Some(answer))))
            }
            (Some(TERMINAL), "unavailable") => {
                let terminal = whole.member("terminal");
                Ending::Unavailable { explanation: terminal.text("explanation"), diagnostic: terminal.text("diagnostic") }
            }
            (Some(TERMINAL), "closed") => Ending::Closed(Box::new(Closed::of(whole.member("terminal")))),
            _ => return None,
        };
        Some(Self {
            title: outcome.text("title"),
            summary: outcome.text("summary"),
            status: whole.text("result_status"),
            ending,
            gates: whole.each("verification", Gate::of),
            passes: whole.each("reviewer_evidence", Pass::of),
            remaining: whole.each("remaining", Remaining::of),
            confidence: Confidence::of(whole.member("confidence")),
            artifacts: whole.each("artifacts", |artifact| (artifact.text("label"), artifact.text("path"))),
            report_path: whole.text("report_path"),
        })
    }

    /// No gate says anything about this review.
    pub fn is_unchecked(&self) -> bool {
        self.gates.iter().all(|gate| gate.status == "not-applicable")
    }
}

impl<'v> Assessed<'v> {
    fn of(whole: Part<'v, '_>, answer: Option<&'v str>) -> Self {
        let (mut snapshot, mut actions) = (None, None);
        for table in whole.each("tables", |table| table) {
            match table.text("title") {
                ACTIONS => actions = Some(table.each("rows", Action::of)),
                title => snapshot = Some(Snapshot::of(title, table)),
            }
        }
        if snapshot.is_none() {
            whole.miss("tables");
        }
        let summary = whole.member("outcome").text("summary");
        let verdict = summary.strip_prefix("Recommendation: ").and_then(|rest| rest.strip_suffix('.')).and_then(Verdict::of);
        if verdict.is_none() {
            whole.miss("summary");
        }
        Self { verdict: verdict.unwrap_or(Verdict::NoJudgment), snapshot: snapshot.unwrap_or_default(), actions, answer }
    }
}

impl<'v> Closed<'v> {
    fn of(part: Part<'v, '_>) -> Self {
        Self {
            code: part.text("code"),
            summary: part.text("summary"),
            head: part.text("head_sha"),
            evidence: part.each("evidence", |one| (one.text("claim"), one.text("source"))),
            counterevidence: part.texts("counterevidence_checked"),
        }
    }
}

impl<'v> Gate<'v> {
    fn of(part: Part<'v, '_>) -> Self {
        Self {
            id: part.text("check"),
            status: part.text("status"),
            reason: part.optional_text("reason"),
            detail: part.optional_text("detail"),
            exit: part.integer("command_exit"),
            evidence: part.text("evidence"),
        }
    }

    /// Why it is what it is: the reason and exit status of a failure, the words of who left it out; nothing of a gate that says it all.
    pub fn why(&self) -> Option<String> {
        match self.status {
            "fail" => {
                let exit = self.exit.map(|exit| [", exit ", &exit.to_string()].concat()).unwrap_or_default();
                Some([self.reason.unwrap_or_default(), &exit].concat())
            }
            "missing-command" => self.reason.map(str::to_owned),
            "not-applicable" => self.detail.map(str::to_owned),
            _ => None,
        }
    }
}

impl<'v> Pass<'v> {
    fn of(part: Part<'v, '_>) -> Self {
        Self { role: part.text("role"), level: part.text("evidence_level") }
    }
}

impl<'v> Remaining<'v> {
    fn of(part: Part<'v, '_>) -> Self {
        Self { id: part.text("row_id"), item: part.text("item"), owner: part.text("owner"), next: part.text("next_action") }
    }
}

/// A role without the suffix of substitutes.
pub fn person(label: &str) -> &str {
    label.strip_suffix(SUBSTITUTE).unwrap_or(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_named_without_suffix() {
        assert_eq!(person("QA specialist (parent substitute)"), "QA specialist");
        assert_eq!(person("Main reviewer"), "Main reviewer");
    }
}
