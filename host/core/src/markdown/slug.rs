//! The anchor that GitHub gives a heading.

use std::collections::BTreeMap;

use unicode_general_category::{GeneralCategory, get_general_category};

/// Gives every heading of one document its own anchor.
#[derive(Debug, Default)]
pub struct Slugger {
    /// How often an anchor's text was taken up to now.
    taken: BTreeMap<String, u32>,
}

impl Slugger {
    /// The anchor of the next heading with this text; a text that was there gets `-1`, `-2` and so on.
    pub fn anchor(&mut self, heading: &str) -> String {
        let plain = slug(heading);
        let mut anchor = plain.clone();
        while self.taken.contains_key(&anchor) {
            let count = self.taken.entry(plain.clone()).or_default();
            *count += 1;
            anchor = format!("{plain}-{count}");
        }
        self.taken.insert(anchor.clone(), 0);
        anchor
    }
}

/// Lower case; letters, marks, decimal digits, connectors and hyphens stay, a space becomes a hyphen, everything else goes.
fn slug(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars().filter(|character| matches!(character, ' ' | '-') || is_word(*character)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn is_word(character: char) -> bool {
    use GeneralCategory::{ConnectorPunctuation, DecimalNumber, EnclosingMark, NonspacingMark, SpacingMark};
    character.is_alphabetic()
        || matches!(get_general_category(character), ConnectorPunctuation | DecimalNumber | EnclosingMark | NonspacingMark | SpacingMark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_those_of_github() {
        for (heading, anchor) in [
            ("Hello World", "hello-world"),
            ("  Use `cargo test` & go!  ", "use-cargo-test--go"),
            ("C++ / C#", "c--c"),
            ("snake_case-and-dash", "snake_case-and-dash"),
            ("Größe: 3,5 µm", "größe-35-µm"),
            ("1.2.3 (2024-01-02)", "123-2024-01-02"),
            (":rocket: Start", "rocket-start"),
            ("🚀 Start", "-start"),
            ("日本語 の 見出し", "日本語-の-見出し"),
            ("İstanbul", "i\u{307}stanbul"),
        ] {
            assert_eq!(slug(heading), anchor, "{heading}");
        }
    }

    #[test]
    fn repeated_headings_are_counted() {
        let mut slugger = Slugger::default();
        let anchors: Vec<_> = ["Foo", "foo", "Foo-1", "FOO", "Bar"].iter().map(|heading| slugger.anchor(heading)).collect();
        assert_eq!(anchors, ["foo", "foo-1", "foo-1-1", "foo-2", "bar"]);
    }
}
