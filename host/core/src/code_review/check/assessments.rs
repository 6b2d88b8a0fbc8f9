//! The step `assessments`: every pass has one rating, which is the one that its response states (CR-86 to CR-90).

use std::collections::BTreeSet;

use crate::{
    code_review::{
        assessment::Assessment,
        codes::{self, Code},
        context::Context,
        image::RunImage,
        manifest::{Manifest, Pass, PassMode},
        notes::{MAIN_ASSESSMENT, NOTES_FILE},
        outline::Outline,
        reading::Reading,
        response::{Fault, Response, StatedAssessment, assessment},
        violation::{Sink, Violation},
        vocabulary::{MAIN_REVIEWER, Readiness, Role, SUBSTITUTE_SUFFIX},
    },
    strict::{Json, Node, quoted},
};

const KEY: &str = "/metadata/reviewer_assessments";

/// Reads the assessments and binds each to its source.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let file = context.result_file.unwrap_or_default();
    let (Some(manifest), Some(notes)) = (&context.manifest, &context.notes) else { return };
    let stated = read(context.metadata().and_then(|metadata| metadata.get("reviewer_assessments")), file, sink);
    let (image, responses) = (context.facts.image, context.responses.as_slice());
    let mut ties = Ties { manifest, responses, notes, image, file, sink };
    ties.order(&stated);
    ties.each(&stated);
    ties.absent(&stated);
    context.assessments = stated.into_iter().map(|stated| stated.assessment).collect();
}

/// An assessment and its place in the list.
struct Stated {
    index: usize,
    assessment: Assessment,
}

impl Stated {
    /// The label without the suffix of substitutes, and whether it had one; letters of either case are the same.
    fn label(&self) -> (String, bool) {
        let label = self.assessment.role.to_lowercase();
        match label.strip_suffix(SUBSTITUTE_SUFFIX) {
            Some(label) => (label.to_owned(), true),
            None => (label, false),
        }
    }

    fn role(&self) -> Option<Role> {
        let (label, _) = self.label();
        Role::WORDS.iter().map(|(_, role)| *role).find(|role| role.label().to_lowercase() == label)
    }

    fn is_main(&self) -> bool {
        self.label().0 == MAIN_REVIEWER.to_lowercase()
    }
}

fn read(node: Option<&Node>, file: &str, sink: &mut Sink) -> Vec<Stated> {
    let code = &codes::REVIEW_ASSESSMENTS_INVALID;
    let elements = node.map(Node::elements).unwrap_or_default();
    if elements.is_empty() {
        let hint = "state one assessment for each pass, or that of the main reviewer";
        sink.push(Violation::new(code, "there are no assessments", hint).at(file, KEY));
    }
    let mut reading = Reading::new(file, sink);
    let read = elements.iter().enumerate().filter_map(|(index, node)| {
        let record = reading.exact(code, node, &["role", "rating", "evidence"])?;
        let role = reading.text(code, record.get("role"));
        let rating = rating(&mut reading, record.get("rating"));
        let evidence = reading.text(code, record.get("evidence"));
        Some(Stated { index, assessment: Assessment { role: role?, rating: rating?, evidence: evidence? } })
    });
    read.collect()
}

fn rating(reading: &mut Reading<'_>, node: Option<&Node>) -> Option<Option<u8>> {
    let node = node?;
    let rating = match &node.json {
        Json::Null => Some(None),
        Json::Number(text) => text.parse().ok().filter(|rating| (1..=5).contains(rating)).map(Some),
        _ => None,
    };
    if rating.is_none() {
        reading.refuse(&codes::REVIEW_ASSESSMENTS_INVALID, &node.at, None, "a rating is 1 to 5, or null", "copy it from the response");
    }
    rating
}

struct Ties<'t> {
    manifest: &'t Manifest,
    responses: &'t [Response],
    notes: &'t Outline,
    image: &'t RunImage,
    file: &'t str,
    sink: &'t mut Sink,
}

impl<'t> Ties<'t> {
    fn refuse(&mut self, code: &Code, stated: &Stated, key: &str, message: String, hint: &str) {
        let pointer = format!("{KEY}/{}/{key}", stated.index);
        self.sink.push(Violation::new(code, message, hint).subject(&stated.assessment.role).at(self.file, pointer));
    }

    fn pass(&self, role: Role) -> Option<(&'t Pass, &'t Response)> {
        self.manifest.passes.iter().zip(self.responses).find(|(pass, _)| pass.role == role)
    }

