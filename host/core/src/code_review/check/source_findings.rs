//! The step `source-findings`: every original is in the ledger as it was, and reaches one candidate that keeps it (CR-92 to CR-96, CR-222).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{
    code_review::{
        candidate::Candidate,
        codes,
        codes::Code,
        context::Context,
        evidence::{Place, place},
        finding::Finding,
        response::{Original, Response},
        source_finding::{Reconciliation, SourceFinding, duplicates, ledger, payload},
        violation::{Sink, Violation},
        vocabulary::{Disposition, SUBSTITUTE_SUFFIX},
    },
    strict::quoted,
};

/// Compares ledger, duplicates, mapping and reconciliation.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let (Some(manifest), Some(plan), Some(metadata)) = (&context.manifest, &context.plan, context.metadata()) else { return };
    let file = context.result_file.unwrap_or_default();
    let ledger = ledger(manifest, &context.responses, plan);
    let stated = |key: &str| metadata.get(key).map(crate::strict::Node::value).unwrap_or(Value::Null);
    let mapping = text_map(&stated("source_finding_mapping"));
    let well_formed = mapping.is_some();
    let mut ties = Ties { context, file, ledger: &ledger, mapping: mapping.unwrap_or_default(), sink };
    ties.same(&codes::SOURCE_FINDINGS_LEDGER_MISMATCH, "source_findings", &stated("source_findings"), serde_json::to_value(&ledger));
    let later = serde_json::to_value(duplicates(&ledger));
    ties.same(&codes::SOURCE_DUPLICATES_MISMATCH, "source_finding_duplicates", &stated("source_finding_duplicates"), later);
    let reconciliations = ties.reconciliations(&stated("source_finding_reconciliation"));
    ties.mapped(well_formed);
    ties.kept(&reconciliations);
    ties.shared(&reconciliations);
}

/// An object of texts.
fn text_map(value: &Value) -> Option<BTreeMap<String, String>> {
    let members = value.as_object()?.iter();
    members.map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
}

struct Ties<'t, 'f> {
    context: &'t Context<'f>,
    file: &'t str,
    ledger: &'t [SourceFinding],
    /// Candidate ids by `finding_id`.
    mapping: BTreeMap<String, String>,
    sink: &'t mut Sink,
}

impl Ties<'_, '_> {
    fn refuse(&mut self, code: &Code, key: &str, subject: &str, message: impl Into<String>, hint: &str) {
        let violation = Violation::new(code, message, hint).subject(subject).at(self.file, format!("/metadata/{key}"));
        self.sink.push(violation);
    }

    fn same(&mut self, code: &Code, key: &str, stated: &Value, derived: Result<Value, serde_json::Error>) {
        if derived.ok().as_ref() != Some(stated) {
            let message = format!("`{key}` is not what the retained responses give");
            let violation = Violation::new(code, message, "copy it from the output of `code-review validate --manifest-only`");
            self.sink.push(violation.at(self.file, format!("/metadata/{key}")));
        }
    }

    fn candidate(&self, finding_id: &str) -> Option<&Candidate> {
        let id = self.mapping.get(finding_id)?;
        self.context.candidates.iter().find(|candidate| candidate.id == *id)
    }

    fn original(&self, finding_id: &str) -> Option<(&SourceFinding, &Original)> {
        let responses: Vec<&Response> = self.context.responses.iter().collect();
        let originals = responses.into_iter().flat_map(|response| &response.findings);
        self.ledger.iter().zip(originals).find(|(entry, _)| entry.finding_id == finding_id)
    }

    /// Every original has a candidate, and nothing else is mapped (CR-93).
    fn mapped(&mut self, well_formed: bool) {
        let key = "source_finding_mapping";
        if !well_formed {
            let message = "the mapping is no object of candidate ids by `finding_id`";
            let violation = Violation::new(&codes::SOURCE_FINDING_MAPPING_INCOMPLETE, message, "map each original to one candidate id");
            return self.sink.push(violation.at(self.file, format!("/metadata/{key}")));
        }
        let ids: Vec<String> = self.ledger.iter().map(|entry| entry.finding_id.clone()).collect();
        for id in ids.iter().filter(|id| self.candidate(id).is_none()).collect::<Vec<_>>() {
            let message = format!("{} is mapped to no candidate", quoted(id));
            self.refuse(&codes::SOURCE_FINDING_MAPPING_INCOMPLETE, key, id, message, "map each original to the candidate that judges it");
        }
        for id in self.mapping.keys().filter(|id| !ids.contains(id)).cloned().collect::<Vec<_>>() {
            let message = format!("{} is no original of this run", quoted(&id));
            self.refuse(&codes::SOURCE_FINDING_MAPPING_INCOMPLETE, key, &id, message, "remove the entry");
        }
    }

