//! The step `prior-evidence`: a rejected finding comes back with new source evidence only, and the notes say what became of it (CR-122).

use crate::code_review::{
    candidate::Candidate,
    codes,
    context::Context,
    notes::NOTES_FILE,
    outline::Outline,
    prior::{PriorResolution, PriorResolutions},
    violation::{Sink, Violation},
    vocabulary::Disposition,
};

/// Checks the step; without prior resolutions there is nothing to hold.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let Some(prior) = &context.prior else { return };
    let file = context.result_file.unwrap_or_default();
    for (index, finding) in context.findings.iter().enumerate() {
        let evidence = || finding.evidence.iter().map(String::as_str);
        if let Some(rejected) = repeats(prior, &finding.id, &finding.title, evidence) {
            let pointer = format!("/metadata/review_findings/{index}/evidence");
            sink.push(rereported(&finding.id, rejected).at(file, pointer));
        }
    }
    for (index, candidate) in context.candidates.iter().enumerate().filter(|(_, candidate)| candidate.is_open()) {
        if let Some(rejected) = repeats(prior, &candidate.id, &candidate.claim, || own_evidence(candidate)) {
            let pointer = format!("/metadata/review_validation/candidates/{index}/confirmation_evidence");
            sink.push(rereported(&candidate.id, rejected).at(file, pointer));
        }
    }
    if let Some(notes) = &context.notes {
        dispositions(prior, notes, sink);
    }
}

/// The rejected finding that this one repeats without anything new.
fn repeats<'p, 'e, E: Iterator<Item = &'e str>>(
    prior: &'p PriorResolutions,
    id: &str,
    text: &str,
    evidence: impl Fn() -> E,
) -> Option<&'p PriorResolution> {
    prior.rejected().find(|rejected| rejected.is_about(id, text) && !rejected.lacks_one_of(evidence()))
}

fn own_evidence(candidate: &Candidate) -> impl Iterator<Item = &str> {
    [&candidate.confirmation_evidence, &candidate.falsification_evidence, &candidate.check].into_iter().map(String::as_str)
}

fn rereported(id: &str, rejected: &PriorResolution) -> Violation {
    let message = format!("`{id}` repeats the rejected finding `{}` and points at no line that it did not have", rejected.finding_id);
    let hint = "begin an evidence text with the path:line that is new, or close it with the reason of the rejection";
    Violation::new(&codes::PRIOR_RESOLUTION_REREPORTED_WITHOUT_EVIDENCE, message, hint).subject(id)
}

