//! Path patterns (BR-14), in the time of pattern times path: no pattern can use up a call's fuel.

use code_polishy_sdk::serde;

/// `*` is a run without `/`, `**/` any directories or none, any other `**` any run, `?` one character other than `/`, everything else
/// literal.
#[derive(Debug, serde::Deserialize)]
#[serde(crate = "code_polishy_sdk::serde", from = "String")]
pub struct Pattern {
    /// Literal text before the first wildcard and after the last one: most paths are told apart here.
    prefix: String,
    suffix: String,
    tokens: Vec<Token>,
}

#[derive(Debug)]
enum Token {
    Literal(char),
    /// `?`
    One,
    /// `*`
    Run,
    /// `**` that no `/` follows.
    Anything,
    /// The first half of `**/`: goes on to the second half or past it.
    Optional,
    /// The second half of `**/`: anything, ended by a `/`.
    Directories,
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&str> for Pattern {
    fn from(text: &str) -> Self {
        let wildcard = |byte| matches!(byte, b'*' | b'?');
        let prefix = text.bytes().position(wildcard).map_or(text, |first| &text[..first]);
        let suffix = text.bytes().rposition(wildcard).map_or(text, |last| &text[last + 1..]);
        // A `/` after `**` belongs to the wildcard.
        Self { prefix: prefix.into(), suffix: suffix.trim_start_matches('/').into(), tokens: tokens(text) }
    }
}

impl Pattern {
    /// Whether the pattern matches this whole path.
    pub fn matches(&self, path: &str) -> bool {
        path.starts_with(&self.prefix) && path.ends_with(&self.suffix) && self.walk(path)
    }

    /// Keeps, for each number of tokens, whether they can have consumed the path so far.
    fn walk(&self, path: &str) -> bool {
        let mut states = vec![false; self.tokens.len() + 1];
        let mut next = states.clone();
        states[0] = true;
        self.skip(&mut states);
        for character in path.chars() {
            next.fill(false);
            for (index, token) in self.tokens.iter().enumerate().filter(|(index, _)| states[*index]) {
                match token {
                    Token::Literal(literal) => next[index + 1] |= *literal == character,
                    Token::One => next[index + 1] |= character != '/',
                    Token::Run => next[index] |= character != '/',
                    Token::Anything => next[index] = true,
                    Token::Directories => {
                        next[index] = true;
                        next[index + 1] |= character == '/';
                    }
                    Token::Optional => {}
                }
            }
            self.skip(&mut next);
            std::mem::swap(&mut states, &mut next);
        }
        states[self.tokens.len()]
    }

    /// Adds the states that need no character; they lie ahead only, so one pass finds them all.
    fn skip(&self, states: &mut [bool]) {
        for (index, token) in self.tokens.iter().enumerate().filter(|(_, token)| token.may_be_empty()) {
            states[index + 1] |= states[index];
            if matches!(token, Token::Optional) {
                states[index + 2] |= states[index];
            }
        }
    }
}

impl Token {
    fn may_be_empty(&self) -> bool {
        matches!(self, Self::Run | Self::Anything | Self::Optional)
    }
}

fn tokens(pattern: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = pattern;
    while let Some(character) = rest.chars().next() {
        let length = if rest.starts_with("**/") {
            tokens.extend([Token::Optional, Token::Directories]);
            3
        } else if rest.starts_with("**") {
            tokens.push(Token::Anything);
            2
        } else {
            tokens.push(match character {
                '*' => Token::Run,
                '?' => Token::One,
                literal => Token::Literal(literal),
            });
            character.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    fn matches(pattern: &str, path: &str) -> bool {
        Pattern::from(pattern).matches(path)
    }

    fn check(pattern: &str, yes: &[&str], no: &[&str]) {
        for path in yes {
            assert!(matches(pattern, path), "`{pattern}` matches `{path}`");
        }
        for path in no {
            assert!(!matches(pattern, path), "`{pattern}` does not match `{path}`");
        }
    }

    #[test]
    fn a_pattern_is_anchored_and_distinguishes_case() {
        check("src/a.rs", &["src/a.rs"], &["src/a.rsx", "x/src/a.rs", "src/A.rs", "src/a"]);
        check("", &[""], &["a"]);
    }

    #[test]
    fn a_star_stays_in_its_segment() {
        check("src/*.rs", &["src/a.rs", "src/.rs"], &["src/a/b.rs", "a.rs"]);
        check("*", &["a", ""], &["a/b"]);
    }

    #[test]
    fn two_stars_cross_segments() {
        check("src/**", &["src/a", "src/a/b", "src/"], &["src", "srcs/a"]);
        check("**", &["a", "a/b/c"], &[]);
        check("a/**.rs", &["a/x.rs", "a/b/c.rs"], &["a/x.py"]);
    }

    #[test]
    fn two_stars_and_a_slash_are_any_directories_or_none() {
        check("**/a", &["a", "x/a", "x/y/a"], &["xa", "x/ya", "a/x"]);
        check("src/**/a", &["src/a", "src/x/a", "src/x/y/a"], &["src/xa", "srca"]);
        check("a**/b", &["ab", "a/b", "ax/y/b"], &["a/xb", "b"]);
        check("**/x/**/a", &["x/a", "b/x/a", "b/x/c/d/a"], &["b/a"]);
    }

    #[test]
    fn a_question_mark_is_one_character() {
        check("a?c", &["abc", "aéc"], &["a/c", "ac", "abbc"]);
    }

    #[test]
    fn everything_else_is_literal() {
        check("a[id].{x,y}!", &["a[id].{x,y}!"], &["ai.x!", "ad.y!"]);
        check("a.b", &["a.b"], &["axb"]);
    }

    #[test]
    fn many_stars_stay_cheap() {
        let pattern = "**/*a".repeat(200);
        assert!(!matches(&pattern, &"a/".repeat(500)));
    }
}
