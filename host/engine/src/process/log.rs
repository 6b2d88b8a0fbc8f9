//! A command's output as a log file (BR-77).

use code_polishy_core::plugin::{ProcessExit, StreamFacts};

use super::Execution;

/// The log of a finished command: how it ended, then both streams, each with its size and with a line where bytes were cut.
/// At most twice [`super::KEPT`] bytes and a few lines. The streams are foreign text and kept as they are.
pub fn log_bytes(execution: &Execution) -> Vec<u8> {
    let mut log = format!("exit: {}\n", describe(execution.exit)).into_bytes();
    if execution.leftovers {
        log.extend(b"note: the program left processes behind, which were ended\n");
    }
    if execution.abandoned {
        log.extend(b"note: a process out of reach held a stream open; what it wrote later is missing\n");
    }
    section(&mut log, "standard output", &execution.output);
    section(&mut log, "standard error", &execution.errors);
    log
}

fn describe(exit: ProcessExit) -> String {
    match exit {
        ProcessExit::Code(code) => format!("status {code}"),
        ProcessExit::Signal(signal) => format!("signal {signal}"),
        ProcessExit::TimedOut => "timed out".to_owned(),
    }
}

fn section(log: &mut Vec<u8>, name: &str, stream: &StreamFacts) {
    let cut = stream.total - (stream.head.len() + stream.tail.len()) as u64;
    log.extend(format!("--- {name}: {} bytes", stream.total).bytes());
    if cut > 0 {
        log.extend(format!(", {cut} of them cut").bytes());
    }
    log.push(b'\n');
    log.extend(&stream.head);
    if cut > 0 {
        end_line(log);
        log.extend(format!("--- {cut} bytes cut\n").bytes());
    }
    log.extend(&stream.tail);
    end_line(log);
}

fn end_line(log: &mut Vec<u8>) {
    if log.last() != Some(&b'\n') {
        log.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_log_says_what_was_cut_and_ends_its_lines() {
        let output = StreamFacts { head: b"first".to_vec(), tail: b"last\n".to_vec(), total: 110 };
        let errors = StreamFacts { head: b"oh".to_vec(), tail: Vec::new(), total: 2 };
        let exit = ProcessExit::Code(1);
        let execution = Execution { exit, output, errors, duration: Duration::ZERO, leftovers: true, abandoned: false };
        let expected = "exit: status 1\nnote: the program left processes behind, which were ended\n\
            --- standard output: 110 bytes, 100 of them cut\nfirst\n--- 100 bytes cut\nlast\n--- standard error: 2 bytes\noh\n";
        assert_eq!(String::from_utf8(log_bytes(&execution)).unwrap(), expected);
    }
}
