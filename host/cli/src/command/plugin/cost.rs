//! What calls cost: fuel and memory decide, with their share of the limit; time is for the reader alone.

use std::time::Duration;

use code_polishy_sandbox::check::{Figures, Probe};
use serde_json::{Value, json};

use crate::view::{
    lines::{BAD, GOOD, paint, size},
    table::table as in_columns,
};

/// One row a call.
pub fn table(probes: &[Probe]) -> Vec<String> {
    let rows: Vec<[String; 7]> = probes.iter().map(row).collect();
    let lines = in_columns(["", "CALL", "FUEL", "OF LIMIT", "MEMORY", "OF LIMIT", "TIME"], &rows);
    let verdict = |probe: &Probe| if probe.passed() { (GOOD, "PASS") } else { (BAD, "FAIL") };
    let painted = lines.iter().skip(1).zip(probes).map(|(line, probe)| {
        let (style, word) = verdict(probe);
        line.replacen(word, &paint(style, word), 1)
    });
    lines.iter().take(1).cloned().chain(painted).collect()
}

fn row(probe: &Probe) -> [String; 7] {
    let Figures { fuel, fuel_limit, memory, memory_limit } = probe.figures;
    let verdict = if probe.passed() { "PASS" } else { "FAIL" };
    [
        verdict.to_owned(),
        probe.call.clone(),
        units(fuel),
        share(fuel, fuel_limit),
        size(memory),
        share(memory as u64, memory_limit as u64),
        milliseconds(probe.elapsed),
    ]
}

/// A call as a program reads it.
pub fn document(probe: &Probe) -> Value {
    let fault = probe.fault.as_ref().map(|fault| json!({"code": fault.kind.code(), "message": fault.message, "next": fault.next}));
    let mut document = json!({"call": probe.call, "passed": probe.passed(), "repeats": probe.repeats, "fault": fault});
    figures(&mut document, probe.figures, probe.elapsed);
    document
}

/// Adds what a call used. `time_us` is a diagnostic: it differs from run to run.
pub fn figures(document: &mut Value, figures: Figures, elapsed: Duration) {
    document["fuel"] = figures.fuel.into();
    document["fuel_limit"] = figures.fuel_limit.into();
    document["memory"] = figures.memory.into();
    document["memory_limit"] = figures.memory_limit.into();
    document["time_us"] = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX).into();
}

/// The same in one line.
pub fn line(figures: Figures, elapsed: Duration) -> String {
    let Figures { fuel, fuel_limit, memory, memory_limit } = figures;
    format!(
        "fuel {} ({} of the limit), memory {} ({}), {}",
        units(fuel),
        share(fuel, fuel_limit),
        size(memory),
        share(memory as u64, memory_limit as u64),
        milliseconds(elapsed)
    )
}

/// Three digits are enough to compare.
fn units(fuel: u64) -> String {
    match fuel {
        0..10_000 => fuel.to_string(),
        10_000..10_000_000 => format!("{} K", fuel / 1000),
        _ => format!("{} M", fuel / 1_000_000),
    }
}

/// Rounded up, so that nothing that was used reads as nothing.
fn share(used: u64, limit: u64) -> String {
    format!("{} %", (u128::from(used) * 100).div_ceil(u128::from(limit.max(1))))
}

fn milliseconds(elapsed: Duration) -> String {
    format!("{:.1} ms", elapsed.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_the_digits_that_matter() {
        assert_eq!([units(9999), units(12_345), units(2_000_000_000)], ["9999", "12 K", "2000 M"]);
        assert_eq!([share(0, 100), share(1, 1000), share(100, 100)], ["0 %", "1 %", "100 %"]);
    }
}
