//! The step `decision`: the verdict follows from findings, readiness and gates (CR-97 to CR-108, CR-223, CR-224).

use crate::{
    code_review::{
        candidate::Candidate,
        codes,
        codes::Code,
        confidence::{ClosureStatus, Confidence},
        context::Context,
        decision::{self, Decision, Words, are_too_light, cites_requirement, is_incoherent, mentions, names_gate},
        gates::{GateCheck, Gates},
        reading::Reading,
        t0::T0,
        violation::{Sink, Violation},
        vocabulary::{Disposition, Readiness, Severity, Status, Verdict},
    },
    strict::{Json, Node, quoted},
};

/// Reads the decision and holds it against what was found.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let Some(decision) = read(context, sink) else { return };
    if let (Some(readiness), Some(confidence), Some(gates), Some(t0)) =
        (context.readiness, &context.confidence, &context.gates, &context.t0)
    {
        Judge { context, decision: &decision, readiness, confidence, gates, t0, sink }.all();
    }
    context.decision = Some(decision);
}

fn read(context: &Context<'_>, sink: &mut Sink) -> Option<Decision> {
    let file = context.result_file.unwrap_or_default();
    let Some(node) = context.metadata().and_then(|metadata| metadata.get("review_decision")) else {
        let message = "the result has no `review_decision`";
        let violation = Violation::new(&codes::RESULT_MISSING_REVIEW_DECISION, message, "record recommendation, summary and rationale");
        sink.push(violation.at(file, "/metadata"));
        return None;
    };
    let mut reading = Reading::new(file, sink);
    let record = reading.exact(&codes::RESULT_MISSING_REVIEW_DECISION, node, &["recommendation", "summary", "rationale"])?;
    let recommendation = match record.get("recommendation") {
        Some(Node { json: Json::Null, .. }) => Some(None),
        node => reading.word(&codes::INVALID_REVIEW_RECOMMENDATION, node, Verdict::WORDS).map(Some),
    };
    let summary = reading.text(&codes::REVIEW_DECISION_TEXT_MISSING, record.get("summary"));
    let rationale = reading.text(&codes::REVIEW_DECISION_TEXT_MISSING, record.get("rationale"));
    Some(Decision { recommendation: recommendation?, summary: summary?, rationale: rationale? })
}

struct Judge<'j, 'f> {
    context: &'j Context<'f>,
    decision: &'j Decision,
    readiness: Readiness,
    confidence: &'j Confidence,
    gates: &'j Gates,
    t0: &'j T0,
    sink: &'j mut Sink,
}

const RATIONALE: &str = "/metadata/review_decision/rationale";
const RECOMMENDATION: &str = "/metadata/review_decision/recommendation";

impl Judge<'_, '_> {
    fn all(&mut self) {
        self.status();
        self.failures_are_validated();
        match self.decision.recommendation {
            Some(verdict) => self.verdict(verdict),
            None => self.no_judgment(),
        }
    }

    fn refuse(&mut self, code: &Code, pointer: &str, subject: Option<&str>, message: impl Into<String>, hint: &str) {
        let mut violation = Violation::new(code, message, hint).at(self.context.result_file.unwrap_or_default(), pointer);
        violation.subject = subject.map(str::to_owned);
        self.sink.push(violation);
    }

    /// The status that the records determine (CR-108, CR-224).
    fn status(&mut self) {
        let expected = self.derived_status();
        if self.context.status != Some(expected) {
            let message = format!("gates, findings, readiness and confidence make the status `{expected}`");
            self.refuse(&codes::RESULT_STATUS_CONFLICT, "/status", None, message, &format!("write `{expected}`"));
        }
    }

    fn derived_status(&self) -> Status {
        decision::status(self.gates, &self.context.findings, self.readiness, self.confidence.hundredths)
    }

