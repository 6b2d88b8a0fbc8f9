//! What a plugin can do to its host: give an answer, or fail by name.

mod support;

use std::sync::{Arc, Mutex};

use code_polishy_core::{
    code_review::vocabulary::{Attestation, EventKind, PassMode},
    plugin::{
        ExecutionFacts, Outcome, PluginFault, PluginFaultKind, PluginHost, PluginKind, PluginSource, ReceiptFacts, StreamFacts, Verdict,
    },
};
use code_polishy_sandbox::{Level, Note, Sandbox};
use support::{ANSWER, exited, file, guest, guest_with, pinned, suite};

/// The verdict of a runner whose `judge` has this body.
fn judge(body: &str) -> Result<Verdict, PluginFault> {
    judge_with(body, |_| {})
}

fn judge_with(body: &str, edit: impl Fn(&mut PluginSource)) -> Result<Verdict, PluginFault> {
    let mut source = pinned(PluginKind::SuiteRunner, guest(PluginKind::SuiteRunner, "judge", body));
    edit(&mut source);
    Sandbox::new(None).suite_runner(&source)?.judge(&suite(), &exited(0))
}

fn fault_of(body: &str) -> PluginFault {
    judge(body).expect_err("must fail")
}

/// A `judge` that answers with a summary at this address and of this length.
fn summary(address: u32, length: u32) -> String {
    format!(
        "(i32.store (i32.const {}) (i32.const {address})) (i32.store (i32.const {}) (i32.const {length})) (i32.const {ANSWER})",
        ANSWER + 20,
        ANSWER + 24
    )
}

#[test]
fn an_answer_is_typed() {
    let verdict = judge(&summary(0, 6)).expect("answers");
    assert_eq!(verdict, Verdict { outcome: Outcome::Passed, cases: None, summary: "sample".to_owned() });
}

#[test]
fn every_call_has_a_fresh_instance() {
    let count = "(i32.store8 (i32.const 0) (i32.add (i32.load8_u (i32.const 0)) (i32.const 1)))";
    let source = pinned(PluginKind::SuiteRunner, guest(PluginKind::SuiteRunner, "judge", &format!("{count} {}", summary(0, 6))));
    let runner = Sandbox::new(None).suite_runner(&source).expect("loads");
    for _ in 0..2 {
        assert_eq!(runner.judge(&suite(), &exited(0)).expect("answers").summary, "tample");
    }
}

/// Counts in a global, in memory and in the size of memory; the count is the first letter of the summary.
#[test]
fn nothing_of_a_call_reaches_another() {
    let count = "(global.set $heap (i32.add (global.get $heap) (i32.const 8)))
        (drop (memory.grow (i32.const 1)))
        (i32.store (i32.const 64) (i32.add (i32.load (i32.const 64)) (i32.add (memory.size) (i32.div_u (global.get $heap) (i32.const 8)))))
        (i32.store8 (i32.const 0) (i32.or (i32.const 64) (i32.and (i32.load (i32.const 64)) (i32.const 31))))";
    let source = |function: &str| {
        let body = if function == "plan" { format!("{count} (i32.const {ANSWER})") } else { format!("{count} {}", summary(0, 6)) };
        pinned(PluginKind::SuiteRunner, guest(PluginKind::SuiteRunner, function, &body))
    };
    let runner = Sandbox::new(None).suite_runner(&source("judge")).expect("loads");
    let first = runner.judge(&suite(), &exited(0)).expect("answers");
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..8).map(|_| scope.spawn(|| runner.judge(&suite(), &exited(0)).expect("answers"))).collect();
        for call in calls {
            assert_eq!(call.join().expect("no panic"), first);
        }
    });
    let planner = Sandbox::new(None).suite_runner(&source("plan")).expect("loads");
    for _ in 0..2 {
        planner.plan(&suite()).expect("answers");
        assert_eq!(planner.judge(&suite(), &exited(0)).expect("answers").summary, "", "what `plan` did is gone");
    }
}

#[test]
fn a_nan_has_the_same_bits_on_every_machine() {
    let letter = |shift: u32, address: u32| {
        format!(
            "(i32.store8 (i32.const {address}) (i32.add (i32.const 97)
                (i32.and (i32.shr_u (i32.reinterpret_f32 (f32.div (f32.convert_i32_u (local.get $i)) (f32.convert_i32_u (local.get $i))))
                    (i32.const {shift})) (i32.const 15))))"
        )
    };
    let letters: String = (0..8).map(|nibble| letter(28 - 4 * nibble, 4096 + nibble)).collect();
    let verdict = judge(&format!("{letters} {}", summary(4096, 8))).expect("answers");
    assert_eq!(verdict.summary, "hpmaaaaa", "0x7fc00000, a letter for each four bits");
}

