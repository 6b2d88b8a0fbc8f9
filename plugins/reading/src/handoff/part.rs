//! Members of the document that have to be there.

use std::cell::Cell;

use crate::value::Value;

/// A value of the document. What is missing or of another type is read as empty and remembered: whoever reads a whole document asks once, at the
/// end. A question at every member would be half of a small component.
#[derive(Clone, Copy)]
pub struct Part<'v, 'm> {
    value: &'v Value,
    missing: &'m Cell<Option<&'static str>>,
}

const NOTHING: &Value = &Value::Nothing;

impl<'v, 'm> Part<'v, 'm> {
    /// The whole document, and where the key of a missing member is remembered.
    pub fn whole(value: &'v Value, missing: &'m Cell<Option<&'static str>>) -> Self {
        Self { value, missing }
    }

    /// The member of a key.
    pub fn member(self, key: &'static str) -> Self {
        self.found(key, self.value.get(key), |value| Self { value, ..self }, Self { value: NOTHING, ..self })
    }

    /// The string of a key.
    pub fn text(self, key: &'static str) -> &'v str {
        self.found(key, self.optional_text(key), |text| text, "")
    }

    /// The string of a key that may be absent.
    pub fn optional_text(self, key: &str) -> Option<&'v str> {
        self.value.get(key).and_then(Value::as_text)
    }

    /// The whole number of a key, or nothing.
    pub fn integer(self, key: &str) -> Option<i64> {
        self.value.number(key)
    }

    /// The elements of the list of a key.
    fn items(self, key: &'static str) -> &'v [Value] {
        let list = match self.value.get(key) {
            Some(Value::List(values)) => Some(values.as_slice()),
            _ => None,
        };
        self.found(key, list, |values| values, &[])
    }

    /// Each element of the list of a key, as what it is read as.
    pub fn each<T>(self, key: &'static str, read: fn(Self) -> T) -> Vec<T> {
        self.items(key).iter().map(|value| read(Self { value, ..self })).collect()
    }

    /// The strings of the list of a key.
    pub fn texts(self, key: &'static str) -> Vec<&'v str> {
        self.items(key).iter().map(|value| self.found(key, value.as_text(), |text| text, "")).collect()
    }

    /// The number of a key, from 0 to 1 with at most two decimals, in hundredths.
    pub fn hundredths(self, key: &'static str) -> u8 {
        let hundredths = match self.value.get(key) {
            Some(Value::Number(0)) => Some(0),
            Some(Value::Number(1)) => Some(100),
            Some(Value::Decimal(decimal)) => of_decimal(decimal),
            _ => None,
        };
        self.found(key, hundredths, |number| number, 0)
    }

    /// Remembers that a member is missing or of another type.
    pub fn miss(self, key: &'static str) {
        self.missing.set(self.missing.get().or(Some(key)));
    }

    fn found<F, T>(self, key: &'static str, found: Option<F>, read: impl FnOnce(F) -> T, otherwise: T) -> T {
        match found {
            Some(found) => read(found),
            None => {
                self.miss(key);
                otherwise
            }
        }
    }
}

fn of_decimal(decimal: &str) -> Option<u8> {
    let digits = decimal.strip_prefix("0.")?.as_bytes();
    let digit = |index: usize| digits.get(index).map_or(Some(0), |byte| byte.is_ascii_digit().then(|| byte - b'0'));
    (1..=2).contains(&digits.len()).then_some(())?;
    Some(digit(0)? * 10 + digit(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_read_without_arithmetic_on_fractions() {
        let score = |text: &str| {
            let (value, missing) = (Value::Object(vec![("a".to_owned(), Value::read(text).expect("JSON"))]), Cell::new(None));
            let hundredths = Part::whole(&value, &missing).hundredths("a");
            missing.get().is_none().then_some(hundredths)
        };
        assert_eq!(["0", "1", "0.9", "0.86", "0.05"].map(score), [Some(0), Some(100), Some(90), Some(86), Some(5)]);
        assert_eq!(["2", "-1", "1.5", "-0.5", "0.857", "1e-1", "0.1e1", "\"1\"", "null"].map(score), [None; 9]);
    }

    #[test]
    fn the_first_missing_member_is_remembered() {
        let (value, missing) = (Value::read(r#"{"a":[1],"b":{}}"#).expect("JSON"), Cell::new(None));
        let part = Part::whole(&value, &missing);
        assert_eq!((part.text("c"), part.member("b").texts("d").len(), part.texts("a")), ("", 0, vec![""]));
        assert_eq!(missing.get(), Some("c"));
    }
}
