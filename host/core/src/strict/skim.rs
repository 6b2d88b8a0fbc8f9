//! A document read to its end without being kept: whether it is JSON, how deep it is, and whether an object has a key twice.

use std::{borrow::Cow, collections::BTreeSet, fmt};

use serde::de::{Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

/// What a document is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Skim {
    /// The most objects and arrays that lie in one another.
    pub(crate) depth: usize,
    /// Some object has a key twice.
    pub(crate) duplicates: bool,
}

/// Skims a document; refused is exactly what serde_json refuses as a value, with the same words.
pub(crate) fn skim(text: &str) -> Result<Skim, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let mut skim = Skim::default();
    Level { skim: &mut skim, above: 0 }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(skim)
}

/// A value below this many objects and arrays.
struct Level<'s> {
    skim: &'s mut Skim,
    above: usize,
}

impl Level<'_> {
    fn inner(&mut self) -> Level<'_> {
        Level { skim: self.skim, above: self.above + 1 }
    }

    fn enter(&mut self) {
        self.skim.depth = self.skim.depth.max(self.above + 1);
    }
}

impl<'de> DeserializeSeed<'de> for Level<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

macro_rules! passed_over {
    ($($method:ident($type:ty);)*) => {$(
        fn $method<E>(self, _: $type) -> Result<(), E> {
            Ok(())
        }
    )*};
}

impl<'de> Visitor<'de> for Level<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    passed_over! {
        visit_bool(bool);
        visit_i64(i64);
        visit_u64(u64);
        visit_f64(f64);
        visit_str(&str);
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        self.enter();
        while elements.next_element_seed(self.inner())?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        self.enter();
        let mut keys = BTreeSet::new();
        while let Some(Key(key)) = members.next_key()? {
            self.skim.duplicates |= !keys.insert(key);
            members.next_value_seed(self.inner())?;
        }
        Ok(())
    }
}

/// A key, borrowed where it has no escapes.
struct Key<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_str(KeyVisitor).map(Key)
    }
}

struct KeyVisitor;

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    #[test]
    fn depth_and_duplicates_are_told() {
        for (text, depth, duplicates) in [
            ("1", 0, false),
            (r#"{"a":[],"b":{}}"#, 2, false),
            (r#"[{"a":1},{"a":[[2]]}]"#, 4, false),
            (r#"{"a":1,"b":[{"c":1,"\u0063":2}]}"#, 3, true),
        ] {
            assert_eq!(skim(text).unwrap(), Skim { depth, duplicates }, "{text}");
        }
    }

    /// Fragments that make a document, or nearly one.
    fn nearly_json() -> impl Strategy<Value = String> {
        let fragments = [
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            "\"a\"",
            "\"\\ud800\"",
            "\"\\u00e9\"",
            "\"b",
            "\\",
            "1",
            "-0",
            "1e999",
            "01",
            "1.5e3",
            "true",
            "nul",
            "null",
            " ",
            "\n",
            "\u{7f}",
            "é",
            "\u{1}",
        ];
        prop::collection::vec(prop::sample::select(fragments.to_vec()), 0..8).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn refused_is_what_serde_json_refuses(text in nearly_json()) {
            let (own, whole) = (skim(&text), serde_json::from_str::<Value>(&text));
            prop_assert_eq!(own.map_err(|error| error.to_string()).err(), whole.map_err(|error| error.to_string()).err());
        }
    }
}