#[test]
fn an_endless_loop_runs_out_of_fuel() {
    let fault = judge_with("(call $spin (i32.const 0)) (unreachable)", |source| {
        source.pinned.as_mut().expect("pinned").fuel = Some(1_000_000);
    })
    .expect_err("must end");
    assert_eq!(fault.kind, PluginFaultKind::OutOfFuel);
    assert!(fault.next.contains("limits.fuel"), "{}", fault.next);
}

#[test]
fn memory_beyond_the_limit_is_refused_by_name() {
    let fault = fault_of("(loop $more (drop (memory.grow (i32.const 16))) (br $more)) (unreachable)");
    assert_eq!(fault.kind, PluginFaultKind::OutOfMemory);
    assert_eq!(fault.message, "it asked for 65 MiB of memory and may have 64 MiB");
}

#[test]
fn a_panic_brings_its_message() {
    let fault = fault_of("(call $write (i32.const 3) (i32.const 0) (i32.const 6)) (unreachable)");
    assert_eq!(fault.kind, PluginFaultKind::Trapped);
    assert_eq!(fault.log, ["sample"]);
    assert!(fault.message.contains("unreachable"), "{}", fault.message);
}

#[test]
fn endless_recursion_is_a_trap_and_leaves_the_host_unharmed() {
    let fault = fault_of("(call $recurse (i32.const 0))");
    assert_eq!(fault.kind, PluginFaultKind::Trapped);
    assert!(fault.message.contains("call stack exhausted"), "{}", fault.message);
}

#[test]
fn an_answer_outside_memory_is_bad_output() {
    assert_eq!(fault_of(&summary(0, 3 << 30)).kind, PluginFaultKind::BadOutput);
    assert_eq!(fault_of("(i32.const -8)").kind, PluginFaultKind::BadOutput);
}

#[test]
fn an_answer_that_is_not_text_is_bad_output() {
    let fault = fault_of(&format!("(i32.store8 (i32.const 0) (i32.const 255)) {}", summary(0, 6)));
    assert_eq!(fault.kind, PluginFaultKind::BadOutput);
}

#[test]
fn an_answer_beyond_the_contract_is_too_large() {
    let fault = fault_of(&format!("(drop (memory.grow (i32.const 820))) {}", summary(131_072, 50 << 20)));
    assert_eq!(fault.kind, PluginFaultKind::OutputTooLarge, "{fault}");
}

#[test]
fn an_answer_that_repeats_itself_is_stopped_before_it_is_copied() {
    let case = "(i32.store (i32.add (i32.const 200000) (i32.mul (local.get $i) (i32.const 44))) (i32.const 1000000))
        (i32.store (i32.add (i32.const 200004) (i32.mul (local.get $i) (i32.const 44))) (i32.const 1000000))";
    let fault = fault_of(&format!(
        "(drop (memory.grow (i32.const 100)))
         (loop $more {case} (br_if $more (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 1000))))
         (i32.store8 (i32.const {}) (i32.const 1)) (i32.store (i32.const {}) (i32.const 200000)) (i32.store (i32.const {}) (i32.const 1000))
         (i32.const {ANSWER})",
        ANSWER + 8,
        ANSWER + 12,
        ANSWER + 16
    ));
    assert_eq!(fault.kind, PluginFaultKind::BadOutput, "a gigabyte of names: {fault}");
}

#[test]
fn a_component_above_its_size_limit_is_not_read() {
    let fault = judge_with("(i32.const 1024)", |source| source.pinned.as_mut().expect("pinned").size_mib = Some(0)).expect_err("refused");
    assert_eq!(fault.kind, PluginFaultKind::Unreadable);
    assert!(fault.next.contains("limits.sizeMiB"), "{}", fault.next);
}

