//! The review, the notes, and what the run is known by.

use maud::{Markup, html};
use page::shown::{code, codes, name, prose};
use page::{Icon, Section};
use reading::report::Report;
use reading::words::{count, spoken};

/// Rows of a list that stay usable; a report has more only when somebody made it so.
const SHOWN: usize = 500;

/// The behavior review.
pub fn review(report: &Report) -> Option<Section> {
    let review = report.behavior_review.as_ref()?;
    let content = html! {
        dl.rows {
            @if !review.state.is_empty() { dt { "Behavior" } dd { (state(&review.state)) } }
            @if !review.final_state.is_empty() { dt { "Final state" } dd { (state(&review.final_state)) } }
            @if review.full_candidate || !review.selected.is_empty() {
                dt { "Selected" }
                dd {
                    @if review.full_candidate { "all changes" @if !review.selected.is_empty() { ", " } }
                    (codes(&review.selected))
                }
            }
            (fact("Asked at", &review.boundary))
            (fact("Review", &review.review_id))
            (fact("Receipt", &review.receipt_path))
        }
    };
    Some(Section { id: "review", title: "Behavior review", content })
}

fn state(state: &str) -> Markup {
    let icon = match state {
        "passed" => Icon::Pass,
        "failed" => Icon::Fail,
        "required" | "not-run-required" => Icon::Fault,
        _ => Icon::Wait,
    };
    icon.with(&name(&spoken(state)))
}

/// What a reader should know.
pub fn notes(report: &Report) -> Option<Section> {
    let notes = &report.notes;
    let content = html! {
        ul.notes { @for note in notes.iter().take(SHOWN) { li { (prose(note)) } } }
        @if notes.len() > SHOWN { p.limit { "The first " (SHOWN) " of " (count(notes.len(), "note")) "." } }
    };
    (!notes.is_empty()).then_some(Section { id: "notes", title: "Notes", content })
}

/// What the run is known by.
pub fn run(report: &Report) -> Option<Section> {
    let identity = &report.identity;
    let content = html! {
        dl.rows {
            (fact("Run", &report.execution_id))
            (fact("Candidate", &report.candidate))
            (fact("Base", &report.base))
            (fact("Asked for as", &report.base_requested))
            @if !report.level_reasons.is_empty() {
                dt { "Level because" }
                dd { @for reason in report.level_reasons.iter().take(SHOWN) { (prose(reason)) } }
            }
            @if !report.not_enforced.is_empty() { dt { "Not enforced" } dd { (codes(&report.not_enforced)) } }
            (time("Started", &report.started_at))
            (time("Completed", &report.completed_at))
            (fact("Engine", &identity.engine_version))
            (fact("Platform", &identity.platform))
            @if !identity.plugins.is_empty() {
                dt { "Plugins" }
                dd {
                    ul.plain {
                        @for plugin in identity.plugins.iter().take(SHOWN) { li { (code(&plugin.name)) " " span.digest { (code(&plugin.sha256)) } } }
                    }
                }
            }
        }
    };
    (!report.execution_id.is_empty() || !report.candidate.is_empty()).then_some(Section { id: "run", title: "This run", content })
}

fn fact(term: &str, value: &str) -> Markup {
    html! { @if !value.is_empty() { dt { (term) } dd { (code(value)) } } }
}

fn time(term: &str, value: &str) -> Markup {
    html! { @if !value.is_empty() { dt { (term) } dd { (name(value)) } } }
}
