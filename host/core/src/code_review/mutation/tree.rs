//! Every way in which one value of a record can be another.

use serde_json::{Map, Value, json};

use crate::canonical::escape_pointer;

/// What was done to one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// The key is gone.
    Removed,
    /// There is a key that nobody knows.
    Unknown,
    /// The text has one character more.
    Text,
    /// The text says nothing.
    Blank,
    /// The number is one more.
    Number,
    /// The integer is written with a fraction.
    Fraction,
    /// The boolean is the other one.
    Flipped,
    /// Another type of value stands there.
    Type,
    /// Null stands there, or a text instead of null.
    Null,
    /// The array is in the other order.
    Reversed,
    /// The last element is gone.
    Shortened,
    /// The first element is there twice.
    Doubled,
}

/// A record with one change.
pub(super) struct Mutation {
    /// RFC 6901, of what was changed.
    pub(super) pointer: String,
    pub(super) change: Change,
    /// The whole record.
    pub(super) record: Value,
}

impl Mutation {
    /// The pointer without the positions in lists: all elements of a list are of one kind.
    pub(super) fn place(&self) -> String {
        let tokens = self.pointer.split('/').map(|token| if token.parse::<usize>().is_ok() { "*" } else { token });
        tokens.collect::<Vec<_>>().join("/")
    }
}

/// Every change of every value of a record.
pub(super) fn mutations(record: &Value) -> Vec<Mutation> {
    let mut found = Vec::new();
    walk(record, "", &mut |pointer, change, value| {
        let mut changed = record.clone();
        *changed.pointer_mut(pointer).expect("a place of the record") = value;
        found.push(Mutation { pointer: pointer.to_owned(), change, record: changed });
    });
    found.extend(removals(record, "").into_iter().map(|(object, key)| {
        let mut changed = record.clone();
        let members = changed.pointer_mut(&object).and_then(Value::as_object_mut).expect("an object of the record");
        members.shift_remove(&key);
        Mutation { pointer: format!("{object}/{}", escape_pointer(&key)), change: Change::Removed, record: changed }
    }));
    found
}

/// Every key, with the pointer of its object.
fn removals(value: &Value, pointer: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => {
            found.extend(members.keys().map(|key| (pointer.to_owned(), key.clone())));
            members.iter().map(|(key, value)| (format!("{pointer}/{}", escape_pointer(key)), value)).collect()
        }
        Value::Array(elements) => ends(elements).map(|(index, element)| (format!("{pointer}/{index}"), element)).collect(),
        _ => Vec::new(),
    };
    found.extend(children.into_iter().flat_map(|(inside, value)| removals(value, &inside)));
    found
}

/// The first and the last element: between them is nothing new.
fn ends(elements: &[Value]) -> impl Iterator<Item = (usize, &Value)> {
    elements.iter().enumerate().filter(|(index, _)| *index == 0 || index + 1 == elements.len())
}

type Found<'f> = dyn FnMut(&str, Change, Value) + 'f;

fn walk(value: &Value, pointer: &str, found: &mut Found<'_>) {
    match value {
        Value::Null => found(pointer, Change::Null, json!("x")),
        Value::Bool(boolean) => {
            found(pointer, Change::Flipped, json!(!boolean));
            found(pointer, Change::Type, json!(u8::from(*boolean)));
        }
        Value::Number(number) => {
            match number.as_u64() {
                Some(integer) => {
                    found(pointer, Change::Number, json!(integer + 1));
                    found(pointer, Change::Fraction, json!(number.as_f64()));
                }
                None => found(pointer, Change::Number, json!(number.as_f64().unwrap_or_default() + 1.0)),
            }
            found(pointer, Change::Type, json!(number.to_string()));
        }
        Value::String(text) => {
            found(pointer, Change::Text, json!(format!("{text}x")));
            found(pointer, Change::Blank, json!(" "));
            found(pointer, Change::Type, json!([text]));
        }
        Value::Array(elements) => array(elements, pointer, found),
        Value::Object(members) => object(members, pointer, found),
    }
    if !value.is_null() {
        found(pointer, Change::Null, Value::Null);
    }
}

fn array(elements: &[Value], pointer: &str, found: &mut Found<'_>) {
    found(pointer, Change::Type, json!({}));
    let reversed: Vec<&Value> = elements.iter().rev().collect();
    if reversed != elements.iter().collect::<Vec<_>>() {
        found(pointer, Change::Reversed, json!(reversed));
    }
    if let Some((first, _)) = elements.split_first() {
        found(pointer, Change::Shortened, json!(elements[..elements.len() - 1]));
        found(pointer, Change::Doubled, json!([std::slice::from_ref(first), elements].concat()));
    }
    for (index, element) in ends(elements) {
        walk(element, &format!("{pointer}/{index}"), found);
    }
}

fn object(members: &Map<String, Value>, pointer: &str, found: &mut Found<'_>) {
    found(pointer, Change::Type, json!([]));
    let mut more = members.clone();
    more.insert("zz".to_owned(), json!(1));
    found(pointer, Change::Unknown, Value::Object(more));
    for (key, value) in members {
        walk(value, &format!("{pointer}/{}", escape_pointer(key)), found);
    }
}
