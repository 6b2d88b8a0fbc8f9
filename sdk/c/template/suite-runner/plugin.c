/* A runner for programs that print one line a test: `ok NAME` or `not ok NAME`. */
#include "code_polishy/suite_runner.h"

CP_NO_OPTIONS

/* Asks the program for plain text. */
bool plugin_plan(const cp_suite_t *suite, const cp_json_t *options, cp_invocation_t *invocation, cp_failure_t *failure) {
    cp_set_variable(invocation, "NO_COLOR", "1");
    return true;
}

/* The test that a line tells of; false when it tells of none. */
static bool read_line(cp_string_t line, cp_string_t *name, bool *failed) {
    *failed = cp_starts_with(line, "not ok ");
    if (!*failed && !cp_starts_with(line, "ok "))
        return false;
    size_t start = *failed ? sizeof "not ok " - 1 : sizeof "ok " - 1;
    *name = cp_line((cp_string_t){line.ptr + start, line.len - start});
    return name->len > 0 && name->len <= 4096;
}

static size_t count_failed(cp_string_t output, cp_verdict_t *verdict) {
    size_t failures = 0;
    cp_string_t line, name;
    bool failed;
    while (cp_next_line(&output, &line)) {
        if (!read_line(line, &name, &failed))
            continue;
        cp_add_case(verdict, name, failed ? CP_CASE_FAILED : CP_CASE_PASSED);
        failures += failed;
    }
    return failures;
}

bool plugin_judge(const cp_suite_t *suite, const cp_execution_t *execution, const cp_json_t *options, cp_verdict_t *verdict,
                  cp_failure_t *failure) {
    size_t failures = 0;
    cp_string_t output;
    /* Output that was cut is not the whole truth: count on the exit status alone. */
    if (cp_whole(&execution->output, &output)) {
        cp_know_cases(verdict);
        failures = count_failed(output, verdict);
        verdict->summary = cp_format("%zu tests, %zu failed", verdict->cases.val.len, failures);
    } else {
        verdict->summary = cp_text("an unknown number of tests, 0 failed");
    }
    bool is_clean = execution->exit.tag == CP_EXIT_CODE && execution->exit.val.code == 0;
    /* When it ended badly and no test says why, it did not get to its end. */
    verdict->outcome = failures > 0 ? CP_FAILED : is_clean ? CP_PASSED : CP_BROKEN;
    return true;
}
