//! Foreign text on the page: every character visible, every length bounded. The templates escape it.

use maud::{Markup, html};
use reading::foreign::{bounded, visible, visible_lines};

/// Characters of a name, a path or a command.
const NAME: usize = 1_000;
/// Characters of a message.
const PROSE: usize = 8_000;

/// What programs read, such as a path or a command.
pub fn code(foreign: &str) -> Markup {
    html! { code { (visible(&bounded(foreign, NAME))) } }
}

/// Words of a name that is no code.
pub fn name(foreign: &str) -> String {
    visible(&bounded(foreign, NAME))
}

/// A message; its lines stay lines.
pub fn prose(foreign: &str) -> Markup {
    html! { p.prose { (visible_lines(&bounded(foreign, PROSE))) } }
}

/// At most `limit` characters of a name, for pictures: text in them does not wrap.
pub fn short(foreign: &str, limit: usize) -> String {
    let shown = visible(foreign);
    match shown.char_indices().nth(limit) {
        None => shown,
        Some(_) => shown.chars().take(limit - 1).chain(['…']).collect(),
    }
}

/// Names as code, with commas between them.
pub fn codes(names: &[String]) -> Markup {
    html! {
        @for (index, name) in names.iter().enumerate() {
            @if index > 0 { ", " }
            (code(name))
        }
    }
}
