//! What ran, how long, and what blocked: a picture of the phases, and the commands of each in a table.

use maud::{Markup, html};
use page::shown::{code, name, short};
use page::{Icon, Section};
use reading::phases::{Phase, Standing};
use reading::report::{Attempt, Command, Outcome, Report};
use reading::words::{count, duration, grouped, joined};

use crate::picture::{Share, figure};

/// Height of a phase in the picture.
const ROW: usize = 78;
/// Phases in the picture; there are six kinds.
const PHASES: usize = 12;
/// Characters of a phase's name in the picture.
const LABEL: usize = 28;
/// Commands that a bar shows one by one.
const PARTS: usize = 60;
/// Commands of a phase that the table names.
const SHOWN: usize = 200;

/// Absent when nothing was planned.
pub fn section(report: &Report) -> Option<Section> {
    let phases = Phase::of(report);
    if phases.is_empty() {
        return None;
    }
    let content = html! { (picture(&phases[..phases.len().min(PHASES)])) (table(&phases)) };
    Some(Section { id: "phases", title: "What ran", content })
}

fn picture(phases: &[Phase<'_>]) -> Markup {
    let longest = phases.iter().map(Phase::duration_ms).max().unwrap_or(0);
    let shapes = html! {
        @for (index, phase) in phases.iter().enumerate() {
            (link(phases, index))
            (row(phase, index * ROW, longest))
        }
    };
    let caption = html! {
        "A phase starts when everything before it has passed. The length of a bar is the time of its commands together"
        @if longest > 0 { ": the longest took " (duration(longest)) }
        "."
    };
    let told = joined(phases.iter().map(|phase| format!("{}: {}", name(&phase.title()), told(phase))), ". ");
    figure("phases-picture", "The gate’s phases, in order", &told, phases.len() * ROW, &shapes, &caption)
}

/// The line from a phase to the next; broken where nothing goes on.
fn link(phases: &[Phase<'_>], index: usize) -> Markup {
    let goes_on = phases[index].standing() == Standing::Passed;
    html! {
        @if index + 1 < phases.len() {
            line.link.broken[!goes_on] x1="-26" x2="-26" y1=(index * ROW + 28) y2=((index + 1) * ROW + 2) {}
        }
    }
}

fn row(phase: &Phase<'_>, top: usize, longest: u64) -> Markup {
    let standing = phase.standing();
    html! {
        (Icon::from(standing).at("-36", top + 5))
        text.strong x="0" y=(top + 20) { (short(&phase.title(), LABEL)) }
        text.soft x="0" y=(top + 62) { (told(phase)) }
        rect.track.broken[standing == Standing::NotStarted] x="0" y=(top + 32) width="100%" height="12" rx="6" {}
        (bar(phase, top + 32, longest))
    }
}

fn told(phase: &Phase<'_>) -> String {
    let (passed, all) = (phase.passed(), phase.commands.len());
    let many = if passed == all { grouped(all) } else { format!("{} of {}", grouped(passed), grouped(all)) };
    match phase.standing() {
        Standing::NotStarted => "not started".to_owned(),
        Standing::Passed if phase.commands.iter().all(|command| command.attempts.is_empty()) => format!("{many} passed · nothing ran"),
        Standing::Passed => format!("{many} passed · {}", duration(phase.duration_ms())),
        Standing::Blocked => format!("blocked · {many} passed · {}", duration(phase.duration_ms())),
    }
}

/// A part for each command, or one for all that passed and one for all that failed when there are too many.
fn bar(phase: &Phase<'_>, top: usize, longest: u64) -> Markup {
    let times = |outcome: Outcome| phase.commands.iter().filter(move |command| command.status == outcome).map(Command::duration_ms);
    let parts: Vec<(Outcome, u64)> = if phase.commands.len() <= PARTS {
        phase
            .commands
            .iter()
            .filter(|command| !command.attempts.is_empty())
            .map(|command| (command.status, command.duration_ms()))
            .collect()
    } else {
        let all = [Outcome::Passed, Outcome::Failed].map(|outcome| (outcome, times(outcome).fold(0, u64::saturating_add)));
        all.into_iter().filter(|(_, time)| *time > 0).collect()
    };
    let mut left = Share::of(0, 1);
    html! {
        @for (outcome, time) in parts {
            @let width = Share::of(time, longest).at_least(60);
            rect.part.(Icon::from(outcome).class()) x=(left.percent()) y=(top) width=(width.percent()) height="12" rx="2" {}
            @let () = left = left.and(&width);
        }
    }
}

fn table(phases: &[Phase<'_>]) -> Markup {
    html! {
        div.card {
            table {
                caption { "Commands by phase" }
                thead { tr { th scope="col" { "Command" } th scope="col" { "Outcome" } th.number scope="col" { "Time" } } }
                @for phase in phases { (group(phase)) }
            }
        }
    }
}

fn group(phase: &Phase<'_>) -> Markup {
    html! {
        tbody {
            tr.group {
                th scope="rowgroup" { (Icon::from(phase.standing()).draw()) (name(&phase.title())) }
                td colspan="2" { (told(phase)) }
            }
            @let named = named(phase.commands);
            @for command in &named { (command_row(command)) }
            @if named.len() < phase.commands.len() {
                tr { td.limit colspan="3" { (count(phase.commands.len() - named.len(), "more command")) " passed or did not start; " code { "report.json" } " has them all." } }
            }
        }
    }
}

/// In plan order; when they are too many, those that failed come before others.
fn named(commands: &[Command]) -> Vec<&Command> {
    let failed = commands.iter().filter(|command| command.status == Outcome::Failed).count();
    let room = SHOWN.saturating_sub(failed);
    let mut others = 0;
    let mut keeps = |command: &&Command| {
        others += usize::from(command.status != Outcome::Failed);
        command.status == Outcome::Failed || others <= room
    };
    commands.iter().filter(|command| keeps(command)).take(SHOWN).collect()
}

fn command_row(command: &Command) -> Markup {
    let last = command.attempts.last();
    html! {
        tr {
            th scope="row" { (code(&command.name)) (attempts(command)) }
            td {
                (Icon::from(command.status).with(outcome_word(command.status)))
                @if let Some(why) = last.and_then(Attempt::why) { span.facts { (name(&why)) } }
                @if let Some(source) = &command.reused_from { span.facts { "reused from " (code(source)) } }
                @if let Some(cases) = last.and_then(|attempt| attempt.cases) { span.facts { (cases.told()) } }
            }
            td.number { @if last.is_some() { (duration(command.duration_ms())) } @else { "–" } }
        }
    }
}

fn attempts(command: &Command) -> Markup {
    let many = command.attempts.len();
    html! {
        @if many > 0 {
            details.facts {
                summary { @if many == 1 { "Log" } @else { "Logs of " (count(many, "attempt")) } span.aside { " of " (name(&command.name)) } }
                ul.plain { @for attempt in command.attempts.iter().take(SHOWN) { li { (attempt_line(attempt, many)) } } }
            }
        }
    }
}

fn attempt_line(attempt: &Attempt, many: usize) -> Markup {
    html! {
        @if many > 1 { "Attempt " (attempt.number) " " (outcome_word(attempt.status)) ", " (duration(attempt.duration_ms)) ": " }
        (code(&attempt.log_path))
        @if let Some(status) = attempt.exit_status { ", exit status " (status) }
        @if attempt.resource_wait_ms > 0 { ", after " (duration(attempt.resource_wait_ms)) " of waiting for a resource" }
        @if attempt.truncated { ", shortened" }
    }
}

fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::NotStarted => "not started",
    }
}
