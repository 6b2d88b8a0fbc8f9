//! The step `findings`: canonical actions are whole, unique, authored and counted (CR-81, CR-82, CR-85, CR-226).

use std::collections::BTreeSet;

use crate::{
    code_review::{
        codes,
        codes::Code,
        context::Context,
        decision::mentions,
        finding::{Blocker, Finding, MAX_EVIDENCE, MAX_FINDINGS},
        gates::GATES,
        reading::Reading,
        violation::{Sink, Violation},
        vocabulary::{Role, Severity},
    },
    strict::{Node, quoted},
};

/// Reads findings and blockers.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let file = context.result_file.unwrap_or_default();
    let Some(metadata) = context.metadata() else { return };
    let (findings_node, blockers_node) = (metadata.get("review_findings"), metadata.get("operational_blockers"));
    let gaps: Vec<&str> = metadata.get("confidence_gaps").map(Node::elements).unwrap_or_default().iter().filter_map(Node::text).collect();
    let mut reading = Reading::new(file, sink);
    let labels: Vec<&str> = context.assessments.iter().map(|assessment| assessment.role.as_str()).collect();
    let mut ids = BTreeSet::new();
    let code = &codes::REVIEW_FINDING_RECORD_INVALID;
    let nodes = reading.elements(code, findings_node);
    if let Some(node) = findings_node.filter(|_| nodes.len() > MAX_FINDINGS) {
        reading.refuse(code, &node.at, None, format!("{} findings are more than {MAX_FINDINGS}", nodes.len()), "merge what is one defect");
    }
    let mut findings = Vec::new();
    for node in nodes {
        let Some(finding) = finding(&mut reading, node) else { continue };
        unique(&mut reading, &codes::REVIEW_FINDING_ID_DUPLICATE, node, &finding.id, &mut ids);
        authored(&mut reading, node, &finding.id, &finding.authors, &labels);
        findings.push(finding);
    }
    let mut blockers = Vec::new();
    for node in reading.elements(&codes::REVIEW_OPERATIONAL_BLOCKER_INVALID, blockers_node) {
        let Some(blocker) = blocker(&mut reading, node) else { continue };
        unique(&mut reading, &codes::REVIEW_OPERATIONAL_BLOCKER_ID_DUPLICATE, node, &blocker.id, &mut ids);
        authored(&mut reading, node, &blocker.id, &blocker.authors, &labels);
        about_the_project(&mut reading, node, &blocker, &gaps);
        blockers.push(blocker);
    }
    counts(context, &findings, sink);
    context.findings = findings;
    context.blockers = blockers;
}

fn finding(reading: &mut Reading<'_>, node: &Node) -> Option<Finding> {
    let code = &codes::REVIEW_FINDING_RECORD_INVALID;
    let keys = ["id", "severity", "title", "summary", "required_change", "evidence", "closure_evidence", "authors"];
    let record = reading.exact(code, node, &keys)?;
    let id = reading.text(code, record.get("id"));
    let severity = reading.word(code, record.get("severity"), Severity::WORDS);
    let title = reading.text(code, record.get("title"));
    let summary = reading.text(code, record.get("summary"));
    let required_change = reading.text(code, record.get("required_change"));
    let evidence = reading.some_texts(code, record.get("evidence"), MAX_EVIDENCE);
    let closure_evidence = reading.text(code, record.get("closure_evidence"));
    let authors = reading.texts(&codes::REVIEW_FINDING_AUTHORS_INVALID, record.get("authors"));
    Some(Finding {
        id: id?,
        severity: severity?,
        title: title?,
        summary: summary?,
        required_change: required_change?,
        evidence,
        closure_evidence: closure_evidence?,
        authors,
    })
}

