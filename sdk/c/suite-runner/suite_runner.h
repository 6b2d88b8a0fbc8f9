/* A suite runner: says how a test suite is run and what its output means. The host runs the process; a plugin never does. */
#ifndef CODE_POLISHY_SUITE_RUNNER_H
#define CODE_POLISHY_SUITE_RUNNER_H

#include "code_polishy.h"

/* What cp.h says about each field holds. */
typedef exports_suite_runner_suite_t cp_suite_t;
typedef exports_suite_runner_invocation_t cp_invocation_t;
typedef exports_suite_runner_execution_t cp_execution_t;
typedef exports_suite_runner_stream_t cp_stream_t;
typedef exports_suite_runner_collected_file_t cp_file_t;
typedef exports_suite_runner_verdict_t cp_verdict_t;
typedef exports_suite_runner_test_case_t cp_case_t;

/* How the process ended: `execution->exit.tag`; `exit.val.code` is its exit status. The host judges what did not end by itself. */
#define CP_EXIT_CODE EXPORTS_SUITE_RUNNER_EXIT_CODE

/* What a run means. */
#define CP_PASSED EXPORTS_SUITE_RUNNER_OUTCOME_PASSED
#define CP_FAILED EXPORTS_SUITE_RUNNER_OUTCOME_FAILED
#define CP_BROKEN EXPORTS_SUITE_RUNNER_OUTCOME_BROKEN
#define CP_NO_TESTS EXPORTS_SUITE_RUNNER_OUTCOME_NO_TESTS

/* What a test did. */
#define CP_CASE_PASSED EXPORTS_SUITE_RUNNER_CASE_OUTCOME_PASSED
#define CP_CASE_FAILED EXPORTS_SUITE_RUNNER_CASE_OUTCOME_FAILED
#define CP_CASE_SKIPPED EXPORTS_SUITE_RUNNER_CASE_OUTCOME_SKIPPED

/* --- What plugin.c defines. Answers come zeroed; false is a failure, filled by cp_fail. --- */

/* What to add to the suite's command. A plugin that has nothing to add leaves it out. */
bool plugin_plan(const cp_suite_t *suite, const cp_json_t *options, cp_invocation_t *invocation, cp_failure_t *failure);

/* What the run means. */
bool plugin_judge(const cp_suite_t *suite, const cp_execution_t *execution, const cp_json_t *options, cp_verdict_t *verdict,
                  cp_failure_t *failure);

/* --- Filling answers and reading runs. --- */

/* A word after the configured ones. */
void cp_add_argument(cp_invocation_t *invocation, const char *argument);

/* NO_COLOR, CARGO_TERM_COLOR, PYTHONUNBUFFERED or PYTHONDONTWRITEBYTECODE. */
void cp_set_variable(cp_invocation_t *invocation, const char *name, const char *value);

/* A file that the suite writes, relative to its folder, and how much of it is wanted: at most 8 MiB. */
void cp_collect(cp_invocation_t *invocation, const char *path, uint32_t max_bytes);

/* The file as collected; NULL when the suite did not write it. */
const cp_file_t *cp_find_file(const cp_execution_t *execution, const char *path);

/* The whole stream as one string; false when the host had to leave out its middle. */
bool cp_whole(const cp_stream_t *stream, cp_string_t *text);

/* Says that cases are known, though there may be none. Without it a verdict knows the exit status only. */
void cp_know_cases(cp_verdict_t *verdict);

/* Adds a case; the pointer is good until the next one is added. */
cp_case_t *cp_add_case(cp_verdict_t *verdict, cp_string_t name, uint8_t outcome);

/* Why it failed, at most 4 KiB. */
void cp_case_message(cp_case_t *test, cp_string_t message);

/* Where it is: relative to the repository's root, and from 1; 0 for no line. */
void cp_case_place(cp_case_t *test, cp_string_t path, uint32_t line);

#endif
