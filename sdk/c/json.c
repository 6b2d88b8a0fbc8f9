#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "code_polishy.h"

enum { MAX_DEPTH = 128 };

typedef struct {
    const uint8_t *at;
    const uint8_t *end;
    const char *fault;
} reader_t;

static bool refuse(reader_t *reader, const char *fault) {
    if (!reader->fault)
        reader->fault = fault;
    return false;
}

static void skip_space(reader_t *reader) {
    while (reader->at < reader->end && strchr(" \t\n\r", *reader->at) && *reader->at)
        reader->at++;
}

/* Takes `expected` when it is next. */
static bool take(reader_t *reader, char expected) {
    skip_space(reader);
    if (reader->at == reader->end || *reader->at != (uint8_t)expected)
        return false;
    reader->at++;
    return true;
}

static bool read_hex(reader_t *reader, uint32_t *unit) {
    *unit = 0;
    for (int digit = 0; digit < 4; digit++, reader->at++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *found = reader->at < reader->end && *reader->at ? strchr(digits, *reader->at) : NULL;
        if (!found)
            return refuse(reader, "a JSON text has a malformed \\u");
        *unit = *unit << 4 | ((uint32_t)(found - digits) & 15);
    }
    return true;
}

static uint8_t *put_character(uint8_t *to, uint32_t code) {
    if (code < 0x80) {
        *to++ = (uint8_t)code;
        return to;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t first[] = {0, 0xc0, 0xe0, 0xf0};
    *to++ = (uint8_t)(first[more] | code >> (6 * more));
    while (more-- > 0)
        *to++ = (uint8_t)(0x80 | (code >> (6 * more) & 0x3f));
    return to;
}

/* What follows a backslash. */
static bool read_escape(reader_t *reader, uint8_t **to) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    if (reader->at == reader->end)
        return refuse(reader, "a JSON text ends within a string");
    uint8_t name = *reader->at++;
    const char *simple = name ? strchr(names, name) : NULL;
    if (simple) {
        *(*to)++ = (uint8_t)values[simple - names];
        return true;
    }
    uint32_t code, low;
    if (name != 'u' || !read_hex(reader, &code))
        return refuse(reader, "a JSON text has an unknown escape");
    if (code >= 0xd800 && code < 0xe000) {
        bool pair = code < 0xdc00 && reader->end - reader->at >= 2 && reader->at[0] == '\\' && reader->at[1] == 'u';
        reader->at += pair ? 2 : 0;
        if (!pair || !read_hex(reader, &low) || low < 0xdc00 || low >= 0xe000)
            return refuse(reader, "a JSON text has half a surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    *to = put_character(*to, code);
    return true;
}

/* Everything up to the closing quotation mark; the text that comes out is never longer than what is read. */
static bool read_string(reader_t *reader, cp_string_t *text) {
    const uint8_t *close = reader->at;
    while (close < reader->end && *close != '"')
        close += *close == '\\' && close + 1 < reader->end ? 2 : 1;
    if (close >= reader->end)
        return refuse(reader, "a JSON text ends within a string");
    text->ptr = cp_allocate((size_t)(close - reader->at));
    uint8_t *to = text->ptr;
    while (reader->at < close) {
        uint8_t byte = *reader->at++;
        if (byte < 0x20)
            return refuse(reader, "a JSON string has a control character");
        if (byte != '\\')
            *to++ = byte;
        else if (!read_escape(reader, &to))
            return false;
    }
    text->len = (size_t)(to - text->ptr);
    reader->at = close + 1;
    return true;
}

static const uint8_t *digits(const uint8_t *at, const uint8_t *end) {
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    return at;
}

static bool read_number(reader_t *reader, cp_string_t *text) {
    const uint8_t *start = reader->at, *at = start + (*start == '-');
    const uint8_t *whole = digits(at, reader->end);
    if (whole == at || (*at == '0' && whole - at > 1))
        return refuse(reader, "a JSON text has an unknown word");
    at = whole;
    if (at < reader->end && *at == '.') {
        const uint8_t *fraction = digits(at + 1, reader->end);
        if (fraction == at + 1)
            return refuse(reader, "a JSON number ends in a point");
        at = fraction;
    }
    if (at < reader->end && (*at == 'e' || *at == 'E')) {
        at += at + 1 < reader->end && (at[1] == '+' || at[1] == '-') ? 2 : 1;
        const uint8_t *exponent = digits(at, reader->end);
        if (exponent == at)
            return refuse(reader, "a JSON number has no exponent");
        at = exponent;
    }
    *text = (cp_string_t){(uint8_t *)start, (size_t)(at - start)};
    reader->at = at;
    return true;
}

static bool read_value(reader_t *reader, cp_json_t *value, int depth);

static bool read_name(reader_t *reader, cp_string_t *name) {
    if (!take(reader, '"'))
        return refuse(reader, "a JSON object has a member without a name");
    return read_string(reader, name) && (take(reader, ':') || refuse(reader, "a JSON object has a name without a value"));
}

static bool read_items(reader_t *reader, cp_json_t *value, char close, int depth) {
    if (depth >= MAX_DEPTH)
        return refuse(reader, "a JSON text is too deep");
    if (take(reader, close))
        return true;
    do {
        cp_json_t item = {0};
        if ((close == '}' && !read_name(reader, &item.name)) || !read_value(reader, &item, depth + 1))
            return false;
        *(cp_json_t *)cp_grow((void **)&value->items, &value->length, sizeof item) = item;
    } while (take(reader, ','));
    return take(reader, close) || refuse(reader, "a JSON array or object does not end");
}

static bool read_word(reader_t *reader, cp_json_t *value) {
    static const struct {
        const char *word;
        cp_json_type_t type;
    } words[] = {{"null", CP_JSON_NULL}, {"false", CP_JSON_FALSE}, {"true", CP_JSON_TRUE}};
    cp_string_t rest = {(uint8_t *)reader->at, (size_t)(reader->end - reader->at)};
    for (size_t word = 0; word < sizeof words / sizeof *words; word++) {
        if (cp_starts_with(rest, words[word].word)) {
            reader->at += strlen(words[word].word);
            value->type = words[word].type;
            return true;
        }
    }
    value->type = CP_JSON_NUMBER;
    return read_number(reader, &value->text);
}

static bool read_value(reader_t *reader, cp_json_t *value, int depth) {
    skip_space(reader);
    if (reader->at == reader->end)
        return refuse(reader, "a JSON text ends before its value");
    if (take(reader, '"')) {
        value->type = CP_JSON_STRING;
        return read_string(reader, &value->text);
    }
    if (take(reader, '[')) {
        value->type = CP_JSON_ARRAY;
        return read_items(reader, value, ']', depth);
    }
    if (take(reader, '{')) {
        value->type = CP_JSON_OBJECT;
        return read_items(reader, value, '}', depth);
    }
    return read_word(reader, value);
}

const cp_json_t *cp_json_read(cp_string_t text, const char **fault) {
    reader_t reader = {text.ptr, text.ptr + text.len, NULL};
    cp_json_t *value = cp_allocate(sizeof *value);
    bool is_read = read_value(&reader, value, 0);
    skip_space(&reader);
    if (is_read && reader.at != reader.end)
        is_read = refuse(&reader, "a JSON text goes on after its value");
    *fault = reader.fault;
    return is_read ? value : NULL;
}

const cp_json_t *cp_json_get(const cp_json_t *value, const char *name) {
    static const cp_json_t absent = {0};
    for (size_t member = 0; value->type == CP_JSON_OBJECT && member < value->length; member++)
        if (cp_equals(value->items[member].name, name))
            return &value->items[member];
    return &absent;
}

cp_string_t cp_json_text(const cp_json_t *value, const char *otherwise) {
    return value->type == CP_JSON_STRING ? value->text : cp_text(otherwise);
}

double cp_json_number(const cp_json_t *value, double otherwise) {
    if (value->type != CP_JSON_NUMBER)
        return otherwise;
    char *digits = cp_allocate(value->text.len + 1);
    return strtod(memcpy(digits, value->text.ptr, value->text.len), NULL);
}