/// `Scope` has the line `Prior finding <id>: <disposition>` for every rejected finding.
fn dispositions(prior: &PriorResolutions, notes: &Outline, sink: &mut Sink) {
    let scope = notes.section("Scope");
    let is_disposition = |value: &str| value.split([' ', ';', ',', '.']).next().is_some_and(|word| Disposition::parse(word).is_some());
    for rejected in prior.rejected() {
        let label = rejected.scope_label();
        let values = scope.map(|section| section.labelled(&label)).unwrap_or_default();
        if values.iter().any(|(value, _)| is_disposition(value)) {
            continue;
        }
        let message = format!("`Scope` does not say what became of the rejected finding `{}`", rejected.finding_id);
        let words: Vec<&str> = Disposition::WORDS.iter().map(|(word, _)| *word).collect();
        let hint = format!("write a line `{label}: <disposition>` with one of {}", words.join(", "));
        let violation = Violation::new(&codes::PRIOR_RESOLUTION_DISPOSITION_MISSING, message, hint).subject(rejected.finding_id.clone());
        let line = values.first().map(|(_, line)| *line).or(scope.map(|section| section.line)).unwrap_or(1);
        sink.push(violation.line(NOTES_FILE, line));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::code_review::{
        context::Facts, finding::Finding, image::RunImage, prior::ResolutionVerdict, step::Step, vocabulary::Severity,
    };

    fn finding(id: &str, title: &str, evidence: &[&str]) -> Finding {
        Finding {
            id: id.to_owned(),
            severity: Severity::Medium,
            title: title.to_owned(),
            summary: "It loops.".to_owned(),
            required_change: "Stop.".to_owned(),
            evidence: evidence.iter().map(|text| (*text).to_owned()).collect(),
            closure_evidence: "It stops.".to_owned(),
            authors: vec!["Main reviewer".to_owned()],
        }
    }

    fn candidate(claim: &str, confirmation: &str, disposition: Option<Disposition>) -> Candidate {
        let text = String::new;
        Candidate {
            id: "c-1".to_owned(),
            severity: Severity::Medium,
            claim: claim.to_owned(),
            source_revision: text(),
            contract: text(),
            trigger: text(),
            confirmation_evidence: confirmation.to_owned(),
            falsification_evidence: text(),
            counterevidence: Vec::new(),
            check: text(),
            result: text(),
            environment: text(),
            limits: Vec::new(),
            disposition,
            reason: text(),
            feasible_checks_complete: false,
            missing_prerequisite: text(),
            owner: text(),
            next_check: text(),
            closure_condition: text(),
        }
    }

    /// Codes with subjects, where `f-1` was rejected and `f-2` was fixed.
    fn found(findings: Vec<Finding>, candidates: Vec<Candidate>, scope: &str) -> Vec<String> {
        let resolution = |id: &str, title: &str, verdict| PriorResolution {
            finding_id: id.to_owned(),
            title: Some(title.to_owned()),
            verdict,
            sha: None,
            why: "documented".to_owned(),
            evidence: vec!["src/a.rs:9 loops".to_owned()],
        };
        let (image, cards, resolved) = (RunImage::default(), BTreeMap::new(), BTreeMap::new());
        let facts = Facts {
            image: &image,
            run_path: "/run",
            producer_id: None,
            git_state: None,
            mirror: None,
            role_cards: &cards,
            prior: None,
            reviewed_tree: false,
            resolved: &resolved,
            rendered: None,
            promoted: false,
        };
        let mut context = Context::new(&facts, Some("result.candidate.json"));
        let resolutions =
            vec![resolution("f-1", "Retry never stops", ResolutionVerdict::Rejected), resolution("f-2", "Typo", ResolutionVerdict::Fixed)];
        context.prior = Some(PriorResolutions { sha256: String::new(), resolutions });
        (context.findings, context.candidates) = (findings, candidates);
        context.notes = Some(Outline::read(&format!("# Review\n\n## Scope\n\n{scope}\n")));
        let mut sink = Sink::new(Step::PriorEvidence);
        check(&mut context, &mut sink);
        sink.finish().0.iter().map(Violation::token).collect()
    }

    const SETTLED: &str = "Prior finding f-1: refuted; the limit is documented.";

    #[test]
    fn a_rejected_finding_returns_with_new_source_only() {
        let again = |evidence: &[&str]| found(vec![finding("f-9", "Retry  never stops", evidence)], vec![], SETTLED);
        assert_eq!(again(&["src/a.rs:9 still loops", "prose"]), ["prior-resolution-rereported-without-evidence:f-9"]);
        assert_eq!(again(&["src/a.rs:9", "src/b.rs:4 calls it"]), Vec::<String>::new());
        let by_id = found(vec![finding("f-1", "Loop", &["src/a.rs:9"])], vec![], SETTLED);
        assert_eq!(by_id, ["prior-resolution-rereported-without-evidence:f-1"]);
        assert_eq!(found(vec![finding("f-2", "Typo", &["src/a.rs:9"])], vec![], SETTLED), Vec::<String>::new());
    }

    #[test]
    fn open_candidates_are_claims_too() {
        let open =
            |confirmation: &str, disposition| found(vec![], vec![candidate("Retry never stops", confirmation, disposition)], SETTLED);
        assert_eq!(open("src/a.rs:9 loops", None), ["prior-resolution-rereported-without-evidence:c-1"]);
        assert_eq!(open("src/c.rs:1 loops", None), Vec::<String>::new());
        assert_eq!(open("src/a.rs:9 loops", Some(Disposition::Refuted)), Vec::<String>::new());
    }

    #[test]
    fn the_scope_says_what_became_of_it() {
        for silent in ["PR #7", "Prior finding f-1: maybe", "Prior finding f-10: refuted"] {
            assert_eq!(found(vec![], vec![], silent), ["prior-resolution-disposition-missing:f-1"], "{silent}");
        }
        assert_eq!(found(vec![], vec![], "- Prior finding f-1: already-fixed"), Vec::<String>::new());
    }
}
