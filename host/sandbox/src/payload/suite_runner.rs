//! Finished runs of suites.

use code_polishy_core::plugin::{CollectedFile, ExecutionFacts, ProcessExit, StreamFacts, SuiteFacts};

use super::{INJECTION, UNICODE};

/// Bytes that a host keeps of the start of a stream, and as many of its end (contract 3.8).
const KEPT_HALF: usize = 512 << 10;

/// Tests in the largest reports.
const MANY: usize = 100_000;

/// Report files that the runner asked for: path and largest size.
pub type Reports = [(String, u32)];

/// A name and what makes the payload.
pub type Named = (&'static str, fn(&Reports) -> ExecutionFacts);

/// Every payload of `judge`.
pub const ALL: [Named; 13] = [
    ("all tests pass", |reports| run(0, PASSES, PASSES_XML, reports)),
    ("a test fails", |reports| run(1, FAILS, FAILS_XML, reports)),
    ("nothing printed, exit 0", |_| run(0, "", "", &[])),
    ("nothing printed, exit 1", |_| run(1, "", "", &[])),
    ("empty reports", |reports| run(0, "", "", reports)),
    ("bytes that are no text", no_text),
    ("colours and markup", |reports| run(1, &format!("{FAILS}{INJECTION}\n{UNICODE}\n"), &escaped_report(), reports)),
    ("cut in the middle", cut),
    ("truncated reports", truncated),
    ("JSON lines", |reports| run(1, JSON_LINES, JSON_LINES, reports)),
    ("bombs of XML and JSON", bombs),
    ("one endless line", |reports| run(1, &"x".repeat(2 * KEPT_HALF), &"x".repeat(2 * KEPT_HALF), reports)),
    ("100,000 tests", many),
];

const PASSES: &str = "running 2 tests\ntest adds ... ok\ntest divides ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; \
    0 filtered out; finished in 0.00s\n\nTAP version 13\n1..2\nok 1 - adds\nok 2 - divides\n=== RUN   TestAdds\n--- PASS: TestAdds (0.00s)\nPASS\nok  \tshop\t0.01s\n";

const FAILS: &str = "running 2 tests\ntest adds ... ok\ntest divides ... FAILED\n\nfailures:\n\n---- divides stdout ----\n\nthread 'divides' \
    panicked at src/lib.rs:7:5:\nno\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n\
    TAP version 13\n1..2\nok 1 - adds\nnot ok 2 - divides\n  ---\n  message: no\n  ...\n=== RUN   TestDivides\n--- FAIL: TestDivides (0.00s)\nFAIL\n";

const PASSES_XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"2\"><testsuite name=\"shop\" tests=\"2\" failures=\"0\">\
    <testcase classname=\"shop\" name=\"adds\" time=\"0.01\"/><testcase classname=\"shop\" name=\"divides\" time=\"0.01\"/></testsuite></testsuites>\n";

const FAILS_XML: &str = "<?xml version=\"1.0\"?>\n<testsuite name=\"shop\" tests=\"2\" failures=\"1\"><testcase classname=\"shop\" name=\"adds\"/>\
    <testcase classname=\"shop\" name=\"divides\" file=\"src/lib.rs\" line=\"7\"><failure message=\"no\">at src/lib.rs:7</failure></testcase></testsuite>\n";

const JSON_LINES: &str = "{\"type\":\"suite\",\"event\":\"started\",\"test_count\":1}\n{\"type\":\"test\",\"event\":\"failed\",\"name\":\"divides\"}\n\
    {\"Action\":\"fail\",\"Package\":\"shop\",\"Test\":\"TestDivides\",\"Elapsed\":0}\n{\"Action\":\"output\",\"Output\":\"\\ud800\"}\n[1,{\n";

/// The suite of every payload.
pub fn suite() -> SuiteFacts {
    SuiteFacts { name: "unit".to_owned(), kind: "unit".to_owned(), argv: vec!["make".to_owned(), "test".to_owned()], cwd: ".".to_owned() }
}

/// The report is the content of each file that the runner asked for.
fn run(code: i32, output: &str, report: &str, reports: &Reports) -> ExecutionFacts {
    let file = |(path, most): &(String, u32)| {
        let most = usize::try_from(*most).unwrap_or(usize::MAX);
        let content = report.as_bytes();
        CollectedFile { path: path.clone(), content: content[..content.len().min(most)].to_vec(), truncated: content.len() > most }
    };
    ExecutionFacts {
        exit: ProcessExit::Code(code),
        output: stream(output.as_bytes()),
        errors: stream(b""),
        files: reports.iter().map(file).collect(),
    }
}

/// A stream as the host keeps it.
fn stream(bytes: &[u8]) -> StreamFacts {
    let (head, rest) = bytes.split_at(bytes.len().min(KEPT_HALF));
    let tail = &rest[rest.len().saturating_sub(KEPT_HALF)..];
    StreamFacts { head: head.to_vec(), tail: tail.to_vec(), total: bytes.len() as u64 }
}

fn no_text(reports: &Reports) -> ExecutionFacts {
    let bytes: Vec<u8> = (0..=255).cycle().take(64 << 10).collect();
    let mut run = run(1, "", "", reports);
    run.output = stream(&[FAILS.as_bytes(), &bytes].concat());
    run.errors = stream(&bytes);
    run.files.iter_mut().for_each(|file| file.content.clone_from(&bytes));
    run
}

/// Both ends are there; a character and a line are cut on either side of the gap.
fn cut(reports: &Reports) -> ExecutionFacts {
    let line = FAILS.replace("divides", "teilt_größer");
    let text = line.repeat(2 * KEPT_HALF / line.len());
    // The second byte of a letter of two.
    let inside = |letter: (usize, char)| (letter.1 == 'ß').then_some(letter.0 + 1);
    let end = text[..text.floor_char_boundary(KEPT_HALF)].char_indices().rev().find_map(inside).expect("the text has many");
    let start = text.char_indices().filter(|letter| letter.0 > KEPT_HALF).find_map(inside).expect("the text has many");
    let (head, tail) = (text.as_bytes()[..end].to_vec(), text.as_bytes()[start..].to_vec());
    ExecutionFacts { output: StreamFacts { head, tail, total: 1 << 40 }, ..run(101, "", FAILS_XML, reports) }
}

fn truncated(reports: &Reports) -> ExecutionFacts {
    let mut run = run(1, &FAILS[..60], &FAILS_XML[..FAILS_XML.len() - 60], reports);
    run.files.iter_mut().for_each(|file| file.truncated = true);
    run
}

fn escaped_report() -> String {
    let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let (injection, unicode) = (escape(INJECTION), escape(UNICODE));
    format!(
        "<testsuite tests=\"1\" failures=\"1\"><testcase name=\"{injection}\" classname=\"{unicode}\"><failure message=\"{injection}\">\
        <![CDATA[{INJECTION}]]></failure><system-out>{injection}</system-out></testcase></testsuite>"
    )
}

/// Entities of entities, and elements and brackets inside each other deeper than any stack.
fn bombs(reports: &Reports) -> ExecutionFacts {
    let mut text = "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY a0 \"ha\">".to_owned();
    for level in 1..30 {
        text += &format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10));
    }
    text += "]><testsuite><testcase name=\"&a29;\"/>";
    text += &"<testsuite>".repeat(20_000);
    run(1, &"[{\"a\":".repeat(100_000), &text, reports)
}

fn many(reports: &Reports) -> ExecutionFacts {
    let lines: String = (0..MANY).map(|number| format!("test case_{number} ... ok\n")).collect();
    let mut xml = format!("<testsuites tests=\"{MANY}\"><testsuite name=\"shop\" tests=\"{MANY}\">");
    (0..MANY).for_each(|number| xml += &format!("<testcase classname=\"shop.many\" name=\"case {number}\" time=\"0.001\"/>"));
    xml += "</testsuite></testsuites>";
    run(0, &lines, &xml, reports)
}
