//! What one call of a plugin may use, and the limiter that says which wish was refused.

use std::{fmt, time::Duration};

use wasmtime::ResourceLimiter;

/// Fuel of a call, about two seconds of work, before the share for its input.
pub const DEFAULT_FUEL: u64 = 2_000_000_000;

/// Fuel added for each byte that the host hands in, so that a large but honest input is not refused.
pub const FUEL_PER_INPUT_BYTE: u64 = 100;

/// Memory of a call in MiB, before the share for its input.
pub const DEFAULT_MEMORY_MIB: u32 = 64;

/// Memory added for each byte that the host hands in: the bytes themselves and the allocator's loss.
pub const MEMORY_PER_INPUT_BYTE: usize = 2;

/// Largest linear memory in bytes, whatever a pin or an input asks for: the 32-bit address space less one page.
pub const MAX_MEMORY_BYTES: usize = (1 << 32) - (1 << 16);

/// A component above this many bytes is reported.
pub const WARN_COMPONENT_BYTES: usize = 100 << 10;

/// A component above this many MiB is refused unless its pin says otherwise.
pub const DEFAULT_COMPONENT_MIB: u32 = 1;

/// Functions of a component, in all of its modules. Python's runtime has a quarter of it.
pub const MAX_FUNCTIONS: usize = 100_000;

/// Instantiations of components inside a component. Each may contain several of the next, so that there are at most 3^11 when it runs;
/// componentize-qjs writes 22 for the stubs of a system.
pub const MAX_COMPONENT_INSTANTIATIONS: usize = 32;

/// Blocks inside blocks of one function. The compiler needs the square of their number; a large `match` has hundreds.
pub const MAX_NESTED_BLOCKS: usize = 10_000;

/// Loops inside loops of one function. The compiler needs the cube of their number; people write three.
pub const MAX_NESTED_LOOPS: usize = 100;

/// Wall-clock limit of a compilation. It ends the command and is never a result. Python's runtime needs a minute of a build without optimisation.
pub const COMPILE_CLOCK: Duration = Duration::from_secs(300);

/// Bytes that one transfer from guest to host may copy. Honest answers that are too large stay below it and are named by the checks after lifting;
/// only an answer that refers to the same bytes many times reaches it.
pub const TRANSFER_BYTES: usize = 64 << 20;

/// Wall-clock limit of a call. It ends the command and is never a result.
pub const WALL_CLOCK: Duration = Duration::from_secs(120);

/// Messages of a call that are kept.
pub const MAX_LOG_MESSAGES: usize = 256;

/// Bytes of a message that are kept.
pub const MAX_LOG_MESSAGE_BYTES: usize = 16 << 10;

/// Elements of one table; a guest's indirect functions.
const MAX_TABLE_ELEMENTS: usize = 100_000;

/// Tables of a component.
const MAX_TABLES: usize = 16;

/// Core instances of a component; Python's runtime brings one for each of its libraries.
const MAX_INSTANCES: usize = 64;

/// Linear memories of a component: its own, and those of the stubs that answer a language runtime's system calls.
const MAX_MEMORIES: usize = 4;

/// What the calls of one plugin may use, without the share for their input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Fuel of one call.
    pub fuel: u64,
    /// Linear memory in bytes, all memories together.
    pub memory: usize,
    /// Wall-clock limit of one call.
    pub wall_clock: Duration,
}

impl Budget {
    /// The budget of a pin; absent values are the defaults.
    pub fn of_pin(fuel: Option<u64>, memory_mib: Option<u32>) -> Self {
        let mib = usize::try_from(memory_mib.unwrap_or(DEFAULT_MEMORY_MIB)).unwrap_or(usize::MAX);
        Self { fuel: fuel.unwrap_or(DEFAULT_FUEL), memory: mib.saturating_mul(1 << 20).min(MAX_MEMORY_BYTES), wall_clock: wall_clock() }
    }

    /// The same, with the share for this many bytes of input.
    #[must_use]
    pub fn with_input(self, bytes: usize) -> Self {
        let fuel = FUEL_PER_INPUT_BYTE.saturating_mul(u64::try_from(bytes).unwrap_or(u64::MAX));
        Self {
            fuel: self.fuel.saturating_add(fuel),
            memory: self.memory.saturating_add(bytes.saturating_mul(MEMORY_PER_INPUT_BYTE)).min(MAX_MEMORY_BYTES),
            ..self
        }
    }
}

