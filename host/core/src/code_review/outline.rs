//! A Markdown text as sections of level 2: what each has, with the lines where it stands (CR-68, CR-116).
//!
//! CommonMark decides what is a heading, a list and a table; texts are taken from the source as they are written.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Sections in order; what stands before the first is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// Level-2 headings with what follows them.
    pub sections: Vec<Section>,
}

/// A level-2 heading and its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading's text.
    pub title: String,
    /// The heading's line, from 1.
    pub line: u32,
    /// The body; empty when nothing but white space and comments follows.
    pub blocks: Vec<Block>,
}

/// A part of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A heading below level 2.
    Part(Line),
    /// The lines of a paragraph, as they are written.
    Paragraph(Vec<Line>),
    /// A list item; its lines joined by blanks.
    Item(Line),
    /// A table.
    Table(Table),
    /// A code block.
    Code {
        /// The first word after the fence; empty for none.
        language: String,
        /// Its content.
        text: String,
        /// Its first line.
        line: u32,
    },
    /// Something else that shows.
    Other(u32),
}

/// A text and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Trimmed.
    pub text: String,
    /// From 1.
    pub line: u32,
}

/// A table; cells are unescaped (CR-162).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The header's line, from 1.
    pub line: u32,
    /// The header as it is written.
    pub header_source: String,
    /// The divider as it is written.
    pub divider_source: String,
    /// Header cells.
    pub header: Vec<String>,
    /// Rows below the divider.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// From 1.
    pub line: u32,
    /// As many as the header has.
    pub cells: Vec<String>,
}

impl Outline {
    /// Reads a text.
    pub fn read(text: &str) -> Self {
        let mut reader =
            OutlineReader { source: text, outline: Self::default(), starts: line_starts(text), table: None, depth: 0, item: None };
        let parser = Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter();
        for (event, range) in parser {
            reader.take(&event, range);
        }
        reader.outline
    }

    /// The sections of this title.
    pub fn titled<'o>(&'o self, title: &str) -> impl Iterator<Item = &'o Section> {
        self.sections.iter().filter(move |section| section.title == title)
    }

    /// The first section of this title.
    pub fn section(&self, title: &str) -> Option<&Section> {
        self.titled(title).next()
    }
}

impl Section {
    /// Lines of paragraphs and list items, in order.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.blocks.iter().flat_map(|block| match block {
            Block::Paragraph(lines) => lines.as_slice(),
            Block::Item(line) => std::slice::from_ref(line),
            _ => &[],
        })
    }

    /// The values of the lines `<label>: <value>`, with their places.
    pub fn labelled<'s>(&'s self, label: &str) -> Vec<(&'s str, u32)> {
        self.lines().filter_map(|line| Some((line.text.strip_prefix(label)?.strip_prefix(':')?.trim(), line.line))).collect()
    }

    /// List items, in order.
    pub fn items(&self) -> impl Iterator<Item = &Line> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Item(line) => Some(line),
            _ => None,
        })
    }

    /// Tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The blocks of the part of this title, up to the next part; `None` without it.
    pub fn part(&self, title: &str) -> Option<&[Block]> {
        let is_part = |block: &Block| matches!(block, Block::Part(_));
        let start = self.blocks.iter().position(|block| matches!(block, Block::Part(line) if line.text == title))? + 1;
        let end = self.blocks[start..].iter().position(is_part).map_or(self.blocks.len(), |length| start + length);
        Some(&self.blocks[start..end])
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(index, _)| index + 1)).collect()
}

struct OutlineReader<'t> {
    source: &'t str,
    outline: Outline,
    starts: Vec<usize>,
    table: Option<Table>,
    /// Depth inside quotes and lists, whose own blocks are not reported again.
    depth: usize,
    item: Option<Range<usize>>,
}

