//! Path patterns (BR-14).
//!
//! `*` is a run without `/`, `**/` any directories or none, any other `**` any run, `?` one character other than `/`; everything else
//! is literal, brackets and braces included. A pattern is anchored to the whole path and distinguishes case.

use thiserror::Error;

pub use super::path_set::PathSet;

/// Why a text is no path pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PatternError {
    /// Nothing, or white space alone.
    #[error("a path pattern is not blank")]
    Blank,
    /// It starts with `/`.
    #[error("a path pattern is relative to the repository's root and does not start with `/`")]
    Absolute,
    /// It has a segment `..`.
    #[error("a path pattern has no segment `..`")]
    Parent,
    /// It ends in `/`, or has a segment that is empty or `.`.
    #[error("no path has an empty segment or a segment `.`, so the pattern matches nothing (`folder/**` is everything below a folder)")]
    Unmatchable,
    /// It has a NUL.
    #[error("a path pattern has no NUL")]
    Nul,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Literal(char),
    /// `?`
    One,
    /// `*`
    Run,
    /// A `**` that no `/` follows.
    Anything,
    /// The first half of `**/`: no directories, or on to the second half.
    Skippable,
    /// The second half of `**/`: anything up to a `/`.
    Through,
}

/// One pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern {
    text: String,
    tokens: Vec<Token>,
}

