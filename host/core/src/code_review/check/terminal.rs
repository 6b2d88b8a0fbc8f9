//! The step `terminal`: a review that ended early is exactly what its receipts, or its close decision, make of it (section 16).

use serde::Deserialize;
use serde_json::Value;

use super::render::first_difference;
use crate::{
    canonical::{artifact_bytes, read_strict},
    code_review::{
        codes::{self, Code},
        context::Context,
        gates::GATES_FILE,
        handoff::{Branch, HANDOFF_FILE},
        notes::NOTES_FILE,
        pull_request::export::PR_FILE,
        routing::RoutingFacts,
        run::{RUN_FILE, RunRecord},
        t0::{PATH_ROLES_FILE, PathRolesRecord},
        terminal::{CloseDecision, Ended, FORBIDDEN, FORBIDDEN_FOLDERS, Unavailable, closed, faults, own_key, unavailable},
        violation::{Sink, Violation},
        vocabulary::{Scope, Tier},
    },
};

const FINALIZE: &str = "finalize the run with --branch";

/// Checks the step.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let (Some(branch), Some(result)) = (context.terminal(), context.result.as_ref().map(crate::strict::Node::value)) else { return };
    let run: Option<RunRecord> = context.facts.image.bytes(RUN_FILE).and_then(|bytes| serde_json::from_slice(bytes).ok());
    let Some(run) = run else { return };
    let mut judge = Judge { context, result: &result, branch, sink };
    if run.scope != Scope::Pr {
        let message = "only the review of a pull request ends early";
        judge.refuse(&codes::TERMINAL_REVIEW_NON_PR_SCOPE, "/metadata/scope", message, "review the source");
    }
    judge.artifacts();
    let due = match branch {
        Branch::Closed => judge.closed(&run),
        _ => judge.unavailable(&run),
    };
    if let Some(due) = due {
        judge.compare(&due);
    }
}

struct Judge<'j, 'f> {
    context: &'j Context<'f>,
    result: &'j Value,
    branch: Branch,
    sink: &'j mut Sink,
}

impl Judge<'_, '_> {
    fn refuse(&mut self, code: &Code, pointer: &str, message: impl Into<String>, hint: &str) {
        let file = self.context.result_file.unwrap_or_default();
        self.sink.push(Violation::new(code, message, hint).at(file, pointer));
    }

    /// Nothing of a detailed review is in the run.
    fn artifacts(&mut self) {
        let image = self.context.facts.image;
        let checkout = (self.branch == Branch::Unavailable).then_some("local-checkout.json");
        let files = FORBIDDEN.into_iter().chain(checkout).filter(|path| image.has(path)).map(str::to_owned);
        let below = FORBIDDEN_FOLDERS.into_iter().flat_map(|folder| image.below(folder)).map(str::to_owned);
        for path in files.chain(below).collect::<Vec<_>>() {
            let message = format!("`{path}` is of a detailed review, and none took place");
            let violation = Violation::new(&codes::TERMINAL_REVIEW_FORBIDDEN_ARTIFACT, message, "start a new run, and end it early there");
            self.sink.push(violation.subject(&path).file(&path));
        }
    }

    fn unavailable(&mut self, run: &RunRecord) -> Option<Ended> {
        match Unavailable::of(self.context.facts.image) {
            Ok(known) => Some(unavailable(run, self.context.facts.run_path, &known)),
            Err(violation) => {
                self.sink.push(*violation);
                None
            }
        }
    }

