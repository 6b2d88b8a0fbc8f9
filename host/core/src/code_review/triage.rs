//! Online review triage: what became of each comment, review and thread of a pull request (CR-121).

/// The section.
pub const TRIAGE: &str = "Online Review Triage";

/// The columns.
pub const COLUMNS: [&str; 3] = ["Item", "Disposition", "Evidence"];

/// What the section says when there is nothing to answer.
pub const NO_ITEMS: &str = "No online review items.";

/// The dispositions that name nothing else.
pub const PLAIN: [&str; 5] = ["addressed", "refuted", "already-fixed", "out-of-scope", "informational"];

/// What became of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition<'d> {
    /// A word that stands alone.
    Plain,
    /// It became the finding of this id.
    Confirmed(&'d str),
    /// It became the open candidate of this id.
    Open(&'d str),
}

/// A disposition as a cell says it.
pub fn disposition(cell: &str) -> Option<Disposition<'_>> {
    if PLAIN.contains(&cell) {
        return Some(Disposition::Plain);
    }
    let (word, id) = cell.split_once(':')?;
    match word {
        _ if id.is_empty() => None,
        "confirmed" => Some(Disposition::Confirmed(id)),
        "open" => Some(Disposition::Open(id)),
        _ => None,
    }
}

/// The row answers this thread, as a whole or in part (CR-45).
pub fn answers(item: &str, thread: &str) -> bool {
    item.strip_prefix(thread).is_some_and(|rest| rest.is_empty() || rest.starts_with("#finding-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispositions_are_closed() {
        assert_eq!(disposition("refuted"), Some(Disposition::Plain));
        assert_eq!(disposition("confirmed:F-1"), Some(Disposition::Confirmed("F-1")));
        assert_eq!(disposition("open:C-2"), Some(Disposition::Open("C-2")));
        for wrong in ["confirmed", "confirmed:", "fixed", "refuted:F-1", ""] {
            assert_eq!(disposition(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_thread_is_answered_by_its_parts() {
        assert!(answers("T1", "T1") && answers("T1#finding-2", "T1"));
        assert!(!answers("T12", "T1"));
    }
}
