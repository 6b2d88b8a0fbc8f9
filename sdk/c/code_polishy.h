/* What plugins of every kind use: text, failures, options, messages.
 *
 * Every call of a plugin has a memory of its own, which is thrown away afterwards: nothing that is allocated here has to be freed, and no
 * variable keeps its value from call to call. What a plugin returns has to be allocated, which the functions below do; never put the address
 * of a literal or of a local array into an answer.
 */
#ifndef CODE_POLISHY_H
#define CODE_POLISHY_H

#include "cp.h"
#include "json.h"

/* A request that the plugin understood and cannot fulfil. Filled by cp_fail. */
typedef cp_types_failure_t cp_failure_t;

/* --- What the plugin says about its options. Exactly one of the two stands in plugin.c; the rest of the description is in plugin.json. --- */

/* Every option is refused. */
#define CP_NO_OPTIONS                                                                                                                    \
    const char *const cp_options_schema = "{\"type\":\"object\",\"additionalProperties\":false}";                                        \
    const char *const cp_option_names[] = {NULL};

/* `schema` is the JSON Schema text of the options object, at most 64 KiB; the names of its keys follow, and any other key is refused. */
#define CP_OPTIONS(schema, ...)                                                                                                          \
    const char *const cp_options_schema = (schema);                                                                                      \
    const char *const cp_option_names[] = {__VA_ARGS__, NULL};

extern const char *const cp_options_schema;
extern const char *const cp_option_names[];

/* --- Text. Strings of the contract have a length and no final NUL. --- */

/* Zeroed memory. When there is none left, the call ends with a message. */
void *cp_allocate(size_t size);

/* A copy. Bytes that are no UTF-8 become U+FFFD, because the contract's strings are UTF-8. */
cp_string_t cp_text(const char *text);
cp_string_t cp_text_of(const void *bytes, size_t length);

/* As by printf. Use `%.*s` with CP_SHOW(string) for strings of the contract. */
cp_string_t cp_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define CP_SHOW(string) (int)(string).len, (const char *)(string).ptr

/* A copy on one line: control characters become spaces. Output and reports quote what others wrote. */
cp_string_t cp_line(cp_string_t foreign);

bool cp_equals(cp_string_t string, const char *text);
bool cp_starts_with(cp_string_t string, const char *start);

/* The same bytes as a string, without a copy: for reading output, which may be in any encoding. */
cp_string_t cp_bytes(cp_list_u8_t bytes);

/* Takes the first line off `rest`, without its `\n` or `\r\n`; false when nothing is left. */
bool cp_next_line(cp_string_t *rest, cp_string_t *line);

/* Text that grows: `cp_buffer_t page = {0};` is empty, and `page.text` is what has been appended. */
typedef struct {
    cp_string_t text;
    size_t room;
} cp_buffer_t;

void cp_append(cp_buffer_t *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- Failures. --- */

/* Always false, so that a plugin can `return cp_fail(failure, "no-report", "run it with --report", "`%.*s` wrote no report", ...)`.
 * `code` is lower-case words separated by `-`, at most 80 characters; `hint` is what the user does next, and may be empty. */
bool cp_fail(cp_failure_t *failure, const char *code, const char *hint, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* --- Messages to the user: diagnostics, part of no answer. printf and fprintf(stderr, ...) end up here too, as info and as warnings. --- */

void cp_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cp_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cp_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cp_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the call: the user sees the message. assert and abort do the same. */
_Noreturn void cp_panic(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- What the kinds' own files use. --- */

/* Reads the options of a call: `bad-options` for anything but one object with known keys. */
bool cp_read_options(cp_string_t text, const cp_json_t **options, cp_failure_t *failure);

/* Adds an element of `size` bytes to a list that only this function has added to, and returns it, zeroed. */
void *cp_grow(void **elements, size_t *length, size_t size);

#endif
