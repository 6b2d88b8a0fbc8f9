//! The step `candidates`: every claim has one record, a disposition with what it asks for, and a readiness that follows (CR-73 to CR-80).

mod records;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    code_review::{
        candidate::{Candidate, FIELDS, MAX_CANDIDATES},
        codes,
        codes::Code,
        confidence::ClosureStatus,
        context::Context,
        reading::Reading,
        violation::Sink,
        vocabulary::{Disposition, Readiness, Severity, Status, Verdict},
    },
    strict::{Json, Node, quoted},
};

/// The retained files that a claim may be bound to (CR-76).
const SOURCES: [&str; 4] = ["local-source/source-snapshot.json", "batch-inventory.json", "inspection-plan.json", "direct-plan.json"];

/// Reads `review_validation` and its candidates.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let Some(metadata) = context.metadata() else { return };
    let file = context.result_file.unwrap_or_default();
    let mut reading = Reading::new(file, sink);
    marker(&mut reading, metadata);
    let Some(node) = metadata.get("review_validation") else {
        let hint = "record every claim in `review_validation.candidates`";
        reading.refuse(&codes::REVIEW_VALIDATION_MISSING, &metadata.at, None, "the result has no `review_validation`", hint);
        return;
    };
    let code = &codes::REVIEW_VALIDATION_FIELDS_INVALID;
    let keys = ["schema_version", "source_rating_version", "source_verdict", "verification_readiness", "candidates"];
    let Some(validation) = reading.exact(code, node, &keys) else { return };
    for key in ["schema_version", "source_rating_version"] {
        version(&mut reading, code, validation.get(key), 1);
    }
    let verdict = source_verdict(&mut reading, metadata, validation.get("source_verdict"));
    let readiness = reading.word(code, validation.get("verification_readiness"), Readiness::WORDS);
    let nodes = reading.elements(code, validation.get("candidates"));
    if nodes.len() > MAX_CANDIDATES {
        reading.refuse(code, &node.at, None, format!("{} candidates are more than {MAX_CANDIDATES}", nodes.len()), "split the review");
    }
    let candidates: Vec<(&Node, Candidate)> = nodes.iter().filter_map(|node| Some((node, candidate(&mut reading, node)?))).collect();
    let mut ids = BTreeSet::new();
    for (node, candidate) in &candidates {
        if !ids.insert(&candidate.id) {
            let message = format!("another candidate has the id {}", quoted(&candidate.id));
            reading.refuse(&codes::REVIEW_CANDIDATE_ID_DUPLICATE, &node.at, Some(&candidate.id), message, "give each claim its own id");
        }
        Claim { context, node, candidate, reading: &mut reading }.all();
    }
    records::check(context, &candidates, file, sink);
    let mut reading = Reading::new(file, sink);
    if candidates.len() == nodes.len() {
        confirmed_are_findings(context, &mut reading, node, &candidates);
    }
    if let Some(readiness) = readiness {
        follows(context, &mut reading, node, readiness, &candidates);
    }
    let candidates = candidates.into_iter().map(|(_, candidate)| candidate).collect();
    (context.verdict, context.readiness, context.candidates) = (verdict, readiness, candidates);
}

/// The marker of the record family: an integer 2, and nothing that looks like it (CR-73).
fn marker(reading: &mut Reading<'_>, metadata: &Node) {
    version(reading, &codes::REVIEW_FINDING_RECORDS_VERSION_INVALID, metadata.get("finding_records_version"), 2);
}

fn version(reading: &mut Reading<'_>, code: &Code, node: Option<&Node>, expected: u64) {
    let Some(node) = node else { return };
    if !matches!(&node.json, Json::Number(text) if *text == expected.to_string()) {
        reading.refuse(code, &node.at, None, format!("the integer {expected} is due here"), format!("write {expected}"));
    }
}

/// The verdict is the decision's (CR-73).
fn source_verdict(reading: &mut Reading<'_>, metadata: &Node, node: Option<&Node>) -> Option<Option<Verdict>> {
    let node = node?;
    let verdict = match &node.json {
        Json::Null => Some(None),
        _ => reading.word(&codes::INVALID_REVIEW_RECOMMENDATION, Some(node), Verdict::WORDS).map(Some),
    };
    let recommended = metadata.get("review_decision").and_then(|decision| decision.get("recommendation"));
    if recommended.is_some_and(|recommended| recommended.value() != node.value()) {
        let message = "`source_verdict` is not the recommendation of `review_decision`";
        reading.refuse(&codes::REVIEW_VALIDATION_VERDICT_MISMATCH, &node.at, None, message, "write the same verdict in both places");
    }
    verdict
}

