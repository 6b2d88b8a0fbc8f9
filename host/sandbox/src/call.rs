//! One call of a plugin: a fresh store and instance, every limit set, on a thread of its own, watched by a clock.
//!
//! This is the only place where a store is made. How a call ended is read from the types inside wasmtime's error, never from its text.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use wasmtime::{
    Engine, Store, StoreContextMut, Trap, UpdateDeadline, WasmBacktrace,
    component::{Linker, WasmStr},
};

use crate::{
    bindings::log::Level,
    engine::THREAD_STACK_BYTES,
    limits::{Budget, Limiter, MAX_LOG_MESSAGE_BYTES, MAX_LOG_MESSAGES, Refused, TRANSFER_BYTES},
};

/// Frames of a trap that are shown.
const SHOWN_FRAMES: usize = 3;

/// What a plugin sent through `log`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// How much it matters.
    pub level: Level,
    /// Foreign text, at most [`MAX_LOG_MESSAGE_BYTES`].
    pub text: String,
}

/// How a call ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// An illegal instruction, such as the one that follows a panic.
    Trapped {
        /// What happened.
        trap: Trap,
        /// Names of the innermost functions, as far as the component has them: foreign text.
        frames: Vec<String>,
    },
    /// The fuel is used up.
    OutOfFuel {
        /// The fuel that it had.
        fuel: u64,
    },
    /// A growth was refused.
    OutOfMemory(Refused),
    /// The answer, or a message, is no value of the contract: text that is not UTF-8, an address outside memory.
    Unreadable(String),
    /// It cannot be instantiated: too many memories, an export of another type.
    NotInstantiated(String),
    /// The watchdog ended it.
    TimedOut {
        /// The time that it had.
        limit: Duration,
    },
    /// The system gave no thread.
    NoThread(String),
}

/// A finished call, whichever way it ended.
#[derive(Debug)]
pub struct Finished<T> {
    /// The answer.
    pub answer: Result<T, CallError>,
    /// What the plugin said, oldest first, at most [`MAX_LOG_MESSAGES`].
    pub log: Vec<Message>,
    /// Fuel that it used: a diagnostic that changes with wasmtime's version, never evidence.
    pub fuel: u64,
    /// Linear memory at its largest, in bytes.
    pub memory: usize,
}

/// What a store carries for its one call.
#[derive(Debug)]
pub struct CallState {
    limiter: Limiter,
    log: Vec<Message>,
}

/// The imports of every plugin: `log`, and nothing else.
pub fn linker(engine: &Engine) -> wasmtime::Result<Linker<CallState>> {
    let mut linker = Linker::new(engine);
    linker.instance("code-polishy:plugin/log@1.1.0")?.func_wrap("write", write_log)?;
    Ok(linker)
}

/// `log.write`. The text stays in the guest's memory until it is known to be wanted, and reading it costs the guest fuel.
fn write_log(mut store: StoreContextMut<'_, CallState>, (level, text): (Level, WasmStr)) -> wasmtime::Result<()> {
    if store.data().log.len() >= MAX_LOG_MESSAGES {
        return Ok(());
    }
    let (kept, bytes) = {
        let text = text.to_str(&store)?;
        (cut(&text, MAX_LOG_MESSAGE_BYTES).to_owned(), text.len())
    };
    let fuel = store.get_fuel()?.saturating_sub(u64::try_from(bytes).unwrap_or(u64::MAX));
    store.set_fuel(fuel)?;
    store.data_mut().log.push(Message { level, text: kept });
    Ok(())
}

