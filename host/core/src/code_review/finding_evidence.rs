//! `find --finding-evidence`: all that a report holds about one finding or claim, for whoever works on it (CR-184).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{
    candidate::Candidate,
    context::Context,
    evidence::{Place, place},
    finding::Finding,
    notes::NOTES_FILE,
    source_finding::SourceFinding,
    vocabulary::Disposition,
};

/// What there is about one id.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FindingEvidence {
    /// The finding or the claim.
    #[serde(flatten)]
    pub subject: Subject,
    /// Where its authors say so.
    pub author_evidence: Vec<AuthorEvidence>,
    /// Evidence texts that begin with a file of the run.
    pub artifact_evidence: Vec<String>,
    /// Evidence texts that begin with lines of source.
    pub source_evidence: Vec<String>,
    /// The notes, relative to the run.
    pub review_notes: String,
    /// The originals that it judges, as their reviewers wrote them.
    pub source_origins: Vec<SourceFinding>,
    /// How its originals were reconciled; null when they were not.
    pub source_reconciliation: Option<Value>,
    /// What is owed.
    pub obligation: Obligation,
}

/// Either of the two, under its own key.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A confirmed claim.
    Finding(Box<Finding>),
    /// Another claim.
    Candidate(Box<Candidate>),
}

/// An author's own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AuthorEvidence {
    /// The label.
    pub author: String,
    /// The retained response, with a line or without.
    pub evidence: String,
}

/// What whoever works on it owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Obligation {
    /// A finding: a change.
    Fix,
    /// An open claim: the missing evidence, once, for all of its originals.
    Evidence,
    /// Anything else: nothing.
    None,
}

impl FindingEvidence {
    /// Of this id in a judged result; `None` when it has no such finding and no such claim.
    pub fn of(context: &Context<'_>, id: &str) -> Option<Self> {
        let candidate = context.candidates.iter().find(|candidate| candidate.id == id)?;
        let finding = context.findings.iter().find(|finding| finding.id == id);
        let origins = origins(context, id);
        let (subject, obligation, authors, texts) = match finding {
            Some(finding) => {
                (Subject::Finding(Box::new(finding.clone())), Obligation::Fix, finding.authors.clone(), finding.evidence.clone())
            }
            None => {
                let subject = Subject::Candidate(Box::new(candidate.clone()));
                (subject, obligation(candidate), origin_authors(context, &origins), texts(candidate))
            }
        };
        let of_place = |wanted: fn(&Place) -> bool| texts.iter().filter(|text| wanted(&place(text))).cloned().collect();
        Some(Self {
            subject,
            author_evidence: author_evidence(context, &authors),
            artifact_evidence: of_place(|place| matches!(place, Place::Artifact(_))),
            source_evidence: of_place(|place| matches!(place, Place::Source(_))),
            review_notes: NOTES_FILE.to_owned(),
            source_origins: origins,
            source_reconciliation: metadata(context, "source_finding_reconciliation").get(id).cloned(),
            obligation,
        })
    }
}

fn obligation(candidate: &Candidate) -> Obligation {
    match candidate.disposition {
        None | Some(Disposition::Unverified) => Obligation::Evidence,
        Some(_) => Obligation::None,
    }
}

fn texts(candidate: &Candidate) -> Vec<String> {
    let own = [&candidate.confirmation_evidence, &candidate.falsification_evidence];
    own.into_iter().chain(&candidate.counterevidence).cloned().collect()
}

fn author_evidence(context: &Context<'_>, authors: &[String]) -> Vec<AuthorEvidence> {
    let assessments = context.assessments.iter().filter(|assessment| authors.contains(&assessment.role));
    assessments.map(|assessment| AuthorEvidence { author: assessment.role.clone(), evidence: assessment.evidence.clone() }).collect()
}

/// The reviewers whose originals the claim judges.
fn origin_authors(context: &Context<'_>, origins: &[SourceFinding]) -> Vec<String> {
    let is_origin = |label: &str| origins.iter().any(|origin| label.starts_with(&origin.role.label()));
    context.assessments.iter().map(|assessment| assessment.role.clone()).filter(|label| is_origin(label)).collect()
}

/// The ledger's entries that are mapped to the id.
fn origins(context: &Context<'_>, id: &str) -> Vec<SourceFinding> {
    let mapping = metadata(context, "source_finding_mapping");
    let ledger: Vec<SourceFinding> = serde_json::from_value(metadata(context, "source_findings")).unwrap_or_default();
    ledger.into_iter().filter(|origin| mapping.get(&origin.finding_id).and_then(Value::as_str) == Some(id)).collect()
}

fn metadata(context: &Context<'_>, key: &str) -> Value {
    context.metadata().and_then(|metadata| metadata.get(key)).map(|node| node.value()).unwrap_or_default()
}
