//! An object whose members are lists of texts. A JSON library would be half of the component.

/// The members in order; `None` for anything but one object of lists of texts in the canonical form of RFC 8785.
pub fn lists(text: &str) -> Option<Vec<(String, Vec<String>)>> {
    let mut reader = Reader(text);
    let mut members = Vec::new();
    reader.each('{', '}', &mut |reader| {
        let key = reader.string()?;
        reader.take(':')?;
        let mut list = Vec::new();
        reader.each('[', ']', &mut |reader| {
            list.push(reader.string()?);
            Some(())
        })?;
        members.push((key, list));
        Some(())
    })?;
    reader.0.is_empty().then_some(members)
}

/// What is not read yet.
struct Reader<'a>(&'a str);

impl Reader<'_> {
    fn take(&mut self, char: char) -> Option<()> {
        self.0 = self.0.strip_prefix(char)?;
        Some(())
    }

    fn next(&mut self) -> Option<char> {
        let char = self.0.chars().next()?;
        self.0 = &self.0[char.len_utf8()..];
        Some(char)
    }

    /// Items between brackets, with commas between them.
    fn each(&mut self, open: char, close: char, item: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(open)?;
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            match self.next()? {
                ',' => {}
                char => return (char == close).then_some(()),
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        self.take('"')?;
        let mut text = String::new();
        loop {
            match self.next()? {
                '"' => return Some(text),
                '\\' => text.push(self.escaped()?),
                char => text.push(char),
            }
        }
    }

    /// In the canonical form, `\u` writes control characters only.
    fn escaped(&mut self) -> Option<char> {
        Some(match self.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let digits = self.0.get(..4)?;
                self.0 = &self.0[4..];
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            char => char,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_texts_are_read() {
        let read = lists(r#"{"a":[],"b":["x","\"\\\n\u001bü"]}"#).expect("lists");
        assert_eq!(read, [("a".to_owned(), vec![]), ("b".to_owned(), vec!["x".to_owned(), "\"\\\n\u{1b}ü".to_owned()])]);
        assert_eq!(lists("{}"), Some(Vec::new()));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in
            ["", "{", "[]", "{}x", r#"{"a"}"#, r#"{"a":"b"}"#, r#"{"a":["b"]"#, r#"{"a":["b",]}"#, r#"{"a":[1]}"#, r#"{"a":["\u00g0"]}"#]
        {
            assert_eq!(lists(text), None, "{text}");
        }
    }
}
