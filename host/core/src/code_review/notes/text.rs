//! The texts of a section, as they are compared with records.

use crate::code_review::{
    confidence::Closure,
    outline::{Block, Line, Section},
};

/// Trimmed, with white space runs as one blank (CR-6).
pub(in crate::code_review) fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Everything that a section says outside code, as one normalised text.
pub(in crate::code_review) fn prose(section: &Section) -> String {
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
pub(in crate::code_review) fn labelled(blocks: &[Block], label: &str, labels: &[&str]) -> Vec<Line> {
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
pub(in crate::code_review) fn items(blocks: &[Block]) -> Vec<Line> {
    blocks
        .iter()
        .filter_map(|block| match block {
            Block::Item(line) => Some(Line { text: normal(&line.text), line: line.line }),
            _ => None,
        })
        .collect()
}

/// The blocks begin with this one word, with a full stop or without.
pub(in crate::code_review) fn says_none(blocks: &[Block]) -> bool {
    let first = blocks.first().and_then(|block| match block {
        Block::Paragraph(lines) => lines.first(),
        Block::Item(line) => Some(line),
        _ => None,
    });
    first.is_some_and(|line| is_none(&line.text))
}

/// `none`, with a full stop or without.
pub(in crate::code_review) fn is_none(text: &str) -> bool {
    text.trim_end_matches('.').eq_ignore_ascii_case("none")
}

/// The text begins with this label, as a word of its own.
pub(in crate::code_review) fn begins_with(text: &str, label: &str) -> bool {
    let rest = text.trim_start_matches(['*', '`']).strip_prefix(label);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-'))
}

/// An item begins with the path, or it is a first cell; the items of a nested list are part of the text of the outer one.
pub(in crate::code_review) fn names_path(section: &Section, path: &str) -> bool {
    let path = normal(path);
    let word = path.split(' ').next().unwrap_or_default();
    section.blocks.iter().any(|block| match block {
        // Most items are about other paths, and thousands of both are compared.
        Block::Item(line) if !line.text.contains(word) => false,
        Block::Item(line) => item_names(&line.text, &path) || line.text.split(" - ").any(|nested| item_names(nested, &path)),
        Block::Table(table) => table.rows.iter().any(|row| row.cells.first().is_some_and(|cell| normal(bare(cell)) == path)),
        _ => false,
    })
}

fn item_names(item: &str, path: &str) -> bool {
    let item = normal(item);
    if let Some(rest) = item.strip_prefix('`').and_then(|item| item.strip_prefix(path)) {
        return rest.starts_with('`');
    }
    item.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':', ',', ';']))
}

fn bare(cell: &str) -> &str {
    cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')).unwrap_or(cell)
}

/// A gap as the notes tell it: what became of it, and why.
pub(in crate::code_review) fn told(closure: &Closure) -> String {
    normal(&format!("{} [{}] {}", closure.gap, closure.status.as_str(), closure.text))
}
