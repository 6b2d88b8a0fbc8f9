//! JSON that may stand anywhere: what renderers for machines write.

pub use crate::value::Value;

/// An object with these members, in this order.
pub fn object<const MEMBERS: usize>(members: [(&str, Value); MEMBERS]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A list of these values.
pub fn list(values: impl IntoIterator<Item = Value>) -> Value {
    Value::List(values.into_iter().collect())
}

/// A string.
pub fn text(text: impl Into<String>) -> Value {
    Value::Text(text.into())
}

/// A whole number; the largest one for what does not fit.
pub fn number(number: u64) -> Value {
    Value::Number(number.try_into().unwrap_or(i64::MAX))
}

/// The value, indented, with a final line end. `<`, `>` and `&` are escaped: the text ends no script and starts no element of a page that holds
/// it, and reads the same as JSON. Control characters are escaped, too.
pub fn document(value: &Value) -> String {
    let mut text = String::new();
    write(&mut text, value, 0);
    text.push('\n');
    text
}

fn write(text: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Nothing => text.push_str("null"),
        Value::Truth(truth) => text.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => text.push_str(&number.to_string()),
        Value::Decimal(decimal) => text.push_str(decimal),
        Value::Text(string) => write_string(text, string),
        Value::List(values) => write_items(text, ['[', ']'], depth, values, |text, value| write(text, value, depth + 1)),
        Value::Object(members) => write_items(text, ['{', '}'], depth, members, |text, (name, value)| {
            write_string(text, name);
            text.push_str(": ");
            write(text, value, depth + 1);
        }),
    }
}

fn write_items<Item>(text: &mut String, brackets: [char; 2], depth: usize, items: &[Item], write: impl Fn(&mut String, &Item)) {
    text.push(brackets[0]);
    for (index, item) in items.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        indent(text, depth + 1);
        write(text, item);
    }
    if !items.is_empty() {
        text.push('\n');
        indent(text, depth);
    }
    text.push(brackets[1]);
}

fn indent(text: &mut String, depth: usize) {
    text.extend((0..depth).map(|_| "  "));
}

fn write_string(text: &mut String, string: &str) {
    text.push('"');
    let mut rest = string;
    while let Some((plain, special)) = rest.find(is_special).and_then(|end| rest.split_at_checked(end)) {
        text.push_str(plain);
        let mut characters = special.chars();
        match characters.next() {
            Some('\n') => text.push_str("\\n"),
            Some(character @ ('"' | '\\')) => text.extend(['\\', character]),
            other => text.push_str(&format!("\\u{:04x}", other.map_or(0, u32::from))),
        }
        rest = characters.as_str();
    }
    text.push_str(rest);
    text.push('"');
}

fn is_special(character: char) -> bool {
    matches!(character, '"' | '\\' | '<' | '>' | '&') || character.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_indented_and_ends_in_a_line_end() {
        let value = object([("a", list([number(1), Value::Truth(true), Value::Nothing])), ("b", object([])), ("c", list([]))]);
        assert_eq!(document(&value), "{\n  \"a\": [\n    1,\n    true,\n    null\n  ],\n  \"b\": {},\n  \"c\": []\n}\n");
    }

    #[test]
    fn every_text_reads_as_it_was() {
        let all: String = ('\0'..='\u{2100}').chain(['\u{ffff}', '\u{1f600}']).collect();
        let drawn = document(&text(all.clone()));
        assert!(!drawn.contains(['<', '>', '&']) && !drawn.trim_end().contains(char::is_control));
        assert_eq!(Value::read(&drawn), Ok(text(all)));
    }

    #[test]
    fn numbers_stay_whole() {
        assert_eq!(document(&number(u64::MAX)), format!("{}\n", i64::MAX));
    }
}