    /// A triggered software engineer stands first.
    fn order(&mut self, stated: &[Stated]) {
        let first = stated.first().and_then(Stated::role);
        if self.pass(Role::SwEngineer).is_some() && !stated.is_empty() && first != Some(Role::SwEngineer) {
            let message = format!("the first assessment is not that of {}", quoted(&Role::SwEngineer.label()));
            let violation = Violation::new(&codes::REVIEW_PRIMARY_SOFTWARE_ENGINEER_ORDER, message, "move it to the front");
            self.sink.push(violation.at(self.file, format!("{KEY}/0/role")));
        }
    }

    fn each(&mut self, stated: &[Stated]) {
        let mut seen = BTreeSet::new();
        for it in stated {
            if !seen.insert(it.label().0) {
                let message = format!("{} has an assessment already", quoted(&it.assessment.role));
                self.refuse(&codes::REVIEW_ASSESSMENT_ROLE_DUPLICATE, it, "role", message, "keep one assessment for each pass");
            }
            if it.is_main() {
                self.main(it);
            } else if let Some((pass, response)) = it.role().and_then(|role| self.pass(role)) {
                self.bound(it, pass, response);
            } else {
                let message = format!("{} is no pass of this run", quoted(&it.assessment.role));
                let hint = "remove it, or use the label of the pass, such as `QA specialist`";
                self.refuse(&codes::REVIEW_ASSESSMENT_ROLE_UNBOUND, it, "role", message, hint);
            }
        }
    }

    /// Every pass has its assessment, and a run without passes that of the parent.
    fn absent(&mut self, stated: &[Stated]) {
        for pass in &self.manifest.passes {
            if !stated.iter().any(|it| it.role() == Some(pass.role)) {
                let message = format!("the pass of `{}` has no assessment", pass.role);
                let violation = Violation::new(&codes::REVIEW_ASSESSMENT_ROLE_MISSING, message, "add what its response states");
                self.sink.push(violation.subject(pass.role.as_str()).at(self.file, KEY));
            }
        }
        if self.manifest.passes.is_empty() && !stated.iter().any(Stated::is_main) {
            let message = format!("nobody but the parent reviewed, and {} has no assessment", quoted(MAIN_REVIEWER));
            let hint = format!("rate in the section `{MAIN_ASSESSMENT}` of {NOTES_FILE}, and add the assessment");
            self.sink.push(Violation::new(&codes::REVIEW_ASSESSMENT_MAIN_MISSING, message, hint).at(self.file, KEY));
        }
    }

    fn bound(&mut self, stated: &Stated, pass: &Pass, response: &Response) {
        self.suffix(stated, pass.mode == PassMode::Substituted);
        if !points_at(&stated.assessment.evidence, &pass.output_path, self.image) {
            let message = format!("{} is not the response of this pass", quoted(&stated.assessment.evidence));
            let hint = format!("write `{}`, with a line of it or without", pass.output_path);
            self.refuse(&codes::REVIEW_ASSESSMENT_EVIDENCE_INVALID, stated, "evidence", message, &hint);
        }
        self.rated(stated, &response.assessment);
    }

    fn suffix(&mut self, stated: &Stated, is_substitute: bool) {
        if stated.label().1 != is_substitute {
            let (message, hint) = if is_substitute {
                ("the parent did this pass, and the label does not say so", format!("add the suffix `{SUBSTITUTE_SUFFIX}`"))
            } else {
                ("the label says that the parent did this pass, and a reviewer did", format!("remove the suffix `{SUBSTITUTE_SUFFIX}`"))
            };
            self.refuse(&codes::REVIEW_SUBSTITUTE_LABEL_MISMATCH, stated, "role", message.to_owned(), &hint);
        }
    }

    /// The rating is the stated one; without one the scope is blocked (CR-88, CR-89).
    fn rated(&mut self, stated: &Stated, source: &StatedAssessment) {
        let word = |rating: Option<u8>| rating.map_or("null".to_owned(), |rating| rating.to_string());
        if stated.assessment.rating != source.rating {
            let message = format!("the rating is {} here and {} at its source", word(stated.assessment.rating), word(source.rating));
            self.refuse(&codes::REVIEW_ASSESSMENT_RATING_MISMATCH, stated, "rating", message, "copy the rating that was stated");
        }
        if source.rating.is_none() && source.readiness != Readiness::Blocked {
            let message = format!("a null rating needs the readiness `blocked`, and its source says `{}`", source.readiness);
            let hint = "rate what was reviewed; null is for a scope that a named prerequisite keeps undecidable";
            self.refuse(&codes::REVIEW_ASSESSMENT_NULL_READINESS, stated, "rating", message, hint);
        }
    }