impl PathPattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        match text {
            _ if text.trim().is_empty() => return Err(PatternError::Blank),
            _ if text.starts_with('/') => return Err(PatternError::Absolute),
            _ if text.contains('\0') => return Err(PatternError::Nul),
            _ => {}
        }
        for segment in text.split('/') {
            match segment {
                ".." => return Err(PatternError::Parent),
                "" | "." => return Err(PatternError::Unmatchable),
                _ => {}
            }
        }
        Ok(Self { text: text.to_owned(), tokens: tokens(text) })
    }

    /// The pattern as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the pattern matches this whole path.
    pub fn matches(&self, path: &str) -> bool {
        self.after(path.chars())[self.tokens.len()]
    }

    /// Whether the pattern can match some path below this one: a link or a gitlink hides what is there (BR-35).
    pub fn matches_below(&self, path: &str) -> bool {
        // Every token can be satisfied and no pattern ends in `/`, so any state before the end leads to a path below.
        self.after(path.chars().chain(['/']))[..self.tokens.len()].contains(&true)
    }

    /// The states after this text: `[i]` says whether the first `i` tokens can have consumed all of it.
    fn after(&self, text: impl Iterator<Item = char>) -> Vec<bool> {
        let mut states = vec![false; self.tokens.len() + 1];
        let mut next = states.clone();
        states[0] = true;
        self.pass_over_empty(&mut states);
        for character in text {
            next.fill(false);
            for (index, token) in self.tokens.iter().enumerate().filter(|(index, _)| states[*index]) {
                match token {
                    Token::Literal(literal) => next[index + 1] |= *literal == character,
                    Token::One => next[index + 1] |= character != '/',
                    Token::Run => next[index] |= character != '/',
                    Token::Anything => next[index] = true,
                    Token::Skippable => {}
                    Token::Through => {
                        next[index] = true;
                        next[index + 1] |= character == '/';
                    }
                }
            }
            std::mem::swap(&mut states, &mut next);
            self.pass_over_empty(&mut states);
        }
        states
    }

    /// Adds the states that need no character. They only lie ahead, so one pass finds them all.
    fn pass_over_empty(&self, states: &mut [bool]) {
        for (index, token) in self.tokens.iter().enumerate() {
            match token {
                Token::Run | Token::Anything => states[index + 1] |= states[index],
                Token::Skippable => {
                    states[index + 1] |= states[index];
                    states[index + 2] |= states[index];
                }
                Token::Literal(_) | Token::One | Token::Through => {}
            }
        }
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let taken = if rest.starts_with("**/") {
            tokens.extend([Token::Skippable, Token::Through]);
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
        rest = &rest[taken..];
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pattern(text: &str) -> PathPattern {
        PathPattern::parse(text).expect("valid")
    }

    /// The grammar read aloud, by backtracking.
    fn reference(pattern: &str, path: &str) -> bool {
        let ends = |path: &str| path.char_indices().map(|(index, _)| index).chain([path.len()]).collect::<Vec<_>>();
        if let Some(rest) = pattern.strip_prefix("**/") {
            reference(rest, path) || path.match_indices('/').any(|(index, _)| reference(rest, &path[index + 1..]))
        } else if let Some(rest) = pattern.strip_prefix("**") {
            ends(path).into_iter().any(|end| reference(rest, &path[end..]))
        } else if let Some(rest) = pattern.strip_prefix('*') {
            ends(path).into_iter().take_while(|end| !path[..*end].contains('/')).any(|end| reference(rest, &path[end..]))
        } else {
            match (pattern.chars().next(), path.chars().next()) {
                (None, None) => true,
                (Some('?'), Some(found)) if found != '/' => reference(&pattern[1..], &path[found.len_utf8()..]),
                (Some(wanted), Some(found)) if wanted == found => reference(&pattern[wanted.len_utf8()..], &path[found.len_utf8()..]),
                _ => false,
            }
        }
    }

    #[test]
    fn each_wildcard_has_its_reach() {
        let yes = [
            ("src/*.rs", "src/a.rs"),
            ("**/a", "a"),
            ("**/a", "x/y/a"),
            ("src/**/a", "src/a"),
            ("src/**/a", "src/x/y/a"),
            ("src/**", "src/x/y"),
            ("a**b", "a/x/b"),
            ("a**b", "ab"),
            ("a**/b", "ax/b"),
            ("a**/b", "ab"),
            ("caf?", "café"),
            ("a[b]{c,d}!\\", "a[b]{c,d}!\\"),
            ("**", "a/b"),
            ("**/**", "a"),
            ("a/**/**", "a/b"),
        ];
        for (text, path) in yes {
            assert!(pattern(text).matches(path) && PathSet::new(vec![pattern(text); 8]).is_match(path), "{text} matches {path}");
        }
        let no =
            [("src/*.rs", "src/x/a.rs"), ("src", "src/a"), ("a?b", "a/b"), ("[ab]", "a"), ("A", "a"), ("src/**/a", "src/xa"), ("*", "a/b")];
        for (text, path) in no {
            assert!(!pattern(text).matches(path) && !PathSet::new(vec![pattern(text); 8]).is_match(path), "{text} does not match {path}");
        }
    }

    #[test]
    fn what_lies_below_a_link_can_match() {
        for text in ["vendor/lib/**", "vendor/**", "**/*.c", "vendor/lib/src/a.c", "v**", "*/lib/*", "**"] {
            assert!(pattern(text).matches_below("vendor/lib"), "{text}");
        }
        for text in ["vendor/lib", "vendor/*", "vendor/library/**", "src/**", "*"] {
            assert!(!pattern(text).matches_below("vendor/lib"), "{text}");
        }
        let set = PathSet::parse(["vendor/lib", "vendor/lib/x", "src/**"]).expect("valid");
        assert_eq!(set.matching_at_or_below("vendor/lib"), [0, 1]);
    }

    #[test]
    fn what_cannot_be_a_pattern_is_refused() {
        assert_eq!(PathPattern::parse("  "), Err(PatternError::Blank));
        assert_eq!(PathPattern::parse("/a"), Err(PatternError::Absolute));
        assert_eq!(PathPattern::parse("a/../b"), Err(PatternError::Parent));
        assert_eq!(PathPattern::parse("a/"), Err(PatternError::Unmatchable));
        assert_eq!(PathPattern::parse("./a"), Err(PatternError::Unmatchable));
        assert_eq!(PathPattern::parse("a//b"), Err(PatternError::Unmatchable));
        assert_eq!(PathPattern::parse("a\0"), Err(PatternError::Nul));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn pattern_and_set_agree_with_the_grammar(
            texts in prop::collection::vec("(\\*\\*/){0,2}[ab.é*?\\[\\\\]{1,4}(/(\\*\\*|[ab.*?{,}]{1,3})){0,3}", 1..5),
            path in "[abé\\[{,}\\\\][ab.é]{0,2}(/([ab][ab.]{0,2}|\\.[ab]{1,2})){0,3}",
        ) {
            let patterns: Vec<_> = texts.iter().filter_map(|text| PathPattern::parse(text).ok()).collect();
            let expected: Vec<usize> = (0..patterns.len()).filter(|index| reference(patterns[*index].as_str(), &path)).collect();
            let found: Vec<usize> = (0..patterns.len()).filter(|index| patterns[*index].matches(&path)).collect();
            prop_assert_eq!(&found, &expected, "{:?}", texts);
            // Eight times the same patterns, so that every group is compiled.
            let eightfold: Vec<_> = patterns.iter().flat_map(|pattern| std::iter::repeat_n(pattern.clone(), 8)).collect();
            let eightfold_expected: Vec<usize> = expected.iter().flat_map(|index| index * 8..index * 8 + 8).collect();
            for (patterns, expected) in [(patterns, &expected), (eightfold, &eightfold_expected)] {
                let set = PathSet::new(patterns);
                prop_assert_eq!(&set.matching(&path), expected, "{:?}", texts);
                prop_assert_eq!(set.is_match(&path), !expected.is_empty());
            }
        }

        #[test]
        fn a_match_below_is_foreseen(text in "(\\*\\*/)?[ab*?]{1,4}(/(\\*\\*|[ab*?]{1,3})){0,3}", path in "[ab]{1,2}(/[ab]{1,2}){0,2}", rest in "[ab]{1,2}(/[ab]{1,2}){0,2}") {
            let pattern = pattern(&text);
            if pattern.matches(&format!("{path}/{rest}")) {
                prop_assert!(pattern.matches_below(&path));
            }
        }
    }
}
