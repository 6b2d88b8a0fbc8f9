//! The step `image`: every file of the run is regular, bounded, unchanged while it was read, and strict JSON or UTF-8 where it is a record.

use crate::{
    code_review::{
        codes::{self, Code},
        context::Context,
        image::{ImageFault, ImageFaultKind, MAX_DEPTH, MAX_FILES},
        violation::{Sink, Violation},
    },
    strict::{Kind, Skim, parse, skim},
};

/// Folders whose files other people's programs wrote, or that are read by a step of their own.
const FOREIGN: [&str; 7] = ["specialists/", "reproductions/", "checks/", "gate-attempts/", "renders/", "discarded/", "role-cards/"];

/// Checks the step.
pub(super) fn check(context: &mut Context<'_>, sink: &mut Sink) {
    for fault in &context.facts.image.faults {
        sink.push(unreadable(fault));
    }
    for (path, file) in &context.facts.image.files {
        let Some(bytes) = file.content.as_deref().filter(|_| !FOREIGN.iter().any(|folder| path.starts_with(folder))) else { continue };
        if path.ends_with(".json") {
            check_json(path, bytes, sink);
        } else if let Err(error) = std::str::from_utf8(bytes) {
            let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
            let message = format!("`{path}` is not UTF-8");
            let violation = Violation::new(&codes::RUN_TEXT_NOT_UTF8, message, "write it as UTF-8, or restore it").subject(path);
            sink.push(violation.line(path, u32::try_from(line).unwrap_or(u32::MAX)));
        }
    }
}

fn unreadable(fault: &ImageFault) -> Violation {
    let path = &fault.path;
    let (code, message, hint): (&Code, String, &str) = match fault.kind {
        ImageFaultKind::NotRegular => {
            (&codes::RUN_FILE_NOT_REGULAR, format!("`{path}` is no regular file of its own"), "put a plain copy of the file in its place")
        }
        ImageFaultKind::TooLarge => (&codes::RUN_FILE_TOO_LARGE, format!("`{path}` is too large"), "keep large output outside the run"),
        ImageFaultKind::Changed => (
            &codes::RUN_FILE_CHANGED,
            format!("`{path}` changed while it was read"),
            "wait until nothing writes into the run, then try again",
        ),
        ImageFaultKind::ImageTooLarge => (
            &codes::RUN_IMAGE_TOO_LARGE,
            format!("the run is larger than 512 MiB or has more than {MAX_FILES} files"),
            "start a new run, and keep large output outside it",
        ),
    };
    Violation::new(code, message, hint).subject(path).file(path)
}

fn check_json(path: &str, bytes: &[u8], sink: &mut Sink) {
    const KIND: Kind = Kind { code: "run", noun: "the record", file: "" };
    const RESTORE: &str = "restore the file as it was written";
    // Places cost many times what reading costs: only a record with a fault pays for them.
    if is_sound(bytes) {
        return;
    }
    let refuse = |code: &Code, message: String| Violation::new(code, message, RESTORE).subject(path);
    let root = match parse(KIND, bytes) {
        Ok((_, root)) => root,
        Err(diagnostic) => {
            let code = match &diagnostic.message {
                message if message.contains("not UTF-8") => &codes::RUN_TEXT_NOT_UTF8,
                message if message.contains("recursion limit") => &codes::RUN_JSON_TOO_DEEP,
                _ => &codes::RUN_JSON_INVALID,
            };
            let violation = refuse(code, format!("`{path}`: {}", diagnostic.message));
            sink.push(violation.line(path, diagnostic.line.unwrap_or(1)));
            return;
        }
    };
    for member in root.duplicates() {
        let message = format!("`{path}` has the key `{}` twice in one object", member.key);
        sink.push(refuse(&codes::RUN_JSON_DUPLICATE_KEY, message).at_node(path, &member.at));
    }
    if let Some(deep) = root.below(MAX_DEPTH) {
        let message = format!("`{path}` is nested more than {MAX_DEPTH} deep");
        sink.push(refuse(&codes::RUN_JSON_TOO_DEEP, message).at_node(path, &deep.at));
    }
}

fn is_sound(bytes: &[u8]) -> bool {
    let skimmed = std::str::from_utf8(bytes).ok().and_then(|text| skim(text).ok());
    skimmed.is_some_and(|Skim { depth, duplicates }| depth <= MAX_DEPTH && !duplicates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code_review::step::Step;

    fn codes_of(path: &str, bytes: &[u8]) -> Vec<&'static str> {
        let mut sink = Sink::new(Step::Image);
        check_json(path, bytes, &mut sink);
        sink.finish().0.into_iter().map(|violation| violation.code).collect()
    }

    #[test]
    fn records_are_strict_json() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(codes_of("a.json", nested(64).as_bytes()), Vec::<&str>::new());
        assert_eq!(codes_of("a.json", nested(65).as_bytes()), ["run-json-too-deep"]);
        assert_eq!(codes_of("a.json", nested(200).as_bytes()), ["run-json-too-deep"]);
        assert_eq!(codes_of("a.json", br#"{"a":1,"a":2,"b":{"c":1,"c":1}}"#), ["run-json-duplicate-key"; 2]);
        assert_eq!(codes_of("a.json", b"{} {}"), ["run-json-invalid"]);
        assert_eq!(codes_of("a.json", b"\"\xff\""), ["run-text-not-utf8"]);
    }
}
