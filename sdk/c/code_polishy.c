#include "code_polishy.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The builder names what plugin.json says; an editor that reads this file alone does not. */
#ifndef CODE_POLISHY_NAME
#define CODE_POLISHY_NAME "plugin"
#define CODE_POLISHY_VERSION "0.0.0"
#define CODE_POLISHY_SUMMARY "A plugin"
#endif

void exports_cp_describe(cp_description_t *description) {
    description->name = cp_text(CODE_POLISHY_NAME);
    description->version = cp_text(CODE_POLISHY_VERSION);
    description->summary = cp_text(CODE_POLISHY_SUMMARY);
    description->options_schema = cp_text(cp_options_schema);
}

/* The bindings ask for an object with the contract's types; the builder puts those into the module afterwards. */
void __component_type_object_force_link_cp(void) {}

/* --- Text --- */

void *cp_allocate(size_t size) {
    void *memory = calloc(1, size ? size : 1);
    if (!memory)
        cp_panic("no memory left for %zu bytes", size);
    return memory;
}

/* Bytes of the UTF-8 character at `text`; 0 when there is none. */
static size_t character(const unsigned char *text, size_t length) {
    static const struct {
        unsigned char first, last, low, high;
        size_t size;
    } forms[] = {
        {0x00, 0x7f, 0x80, 0xbf, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t form = 0; form < sizeof forms / sizeof *forms; form++) {
        if (text[0] < forms[form].first || text[0] > forms[form].last)
            continue;
        if (forms[form].size > length || (forms[form].size > 1 && (text[1] < forms[form].low || text[1] > forms[form].high)))
            return 0;
        for (size_t next = 2; next < forms[form].size; next++)
            if ((text[next] & 0xc0) != 0x80)
                return 0;
        return forms[form].size;
    }
    return 0;
}

cp_string_t cp_text_of(const void *bytes, size_t length) {
    static const unsigned char replacement[] = {0xef, 0xbf, 0xbd};
    const unsigned char *text = bytes;
    size_t faults = 0;
    for (size_t at = 0, size; at < length; at += size ? size : 1)
        faults += !(size = character(text + at, length - at));
    cp_string_t copy = {cp_allocate(length + faults * (sizeof replacement - 1)), 0};
    for (size_t at = 0; at < length;) {
        size_t size = character(text + at, length - at);
        memcpy(copy.ptr + copy.len, size ? text + at : replacement, size ? size : sizeof replacement);
        copy.len += size ? size : sizeof replacement;
        at += size ? size : 1;
    }
    return copy;
}

cp_string_t cp_text(const char *text) { return cp_text_of(text, strlen(text)); }

static cp_string_t formatted(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0)
        cp_panic("a text cannot be formatted");
    char *text = cp_allocate((size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return cp_text_of(text, (size_t)length);
}

cp_string_t cp_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cp_string_t text = formatted(format, arguments);
    va_end(arguments);
    return text;
}

/* The allocation with room for `size` bytes. */
static void *resized(void *memory, size_t size) {
    void *room = realloc(memory, size);
    if (!room)
        cp_panic("no memory left for %zu bytes", size);
    return room;
}

void cp_append(cp_buffer_t *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cp_string_t more = formatted(format, arguments);
    va_end(arguments);
    cp_string_t *text = &buffer->text;
    if (buffer->room - text->len < more.len) {
        buffer->room = (text->len + more.len) * 2;
        text->ptr = resized(text->ptr, buffer->room);
    }
    memcpy(text->ptr + text->len, more.ptr, more.len);
    text->len += more.len;
    free(more.ptr);
}

cp_string_t cp_line(cp_string_t foreign) {
    cp_string_t line = cp_text_of(foreign.ptr, foreign.len);
    for (size_t at = 0; at < line.len; at++) {
        /* U+0080 to U+009F have two bytes. */
        bool is_high = line.ptr[at] == 0xc2 && line.ptr[at + 1] < 0xa0;
        if (is_high)
            line.ptr[at + 1] = ' ';
        if (is_high || line.ptr[at] < ' ' || line.ptr[at] == 0x7f)
            line.ptr[at] = ' ';
    }
    return line;
}

bool cp_equals(cp_string_t string, const char *text) {
    return string.len == strlen(text) && memcmp(string.ptr, text, string.len) == 0;
}

bool cp_starts_with(cp_string_t string, const char *start) {
    size_t length = strlen(start);
    return string.len >= length && memcmp(string.ptr, start, length) == 0;
}

cp_string_t cp_bytes(cp_list_u8_t bytes) { return (cp_string_t){bytes.ptr, bytes.len}; }

bool cp_next_line(cp_string_t *rest, cp_string_t *line) {
    if (rest->len == 0)
        return false;
    const uint8_t *end = memchr(rest->ptr, '\n', rest->len);
    *line = (cp_string_t){rest->ptr, end ? (size_t)(end - rest->ptr) : rest->len};
    size_t taken = line->len + (end != NULL);
    *rest = (cp_string_t){rest->ptr + taken, rest->len - taken};
    if (end && line->len > 0 && line->ptr[line->len - 1] == '\r')
        line->len--;
    return true;
}

void *cp_grow(void **elements, size_t *length, size_t size) {
    /* Room for the next power of two: the length tells how much there is. */
    if ((*length & (*length - 1)) == 0)
        *elements = resized(*elements, (*length ? *length * 2 : 1) * size);
    void *added = (char *)*elements + (*length)++ * size;
    return memset(added, 0, size);
}

/* --- Failures and options --- */

bool cp_fail(cp_failure_t *failure, const char *code, const char *hint, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    *failure = (cp_failure_t){cp_text(code), formatted(format, arguments), cp_text(hint)};
    va_end(arguments);
    return false;
}

static bool is_known(cp_string_t name) {
    for (const char *const *known = cp_option_names; *known; known++)
        if (cp_equals(name, *known))
            return true;
    return false;
}

bool cp_read_options(cp_string_t text, const cp_json_t **options, cp_failure_t *failure) {
    static const char hint[] = "correct the plugin's options in the policy";
    const char *fault = NULL;
    const cp_json_t *read = cp_json_read(text, &fault);
    if (!read)
        return cp_fail(failure, "bad-options", hint, "%s", fault);
    if (read->type != CP_JSON_OBJECT)
        return cp_fail(failure, "bad-options", hint, "the options are not one JSON object");
    for (size_t member = 0; member < read->length; member++)
        if (!is_known(read->items[member].name))
            return cp_fail(failure, "bad-options", hint, "unknown option `%.*s`", CP_SHOW(read->items[member].name));
    *options = read;
    return true;
}

/* --- Messages --- */

#define MESSAGE(name, level)                                                                                                             \
    void name(const char *format, ...) {                                                                                                 \
        va_list arguments;                                                                                                               \
        va_start(arguments, format);                                                                                                     \
        cp_string_t message = formatted(format, arguments);                                                                              \
        va_end(arguments);                                                                                                               \
        cp_log_write(level, &message);                                                                                                   \
    }

MESSAGE(cp_debug, CP_LOG_LEVEL_DEBUG)
MESSAGE(cp_info, CP_LOG_LEVEL_INFO)
MESSAGE(cp_warning, CP_LOG_LEVEL_WARNING)
MESSAGE(cp_error, CP_LOG_LEVEL_ERROR)

void cp_panic(const char *format, ...) {
    /* On the stack: there may be no memory left. */
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t kept = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    for (size_t at = 0; at < kept; at++)
        if ((unsigned char)text[at] >= 0x80)
            text[at] = '?';
    cp_string_t message = {(uint8_t *)text, kept};
    cp_log_write(CP_LOG_LEVEL_ERROR, &message);
    __builtin_trap();
}
