//! The texts of a section, as they are compared with records.

use crate::code_review::outline::{Block, Line, Section};

/// Trimmed, with white space runs as one blank (CR-6).
pub(super) fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Everything that a section says outside code, as one normalised text.
pub(super) fn prose(section: &Section) -> String {
    let mut texts: Vec<&str> = Vec::new();
    for block in &section.blocks {
        match block {
            Block::Part(line) | Block::Item(line) => texts.push(&line.text),
            Block::Paragraph(lines) => texts.extend(lines.iter().map(|line| line.text.as_str())),
            Block::Table(table) => {
                let rows = table.rows.iter().flat_map(|row| &row.cells);
                texts.extend(table.header.iter().chain(rows).map(String::as_str));
            }
            Block::Code { .. } | Block::Other(_) => {}
        }
    }
    normal(&texts.join(" "))
}

/// The values of `<label>: <value>`, normalised, with their lines. A value goes on to the next of these labels in its paragraph.
pub(super) fn labelled(blocks: &[Block], label: &str, labels: &[&str]) -> Vec<Line> {
    let mut values: Vec<Line> = Vec::new();
    for block in blocks {
        let lines = match block {
            Block::Paragraph(lines) => lines.as_slice(),
            Block::Item(line) => std::slice::from_ref(line),
            _ => continue,
        };
        let mut open = false;
        for line in lines {
            if let Some(value) = value(&line.text, label) {
                values.push(Line { text: normal(value), line: line.line });
                open = true;
            } else if labels.iter().any(|other| value(&line.text, other).is_some()) {
                open = false;
            } else if let (true, Some(last)) = (open, values.last_mut()) {
                last.text = normal(&format!("{} {}", last.text, line.text));
            }
        }
    }
    values
}

fn value<'l>(line: &'l str, label: &str) -> Option<&'l str> {
    line.strip_prefix(label)?.strip_prefix(':')
}

/// Items, normalised, of some blocks.
pub(super) fn items(blocks: &[Block]) -> Vec<Line> {
    blocks
        .iter()
        .filter_map(|block| match block {
            Block::Item(line) => Some(Line { text: normal(&line.text), line: line.line }),
            _ => None,
        })
        .collect()
}

/// The blocks begin with this one word, with a full stop or without.
pub(super) fn says_none(blocks: &[Block]) -> bool {
    let first = blocks.first().and_then(|block| match block {
        Block::Paragraph(lines) => lines.first(),
        Block::Item(line) => Some(line),
        _ => None,
    });
    first.is_some_and(|line| is_none(&line.text))
}

/// `none`, with a full stop or without.
pub(super) fn is_none(text: &str) -> bool {
    text.trim_end_matches('.').eq_ignore_ascii_case("none")
}