fn candidate(reading: &mut Reading<'_>, node: &Node) -> Option<Candidate> {
    let (fields, missing) = (&codes::REVIEW_CANDIDATE_FIELDS_INVALID, &codes::REVIEW_CANDIDATE_TEXT_MISSING);
    let record = reading.exact(fields, node, &FIELDS)?;
    let severity = reading.word(fields, record.get("severity"), Severity::WORDS);
    let disposition = match record.get("disposition") {
        Some(Node { json: Json::Null, .. }) => Some(None),
        node => reading.word(&codes::REVIEW_CANDIDATE_DISPOSITION_INVALID, node, Disposition::WORDS).map(Some),
    };
    let feasible_checks_complete = reading.boolean(fields, record.get("feasible_checks_complete"));
    let counterevidence = reading.texts(missing, record.get("counterevidence"));
    let limits = reading.texts(missing, record.get("limits"));
    let missing_prerequisite = reading.text_or_empty(missing, record.get("missing_prerequisite"));
    let mut text = |key: &str| reading.text(missing, record.get(key));
    let texts = ["id", "claim", "source_revision", "contract", "trigger", "confirmation_evidence", "falsification_evidence"].map(&mut text);
    let [id, claim, source_revision, contract, trigger, confirmation_evidence, falsification_evidence] = texts;
    let [check, result, environment, reason, owner, next_check, closure_condition] =
        ["check", "result", "environment", "reason", "owner", "next_check", "closure_condition"].map(text);
    Some(Candidate {
        id: id?,
        severity: severity?,
        claim: claim?,
        source_revision: source_revision?,
        contract: contract?,
        trigger: trigger?,
        confirmation_evidence: confirmation_evidence?,
        falsification_evidence: falsification_evidence?,
        counterevidence,
        check: check?,
        result: result?,
        environment: environment?,
        limits,
        disposition: disposition?,
        reason: reason?,
        feasible_checks_complete: feasible_checks_complete?,
        missing_prerequisite: missing_prerequisite?,
        owner: owner?,
        next_check: next_check?,
        closure_condition: closure_condition?,
    })
}

/// One claim by itself.
struct Claim<'c, 'f, 's> {
    context: &'c Context<'f>,
    node: &'c Node,
    candidate: &'c Candidate,
    reading: &'c mut Reading<'s>,
}

impl Claim<'_, '_, '_> {
    fn refuse(&mut self, code: &Code, key: &str, message: &str, hint: &str) {
        let at = self.node.get(key).map_or(&self.node.at, |node| &node.at);
        self.reading.refuse(code, at, Some(&self.candidate.id), message, hint);
    }

    fn all(&mut self) {
        self.revision();
        self.disposition();
        if self.candidate.is_open() && self.candidate.missing_prerequisite.trim().is_empty() {
            let code = match self.candidate.disposition {
                None => &codes::REVIEW_CANDIDATE_TEXT_MISSING,
                _ => &codes::REVIEW_CANDIDATE_PREREQUISITE_MISSING,
            };
            self.refuse(
                code,
                "missing_prerequisite",
                "an open candidate names what is missing",
                "name the prerequisite that prevents closure",
            );
        }
        if self.candidate.feasible_checks_complete == self.candidate.disposition.is_none() {
            let message = "`feasible_checks_complete` is false exactly while the disposition is null";
            let hint = "do the feasible checks and give a disposition, or say that they are left";
            self.refuse(&codes::REVIEW_CANDIDATE_FEASIBLE_CONFLICT, "feasible_checks_complete", message, hint);
        }
    }

    /// Bound to the verified head or to a retained file of this run (CR-76).
    fn revision(&mut self) {
        let revision = &self.candidate.source_revision;
        let head = self.context.pr.as_ref().is_some_and(|pull| revision.strip_prefix("head:") == Some(&pull.head_oid));
        let image = self.context.facts.image;
        let retained =
            SOURCES.iter().filter_map(|source| image.sha256(source)).any(|sha256| revision.strip_prefix("sha256:") == Some(sha256));
        if !head && !retained {
            let message = format!("{} is no revision of this run's source", quoted(revision));
            let hint = self.revisions();
            self.refuse(&codes::REVIEW_CANDIDATE_REVISION_UNBOUND, "source_revision", &message, &hint);
        }
    }

    /// What may stand there in this run.
    fn revisions(&self) -> String {
        let head = self.context.pr.as_ref().map(|pull| format!("head:{}", pull.head_oid));
        let digest = |source: &&str| Some(format!("sha256:{} of `{source}`", self.context.facts.image.sha256(source)?));
        let known: Vec<String> = head.into_iter().chain(SOURCES.iter().filter_map(digest)).collect();
        format!("write {}", known.join(", or "))
    }

    /// What each disposition asks for (CR-76).
    fn disposition(&mut self) {
        match self.candidate.disposition {
            Some(Disposition::Refuted) if self.candidate.counterevidence.is_empty() => {
                let code = &codes::REVIEW_CANDIDATE_REFUTED_WITHOUT_COUNTEREVIDENCE;
                let hint = "record what affirmatively speaks against the claim; a failed reproduction does not";
                self.refuse(code, "counterevidence", "a refuted claim has no counterevidence", hint);
            }
            Some(Disposition::AlreadyFixed) if !self.candidate.names_two_identities() => {
                let message = "`check` and `result` do not name two different states";
                let hint = "name the original and the fixing commit, or their digests, in full";
                self.refuse(&codes::REVIEW_CANDIDATE_FIX_IDENTITY_MISSING, "result", message, hint);
            }
            _ => {}
        }
    }
}

