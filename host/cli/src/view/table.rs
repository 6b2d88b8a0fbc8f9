//! Rows in columns, for terminals of 80 columns.

/// Rows of equally many cells below these names, indented by two and two apart, without trailing space.
pub fn table<const N: usize>(names: [&str; N], rows: &[[String; N]]) -> Vec<String> {
    let head = names.map(str::to_owned);
    let all = || std::iter::once(&head).chain(rows);
    let widths: [usize; N] = std::array::from_fn(|column| all().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("  {cell:<width$}"));
        cells.collect::<String>().trim_end().to_owned()
    };
    all().map(line).collect()
}

/// The words of a text in lines of at most 80 columns, all of them indented by that much; a longer word stays whole.
pub fn wrapped(indent: usize, text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 80 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{:indent$}{word}", "")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["checkout", "ü"], ["a", ""]].map(|row| row.map(str::to_owned));
        assert_eq!(table(["NAME", "KIND"], &rows), ["  NAME      KIND", "  checkout  ü", "  a"]);
    }

    #[test]
    fn long_texts_go_on_below() {
        let text = ["0123456789"; 9].join(" ");
        assert_eq!(wrapped(4, &text).iter().map(|line| line.len()).collect::<Vec<_>>(), [80, 25]);
        assert_eq!(wrapped(2, &"x".repeat(100)), [format!("  {}", "x".repeat(100))]);
    }
}
