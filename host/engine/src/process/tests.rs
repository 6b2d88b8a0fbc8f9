//! Real processes that behave well and badly.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use code_polishy_core::diagnostic::{Failure, FailureKind};
use code_polishy_core::plugin::ProcessExit;

use super::*;
use crate::interrupt::Interrupt;

/// Runs a shell script in `worktree`.
fn shell_in(worktree: &Path, script: &str, timeout: Duration, interrupt: &Interrupt) -> Result<Execution, Failure> {
    let argv = ["sh", "-c", script].map(str::to_owned);
    let environment: Vec<(OsString, OsString)> = vec![("PATH".into(), std::env::var_os("PATH").unwrap())];
    run(&Command { argv: &argv, worktree, cwd: ".", environment: &environment, timeout }, interrupt)
}

fn shell(script: &str) -> Execution {
    shell_in(&std::env::temp_dir(), script, Duration::from_secs(60), &Interrupt::manual()).unwrap()
}

/// Waits for a file with a process id, and says whether that process is gone.
fn is_gone(pid_file: &Path) -> bool {
    let pid = fs::read_to_string(pid_file).unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    stat.map_or(true, |stat| stat.rsplit(") ").next().unwrap().starts_with('Z'))
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn status_streams_and_signal_are_told() {
    let done = shell("echo out; echo err >&2; exit 7");
    assert_eq!((done.exit, text(&done.output.head), text(&done.errors.head)), (ProcessExit::Code(7), "out\n", "err\n"));
    assert!(!done.leftovers && !done.abandoned && done.duration < Duration::from_secs(30));
    assert_eq!(shell("kill -9 $$").exit, ProcessExit::Signal(9));
    assert_eq!(shell("exit 124").exit, ProcessExit::Code(124));
}

#[test]
fn a_copy_gets_the_first_bytes_while_they_come() {
    let copy = |limit| Copy::new(tempfile::tempfile().unwrap(), limit);
    let files = |copies: &[Copy; 2]| copies.each_ref().map(Copy::bytes).map(Result::unwrap);
    let argv = ["sh", "-c", "head -c 3000000 /dev/zero; echo error >&2"].map(str::to_owned);
    let environment: Vec<(OsString, OsString)> = vec![("PATH".into(), std::env::var_os("PATH").unwrap())];
    let command = Command { argv: &argv, worktree: Path::new("/"), cwd: ".", environment: &environment, timeout: Duration::from_secs(60) };
    let mut copies = [copy(4_000_000), copy(3)];
    let done = run_copied(&command, &mut copies, &Interrupt::manual()).unwrap();
    assert_eq!((done.output.total, done.errors.total), (3_000_000, 6));
    assert_eq!(files(&copies), [vec![0; 3_000_000], b"err".to_vec()]);
}

#[test]
fn the_environment_is_exact_and_standard_input_empty() {
    let done = shell("cat; env | sed 's/=.*//' | grep -v -e ^PWD -e ^SHLVL -e ^_ -e ^OLDPWD | sort; echo $0");
    assert_eq!(text(&done.output.head), "CODE_POLISHY_RUN\nPATH\nsh\n");
}

#[test]
fn no_descriptor_is_inherited() {
    let folder = tempfile::tempdir().unwrap();
    let held = crate::lock::acquire(folder.path(), "s", ".lock", &Interrupt::manual(), || ()).unwrap();
    let done = shell("ls -l /proc/self/fd | grep -c -e lock -e code-polishy; true");
    assert_eq!(text(&done.output.head), "0\n");
    drop(held);
}

#[cfg(target_os = "linux")]
#[test]
fn a_status_is_known_even_below_a_parent_that_ignores_its_children() {
    const INSIDE: &str = "CODE_POLISHY_TEST_IGNORED_CHILDREN";
    if std::env::var_os(INSIDE).is_some() {
        return assert_eq!(shell("exit 5").exit, ProcessExit::Code(5));
    }
    let name = "process::tests::a_status_is_known_even_below_a_parent_that_ignores_its_children";
    let mut again = std::process::Command::new("env");
    again.arg("--ignore-signal=CHLD").arg(std::env::current_exe().unwrap()).args(["--exact", name]).env(INSIDE, "1");
    assert!(again.output().unwrap().status.success());
}

#[test]
fn who_still_copies_the_last_lines_is_no_leftover() {
    let done = shell("(sleep 0.05; echo last) & echo first");
    assert_eq!(text(&done.output.head), "first\nlast\n");
    assert!(!done.leftovers);
}

#[test]
fn a_flood_on_both_streams_is_kept_in_part() {
    let done = shell("(head -c 100000000 /dev/zero | tr '\\0' a) & head -c 3145728 /dev/zero | tr '\\0' b >&2; wait; echo end");
    assert_eq!((done.exit, done.output.total, done.errors.total), (ProcessExit::Code(0), 100_000_004, 3_145_728));
    assert_eq!((done.output.head.len(), done.output.tail.len()), (KEPT / 2, KEPT / 2));
    assert!(done.output.tail.ends_with(b"aend\n"));
    assert!(log_bytes(&done).len() < 2 * KEPT + 1000);
}

#[test]
fn a_program_that_closes_its_streams_is_waited_for() {
    let done = shell("exec >&- 2>&-; sleep 0.3; exit 3");
    assert_eq!(done.exit, ProcessExit::Code(3));
    assert!(done.duration >= Duration::from_millis(300));
}

#[test]
fn a_timeout_ends_who_listens_to_term() {
    let started = Instant::now();
    let done = shell_in(
        Path::new("/"),
        "trap 'echo bye; exit 0' TERM; while :; do sleep 0.05; done",
        Duration::from_millis(300),
        &Interrupt::manual(),
    );
    let done = done.unwrap();
    assert_eq!((done.exit, text(&done.output.head)), (ProcessExit::TimedOut, "bye\n"));
    assert!(started.elapsed() < GRACE);
}

#[test]
fn a_timeout_ends_who_ignores_term_and_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap '' TERM; sleep 300 & echo $! > child; while :; do sleep 1; done";
    let started = Instant::now();
    let done = shell_in(folder.path(), script, Duration::from_millis(300), &Interrupt::manual()).unwrap();
    assert_eq!(done.exit, ProcessExit::TimedOut);
    assert!(started.elapsed() >= GRACE && started.elapsed() < GRACE + Duration::from_secs(10));
    assert!(is_gone(&folder.path().join("child")));
}

