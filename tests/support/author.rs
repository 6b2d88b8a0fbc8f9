//! The author of a review: writes what a draft of the notes leaves open.

use serde_json::Value;

use crate::{Output, ReviewRun};

impl ReviewRun {
    /// Drafts the notes of the run with these options.
    pub fn draft_notes(&self, options: &[&str]) -> Output {
        self.command("notes", &[&["--draft"], options].concat())
    }

    /// Drafts the notes, and closes every gap with what an author may write there.
    #[track_caller]
    pub fn write_notes(&self) -> &Self {
        let document = self.draft_notes(&[]).exits(0).json();
        let mut text = self.text("review-notes.md");
        for gap in document["left"].as_array().expect("gaps") {
            let what = gap["what"].as_str().expect("what is to be written");
            text = text.replacen(&format!("<!-- to write: {what} -->"), &words(what), 1);
        }
        self.write("review-notes.md", text)
    }

    /// Puts one text of the notes for another.
    #[track_caller]
    pub fn edit_notes(&self, text: &str, other: &str) -> &Self {
        let notes = self.text("review-notes.md");
        assert!(notes.contains(text), "no {text:?} in {notes}");
        self.write("review-notes.md", notes.replacen(text, other, 1))
    }
}

impl Output {
    /// `<section>: <what>` of every gap of a draft, what it is up to its first comma or colon.
    #[track_caller]
    pub fn gaps(&self) -> Vec<String> {
        let document = self.json();
        let text = |gap: &Value, key: &str| gap[key].as_str().unwrap_or_else(|| panic!("no {key} in {gap}")).to_owned();
        let gaps = document["left"].as_array().unwrap_or_else(|| panic!("no gaps in {self}"));
        let short = |what: String| what.split([':', ',']).next().unwrap_or_default().to_owned();
        gaps.iter().map(|gap| format!("{}: {}", text(gap, "section"), short(text(gap, "what")))).collect()
    }
}

/// A word of the list that a gap gives, or a sentence behind the label that it begins with.
fn words(what: &str) -> String {
    let label = what.split_once(": ").map(|(label, _)| format!("{label}: ")).unwrap_or_default();
    match what {
        _ if what.starts_with("one of fix,") => "docs".to_owned(),
        _ if what.starts_with("one of Required,") => "Required".to_owned(),
        _ if what.starts_with("addressed,") => "refuted".to_owned(),
        _ if what.starts_with("Verification readiness:") => format!("{label}complete"),
        _ if what.starts_with("Prior finding ") => format!("{label}refuted"),
        _ => format!("{label}It was read as a whole."),
    }
}
