//! Writes a pin into the text of a policy and leaves the rest of it as people wrote it: order, spaces, line ends.

use jsonc_parser::{
    ParseOptions,
    cst::{CstArray, CstInputValue, CstObject, CstObjectProp, CstRootNode},
};
use serde_json::{Map, Value, json};

use super::load::{POLICY_VERSION, load_for_pinning};
use super::model::{POLICY_FILE, PluginPin};
use crate::canonical::artifact_bytes;
use crate::diagnostic::Diagnostic;

/// The text of the policy with this pin, in the place of the one of its kind and name or after the others. Without a text, a new policy.
///
/// # Errors
/// Everything that is wrong with the text, or with what would become of it.
pub fn with_pin(text: Option<&[u8]>, pin: &PluginPin) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let edited = match text {
        None => artifact_bytes(&json!({"version": POLICY_VERSION, "plugins": [Value::Object(keys(pin))]})),
        Some(bytes) => {
            load_for_pinning(bytes)?;
            edit(std::str::from_utf8(bytes).expect("a loaded policy is UTF-8"), pin).ok_or_else(|| vec![unwritable()])?.into_bytes()
        }
    };
    load_for_pinning(&edited)?;
    Ok(edited)
}

fn edit(text: &str, pin: &PluginPin) -> Option<String> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).ok()?;
    let object = root.object_value()?;
    let pins = match object.get("plugins") {
        Some(pins) => pins.array_value()?,
        None => object.append("plugins", CstInputValue::Array(Vec::new())).array_value()?,
    };
    match existing(&pins, pin) {
        Some(old) => replace(&old, keys(pin)),
        None => {
            pins.ensure_multiline();
            pins.append(input(&Value::Object(keys(pin))));
        }
    }
    Some(root.to_string())
}

fn existing(pins: &CstArray, pin: &PluginPin) -> Option<CstObject> {
    let is = |object: &CstObject, key: &str, value: &str| {
        let text = object.get(key).and_then(|property| property.value()?.as_string_lit()?.decoded_value().ok());
        text.as_deref() == Some(value)
    };
    let objects = pins.elements().into_iter().filter_map(|element| element.as_object());
    objects.into_iter().find(|object| is(object, "name", &pin.name) && is(object, "kind", pin.kind.name()))
}

/// Keys that stay the same keep their spelling; those that are no more go.
fn replace(old: &CstObject, keys: Map<String, Value>) {
    for property in old.properties() {
        if property.decoded_name().is_none_or(|name| !keys.contains_key(&name)) {
            property.remove();
        }
    }
    for (key, value) in keys {
        match old.get(&key) {
            Some(property) if is_written(&property, &value) => {}
            Some(property) => property.set_value(input(&value)),
            None => drop(old.append(&key, input(&value))),
        }
    }
}

fn is_written(property: &CstObjectProp, value: &Value) -> bool {
    property.value().is_some_and(|old| serde_json::from_str::<Value>(&old.to_string()).is_ok_and(|old| old == *value))
}

/// The pin as the file has it: without what is the default.
fn keys(pin: &PluginPin) -> Map<String, Value> {
    let PluginPin { name, kind, source, sha256, options, limits } = pin;
    let Value::Object(mut keys) = json!({"name": name, "kind": kind.name(), "source": source, "sha256": sha256}) else { return Map::new() };
    if !options.is_empty() {
        keys.insert("options".to_owned(), Value::Object(options.clone()));
    }
    let limits = [("fuel", limits.fuel), ("memoryMiB", limits.memory_mib.map(u64::from)), ("sizeMiB", limits.size_mib.map(u64::from))];
    let limits: Map<String, Value> = limits.into_iter().filter_map(|(key, limit)| Some((key.to_owned(), json!(limit?)))).collect();
    if !limits.is_empty() {
        keys.insert("limits".to_owned(), Value::Object(limits));
    }
    keys
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(elements) => CstInputValue::Array(elements.iter().map(input).collect()),
        Value::Object(members) => CstInputValue::Object(members.iter().map(|(key, value)| (key.clone(), input(value))).collect()),
    }
}

