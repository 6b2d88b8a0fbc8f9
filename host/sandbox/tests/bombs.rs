//! Components that are quick to send and slow to compile: refused before the compiler sees them, or compiled in a time that their size bounds.

mod support;

use code_polishy_core::plugin::{PluginFault, PluginFaultKind, PluginHost, PluginKind};
use code_polishy_sandbox::{Sandbox, admission::AdmissionError, admission::admit};
use support::{exited, guest, pinned, suite};

/// What happens to a good runner that has this core module beside its own, when its pin allows 32 MiB.
fn loaded(module: &[u8]) -> Result<(), PluginFault> {
    let mut source = pinned(PluginKind::SuiteRunner, with(module));
    source.pinned.as_mut().expect("pinned").size_mib = Some(32);
    Sandbox::new(None).suite_runner(&source)?.judge(&suite(), &exited(0)).map(drop)
}

fn refused(module: &[u8]) -> AdmissionError {
    admit(&with(module), Some(32)).expect_err("must be refused")
}

fn with(module: &[u8]) -> Vec<u8> {
    let mut component = guest(PluginKind::SuiteRunner, "", "");
    component.extend(section(1, module));
    component
}

/// A core module whose functions, all without parameters and results, have these bodies.
fn module(bodies: &[Vec<u8>]) -> Vec<u8> {
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    module.extend(section(1, &[1, 0x60, 0, 0]));
    module.extend(section(3, &[number(bodies.len()), vec![0; bodies.len()]].concat()));
    let code: Vec<u8> = bodies.iter().flat_map(|body| [number(body.len()), body.clone()].concat()).collect();
    module.extend(section(10, &[number(bodies.len()), code].concat()));
    module
}

fn section(id: u8, content: &[u8]) -> Vec<u8> {
    [vec![id], number(content.len()), content.to_vec()].concat()
}

/// LEB128.
fn number(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 128 {
        bytes.push(u8::try_from(value % 128).expect("seven bits") | 128);
        value /= 128;
    }
    bytes.push(u8::try_from(value).expect("seven bits"));
    bytes
}

/// A body of this many blocks inside each other, opened by `open`.
fn nested(open: u8, blocks: usize) -> Vec<u8> {
    const EMPTY: u8 = 0x40;
    const END: u8 = 0x0b;
    [vec![0], [open, EMPTY].repeat(blocks), vec![END; blocks + 1]].concat()
}

const BLOCK: u8 = 0x02;
const LOOP: u8 = 0x03;

#[test]
fn twenty_megabytes_are_refused_by_their_size_before_they_are_read() {
    let error = admit(&vec![0xff; 20_000_000], None).expect_err("must be refused");
    assert_eq!(error, AdmissionError::TooLarge { size: 20_000_000, limit_mib: 1 });
    assert!(error.next().contains("`limits.sizeMiB` of its pin to 20"), "{}", error.next());
}

#[test]
fn twenty_megabytes_that_a_pin_allows_are_compiled() {
    const NOP: u8 = 0x01;
    let body = [vec![0], vec![NOP; 200_000], vec![0x0b]].concat();
    assert_eq!(loaded(&module(&vec![body; 100])), Ok(()));
}

#[test]
fn deep_nesting_is_bounded_where_the_compiler_would_suffer() {
    assert_eq!(loaded(&module(&[nested(BLOCK, 3_000), nested(LOOP, 100)])), Ok(()));
    let blocks = AdmissionError::TooComplex { what: "nested blocks in one function", found: 10_001, most: 10_000 };
    assert_eq!(refused(&module(&[nested(BLOCK, 400_000)])), blocks);
    let loops = AdmissionError::TooComplex { what: "nested loops in one function", found: 101, most: 100 };
    assert_eq!(refused(&module(&[nested(LOOP, 50_000)])), loops);
}

#[test]
fn functions_are_counted_in_all_modules() {
    let half = module(&vec![vec![0, 0x0b]; 50_001]);
    assert!(admit(&with(&half), Some(32)).is_ok());
    let both = [with(&half), section(1, &half)].concat();
    let error = admit(&both, Some(32)).expect_err("must be refused");
    assert_eq!(error, AdmissionError::TooComplex { what: "functions", found: 100_001, most: 100_000 });
    assert!(error.is_unreadable() && error.to_string().contains("functions"));
}

#[test]
fn types_that_grow_at_each_step_are_refused() {
    let doubled = |step: usize| format!("(type $t{} (tuple $t{step} $t{step}))", step + 1);
    let types: String = (0..60).map(doubled).collect();
    let component = wat::parse_str(format!("(component (type $t0 (tuple u8 u8)) {types})")).expect("well-formed");
    assert!(matches!(admit(&component, None), Err(AdmissionError::Invalid(_))));
}

#[test]
fn a_little_data_far_apart_is_no_large_image() {
    let sparse = r#"(module (memory 65535) (data (i32.const 0) "a") (data (i32.const 4294901759) "b"))"#;
    let module = wat::parse_str(sparse).expect("well-formed");
    assert_eq!(loaded(&module), Ok(()), "nobody instantiates it");
}

#[test]
fn a_module_that_nobody_may_use_says_what_it_uses() {
    let modules = [
        ("(memory 1 1 shared)", "threads"),
        ("(memory i64 1)", "memory64"),
        ("(memory 1) (memory 1)", "multi"),
        ("(func (param v128 v128 v128) (result v128) (f32x4.relaxed_madd (local.get 0) (local.get 1) (local.get 2)))", "relaxed"),
        ("(tag)", "exception"),
        ("(type (struct))", "gc"),
        ("(func (i64.add128 (i64.const 0) (i64.const 0) (i64.const 0) (i64.const 0)) (drop) (drop))", "wide"),
    ];
    for (text, feature) in modules {
        let module = wat::parse_str(format!("(module {text})")).expect(text);
        match refused(&module) {
            AdmissionError::Invalid(why) => assert!(why.contains(feature), "{text}: {why}"),
            other => panic!("{text}: {other}"),
        }
    }
    assert_eq!(PluginFaultKind::Unreadable, loaded(&wat::parse_str("(module (memory i64 1))").expect("text")).expect_err("refused").kind);
}
