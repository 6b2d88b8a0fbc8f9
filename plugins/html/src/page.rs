//! The page: its header and its sections in order. A section whose facts the report does not have is left out.

use maud::{Markup, html};
use page::shown::{code, name};
use page::{Icon, Page, commit};
use reading::report::{Ending, Report};
use reading::time::seconds_between;
use reading::words::{count, duration};

use crate::picture::definitions;
use crate::{facts, findings, phases, proofs};

/// The whole page.
pub fn draw(report: &Report) -> Markup {
    let sections = [
        findings::section(report),
        phases::section(report),
        proofs::section(report),
        facts::review(report),
        facts::notes(report),
        facts::run(report),
    ];
    let page = Page {
        style: include_str!("style.css"),
        definitions: definitions(),
        brand: "code-polishy",
        icon: Icon::from(report.status),
        headline: name(&report.headline()),
        commit: report.candidate.clone(),
        lede: lede(report),
        figures: figures(report),
        sections: sections.into_iter().flatten().collect(),
        source: source(report),
    };
    page.draw()
}

/// The verdict in one sentence.
fn lede(report: &Report) -> String {
    let findings = count(report.findings.len(), "finding");
    match report.status {
        Ending::Passed if report.commands.is_empty() => "Nothing had to run, and nothing speaks against the candidate.".to_owned(),
        Ending::Passed => format!("{} passed. Nothing speaks against the candidate.", count(report.commands.len(), "command")),
        Ending::Failed => format!("{findings} to mend before this candidate gets in."),
        Ending::Operational => format!("Something outside the candidate failed: {findings}. The gate has decided nothing."),
        Ending::Unknown => "The report tells no verdict.".to_owned(),
    }
}

/// What people look for first.
fn figures(report: &Report) -> Markup {
    let told = |seconds: u64| if seconds < 60 { format!("{seconds} s") } else { duration(seconds.saturating_mul(1_000)) };
    let took = seconds_between(&report.started_at, &report.completed_at).map(told);
    html! {
        dl.figures {
            @if !report.candidate.is_empty() { div { dt { "Candidate" } dd { (code(commit(&report.candidate))) } } }
            @if !report.base.is_empty() {
                div {
                    dt { "Base" }
                    dd { (code(commit(&report.base))) @if !report.base_requested.is_empty() { " " (code(&report.base_requested)) } }
                }
            }
            @if !report.level.is_empty() { div { dt { "Level" } dd { (name(&report.level)) } } }
            @if let Some(took) = took { div { dt { "Took" } dd { (took) } } }
        }
    }
}

fn source(report: &Report) -> Markup {
    html! { @if !report.sha256.is_empty() { p { "Drawn from the report with the digest " (code(&report.sha256)) "." } } }
}
