//! What notes say, before it is text: sections of pieces, each with its words or with the gap that stands for them.

use crate::code_review::{
    decision::mentions,
    notes::text::{begins_with, items, names_path, normal, prose, says_none},
    outline::{Block as Written, Section, escape_cell},
};

/// How a gap begins; CommonMark shows none of it, so a section of gaps is an empty one.
pub(super) const GAP: &str = "<!-- to write: ";
/// How a gap ends.
pub(super) const GAP_END: &str = " -->";

/// A section.
pub(super) struct Sketch {
    pub(super) title: &'static str,
    pub(super) blocks: Vec<Block>,
}

/// What a section is made of.
pub(super) enum Block {
    Piece(Piece),
    Table(Table),
}

/// What the data determine, or what the author has to write.
pub(super) struct Words {
    /// What stands in the gap; empty for words that are always known.
    open: String,
    known: Option<String>,
}

impl Words {
    /// Words that are always known.
    pub(super) fn known(text: impl Into<String>) -> Self {
        Self { open: String::new(), known: Some(text.into()) }
    }

    /// Words that only the author knows.
    pub(super) fn open(what: impl Into<String>) -> Self {
        Self { open: what.into(), known: None }
    }

    /// Words that are known once their source is there.
    pub(super) fn of(what: impl Into<String>, known: Option<String>) -> Self {
        Self { open: what.into(), known }
    }

    pub(super) fn text(&self) -> String {
        self.known.clone().unwrap_or_else(|| self.gap())
    }

    fn gap(&self) -> String {
        format!("{GAP}{}{GAP_END}", normal(&self.open).replace("--", "-"))
    }

    /// The gap and the words that close it.
    pub(super) fn closing(&self) -> Option<(String, &str)> {
        let known = self.known.as_deref()?;
        (!self.open.is_empty()).then(|| (self.gap(), known))
    }

    /// The gap, while nothing is known.
    pub(super) fn unwritten(&self) -> Option<String> {
        self.known.is_none().then(|| self.gap())
    }
}

/// Something that a section says once.
pub(super) struct Piece {
    pub(super) form: Form,
    pub(super) words: Words,
    pub(super) there: There,
}

/// How a piece is set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Paragraphs, with blank lines around.
    Paragraph,
    /// List items, which follow items without a blank line.
    Item,
    /// A part of this title.
    Part(&'static str),
}

/// What shows that the author has written a piece.
pub(super) enum There {
    /// A line of this label.
    Label(String),
    /// A line of this label with this value.
    Value(String, String),
    /// The section says this text.
    Says(String),
    /// The section says this as a word of its own.
    Mentions(String),
    /// An item or a first cell names this path.
    Path(String),
    /// An item begins with this label.
    Item(String),
    /// The section has an item, or says that there is none.
    List,
    /// The part of this title has a body.
    Part(&'static str),
    /// The section has a body.
    Body,
}

impl There {
    /// The section has it.
    pub(super) fn is_in(&self, section: &Section) -> bool {
        match self {
            Self::Label(label) => !section.labelled(label).is_empty(),
            Self::Value(label, value) => section.labelled(label).iter().any(|(stated, _)| normal(stated) == *value),
            Self::Says(text) => prose(section).contains(text),
            Self::Mentions(word) => mentions(&prose(section), word),
            Self::Path(path) => names_path(section, path),
            Self::Item(label) => items(&section.blocks).iter().any(|item| begins_with(&item.text, label)),
            Self::List => section.items().next().is_some() || says_none(&section.blocks),
            Self::Part(title) => section.part(title).is_some_and(|body| !body.is_empty()),
            Self::Body => !section.blocks.is_empty(),
        }
    }
}

impl Piece {
    /// A paragraph `<label>: <value>`.
    pub(super) fn line(label: &str, what: &str, value: Option<String>) -> Self {
        let known = value.map(|value| format!("{label}: {}", normal(&value)));
        Self::paragraph(There::Label(label.to_owned()), Words::of(format!("{label}: {what}"), known))
    }

    /// A paragraph `<label>: <value>` beside others of the same label.
    pub(super) fn one_of_lines(label: &str, value: &str) -> Self {
        let value = normal(value);
        let words = Words::known(format!("{label}: {value}"));
        Self::paragraph(There::Value(label.to_owned(), value), words)
    }

    pub(super) fn paragraph(there: There, words: Words) -> Self {
        Self { form: Form::Paragraph, words, there }
    }

    /// A list item.
    pub(super) fn item(there: There, text: &str) -> Self {
        Self { form: Form::Item, words: Words::known(format!("- {}", normal(text))), there }
    }

    /// A part with its heading.
    pub(super) fn part(title: &'static str, what: &str, body: Option<String>) -> Self {
        Self { form: Form::Part(title), words: Words::of(format!("{title}: {what}"), body), there: There::Part(title) }
    }

