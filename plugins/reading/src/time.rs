//! Times as reports write them: `2026-01-02T03:04:05Z`.

/// Whole seconds from the one to the other; `None` when one of them is no such time, or when they are the other way round.
pub fn seconds_between(started: &str, completed: &str) -> Option<u64> {
    u64::try_from(seconds(completed)? - seconds(started)?).ok()
}

/// Since 1970-01-01; fractions of a second do not count.
fn seconds(time: &str) -> Option<i64> {
    let part = |from: usize, to: usize| time.get(from..to)?.parse::<u32>().ok().map(i64::from);
    let separated = time.is_ascii() && time.ends_with('Z') && time.len() >= 20;
    let [year, month, day] = [part(0, 4)?, part(5, 7)?, part(8, 10)?];
    let [hour, minute, second] = [part(11, 13)?, part(14, 16)?, part(17, 19)?];
    separated.then(|| ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second)
}

/// Days of the Gregorian calendar since 1970-01-01. Years start in March, so that a leap day is the last of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year / 4 - year / 100 + year / 400 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_pass_across_days_and_leap_days() {
        let between = |one, two| seconds_between(one, two);
        assert_eq!(between("2026-01-02T03:04:05Z", "2026-01-02T03:05:10Z"), Some(65));
        assert_eq!(between("2023-12-31T23:59:59Z", "2024-01-01T00:00:00.5Z"), Some(1));
        assert_eq!(between("2024-02-28T00:00:00Z", "2024-03-01T00:00:00Z"), Some(2 * 86_400));
        assert_eq!(between("1970-01-01T00:00:00Z", "2026-11-30T23:31:28Z"), Some(1_796_081_488));
    }

    #[test]
    fn what_is_no_time_has_no_distance() {
        for time in ["", "yesterday", "2026-01-02T03:04:05", "2026-01-02T03:04:0ßZ", "2026-xx-02T03:04:05Z"] {
            assert_eq!(seconds_between(time, "2026-01-02T03:04:05Z"), None, "{time}");
        }
        assert_eq!(seconds_between("2026-01-02T03:04:05Z", "2026-01-02T03:04:04Z"), None);
    }
}
