//! Every process that a command started: its process group, and on Linux whoever left the group.
//!
//! A process that leaves the group with `setsid` keeps the mark in its environment, and `/proc` shows it. Only a process that
//! both left the group and lost its environment and its parent stays unseen. Becoming the parent of all orphans instead
//! (`PR_SET_CHILD_SUBREAPER`) would leave every one of them to this process to bury, and would not say whose they are.

use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher, RandomState};

use rustix::process::{Pid, Signal, kill_process_group};

/// The variable that marks the processes of a run. Runs inside runs are separated by `/`, the outermost first.
const MARK: &str = "CODE_POLISHY_RUN";

/// The mark of one run.
#[derive(Debug)]
pub(super) struct Mark {
    id: String,
}

impl Mark {
    pub(super) fn new() -> Self {
        Self { id: format!("{:x}-{:016x}", std::process::id(), RandomState::new().build_hasher().finish()) }
    }

    /// The variable to start the command with, so that a run around this one still knows its own.
    pub(super) fn variable(&self) -> (&'static str, OsString) {
        let mut value = std::env::var_os(MARK).unwrap_or_default();
        if !value.is_empty() {
            value.push("/");
        }
        value.push(&self.id);
        (MARK, value)
    }

    /// Whether an environment, as `/proc` shows it, carries this mark.
    #[cfg(any(target_os = "linux", test))]
    fn is_in(&self, environment: &[u8]) -> bool {
        let values = environment.split(|byte| *byte == 0).filter_map(|variable| variable.strip_prefix(MARK.as_bytes())?.strip_prefix(b"="));
        values.flat_map(|value| value.split(|byte| *byte == b'/')).any(|id| id == self.id.as_bytes())
    }
}

/// The processes of one run. Valid until its leader is reaped: until then nobody else can get the group's number.
#[derive(Debug)]
pub(super) struct Family {
    leader: Pid,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    mark: Mark,
}

impl Family {
    pub(super) fn new(leader: Pid, mark: Mark) -> Self {
        Self { leader, mark }
    }

    /// Whether any of them still runs; `None` when the system does not say.
    pub(super) fn is_alive(&self) -> Option<bool> {
        self.members().map(|members| !members.is_empty())
    }

    /// Sends all of them a signal, also those that are stopped.
    pub(super) fn signal(&self, signal: Signal) {
        for signal in [signal, Signal::CONT] {
            // An error says that nobody is left.
            let _ = kill_process_group(self.leader, signal);
            self.signal_strays(signal);
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn members(&self) -> Option<Vec<Pid>> {
        None
    }

    #[cfg(not(target_os = "linux"))]
    fn signal_strays(&self, _signal: Signal) {}
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    use super::Family;

    /// One line of `/proc/<pid>/stat`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Process {
        pub(super) pid: Pid,
        pub(super) parent: i32,
        pub(super) group: i32,
        /// Clock ticks since the machine started.
        pub(super) born: u64,
        pub(super) dead: bool,
    }

    impl Process {
        pub(super) fn read(pid: Pid) -> Option<Self> {
            Self::parse(pid, &fs::read(format!("/proc/{pid}/stat")).ok()?)
        }

        /// The name in parentheses may hold anything, so the fields are counted from the last `)`.
        pub(super) fn parse(pid: Pid, stat: &[u8]) -> Option<Self> {
            let end = stat.iter().rposition(|byte| *byte == b')')?;
            let fields: Vec<&str> = std::str::from_utf8(&stat[end + 1..]).ok()?.split_ascii_whitespace().collect();
            let dead = matches!(*fields.first()?, "Z" | "X" | "x");
            let number = |index: usize| fields.get(index)?.parse::<i64>().ok();
            Some(Self { pid, parent: number(1)? as i32, group: number(2)? as i32, born: number(19)? as u64, dead })
        }
    }

    impl Family {
        pub(super) fn members(&self) -> Option<Vec<Pid>> {
            Some(self.living()?.into_iter().map(|process| process.pid).collect())
        }

        /// Signals those outside the group, each by a handle that cannot come to mean another process.
        pub(super) fn signal_strays(&self, signal: Signal) {
            let strays = self.living().unwrap_or_default().into_iter().filter(|process| process.group != self.leader.as_raw_pid());
            for stray in strays {
                let Ok(handle) = pidfd_open(stray.pid, PidfdFlags::empty()) else { continue };
                if Process::read(stray.pid).is_some_and(|now| now.born == stray.born) {
                    let _ = pidfd_send_signal(handle, signal);
                }
            }
        }

        /// In the group, marked, or the child of such a one. Nobody older than the leader is asked.
        fn living(&self) -> Option<Vec<Process>> {
            let born = Process::read(self.leader)?.born;
            let pids = fs::read_dir("/proc").ok()?.flatten().filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
            let young = pids.filter_map(Process::read).filter(|process| process.born >= born && !process.dead);
            let (mut family, mut others): (Vec<Process>, Vec<Process>) = young.partition(|process| self.owns(process));
            let mut asked = 0;
            while asked < family.len() {
                let parent = family[asked].pid.as_raw_pid();
                family.extend(others.extract_if(.., |process| process.parent == parent));
                asked += 1;
            }
            Some(family)
        }

        fn owns(&self, process: &Process) -> bool {
            process.group == self.leader.as_raw_pid()
                || fs::read(format!("/proc/{}/environ", process.pid)).is_ok_and(|environment| self.mark.is_in(&environment))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_known_inside_others_and_mistaken_for_none() {
        let (mine, other) = (Mark::new(), Mark::new());
        let environment = |value: &str| format!("A=1\0{MARK}={value}\0B=2\0").into_bytes();
        assert!(mine.is_in(&environment(&mine.id)));
        assert!(mine.is_in(&environment(&format!("{}/{}", mine.id, other.id))));
        assert!(!mine.is_in(&environment(&other.id)));
        assert!(!mine.is_in(&environment(&format!("{}0", mine.id))));
        assert!(!mine.is_in(b""));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_with_parentheses_does_not_shift_the_fields() {
        let pid = Pid::from_raw(7).unwrap();
        let stat = b"7 (a) Z 9 (b)) S 3 5 5 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 1234 99\n";
        let process = linux::Process { pid, parent: 3, group: 5, born: 1234, dead: false };
        assert_eq!(linux::Process::parse(pid, stat), Some(process));
    }
}
