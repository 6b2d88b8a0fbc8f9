//! Who judged the source, how, and what vouches for it.

use maud::{Markup, html};
use page::Section;
use page::shown::{code, name};
use reading::handoff::{Assessed, Handoff, Reviewer, person};

use crate::SHOWN;

/// What vouches for an answer, by the level of its evidence.
const LEVELS: [(&str, &str); 3] = [
    ("attested", "the reviewer’s harness signed what it did"),
    ("recorded", "the answer is kept as it was given; nothing attests who gave it"),
    ("substituted", "whoever drove the review inspected in the reviewer’s place"),
];

/// Absent when nobody rated the source.
pub fn section(handoff: &Handoff<'_>, assessed: &Assessed<'_>) -> Option<Section> {
    let reviewers = &assessed.snapshot.reviewers;
    let content = html! {
        table.reviewers {
            caption { "Reviewers and their ratings, from 1 (approve) to 5 (block)" }
            thead { tr { th scope="col" { "Reviewer and answer" } th scope="col" { "Rating" } } }
            tbody { @for reviewer in reviewers.iter().take(SHOWN) { (row(handoff, reviewer)) } }
        }
        @for (level, told) in LEVELS {
            @if handoff.passes.iter().any(|pass| pass.level == level) { p.facts { strong { (level) } ": " (told) "." } }
        }
    };
    (!reviewers.is_empty()).then_some(Section { id: "reviewers", title: "Reviewers", content })
}

fn row(handoff: &Handoff<'_>, reviewer: &Reviewer<'_>) -> Markup {
    let pass = handoff.passes.iter().find(|pass| pass.role == reviewer.role);
    let level = pass.map_or("by whoever drove the review", |pass| pass.level);
    html! {
        tr {
            th scope="row" {
                (name(person(reviewer.role)))
                span.facts { (code(reviewer.evidence)) ", " (name(level)) }
            }
            td {
                @match reviewer.rating {
                    Some(rating) => { strong { (rating) } " " (meaning(rating)) }
                    None => { "no judgment of the source" }
                }
            }
        }
    }
}

fn meaning(rating: i64) -> &'static str {
    match rating {
        1 => "approve",
        2 => "minor changes",
        3 => "major revision",
        4 => "insufficient, but a good initiative",
        5 => "block",
        _ => "",
    }
}
