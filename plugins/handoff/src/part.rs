//! A part of the document. What is missing or of another type ends the drawing: half a report would look like a whole one.

use serde_json::Value;

/// The key of a value that is missing or of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable(pub &'static str);

/// A value and the key that it was found under.
#[derive(Clone, Copy)]
pub struct Part<'d> {
    value: &'d Value,
    key: &'static str,
}

impl<'d> Part<'d> {
    /// The whole document.
    pub fn whole(value: &'d Value) -> Self {
        Self { value, key: "" }
    }

    /// The value of a key.
    pub fn get(self, key: &'static str) -> Result<Self, Unreadable> {
        self.value.get(key).map(|value| Self { value, key }).ok_or(Unreadable(key))
    }

    /// The string of a key.
    pub fn text(self, key: &'static str) -> Result<&'d str, Unreadable> {
        self.value.get(key).and_then(Value::as_str).ok_or(Unreadable(key))
    }

    /// The integer of a key, or nothing.
    pub fn integer(self, key: &'static str) -> Option<i64> {
        self.value.get(key).and_then(Value::as_i64)
    }

    /// The number of a key, from 0 to 1, in hundredths: printing fractions is half of a small component.
    pub fn hundredths(self, key: &'static str) -> Result<u8, Unreadable> {
        let number = self.value.get(key).and_then(Value::as_f64).ok_or(Unreadable(key))?;
        Ok((number * 100.0 + 0.5) as u8)
    }

    /// The elements of the array of a key.
    pub fn items(self, key: &'static str) -> Result<impl ExactSizeIterator<Item = Self>, Unreadable> {
        let items = self.value.get(key).and_then(Value::as_array).ok_or(Unreadable(key))?;
        Ok(items.iter().map(move |value| Self { value, key }))
    }

    /// The strings of the array of a key.
    pub fn texts(self, key: &'static str) -> Result<Vec<&'d str>, Unreadable> {
        self.items(key)?.map(|item| item.value.as_str().ok_or(Unreadable(item.key))).collect()
    }
}
