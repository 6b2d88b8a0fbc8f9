//! Figures and states as people read them.

/// A state or verdict: `not-started` is `not started`, and `not-run-optional` is `not run (optional)`.
pub fn spoken(state: &str) -> String {
    match state.strip_prefix("not-run-") {
        Some(why) => format!("not run ({why})"),
        None => state.replace('-', " "),
    }
}

/// With a capital first letter, when that is an ASCII letter.
pub fn capitalized(word: &str) -> String {
    let mut capitalized = word.to_owned();
    if let Some(first) = capitalized.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    capitalized
}

/// Milliseconds, to three digits or so.
pub fn duration(milliseconds: u64) -> String {
    match milliseconds {
        0..1_000 => format!("{milliseconds} ms"),
        1_000..60_000 => format!("{}.{} s", milliseconds / 1_000, milliseconds % 1_000 / 100),
        _ => format!("{} min {} s", milliseconds / 60_000, milliseconds % 60_000 / 1_000),
    }
}

/// Such as `1 case` and `12,000 cases`.
pub fn count(number: usize, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// The parts with this between them.
pub fn joined(parts: impl Iterator<Item = String>, between: &str) -> String {
    let mut joined = String::new();
    for (index, part) in parts.enumerate() {
        if index > 0 {
            joined.push_str(between);
        }
        joined.push_str(&part);
    }
    joined
}

/// With a comma between groups of three digits.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_at_a_glance() {
        let shown = [0, 999, 1_000, 59_999, 60_000, 3_725_000].map(duration);
        assert_eq!(shown, ["0 ms", "999 ms", "1.0 s", "59.9 s", "1 min 0 s", "62 min 5 s"]);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 1, 999, 1_000, 10_000, 1_234_567].map(grouped), ["0", "1", "999", "1,000", "10,000", "1,234,567"]);
        assert_eq!([count(1, "case"), count(0, "case"), count(1_200, "case")], ["1 case", "0 cases", "1,200 cases"]);
    }

    #[test]
    fn parts_are_joined() {
        let parts = |parts: &[&str]| joined(parts.iter().map(|part| (*part).to_owned()), ", ");
        assert_eq!([parts(&[]), parts(&["a"]), parts(&["a", "", "b"])], ["", "a", "a, , b"]);
    }

    #[test]
    fn states_are_words() {
        assert_eq!(["not-started", "not-run-required"].map(spoken), ["not started", "not run (required)"]);
        assert_eq!([capitalized("merge"), capitalized("über"), capitalized("")], ["Merge", "über", ""]);
    }
}