    /// The parent's assessment stands in the notes (CR-90).
    fn main(&mut self, stated: &Stated) {
        self.suffix(stated, false);
        if !points_at(&stated.assessment.evidence, NOTES_FILE, self.image) {
            let message = format!("{} is not `{NOTES_FILE}`, where the main reviewer rates", quoted(&stated.assessment.evidence));
            let hint = format!("write `{NOTES_FILE}`, with a line of it or without");
            self.refuse(&codes::REVIEW_ASSESSMENT_MAIN_EVIDENCE_INVALID, stated, "evidence", message, &hint);
        }
        let sections: Vec<_> = self.notes.titled(MAIN_ASSESSMENT).collect();
        let [section] = sections.as_slice() else {
            let message = format!("the notes have {} sections `{MAIN_ASSESSMENT}`, and one is due", sections.len());
            let violation = Violation::new(&codes::REVIEW_ASSESSMENT_CONTENT_INVALID, message, "write it once, with its four lines");
            self.sink.push(violation.subject(MAIN_REVIEWER).file(NOTES_FILE));
            return;
        };
        match assessment(section) {
            Ok(source) => self.rated(stated, &source),
            Err(faults) => faults.iter().for_each(|fault| self.sink.push(notes_fault(fault))),
        }
    }
}

fn notes_fault(fault: &Fault) -> Violation {
    let hint = "write the four lines of an assessment, each once and outside code";
    let violation = Violation::new(&codes::REVIEW_ASSESSMENT_CONTENT_INVALID, fault.message.clone(), hint).subject(MAIN_REVIEWER);
    match fault.line {
        Some(line) => violation.line(NOTES_FILE, line),
        None => violation.file(NOTES_FILE),
    }
}

/// The evidence is the file, or `<file>:<line>` or `<file>#L<line>` with a line that it has.
fn points_at(evidence: &str, path: &str, image: &RunImage) -> bool {
    let Some(rest) = evidence.strip_prefix(path) else { return false };
    let Some(number) = rest.strip_prefix(':').or_else(|| rest.strip_prefix("#L")) else { return rest.is_empty() };
    let plain = !number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit());
    let lines = image.text(path).map_or(0, |text| text.lines().count());
    plain && number.parse::<usize>().is_ok_and(|line| (1..=lines).contains(&line))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::code_review::{
        fixture::{Fixture, response},
        notes::NOTES_FILE,
        step::Step,
        vocabulary::Role,
    };

    const ROLE: Role = Role::SwEngineer;
    const QA: Role = Role::QaSpecialist;
    const MAIN: &str = "\
## Main Reviewer Assessment

