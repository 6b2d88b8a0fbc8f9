//! The page, section by section. A section whose facts the report does not have is left out.

use reading::markdown::{code, code_cell, text};
use reading::words::{capitalized, duration};
use serde_json::Value;

/// The whole page, with a final line end.
pub fn draw(report: &Value) -> String {
    let sections = [title(report), facts(report), review(report), commands(report), findings(report), notes(report), next_steps(report)];
    let mut page = sections.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    page.push('\n');
    page
}

fn title(report: &Value) -> Option<String> {
    let gate = match word(report, "gate") {
        Some(gate) => format!("{} gate", text(&capitalized(gate))),
        None => "Report".to_owned(),
    };
    Some(match word(report, "status") {
        Some(status) => format!("# {gate}: {}", text(&spoken(status))),
        None => format!("# {gate}"),
    })
}

fn facts(report: &Value) -> Option<String> {
    let requested = word(report, "base_requested").map(|name| format!(" ({})", code_cell(name))).unwrap_or_default();
    let rows = [
        word(report, "base").map(|base| row(&["Base", &format!("{}{requested}", code_cell(base))])),
        word(report, "candidate").map(|candidate| row(&["Candidate", &code_cell(candidate)])),
        word(report, "level").map(|level| row(&["Level", &text(level)])),
        listed(report, "level_reasons").map(|reasons| row(&["Because", &reasons.into_iter().map(text).collect::<Vec<_>>().join("; ")])),
        word(report, "execution_id").map(|run| row(&["Run", &code_cell(run)])),
        word(report, "started_at").map(|time| row(&["Started", &text(time)])),
        word(report, "completed_at").map(|time| row(&["Completed", &text(time)])),
        listed(report, "not_enforced").map(|names| row(&["Not enforced", &codes(&names)])),
    ];
    table(["Fact", "Value"], rows.into_iter().flatten())
}

fn review(report: &Value) -> Option<String> {
    let review = report.get("behavior_review")?;
    let selected = match (review["full_candidate"].as_bool(), listed(review, "selected")) {
        (Some(true), None) => Some("all changes".to_owned()),
        (Some(true), Some(names)) => Some(format!("all changes, {}", codes(&names))),
        (_, names) => names.map(|names| codes(&names)),
    };
    let rows = [
        word(review, "state").map(|state| row(&["Behavior", &text(&spoken(state))])),
        word(review, "final_state").map(|state| row(&["Final state", &text(&spoken(state))])),
        word(review, "boundary").map(|boundary| row(&["Asked at", &text(boundary)])),
        selected.map(|selected| row(&["Selected", &selected])),
        word(review, "review_id").map(|id| row(&["Review", &code_cell(id)])),
        word(review, "receipt_path").map(|path| row(&["Receipt", &code_cell(path)])),
    ];
    Some(format!("## Review\n\n{}", table(["Fact", "Value"], rows.into_iter().flatten())?))
}

fn commands(report: &Value) -> Option<String> {
    let rows = report["commands"].as_array()?.iter().map(command);
    Some(format!("## Commands\n\n{}", table(["Command", "Category", "Status", "Duration", "Attempts", "Cases"], rows)?))
}

fn command(command: &Value) -> String {
    let attempts = command["attempts"].as_array().map_or(&[][..], Vec::as_slice);
    let last = attempts.last().unwrap_or(&Value::Null);
    let mut status = word(command, "status").map(|status| text(&spoken(status))).unwrap_or_default();
    if let Some(category) = word(last, "failure_category") {
        status += &format!(" ({})", text(category));
    }
    if let Some(source) = word(command, "reused_from") {
        status += &format!(", reused from {}", code_cell(source));
    }
    let milliseconds = attempts.iter().filter_map(|attempt| attempt["duration_ms"].as_u64()).fold(0, u64::saturating_add);
    let duration = if attempts.is_empty() { String::new() } else { duration(milliseconds) };
    let name = word(command, "name").map(code_cell).unwrap_or_default();
    let category = word(command, "category").map(text).unwrap_or_default();
    row(&[&name, &category, &status, &duration, &attempts.len().to_string(), &cases(last)])
}