    fn closed(&mut self, run: &RunRecord) -> Option<Ended> {
        let decision = match CloseDecision::deserialize(&self.result["metadata"]["close_decision"]) {
            Ok(decision) => decision,
            Err(error) => {
                let message = format!("the close decision cannot be read: {error}");
                self.refuse(&codes::CLOSED_REVIEW_DECISION_INVALID, "/metadata/close_decision", message, "write its nine fields");
                return None;
            }
        };
        self.open();
        let (pr, t0) = (self.context.pr.as_ref()?, self.context.t0.as_ref()?);
        let file = self.context.result_file.unwrap_or_default();
        let found = faults(&decision, pr).into_iter();
        self.sink.extend(found.map(|fault| {
            let key = fault.subject.clone().unwrap_or_default();
            let pointer = if self.result["metadata"]["close_decision"].get(&key).is_some() { format!("/{key}") } else { String::new() };
            fault.at(file, format!("/metadata/close_decision{pointer}"))
        }));
        let roles: Option<PathRolesRecord> =
            self.context.facts.image.bytes(PATH_ROLES_FILE).and_then(|bytes| read_strict(bytes, PATH_ROLES_FILE, "").ok());
        let tier = roles.map_or(Tier::Local, |roles| RoutingFacts::of(t0, &roles.paths).mechanical.tier);
        Some(closed(run, self.context.facts.run_path, tier, &decision))
    }

    /// A pull request that is not open has nothing to close.
    fn open(&mut self) {
        let record: Value =
            self.context.facts.image.bytes(PR_FILE).and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default();
        if record["state"] != "OPEN" {
            let violation = Violation::of(&codes::CLOSED_REVIEW_PR_STATE_NOT_OPEN, "the pull request is not open");
            self.sink.push(violation.at(PR_FILE, "/state"));
        }
    }

    fn compare(&mut self, due: &Ended) {
        let is_unavailable = self.branch == Branch::Unavailable;
        let status = if is_unavailable { &codes::UNAVAILABLE_REVIEW_STATUS_INVALID } else { &codes::INVALID_STATUS };
        let own =
            if is_unavailable { &codes::UNAVAILABLE_REVIEW_FAILURE_ARTIFACT_MISMATCH } else { &codes::CLOSED_REVIEW_DECISION_INVALID };
        let confidence = &codes::TERMINAL_CONFIDENCE_MISMATCH;
        let own_pointer = format!("/metadata/{}", own_key(self.branch));
        for (code, pointer) in [
            (status, "/status"),
            (&codes::TERMINAL_GATES_INVALID, "/checks_run"),
            (&codes::TERMINAL_GATES_INVALID, "/checks_failed"),
            (&codes::TERMINAL_REVIEW_HAS_FINDINGS, "/findings"),
            (confidence, "/confidence"),
            (confidence, "/metadata/confidence_gaps"),
            (confidence, "/metadata/confidence_gap_closures"),
            (confidence, "/metadata/confidence_recovery"),
            (&codes::INVALID_RISK_TIER, "/metadata/risk_tier"),
            (own, &own_pointer),
        ] {
            let (stated, due) = (self.result.pointer(pointer), due.result.pointer(pointer));
            if stated != due {
                let due = due.map(Value::to_string).unwrap_or_default();
                self.refuse(code, pointer, format!("the branch gives {due}"), FINALIZE);
            }
        }
        let notes = &codes::TERMINAL_NOTES_MISMATCH;
        self.file(notes, NOTES_FILE, due.notes.as_bytes());
        self.file(&codes::TERMINAL_GATES_INVALID, GATES_FILE, &artifact_bytes(&due.gates));
        self.file(&codes::HANDOFF_FIELDS_MISMATCH, HANDOFF_FILE, &artifact_bytes(&due.handoff));
    }

    /// The file has exactly these bytes.
    fn file(&mut self, code: &Code, path: &str, due: &[u8]) {
        let stated = self.context.facts.image.bytes(path);
        if stated == Some(due) {
            return;
        }
        let (message, line) = match stated {
            None => (format!("`{path}` is missing"), 1),
            Some(stated) => (format!("`{path}` is not what the branch gives"), first_difference(stated, due)),
        };
        self.sink.push(Violation::new(code, message, FINALIZE).subject(path).line(path, line));
    }
}