    /// A candidate without reconciliation says what its original says (CR-94).
    fn kept(&mut self, reconciliations: &BTreeMap<String, Reconciliation>) {
        let ids: Vec<String> = self.ledger.iter().map(|entry| entry.finding_id.clone()).collect();
        for id in ids {
            let (Some(candidate), Some((entry, original))) = (self.candidate(&id), self.original(&id)) else { continue };
            let (candidate, entry, original) = (candidate.clone(), entry.clone(), original.clone());
            let finding = self.context.findings.iter().find(|finding| finding.id == candidate.id).cloned();
            if !reconciliations.contains_key(&candidate.id)
                && let Some(what) = altered(&candidate, finding.as_ref(), &original)
            {
                let message = format!("{} changes the {what} of {}", quoted(&candidate.id), quoted(&id));
                let hint = "keep it, or reconcile: refute this candidate and record a new one";
                self.refuse(&codes::SOURCE_FINDING_ORIGINAL_ALTERED, "source_finding_mapping", &id, message, hint);
            }
            if let Some(finding) = finding {
                self.carried(&id, &entry, &original, &finding);
            }
        }
    }

    /// The finding carries the original's evidence and author.
    fn carried(&mut self, id: &str, entry: &SourceFinding, original: &Original, finding: &Finding) {
        let mut wanted = vec![entry.output_path.clone()];
        wanted.extend(original.evidence.iter().map(|cited| format!("{}:{}-{}", cited.path, cited.start_line, cited.end_line)));
        for text in wanted {
            if !finding.evidence.iter().any(|evidence| evidence.contains(&text)) {
                let message = format!("the finding {} drops `{text}` of {}", quoted(&finding.id), quoted(id));
                let code = &codes::SOURCE_FINDING_EVIDENCE_DROPPED;
                self.refuse(code, "review_findings", id, message, "keep the response and each cited place in its evidence");
            }
        }
        let label = entry.role.label();
        let is_author = |author: &String| author.strip_suffix(SUBSTITUTE_SUFFIX).unwrap_or(author).eq_ignore_ascii_case(&label);
        if !finding.authors.iter().any(is_author) {
            let message = format!("the finding {} drops its author {label}", quoted(&finding.id));
            self.refuse(&codes::SOURCE_FINDING_AUTHOR_DROPPED, "review_findings", id, message, "name every reviewer whose original it has");
        }
    }

    fn reconciliations(&mut self, stated: &Value) -> BTreeMap<String, Reconciliation> {
        let mut read = BTreeMap::new();
        if !stated.is_object() {
            let message = "the reconciliations are no object by candidate id";
            let violation = Violation::new(&codes::SOURCE_RECONCILIATION_INVALID, message, "write `{}` where nothing is reconciled");
            self.sink.push(violation.at(self.file, "/metadata/source_finding_reconciliation"));
        }
        for (candidate, value) in stated.as_object().into_iter().flatten() {
            let blank = |it: &Reconciliation| [&it.invariant, &it.rationale].iter().any(|text| text.trim().is_empty());
            match serde_json::from_value::<Reconciliation>(value.clone()) {
                Ok(it) if !blank(&it) && !it.evidence.is_empty() && !it.origins.is_empty() => {
                    read.insert(candidate.clone(), it);
                }
                _ => self.invalid(candidate, "it needs exactly `invariant`, `rationale`, `origins` and `evidence`, none of them empty"),
            }
        }
        read
    }

    fn invalid(&mut self, candidate: &str, what: &str) {
        let message = format!("the reconciliation of {} does not hold: {what}", quoted(candidate));
        let hint = "say what its originals have in common, why, and where";
        self.refuse(&codes::SOURCE_RECONCILIATION_INVALID, "source_finding_reconciliation", candidate, message, hint);
    }

