//! What the gates say.

use maud::{Markup, html};
use page::shown::{code, name};
use page::{Icon, Section};
use reading::handoff::{Assessed, Gate, Handoff};
use reading::words::{grouped, joined, spoken};

use crate::SHOWN;

/// What ran, and how far the verification got.
pub fn section(handoff: &Handoff<'_>, assessed: Option<&Assessed>) -> Option<Section> {
    let content = html! {
        @if let Some(assessed) = assessed { p { (readiness(assessed.snapshot.readiness)) } }
        table.gates {
            caption { "Gates of the review, in the order of their run" }
            thead { tr { th scope="col" { "Gate" } th scope="col" { "Result and its record" } } }
            tbody { @for gate in handoff.gates.iter().take(SHOWN) { (row(gate)) } }
        }
    };
    (!handoff.gates.is_empty()).then_some(Section { id: "gates", title: "Checks", content })
}

fn row(gate: &Gate<'_>) -> Markup {
    html! {
        tr {
            th scope="row" { (code(gate.id)) }
            td {
                (icon(gate.status).with(&name(&word(gate.status))))
                span.facts { @if let Some(why) = gate.why() { (name(&why)) " · " } (code(gate.evidence)) }
            }
        }
    }
}

fn readiness(readiness: &str) -> Markup {
    let told = match readiness {
        "complete" => "Everything that the verdict needs was verified.",
        "blocked" => "Something that is named below kept the verification from being complete.",
        _ => "The verification is not complete.",
    };
    html! { "Verification is " strong { (name(readiness)) } ". " (told) }
}

/// How many are in which state, what needs a look first: `1 failed, 3 passed, 1 not applicable`.
pub fn told(handoff: &Handoff<'_>) -> String {
    let states = ["fail", "timeout", "missing-command", "pass", "not-applicable"].into_iter().filter_map(|status| {
        let number = handoff.gates.iter().filter(|gate| gate.status == status).count();
        (number > 0).then(|| [&grouped(number), " ", &word(status)].concat())
    });
    joined(states, ", ")
}

fn word(status: &str) -> String {
    match status {
        "pass" => "passed".to_owned(),
        "fail" => "failed".to_owned(),
        "timeout" => "timed out".to_owned(),
        "missing-command" => "without a command".to_owned(),
        other => spoken(other),
    }
}

fn icon(status: &str) -> Icon {
    match status {
        "pass" => Icon::Pass,
        "not-applicable" => Icon::Wait,
        "missing-command" => Icon::Fault,
        _ => Icon::Fail,
    }
}
