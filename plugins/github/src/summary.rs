//! The step summary: verdict, next step, findings, phases, what turned green, review and notes.

use reading::foreign::bounded;
use reading::markdown::{code, code_cell, text};
use reading::phases::{Phase, Standing};
use reading::report::{Attempt, Command, Ending, Finding, Outcome, Proof, Report, Review};
use reading::words::{capitalized, count, duration, spoken};

use crate::page::Page;

/// Characters of a name.
const NAME: usize = 300;
/// Characters of a message.
const PROSE: usize = 4_000;
/// Commands of a phase, findings and notes that are shown.
const SHOWN: usize = 100;
/// Cases of a proof that are shown.
const CASES: usize = 500;

/// The page, at most [`crate::page::LIMIT`] bytes.
pub fn draw(report: &Report) -> String {
    let mut page = Page::default();
    page.block(&format!("## {} {}", sign(report.status), text(&report.headline())));
    page.block(&against(report));
    findings(report, &mut page);
    phases(report, &mut page);
    proofs(report, &mut page);
    review(report, &mut page);
    notes(report, &mut page);
    page.finish()
}

fn against(report: &Report) -> String {
    let commit = |id: &str| code(id.get(..12).unwrap_or(id));
    let mut facts = Vec::new();
    if !report.candidate.is_empty() {
        facts.push(format!("Candidate {}", commit(&report.candidate)));
    }
    if !report.base.is_empty() {
        let requested = if report.base_requested.is_empty() { String::new() } else { format!(" ({})", name(&report.base_requested)) };
        facts.push(format!("base {}{requested}", commit(&report.base)));
    }
    if !report.level.is_empty() {
        facts.push(format!("level {}", text(&bounded(&report.level, NAME))));
    }
    facts.join(" · ")
}

fn findings(report: &Report, page: &mut Page) {
    let steps = report.next_steps();
    if let Some(step) = steps.first() {
        page.block(&format!("**Next:** {}", code(&bounded(step, PROSE))));
    }
    if report.findings.is_empty() {
        return;
    }
    page.block("### What to mend");
    for finding in report.findings.iter().take(SHOWN) {
        page.block(&item(finding));
    }
    rest(report.findings.len(), "finding", page);
}

fn item(finding: &Finding) -> String {
    let subject = if finding.subject.is_empty() { &finding.rule } else { &finding.subject };
    let line = finding.file_line().map(|line| format!(", line {line}")).unwrap_or_default();
    let place = match finding.file() {
        Some(path) => format!(" in {}{line}", name(path)),
        None if finding.path.is_empty() => String::new(),
        None => format!(", see {}", name(&finding.path)),
    };
    let mut item = format!("- ❌ **{}** ({}){place}", text(&bounded(subject, NAME)), name(&finding.rule));
    let mut parts = vec![text(&bounded(&finding.message, PROSE))];
    if finding.remedy != finding.next {
        parts.push(text(&bounded(&finding.remedy, PROSE)));
    }
    if !finding.next.is_empty() {
        parts.push(format!("Next: {}", code(&bounded(&finding.next, PROSE))));
    }
    for part in parts.iter().filter(|part| !part.is_empty()) {
        item.push_str("\n\n  ");
        item.push_str(part);
    }
    item
}

fn phases(report: &Report, page: &mut Page) {
    let phases = Phase::of(report);
    if phases.is_empty() {
        return;
    }
    page.block("### What ran");
    let rows = phases.iter().map(|phase| {
        let (passed, all) = (phase.passed(), phase.commands.len());
        let time = if phase.standing() == Standing::NotStarted { String::new() } else { duration(phase.duration_ms()) };
        let state = format!("{} {}", mark(phase.standing()), phase.standing().word());
        row(&[&text(&phase.title()), &state, &format!("{passed} of {all}"), &time])
    });
    page.block(&table(["Phase", "State", "Passed", "Time"], rows));
    for phase in &phases {
        let rows = phase.commands.iter().take(SHOWN).map(command);
        let left = phase.commands.len().saturating_sub(SHOWN);
        let summary = format!("<summary>{}</summary>", count(phase.commands.len(), "command"));
        page.block(&folded(&text(&phase.title()), &summary, &table(["Command", "Status", "Cases", "Time"], rows), left, "command"));
    }
}

/// A block that opens. The title is Markdown, because the summary is HTML and must be our own words.
fn folded(title: &str, summary: &str, content: &str, left: usize, thing: &str) -> String {
    let left = if left == 0 { String::new() } else { format!("\n\n*{}: see `report.json`.*", count(left, &format!("more {thing}"))) };
    format!("**{title}**\n\n<details>{summary}\n\n{content}{left}\n\n</details>")
}

