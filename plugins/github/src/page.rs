//! A Markdown page that never grows beyond what GitHub takes.

/// Bytes of a step summary that GitHub takes.
pub const LIMIT: usize = 1 << 20;

/// What the page ends with when something did not fit.
const CUT: &str = "\n\n*The rest does not fit into a step summary. `report.json` has it all.*";

/// Blocks with an empty line between them.
#[derive(Debug, Default)]
pub struct Page {
    text: String,
    is_full: bool,
}

impl Page {
    /// Adds a whole block, or ends the page when it does not fit.
    pub fn block(&mut self, block: &str) {
        if self.is_full || block.is_empty() {
            return;
        }
        let gap = if self.text.is_empty() { "" } else { "\n\n" };
        if self.text.len() + gap.len() + block.len() + CUT.len() + 1 > LIMIT {
            self.text.push_str(CUT);
            self.is_full = true;
        } else {
            self.text.push_str(gap);
            self.text.push_str(block);
        }
    }

    /// The page with a final line end.
    pub fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_takes_whole_blocks_and_ends() {
        let mut page = Page::default();
        for _ in 0..2_000 {
            page.block(&"é".repeat(500));
        }
        let text = page.finish();
        assert!(text.len() <= LIMIT && text.len() > LIMIT - 2_000, "{}", text.len());
        assert_eq!(text.matches("does not fit").count(), 1);
        assert!(text.ends_with("has it all.*\n"));
    }
}
