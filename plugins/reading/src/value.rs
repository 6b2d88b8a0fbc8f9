//! A small reader of JSON. A general one costs a component 50 KiB, mostly for decimals, which stay text here.

/// Lists and objects in each other; reports have six.
const DEPTH: usize = 32;

/// What is wrong with a text that is no JSON.
type Fault = &'static str;

/// A value of a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Nothing,
    /// `true` or `false`.
    Truth(bool),
    /// A whole number; the nearest one when it does not fit.
    Number(i64),
    /// A number with a fraction or an exponent, as it is written.
    Decimal(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// An object, in the order of the text; of equal keys the first one counts.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// Reads a whole text.
    ///
    /// # Errors
    ///
    /// What is wrong, and at which byte.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { rest: text, depth: 0 };
        let read = reader.value().and_then(|value| if reader.peek().is_none() { Ok(value) } else { Err("something follows the value") });
        read.map_err(|fault| format!("{fault} at byte {}", text.len() - reader.rest.len()))
    }

    /// The member of this name.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// A text member; empty when it is absent or no text.
    pub fn text(&self, key: &str) -> String {
        self.optional_text(key).unwrap_or_default()
    }

    /// A text member.
    pub fn optional_text(&self, key: &str) -> Option<String> {
        self.get(key).and_then(Self::as_text).map(str::to_owned)
    }

    /// A whole number member.
    pub fn number(&self, key: &str) -> Option<i64> {
        match self.get(key)? {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// A whole number member that is not negative; 0 when it is absent.
    pub fn count(&self, key: &str) -> u64 {
        self.number(key).and_then(|number| u64::try_from(number).ok()).unwrap_or(0)
    }

    /// Each element of a list member, as what it is read as.
    pub fn list<T>(&self, key: &str, read: impl Fn(&Self) -> T) -> Vec<T> {
        match self.get(key) {
            Some(Self::List(values)) => values.iter().map(read).collect(),
            _ => Vec::new(),
        }
    }

    /// The texts of a list member.
    pub fn texts(&self, key: &str) -> Vec<String> {
        self.list(key, |value| value.as_text().unwrap_or_default().to_owned())
    }

    /// A text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
}

impl Reader<'_> {
    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next();
        self.rest = characters.as_str();
        next
    }

    fn expect(&mut self, wanted: &str, fault: Fault) -> Result<(), Fault> {
        self.rest = self.rest.strip_prefix(wanted).ok_or(fault)?;
        Ok(())
    }

    fn value(&mut self) -> Result<Value, Fault> {
        match self.peek() {
            Some('{') => {
                let mut members = Vec::new();
                self.items('}', |reader| {
                    if reader.peek() != Some('"') {
                        return Err("a key is missing");
                    }
                    let key = reader.string()?;
                    reader.peek();
                    reader.expect(":", "a colon is missing")?;
                    members.push((key, reader.value()?));
                    Ok(())
                })?;
                Ok(Value::Object(members))
            }
            Some('[') => {
                let mut values = Vec::new();
                self.items(']', |reader| {
                    values.push(reader.value()?);
                    Ok(())
                })?;
                Ok(Value::List(values))
            }
            Some('"') => self.string().map(Value::Text),
            Some('-' | '0'..='9') => Ok(self.decimal()),
            Some('t') => self.word("true", Value::Truth(true)),
            Some('f') => self.word("false", Value::Truth(false)),
            Some('n') => self.word("null", Value::Nothing),
            _ => Err("a value is missing"),
        }
    }

    /// From the opening to the closing bracket, with commas between the items.
    fn items(&mut self, close: char, mut item: impl FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        self.next();
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("values are nested too deeply");
        }
        let mut is_first = true;
        while self.peek() != Some(close) {
            if !std::mem::replace(&mut is_first, false) {
                self.expect(",", "a comma is missing")?;
            }
            item(self)?;
        }
        self.next();
        self.depth -= 1;
        Ok(())
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Fault> {
        self.expect(word, "a value is missing")?;
        Ok(value)
    }

    fn decimal(&mut self) -> Value {
        let end = self.rest.find(|it| !matches!(it, '0'..='9' | '.' | 'e' | 'E' | '+' | '-')).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        let digits = text.trim_start_matches('-');
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Value::Decimal(text.to_owned());
        }
        let number = digits.bytes().fold(0_i64, |number, byte| number.saturating_mul(10).saturating_add(i64::from(byte - b'0')));
        Value::Number(if digits.len() < text.len() { -number } else { number })
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.next();
        let mut text = String::new();
        loop {
            // Most of a report is text without escapes: it is taken in one piece.
            let end = self.rest.bytes().position(|byte| byte < b' ' || byte == b'"' || byte == b'\\');
            let (plain, rest) = self.rest.split_at_checked(end.unwrap_or(self.rest.len())).unwrap_or((self.rest, ""));
            text.push_str(plain);
            self.rest = rest;
            match self.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escaped()?),
                _ => return Err("a string does not end"),
            }
        }
    }

    fn escaped(&mut self) -> Result<char, Fault> {
        Ok(match self.next() {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let unit = self.unit()?;
                let pair = if (0xd800..0xdc00).contains(&unit) {
                    self.expect("\\u", "half a character")?;
                    0x1_0000 + ((unit - 0xd800) << 10) + self.unit()?.checked_sub(0xdc00).ok_or("half a character")?
                } else {
                    unit
                };
                char::from_u32(pair).ok_or("half a character")?
            }
            Some(character @ ('"' | '\\' | '/')) => character,
            _ => return Err("an escape that is not known"),
        })
    }

    fn unit(&mut self) -> Result<u32, Fault> {
        let mut digit = || self.next().and_then(|character| character.to_digit(16));
        (0..4).try_fold(0, |unit, _| Some(unit << 4 | digit()?)).ok_or("an escape that is not known")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the reader of everybody else understands it.
    fn theirs(value: &serde_json::Value) -> Value {
        match value {
            serde_json::Value::Null => Value::Nothing,
            serde_json::Value::Bool(truth) => Value::Truth(*truth),
            serde_json::Value::Number(number) => number.as_i64().map_or(Value::Decimal(String::new()), Value::Number),
            serde_json::Value::String(text) => Value::Text(text.clone()),
            serde_json::Value::Array(values) => Value::List(values.iter().map(theirs).collect()),
            serde_json::Value::Object(members) => Value::Object(members.iter().map(|(key, value)| (key.clone(), theirs(value))).collect()),
        }
    }

    /// With members by name, as theirs are; they keep no text of decimals.
    fn sorted(value: Value) -> Value {
        match value {
            Value::Decimal(_) => Value::Decimal(String::new()),
            Value::List(values) => Value::List(values.into_iter().map(sorted).collect()),
            Value::Object(members) => {
                let mut members: Vec<_> = members.into_iter().map(|(key, value)| (key, sorted(value))).collect();
                members.sort_by(|one, two| one.0.cmp(&two.0));
                Value::Object(members)
            }
            other => other,
        }
    }

    #[test]
    fn it_reads_as_other_readers_do() {
        let odd = r#" {"a" : [ ], "b":{} ,"c":[-7,0,1.5,2e3,true,false,null],"d":"\"\\\/\b\f\n\r\tA☂\ud83d\ude00é😀","":""} "#;
        for text in crate::samples::ALL.map(|(_, text)| text).into_iter().chain([odd, "[]", "\"\"", "7"]) {
            assert_eq!(Value::read(text).map(sorted), Ok(theirs(&serde_json::from_str(text).expect("JSON"))));
        }
    }

    #[test]
    fn what_is_no_json_is_refused_where_it_ends_to_be() {
        let refused = [
            ("", "a value is missing at byte 0"),
            ("{", "a key is missing at byte 1"),
            ("{\"a\" 1}", "a colon is missing at byte 5"),
            ("[1 2]", "a comma is missing at byte 3"),
            ("[1,]", "a value is missing at byte 3"),
            ("tru", "a value is missing at byte 0"),
            ("1 1", "something follows the value at byte 2"),
            ("\"a", "a string does not end at byte 2"),
            ("\"\\x\"", "an escape that is not known at byte 3"),
            ("\"\\ud800\"", "half a character at byte 7"),
            ("\"\\ud800\\u0041\"", "half a character at byte 13"),
        ];
        for (text, fault) in refused {
            assert!(serde_json::from_str::<serde_json::Value>(text).is_err());
            assert_eq!(Value::read(text), Err(fault.to_owned()), "{text}");
        }
        assert!(Value::read(&"[".repeat(100_000)).is_err_and(|fault| fault.starts_with("values are nested too deeply")));
    }

    #[test]
    fn members_of_another_type_are_absent() {
        let value = Value::read(r#"{"text":1,"number":"1","list":{},"count":-1,"large":99999999999999999999}"#).expect("JSON");
        assert_eq!((value.text("text"), value.number("number"), value.texts("list")), (String::new(), None, Vec::new()));
        assert_eq!((value.count("count"), value.number("large")), (0, Some(i64::MAX)));
        assert_eq!(Value::Nothing.get("text"), None);
        assert_eq!(Value::read("-1.50"), Ok(Value::Decimal("-1.50".to_owned())));
    }
}
