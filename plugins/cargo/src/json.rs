//! The lines of `--format json`, one object each.

use code_polishy_sdk::suite_runner::CaseOutcome;

use crate::block::{Block, Case, Counts};

/// Every block of a standard output, in order; lines that are no such object are passed over.
pub fn blocks<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for event in lines.filter_map(Event::read) {
        match (event.text("type"), event.text("event")) {
            ("suite", "started") => blocks.push(Block { announced: event.number("test_count"), ..Block::default() }),
            ("suite", "ok" | "failed") => {
                if let Some(block) = blocks.last_mut() {
                    let passed = event.number("passed") + event.number("measured");
                    block.result = Some(Counts { passed, failed: event.number("failed"), skipped: event.number("ignored") });
                }
            }
            (kind, word) => {
                if let (Some(block), Some(outcome)) = (blocks.last_mut(), outcome(kind, word)) {
                    let output = ["stdout", "message"].map(|key| event.text(key)).into_iter().find(|text| !text.is_empty());
                    block.cases.push(Case { name: event.text("name").to_owned(), outcome, output: output.unwrap_or_default().to_owned() });
                }
            }
        }
    }
    blocks
}

fn outcome(kind: &str, word: &str) -> Option<CaseOutcome> {
    match (kind, word) {
        ("test", "ok") | ("bench", _) => Some(CaseOutcome::Passed),
        ("test", "failed") => Some(CaseOutcome::Failed),
        ("test", "ignored") => Some(CaseOutcome::Skipped),
        _ => None,
    }
}

/// The members of one flat object. A JSON library would be larger than the rest of the component.
#[derive(Debug, PartialEq, Eq)]
struct Event(Vec<(String, String)>);

impl Event {
    fn read(line: &str) -> Option<Self> {
        let mut rest = line.strip_prefix('{')?.trim_start();
        let mut members = Vec::new();
        while let Some(text) = rest.strip_prefix('"') {
            let (key, after) = string(text)?;
            let value = after.trim_start().strip_prefix(':')?.trim_start();
            let (value, after) = match value.strip_prefix('"') {
                Some(text) => string(text)?,
                None => plain(value)?,
            };
            members.push((key, value));
            rest = after.trim_start().trim_start_matches(',').trim_start();
        }
        (rest == "}").then_some(Self(members))
    }

    fn text(&self, key: &str) -> &str {
        self.0.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }

    fn number(&self, key: &str) -> usize {
        self.text(key).parse().unwrap_or_default()
    }
}

/// The value and what follows it: a string whose opening quote is taken.
fn string(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(match chars.next()?.1 {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'u' => {
                    let code = chars.by_ref().take(4).try_fold(0, |code, (_, digit)| Some(code * 16 + digit.to_digit(16)?))?;
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
                other => other,
            }),
            _ => value.push(char),
        }
    }
    None
}

/// The same for a number or a word. An object inside of an object makes the line unreadable, and libtest prints none.
fn plain(text: &str) -> Option<(String, &str)> {
    let end = text.find([',', '}', ' '])?;
    Some((text[..end].to_owned(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_events_are_passed_over() {
        let text = "noise\n{ \"type\": \"suite\", \"event\": \"started\", \"test_count\": 1 }\n{ \"type\": 1 }\n{ \"type\": \"test\"\n\
                    { \"type\": \"test\", \"event\": \"started\", \"name\": \"a\" }\n{ \"type\": \"test\", \"name\": \"a\", \"event\": \"ok\" }\n";
        let blocks = blocks(text.lines());
        assert_eq!(blocks.len(), 1);
        assert_eq!(blocks[0].cases, [Case::new("a", CaseOutcome::Passed)]);
        assert_eq!(blocks[0].result, None);
    }

    #[test]
    fn members_are_read_whatever_they_hold() {
        let event = Event::read(r#"{ "type": "test", "stdout": "a \"b\"\n\u001b ü \\ }", "passed": 3, "exec_time": 0.1, "x": null }"#)
            .expect("an event");
        assert_eq!((event.text("stdout"), event.number("passed"), event.text("x")), ("a \"b\"\n\u{1b} ü \\ }", 3, "null"));
        for text in ["", "{", "{}x", "{ \"a\"", "{ \"a\": ", "{ \"a\": \"", r#"{ "a": "\u00"#, r#"{ "a": {} }"#] {
            assert_eq!(Event::read(text), None, "{text}");
        }
    }
}
