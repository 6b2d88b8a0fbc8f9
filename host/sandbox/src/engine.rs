//! The one wasmtime engine, with every setting that a result or a risk depends on written down.

use std::{fmt, hash::Hasher, num::NonZeroUsize};

use sha2::{Digest, Sha256};
use wasmparser::WasmFeatures;
use wasmtime::{Config, Engine, Inlining, InstanceAllocationStrategy, OptLevel, RegallocAlgorithm, Strategy, WasmBacktraceDetails};

use code_polishy_core::canonical::hex;

/// Stack of the guest, in bytes. How deep a recursion gets depends on compiled frame sizes, so overflow is a fault and never a result.
pub const WASM_STACK_BYTES: usize = 1 << 20;

/// Stack of the thread that a call runs on, in bytes: the guest's and ample room for the host below it.
pub const THREAD_STACK_BYTES: usize = 4 << 20;

/// Frames that a trap remembers.
const BACKTRACE_FRAMES: usize = 8;

/// The WebAssembly that a plugin may use: what compilers emit by default today, less everything that could differ between machines or widens the
/// host's surface (relaxed SIMD, threads, 64-bit and several memories, exceptions, garbage collection, asynchronous components).
pub const FEATURES: WasmFeatures =
    WasmFeatures::WASM2.union(WasmFeatures::TAIL_CALL).union(WasmFeatures::EXTENDED_CONST).union(WasmFeatures::COMPONENT_MODEL);

/// What wasmtime's own code between two inner components is made of; admission lets no plugin bring it. Builders that answer a language runtime's
/// system calls with stubs put the stubs into a component of their own.
const ADAPTERS: WasmFeatures = WasmFeatures::MULTI_MEMORY;

/// Starts the engine. Fails when wasmtime cannot generate code for this machine.
pub fn start() -> wasmtime::Result<Engine> {
    Engine::new(&config())
}

fn config() -> Config {
    let mut config = Config::new();
    compile(&mut config);
    run(&mut config);
    diagnose(&mut config);
    config.wasm_features(FEATURES.union(ADAPTERS).complement(), false);
    config
}

/// How code is made. All of it is part of the key of the compiled store.
fn compile(config: &mut Config) {
    config
        .strategy(Strategy::Cranelift)
        .cranelift_opt_level(OptLevel::Speed)
        .cranelift_regalloc_algorithm(RegallocAlgorithm::Backtracking)
        .compiler_inlining(Inlining::No)
        .parallel_compilation(true)
        // NaN payloads differ between processors otherwise.
        .cranelift_nan_canonicalization(true)
        // Fuel decides, because it is equal on every machine; the epoch is only the watchdog's bell.
        .consume_fuel(true)
        .epoch_interruption(true);
}

/// How code is run.
fn run(config: &mut Config) {
    config
        // A short process never wins back what the pooling allocator costs at its end.
        .allocation_strategy(InstanceAllocationStrategy::OnDemand)
        .memory_init_cow(true)
        .table_lazy_init(true)
        .max_wasm_stack(WASM_STACK_BYTES)
        // Calls are synchronous: state for concurrent ones is never made.
        .concurrency_support(false);
}

/// What a fault can tell.
fn diagnose(config: &mut Config) {
    config
        .debug_info(false)
        .generate_address_map(true)
        .wasm_backtrace_max_frames(NonZeroUsize::new(BACKTRACE_FRAMES))
        // The default reads an environment variable, which would make the text of faults depend on it.
        .wasm_backtrace_details(WasmBacktraceDetails::Disable)
        // Only native debuggers and unwinders read these tables; every load would register them.
        .native_unwind_info(false);
}

/// Hex digest of everything that decides whether compiled code fits this engine: target, compiler, settings, wasmtime's version.
pub fn compatibility_digest(engine: &Engine) -> String {
    use std::hash::Hash;
    let mut hasher = Sha256Hasher(Sha256::new());
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hex(&hasher.0.finalize())
}

/// The standard hasher's 64 bits are too few to trust code by.
struct Sha256Hasher(Sha256);

impl Hasher for Sha256Hasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("the whole digest is read instead")
    }
}

impl fmt::Debug for Sha256Hasher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Sha256Hasher")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_that_differ_between_machines_are_off() {
        for off in [WasmFeatures::RELAXED_SIMD, WasmFeatures::THREADS, WasmFeatures::MEMORY64, WasmFeatures::MULTI_MEMORY, WasmFeatures::GC]
        {
            assert!(!FEATURES.contains(off), "{off:?}");
        }
        assert!(FEATURES.contains(WasmFeatures::SIMD));
    }

    #[test]
    fn inner_components_may_pass_texts_to_each_other() {
        let memory = r#"(memory (export "memory") 1)
            (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 0))"#;
        let text = format!(
            r#"(component
                (component $callee
                    (core module $m {memory} (func (export "take") (param i32 i32)))
                    (core instance $i (instantiate $m))
                    (func (export "take") (param "text" string)
                        (canon lift (core func $i "take") (memory $i "memory") (realloc (func $i "realloc")))))
                (component $caller
                    (import "take" (func $take (param "text" string)))
                    (core module $libc {memory})
                    (core instance $libc (instantiate $libc))
                    (core func $take (canon lower (func $take) (memory $libc "memory")))
                    (core module $m (import "" "take" (func $take (param i32 i32)))
                        (func (export "run") (call $take (i32.const 0) (i32.const 4))))
                    (core instance $i (instantiate $m (with "" (instance (export "take" (func $take))))))
                    (func (export "run") (canon lift (core func $i "run"))))
                (instance $callee (instantiate $callee))
                (instance $caller (instantiate $caller (with "take" (func $callee "take"))))
                (export "run" (func $caller "run")))"#
        );
        let component = wat::parse_str(text).expect("well-formed");
        wasmparser::Validator::new_with_features(FEATURES).validate_all(&component).expect("admitted: each module has one memory");
        wasmtime::component::Component::new(&start().expect("starts"), component).expect("compiles");
    }

    #[test]
    fn the_engine_starts_and_its_digest_is_stable() {
        let (one, two) = (start().expect("starts"), start().expect("starts"));
        assert_eq!(compatibility_digest(&one), compatibility_digest(&two));
        assert_eq!(compatibility_digest(&one).len(), 64);
    }
}