#[test]
fn a_failure_of_its_own_is_passed_on() {
    let failure = format!(
        "(i32.store8 (i32.const {ANSWER}) (i32.const 1))
         (i32.store (i32.const {}) (i32.const 0)) (i32.store (i32.const {}) (i32.const 6))
         (i32.store (i32.const {}) (i32.const 7)) (i32.store (i32.const {}) (i32.const 5)) (i32.const {ANSWER})",
        ANSWER + 4,
        ANSWER + 8,
        ANSWER + 12,
        ANSWER + 16
    );
    let fault = fault_of(&failure);
    assert_eq!((fault.kind, fault.message.as_str()), (PluginFaultKind::Refused, "1.0.0 (sample)"));
}

#[test]
fn a_broken_answer_is_refused() {
    let source = pinned(PluginKind::PathRoles, guest(PluginKind::PathRoles, "classify", "(i32.const 1024)"));
    let classifier = Sandbox::new(None).path_roles(&source).expect("loads");
    assert_eq!(classifier.classify(&[]), Ok(Vec::new()));
    let fault = classifier.classify(&[file("a")]).expect_err("no role for the path");
    assert_eq!((fault.kind, fault.message.as_str()), (PluginFaultKind::BadOutput, "its answer breaks the contract: 0 roles for 1 paths"));
}

#[test]
fn the_log_is_bounded_and_reaches_the_listener() {
    let flood = format!(
        "(memory.fill (i32.const 4096) (i32.const 97) (i32.const 50000))
         (loop $more (call $write (i32.const 2) (i32.const 4096) (i32.const 50000))
            (br_if $more (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 300))))
         {}",
        summary(0, 6)
    );
    let notes: Arc<Mutex<Vec<Note>>> = Arc::default();
    let heard = Arc::clone(&notes);
    let sandbox = Sandbox::with_listener(None, move |note| heard.lock().expect("not poisoned").push(note));
    let source = pinned(PluginKind::SuiteRunner, guest(PluginKind::SuiteRunner, "judge", &flood));
    sandbox.suite_runner(&source).expect("loads").judge(&suite(), &exited(0)).expect("answers");
    let notes = notes.lock().expect("not poisoned");
    assert_eq!(notes.len(), 256);
    assert!(notes.iter().all(|note| note.foreign && note.level == Level::Warning && note.text.len() == 16 << 10));
}

#[test]
fn log_text_costs_fuel() {
    let fault =
        judge_with("(loop $more (call $write (i32.const 0) (i32.const 4096) (i32.const 50000)) (br $more)) (unreachable)", |source| {
            source.pinned.as_mut().expect("pinned").fuel = Some(1_000_000);
        })
        .expect_err("must end");
    assert_eq!(fault.kind, PluginFaultKind::OutOfFuel, "{fault}");
    assert!(fault.log.len() < 25, "{}", fault.log.len());
}

#[test]
fn a_large_input_brings_its_own_room() {
    let source = pinned(PluginKind::PathRoles, guest(PluginKind::PathRoles, "classify", "(i32.const 1024)"));
    let classifier = Sandbox::new(None).path_roles(&source).expect("loads");
    let mut fact = file("a");
    fact.head = vec![b'x'; 4096];
    let fault = classifier.classify(&vec![fact; 20_000]).expect_err("answers with no role");
    assert_eq!(fault.kind, PluginFaultKind::BadOutput, "80 MB of facts reach it: {fault}");
}

#[test]
fn a_pin_is_checked_before_anything_else() {
    let mut source = pinned(PluginKind::SuiteRunner, b"not even wasm".to_vec());
    source.pinned.as_mut().expect("pinned").sha256 = "0".repeat(64);
    let fault = Sandbox::new(None).suite_runner(&source).err().expect("refused");
    assert_eq!(fault.kind, PluginFaultKind::PinMismatch);
    assert!(fault.message.contains(&"0".repeat(64)), "{}", fault.message);
}

#[test]
fn a_plugin_of_another_kind_is_named() {
    let source = pinned(PluginKind::ReportRenderer, guest(PluginKind::SuiteRunner, "plan", "(i32.const 1024)"));
    let fault = Sandbox::new(None).report_renderer(&source).err().expect("refused");
    assert_eq!(fault.kind, PluginFaultKind::Incompatible);
    assert_eq!(fault.message, "it is a suite-runner plugin and is used as a report-renderer plugin");
}

