//! What turned from red to green: a picture of the proofs, and the cases of each.

use maud::{Markup, html};
use page::shown::{code, name, short};
use page::{Icon, Section};
use reading::report::{Command, Outcome, Proof, Report};
use reading::words::{count, grouped, joined};

use crate::picture::figure;

/// Height of a proof in the picture.
const ROW: usize = 66;
/// Proofs in the picture.
const DRAWN: usize = 40;
/// Characters of a proof's name in the picture: what a phone has room for.
const LABEL: usize = 32;
/// Cases of a proof that are read at a glance.
const OPEN: usize = 20;
/// Cases of a proof that can be opened.
const LISTED: usize = 1_000;
/// Cases of all proofs together, so that the page stays usable.
const ALL: usize = 5_000;

/// Absent when no proof is cited.
pub fn section(report: &Report) -> Option<Section> {
    let proofs: Vec<(&Command, &Proof)> = report.commands.iter().filter_map(|command| Some((command, command.proof.as_ref()?))).collect();
    if proofs.is_empty() {
        return None;
    }
    let mut room = ALL;
    let content = html! {
        p { "A proof puts the tests of the candidate on the base, where they are red; at the candidate they are green. The gate shows it again." }
        (picture(&proofs))
        @for (command, proof) in &proofs { (article(command, proof, &mut room)) }
    };
    Some(Section { id: "proofs", title: "From red to green", content })
}

fn picture(proofs: &[(&Command, &Proof)]) -> Markup {
    let drawn = &proofs[..proofs.len().min(DRAWN)];
    let shapes = html! { @for (index, (command, proof)) in drawn.iter().enumerate() { (row(command, proof, index * ROW)) } };
    let caption = html! {
        "Left the base with the tests of the candidate, right the candidate."
        @if drawn.len() < proofs.len() { " The first " (DRAWN) " of " (count(proofs.len(), "proof")) "." }
    };
    let told = joined(drawn.iter().map(|(command, proof)| format!("{}: {}", name(&command.name), told(command, proof))), ". ");
    figure("proofs-picture", "Proofs from red to green", &told, drawn.len() * ROW - 8, &shapes, &caption)
}

fn row(command: &Command, proof: &Proof, top: usize) -> Markup {
    let cases = proof.flipped_cases.len();
    let many = if cases == 0 { String::new() } else { format!("{} ", grouped(cases)) };
    html! {
        text.strong.code x="0" y=(top + 16) { (short(&command.name, LABEL)) }
        (Icon::Fail.at("0", top + 27))
        text x="28" y=(top + 42) { (many) "red" }
        line.way.broken[command.status != Outcome::Passed] x1="38%" x2="57%" y1=(top + 37) y2=(top + 37) marker-end="url(#arrow)" {}
        (Icon::from(command.status).at("60%", top + 27))
        text.after x="60%" y=(top + 42) {
            @if command.status == Outcome::Passed { (many) }
            (after(command.status))
        }
    }
}

fn after(status: Outcome) -> &'static str {
    match status {
        Outcome::Passed => "green",
        Outcome::Failed => "not shown",
        Outcome::NotStarted => "not replayed",
    }
}

/// From the one state to the other, in a row of the table; broken when the replay does not show it.
fn arrow(status: Outcome) -> Markup {
    html! {
        svg.way-icon viewBox="0 0 30 10" aria-hidden="true" {
            line.way.broken[status != Outcome::Passed] x1="0" x2="28" y1="5" y2="5" marker-end="url(#arrow)" {}
        }
    }
}

/// One phrase, for those who hear the picture and for the list of its cases.
fn told(command: &Command, proof: &Proof) -> String {
    let what = match proof.flipped_cases.len() {
        0 => "known by exit status only".to_owned(),
        cases => count(cases, "case"),
    };
    match command.status {
        Outcome::Passed => format!("red to green, {what}"),
        Outcome::Failed => format!("the replay does not show it, {what} on record"),
        Outcome::NotStarted => format!("not replayed, {what} on record"),
    }
}

fn article(command: &Command, proof: &Proof, room: &mut usize) -> Markup {
    let listed = &proof.flipped_cases[..proof.flipped_cases.len().min(LISTED).min(*room)];
    *room -= listed.len();
    let (open, folded) = listed.split_at(listed.len().min(OPEN));
    let left = proof.flipped_cases.len() - listed.len();
    html! {
        article.card {
            h3 { (Icon::from(command.status).draw()) span { (code(&command.name)) } }
            p.facts { (told(command, proof)) }
            @if !open.is_empty() { (table(command, proof, open, "Cases")) }
            @if !folded.is_empty() {
                details {
                    summary { (count(folded.len(), "more case")) span.aside { " of " (name(&command.name)) } }
                    (table(command, proof, folded, "More cases"))
                }
            }
            @if left > 0 { p.limit { (count(left, "more case")) " not listed here; " code { "report.json" } " has them all." } }
        }
    }
}

fn table(command: &Command, proof: &Proof, cases: &[String], caption: &str) -> Markup {
    let before = Icon::Fail.with(if proof.red_kind == "broken" { "broken" } else { "red" });
    let after = Icon::from(command.status).with(after(command.status));
    html! {
        table.cases {
            caption { (caption) " of " (code(&command.name)) }
            thead { tr { th scope="col" { "Case" } th scope="col" { "Base" } th scope="col" { "Candidate" } } }
            tbody { @for case in cases { tr { th scope="row" { (code(case)) } td { (before) } td { (arrow(command.status)) (after) } } } }
        }
    }
}