/// Confirmed claims are the findings, with the same severities (CR-76).
fn confirmed_are_findings(context: &Context<'_>, reading: &mut Reading<'_>, node: &Node, candidates: &[(&Node, Candidate)]) {
    let confirmed: BTreeMap<&str, Severity> = candidates
        .iter()
        .filter(|(_, candidate)| candidate.disposition == Some(Disposition::Confirmed))
        .map(|(_, candidate)| (candidate.id.as_str(), candidate.severity))
        .collect();
    let findings: BTreeMap<&str, Severity> = context.findings.iter().map(|finding| (finding.id.as_str(), finding.severity)).collect();
    let ids: BTreeSet<&str> = confirmed.keys().chain(findings.keys()).copied().collect();
    for id in ids {
        let message = match (confirmed.get(id), findings.get(id)) {
            (Some(claimed), Some(found)) if claimed == found => continue,
            (Some(claimed), Some(found)) => format!("{} is {claimed} as a candidate and {found} as a finding", quoted(id)),
            (Some(_), None) => format!("the confirmed candidate {} has no finding", quoted(id)),
            (None, _) => format!("the finding {} has no confirmed candidate", quoted(id)),
        };
        let hint = "confirmed candidates and findings have the same ids and severities";
        reading.refuse(&codes::REVIEW_CANDIDATE_CONFIRMED_SET_MISMATCH, &node.at, Some(id), message, hint);
    }
}

/// Readiness follows from what is open (CR-77).
fn follows(context: &Context<'_>, reading: &mut Reading<'_>, node: &Node, readiness: Readiness, candidates: &[(&Node, Candidate)]) {
    let at = node.get("verification_readiness").map_or(&node.at, |node| &node.at);
    let unfinished = candidates.iter().any(|(_, candidate)| candidate.disposition.is_none());
    let unverified = candidates.iter().any(|(_, candidate)| candidate.disposition == Some(Disposition::Unverified));
    let undecided = context.assessments.iter().any(|assessment| assessment.rating.is_none());
    let closures = context.confidence.iter().flat_map(|confidence| &confidence.closures);
    let gap = closures.into_iter().any(|closure| closure.status != ClosureStatus::Closed);
    let conflict = match readiness {
        _ if unfinished && readiness != Readiness::Incomplete => Some("a candidate without a disposition makes verification `incomplete`"),
        Readiness::Complete if unverified => Some("an unverified candidate keeps verification from being `complete`"),
        Readiness::Complete if undecided => Some("an undecidable scope keeps verification from being `complete`"),
        Readiness::Blocked if !(unverified || undecided || gap) => Some("nothing that is open makes verification `blocked`"),
        _ => None,
    };
    if let Some(conflict) = conflict {
        let hint = "let readiness follow from the candidates, ratings and gaps";
        reading.refuse(&codes::REVIEW_VALIDATION_READINESS_CONFLICT, at, None, conflict, hint);
    }
    let open = candidates.iter().any(|(_, candidate)| candidate.is_open());
    if context.status == Some(Status::Pass) && (open || readiness != Readiness::Complete) {
        let message = "a result does not pass while verification is open";
        reading.refuse(&codes::REVIEW_OPEN_VERIFICATION_PASS, at, None, message, "write the status `fail`, or close what is open");
    }
}