#[test]
fn another_contract_says_which_side_to_upgrade() {
    let built_for = |version: &'static str| {
        let bytes = guest_with(PluginKind::SuiteRunner, "", "", |wit| wit.replace("@1.1.0", version)).expect("a component");
        Sandbox::new(None).suite_runner(&pinned(PluginKind::SuiteRunner, bytes)).err()
    };
    for newer in ["@2.0.0", "@1.2.0"] {
        assert_eq!(built_for(newer).expect("refused").next, "upgrade code-polishy: the plugin needs a newer one", "{newer}");
    }
    assert_eq!(built_for("@0.9.0").expect("refused").next, "rebuild the plugin with the current SDK");
    assert!(built_for("@1.0.0").is_none(), "an earlier minor version is a part of this contract");
}

#[test]
fn exports_of_other_types_are_incompatible() {
    let bytes = guest_with(PluginKind::SuiteRunner, "", "", |wit| {
        wit.replace("summary: string,\n    }", "summary: string,\n        extra: u32,\n    }")
    })
    .expect("a component");
    let runner = Sandbox::new(None).suite_runner(&pinned(PluginKind::SuiteRunner, bytes)).expect("names are right");
    let fault = runner.judge(&suite(), &exited(0)).expect_err("types are not");
    assert_eq!(fault.kind, PluginFaultKind::Incompatible, "{fault}");
}

#[test]
fn what_is_no_component_is_unreadable() {
    let whole = guest(PluginKind::SuiteRunner, "", "");
    let half = whole[..whole.len() / 2].to_vec();
    for bytes in [half, b"text".to_vec(), wat::parse_str("(module)").expect("a module")] {
        let fault = Sandbox::new(None).suite_runner(&pinned(PluginKind::SuiteRunner, bytes)).err().expect("refused");
        assert_eq!(fault.kind, PluginFaultKind::Unreadable, "{fault}");
    }
}

/// The component was built by the SDK of contract 1.0.0.
#[test]
fn a_plugin_of_an_earlier_minor_version_is_loaded_and_answers() {
    let bytes = include_bytes!("../../../tests/fixtures/contract-1.0/tap.wasm").to_vec();
    let source = pinned(PluginKind::SuiteRunner, bytes.clone());
    let sandbox = Sandbox::new(None);
    assert_eq!(sandbox.admit("tap", &bytes, None).expect("admitted").wit_version.to_string(), "1.0.0");
    let output = b"TAP version 13\n1..2\nok 1 - adds\nnot ok 2 - divides\n".to_vec();
    let run = ExecutionFacts { output: StreamFacts { total: output.len() as u64, head: output, tail: Vec::new() }, ..exited(1) };
    let verdict = sandbox.suite_runner(&source).expect("loaded").judge(&suite(), &run).expect("an answer");
    assert_eq!((verdict.outcome, verdict.cases.map(|cases| cases.len())), (Outcome::Failed, Some(2)));
}

#[test]
fn an_adapter_is_asked_and_believed_as_far_as_the_contract_goes() {
    let verify = |body: &str| {
        let source = pinned(PluginKind::ReviewerAdapter, guest(PluginKind::ReviewerAdapter, "verify", body));
        let adapter = Sandbox::new(None).reviewer_adapter(&source).expect("loaded");
        adapter.verify("run", &[receipt()]).map(|verification| (verification.answer, verification.reason))
    };
    let answer = |number: u32, reason: u32| {
        format!(
            "(i32.store8 (i32.const {}) (i32.const {number})) (i32.store (i32.const {}) (i32.const {reason})) (i32.const {ANSWER})",
            ANSWER + 4,
            ANSWER + 12,
        )
    };
    assert_eq!(verify(&answer(0, 0)), Ok((Attestation::Attested, String::new())));
    assert_eq!(verify(&answer(2, 6)), Ok((Attestation::Inconclusive, "sample".to_owned())));
    assert_eq!(verify(&answer(1, 1100)).expect_err("too long").kind, PluginFaultKind::OutputTooLarge);
    assert_eq!(verify(&answer(3, 0)).expect_err("no answer").kind, PluginFaultKind::BadOutput);
    assert_eq!(verify("(unreachable)").expect_err("a trap").kind, PluginFaultKind::Trapped);
}

fn receipt() -> ReceiptFacts {
    ReceiptFacts {
        event: EventKind::Started,
        role: "sw-engineer".to_owned(),
        attempt: 1,
        mode: PassMode::Spawned,
        reviewer_id: "r".to_owned(),
        at: "2026-01-31T12:00:00Z".to_owned(),
        context_sha256: None,
        output_sha256: None,
        content: b"{}".to_vec(),
    }
}
