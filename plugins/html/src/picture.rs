//! The frame of a picture. Widths are shares of the page's and heights are fixed, so that text keeps its size from phone to paper.

use maud::{Markup, html};

/// A share of the picture's width.
pub struct Share(u64);

impl Share {
    /// `part` of `whole`, in hundredths of a percent; nothing of nothing.
    pub fn of(part: u64, whole: u64) -> Self {
        // Beyond years of milliseconds, so that nothing overflows.
        let whole = whole.clamp(1, u64::MAX / 10_000);
        Self(part.min(whole) * 10_000 / whole)
    }

    /// At least this many hundredths of a percent.
    pub fn at_least(self, least: u64) -> Self {
        Self(self.0.max(least))
    }

    /// What comes after both.
    pub fn and(&self, more: &Self) -> Self {
        Self(self.0 + more.0)
    }

    /// Such as `12.05%`.
    pub fn percent(&self) -> String {
        format!("{}.{:02}%", self.0 / 100, self.0 % 100)
    }
}

/// A figure: the picture with its name and its description, and what a reader has to know to read it.
pub fn figure(id: &str, title: &str, description: &str, height: usize, shapes: &Markup, caption: &Markup) -> Markup {
    html! {
        figure.card {
            svg.picture.(id) role="img" aria-labelledby={ (id) "-title " (id) "-text" } width="100%" height=(height) {
                title id={ (id) "-title" } { (title) }
                desc id={ (id) "-text" } { (description) }
                (shapes)
            }
            figcaption { (caption) }
        }
    }
}

/// What the bars and the arrows of the pictures refer to.
pub fn definitions() -> Markup {
    html! {
        pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
            rect.fail-fill width="6" height="6" {}
            rect.hatch-line width="2" height="6" {}
        }
        marker id="arrow" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto" {
            path.arrow-head d="M0 0L10 5L0 10z" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact_and_never_more_than_the_whole() {
        let percent = |part, whole| Share::of(part, whole).percent();
        assert_eq!([percent(1, 3), percent(3, 3), percent(9, 3), percent(0, 0)], ["33.33%", "100.00%", "100.00%", "0.00%"]);
        assert_eq!(Share::of(u64::MAX, u64::MAX).percent(), "100.00%");
        assert_eq!(Share::of(1, 4).and(&Share::of(1, 2)).percent(), "75.00%");
        assert_eq!(Share::of(0, 4).at_least(60).percent(), "0.60%");
    }
}