Source rating version: 1
Rating: 2
Verification readiness: complete
Rationale: It was read.
";

    fn reviewed() -> Fixture {
        let mut fixture = Fixture::new(&[ROLE, QA]);
        fixture.review(ROLE, &response(ROLE, "1"));
        fixture.substitute(QA, &response(QA, "null"));
        fixture.copy_metadata();
        fixture
    }

    fn found(fixture: &Fixture) -> Vec<String> {
        fixture.found(&[Step::ReviewerEvents, Step::Manifest, Step::Assessments])
    }

    fn with(index: usize, key: &str, value: Value) -> Vec<String> {
        let mut fixture = reviewed();
        fixture.metadata["reviewer_assessments"][index][key] = value;
        found(&fixture)
    }

    fn rated_by_parent(notes: &str, evidence: &str) -> Vec<String> {
        let mut fixture = Fixture::new(&[]);
        notes.clone_into(&mut fixture.notes);
        fixture.write(NOTES_FILE, notes.as_bytes());
        fixture.metadata = json!({"reviewer_assessments": [{"role": "Main reviewer", "rating": 2, "evidence": evidence}]});
        found(&fixture)
    }

    #[test]
    fn assessments_as_the_responses_state_them_hold() {
        assert_eq!(found(&reviewed()), Vec::<String>::new());
        assert_eq!(with(0, "role", json!("SOFTWARE engineer")), Vec::<String>::new());
        for evidence in ["specialists/sw-engineer.attempt-1.md:6", "specialists/sw-engineer.attempt-1.md#L6"] {
            assert_eq!(with(0, "evidence", json!(evidence)), Vec::<String>::new());
        }
    }

    #[test]
    fn a_rating_is_the_one_that_was_stated() {
        for rating in [json!(2), json!(null)] {
            assert_eq!(with(0, "rating", rating), ["review-assessment-rating-mismatch:Software engineer"]);
        }
        for rating in [json!(0), json!(6), json!(1.0), json!(true), json!("1")] {
            let expected =
                ["review-assessments-invalid", "review-primary-software-engineer-order", "review-assessment-role-missing:sw-engineer"];
            assert_eq!(with(0, "rating", rating), expected);
        }
    }

    #[test]
    fn a_null_rating_needs_a_blocked_scope() {
        let mut fixture = Fixture::new(&[ROLE]);
        fixture.review(ROLE, &response(ROLE, "null").replace("readiness: blocked", "readiness: complete"));
        fixture.copy_metadata();
        assert_eq!(found(&fixture), ["review-assessment-null-readiness:Software engineer"]);
    }

    #[test]
    fn evidence_is_the_response_of_the_pass() {
        let path = "specialists/sw-engineer.attempt-1.md";
        for evidence in
            ["specialists/qa-specialist.md", &format!("{path}:0"), &format!("{path}:99"), &format!("{path}:06"), &format!("{path} x")]
        {
            assert_eq!(with(0, "evidence", json!(evidence)), ["review-assessment-evidence-invalid:Software engineer"], "{evidence}");
        }
    }

    #[test]
    fn the_suffix_marks_exactly_the_substitutes() {
        for (index, label) in [(0, "Software engineer (parent substitute)"), (1, "QA specialist")] {
            assert_eq!(with(index, "role", json!(label)), [format!("review-substitute-label-mismatch:{label}")]);
        }
    }

    #[test]
    fn every_pass_is_there_once_and_nobody_else() {
        let missing = "review-assessment-role-missing:qa-specialist";
        assert_eq!(with(1, "role", json!("Nobody")), ["review-assessment-role-unbound:Nobody", missing]);
        assert_eq!(with(1, "role", json!("Squeezer")), ["review-assessment-role-unbound:Squeezer", missing]);
        let mut fixture = reviewed();
        let again = fixture.metadata["reviewer_assessments"][0].clone();
        fixture.metadata["reviewer_assessments"][1] = again;
        assert_eq!(found(&fixture), ["review-assessment-role-duplicate:Software engineer", missing]);
        fixture.metadata["reviewer_assessments"] = json!([]);
        assert_eq!(found(&fixture), ["review-assessments-invalid", "review-assessment-role-missing:sw-engineer", missing]);
    }

    #[test]
    fn the_software_engineer_stands_first() {
        let mut fixture = reviewed();
        let list = fixture.metadata["reviewer_assessments"].as_array_mut().expect("a list");
        list.reverse();
        assert_eq!(found(&fixture), ["review-primary-software-engineer-order"]);
    }

    #[test]
    fn the_parent_rates_in_the_notes() {
        assert_eq!(rated_by_parent(MAIN, NOTES_FILE), Vec::<String>::new());
        assert_eq!(rated_by_parent(MAIN, "review-notes.md:4"), Vec::<String>::new());
        assert_eq!(rated_by_parent(MAIN, "specialists/a.md"), ["review-assessment-main-evidence-invalid:Main reviewer"]);
        assert_eq!(
            rated_by_parent(&MAIN.replace("Rating: 2", "Rating: 3"), NOTES_FILE),
            ["review-assessment-rating-mismatch:Main reviewer"]
        );
        for notes in [String::new(), format!("{MAIN}\n{MAIN}"), MAIN.replace("Rating: 2\n", "")] {
            assert_eq!(rated_by_parent(&notes, NOTES_FILE), ["review-assessment-content-invalid:Main reviewer"], "{notes}");
        }
    }

    #[test]
    fn without_passes_the_parent_must_rate() {
        let mut fixture = Fixture::new(&[]);
        fixture.metadata = json!({"reviewer_assessments": [{"role": "Squeezer", "rating": 1, "evidence": "x"}]});
        assert_eq!(found(&fixture), ["review-assessment-role-unbound:Squeezer", "review-assessment-main-missing"]);
    }
}