#[cfg(not(debug_assertions))]
fn wall_clock() -> Duration {
    WALL_CLOCK
}

/// A test need not wait: `CODE_POLISHY_WALL_CLOCK_MS`, which release builds do not know.
#[cfg(debug_assertions)]
fn wall_clock() -> Duration {
    let chosen = std::env::var("CODE_POLISHY_WALL_CLOCK_MS").ok().and_then(|text| text.parse().ok());
    chosen.map_or(WALL_CLOCK, Duration::from_millis)
}

impl Default for Budget {
    fn default() -> Self {
        Self::of_pin(None, None)
    }
}

/// A growth that the limiter refused. It travels inside wasmtime's error and is found again by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Linear memory.
    Memory {
        /// Bytes that the guest wanted in all.
        wanted: usize,
        /// Bytes that it may have.
        limit: usize,
    },
    /// A table.
    Table {
        /// Elements that the guest wanted in all.
        wanted: usize,
    },
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { wanted, limit } => {
                write!(formatter, "it asked for {} MiB of memory and may have {} MiB", wanted.div_ceil(1 << 20), limit >> 20)
            }
            Self::Table { wanted } => write!(formatter, "it asked for a table of {wanted} elements and may have {MAX_TABLE_ELEMENTS}"),
        }
    }
}

impl std::error::Error for Refused {}

/// Refuses growth with a typed error, which ends the call at once: a guest that could go on would choose its own way to fail.
#[derive(Debug)]
pub struct Limiter {
    limit: usize,
    /// Memory never shrinks, so this is the peak too.
    used: usize,
}

impl Limiter {
    /// A limiter for this many bytes of linear memory, all memories together.
    pub fn new(limit: usize) -> Self {
        Self { limit, used: 0 }
    }

    /// Linear memory so far, in bytes.
    pub fn peak(&self) -> usize {
        self.used
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        let others = self.used.saturating_sub(current);
        let limit = self.limit.min(maximum.map_or(usize::MAX, |own| others.saturating_add(own)));
        let wanted = others.saturating_add(desired);
        if wanted > limit {
            return Err(Refused::Memory { wanted, limit }.into());
        }
        self.used = wanted;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        Err(error)
    }

    fn table_growing(&mut self, _current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        if desired > MAX_TABLE_ELEMENTS.min(maximum.unwrap_or(usize::MAX)) {
            return Err(Refused::Table { wanted: desired }.into());
        }
        Ok(true)
    }

    fn table_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        Err(error)
    }

    fn instances(&self) -> usize {
        MAX_INSTANCES
    }

    fn tables(&self) -> usize {
        MAX_TABLES
    }

    fn memories(&self) -> usize {
        MAX_MEMORIES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_grows_with_its_input_and_stays_addressable() {
        let budget = Budget::default().with_input(1000);
        assert_eq!(budget.fuel, DEFAULT_FUEL + 100_000);
        assert_eq!(budget.memory, (64 << 20) + 2000);
        assert_eq!(Budget::of_pin(None, Some(u32::MAX)).with_input(usize::MAX).memory, MAX_MEMORY_BYTES);
    }

    #[test]
    fn refused_growth_is_found_by_type() {
        let mut limiter = Limiter::new(1 << 20);
        assert!(limiter.memory_growing(0, 1 << 20, None).expect("fits"));
        let error = limiter.memory_growing(1 << 20, 2 << 20, None).expect_err("too much");
        assert_eq!(error.downcast_ref(), Some(&Refused::Memory { wanted: 2 << 20, limit: 1 << 20 }));
        assert_eq!(limiter.peak(), 1 << 20);
    }

    #[test]
    fn memories_share_one_limit() {
        let mut limiter = Limiter::new(3 << 20);
        assert!(limiter.memory_growing(0, 1 << 20, None).expect("the first fits"));
        assert!(limiter.memory_growing(0, 1 << 20, None).expect("the second fits beside it"));
        assert!(limiter.memory_growing(1 << 20, 2 << 20, None).expect("either may have the rest"));
        let error = limiter.memory_growing(1 << 20, 2 << 20, None).expect_err("nothing is left");
        assert_eq!(error.downcast_ref(), Some(&Refused::Memory { wanted: 4 << 20, limit: 3 << 20 }));
        assert_eq!(limiter.peak(), 3 << 20);
    }
}