    /// The section says it, or has its gap.
    pub(super) fn is_in(&self, section: &Section, source: &str) -> bool {
        self.there.is_in(section) || self.words.unwritten().is_some_and(|gap| source.contains(&gap)) || self.has_heading(section)
    }

    /// A part without a body is the author's to fill, like a gap.
    fn has_heading(&self, section: &Section) -> bool {
        matches!(self.form, Form::Part(title) if section.part(title).is_some())
    }

    pub(super) fn text(&self) -> String {
        match self.form {
            Form::Part(title) => format!("### {title}\n\n{}", self.words.text()),
            Form::Paragraph | Form::Item => self.words.text(),
        }
    }
}

/// List items, or `none`.
pub(super) fn list(texts: &[String]) -> String {
    if texts.is_empty() {
        return "none".to_owned();
    }
    texts.iter().map(|text| format!("- {}", normal(text))).collect::<Vec<_>>().join("\n")
}

/// A table whose rows are known by their first cell.
pub(super) struct Table {
    pub(super) columns: &'static [&'static str],
    pub(super) rows: Vec<Row>,
    /// The paragraph directly below.
    pub(super) below: Option<Below>,
}

/// A paragraph that follows a table.
pub(super) struct Below {
    pub(super) text: &'static str,
    pub(super) is_there: fn(&Section) -> bool,
}

/// A row.
pub(super) struct Row {
    pub(super) key: String,
    /// The cells behind the first.
    pub(super) cells: Vec<Words>,
}

impl Row {
    pub(super) fn text(&self) -> String {
        let cells = self.cells.iter().map(|words| words.known.as_deref().map_or_else(|| words.gap(), escape_cell));
        let cells: Vec<String> = std::iter::once(escape_cell(&self.key)).chain(cells).collect();
        format!("| {} |", cells.join(" | "))
    }
}

impl Table {
    /// Header, divider and rows.
    pub(super) fn text(&self) -> String {
        let line = |cells: &[&str]| format!("| {} |", cells.join(" | "));
        let head = [line(self.columns), line(&vec!["---"; self.columns.len()])];
        let lines: Vec<String> = head.into_iter().chain(self.rows.iter().map(Row::text)).collect();
        let below = self.below.as_ref().map(|below| format!("\n\n{}", below.text)).unwrap_or_default();
        lines.join("\n") + &below
    }
}

impl Sketch {
    pub(super) fn new(title: &'static str) -> Self {
        Self { title, blocks: Vec::new() }
    }

    pub(super) fn with(mut self, pieces: impl IntoIterator<Item = Piece>) -> Self {
        self.blocks.extend(pieces.into_iter().map(Block::Piece));
        self
    }

    pub(super) fn with_table(mut self, table: Table) -> Self {
        self.blocks.push(Block::Table(table));
        self
    }

    /// The section as a fresh draft has it.
    pub(super) fn text(&self) -> String {
        format!("## {}\n\n{}", self.title, joined(&self.blocks.iter().collect::<Vec<_>>()))
    }
}

impl Block {
    fn text(&self) -> String {
        match self {
            Self::Piece(piece) => piece.text(),
            Self::Table(table) => table.text(),
        }
    }

    /// The section has neither it nor its gap; rows of a table that is there are looked for one by one.
    pub(super) fn is_missing(&self, section: &Section, source: &str) -> bool {
        match self {
            Self::Piece(piece) => !piece.is_in(section, source),
            Self::Table(_) => section.tables().next().is_none(),
        }
    }

    pub(super) fn table(&self) -> Option<&Table> {
        match self {
            Self::Table(table) => Some(table),
            Self::Piece(_) => None,
        }
    }

    pub(super) fn is_part(&self) -> bool {
        matches!(self, Self::Piece(Piece { form: Form::Part(_), .. }))
    }

    pub(super) fn is_item(&self) -> bool {
        matches!(self, Self::Piece(Piece { form: Form::Item, .. }))
    }
}

/// Blocks one below the other; items that follow each other are one list.
pub(super) fn joined(blocks: &[&Block]) -> String {
    let mut text = String::new();
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            text.push_str(if block.is_item() && blocks[index - 1].is_item() { "\n" } else { "\n\n" });
        }
        text.push_str(&block.text());
    }
    text
}

/// The line of the first part, from 1.
pub(super) fn first_part(section: &Section) -> Option<u32> {
    section.blocks.iter().find_map(|block| match block {
        Written::Part(line) => Some(line.line),
        _ => None,
    })
}

/// The last thing that the section shows is a list item.
pub(super) fn ends_with_item(section: &Section) -> bool {
    matches!(section.blocks.last(), Some(Written::Item(_)))
}
