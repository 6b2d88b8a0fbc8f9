//! What was done and found: files, passes, the parent's rating, findings, risks (CR-90, CR-117).

use super::{
    known::Known,
    sketch::{Piece, Sketch, There, Words, list},
};
use crate::code_review::{
    finding::Finding,
    manifest::MANIFEST_FILE,
    notes::{INSPECTION_LINES, MAIN_ASSESSMENT, NO_FINDINGS, RESIDUAL_RISKS, people, text::normal},
    t0::T0,
};

/// `Files Inspected`: the paths are the data's, what was seen is the author's.
pub(super) fn files(t0: &T0) -> Sketch {
    let path = |path: &String| Piece::item(There::Path(path.clone()), &format!("`{path}`"));
    let what = "what was observed, or `not applicable` and why";
    let lines = INSPECTION_LINES.into_iter().map(|label| Piece::line(label, what, None));
    Sketch::new("Files Inspected").with(t0.inspection_set.iter().map(path)).with(lines)
}

/// `Specialist Passes`.
pub(super) fn passes(known: &Known<'_>) -> Sketch {
    let sketch = Sketch::new("Specialist Passes");
    let passes = known.context.manifest.as_ref().map(|manifest| manifest.passes.as_slice()).unwrap_or_default();
    if !passes.is_empty() {
        let item = |label: String, how: String| Piece::item(There::Item(label.clone()), &format!("{label}: {how}"));
        let how = passes.iter().map(|pass| format!("{}, {}", pass.mode.as_str(), pass.evidence_level.as_str()));
        return sketch.with(passes.iter().zip(how).map(|(pass, how)| item(pass.role.label(), how)));
    }
    let alone = known.context.routing.as_ref().is_some_and(|routing| routing.triggered_roles.is_empty());
    let none = (alone && known.context.manifest.is_some()).then(|| "none".to_owned());
    let what = "each pass with its mode and its evidence level, once it has ended";
    sketch.with([Piece::paragraph(There::List, Words::of(what, none))])
}

/// `Specialist Manifest`.
pub(super) fn manifest(known: &Known<'_>) -> Sketch {
    let digest = known.context.facts.image.sha256(MANIFEST_FILE).map(|digest| format!("`{MANIFEST_FILE}` sha256 {digest}"));
    let words = Words::of("the manifest and its digest, once the run is routed", digest);
    Sketch::new("Specialist Manifest").with([Piece::paragraph(There::Body, words)])
}

/// `Main Reviewer Assessment`, where the parent rates.
pub(super) fn main_assessment(known: &Known<'_>) -> Option<Sketch> {
    let stated = known.main_assessment();
    let rating = stated.map(|stated| stated.rating.map_or_else(|| "null".to_owned(), |rating| rating.to_string()));
    let lines = [
        Piece::line("Source rating version", "", Some("1".to_owned())),
        Piece::line("Rating", "1 to 5, or null", rating),
        Piece::line("Verification readiness", "complete, blocked or incomplete", None),
        Piece::line("Rationale", "what the rating rests on", None),
    ];
    known.parent_rates().then(|| Sketch::new(MAIN_ASSESSMENT).with(lines))
}

/// `Findings`.
pub(super) fn findings(known: &Known<'_>) -> Sketch {
    let sketch = Sketch::new("Findings");
    match known.findings() {
        None => sketch.with([Piece::paragraph(There::Body, Words::open(LISTED_LATER))]),
        Some([]) => {
            sketch.with([Piece::paragraph(There::Says(NO_FINDINGS.to_owned()), Words::of(LISTED_LATER, Some(NO_FINDINGS.to_owned())))])
        }
        Some(findings) => {
            let piece =
                |finding: &Finding, what: &str| Piece::paragraph(There::Mentions(finding.id.clone()), Words::of(what, Some(told(finding))));
            let later = std::iter::once(LISTED_LATER).chain(std::iter::repeat(""));
            sketch.with(findings.iter().zip(later).map(|(finding, what)| piece(finding, what)))
        }
    }
}

/// The gap of a review without a result.
const LISTED_LATER: &str = "each finding under its id, or that none remains";

/// A finding in paragraphs. Each begins with a label, so that its text makes no heading.
fn told(finding: &Finding) -> String {
    let paragraphs = [
        format!("### {}: {}", normal(&finding.id), normal(&finding.title)),
        format!("Severity: {}", finding.severity),
        format!("Authors: {}", normal(&people(&finding.authors))),
        format!("Summary: {}", normal(&finding.summary)),
        format!("Required change: {}", normal(&finding.required_change)),
        "Evidence:".to_owned(),
        list(&finding.evidence),
        format!("Closure evidence: {}", normal(&finding.closure_evidence)),
    ];
    paragraphs.join("\n\n")
}

/// `No-Finding Residual Risks`: nobody but the author knows them.
pub(super) fn risks() -> Sketch {
    let what = "what may still be wrong; `none` only without a gap, a limit and an open candidate";
    Sketch::new(RESIDUAL_RISKS).with([Piece::paragraph(There::Body, Words::open(what))])
}