    /// A red behavioural check is a claim before it is anything else (CR-103).
    fn failures_are_validated(&mut self) {
        for gate in self.behavioral_failures() {
            if !self.context.candidates.iter().any(|candidate| claims_gate(candidate, &gate)) {
                let message = format!("the {gate} gate ran and failed, and no candidate claims what that shows");
                let hint = format!("record a candidate whose `check` or `confirmation_evidence` has gate:{gate}");
                let code = &codes::REVIEW_BEHAVIORAL_FAILURE_UNVALIDATED;
                self.refuse(code, "/metadata/review_validation/candidates", Some(&gate), message, &hint);
            }
        }
    }

    fn behavioral_failures(&self) -> Vec<String> {
        let failed = self.gates.checks.iter().filter(|check| check.ran_and_failed() && self.is_behavioral(check));
        failed.map(|check| check.id.clone()).collect()
    }

    fn is_behavioral(&self, check: &GateCheck) -> bool {
        let configured = self.t0.config.code_review.gates.get(&check.id).and_then(|gate| gate.behavioral);
        check.id == "tests" || configured == Some(true)
    }

    fn verdict(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::AcceptAsIs => self.acceptance(),
            Verdict::MinorChanges => self.minor(),
            _ => self.change(verdict),
        }
        if verdict.is_approving() && self.context.status != Some(Status::Pass) {
            self.approval_of_a_failure(verdict);
        }
        if verdict != Verdict::AcceptAsIs && self.context.findings.is_empty() && self.context.blockers.is_empty() {
            let message = format!("`{verdict}` asks for a change, and there is neither a finding nor a blocker");
            let code = &codes::REVIEW_CHANGE_VERDICT_WITHOUT_ACTIONS;
            self.refuse(code, RECOMMENDATION, None, message, "record what has to change, or choose the verdict that the records support");
        }
        self.coherence(verdict);
    }

    /// Nothing has to change (CR-100).
    fn acceptance(&mut self) {
        if !self.context.findings.is_empty() {
            let message = format!("`accept-as-is` stands beside {} findings", self.context.findings.len());
            self.refuse(&codes::REVIEW_ACCEPT_WITH_FINDINGS, RECOMMENDATION, None, message, "choose the verdict that the findings ask for");
        }
        if self.context.assessments.iter().any(|assessment| assessment.rating.is_none()) {
            let message = "`accept-as-is` stands beside an assessment that could not decide its scope";
            let code = &codes::REVIEW_ACCEPT_WITH_UNDECIDABLE_SCOPE;
            self.refuse(code, RECOMMENDATION, None, message, "settle the scope, or give no judgment");
        }
        if self.readiness == Readiness::Incomplete {
            let code = &codes::REVIEW_ACCEPT_WITH_INCOMPLETE_VERIFICATION;
            self.refuse(code, RECOMMENDATION, None, "`accept-as-is` stands beside feasible work that is left", "do the work first");
        }
        if self.readiness == Readiness::Complete && self.derived_status() != Status::Pass {
            let message = format!("verification is `complete`, and the status is `{}`{}", self.derived_status(), self.low_confidence());
            let code = &codes::REVIEW_ACCEPT_WITHOUT_PASS;
            self.refuse(code, "/status", None, message, "an unconditional approval needs a status of `pass`; else say what blocks it");
        }
        self.open_candidates_are_explained();
    }

    /// Bounded corrections (CR-101).
    fn minor(&mut self) {
        let rationale = Words::of(&self.decision.rationale);
        for finding in &self.context.findings {
            if finding.severity == Severity::Critical {
                let message = format!("`minor-changes` stands beside the critical finding {}", quoted(&finding.id));
                self.refuse(
                    &codes::REVIEW_MINOR_WITH_CRITICAL_FINDING,
                    RECOMMENDATION,
                    Some(&finding.id),
                    message,
                    "a critical defect is no minor change",
                );
            } else if finding.severity == Severity::High && !rationale.mention(&finding.id) {
                let message = format!("the rationale does not say why the high finding {} is minor", quoted(&finding.id));
                self.refuse(&codes::REVIEW_MINOR_HIGH_UNNAMED, RATIONALE, Some(&finding.id), message, "name it and why it is bounded");
            }
        }
    }

    /// Material work, and what shows it (CR-105).
    fn change(&mut self, verdict: Verdict) {
        let rationale = &self.decision.rationale;
        let words = Words::of(rationale);
        let cited: Vec<_> = self.context.findings.iter().filter(|finding| words.mention(&finding.id)).collect();
        let requirement = cites_requirement(rationale);
        let supported = if verdict == Verdict::NeedsMoreWork { !cited.is_empty() } else { !cited.is_empty() || requirement };
        let binding = requirement || cited.iter().any(|finding| finding.evidence.iter().any(|evidence| cites_requirement(evidence)));
        if !supported {
            let what = if verdict == Verdict::NeedsMoreWork { "a finding" } else { "a finding or a requirement (`req:<path>:<line>`)" };
            let message = format!("the rationale of `{verdict}` cites no {}", what.trim_start_matches("a "));
            self.refuse(&codes::REVIEW_VERDICT_UNCITED, RATIONALE, None, message, "name what carries the verdict");
        }
        if verdict == Verdict::Reject && !binding {
            let message = "`reject` cites no requirement, neither itself nor in a finding that it cites";
            let hint = "cite it as req:<path>:<line> or req:<https URL>";
            self.refuse(&codes::REVIEW_REJECT_WITHOUT_REQUIREMENT, RATIONALE, None, message, hint);
        }
    }

    /// An approval whose checks did not all pass says why (CR-102, CR-223).
    fn approval_of_a_failure(&mut self, verdict: Verdict) {
        let claimed = |check: &GateCheck| {
            verdict == Verdict::MinorChanges
                && self
                    .context
                    .findings
                    .iter()
                    .any(|finding| finding.evidence.iter().any(|text| mentions(text, &format!("gate:{}", check.id))))
        };
        let failing: Vec<GateCheck> = self.gates.checks.iter().filter(|check| check.is_failing_or_absent()).cloned().collect();
        let executed_are_claimed = failing.iter().filter(|check| check.ran_and_failed()).all(claimed);
        let unclaimed: Vec<&GateCheck> = failing.iter().filter(|check| !(check.ran_and_failed() && claimed(check))).collect();
        let by_claims = verdict == Verdict::MinorChanges && executed_are_claimed && self.confidence.hundredths >= 85;
        let refuted = |gate: &str| self.is_refuted(gate);
        let barred: Vec<String> = self.behavioral_failures().into_iter().filter(|gate| !refuted(gate)).collect();
        for gate in unclaimed.iter().map(|check| check.id.clone()).filter(|gate| !self.is_named(gate)).collect::<Vec<_>>() {
            let message = format!("the {gate} gate did not pass, and nothing names it");
            let hint = format!("write gate:{gate} in the rationale, a gap or the evidence of a finding");
            self.refuse(&codes::REVIEW_APPROVAL_GATE_UNNAMED, RATIONALE, Some(&gate), message, &hint);
        }
        if !by_claims && (self.readiness != Readiness::Blocked || !barred.is_empty()) {
            self.approval_is_barred(verdict, &barred);
        }
    }

    fn approval_is_barred(&mut self, verdict: Verdict, barred: &[String]) {
        let message = if barred.is_empty() {
            let status = self.derived_status();
            format!("`{verdict}` with the status `{status}` needs readiness `blocked`, not `{}`{}", self.readiness, self.low_confidence())
        } else {
            format!("`{verdict}` stands beside a failed behavioural check: {}", barred.join(", "))
        };
        let hint = "refute the failure or record it as a finding; name what is unavailable and set readiness `blocked`";
        self.refuse(&codes::REVIEW_APPROVAL_WITH_FAILED_GATES, RECOMMENDATION, barred.first().map(String::as_str), message, hint);
    }

    fn low_confidence(&self) -> &'static str {
        if self.confidence.hundredths < 85 { "; below a confidence of 0.85 no approval is complete" } else { "" }
    }

    /// A failure that was there before the change, or is fixed: a closed candidate names the gate, and a gap keeps it open (CR-223).
    fn is_refuted(&self, gate: &str) -> bool {
        let closed = |candidate: &Candidate| {
            matches!(candidate.disposition, Some(Disposition::Refuted | Disposition::AlreadyFixed)) && claims_gate(candidate, gate)
        };
        let gap =
            self.confidence.closures.iter().any(|closure| closure.status == ClosureStatus::Unresolved && names_gate(&closure.gap, gate));
        self.readiness == Readiness::Blocked && gap && self.context.candidates.iter().any(closed)
    }

    /// Rationale, gaps and canonical evidence may name a gate (CR-104).
    fn is_named(&self, gate: &str) -> bool {
        let findings = self.context.findings.iter().flat_map(|finding| &finding.evidence);
        let blockers = self.context.blockers.iter().flat_map(|blocker| &blocker.evidence);
        let texts = [&self.decision.rationale].into_iter().chain(&self.confidence.gaps).chain(findings).chain(blockers);
        texts.into_iter().any(|text| names_gate(text, gate))
    }

    /// Nobody could judge, and the records say why (CR-106, CR-223).
    fn no_judgment(&mut self) {
        let undecided = self.context.assessments.iter().any(|assessment| assessment.rating.is_none());
        let open = self.context.candidates.iter().any(Candidate::is_open);
        let unfinished = self.context.candidates.iter().any(|candidate| candidate.disposition.is_none());
        if self.readiness != Readiness::Blocked || unfinished || !(undecided || open) {
            let message = "no judgment needs readiness `blocked`, no feasible work left, and an undecidable scope or an open candidate";
            let code = &codes::REVIEW_NULL_VERDICT_UNSUPPORTED;
            self.refuse(code, RECOMMENDATION, None, message, "choose a verdict, or record the question that stays undecidable");
        }
        self.open_candidates_are_explained();
    }

    fn open_candidates_are_explained(&mut self) {
        let rationale = Words::of(&self.decision.rationale);
        for candidate in self.context.candidates.iter().filter(|candidate| candidate.is_open()) {
            if !rationale.mention(&candidate.id) {
                let message = format!("the rationale does not mention the open candidate {}", quoted(&candidate.id));
                let hint = "say why it does not prevent the judgment, or why it does";
                self.refuse(&codes::REVIEW_OPEN_CANDIDATE_NOT_EXPLAINED, RATIONALE, Some(&candidate.id), message, hint);
            }
        }
    }

    /// Warnings for the reader (CR-107).
    fn coherence(&mut self, verdict: Verdict) {
        for assessment in self.context.assessments.iter().filter(|assessment| is_incoherent(assessment, verdict)) {
            let rating = assessment.rating.map_or_else(|| "none".to_owned(), |rating| rating.to_string());
            let message = format!("{} rates {rating}, and the verdict is `{verdict}`", quoted(&assessment.role));
            let code = &codes::REVIEW_RATING_VERDICT_INCOHERENT;
            self.refuse(code, RECOMMENDATION, Some(&assessment.role), message, "explain the disagreement in the rationale");
        }
        if are_too_light(&self.context.findings, verdict) {
            let message = format!("`{verdict}` stands on low findings alone");
            let hint = "explain their joint effect, or lower the verdict";
            self.refuse(&codes::REVIEW_SEVERITY_VERDICT_INCOHERENT, RECOMMENDATION, None, message, hint);
        }
    }
}

fn claims_gate(candidate: &Candidate, gate: &str) -> bool {
    let word = format!("gate:{gate}");
    mentions(&candidate.check, &word) || mentions(&candidate.confirmation_evidence, &word)
}

#[cfg(test)]
mod tests;