fn blocker(reading: &mut Reading<'_>, node: &Node) -> Option<Blocker> {
    let code = &codes::REVIEW_OPERATIONAL_BLOCKER_INVALID;
    let record = reading.exact(code, node, &["id", "title", "required_change", "evidence", "authors"])?;
    let id = reading.text(code, record.get("id"));
    let title = reading.text(code, record.get("title"));
    let required_change = reading.text(code, record.get("required_change"));
    let evidence = reading.some_texts(code, record.get("evidence"), MAX_EVIDENCE);
    let authors = reading.texts(&codes::REVIEW_FINDING_AUTHORS_INVALID, record.get("authors"));
    Some(Blocker { id: id?, title: title?, required_change: required_change?, evidence, authors })
}

fn unique(reading: &mut Reading<'_>, code: &Code, node: &Node, id: &str, ids: &mut BTreeSet<String>) {
    if !ids.insert(id.to_owned()) {
        reading.refuse(code, &node.at, Some(id), format!("another action has the id {}", quoted(id)), "give each action its own id");
    }
}

/// Authors are unique labels of assessments, at least one.
fn authored(reading: &mut Reading<'_>, node: &Node, id: &str, authors: &[String], labels: &[&str]) {
    let at = node.get("authors").map_or(&node.at, |authors| &authors.at);
    let code = &codes::REVIEW_FINDING_AUTHORS_INVALID;
    if authors.is_empty() {
        reading.refuse(code, at, Some(id), "the action has no author", "name the reviewers who found it");
    }
    let mut seen = BTreeSet::new();
    for author in authors {
        let known = labels.iter().any(|label| label.eq_ignore_ascii_case(author));
        if !known {
            let hint = "use the labels of `reviewer_assessments`, in the same spelling";
            reading.refuse(code, at, Some(id), format!("{} is no assessment of this review", quoted(author)), hint);
        } else if !seen.insert(author.to_lowercase()) {
            reading.refuse(code, at, Some(id), format!("{} is named twice", quoted(author)), "name each author once");
        }
    }
}

/// Limits of reviewers, hosts and gates are no project actions (CR-85, CR-226).
fn about_the_project(reading: &mut Reading<'_>, node: &Node, blocker: &Blocker, gaps: &[&str]) {
    let texts: Vec<&str> = [&blocker.title, &blocker.required_change].into_iter().chain(&blocker.evidence).map(String::as_str).collect();
    if let Some(what) = texts.iter().find_map(|text| process_limit(text, gaps)) {
        let message = format!("the blocker {} is about {what}, which is no project action", quoted(&blocker.id));
        let code = &codes::REVIEW_OPERATIONAL_BLOCKER_PROCESS_LIMIT;
        reading.refuse(code, &node.at, Some(&blocker.id), message, "disclose it in confidence and readiness, and remove the blocker");
    }
}

fn process_limit(text: &str, gaps: &[&str]) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let gate = |gate: &&str| mentions(&lower, &format!("gate:{gate}")) || mentions(&lower, &format!("{gate} gate"));
    let reviewer = |(_, role): &&(&str, Role)| {
        let label = role.label().to_lowercase();
        mentions(&lower, &format!("{label} reviewer")) || mentions(&lower, &format!("{label} pass"))
    };
    if GATES.iter().any(gate) {
        Some("a gate")
    } else if Role::WORDS.iter().any(|word| reviewer(&word)) {
        Some("a reviewer")
    } else {
        gaps.iter().any(|gap| !gap.trim().is_empty() && text.contains(gap)).then_some("a declared gap")
    }
}

/// `findings` of the result counts the records (CR-82).
fn counts(context: &Context<'_>, findings: &[Finding], sink: &mut Sink) {
    let stated = context.result.as_ref().and_then(|result| result.get("findings"));
    for (word, severity) in Severity::WORDS.iter().rev() {
        let count = findings.iter().filter(|finding| finding.severity == *severity).count();
        let said = stated.and_then(|stated| stated.get(word)).map(Node::value).and_then(|value| value.as_u64());
        if said != Some(count as u64) {
            let message = format!("the records have {count} {word} findings");
            let violation = Violation::new(&codes::REVIEW_FINDINGS_SEVERITY_COUNT_MISMATCH, message, format!("write {count}"));
            sink.push(violation.subject(*word).at(context.result_file.unwrap_or_default(), format!("/findings/{word}")));
        }
    }
}
