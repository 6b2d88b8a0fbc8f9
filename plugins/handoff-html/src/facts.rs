//! What the review is about, and where its records lie.

use maud::{Markup, html};
use page::Section;
use page::shown::{code, name, prose};
use reading::handoff::{Closed, Handoff, Snapshot};

use crate::SHOWN;

/// What forges write and Markdown would read as markup is kept as these.
const ENTITIES: [(&str, char); 6] = [("&amp;", '&'), ("&lt;", '<'), ("&gt;", '>'), ("&#91;", '['), ("&#93;", ']'), ("&#96;", '`')];

/// The change under review.
pub fn snapshot(handoff: &Handoff<'_>, snapshot: &Snapshot<'_>) -> Option<Section> {
    let content = html! {
        dl.rows {
            @for row in snapshot.rows.iter().take(SHOWN).filter(|row| !is_told(snapshot, row)) { (field(row)) }
            (paths(handoff))
        }
    };
    Some(Section { id: "review", title: "This review", content })
}

/// The title says what is suggested, and a revision that is the commit needs no line of its own.
fn is_told(snapshot: &Snapshot<'_>, row: &[&str]) -> bool {
    match row {
        ["Suggestion", _] => true,
        ["Revision", revision] => snapshot.field("Commit") == Some(revision),
        _ => false,
    }
}

/// Where the records lie.
pub fn artifacts(handoff: &Handoff<'_>) -> Option<Section> {
    Some(Section { id: "review", title: "This review", content: html! { dl.rows { (paths(handoff)) } } })
}

fn paths(handoff: &Handoff<'_>) -> Markup {
    html! {
        @for (label, path) in handoff.artifacts.iter().take(SHOWN) { dt { (name(label)) } dd { (code(path)) } }
        dt { "In full" } dd { code { "review-notes.md" } " beside the result" }
    }
}

fn field(cells: &[&str]) -> Markup {
    let [field, value] = cells else {
        return html! {};
    };
    html! {
        dt { (name(field)) }
        dd {
            @match *field {
                "PR" => { (pull_request(value)) }
                "Author" | "CI" => { (name(&unescaped(value))) }
                "Type" => { (name(value)) }
                _ => { (code(value)) }
            }
        }
    }
}

/// `[#7 — Title](address)`, as words and an address: the page has no links to elsewhere.
fn pull_request(value: &str) -> Markup {
    let parts = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(')')).and_then(|rest| rest.split_once(']'));
    html! {
        @match parts.and_then(|(title, address)| Some((title, address.strip_prefix('(')?))) {
            Some((title, address)) => { (name(&unescaped(title))) span.facts { (code(address)) } }
            None => { (name(value)) }
        }
    }
}

/// The characters that stand for themselves again; what came from an entity is not read once more.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.find('&').and_then(|start| rest.split_at_checked(start)) {
        plain.push_str(before);
        let found = ENTITIES.iter().find_map(|(entity, character)| Some((from.strip_prefix(entity)?, *character)));
        let (after, character) = found.unwrap_or_else(|| (from.strip_prefix('&').unwrap_or(from), '&'));
        plain.push(character);
        rest = after;
    }
    plain + rest
}

/// Why nothing was reviewed.
pub fn unavailable(diagnostic: &str) -> Option<Section> {
    let content = html! {
        dl.rows {
            dt { "Source findings" } dd { "not assessed" }
            dt { "Merge decision" } dd { "not made" }
            dt { "Diagnostic" } dd { (prose(diagnostic)) }
        }
    };
    Some(Section { id: "status", title: "What happened", content })
}

/// Why closing is advised.
pub fn closed(closed: &Closed<'_>) -> Option<Section> {
    let content = html! {
        dl.rows {
            dt { "Close code" } dd { (code(closed.code)) }
            dt { "Reviewed head" } dd { (code(closed.head)) }
            dt { "Source findings" } dd { "not assessed" }
            dt { "Detailed review" } dd { "skipped" }
            dt { "At the forge" } dd { "nothing was done" }
            dt { "Evidence" }
            dd { ul.plain { @for (claim, source) in closed.evidence.iter().take(SHOWN) { li { (name(claim)) span.facts { (code(source)) } } } } }
            dt { "Looked for against it" }
            dd { ul.plain { @for checked in closed.counterevidence.iter().take(SHOWN) { li { (name(checked)) } } } }
        }
    };
    Some(Section { id: "status", title: "Why", content })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_forge_says_is_read_once() {
        assert_eq!(unescaped("a &amp; &lt;b&gt; &#91;c&#93; &amp;lt;"), "a & <b> [c] &lt;");
        let drawn = pull_request("[#7 — &#91;x&#93; &lt;b&gt;](https://forge.example/a/b/pull/7)").into_string();
        assert!(drawn.starts_with("#7 — [x] &lt;b&gt;<") && drawn.contains("<code>https://forge.example/a/b/pull/7</code>"), "{drawn}");
    }
}