fn command(command: &Command) -> String {
    let last = command.attempts.last();
    let mut status = format!("{} {}", outcome_sign(command.status), outcome_word(command.status));
    if let Some(why) = last.and_then(Attempt::why) {
        status += &format!(" ({})", text(&bounded(&why, NAME)));
    }
    if let Some(source) = &command.reused_from {
        status += &format!(", reused from {}", cell(source));
    }
    let cases = last.and_then(|attempt| attempt.cases).map(|cases| cases.told()).unwrap_or_default();
    let time = if last.is_some() { duration(command.duration_ms()) } else { String::new() };
    row(&[&cell(&command.name), &status, &cases, &time])
}

fn proofs(report: &Report, page: &mut Page) {
    let proofs: Vec<_> = report.commands.iter().filter_map(|command| Some((command, command.proof.as_ref()?))).collect();
    if proofs.is_empty() {
        return;
    }
    page.block("### From red to green");
    for (command, proof) in proofs {
        page.block(&proof_block(command, proof));
    }
}

fn proof_block(command: &Command, proof: &Proof) -> String {
    let after = match command.status {
        Outcome::Passed => "✅ green",
        Outcome::Failed => "❌ not shown",
        Outcome::NotStarted => "⏸️ not replayed",
    };
    let before = if proof.red_kind == "broken" { "🟥 broken" } else { "🟥 red" };
    let cases = &proof.flipped_cases;
    if cases.is_empty() {
        return format!("**{}**: {before} → {after}, known by exit status only", name(&command.name));
    }
    let rows = cases.iter().take(CASES).map(|case| row(&[&cell(case), before, after]));
    let summary = format!("<summary>{}: {before} → {after}</summary>", count(cases.len(), "case"));
    let left = cases.len().saturating_sub(CASES);
    folded(&name(&command.name), &summary, &table(["Case", "Base", "Candidate"], rows), left, "case")
}

fn review(report: &Report, page: &mut Page) {
    let Some(review) = &report.behavior_review else { return };
    page.block("### Behavior review");
    let told = |term: &str, value: String| if value.is_empty() { None } else { Some(format!("- {term}: {value}")) };
    let facts = [
        told("Behavior", text(&capitalized(&spoken(&bounded(&review.state, NAME))))),
        told("Final state", text(&capitalized(&spoken(&bounded(&review.final_state, NAME))))),
        told("Selected", selected(review)),
        told("Review", if review.review_id.is_empty() { String::new() } else { name(&review.review_id) }),
    ];
    page.block(&facts.into_iter().flatten().collect::<Vec<_>>().join("\n"));
}

fn selected(review: &Review) -> String {
    let all = review.full_candidate.then(|| "all changes".to_owned());
    all.into_iter().chain(review.selected.iter().take(SHOWN).map(|feature| name(feature))).collect::<Vec<_>>().join(", ")
}

fn notes(report: &Report, page: &mut Page) {
    if report.notes.is_empty() {
        return;
    }
    page.block("### Notes");
    for note in report.notes.iter().take(SHOWN) {
        page.block(&format!("- {}", text(&bounded(note, PROSE))));
    }
    rest(report.notes.len(), "note", page);
}

fn rest(all: usize, thing: &str, page: &mut Page) {
    if all > SHOWN {
        page.block(&format!("*{}: see `report.json`.*", count(all - SHOWN, &format!("more {thing}"))));
    }
}

fn name(foreign: &str) -> String {
    code(&bounded(foreign, NAME))
}

fn cell(foreign: &str) -> String {
    code_cell(&bounded(foreign, NAME))
}

fn row(cells: &[&str]) -> String {
    format!("| {} |", cells.join(" | "))
}

fn table<const COLUMNS: usize>(heads: [&str; COLUMNS], rows: impl Iterator<Item = String>) -> String {
    let mut table = format!("{}\n{}", row(&heads), row(&["---"; COLUMNS]));
    for row in rows {
        table.push('\n');
        table.push_str(&row);
    }
    table
}

fn sign(ending: Ending) -> &'static str {
    match ending {
        Ending::Passed => "✅",
        Ending::Failed => "❌",
        Ending::Operational | Ending::Unknown => "⚠️",
    }
}

fn mark(standing: Standing) -> &'static str {
    match standing {
        Standing::Passed => "✅",
        Standing::Blocked => "❌",
        Standing::NotStarted => "⏸️",
    }
}

fn outcome_sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "✅",
        Outcome::Failed => "❌",
        Outcome::NotStarted => "⏸️",
    }
}

fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::NotStarted => "not started",
    }
}
