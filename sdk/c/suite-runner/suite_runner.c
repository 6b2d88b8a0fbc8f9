#include "suite_runner.h"

#include <string.h>

__attribute__((weak)) bool plugin_plan(const cp_suite_t *suite, const cp_json_t *options, cp_invocation_t *invocation,
                                       cp_failure_t *failure) {
    (void)suite, (void)options, (void)invocation, (void)failure;
    return true;
}

bool exports_suite_runner_plan(cp_suite_t *suite, cp_invocation_t *invocation, cp_failure_t *failure) {
    const cp_json_t *options;
    *invocation = (cp_invocation_t){0};
    return cp_read_options(suite->options, &options, failure) && plugin_plan(suite, options, invocation, failure);
}

bool exports_suite_runner_judge(cp_suite_t *suite, cp_execution_t *execution, cp_verdict_t *verdict, cp_failure_t *failure) {
    const cp_json_t *options;
    *verdict = (cp_verdict_t){0};
    return cp_read_options(suite->options, &options, failure) && plugin_judge(suite, execution, options, verdict, failure);
}

void cp_add_argument(cp_invocation_t *invocation, const char *argument) {
    cp_string_t *added = cp_grow((void **)&invocation->arguments.ptr, &invocation->arguments.len, sizeof *added);
    *added = cp_text(argument);
}

void cp_set_variable(cp_invocation_t *invocation, const char *name, const char *value) {
    exports_suite_runner_variable_t *added = cp_grow((void **)&invocation->variables.ptr, &invocation->variables.len, sizeof *added);
    *added = (exports_suite_runner_variable_t){cp_text(name), cp_text(value)};
}

void cp_collect(cp_invocation_t *invocation, const char *path, uint32_t max_bytes) {
    exports_suite_runner_report_file_t *added = cp_grow((void **)&invocation->reports.ptr, &invocation->reports.len, sizeof *added);
    *added = (exports_suite_runner_report_file_t){cp_text(path), max_bytes};
}

const cp_file_t *cp_find_file(const cp_execution_t *execution, const char *path) {
    for (size_t file = 0; file < execution->files.len; file++)
        if (cp_equals(execution->files.ptr[file].path, path))
            return &execution->files.ptr[file];
    return NULL;
}

bool cp_whole(const cp_stream_t *stream, cp_string_t *text) {
    size_t kept = stream->head.len + stream->tail.len;
    if (kept != stream->total)
        return false;
    *text = (cp_string_t){cp_allocate(kept), kept};
    memcpy(text->ptr, stream->head.ptr, stream->head.len);
    memcpy(text->ptr + stream->head.len, stream->tail.ptr, stream->tail.len);
    return true;
}

void cp_know_cases(cp_verdict_t *verdict) { verdict->cases.is_some = true; }

cp_case_t *cp_add_case(cp_verdict_t *verdict, cp_string_t name, uint8_t outcome) {
    cp_know_cases(verdict);
    cp_case_t *added = cp_grow((void **)&verdict->cases.val.ptr, &verdict->cases.val.len, sizeof *added);
    added->name = cp_text_of(name.ptr, name.len);
    added->outcome = outcome;
    return added;
}

void cp_case_message(cp_case_t *test, cp_string_t message) {
    test->message.is_some = true;
    test->message.val = cp_text_of(message.ptr, message.len);
}

void cp_case_place(cp_case_t *test, cp_string_t path, uint32_t line) {
    test->path.is_some = true;
    test->path.val = cp_text_of(path.ptr, path.len);
    test->line.is_some = line > 0;
    test->line.val = line;
}