#[test]
fn a_stopped_program_is_ended_at_once() {
    let started = Instant::now();
    let done = shell_in(Path::new("/"), "kill -STOP $$; exit 0", Duration::from_millis(300), &Interrupt::manual()).unwrap();
    assert_eq!(done.exit, ProcessExit::TimedOut);
    assert!(started.elapsed() < GRACE);
}

#[test]
fn what_stays_in_the_group_after_the_exit_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let script = "sleep 300 & echo $! > child; echo started";
    let started = Instant::now();
    let done = shell_in(folder.path(), script, Duration::from_secs(60), &Interrupt::manual()).unwrap();
    assert_eq!((done.exit, text(&done.output.head)), (ProcessExit::Code(0), "started\n"));
    assert!(done.leftovers && !done.abandoned && is_gone(&folder.path().join("child")));
    assert!(started.elapsed() < GRACE);
}

#[cfg(target_os = "linux")]
#[test]
fn daemons_that_left_the_group_are_ended() {
    let folder = tempfile::tempdir().unwrap();
    // One keeps the streams, one closes them, one lost its environment but has a parent that did not.
    let script = "setsid sh -c 'echo $$ > holder; exec sleep 300' &
        setsid sh -c 'echo $$ > silent; exec sleep 300' >/dev/null 2>&1 &
        setsid sh -c 'env -i setsid /bin/sh -c \"echo \\$\\$ > bare; sleep 300; :\" & echo $$ > parent; wait' &
        while ! [ -s holder -a -s silent -a -s bare -a -s parent ]; do sleep 0.02; done";
    let started = Instant::now();
    let done = shell_in(folder.path(), script, Duration::from_secs(60), &Interrupt::manual()).unwrap();
    assert_eq!(done.exit, ProcessExit::Code(0));
    assert!(done.leftovers && !done.abandoned);
    for daemon in ["holder", "silent", "bare", "parent"] {
        assert!(is_gone(&folder.path().join(daemon)), "{daemon}");
    }
    assert!(started.elapsed() < GRACE);
}

