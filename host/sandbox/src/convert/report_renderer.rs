//! Artifacts of a renderer.

use std::collections::BTreeSet;

use code_polishy_core::plugin::Artifact;

use super::{AnswerError, Checked, bad, count, line};
use crate::bindings::report_renderer::exports::code_polishy::plugin::report_renderer as wit;

/// Artifacts of one report.
const MAX_ARTIFACTS: usize = 64;

/// Segments of a name.
const MAX_SEGMENTS: usize = 4;

/// Bytes of all artifacts together.
pub const MAX_CONTENT_BYTES: usize = 16 << 20;

/// At least one artifact, with names that can stand beside each other in one folder of any file system.
pub fn artifacts(said: Vec<wit::Artifact>) -> Checked<Vec<Artifact>> {
    if said.is_empty() {
        return bad("no artifact");
    }
    count("artifacts", said.len(), MAX_ARTIFACTS)?;
    super::size("the content of all artifacts", said.iter().map(|artifact| artifact.content.len()).sum(), MAX_CONTENT_BYTES)?;
    distinct(&said)?;
    said.into_iter().map(artifact).collect()
}

fn artifact(said: wit::Artifact) -> Checked<Artifact> {
    name(&said.name)?;
    line("a media type", &said.media_type, 128)?;
    if !said.media_type.is_ascii() || !said.media_type.contains('/') {
        return bad(format!("`{}` is no media type", said.media_type));
    }
    Ok(Artifact { name: said.name, media_type: said.media_type, content: said.content })
}

fn name(name: &str) -> Checked {
    super::size("an artifact's name", name.len(), 255)?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    let segment = |segment: &str| !segment.is_empty() && !segment.starts_with('.') && segment.bytes().all(plain);
    if name.split('/').count() <= MAX_SEGMENTS && name.split('/').all(segment) {
        Ok(())
    } else {
        bad(format!(
            "`{}` is no artifact name: at most {MAX_SEGMENTS} segments of `A-Za-z0-9._-`, none starting with `.`",
            name.escape_debug()
        ))
    }
}

/// No name twice, also where case does not count, and none that is a folder of another.
fn distinct(said: &[wit::Artifact]) -> Checked {
    let names: BTreeSet<String> = said.iter().map(|artifact| artifact.name.to_ascii_lowercase()).collect();
    if names.len() < said.len() {
        return bad("two artifacts have the same name");
    }
    let inside =
        |name: &String| name.match_indices('/').find(|(end, _)| names.contains(&name[..*end])).map(|(end, _)| name[..end].to_owned());
    match names.iter().find_map(inside) {
        Some(folder) => Err(AnswerError::Bad(format!("`{folder}` is an artifact and the folder of another"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(names: &[&str]) -> Vec<wit::Artifact> {
        let artifact = |name: &&str| wit::Artifact { name: (*name).to_owned(), media_type: "text/plain".to_owned(), content: vec![1] };
        names.iter().map(artifact).collect()
    }

    #[test]
    fn names_are_plain_and_relative() {
        assert_eq!(artifacts(said(&["report.md", "html/a/b/index.html"])).expect("valid").len(), 2);
        for name in ["", "/a", "../a", "a/.b", ".a", "a//b", "a b", "a\\b", "ü", "a/b/c/d/e"] {
            assert!(matches!(artifacts(said(&[name])), Err(AnswerError::Bad(_))), "{name}");
        }
    }

    #[test]
    fn names_do_not_collide_on_any_file_system() {
        for names in [["a.md", "a.md"], ["A.md", "a.md"], ["a", "a/b"], ["A/b", "a"]] {
            assert!(matches!(artifacts(said(&names)), Err(AnswerError::Bad(_))), "{names:?}");
        }
    }

    #[test]
    fn there_is_something_and_not_too_much() {
        assert!(matches!(artifacts(Vec::new()), Err(AnswerError::Bad(_))));
        let many: Vec<String> = (0..65).map(|number| format!("a{number}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(matches!(artifacts(said(&many)), Err(AnswerError::TooLarge(_))));
        let mut large = said(&["a"]);
        large[0].content = vec![0; MAX_CONTENT_BYTES + 1];
        assert!(matches!(artifacts(large), Err(AnswerError::TooLarge(_))));
    }
}
