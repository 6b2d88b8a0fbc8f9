//! The step `notes`: every section is there once, with a body, and the action table is where it belongs (CR-116 to CR-118).

use crate::{
    code_review::{
        codes,
        codes::Code,
        context::Context,
        notes::{ACTION_TABLE, DECISION_SUMMARY, MAIN_ASSESSMENT, NOTES_FILE, needs_action_table, required_sections},
        outline::Outline,
        violation::{Sink, Violation},
        vocabulary::{MAIN_REVIEWER, Scope, Verdict},
    },
    strict::Node,
};

/// Reads the notes.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    let text = context.facts.image.text(NOTES_FILE).unwrap_or_default();
    let outline = Outline::read(text);
    let scope = context.t0.as_ref().map_or(Scope::WorkingTree, |t0| t0.run.scope);
    let mut titles = required_sections(scope);
    titles.extend(rates_itself(context).then_some(MAIN_ASSESSMENT));
    for title in titles {
        section(&outline, title, sink);
    }
    action_table(context, &outline, sink);
    context.notes = Some(outline);
}

/// The parent rates the change, too.
fn rates_itself(context: &Context<'_>) -> bool {
    let assessments = context.metadata().and_then(|metadata| metadata.get("reviewer_assessments")).map(Node::elements).unwrap_or_default();
    let roles = assessments.iter().filter_map(|assessment| assessment.get("role")?.text());
    roles.into_iter().any(|role| role.eq_ignore_ascii_case(MAIN_REVIEWER))
}

fn section(outline: &Outline, title: &str, sink: &mut Sink) {
    let mut found = outline.titled(title);
    let Some(first) = found.next() else {
        let message = format!("the notes have no section `{title}`");
        refuse(sink, &codes::REVIEW_NOTES_SECTION_MISSING, title, None, message, &format!("add it under the heading `## {title}`"));
        return;
    };
    if first.blocks.is_empty() {
        let message = format!("the section `{title}` says nothing");
        refuse(sink, &codes::REVIEW_NOTES_SECTION_EMPTY, title, Some(first.line), message, "write its body below the heading");
    }
    for again in found {
        let message = format!("another section `{title}` is in line {}", first.line);
        refuse(sink, &codes::REVIEW_NOTES_SECTION_DUPLICATE, title, Some(again.line), message, "join the two");
    }
}

fn refuse(sink: &mut Sink, code: &Code, title: &str, line: Option<u32>, message: String, hint: &str) {
    let violation = Violation::new(code, message, hint).subject(title);
    sink.push(match line {
        Some(line) => violation.line(NOTES_FILE, line),
        None => violation.file(NOTES_FILE),
    });
}

/// Directly after the decision when it is due; nowhere else.
fn action_table(context: &Context<'_>, outline: &Outline, sink: &mut Sink) {
    let Some(position) = outline.sections.iter().position(|section| section.title == ACTION_TABLE) else { return };
    let line = Some(outline.sections[position].line);
    section(outline, ACTION_TABLE, sink);
    let Some(metadata) = context.metadata() else { return };
    let count = |key: &str| metadata.get(key).map(Node::elements).unwrap_or_default().len();
    let verdict = metadata.get("review_decision").and_then(|decision| decision.get("recommendation")?.text()).and_then(Verdict::parse);
    let follows = position > 0 && outline.sections[position - 1].title == DECISION_SUMMARY;
    if !needs_action_table(count("review_findings") + count("operational_blockers"), verdict) {
        let message = "there is an action table, and no action".to_owned();
        refuse(sink, &codes::REVIEW_NOTES_TABLE_FORBIDDEN, ACTION_TABLE, line, message, "remove the section");
    } else if !follows {
        let message = format!("the action table does not follow `{DECISION_SUMMARY}`");
        refuse(sink, &codes::REVIEW_NOTES_TABLE_MISPLACED, ACTION_TABLE, line, message, "move it directly below the decision");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::code_review::{fixture::Fixture, step::Step, vocabulary::Role};

    /// Notes with these changes, and the verdict with or without actions.
    fn found(edit: impl Fn(String) -> String, verdict: Option<&str>, findings: usize) -> Vec<String> {
        let titles = required_sections(Scope::WorkingTree);
        let text: String = titles.iter().map(|title| format!("## {title}\n\nText.\n\n")).collect();
        let mut fixture = Fixture::new(&[Role::SwEngineer]);
        fixture.write(NOTES_FILE, edit(text).as_bytes());
        fixture.metadata = json!({"review_decision": {"recommendation": verdict}, "review_findings": vec![json!({}); findings]});
        fixture.found(&[Step::Notes])
    }

    fn with_table(text: String) -> String {
        text.replace("## Review Snapshot", "## Review Findings and Merge Blocks\n\n| A |\n| --- |\n\n## Review Snapshot")
    }

    /// C-91
    #[test]
    fn every_section_is_there_once_with_a_body() {
        assert_eq!(found(|text| text, Some("accept-as-is"), 0), Vec::<String>::new());
        let missing = ["review-notes-section-missing:Findings"];
        assert_eq!(found(|text| text.replace("## Findings", "### Findings"), None, 0), missing);
        assert_eq!(found(|text| text.replace("## Findings", "```\n## Findings\n```"), None, 0), missing);
        let empty = |text: String| text.replace("## Scope\n\nText.", "## Scope\n\n<!-- to write: the scope -->");
        assert_eq!(found(empty, None, 0), ["review-notes-section-empty:Scope"]);
        assert_eq!(found(|text| text + "## Scope\n\nAgain.\n", None, 0), ["review-notes-section-duplicate:Scope"]);
        assert_eq!(found(|_| String::new(), None, 0).len(), 11);
    }

    /// C-95
    #[test]
    fn the_action_table_is_where_it_belongs_or_nowhere() {
        let forbidden = ["review-notes-table-forbidden:Review Findings and Merge Blocks"];
        assert_eq!(found(with_table, None, 0), forbidden);
        assert_eq!(found(with_table, Some("accept-as-is"), 0), forbidden);
        assert_eq!(found(with_table, Some("needs-more-work"), 1), Vec::<String>::new());
        let last = |text: String| text + "## Review Findings and Merge Blocks\n\n| A |\n| --- |\n";
        assert_eq!(found(last, Some("needs-more-work"), 1), ["review-notes-table-misplaced:Review Findings and Merge Blocks"]);
    }

    #[test]
    fn a_parent_that_rates_has_a_section_for_it() {
        let mut fixture = Fixture::new(&[Role::SwEngineer]);
        let titles = required_sections(Scope::WorkingTree);
        let text: String = titles.iter().map(|title| format!("## {title}\n\nText.\n\n")).collect();
        fixture.write(NOTES_FILE, text.as_bytes());
        fixture.metadata = json!({"reviewer_assessments": [{"role": "Main reviewer"}]});
        assert_eq!(fixture.found(&[Step::Notes]), ["review-notes-section-missing:Main Reviewer Assessment"]);
    }
}
