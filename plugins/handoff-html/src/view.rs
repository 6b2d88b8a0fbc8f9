//! The page: the verdict and its sections in order.

use maud::{Markup, html};
use page::shown::{code, name};
use page::{Icon, Page, Section, commit};
use reading::handoff::{Assessed, Ending, Handoff, Verdict};
use reading::words::count;

use crate::{actions, confidence, facts, gates, reviewers, steps};

const BRAND: &str = "code-polishy · code review";

/// The page of a hand-off.
pub fn page(handoff: &Handoff<'_>) -> Page {
    let (icon, headline, figures) = match &handoff.ending {
        Ending::Assessed(assessed) => (icon(handoff, assessed), assessed.verdict.title(), assessed_figures(handoff, assessed)),
        Ending::Unavailable { .. } => (Icon::Fault, "Not reviewed", figures(handoff, &html! {})),
        Ending::Closed(_) => (Icon::Fault, "Closing is advised", figures(handoff, &html! {})),
    };
    Page {
        style: include_str!("style.css"),
        definitions: html! {},
        brand: BRAND,
        icon,
        headline: headline.to_owned(),
        commit: name(reviewed(handoff)),
        lede: name(&lede(handoff)),
        figures,
        sections: sections(handoff),
        source: source(handoff),
    }
}

fn sections(handoff: &Handoff<'_>) -> Vec<Section> {
    let sections = match &handoff.ending {
        Ending::Assessed(assessed) => vec![
            actions::section(assessed),
            steps::section(handoff),
            gates::section(handoff, Some(assessed)),
            reviewers::section(handoff, assessed),
            confidence::section(handoff),
            facts::snapshot(handoff, &assessed.snapshot),
        ],
        Ending::Unavailable { diagnostic, .. } => vec![
            facts::unavailable(diagnostic),
            steps::section(handoff),
            gates::section(handoff, None),
            confidence::section(handoff),
            facts::artifacts(handoff),
        ],
        Ending::Closed(closed) => {
            vec![facts::closed(closed), gates::section(handoff, None), confidence::section(handoff), facts::artifacts(handoff)]
        }
    };
    sections.into_iter().flatten().collect()
}

/// A check mark only for what may be merged as it is; a reader who sees nothing else must not be misled.
fn icon(handoff: &Handoff<'_>, assessed: &Assessed<'_>) -> Icon {
    let is_ready = handoff.status == "pass" && assessed.snapshot.readiness == "complete";
    match assessed.verdict {
        Verdict::AcceptAsIs if is_ready && assessed.actions.as_ref().is_none_or(Vec::is_empty) => Icon::Pass,
        Verdict::AcceptAsIs | Verdict::MinorChanges => Icon::Fault,
        Verdict::NoJudgment => Icon::Wait,
        Verdict::NeedsMoreWork | Verdict::Insufficient | Verdict::Reject => Icon::Fail,
    }
}

/// The verdict in one sentence; the title says already that closing is advised.
fn lede(handoff: &Handoff<'_>) -> String {
    match &handoff.ending {
        Ending::Closed(closed) => closed.summary.to_owned(),
        _ => handoff.opening(),
    }
}

/// The commit under review, or nothing.
fn reviewed<'v>(handoff: &Handoff<'v>) -> &'v str {
    let id = match &handoff.ending {
        Ending::Assessed(assessed) => assessed.snapshot.field("Commit").unwrap_or_default(),
        Ending::Closed(closed) => closed.head,
        Ending::Unavailable { .. } => "",
    };
    id.split(' ').next().unwrap_or_default()
}

/// What people look for first.
fn figures(handoff: &Handoff<'_>, more: &Markup) -> Markup {
    let commit = commit(reviewed(handoff));
    html! {
        dl.figures {
            @if !commit.is_empty() { div { dt { "Commit" } dd { (code(commit)) } } }
            (more)
            div { dt { "Gates" } dd { (name(&gates::told(handoff))) } }
            div { dt { "Confidence" } dd { (handoff.confidence.score()) " (" (name(handoff.confidence.band)) ")" } }
        }
    }
}

fn assessed_figures(handoff: &Handoff<'_>, assessed: &Assessed<'_>) -> Markup {
    let actions = assessed.actions.as_ref().map_or(0, Vec::len);
    let found = if actions == 0 { "none".to_owned() } else { count(actions, "item") };
    html! {
        p.about { (name(assessed.snapshot.summary)) }
        (figures(handoff, &html! {
            div { dt { "To change" } dd { (found) } }
        }))
    }
}

fn source(handoff: &Handoff<'_>) -> Markup {
    let is_answered = matches!(&handoff.ending, Ending::Assessed(assessed) if assessed.answer.is_some());
    html! {
        p {
            "Drawn from " code { "final-handoff.json" } ". The report that the review is bound to is " code { "final.md" } " of the same run"
            @if is_answered { ", in a format that the caller asked for" }
            "."
        }
    }
}
