//! What is left to do, by whom.

use maud::html;
use page::Section;
use page::shown::{name, prose};
use reading::handoff::Handoff;
use reading::words::count;

use crate::SHOWN;

/// Absent when nothing is left.
pub fn section(handoff: &Handoff<'_>) -> Option<Section> {
    let remaining = &handoff.remaining;
    let content = html! {
        @for entry in remaining.iter().take(SHOWN) {
            article.card {
                h3 { span { (name(entry.id)) } }
                (prose(entry.item))
                dl {
                    dt { "Next" } dd { (prose(entry.next)) }
                    dt { "Owner" } dd { (prose(entry.owner)) }
                }
            }
        }
        @if remaining.len() > SHOWN { p.limit { "The first " (SHOWN) " of " (count(remaining.len(), "entry")) "." } }
    };
    (!remaining.is_empty()).then_some(Section { id: "next", title: "Next steps", content })
}