#[cfg(target_os = "linux")]
#[test]
fn somebody_out_of_reach_who_holds_the_streams_does_not_hang_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let script = "(env -i setsid /bin/sh -c 'echo $$ > pid; exec sleep 300' &); while ! [ -s pid ]; do sleep 0.02; done; echo done";
    let started = Instant::now();
    let done = shell_in(folder.path(), script, Duration::from_secs(60), &Interrupt::manual()).unwrap();
    let pid = fs::read_to_string(folder.path().join("pid")).unwrap().trim().parse().unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_raw(pid).unwrap(), rustix::process::Signal::KILL).unwrap();
    assert_eq!((done.exit, text(&done.output.head)), (ProcessExit::Code(0), "done\n"));
    assert!(done.abandoned && started.elapsed() < Duration::from_secs(20));
}

#[cfg(target_os = "linux")]
#[test]
fn parallel_runs_end_their_own_daemons_only() {
    std::thread::scope(|scope| {
        for index in 0..6_u32 {
            scope.spawn(move || {
                let folder = tempfile::tempdir().unwrap();
                let script = format!(
                    "setsid sh -c 'echo $$ > pid; exec sleep 300' & while ! [ -s pid ]; do sleep 0.02; done; sleep 0.{index}; kill -0 $(cat pid)"
                );
                let done = shell_in(folder.path(), &script, Duration::from_secs(60), &Interrupt::manual()).unwrap();
                assert_eq!(done.exit, ProcessExit::Code(0), "{}", text(&done.errors.head));
                assert!(is_gone(&folder.path().join("pid")));
            });
        }
    });
}

#[test]
fn an_interrupt_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let interrupt = Interrupt::manual();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !folder.path().join("pid").exists() {
                std::thread::sleep(Duration::from_millis(10));
            }
            interrupt.trigger();
        });
        let ended = shell_in(folder.path(), "echo $$ > pid; sleep 300", Duration::from_secs(60), &interrupt);
        assert_eq!(ended.unwrap_err(), Failure::interrupted());
    });
    assert!(is_gone(&folder.path().join("pid")));
    assert_eq!(shell_in(folder.path(), "true", Duration::from_secs(60), &interrupt).unwrap_err(), Failure::interrupted());
}

#[test]
fn what_cannot_start_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("text"), "no program").unwrap();
    std::os::unix::fs::symlink("/", folder.path().join("out")).unwrap();
    let start = |program: &str, cwd: &str| {
        let argv = [program.to_owned()];
        let environment = [("PATH".into(), std::env::var_os("PATH").unwrap())];
        let timeout = Duration::from_secs(9);
        let failure = run(&Command { argv: &argv, worktree: folder.path(), cwd, environment: &environment, timeout }, &Interrupt::manual());
        let failure = failure.unwrap_err();
        assert_eq!((failure.kind, failure.diagnostics[0].code.as_str()), (FailureKind::Operational, "process.cannot-start"));
        failure.diagnostics[0].message.clone()
    };
    assert_eq!(start("no-such-program", "."), "cannot start `no-such-program` in `.`: no such executable file");
    assert!(start("./text", ".").contains("./text"));
    assert!(start("true", "absent").contains("`absent`"));
    assert!(start("true", "out").ends_with("outside the worktree"));
}
