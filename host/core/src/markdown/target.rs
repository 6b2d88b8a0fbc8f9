//! Where a link's destination leads.

use percent_encoding::percent_decode_str;

/// A destination, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// It has a scheme or a host: nothing of ours.
    External,
    /// A path of the repository.
    Local {
        /// Repository-relative; empty for the root.
        path: String,
        /// It ends in `/`, so a file does not do.
        folder: bool,
        /// What follows `#`, decoded.
        fragment: Option<String>,
    },
}

/// Why a destination cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is none.
    Empty,
    /// Its percent escapes give no UTF-8.
    Escape,
    /// It leads above the repository's root.
    Outside,
}

/// Reads the destination of a link in `document`. A query says nothing about files and is left out.
pub fn resolve(document: &str, destination: &str) -> Result<Target, Fault> {
    let destination = destination.trim();
    if destination.is_empty() {
        return Err(Fault::Empty);
    }
    if has_scheme(destination) || destination.starts_with("//") {
        return Ok(Target::External);
    }
    let (locator, fragment) = destination.split_once('#').map_or((destination, None), |(path, fragment)| (path, Some(fragment)));
    let (path, query) = locator.split_once('?').map_or((locator, ""), |(path, query)| (path, query));
    let fragment = fragment.map(decode).transpose()?;
    // `?plain=1` shows the lines of a document, and then a line is what a fragment names.
    let fragment = fragment.filter(|fragment| query != "plain=1" || !is_line_anchor(fragment));
    if path.is_empty() {
        return Ok(Target::Local { path: document.to_owned(), folder: false, fragment });
    }
    let path = decode(path)?;
    let folder = path.ends_with(['/']) || path.ends_with("/.") || path.ends_with("/..") || matches!(path.as_str(), "." | "..");
    Ok(Target::Local { path: normalize(document, &path)?, folder, fragment })
}

/// `L7`, `L7-L9`, `L7C1-L9C4`: a place in a file as GitHub names it.
pub fn is_line_anchor(fragment: &str) -> bool {
    let number = |text: &str| text.parse::<u32>().is_ok_and(|number| number > 0) && text.bytes().all(|byte| byte.is_ascii_digit());
    let position = |text: &str| {
        text.strip_prefix('L').is_some_and(|rest| match rest.split_once('C') {
            Some((line, column)) => number(line) && number(column),
            None => number(rest),
        })
    };
    fragment.split_once('-').map_or_else(|| position(fragment), |(from, to)| position(from) && position(to))
}

fn decode(text: &str) -> Result<String, Fault> {
    percent_decode_str(text).decode_utf8().map(|text| text.into_owned()).map_err(|_| Fault::Escape)
}

fn has_scheme(destination: &str) -> bool {
    destination.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '+' | '-' | '.'))
    })
}

/// Follows a path from the document's folder, or from the root when it starts with `/`.
fn normalize(document: &str, path: &str) -> Result<String, Fault> {
    let folder = if path.starts_with('/') { "" } else { document.rsplit_once('/').map_or("", |(folder, _)| folder) };
    let mut names: Vec<&str> = Vec::new();
    for name in folder.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop().ok_or(Fault::Outside)?),
            name => names.push(name),
        }
    }
    Ok(names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(destination: &str) -> (String, bool, Option<String>) {
        match resolve("docs/guide/a.md", destination) {
            Ok(Target::Local { path, folder, fragment }) => (path, folder, fragment),
            other => panic!("{destination}: {other:?}"),
        }
    }

    fn at(path: &str, folder: bool, fragment: Option<&str>) -> (String, bool, Option<String>) {
        (path.to_owned(), folder, fragment.map(str::to_owned))
    }

    #[test]
    fn paths_start_at_the_document_or_at_the_root() {
        for (destination, expected) in [
            ("b.md", at("docs/guide/b.md", false, None)),
            ("./b.md#x", at("docs/guide/b.md", false, Some("x"))),
            ("../c.md?raw=1#x%20y", at("docs/c.md", false, Some("x y"))),
            ("/LICENSE", at("LICENSE", false, None)),
            ("/", at("", true, None)),
            ("../..", at("", true, None)),
            ("img/a%20b.png", at("docs/guide/img/a b.png", false, None)),
            ("img//x/", at("docs/guide/img/x", true, None)),
            ("#here", at("docs/guide/a.md", false, Some("here"))),
            ("#", at("docs/guide/a.md", false, Some(""))),
            ("b.md?plain=1#L3", at("docs/guide/b.md", false, None)),
            ("caf%C3%A9.md", at("docs/guide/café.md", false, None)),
            ("a/b:c.md", at("docs/guide/a/b:c.md", false, None)),
        ] {
            assert_eq!(local(destination), expected, "{destination}");
        }
    }

    #[test]
    fn addresses_are_left_alone() {
        for destination in ["https://x", "mailto:a@b", "HTTP:x", "data:image/png;base64,x", "//host/x", "vscode://file"] {
            assert_eq!(resolve("a.md", destination), Ok(Target::External), "{destination}");
        }
    }

    #[test]
    fn what_cannot_be_followed_is_refused() {
        assert_eq!(resolve("a.md", ""), Err(Fault::Empty));
        assert_eq!(resolve("a.md", "../x"), Err(Fault::Outside));
        assert_eq!(resolve("a/b.md", "/../x"), Err(Fault::Outside));
        assert_eq!(resolve("a/b.md", "x/../../../a/b.md"), Err(Fault::Outside));
        assert_eq!(resolve("a.md", "%ff"), Err(Fault::Escape));
        assert_eq!(resolve("a.md", "a.md#%ff"), Err(Fault::Escape));
    }

    #[test]
    fn lines_have_one_form() {
        for fragment in ["L1", "L10-L20", "L1C2-L3C4"] {
            assert!(is_line_anchor(fragment), "{fragment}");
        }
        for fragment in ["", "L", "L0", "l1", "L1-", "L1-2", "L+1", "LC"] {
            assert!(!is_line_anchor(fragment), "{fragment}");
        }
    }
}
