//! The step `handoff`: the hand-off is whole, follows the branch of its result, and holds together (CR-149 to CR-158).

#[cfg(test)]
pub(in crate::code_review) mod case;
mod lists;
mod rows;
#[cfg(test)]
mod tests;

use crate::{
    code_review::{
        codes,
        codes::Code,
        context::Context,
        handoff::{Branch, HANDOFF_FILE, Handoff, Outcome, SKILL, Terminal, read},
        notes::NOTES_FILE,
        run::{RUN_FILE, RunRecord},
        violation::{Sink, Violation},
        vocabulary::Verdict,
    },
    strict::{Node, quoted},
};

/// Reads the hand-off and holds it against itself and the result.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let Some(handoff) = read(context.facts.image.bytes(HANDOFF_FILE), sink) else { return };
    let run = context.facts.image.bytes(RUN_FILE).and_then(|bytes| serde_json::from_slice(bytes).ok());
    let mut judge = Judge { context, handoff: &handoff, run, sink };
    judge.identity();
    judge.branch();
    judge.outcome();
    judge.caller_contract();
    judge.report_path();
    judge.tables();
    judge.sources();
    judge.remaining();
    judge.artifacts();
    context.handoff = Some(handoff);
}

struct Judge<'j, 'f> {
    context: &'j Context<'f>,
    handoff: &'j Handoff,
    run: Option<RunRecord>,
    sink: &'j mut Sink,
}

impl Judge<'_, '_> {
    fn refuse(&mut self, code: &Code, pointer: impl Into<String>, message: impl Into<String>, hint: impl Into<String>) {
        self.sink.push(Violation::new(code, message, hint).at(HANDOFF_FILE, pointer));
    }

    fn refuse_of(&mut self, code: &Code, subject: &str, pointer: impl Into<String>, message: impl Into<String>, hint: impl Into<String>) {
        self.sink.push(Violation::new(code, message, hint).subject(subject).at(HANDOFF_FILE, pointer));
    }

    fn identity(&mut self) {
        let handoff = self.handoff;
        if handoff.schema_version != 1 {
            self.refuse(&codes::HANDOFF_FIELDS_MISMATCH, "/schema_version", "the hand-off is of another schema", "write 1");
        }
        if handoff.skill != SKILL {
            self.refuse(&codes::HANDOFF_FIELDS_MISMATCH, "/skill", "the hand-off is not of a code review", format!("write `{SKILL}`"));
        }
        let due = handoff.branch.presentation();
        if handoff.presentation_version != due {
            let message = format!("the branch `{}` is not shown in presentation {}", handoff.branch.as_str(), handoff.presentation_version);
            self.refuse(&codes::HANDOFF_PRESENTATION_VERSION_INVALID, "/presentation_version", message, format!("write {due}"));
        }
    }

    /// A result that ended early names its branch; a caller who asked for a format gets it (CR-158).
    fn branch(&mut self) {
        let status = self.context.metadata().and_then(|metadata| metadata.get("review_status")).and_then(Node::text);
        let asked = self.run.as_ref().is_some_and(|run| run.caller_contract.is_some());
        let due = match status {
            Some("unavailable") => Branch::Unavailable,
            Some("closed") => Branch::Closed,
            _ if asked => Branch::CallerContract,
            _ => Branch::Assessed,
        };
        if self.handoff.branch != due {
            let message = format!("the result of this run follows the branch `{}`", due.as_str());
            self.refuse(&codes::HANDOFF_BRANCH_INVALID, "/branch", message, format!("write `{}`", due.as_str()));
        }
        let is_terminal = self.handoff.branch.is_terminal();
        if self.handoff.terminal.is_some() != is_terminal {
            let (message, hint) = match is_terminal {
                true => ("why the review ended early is missing", "write the record of the branch"),
                false => ("a review that judged the source did not end early", "write null"),
            };
            self.refuse(&codes::HANDOFF_FIELDS_MISMATCH, "/terminal", message, hint);
        }
    }

    fn outcome(&mut self) {
        let Some(due) = self.canonical_outcome() else { return };
        if self.handoff.outcome != due {
            let message = "the outcome is not the one that the result gives";
            let hint = format!("write the title {} and the summary {}", quoted(&due.title), quoted(&due.summary));
            self.refuse(&codes::HANDOFF_OUTCOME_NOT_CANONICAL, "/outcome", message, hint);
        }
    }

    /// Fixed words around the verdict or code; a verdict that is none is a matter of the decision.
    fn canonical_outcome(&self) -> Option<Outcome> {
        let outcome = |title: &str, summary: String| Outcome { title: title.to_owned(), summary };
        match &self.handoff.terminal {
            Some(Terminal::Unavailable { code, .. }) => Some(outcome("PR Review Availability: unavailable", format!("Reason: {code}."))),
            Some(Terminal::Closed { code, .. }) => Some(outcome("Review Decision: close", format!("Close code: {code}."))),
            None => {
                let stated = self.context.metadata()?.get("review_decision")?.get("recommendation")?;
                let verdict = stated.text().map(Verdict::parse);
                if verdict == Some(None) { None } else { Some(Outcome::assessed(verdict.flatten())) }
            }
        }
    }

    fn caller_contract(&mut self) {
        let asked = self.run.as_ref().and_then(|run| run.caller_contract.as_ref());
        let code = &codes::HANDOFF_CALLER_CONTRACT_INVALID;
        match (&self.handoff.caller_contract, self.handoff.branch == Branch::CallerContract) {
            (None, false) => {}
            (None, true) => {
                self.refuse(code, "/caller_contract", "the answer to the caller is missing", "write format, evidence and output")
            }
            (Some(_), false) => self.refuse(code, "/caller_contract", "the branch has no answer to a caller", "write null"),
            (Some(answer), true) => {
                let is_same = asked.is_some_and(|asked| asked.format == answer.format && asked.evidence == answer.evidence);
                if !is_same {
                    let message = "format and evidence are not what the caller asked for";
                    self.refuse(code, "/caller_contract", message, format!("copy them from `{RUN_FILE}`"));
                }
            }
        }
    }

    /// The notes of a run, wherever it lay when it was handed over (CR-209).
    fn report_path(&mut self) {
        let path = &self.handoff.report_path;
        let is_absolute = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
        if !is_absolute || !path.ends_with(&format!("/{NOTES_FILE}")) {
            let message = "this is not the absolute path of the notes";
            let hint = format!("write the path of `{NOTES_FILE}` in the run");
            self.refuse_of(&codes::HANDOFF_ARTIFACTS_INVALID, "report_path", "/report_path", message, hint);
        }
    }
}