fn unwritable() -> Diagnostic {
    let next = "write the pin into `plugins` yourself";
    Diagnostic::new("policy.not-editable", "the policy's text cannot be edited in place", next).at_path(POLICY_FILE)
}

#[cfg(test)]
mod tests {
    use super::super::load::load;
    use super::super::model::PluginLimits;
    use super::*;
    use crate::plugin::PluginKind;

    fn pin(name: &str, digit: &str) -> PluginPin {
        PluginPin {
            name: name.to_owned(),
            kind: PluginKind::SuiteRunner,
            source: format!(".code-polishy/plugins/{name}.wasm"),
            sha256: digit.repeat(64),
            options: Map::new(),
            limits: PluginLimits::default(),
        }
    }

    fn written(text: &str, pin: &PluginPin) -> String {
        String::from_utf8(with_pin(Some(text.as_bytes()), pin).expect("a policy")).expect("text")
    }

    #[test]
    fn without_a_policy_one_is_made() {
        let mut pin = pin("tap", "a");
        pin.limits.size_mib = Some(2);
        let bytes = with_pin(None, &pin).expect("a policy");
        assert!(bytes.starts_with(b"{\n  \"version\": 4,\n") && bytes.ends_with(b"}\n"));
        assert_eq!(load(&bytes).expect("a policy").plugins, [pin]);
    }

    #[test]
    fn the_rest_of_the_file_keeps_its_bytes() {
        let text = "{\n\t\"version\" : 4,\r\n\t\"scope\": {\"exclude\": [ \"gen/**\" ]},\n\n\t\"modules\": []\n}";
        let edited = written(text, &pin("tap", "a"));
        let head = text.strip_suffix("\n}").expect("it ends so");
        assert!(edited.starts_with(head) && edited.ends_with("\n}"), "{edited}");
        assert!(edited[head.len()..].starts_with(",\n\t\"plugins\": [\n\t\t{\n\t\t\t\"name\": \"tap\",\n"), "{edited}");
    }

    #[test]
    fn a_pin_of_the_same_kind_and_name_is_replaced_where_it_stands() {
        let first = written("{\"version\": 4}\n", &pin("tap", "a"));
        let second = written(&first, &pin("junit", "b"));
        let mut again = pin("tap", "c");
        again.options.insert("strict".to_owned(), json!({"words": ["a \"b\"\n\u{1}é", null], "least": 0.5}));
        again.limits.fuel = Some(7);
        let third = written(&second, &again);
        let plugins = load(third.as_bytes()).expect("a policy").plugins;
        assert_eq!(plugins, [again, pin("junit", "b")]);
        assert_eq!(written(&third, &pin("tap", "a")), second, "what is the default goes again");
        assert_eq!(written(&second, &pin("tap", "a")), second, "equal pins change nothing");
    }

    #[test]
    fn another_kind_of_the_same_name_is_another_pin() {
        let text = written("{\"version\": 4}\n", &pin("junit", "a"));
        let renderer = PluginPin { kind: PluginKind::ReportRenderer, source: "junit".to_owned(), ..pin("junit", "b") };
        assert_eq!(load(written(&text, &renderer).as_bytes()).expect("a policy").plugins, [pin("junit", "a"), renderer]);
    }

    #[test]
    fn what_does_not_load_is_never_edited_and_never_made() {
        assert!(with_pin(Some(b"{\"version\": 4, \"plugin\": []}"), &pin("tap", "a")).is_err());
        assert!(with_pin(Some(b"{\"version\": 4, // why\n}"), &pin("tap", "a")).is_err());
        let outside = PluginPin { source: "../tap.wasm".to_owned(), ..pin("tap", "a") };
        assert!(with_pin(Some(b"{\"version\": 4}"), &outside).is_err());
        assert!(with_pin(None, &PluginPin { name: "No Name".to_owned(), ..pin("tap", "a") }).is_err());
    }
}
