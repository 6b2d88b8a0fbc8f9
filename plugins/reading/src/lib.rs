//! What the renderers of people's pages share. It is no plugin: each renderer takes the parts that it needs.

pub mod foreign;
pub mod handoff;
pub mod json;
pub mod markdown;
pub mod phases;
mod place;
pub mod report;
pub mod samples;
pub mod time;
mod value;
pub mod words;
