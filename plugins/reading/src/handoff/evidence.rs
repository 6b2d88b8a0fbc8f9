//! Evidence of a finding, point by point.

/// What may stand before the colon of a coordinate that is no file.
const KINDS: [&str; 3] = ["run", "gate", "req"];

/// The points that were joined by `; `. A point starts at a coordinate, so words with a semicolon stay together.
pub fn points(evidence: &str) -> Vec<&str> {
    let mut points = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some(end) = evidence.get(from..).and_then(|rest| rest.find(';')).map(|found| from + found) {
        from = end + 1;
        if evidence.get(from..).and_then(|rest| rest.strip_prefix(' ')).and_then(coordinate).is_some() {
            points.extend(evidence.get(start..end));
            start = from + 1;
        }
    }
    points.extend(evidence.get(start..));
    points
}

/// The coordinate that a point starts with, such as `src/upload.rs:40-58`, `run:gates.json` or `gate:tests`, and what follows it.
pub fn coordinate(point: &str) -> Option<(&str, &str)> {
    let end = point.find(char::is_whitespace).unwrap_or(point.len());
    let word = point.get(..end)?.trim_end_matches([',', ';', '.']);
    let (name, tail) = word.rsplit_once(':')?;
    let is_lines = tail.starts_with(|first: char| first.is_ascii_digit()) && !name.is_empty();
    let is_other = KINDS.contains(&name) && !tail.is_empty();
    (is_lines || is_other).then(|| point.split_at(word.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_start_at_coordinates() {
        let joined = "src/a.rs:1-2 six threads, no order; all of them; run:specialists/qa.md the original; gate:tests";
        assert_eq!(points(joined), ["src/a.rs:1-2 six threads, no order; all of them", "run:specialists/qa.md the original", "gate:tests"]);
        assert_eq!(points("words; and more"), ["words; and more"]);
        assert_eq!(points(""), [""]);
    }

    #[test]
    fn a_coordinate_is_told_from_words() {
        assert_eq!(coordinate("base:src/a.rs:7, deleted"), Some(("base:src/a.rs:7", ", deleted")));
        assert_eq!(coordinate("docs/a.md:12"), Some(("docs/a.md:12", "")));
        assert_eq!(coordinate("gate:tests failed"), Some(("gate:tests", " failed")));
        assert_eq!(["note: later", "a: 1", ":7", "gate:", "", "specialists/qa.md"].map(coordinate), [None; 6]);
    }
}
