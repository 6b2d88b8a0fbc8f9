//! Puts sections and pieces where notes lack them, and words where gaps are; what the author wrote keeps every byte.

use super::sketch::{Block, Sketch, Table, ends_with_item, first_part, joined};
use crate::code_review::outline::{self, Outline, Section, escape_cell};

/// The text with everything that the sketches have and it lacks.
pub(super) fn fill(sketches: &[Sketch], text: &str) -> String {
    let closed = close_gaps(sketches, text);
    let outline = Outline::read(&closed);
    let mut page = Page { lines: closed.split_inclusive('\n').collect(), outline: &outline, additions: Vec::new() };
    for (index, sketch) in sketches.iter().enumerate() {
        match page.place(sketch.title) {
            Some(place) => page.complete(sketch, &place),
            None => page.add(sketch, &sketches[..index]),
        }
    }
    page.text()
}

/// Gaps whose words are known now get them, where the author has not written beside the gap.
fn close_gaps(sketches: &[Sketch], text: &str) -> String {
    let outline = Outline::read(text);
    let page = Page { lines: text.split_inclusive('\n').collect(), outline: &outline, additions: Vec::new() };
    let mut lines: Vec<String> = page.lines.iter().map(|line| (*line).to_owned()).collect();
    for sketch in sketches {
        let Some(place) = page.place(sketch.title) else { continue };
        for (gap, words) in sketch.blocks.iter().flat_map(|block| closings(block, place.section)) {
            if let Some(line) = lines[place.start..place.end].iter_mut().find(|line| line.contains(&gap)) {
                *line = line.replacen(&gap, &words, 1);
            }
        }
    }
    lines.concat()
}

/// Gaps of a block, each with its words.
fn closings(block: &Block, section: &Section) -> Vec<(String, String)> {
    match block {
        Block::Piece(piece) if piece.there.is_in(section) => Vec::new(),
        Block::Piece(piece) => piece.words.closing().map(|(gap, words)| (gap, words.to_owned())).into_iter().collect(),
        Block::Table(table) => {
            let cells = table.rows.iter().flat_map(|row| &row.cells);
            cells.filter_map(|words| words.closing().map(|(gap, words)| (gap, escape_cell(words)))).collect()
        }
    }
}

/// A section of the notes: its lines, from its heading to the next one.
struct Place<'p> {
    section: &'p Section,
    start: usize,
    end: usize,
}

/// Notes as lines, and what is to be added between them.
struct Page<'p> {
    lines: Vec<&'p str>,
    outline: &'p Outline,
    additions: Vec<Addition>,
}

/// Text that comes before the line of this index.
struct Addition {
    at: usize,
    /// It goes on with what stands before, so no blank line parts them.
    tight: bool,
    text: String,
}

impl<'p> Page<'p> {
    fn place(&self, title: &str) -> Option<Place<'p>> {
        let sections = &self.outline.sections;
        let index = sections.iter().position(|section| section.title == title)?;
        let start = |section: &Section| section.line as usize - 1;
        let end = sections.get(index + 1).map_or(self.lines.len(), start);
        Some(Place { section: &sections[index], start: start(&sections[index]), end })
    }

    fn push(&mut self, at: usize, tight: bool, text: String) {
        self.additions.push(Addition { at, tight, text });
    }

    /// A whole section, behind the nearest one that comes before it in a draft.
    fn add(&mut self, sketch: &Sketch, before: &[Sketch]) {
        let previous = before.iter().rev().find_map(|sketch| self.place(sketch.title));
        let first = self.outline.sections.first().map_or(self.lines.len(), |section| section.line as usize - 1);
        self.push(previous.map_or(first, |place| place.end), false, sketch.text());
    }

    /// What an existing section lacks: rows at their places, what comes before the parts above them, everything else at its end.
    fn complete(&mut self, sketch: &Sketch, place: &Place<'_>) {
        let source = self.lines[place.start..place.end].concat();
        if let Some(written) = place.section.tables().next() {
            let tables = sketch.blocks.iter().filter_map(Block::table).filter(|table| written.header == table.columns);
            tables.for_each(|table| self.rows(table, written, place.section));
        }
        let parts = first_part(place.section).map(|line| line as usize - 1);
        let head = parts.and_then(|_| sketch.blocks.iter().position(Block::is_part)).unwrap_or_default();
        let (head, rest) = sketch.blocks.split_at(head);
        let above: Vec<&Block> = head.iter().filter(|block| block.is_missing(place.section, &source)).collect();
        let below: Vec<&Block> = rest.iter().filter(|block| block.is_missing(place.section, &source)).collect();
        if let Some(at) = parts.filter(|_| !above.is_empty()) {
            self.push(at, false, joined(&above));
        }
        if let Some(first) = below.first() {
            let tight = first.is_item() && ends_with_item(place.section);
            let blank = self.lines[place.start..place.end].iter().rev().take_while(|line| line.trim().is_empty()).count();
            self.push(place.end - blank, tight, joined(&below));
        }
    }

    /// Each row that the table lacks, behind the one before it, and the paragraph below.
    fn rows(&mut self, table: &Table, written: &outline::Table, section: &Section) {
        let mut at = written.line as usize + 1;
        for row in &table.rows {
            match written.rows.iter().find(|found| found.cells.first() == Some(&row.key)) {
                Some(found) => at = found.line as usize,
                None => self.push(at, true, row.text()),
            }
        }
        if let Some(below) = table.below.as_ref().filter(|below| !(below.is_there)(section)) {
            let last = written.rows.last().map_or(written.line as usize + 1, |row| row.line as usize);
            self.push(last, false, below.text.to_owned());
        }
    }

    fn text(mut self) -> String {
        self.additions.sort_by_key(|addition| (addition.at, !addition.tight));
        let mut text = String::new();
        let mut additions = self.additions.iter().peekable();
        for index in 0..=self.lines.len() {
            let next = self.lines.get(index).copied().unwrap_or_default();
            let mut parts = false;
            while let Some(addition) = additions.next_if(|addition| addition.at == index) {
                end_line(&mut text);
                if !addition.tight {
                    blank_line(&mut text);
                }
                text.push_str(&addition.text);
                text.push('\n');
                parts = !addition.tight;
            }
            if parts && !next.trim().is_empty() {
                text.push('\n');
            }
            text.push_str(next);
        }
        text
    }
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}

fn blank_line(text: &mut String) {
    let is_blank = text.lines().next_back().is_none_or(|line| line.trim().is_empty());
    if !is_blank {
        text.push('\n');
    }
}
