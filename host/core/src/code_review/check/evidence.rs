//! The step `evidence`: coordinates resolve, and what blocks has one (CR-83, CR-84).

use crate::code_review::{
    codes,
    context::Context,
    evidence::{EVIDENCE_INDEX_FILE, EvidenceIndex, Place, cited, index, place},
    reading::record,
    violation::{Sink, Violation},
    vocabulary::Severity,
};

/// Resolves every coordinate of the result, and compares the index that a finalized run keeps.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let file = context.result_file.unwrap_or_default();
    let (facts, Some(result)) = (context.facts, &context.result) else { return };
    let cited = cited(result);
    let kept: Option<EvidenceIndex> = facts
        .image
        .has(EVIDENCE_INDEX_FILE)
        .then(|| record(facts.image, EVIDENCE_INDEX_FILE, &codes::EVIDENCE_INDEX_MISMATCH, &codes::EVIDENCE_INDEX_MISMATCH, sink))
        .flatten();
    if facts.reviewed_tree {
        for it in &cited {
            if let Some(fault) = it.coordinate.fault(facts.resolved) {
                let message = format!("`{}` points at nothing: {fault}", it.coordinate.text());
                let violation = Violation::new(&codes::REVIEW_EVIDENCE_UNRESOLVED, message, "correct the path and the lines");
                sink.push(violation.subject(it.owner.clone()).at(file, it.pointer.clone()));
            }
        }
        if kept.is_some_and(|kept| kept != index(&cited, facts.resolved)) {
            mismatch(sink, "the index is not what the coordinates point at");
        }
    } else {
        let owners: Vec<(String, String)> =
            kept.iter().flat_map(|kept| &kept.entries).map(|entry| (entry.owner.clone(), entry.evidence.clone())).collect();
        let wanted: Vec<(String, String)> = cited.iter().map(|it| (it.owner.clone(), it.coordinate.text())).collect();
        if owners != wanted {
            mismatch(sink, "the reviewed tree is gone, and the index does not cover the coordinates");
        }
    }
    artifacts(context, sink);
    blocking(context, sink);
}

fn mismatch(sink: &mut Sink, message: &str) {
    let hint = "finalize the run again while its review worktree is there";
    sink.push(Violation::new(&codes::EVIDENCE_INDEX_MISMATCH, message, hint).file(EVIDENCE_INDEX_FILE));
}

/// `run:` evidence names a file of the run.
fn artifacts(context: &Context<'_>, sink: &mut Sink) {
    for (index, finding) in context.findings.iter().enumerate() {
        for (position, evidence) in finding.evidence.iter().enumerate() {
            if let Place::Artifact(path) = place(evidence)
                && !context.facts.image.has(&path)
            {
                let message = format!("the run has no file `{path}`");
                let violation = Violation::new(&codes::REVIEW_EVIDENCE_UNRESOLVED, message, "name a file that the run keeps");
                let pointer = format!("/metadata/review_findings/{index}/evidence/{position}");
                sink.push(violation.subject(format!("finding:{}", finding.id)).at(context.result_file.unwrap_or_default(), pointer));
            }
        }
    }
}

/// Critical and high findings point at source.
fn blocking(context: &Context<'_>, sink: &mut Sink) {
    for (index, finding) in context.findings.iter().enumerate() {
        let local = finding.evidence.iter().any(|evidence| matches!(place(evidence), Place::Source(_)));
        if finding.severity >= Severity::High && !local {
            let message = format!("the {} finding `{}` points at no line of source", finding.severity, finding.id);
            let violation = Violation::new(&codes::REVIEW_BLOCKING_EVIDENCE_MISSING, message, "begin one evidence text with path:line");
            let pointer = format!("/metadata/review_findings/{index}/evidence");
            sink.push(violation.subject(finding.id.clone()).at(context.result_file.unwrap_or_default(), pointer));
        }
    }
}
