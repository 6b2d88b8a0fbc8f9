//! The page: its head, its header, and its sections in order. A section whose facts the report does not have is left out.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use reading::report::{Ending, Report};
use reading::time::seconds_between;
use reading::words::{count, duration};

use crate::icon::{Icon, definitions};
use crate::section::Section;
use crate::shown::{code, name};
use crate::{facts, findings, phases, proofs};

const STYLE: &str = include_str!("style.css");

/// Nothing may be loaded, run, sent or framed by the page; its own style is the one exception.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

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
    let sections: Vec<Section> = sections.into_iter().flatten().collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(report))
            body {
                a.skip href="#main" { "Skip to the report" }
                (definitions())
                (header(report))
                @if sections.len() > 1 { (contents(&sections)) }
                main #main tabindex="-1" {
                    @for section in &sections {
                        section aria-labelledby=(section.id) {
                            h2 id=(section.id) { (section.title) }
                            (section.content)
                        }
                    }
                    @if sections.is_empty() { p { "The report says nothing more." } }
                }
                (footer(report))
            }
        }
    }
}

fn head(report: &Report) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(CONTENT_POLICY);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="referrer" content="no-referrer";
            title {
                (name(&report.headline()))
                @if !report.candidate.is_empty() { " · " (commit(&report.candidate)) }
                " · code-polishy"
            }
            style { (PreEscaped(STYLE)) }
        }
    }
}

fn header(report: &Report) -> Markup {
    let icon = Icon::from(report.status);
    html! {
        header.(icon.class()) {
            div.inner {
                p.brand { "code-polishy" }
                h1 { (icon.draw()) span { (name(&report.headline())) } }
                p.lede { (lede(report)) }
                (figures(report))
            }
        }
    }
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

fn contents(sections: &[Section]) -> Markup {
    html! {
        nav aria-label="Sections" {
            ul.inner { @for section in sections { li { a href={ "#" (section.id) } { (section.title) } } } }
        }
    }
}

fn footer(report: &Report) -> Markup {
    html! {
        footer {
            div.inner {
                @if !report.sha256.is_empty() { p { "Drawn from the report with the digest " (code(&report.sha256)) "." } }
                p { "This page loads nothing and runs no script." }
            }
        }
    }
}

/// As much of a commit as people compare.
fn commit(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}
