//! The counts at the end of a run: `ℹ tests 9`, in TAP `# tests 9`.

use test_output::cases::Counts;

/// How many tests and suites did what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Tests that did what.
    pub tests: Counts,
    /// Tests and suites.
    pub all: usize,
}

impl Counters {
    /// The last ones that are printed; `None` when the run ended before it counted.
    pub fn read<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut found: Option<Self> = None;
        let mut whole = false;
        for line in lines {
            let Some(count) = line.strip_prefix("# ").or_else(|| line.strip_prefix("\u{2139} ")) else { continue };
            let Some((word, number)) = count.split_once(' ') else { continue };
            let Ok(number) = number.parse::<usize>() else { continue };
            if word == "tests" {
                (found, whole) = (Some(Self { all: number, ..Self::default() }), false);
            }
            let Some(Self { tests, all }) = &mut found else { continue };
            match word {
                "suites" => *all += number,
                "pass" => tests.passed = number,
                "fail" | "cancelled" => {
                    tests.failed += number;
                    whole = true;
                }
                "skipped" | "todo" => tests.skipped += number,
                _ => {}
            }
        }
        found.filter(|_| whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_counts_are_read_in_both_forms() {
        let tap =
            "# tests 1\n# pass 1\n# tests 10\n# suites 2\n# pass 5\n# fail 1\n# cancelled 1\n# skipped 2\n# todo 1\n# duration_ms 3.5\n";
        let expected = Counters { tests: Counts { passed: 5, failed: 2, skipped: 3 }, all: 12 };
        assert_eq!(Counters::read(tap.lines()), Some(expected));
        assert_eq!(Counters::read(tap.replace("# ", "\u{2139} ").lines()), Some(expected));
        for cut in ["# pass 1\n# tests x\n# fail 0\n", "# tests 1\n# pass 1\n", "# tests 1\n# fail 0\n# tests 1\n"] {
            assert_eq!(Counters::read(cut.lines()), None);
        }
    }
}
