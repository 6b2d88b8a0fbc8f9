//! Signs of a state. Each has a shape of its own, and words stand beside it: no state is told by colour alone.

use maud::{Markup, html};
use reading::phases::Standing;
use reading::report::{Ending, Outcome};

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// A check mark in a circle.
    Pass,
    /// A cross in a square.
    Fail,
    /// A dash in a dashed circle.
    Wait,
    /// An exclamation mark in a triangle.
    Fault,
}

impl Icon {
    /// The class that gives its colour, and the end of its symbol's name.
    pub fn class(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Wait => "wait",
            Self::Fault => "fault",
        }
    }

    /// The sign in a line of text.
    pub fn draw(self) -> Markup {
        let class = self.class();
        html! { svg.icon.(class) aria-hidden="true" { use href={ "#i-" (class) } {} } }
    }

    /// The sign with its word.
    pub fn with(self, word: &str) -> Markup {
        html! { span.state.(self.class()) { (self.draw()) (word) } }
    }

    /// The sign in a picture, in a square of 20 units whose corner is here.
    pub fn at(self, x: &str, y: usize) -> Markup {
        let class = self.class();
        html! { svg.icon.(class) x=(x) y=(y) width="20" height="20" { use href={ "#i-" (class) } {} } }
    }
}

impl From<Outcome> for Icon {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Passed => Self::Pass,
            Outcome::Failed => Self::Fail,
            Outcome::NotStarted => Self::Wait,
        }
    }
}

impl From<Standing> for Icon {
    fn from(standing: Standing) -> Self {
        match standing {
            Standing::Passed => Self::Pass,
            Standing::Blocked => Self::Fail,
            Standing::NotStarted => Self::Wait,
        }
    }
}

impl From<Ending> for Icon {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Passed => Self::Pass,
            Ending::Failed => Self::Fail,
            Ending::Operational => Self::Fault,
            Ending::Unknown => Self::Wait,
        }
    }
}

/// What the signs of the page refer to, and what its own pictures do.
pub(crate) fn definitions(own: &Markup) -> Markup {
    html! {
        svg.definitions width="0" height="0" aria-hidden="true" {
            symbol id="i-pass" viewBox="0 0 20 20" {
                circle.solid cx="10" cy="10" r="9" {}
                path.mark d="M5.6 10.4l3 3 5.8-6.6" {}
            }
            symbol id="i-fail" viewBox="0 0 20 20" {
                rect.solid x="1.5" y="1.5" width="17" height="17" rx="3.5" {}
                path.mark d="M6.4 6.4l7.2 7.2m0-7.2l-7.2 7.2" {}
            }
            symbol id="i-wait" viewBox="0 0 20 20" {
                circle.open cx="10" cy="10" r="8" {}
                path.dash d="M6.5 10h7" {}
            }
            symbol id="i-fault" viewBox="0 0 20 20" {
                path.solid d="M10 1.5l9 16.5H1z" {}
                path.mark d="M10 7.4v5m0 2.6v.1" {}
            }
            (own)
        }
    }
}
