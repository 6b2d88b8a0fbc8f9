//! What has to change: each finding and each blocker, with an anchor of its own.

use maud::{Markup, html};
use page::shown::{code, name, prose};
use page::{Icon, Section};
use reading::handoff::{Action, Assessed, coordinate, person, points};
use reading::words::{count, joined};

use crate::SHOWN;

/// Actions from which on they are listed before they are told.
const LISTED: usize = 3;

/// Absent when nothing has to change.
pub fn section(assessed: &Assessed<'_>) -> Option<Section> {
    let actions = assessed.actions.as_ref().filter(|actions| !actions.is_empty())?;
    let content = html! {
        @if actions.len() >= LISTED {
            ul.overview.plain {
                @for action in actions.iter().take(SHOWN) {
                    li { a href={ "#" (anchor(action.id)) } { (name(action.id)) " " (name(action.title)) } " " (status(action.status)) }
                }
            }
        }
        @for action in actions.iter().take(SHOWN) { (article(action)) }
        @if actions.len() > SHOWN { p.limit { "The first " (SHOWN) " of " (count(actions.len(), "item")) "." } }
    };
    Some(Section { id: "changes", title: "What to change", content })
}

fn article(action: &Action<'_>) -> Markup {
    let anchor = anchor(action.id);
    html! {
        article.card id=(anchor) {
            h3 {
                (icon(action.status).draw())
                span { a.anchor href={ "#" (anchor) } { (name(action.id)) } " " (name(action.title)) }
            }
            p.facts {
                (name(action.status)) " · found by "
                (name(&joined(action.authors.iter().map(|author| person(author).to_owned()), ", ")))
            }
            @if let Some(summary) = action.summary { (prose(summary)) }
            dl {
                dt { "Change" } dd { (prose(action.change)) }
                @if let Some(closure) = action.closure { dt { "Done when" } dd { (prose(closure)) } }
                dt { "Evidence" }
                dd { ul.plain { @for point in points(action.evidence).into_iter().take(SHOWN) { li { (evidence(point)) } } } }
            }
        }
    }
}

/// A place in the tree or a record of the run is for programs, the words behind it are for people.
fn evidence(point: &str) -> Markup {
    html! {
        @match coordinate(point) {
            Some((place, words)) => { (code(place)) (name(words)) }
            None => { (name(point)) }
        }
    }
}

/// The place of an action on the page. Ids that differ have places that differ.
fn anchor(id: &str) -> String {
    let mut anchor = "item-".to_owned();
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' {
            anchor.push(char::from(byte));
        } else {
            anchor.push('.');
            anchor.extend([byte >> 4, byte & 15].map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])));
        }
    }
    anchor
}

fn status(status: &str) -> Markup {
    icon(status).with(&name(status))
}

fn icon(status: &str) -> Icon {
    match status {
        "Minor change" | "Required verification" => Icon::Fault,
        "Verify" | "Implemented; verify" => Icon::Wait,
        _ => Icon::Fail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_a_place_of_its_own() {
        assert_eq!(["K-1", "a b", "a.b", "ä"].map(anchor), ["item-K-1", "item-a.20b", "item-a.2eb", "item-.c3.a4"]);
    }
}