/// The longest prefix of whole characters within this many bytes.
pub fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Instantiates in a fresh store with this budget, and calls once.
pub fn run<I, T: Send>(
    engine: &Engine,
    budget: Budget,
    instantiate: impl FnOnce(&mut Store<CallState>) -> wasmtime::Result<I> + Send,
    call: impl FnOnce(&I, &mut Store<CallState>) -> wasmtime::Result<T> + Send,
) -> Finished<T> {
    let expired = Arc::new(AtomicBool::new(false));
    let (done, ended) = mpsc::channel::<()>();
    let watched = Arc::clone(&expired);
    thread::scope(|scope| {
        let body = move || {
            // Dropped on every way out, a panic included, which is what the watchdog waits for.
            let _done = done;
            in_store(fresh_store(engine, budget, watched), budget, instantiate, call)
        };
        let thread = match thread::Builder::new().name("plugin".to_owned()).stack_size(THREAD_STACK_BYTES).spawn_scoped(scope, body) {
            Ok(thread) => thread,
            Err(error) => return Finished { answer: Err(CallError::NoThread(error.to_string())), log: Vec::new(), fuel: 0, memory: 0 },
        };
        if let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(budget.wall_clock) {
            expired.store(true, Ordering::Release);
            engine.increment_epoch();
        }
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// A store with all of its limits: one without them would trap at once, or run without end.
fn fresh_store(engine: &Engine, budget: Budget, expired: Arc<AtomicBool>) -> Store<CallState> {
    let mut store = Store::new(engine, CallState { limiter: Limiter::new(budget.memory), log: Vec::new() });
    store.limiter(|state| &mut state.limiter);
    store.set_hostcall_fuel(TRANSFER_BYTES);
    store.set_fuel(budget.fuel).expect("the engine is configured to consume fuel");
    store.set_epoch_deadline(1);
    // The epoch belongs to the engine: another call's watchdog must not end this one.
    store.epoch_deadline_callback(move |_| {
        Ok(if expired.load(Ordering::Acquire) { UpdateDeadline::Interrupt } else { UpdateDeadline::Continue(1) })
    });
    store
}

fn in_store<I, T>(
    mut store: Store<CallState>,
    budget: Budget,
    instantiate: impl FnOnce(&mut Store<CallState>) -> wasmtime::Result<I>,
    call: impl FnOnce(&I, &mut Store<CallState>) -> wasmtime::Result<T>,
) -> Finished<T> {
    let answer = match instantiate(&mut store) {
        Ok(instance) => call(&instance, &mut store).map_err(|error| classify(&error, budget, CallError::Unreadable)),
        Err(error) => Err(classify(&error, budget, CallError::NotInstantiated)),
    };
    let fuel = budget.fuel.saturating_sub(store.get_fuel().expect("the engine is configured to consume fuel"));
    let state = store.into_data();
    Finished { answer, log: state.log, fuel, memory: state.limiter.peak() }
}

/// `otherwise` names an error that carries neither a trap nor a refused growth.
fn classify(error: &wasmtime::Error, budget: Budget, otherwise: fn(String) -> CallError) -> CallError {
    if let Some(refused) = error.downcast_ref::<Refused>() {
        return CallError::OutOfMemory(*refused);
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => CallError::OutOfFuel { fuel: budget.fuel },
        Some(Trap::Interrupt) => CallError::TimedOut { limit: budget.wall_clock },
        Some(trap) => CallError::Trapped { trap: *trap, frames: frames(error) },
        None => otherwise(error.root_cause().to_string()),
    }
}

fn frames(error: &wasmtime::Error) -> Vec<String> {
    let trace = error.downcast_ref::<WasmBacktrace>().map_or(&[][..], WasmBacktrace::frames);
    trace.iter().filter_map(|frame| frame.func_name()).take(SHOWN_FRAMES).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(cut("aé", 2), "a");
        assert_eq!(cut("aé", 3), "aé");
        assert_eq!(cut("", 3), "");
    }

    #[test]
    fn a_watchdog_ends_its_own_call_alone() {
        let engine = crate::engine::start().expect("starts");
        let module =
            wasmtime::Module::new(&engine, wat::parse_str("(module (func (export \"spin\") (loop (br 0))))").expect("well-formed"))
                .expect("compiles");
        let spin = |budget: Budget| {
            run(
                &engine,
                budget,
                |store| wasmtime::Instance::new(store, &module, &[]),
                |instance, store| instance.get_typed_func::<(), ()>(&mut *store, "spin")?.call(store, ()),
            )
        };
        let endless = Budget { fuel: u64::MAX, wall_clock: Duration::from_millis(50), ..Budget::default() };
        let bounded = Budget { fuel: 300_000_000, ..Budget::default() };
        thread::scope(|scope| {
            let other = scope.spawn(|| spin(bounded).answer);
            assert_eq!(spin(endless).answer, Err(CallError::TimedOut { limit: endless.wall_clock }));
            assert_eq!(other.join().expect("no panic"), Err(CallError::OutOfFuel { fuel: bounded.fuel }));
        });
    }
}
