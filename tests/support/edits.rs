//! Every small change that a JSON document admits, found by walking it, so that a new field is covered by itself.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// A document that differs from another in one place.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What was done where, with `*` for each index: `/paths/*/role text`.
    pub shape: String,
    /// The changed document.
    pub document: Value,
}

/// One edit of each shape: other texts, numbers and truths, members lost and gained, elements dropped, doubled and reordered.
pub fn edits(document: &Value) -> Vec<Edit> {
    let mut places = Vec::new();
    collect(document, String::new(), String::new(), &mut places);
    let mut seen = BTreeSet::new();
    let mut edits = Vec::new();
    for Place { pointer, shape } in places {
        let own = document.pointer(&pointer).expect("a place of the document");
        for (what, value) in changes(own) {
            let shape = format!("{shape} {what}");
            if value != *own && seen.insert(shape.clone()) {
                let mut changed = document.clone();
                *changed.pointer_mut(&pointer).expect("a place of the document") = value;
                edits.push(Edit { shape, document: changed });
            }
        }
    }
    edits
}

struct Place {
    pointer: String,
    shape: String,
}

fn collect(value: &Value, pointer: String, shape: String, places: &mut Vec<Place>) {
    places.push(Place { pointer: pointer.clone(), shape: shape.clone() });
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| {
            collect(item, format!("{pointer}/{index}"), format!("{shape}/*"), places);
        }),
        Value::Object(members) => members.iter().for_each(|(key, member)| {
            let token = key.replace('~', "~0").replace('/', "~1");
            collect(member, format!("{pointer}/{token}"), format!("{shape}/{token}"), places);
        }),
        _ => {}
    }
}

/// Values of the same type; an absent text becomes one, and an object may be absent.
fn changes(value: &Value) -> Vec<(String, Value)> {
    let named = |what: &str, value: Value| (what.to_owned(), value);
    match value {
        Value::Null => vec![named("text", json!("text"))],
        Value::Bool(truth) => vec![named("truth", json!(!truth))],
        Value::Number(number) => vec![named("number", json!(number.as_u64().expect("a natural number") + 1))],
        Value::String(text) => vec![named("text", json!(other(text))), named("blank", json!(""))],
        Value::Array(items) => arrays(items).into_iter().map(|(what, items)| named(what, Value::Array(items))).collect(),
        Value::Object(members) => {
            let lost = members.keys().map(|key| {
                let mut left = members.clone();
                left.shift_remove(key);
                (format!("without {key}"), Value::Object(left))
            });
            let mut gained = members.clone();
            gained.insert("unheard-of".to_owned(), json!(0));
            lost.chain([named("with another", Value::Object(gained)), named("gone", Value::Null)]).collect()
        }
    }
}

fn arrays(items: &[Value]) -> Vec<(&'static str, Vec<Value>)> {
    let Some((first, rest)) = items.split_first() else { return Vec::new() };
    let doubled = [std::slice::from_ref(first), items].concat();
    let reversed = items.iter().rev().cloned().collect();
    vec![
        ("without first", rest.to_vec()),
        ("without last", items[..items.len() - 1].to_vec()),
        ("doubled", doubled),
        ("reversed", reversed),
    ]
}

/// Another text of the same length and, for hex, of the same alphabet.
fn other(text: &str) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    match characters.last_mut() {
        Some(last) => *last = if *last == '0' { '1' } else { '0' },
        None => characters.push('0'),
    }
    characters.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_changed_in_every_way_once() {
        let document = json!({"n": 1, "list": [{"t": "ab"}, {"t": ""}], "none": null});
        let edits = edits(&document);
        let shapes: Vec<&str> = edits.iter().map(|edit| edit.shape.as_str()).collect();
        let expected = [
            " without n",
            " without list",
            " without none",
            " with another",
            " gone",
            "/n number",
            "/list without first",
            "/list without last",
            "/list doubled",
            "/list reversed",
            "/list/* without t",
            "/list/* with another",
            "/list/* gone",
            "/list/*/t text",
            "/list/*/t blank",
            "/none text",
        ];
        assert_eq!(shapes, expected);
        assert!(edits.iter().all(|edit| edit.document != document));
        assert_eq!(edits[13].document["list"][0]["t"], "a0");
    }
}
