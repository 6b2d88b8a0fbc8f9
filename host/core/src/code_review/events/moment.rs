//! Moments of RFC 3339 in UTC, which can be compared.

/// Seconds as they are written and the fraction in nanoseconds: in this order moments compare as times do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment {
    seconds: String,
    nanoseconds: u32,
}

impl Moment {
    /// Reads `YYYY-MM-DDTHH:MM:SS[.fraction]Z` with at most nine digits of fraction.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (seconds, fraction) = match text.strip_suffix('Z')?.split_once('.') {
            Some((seconds, fraction)) => (seconds, fraction),
            None => (text.strip_suffix('Z')?, "0"),
        };
        let digits = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|byte| byte.is_ascii_digit());
        let nanoseconds = format!("{fraction:0<9}").parse().ok().filter(|_| digits)?;
        is_second(seconds).then(|| Self { seconds: seconds.to_owned(), nanoseconds })
    }
}

fn is_second(text: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00";
    let same = |(byte, shape): (u8, u8)| if shape == b'0' { byte.is_ascii_digit() } else { byte == shape };
    let number = |range: std::ops::Range<usize>| text.get(range).and_then(|digits| digits.parse::<u32>().ok()).unwrap_or(u32::MAX);
    text.len() == SHAPE.len()
        && text.bytes().zip(SHAPE.iter().copied()).all(same)
        && (1..=12).contains(&number(5..7))
        && (1..=31).contains(&number(8..10))
        && number(11..13) < 24
        && number(14..16) < 60
        && number(17..19) <= 60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_compare_as_times_whatever_their_fraction() {
        let moments = ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.1Z", "2026-01-02T03:04:05.11Z", "2026-01-02T03:04:06Z"];
        assert!(moments.map(Moment::parse).is_sorted());
        assert_eq!(Moment::parse("2026-01-02T03:04:05Z"), Moment::parse("2026-01-02T03:04:05.000Z"));
    }

    #[test]
    fn other_spellings_are_no_moments() {
        for text in
            ["2026-01-02 03:04:05Z", "2026-01-02T03:04:05", "2026-13-02T03:04:05Z", "2026-01-02T03:04:05.Z", "2026-01-02T24:00:00Z", ""]
        {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
