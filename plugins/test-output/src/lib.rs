//! What suite runners share. It is no plugin: each runner reads its tool's output and takes the parts that it needs from here.

pub mod cases;
pub mod place;
pub mod tap;
pub mod text;
pub mod verdict;
pub mod yaml;