/// Such as `12 passed, 1 failed`; nothing when the runner knows no cases.
fn cases(attempt: &Value) -> String {
    let count = |key| attempt["cases"][key].as_u64().filter(|count| *count > 0).map(|count| format!("{count} {key}"));
    let counts: Vec<_> = ["passed", "failed", "skipped"].into_iter().filter_map(count).collect();
    if attempt["cases"].is_object() && counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
}

fn findings(report: &Value) -> Option<String> {
    let findings = report["findings"].as_array()?;
    let drawn = findings.iter().map(finding).collect::<Vec<_>>().join("\n\n");
    Some(format!("## Findings\n\n{}", if drawn.is_empty() { "None." } else { &drawn }))
}

fn finding(finding: &Value) -> String {
    let heading = match word(finding, "subject") {
        Some(subject) => format!("### {}: {}", code(word(finding, "rule").unwrap_or("finding")), text(subject)),
        None => format!("### {}", code(word(finding, "rule").unwrap_or("finding"))),
    };
    let line = finding["line"].as_u64().map(|line| format!(", line {line}")).unwrap_or_default();
    let place = word(finding, "path").map(|path| format!("In {}{line}.", code(path)));
    let remedy = word(finding, "remedy").map(|remedy| format!("Remedy: {}", text(remedy)));
    let next = word(finding, "next").map(|next| format!("Next: {}", code(next)));
    let paragraphs = [Some(heading), place, word(finding, "message").map(text), remedy, next];
    paragraphs.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

fn notes(report: &Value) -> Option<String> {
    Some(format!("## Notes\n\n{}", list(listed(report, "notes")?.into_iter().map(text))))
}

/// What the findings ask for, each thing once.
fn next_steps(report: &Value) -> Option<String> {
    let mut steps: Vec<&str> = Vec::new();
    for step in report["findings"].as_array()?.iter().filter_map(|finding| word(finding, "next")) {
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    (!steps.is_empty()).then(|| format!("## Next steps\n\n{}", list(steps.into_iter().map(code))))
}

/// A text member that says something.
fn word<'a>(object: &'a Value, key: &str) -> Option<&'a str> {
    object[key].as_str().filter(|text| !text.is_empty())
}

/// The texts of an array member that has some.
fn listed<'a>(object: &'a Value, key: &str) -> Option<Vec<&'a str>> {
    let texts: Vec<_> = object[key].as_array()?.iter().filter_map(Value::as_str).collect();
    (!texts.is_empty()).then_some(texts)
}

fn codes(names: &[&str]) -> String {
    names.iter().map(|name| code_cell(name)).collect::<Vec<_>>().join(", ")
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n")
}

fn row(cells: &[&str]) -> String {
    format!("| {} |", cells.join(" | "))
}

fn table<const COLUMNS: usize>(heads: [&str; COLUMNS], rows: impl Iterator<Item = String>) -> Option<String> {
    let rows: Vec<_> = rows.collect();
    (!rows.is_empty()).then(|| format!("{}\n{}\n{}", row(&heads), row(&["---"; COLUMNS]), rows.join("\n")))
}

/// A state or verdict as people read it: `not-run` is `NOT RUN`.
fn spoken(state: &str) -> String {
    state.replace('-', " ").to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_counted_when_they_are_known() {
        let cases = |text: &str| cases(&serde_json::from_str(text).expect("valid"));
        assert_eq!(cases(r#"{"cases":{"passed":12,"failed":1,"skipped":0}}"#), "12 passed, 1 failed");
        assert_eq!(cases(r#"{"cases":{"passed":0,"failed":0,"skipped":0}}"#), "none");
        assert_eq!(cases("{}"), "");
    }
}
