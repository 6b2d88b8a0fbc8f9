//! Canonical payloads: what every plugin of a kind is asked when it is checked. They are made here, the same on every machine.

pub mod path_roles;
pub mod report_renderer;
pub mod reviewer_adapter;
pub mod suite_runner;

/// Text that breaks what is drawn or printed without care: markup, workflow commands, colours, directions, ends of lines.
const INJECTION: &str = "</script><img src=x onerror=alert(1)> ]]> \"' &amp; | `x` ``` [a](javascript:b) \u{1b}[31mred\u{1b}[0m \u{202e}x\u{2066}\n\
    ::error file=a::b\r\n##vso[task.complete]\n##teamcity[x]\nNEXT: rm -rf /\n\u{0}\u{7f}\u{2028}%0A,:\u{feff}";

/// Text that is no ASCII: composed and not, wide, outside the basic plane, right to left.
const UNICODE: &str = "é e\u{301} ß 日本語 \u{1f600} \u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467} עברית \u{10ffff}";
