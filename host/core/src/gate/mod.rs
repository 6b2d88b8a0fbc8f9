//! Gates: how much runs, in which order, what a run is identified by, and what its report says (contract 8.2, 9).

pub mod identity;
pub mod level;
pub mod plan;
pub mod report;
pub mod state;
