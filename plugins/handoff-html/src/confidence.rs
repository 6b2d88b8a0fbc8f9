//! How sure the review is, and what it does not know.

use maud::{Markup, html};
use page::shown::name;
use page::{Icon, Section};
use reading::handoff::{Gap, Handoff, deduction};
use reading::words::count;

use crate::SHOWN;

/// The score and what it is short of.
pub fn section(handoff: &Handoff<'_>) -> Option<Section> {
    let confidence = &handoff.confidence;
    let limits = &confidence.limits;
    let content = html! {
        p { strong { (confidence.score()) } " of 1.00, " (name(confidence.band)) "." @if !confidence.gaps.is_empty() { " What it is short of:" } }
        @if !confidence.gaps.is_empty() { (gaps(&confidence.gaps)) }
        @if !limits.is_empty() {
            p.label.limits { "Limits" }
            ul.notes { @for limit in limits.iter().take(SHOWN) { li { (told(limit)) } } }
            @if limits.len() > SHOWN { p.limit { "The first " (SHOWN) " of " (count(limits.len(), "limit")) "." } }
        }
    };
    Some(Section { id: "confidence", title: "Confidence", content })
}

fn gaps(gaps: &[Gap<'_>]) -> Markup {
    html! {
        table.gaps {
            caption { "Gaps, and what each takes from the confidence" }
            thead { tr { th scope="col" { "Gap" } th scope="col" { "State" } } }
            tbody {
                @for gap in gaps.iter().take(SHOWN) {
                    @let (number, why) = deduction(gap.why);
                    tr {
                        th scope="row" { (name(gap.gap)) span.facts { (name(why)) } }
                        td { (icon(gap.status).with(&name(gap.status))) @if let Some(number) = number { span.facts { (number) } } }
                    }
                }
            }
        }
        @if gaps.len() > SHOWN { p.limit { "The first " (SHOWN) " of " (count(gaps.len(), "gap")) "." } }
    }
}

fn told(limit: &str) -> Markup {
    let (number, words) = deduction(limit);
    html! { (name(words)) @if let Some(number) = number { " " span.takes { "(" (number) ")" } } }
}

fn icon(status: &str) -> Icon {
    match status {
        "closed" => Icon::Pass,
        "deferred" => Icon::Wait,
        _ => Icon::Fault,
    }
}
