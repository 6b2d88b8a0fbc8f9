//! A document as far as the contract looks at it: its links, its anchors, and what is wrong with its text.

use std::{collections::BTreeSet, ops::Range};

use pulldown_cmark::{BrokenLink, Event, LinkType, OffsetIter, Options, Parser, Tag, TagEnd};

use super::{
    Violation,
    html::{Part, parts},
    slug::Slugger,
};
use crate::text::escape_line;

/// A link or an image, or the definition of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Line in the document, from 1.
    pub line: u32,
    /// As written, without escapes of Markdown and HTML.
    pub destination: String,
    /// It shows what it names.
    pub image: bool,
}

/// A parsed document; its text is not kept.
#[derive(Clone, Debug)]
pub struct Document {
    path: String,
    links: Vec<Link>,
    anchors: BTreeSet<String>,
    flaws: Vec<Violation>,
}

impl Document {
    /// Parses the text of a document at a repository-relative path.
    pub fn parse(path: &str, text: &str) -> Self {
        let body = front_matter_len(text);
        let mut broken = Vec::new();
        let mut note = |link: BrokenLink<'_>| {
            // `[x]` alone is as often meant literally.
            if matches!(link.link_type, LinkType::Reference | LinkType::Collapsed) {
                broken.push((body + link.span.start, link.reference.to_string()));
            }
            None
        };
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS
            | Options::ENABLE_GFM;
        let parser = Parser::new_with_broken_link_callback(&text[body..], options, Some(&mut note));
        let mut reader =
            Reader { lines: Lines::of(text), text, body, links: Vec::new(), anchors: BTreeSet::new(), slugger: Slugger::default() };
        reader.read(parser.into_offset_iter());
        let Reader { lines, mut links, anchors, .. } = reader;
        links.sort_by_key(|link| link.line);
        let mut flaws = text_flaws(path, text);
        flaws.extend(broken.into_iter().map(|(at, label)| undefined(path, lines.line(at), &label)));
        Self { path: path.to_owned(), links, anchors, flaws }
    }

    /// Repository-relative.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Every link and image, by line.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Anchors of headings, and `id` and `name` attributes of HTML.
    pub fn anchors(&self) -> &BTreeSet<String> {
        &self.anchors
    }

    /// What is wrong with the text itself: its end, its white space, references without a definition.
    pub fn flaws(&self) -> &[Violation] {
        &self.flaws
    }
}

fn undefined(path: &str, line: u32, label: &str) -> Violation {
    let message = format!("the reference `{}` is not defined", escape_line(label));
    Violation::new("documentation.undefined-reference", path, Some(line), message, "define the reference, or mark the text as code")
}

/// A final newline and no trailing white space; two spaces for a hard break count too, because nobody sees them.
fn text_flaws(path: &str, text: &str) -> Vec<Violation> {
    let mut flaws = Vec::new();
    for (line, number) in text.split('\n').zip(1..) {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.ends_with(char::is_whitespace) {
            let remedy = "remove it; for a hard line break write `\\` at the end of the line";
            flaws.push(Violation::new("documentation.trailing-white-space", path, Some(number), "the line ends in white space", remedy));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        let line = u32::try_from(text.split('\n').count()).ok();
        flaws.push(Violation::new(
            "documentation.final-newline",
            path,
            line,
            "the last line has no newline",
            "end the document with a newline",
        ));
    }
    flaws
}

/// Bytes of a YAML block at the very start, which is shown as a table.
fn front_matter_len(text: &str) -> usize {
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        match (index, line.trim_end()) {
            (0, "---") => {}
            (0, _) => return 0,
            (_, "---" | "...") => return at,
            _ => {}
        }
    }
    0
}

/// Where lines start.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Self {
        Self(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    fn line(&self, offset: usize) -> u32 {
        u32::try_from(self.0.partition_point(|end| *end < offset) + 1).unwrap_or(u32::MAX)
    }
}

struct Reader<'a> {
    text: &'a str,
    /// Where Markdown starts.
    body: usize,
    lines: Lines,
    links: Vec<Link>,
    anchors: BTreeSet<String>,
    slugger: Slugger,
}

impl Reader<'_> {
    fn read<'i, F: pulldown_cmark::BrokenLinkCallback<'i>>(&mut self, events: OffsetIter<'i, F>) {
        let definitions: Vec<(usize, String)> =
            events.reference_definitions().iter().map(|(_, definition)| (definition.span.start, definition.dest.to_string())).collect();
        for (at, destination) in definitions {
            self.link(self.body + at, destination, false);
        }
        let mut heading: Option<String> = None;
        let mut images = 0_u32;
        for (event, range) in events {
            let range = self.body + range.start..self.body + range.end;
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => self.heading(&heading.take().unwrap_or_default()),
                Event::Start(Tag::Link { link_type, dest_url, .. }) => self.inline(link_type, &range, &dest_url, false),
                Event::Start(Tag::Image { link_type, dest_url, .. }) => {
                    images += 1;
                    self.inline(link_type, &range, &dest_url, true);
                }
                Event::End(TagEnd::Image) => images -= 1,
                Event::Start(Tag::HtmlBlock) => self.html(range),
                Event::InlineHtml(_) => self.html(range),
                Event::Text(text) | Event::Code(text) if images == 0 => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
    }

    /// References are looked at where they are defined.
    fn inline(&mut self, link_type: LinkType, range: &Range<usize>, destination: &str, image: bool) {
        if link_type == LinkType::Inline {
            self.link(range.start, destination.to_owned(), image);
        }
    }

    fn link(&mut self, at: usize, destination: String, image: bool) {
        self.links.push(Link { line: self.lines.line(at), destination, image });
    }

    fn heading(&mut self, text: &str) {
        let anchor = self.slugger.anchor(text);
        self.anchors.insert(anchor);
    }

    fn html(&mut self, range: Range<usize>) {
        let mut heading: Option<String> = None;
        for part in parts(&self.text[range.clone()]) {
            match part {
                Part::Open { name, attributes } => {
                    if is_heading(&name) {
                        heading = Some(String::new());
                    }
                    attributes.into_iter().for_each(|(at, attribute, value)| self.attribute(range.start + at, &name, &attribute, value));
                }
                Part::Close { name } if is_heading(&name) => {
                    if let Some(text) = heading.take() {
                        self.heading(&text);
                    }
                }
                Part::Close { .. } => {}
                Part::Text(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(text);
                    }
                }
            }
        }
    }

    fn attribute(&mut self, at: usize, tag: &str, attribute: &str, value: String) {
        match (tag, attribute) {
            (_, "id") | ("a", "name") => {
                self.anchors.insert(value);
            }
            ("a" | "area", "href") => self.link(at, value, false),
            ("img" | "source" | "video" | "audio", "src") => self.link(at, value, true),
            _ => {}
        }
    }
}

fn is_heading(tag: &str) -> bool {
    matches!(tag.as_bytes(), [b'h', b'1'..=b'6'])
}