    /// Distinct originals share a candidate only when they are reconciled, and none is weakened silently (CR-95, CR-222).
    fn shared(&mut self, reconciliations: &BTreeMap<String, Reconciliation>) {
        let mut sharers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (finding_id, candidate) in &self.mapping {
            sharers.entry(candidate.clone()).or_default().insert(finding_id.clone());
        }
        let candidates: BTreeSet<String> = sharers.keys().chain(reconciliations.keys()).cloned().collect();
        for candidate in candidates {
            let mapped = sharers.remove(&candidate).unwrap_or_default();
            let payloads: BTreeSet<String> =
                self.ledger.iter().filter(|entry| mapped.contains(&entry.finding_id)).map(|entry| payload(&entry.original)).collect();
            match reconciliations.get(&candidate) {
                None if payloads.len() > 1 => {
                    let message =
                        format!("{} takes {} different originals without saying why they are one", quoted(&candidate), payloads.len());
                    let code = &codes::SOURCE_FINDINGS_COLLAPSED;
                    self.refuse(code, "source_finding_mapping", &candidate, message, "reconcile them, or give each its own candidate");
                }
                None => {}
                Some(reconciliation) => self.reconciled(&candidate, reconciliation, &mapped),
            }
        }
    }

    /// The place lies in a file whose digest the plan or an original froze (CR-95).
    fn is_frozen(&self, evidence: &str) -> bool {
        let Place::Source(coordinate) = place(evidence) else { return false };
        let planned = self.context.plan.iter().flat_map(|plan| &plan.files).any(|file| !coordinate.base && file.path == coordinate.path);
        let originals = self.context.responses.iter().flat_map(|response| &response.findings).flat_map(|original| &original.evidence);
        planned || originals.into_iter().any(|cited| (cited.base, &cited.path) == (coordinate.base, &coordinate.path))
    }

    fn reconciled(&mut self, id: &str, reconciliation: &Reconciliation, mapped: &BTreeSet<String>) {
        let known: BTreeSet<&str> = self.ledger.iter().map(|entry| entry.finding_id.as_str()).collect();
        let origins: BTreeSet<&str> = reconciliation.origins.keys().map(String::as_str).collect();
        if !mapped.iter().all(|finding_id| origins.contains(finding_id.as_str())) || !origins.is_subset(&known) {
            self.invalid(id, "its origins are not the originals that it takes");
        }
        if reconciliation.origins.values().any(|reason| reason.trim().is_empty()) {
            self.invalid(id, "an origin has no reason");
        }
        if !reconciliation.evidence.iter().all(|evidence| self.is_frozen(evidence)) {
            self.invalid(id, "its evidence is no list of places in planned files, or in files that its originals cite");
        }
        let Some(candidate) = self.context.candidates.iter().find(|candidate| candidate.id == id) else {
            return self.invalid(id, "there is no such candidate");
        };
        let strongest = mapped.iter().filter_map(|finding_id| Some(self.original(finding_id)?.1.severity)).max();
        let (severity, answered) = (candidate.severity, !candidate.counterevidence.is_empty());
        if let Some(strongest) = strongest.filter(|strongest| severity < *strongest && !answered) {
            let message = format!("{} is {severity}, and an original of it is {strongest}", quoted(id));
            let code = &codes::SOURCE_RECONCILIATION_SEVERITY_WEAKENED;
            let hint = "keep the strongest severity, or record the counterevidence";
            self.refuse(code, "source_finding_reconciliation", id, message, hint);
        }
    }
}

/// The first thing of an original that its candidate does not keep.
fn altered(candidate: &Candidate, finding: Option<&Finding>, original: &Original) -> Option<&'static str> {
    if candidate.severity != original.severity {
        return Some("severity");
    }
    match finding.filter(|_| candidate.disposition == Some(Disposition::Confirmed)) {
        Some(finding) if finding.title != original.title => Some("title"),
        Some(finding) if finding.summary != original.summary => Some("summary"),
        Some(finding) if finding.required_change != original.required_change => Some("required change"),
        Some(finding) if finding.closure_evidence != original.closure_evidence => Some("closure evidence"),
        Some(_) => None,
        None if candidate.claim != original.summary => Some("summary, which is the claim,"),
        None if candidate.closure_condition != original.closure_evidence => Some("closure evidence, which is the closure condition,"),
        None => None,
    }
}
