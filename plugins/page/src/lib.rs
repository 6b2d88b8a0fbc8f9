//! What renderers of HTML share: a self-contained page that loads nothing and runs no script. It is no plugin.
//!
//! Markup is made by templates, so foreign text is escaped where it stands, and [`shown`] makes it visible and bounded before.

mod frame;
pub mod icon;
mod section;
pub mod shown;

pub use frame::{Page, commit};
pub use icon::Icon;
pub use section::Section;