impl OutlineReader<'_> {
    fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    fn text(&self, range: &Range<usize>) -> Line {
        Line { text: self.source[range.clone()].trim().to_owned(), line: self.line(range.start) }
    }

    fn push(&mut self, block: Block) {
        if let Some(section) = self.outline.sections.last_mut() {
            section.blocks.push(block);
        }
    }

    fn take(&mut self, event: &Event<'_>, range: Range<usize>) {
        if let Some(mut table) = self.table.take() {
            self.in_table(&mut table, event, &range);
            match event {
                Event::End(TagEnd::Table) => self.push(Block::Table(table)),
                _ => self.table = Some(table),
            }
            return;
        }
        match event {
            Event::Start(Tag::BlockQuote(_)) => {
                self.shows(&range);
                self.depth += 1;
            }
            Event::End(TagEnd::BlockQuote(_)) => self.depth -= 1,
            Event::Start(Tag::Item) if self.depth == 0 => self.item(&range),
            Event::Start(Tag::List(_)) => self.depth += usize::from(self.item.is_some()),
            Event::End(TagEnd::Item) if self.item.as_ref() == Some(&range) => self.item = None,
            Event::End(TagEnd::List(_)) => self.depth -= usize::from(self.item.is_some() && self.depth > 0),
            _ if self.depth > 0 || self.item.is_some() => {}
            Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                let heading = self.heading(&range);
                self.outline.sections.push(Section { title: heading.text, line: heading.line, blocks: Vec::new() });
            }
            Event::Start(Tag::Heading { .. }) => {
                let heading = self.heading(&range);
                self.push(Block::Part(heading));
            }
            Event::Start(Tag::Paragraph) => self.paragraph(&range),
            Event::Start(Tag::Table(_)) => self.table = Some(self.table_at(&range)),
            Event::Start(Tag::CodeBlock(kind)) => self.code(kind, &range),
            Event::Start(Tag::HtmlBlock) | Event::Rule => self.html(&range),
            _ => {}
        }
    }

    fn heading(&self, range: &Range<usize>) -> Line {
        let source = self.text(range);
        let first = source.text.lines().next().unwrap_or_default();
        Line { text: first.trim_start_matches('#').trim().trim_end_matches('#').trim().to_owned(), ..source }
    }

    fn paragraph(&mut self, range: &Range<usize>) {
        let start = self.line(range.start);
        let lines = self.source[range.clone()].lines().zip(start..);
        let lines = lines.map(|(text, line)| Line { text: text.trim().to_owned(), line }).filter(|line| !line.text.is_empty()).collect();
        self.push(Block::Paragraph(lines));
    }

    fn item(&mut self, range: &Range<usize>) {
        let source = self.source[range.clone()].trim();
        let unmarked =
            source.trim_start_matches(|character: char| character.is_ascii_digit()).trim_start_matches(['-', '*', '+', '.', ')']);
        let text = unmarked.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        let line = self.line(range.start);
        self.push(Block::Item(Line { text, line }));
        self.item = Some(range.clone());
    }

    fn code(&mut self, kind: &CodeBlockKind<'_>, range: &Range<usize>) {
        let source = &self.source[range.clone()];
        let (language, text) = match kind {
            CodeBlockKind::Fenced(info) => {
                let mut lines: Vec<&str> = source.lines().skip(1).collect();
                if lines.last().is_some_and(|line| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~")) {
                    lines.pop();
                }
                (info.split_whitespace().next().unwrap_or_default().to_owned(), lines.join("\n"))
            }
            CodeBlockKind::Indented => (String::new(), source.to_owned()),
        };
        let line = self.line(range.start);
        self.push(Block::Code { language, text, line });
    }

    /// A comment shows nothing, so a section of comments is empty.
    fn html(&mut self, range: &Range<usize>) {
        let text = self.source[range.clone()].trim();
        let is_comment = text.starts_with("<!--") && text.find("-->") == text.len().checked_sub(3);
        if !is_comment && !text.is_empty() {
            self.shows(range);
        }
    }

    fn shows(&mut self, range: &Range<usize>) {
        let line = self.line(range.start);
        self.push(Block::Other(line));
    }

    fn table_at(&self, range: &Range<usize>) -> Table {
        let mut lines = self.source[range.clone()].lines().map(str::trim);
        let (header, divider) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        Table {
            line: self.line(range.start),
            header_source: header.to_owned(),
            divider_source: divider.to_owned(),
            header: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn in_table(&self, table: &mut Table, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::TableRow) => table.rows.push(Row { line: self.line(range.start), cells: Vec::new() }),
            Event::Start(Tag::TableCell) => {
                let cell = unescape_cell(self.source[range.clone()].trim());
                match table.rows.last_mut() {
                    Some(row) => row.cells.push(cell),
                    None => table.header.push(cell),
                }
            }
            _ => {}
        }
    }
}

