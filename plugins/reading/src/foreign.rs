//! Text that others wrote, made visible and bounded. What makes it inert is each format's own escaping.

/// Control characters, and those that are not seen or turn the direction of their neighbours, as `\u{…}`.
pub fn visible(foreign: &str) -> String {
    let mut shown = String::with_capacity(foreign.len());
    for character in foreign.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// The same, line by line: `\n` and `\r\n` stay line ends.
pub fn visible_lines(foreign: &str) -> String {
    crate::words::joined(foreign.lines().map(visible), "\n")
}

/// At most `limit` characters, and then how many more there were.
pub fn bounded(foreign: &str, limit: usize) -> String {
    match foreign.char_indices().nth(limit).and_then(|(end, _)| foreign.split_at_checked(end)) {
        None => foreign.to_owned(),
        Some((shown, rest)) => format!("{shown}… ({} more characters)", rest.chars().count()),
    }
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(character, '\u{fdd0}'..='\u{fdef}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
        || u32::from(character) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_shown() {
        assert_eq!(visible("a\u{1b}[31m\0"), r"a\u{1b}[31m\u{0}");
        assert_eq!(visible("a\u{202e}b\u{2066}\u{feff}\u{e0041}\u{ffff}"), r"a\u{202e}b\u{2066}\u{feff}\u{e0041}\u{ffff}");
        assert_eq!(visible("ünï ☂ 日本"), "ünï ☂ 日本");
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(visible_lines("a\r\nb\n\nc\rd\u{2028}"), "a\nb\n\nc\\u{d}d\\u{2028}");
    }

    #[test]
    fn what_is_cut_is_told() {
        assert_eq!(bounded("äöü", 3), "äöü");
        assert_eq!(bounded("äöüß!", 3), "äöü… (2 more characters)");
    }
}
