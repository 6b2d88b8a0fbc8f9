//! The tags of raw HTML in Markdown: enough to find links, anchors and headings.

/// A part of a piece of HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// `<name …>`
    Open {
        /// Lower case.
        name: String,
        /// Names in lower case with their values, and where each starts.
        attributes: Vec<(usize, String, String)>,
    },
    /// `</name>`
    Close {
        /// Lower case.
        name: String,
    },
    /// Between tags.
    Text(&'a str),
}

/// Splits HTML into tags and text. Comments, declarations and what is no tag are left out or text; nothing is an error.
pub fn parts(html: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(found) = html[at..].find('<').map(|offset| at + offset) {
        if found > at {
            parts.push(Part::Text(&html[at..found]));
        }
        at = match &html[found..] {
            rest if rest.starts_with("<!--") => end_of(html, found, "-->"),
            rest if rest.starts_with("<!") || rest.starts_with("<?") => end_of(html, found, ">"),
            rest if rest.starts_with("</") => {
                let name = name(&html[found + 2..]);
                if !name.is_empty() {
                    parts.push(Part::Close { name: name.to_ascii_lowercase() });
                }
                end_of(html, found, ">")
            }
            _ => open(html, found, &mut parts),
        };
    }
    if at < html.len() {
        parts.push(Part::Text(&html[at..]));
    }
    parts
}

fn end_of(html: &str, from: usize, mark: &str) -> usize {
    html[from..].find(mark).map_or(html.len(), |offset| from + offset + mark.len())
}

fn name(text: &str) -> &str {
    let end = text.find(|character: char| !character.is_ascii_alphanumeric() && !matches!(character, '-' | ':')).unwrap_or(text.len());
    if text.starts_with(|first: char| first.is_ascii_alphabetic()) { &text[..end] } else { "" }
}

fn open<'a>(html: &'a str, found: usize, parts: &mut Vec<Part<'a>>) -> usize {
    let tag = name(&html[found + 1..]);
    if tag.is_empty() {
        parts.push(Part::Text(&html[found..=found]));
        return found + 1;
    }
    let (attributes, end) = attributes(html, found + 1 + tag.len());
    parts.push(Part::Open { name: tag.to_ascii_lowercase(), attributes });
    end
}

/// Attributes from `at` to the tag's `>`, with the place behind it.
fn attributes(html: &str, mut at: usize) -> (Vec<(usize, String, String)>, usize) {
    let mut found = Vec::new();
    loop {
        at = skip(html, at, |character| character.is_ascii_whitespace() || character == '/');
        let Some(next) = html[at..].chars().next() else { return (found, at) };
        if next == '>' {
            return (found, at + 1);
        }
        let start = at;
        // The first character belongs to the name whatever it is, so that every round gets on.
        let end = skip(html, at + next.len_utf8(), |character| !character.is_ascii_whitespace() && !matches!(character, '/' | '>' | '='));
        let name = html[start..end].to_ascii_lowercase();
        at = skip(html, end, |character| character.is_ascii_whitespace());
        let mut value = "";
        if html[at..].starts_with('=') {
            at = skip(html, at + 1, |character| character.is_ascii_whitespace());
            (value, at) = attribute_value(html, at);
        }
        found.push((start, name, value.replace("&amp;", "&")));
    }
}

fn attribute_value(html: &str, at: usize) -> (&str, usize) {
    match html[at..].chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let end = html[at + 1..].find(quote).map_or(html.len(), |offset| at + 1 + offset);
            (&html[at + 1..end], (end + 1).min(html.len()))
        }
        _ => {
            let end = skip(html, at, |character| !character.is_ascii_whitespace() && character != '>');
            (&html[at..end], end)
        }
    }
}

fn skip(html: &str, at: usize, over: impl Fn(char) -> bool) -> usize {
    html[at..].find(|character| !over(character)).map_or(html.len(), |offset| at + offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn open(name: &str, attributes: &[(usize, &str, &str)]) -> Part<'static> {
        let attributes = attributes.iter().map(|(at, name, value)| (*at, (*name).to_owned(), (*value).to_owned())).collect();
        Part::Open { name: name.to_owned(), attributes }
    }

    #[test]
    fn tags_give_their_attributes() {
        assert_eq!(
            parts("<A HREF='x y' ID=b hidden/>t</a>"),
            [open("a", &[(3, "href", "x y"), (14, "id", "b"), (19, "hidden", "")]), Part::Text("t"), Part::Close { name: "a".into() }]
        );
        assert_eq!(parts("<img\n src = \"a&amp;b\">"), [open("img", &[(6, "src", "a&b")])]);
    }

    #[test]
    fn comments_and_stray_signs_are_no_tags() {
        assert_eq!(parts("<!-- <a href=x> -->1 < 2<!DOCTYPE x>"), [Part::Text("1 "), Part::Text("<"), Part::Text(" 2")]);
        assert_eq!(parts("<a href=\"x"), [open("a", &[(3, "href", "x")])]);
    }

    proptest! {
        #[test]
        fn any_text_ends(text in "[<>!/=\"'a é\n-]{0,40}") {
            parts(&text);
        }
    }
}
