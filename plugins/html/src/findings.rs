//! Why the gate is not passed, and what to do.

use maud::{Markup, html};
use page::shown::{code, name, prose};
use page::{Icon, Section};
use reading::report::{Finding, Report};
use reading::words::count;

/// Findings that the page shows.
const SHOWN: usize = 200;
/// Steps that stand above them.
const STEPS: usize = 5;

/// Absent when there are none.
pub fn section(report: &Report) -> Option<Section> {
    let findings = &report.findings;
    if findings.is_empty() {
        return None;
    }
    let content = html! {
        (steps(&report.next_steps()))
        @for finding in findings.iter().take(SHOWN) { (article(finding)) }
        @if findings.len() > SHOWN {
            p.limit { "The first " (SHOWN) " of " (count(findings.len(), "finding")) "; " code { "report.json" } " has them all." }
        }
    };
    Some(Section { id: "findings", title: "What to mend", content })
}

fn steps(steps: &[&str]) -> Markup {
    html! {
        @if !steps.is_empty() {
            div.next {
                p.label { @if steps.len() == 1 { "Next step" } @else { "Next steps" } }
                ol { @for step in steps.iter().take(STEPS) { li { (code(step)) } } }
                @if steps.len() > STEPS { p.limit { "The others stand with their findings." } }
            }
        }
    }
}

fn article(finding: &Finding) -> Markup {
    let subject = if finding.subject.is_empty() { &finding.rule } else { &finding.subject };
    // A remedy that is the next step is told once.
    let remedy = (finding.remedy != finding.next).then_some(finding.remedy.as_str()).filter(|remedy| !remedy.is_empty());
    html! {
        article.card {
            h3 { (Icon::Fail.draw()) span { (name(subject)) } }
            p.facts {
                (code(&finding.rule))
                @if !finding.path.is_empty() {
                    @if finding.file().is_some() { " in " } @else { ", see " }
                    (code(&finding.path))
                    @if let Some(line) = finding.file_line() { ", line " (line) }
                }
            }
            @if !finding.message.is_empty() { (prose(&finding.message)) }
            dl {
                @if let Some(remedy) = remedy { dt { "Remedy" } dd { (prose(remedy)) } }
                @if !finding.next.is_empty() { dt { "Next" } dd { (code(&finding.next)) } }
            }
        }
    }
}