/// A value as a table cell: `\` and the pipe behind a `\`, a line feed as `<br>` (CR-162).
pub fn escape_cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', "<br>")
}

/// The value of a cell.
pub fn unescape_cell(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    let mut characters = cell.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(escaped @ ('\\' | '|')) => text.push(escaped),
                Some(other) => text.extend(['\\', other]),
                None => text.push('\\'),
            },
            other => text.push(other),
        }
    }
    text.replace("<br>", "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# Title

## Scope

One: first
Two: second

- an item
  that goes on
  - and nests
- another

## Table

| A | B |
| --- | --- |
| x \\| y | `z` |
| 1<br>2 | a \\\\ b |

```json
## Findings
```

## Empty

<!-- to write -->

## Parts

### First

text

### Second
";

    #[test]
    fn sections_have_their_lines() {
        let outline = Outline::read(TEXT);
        let titles: Vec<(&str, u32)> = outline.sections.iter().map(|section| (section.title.as_str(), section.line)).collect();
        assert_eq!(titles, [("Scope", 3), ("Table", 13), ("Empty", 24), ("Parts", 28)]);
        let scope = outline.section("Scope").expect("there");
        assert_eq!(scope.labelled("Two"), [("second", 6)]);
        let items: Vec<&str> = scope.items().map(|item| item.text.as_str()).collect();
        assert_eq!(items, ["an item that goes on - and nests", "another"]);
        assert!(outline.section("Empty").expect("there").blocks.is_empty());
    }

    #[test]
    fn only_comments_show_nothing() {
        let shows = |body: &str| !Outline::read(&format!("## A\n\n{body}\n")).sections[0].blocks.is_empty();
        assert!(!shows("<!-- one -->") && !shows("<!-- over\ntwo lines -->") && !shows("<!-- a -->\n\n<!-- b -->"));
        assert!(shows("<!-- a --> text") && shows("<!-- a -->text<!-- b -->") && shows("<p>text</p>") && shows("---"));
    }

    #[test]
    fn parts_end_where_the_next_begins() {
        let outline = Outline::read(TEXT);
        let parts = outline.section("Parts").expect("there");
        assert!(matches!(parts.part("First"), Some([Block::Paragraph(_)])));
        assert_eq!(parts.part("Second"), Some([].as_slice()));
        assert_eq!(parts.part("Third"), None);
    }

    #[test]
    fn tables_give_their_cells_as_they_were_meant() {
        let outline = Outline::read(TEXT);
        let section = outline.section("Table").expect("there");
        let table = section.tables().next().expect("there");
        assert_eq!((table.line, table.divider_source.as_str()), (15, "| --- | --- |"));
        assert_eq!(table.header, ["A", "B"]);
        assert_eq!(table.rows[0], Row { line: 17, cells: vec!["x | y".to_owned(), "`z`".to_owned()] });
        assert_eq!(table.rows[1].cells, ["1\n2", "a \\ b"]);
        assert!(matches!(section.blocks.last(), Some(Block::Code { language, text, .. }) if language == "json" && text == "## Findings"));
    }

    #[test]
    fn a_cell_survives_its_escapes() {
        for text in ["a|b", "a\\b", "a\\|b", "a\nb", "\\", "plain <b>"] {
            assert_eq!(unescape_cell(&escape_cell(text)), text);
        }
    }
}
