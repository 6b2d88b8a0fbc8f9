//! The page: its head, its header, and its sections in order.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::icon::{Icon, definitions};
use crate::section::Section;

/// What every page looks like.
const STYLE: &str = include_str!("style.css");

/// Nothing may be loaded, run, sent or framed by the page; its own style is the one exception.
const CONTENT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// What differs from page to page. Texts are made visible and bounded by whoever gives them.
pub struct Page {
    /// Style sheet for what this kind of page has of its own.
    pub style: &'static str,
    /// What its pictures refer to.
    pub definitions: Markup,
    /// Whose page it is.
    pub brand: &'static str,
    /// The verdict at a glance.
    pub icon: Icon,
    /// The verdict in a few words.
    pub headline: String,
    /// The commit that it is about; may be empty.
    pub commit: String,
    /// The verdict in one sentence.
    pub lede: String,
    /// What else people look for first.
    pub figures: Markup,
    /// In order.
    pub sections: Vec<Section>,
    /// What the page is drawn from.
    pub source: Markup,
}

impl Page {
    /// The whole document.
    pub fn draw(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                (self.head())
                body {
                    a.skip href="#main" { "Skip to the report" }
                    (definitions(&self.definitions))
                    (self.header())
                    @if self.sections.len() > 1 { (contents(&self.sections)) }
                    main #main tabindex="-1" {
                        @for section in &self.sections {
                            section aria-labelledby=(section.id) {
                                h2 id=(section.id) { (section.title) }
                                (section.content)
                            }
                        }
                        @if self.sections.is_empty() { p { "The report says nothing more." } }
                    }
                    footer {
                        div.inner {
                            (self.source)
                            p { "This page loads nothing and runs no script." }
                        }
                    }
                }
            }
        }
    }

    fn head(&self) -> Markup {
        html! {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(CONTENT_POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title {
                    (self.headline)
                    @if !self.commit.is_empty() { " · " (commit(&self.commit)) }
                    " · code-polishy"
                }
                style { (PreEscaped(STYLE)) (PreEscaped(self.style)) }
            }
        }
    }

    fn header(&self) -> Markup {
        html! {
            header.(self.icon.class()) {
                div.inner {
                    p.brand { (self.brand) }
                    h1 { (self.icon.draw()) span { (self.headline) } }
                    p.lede { (self.lede) }
                    (self.figures)
                }
            }
        }
    }
}

fn contents(sections: &[Section]) -> Markup {
    html! {
        nav aria-label="Sections" {
            ul.inner { @for section in sections { li { a href={ "#" (section.id) } { (section.title) } } } }
        }
    }
}

/// As much of a commit as people compare.
pub fn commit(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}
