//! The output of a command: read as it comes, kept in part.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use code_polishy_core::plugin::StreamFacts;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

/// Bytes kept of each stream: the first and the last half, and the total (contract 3.8).
pub const KEPT: usize = 1 << 20;

/// Bytes read from one stream before the other one, the clock and the interrupt get their turn.
const TURN: usize = 1 << 20;

/// The first and the last bytes of a stream, in bounded memory.
#[derive(Debug, Default)]
struct Kept {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Kept {
    fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(KEPT / 2 - self.head.len()));
        self.head.extend_from_slice(first);
        let rest = &rest[rest.len().saturating_sub(KEPT / 2)..];
        let surplus = (self.tail.len() + rest.len()).saturating_sub(KEPT / 2);
        self.tail.drain(..surplus);
        self.tail.extend(rest);
    }

    fn into_facts(self) -> StreamFacts {
        StreamFacts { head: self.head, tail: self.tail.into(), total: self.total }
    }
}

/// A file that gets the first bytes of a stream while it runs.
#[derive(Debug)]
pub struct Copy {
    file: File,
    left: u64,
    fault: Option<io::Error>,
}

impl Copy {
    /// At most `limit` bytes go into the file.
    pub fn new(file: File, limit: u64) -> Self {
        Self { file, left: limit, fault: None }
    }

    /// What the file has.
    ///
    /// # Errors
    /// The system's.
    pub fn bytes(&self) -> io::Result<Vec<u8>> {
        let (mut bytes, mut file) = (Vec::new(), &self.file);
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX))];
        self.left -= bytes.len() as u64;
        if self.fault.is_none() {
            self.fault = self.file.write_all(bytes).err();
        }
    }
}

/// One stream of a running command. Reading never waits.
#[derive(Debug)]
struct Stream<'c, R> {
    /// Absent after the end.
    source: Option<R>,
    kept: Kept,
    copy: Option<&'c mut Copy>,
}

impl<'c, R: Read + AsFd> Stream<'c, R> {
    fn new(source: R, copy: Option<&'c mut Copy>) -> io::Result<Self> {
        fcntl_setfl(&source, fcntl_getfl(&source)? | OFlags::NONBLOCK)?;
        Ok(Self { source: Some(source), kept: Kept::default(), copy })
    }

    /// Takes what is there; a stream that fails has ended.
    fn take(&mut self, buffer: &mut [u8]) {
        let Some(source) = &mut self.source else { return };
        let mut taken = 0;
        while taken < TURN {
            match source.read(buffer) {
                Ok(count) if count > 0 => {
                    self.kept.push(&buffer[..count]);
                    if let Some(copy) = &mut self.copy {
                        copy.push(&buffer[..count]);
                    }
                    taken += count;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Ok(_) | Err(_) => return self.source = None,
            }
        }
    }
}

/// Both streams of a running command, read in turns by the one thread that watches it.
#[derive(Debug)]
pub(super) struct Streams<'c, O, E> {
    output: Stream<'c, O>,
    errors: Stream<'c, E>,
    buffer: Box<[u8]>,
}

impl<'c, O: Read + AsFd, E: Read + AsFd> Streams<'c, O, E> {
    pub(super) fn new(output: O, errors: E, copies: Option<&'c mut [Copy; 2]>) -> io::Result<Self> {
        let [of_output, of_errors] = match copies {
            Some([output, errors]) => [Some(output), Some(errors)],
            None => [None, None],
        };
        Ok(Self { output: Stream::new(output, of_output)?, errors: Stream::new(errors, of_errors)?, buffer: vec![0; 64 * 1024].into() })
    }

    /// Waits that long for bytes or for an end, and takes what is there.
    pub(super) fn pump(&mut self, wait: Duration) {
        let sources: Vec<BorrowedFd<'_>> =
            self.output.source.iter().map(AsFd::as_fd).chain(self.errors.source.iter().map(AsFd::as_fd)).collect();
        if sources.is_empty() {
            return std::thread::sleep(wait);
        }
        let mut polled: Vec<PollFd<'_>> = sources.iter().map(|source| PollFd::from_borrowed_fd(*source, PollFlags::IN)).collect();
        let wait = Timespec { tv_sec: 0, tv_nsec: wait.as_nanos().min(999_999_999) as _ };
        // A signal ends the wait early, which is welcome.
        let _ = rustix::event::poll(&mut polled, Some(&wait));
        self.output.take(&mut self.buffer);
        self.errors.take(&mut self.buffer);
    }

    /// Whether nobody can write to either stream any more.
    pub(super) fn are_closed(&self) -> bool {
        self.output.source.is_none() && self.errors.source.is_none()
    }

    pub(super) fn into_facts(self) -> (StreamFacts, StreamFacts) {
        (self.output.kept.into_facts(), self.errors.kept.into_facts())
    }
}

/// What kept a copy from being complete.
pub(super) fn fault(copies: &mut [Copy; 2]) -> Option<io::Error> {
    copies.iter_mut().find_map(|copy| copy.fault.take())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keep(chunks: impl Iterator<Item = usize>) -> (StreamFacts, Vec<u8>) {
        let (mut kept, mut all) = (Kept::default(), Vec::new());
        for chunk in chunks {
            let bytes: Vec<u8> = (all.len()..all.len() + chunk).map(|index| (index % 251) as u8).collect();
            kept.push(&bytes);
            all.extend(bytes);
        }
        (kept.into_facts(), all)
    }

    #[test]
    fn everything_is_kept_up_to_the_bound() {
        let (facts, all) = keep([KEPT - 7, 7].into_iter());
        assert_eq!([facts.head, facts.tail].concat(), all);
        assert_eq!(facts.total, KEPT as u64);
    }

    #[test]
    fn the_first_and_the_last_half_are_kept_beyond_it() {
        for chunk in [1021, 65_536, KEPT / 2, 2 * KEPT + 3] {
            let (facts, all) = keep(std::iter::repeat_n(chunk, 3 * KEPT / chunk + 1));
            assert_eq!(facts.head, all[..KEPT / 2], "{chunk}");
            assert_eq!(facts.tail, all[all.len() - KEPT / 2..], "{chunk}");
            assert_eq!(facts.total, all.len() as u64, "{chunk}");
        }
    }
}
