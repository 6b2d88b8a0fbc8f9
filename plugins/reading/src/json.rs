//! JSON that may stand anywhere.

use serde::Serialize;

/// The value, indented, with a final line end. `<`, `>` and `&` are escaped: the text ends no script and starts no element of a page that holds
/// it, and reads the same as JSON.
pub fn document(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value).expect("keys are strings");
    // They stand in strings alone: JSON has no other use for them.
    let mut inert = text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    inert.push('\n');
    inert
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_reads_the_same() {
        let text = document(&["</script>&"]);
        assert_eq!(text, "[\n  \"\\u003c/script\\u003e\\u0026\"\n]\n");
        assert_eq!(serde_json::from_str::<Vec<String>>(&text).expect("JSON"), ["</script>&"]);
    }
}
