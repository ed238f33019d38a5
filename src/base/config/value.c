#include "base/config/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/quantity.h"
#include "base/config/report.h"
#include "base/config/config_internal.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/money.h"
#include "base/secret/secret.h"
#include "base/text/utf8.h"

/* How a type is read: from text (a default, or a quoted value of the file), and from the file. */
struct kind {
	const char *wanted; /* description of valid values; NULL: the choices */
	const char *example;
	int (*text)(const struct config_key *key, const char *text, void *field, struct buf *why);
	int (*setting)(struct config_reports *r, const struct config_key *key,
	    const struct config_setting_t *s, void *field);
};
static const struct kind kinds[];

static const char *const type_names[] = {
    [CONFIG_TYPE_NONE] = "nothing",
    [CONFIG_TYPE_GROUP] = "a group",
    [CONFIG_TYPE_INT] = "a number",
    [CONFIG_TYPE_INT64] = "a number",
    [CONFIG_TYPE_FLOAT] = "a number with a fraction",
    [CONFIG_TYPE_STRING] = "a string",
    [CONFIG_TYPE_BOOL] = "true or false",
    [CONFIG_TYPE_ARRAY] = "a list",
    [CONFIG_TYPE_LIST] = "a list",
};

static bool is_integer(const struct config_setting_t *s)
{
	return s->type == CONFIG_TYPE_INT || s->type == CONFIG_TYPE_INT64;
}

static bool is_string(const struct config_setting_t *s)
{
	return s->type == CONFIG_TYPE_STRING;
}

static int wrong_type(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s)
{
	const struct kind *kind = &kinds[key->type];
	struct buf wanted = BUF_INIT;
	if (kind->wanted)
		buf_addf(&wanted, "%s: %s = %s;", kind->wanted, config_setting_name(s), kind->example);
	else
		config_value_choices(&wanted, key->choices, '"');
	config_report(r, CONFIG_ERRORS, s, "this is %s. Write %s%s", type_names[s->type], wanted.data,
	    kind->wanted ? "" : ".");
	buf_clear(&wanted);
	return -1;
}

static int not_quoted(struct config_reports *r, const struct config_setting_t *s, const char *hint)
{
	long long value = config_setting_get_int64(s);
	config_report(r, CONFIG_ERRORS, s, "%lld is not quoted. %s \"%lld\".", value, hint, value);
	return -1;
}

/* libconfig's \xNN can produce invalid UTF-8. */
static int check_utf8(struct config_reports *r, const struct config_setting_t *s)
{
	const char *text = config_setting_get_string(s);
	if (utf8_valid(text, strlen(text)))
		return 0;
	config_report(r, CONFIG_ERRORS, s, "this string is not UTF-8. Correct its \\x escapes.");
	return -1;
}

/* A quoted value is read like a default. */
static int read_text(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field)
{
	struct buf why = BUF_INIT;
	int got = check_utf8(r, s);
	if (got == 0 && (got = kinds[key->type].text(key, config_setting_get_string(s), field, &why)) != 0)
		config_report(r, CONFIG_ERRORS, s, "%s", why.data);
	buf_clear(&why);
	return got;
}

static int string_text(const struct config_key *key, const char *text, void *field, struct buf *why)
{
	if (*text == '\0' && (key->flags & CONFIG_REQUIRED)) {
		buf_addstr(why, "this is empty. Write a value.");
		return -1;
	}
	*(char **)field = xstrdup(text);
	return 0;
}

static int string_setting(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field)
{
	if (is_integer(s))
		return not_quoted(r, s, "Write");
	return is_string(s) ? read_text(r, key, s, field) : wrong_type(r, key, s);
}

static int number_text(const struct config_key *key, const char *text, void *field, struct buf *why)
{
	return config_quantity_parse(key, text, field, why);
}

static int number_setting(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field)
{
	if (is_string(s) && key->type != CONFIG_INT)
		return read_text(r, key, s, field);
	if (!is_integer(s))
		return wrong_type(r, key, s);
	struct buf why = BUF_INIT;
	int64_t value = config_setting_get_int64(s);
	int got = config_quantity_put(key, value, field, &why);
	if (got != 0)
		config_report(r, CONFIG_ERRORS, s, "%s", why.data);
	else if (key->type == CONFIG_DURATION && value != 0)
		config_report(r, CONFIG_WARNINGS, s, "%lld without a unit means seconds. Write \"%lld s\".",
		    (long long)value, (long long)value);
	buf_clear(&why);
	return got;
}

static int money_text(const struct config_key *key, const char *text, void *field, struct buf *why)
{
	(void)key;
	if (money_parse(text, strlen(text), field))
		return 0;
	config_report_quote(why, text);
	buf_addstr(why,
	    " is no amount. Write a number from 0 to 1000000000, with at most 6 digits behind the point: "
	    "0.25.");
	return -1;
}

/* The file gives a number with a fraction as the nearest double. */
static int money_setting(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field)
{
	char text[64];

	if (is_string(s))
		return read_text(r, key, s, field);
	if (!is_integer(s) && s->type != CONFIG_TYPE_FLOAT)
		return wrong_type(r, key, s);
	if (is_integer(s))
		snprintf(text, sizeof(text), "%lld", (long long)config_setting_get_int64(s));
	else
		snprintf(text, sizeof(text), "%.6f", config_setting_get_float(s));
	/* So small that it would round to zero. */
	if (s->type == CONFIG_TYPE_FLOAT && config_setting_get_float(s) > 0 && strcmp(text, "0.000000") == 0)
		snprintf(text, sizeof(text), "%g", config_setting_get_float(s));
	struct buf why = BUF_INIT;
	int got = money_text(key, text, field, &why);
	if (got != 0)
		config_report(r, CONFIG_ERRORS, s, "%s", why.data);
	buf_clear(&why);
	return got;
}

static int bool_text(const struct config_key *key, const char *text, void *field, struct buf *why)
{
	bool value = strcmp(text, "true") == 0;
	if (!value && strcmp(text, "false") != 0) {
		buf_addf(why, "%s is neither true nor false: %s.", key->name, text);
		return -1;
	}
	*(bool *)field = value;
	return 0;
}

static int bool_setting(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field)
{
	if (s->type != CONFIG_TYPE_BOOL)
		return wrong_type(r, key, s);
	*(bool *)field = config_setting_get_bool(s);
	return 0;
}

static int enum_text(const struct config_key *key, const char *text, void *field, struct buf *why)
{
	for (int i = 0; key->choices[i]; i++) {
		if (strcmp(key->choices[i], text) != 0)
			continue;
		*(int *)field = i;
		return 0;
	}
	config_report_quote(why, text);
	buf_addstr(why, " is not a choice. Write ");
	config_value_choices(why, key->choices, '"');
	buf_addch(why, '.');
	return -1;
}

static int enum_setting(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field)
{
	return is_string(s) ? read_text(r, key, s, field) : wrong_type(r, key, s);
}

static void strings_add(struct config_strings *out, const char *text, size_t len)
{
	out->items = xrealloc(out->items, (out->count + 1) * sizeof(*out->items));
	out->items[out->count++] = xstrndup(text, len);
}

void config_value_split(const char *text, struct config_strings *out)
{
	while (*(text += strspn(text, ", "))) {
		size_t len = strcspn(text, ",");
		size_t used = len;
		while (text[used - 1] == ' ')
			used--;
		strings_add(out, text, used);
		text += len;
	}
}

static int strings_text(const struct config_key *key, const char *text, void *field, struct buf *why)
{
	(void)key, (void)why;
	config_value_split(text, field);
	return 0;
}

static int strings_item(
    struct config_reports *r, const struct config_setting_t *s, struct config_strings *out)
{
	if (is_integer(s))
		return not_quoted(r, s, "Ids are strings: write");
	if (!is_string(s)) {
		config_report(
		    r, CONFIG_ERRORS, s, "this is %s. Write a string in quotes.", type_names[s->type]);
		return -1;
	}
	if (check_utf8(r, s) != 0)
		return -1;
	strings_add(out, config_setting_get_string(s), strlen(config_setting_get_string(s)));
	return 0;
}

int config_value_strings(
    struct config_reports *r, const struct config_setting_t *s, struct config_strings *out)
{
	static const struct config_key row = {.type = CONFIG_STRINGS};
	int got = 0;
	if (s->type != CONFIG_TYPE_ARRAY && s->type != CONFIG_TYPE_LIST)
		return wrong_type(r, &row, s);
	struct config_strings items = {0};
	for (int i = 0; i < config_setting_length(s); i++)
		if (strings_item(r, config_setting_get_elem(s, (unsigned)i), &items) != 0)
			got = -1;
	if (got == 0)
		*out = items;
	else
		config_strings_clear(&items);
	return got;
}

static int strings_setting(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field)
{
	(void)key;
	return config_value_strings(r, s, field);
}

static int secret_text(const struct config_key *key, const char *text, void *field, struct buf *why)
{
	(void)key;
	struct error err = {0};
	const char *value = *text ? secret_resolve(text, &err) : NULL;
	if (!value) {
		buf_addstr(
		    why, *text ? err.text : "this is empty. Write the secret, file:PATH or cred:NAME.");
		return -1;
	}
	*(const char **)field = value;
	return 0;
}

/* Errors never contain the value, not even when it is a number. */
static int secret_setting(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field)
{
	if (!is_string(s))
		return wrong_type(r, key, s);
	const char *text = config_setting_get_string(s);
	const struct config_source *source = config_text_source(&r->text, config_setting_source_line(s));
	bool literal = strncmp(text, "file:", 5) != 0 && strncmp(text, "cred:", 5) != 0;
	if (literal && *text && source->exposed)
		config_report(r, CONFIG_WARNINGS, s,
		    "this secret stands in a file that others can read (mode %04o). Run chmod 600 %s, or "
		    "write \"file:PATH\" and keep it in a file of its own.",
		    source->mode, source->file);
	return read_text(r, key, s, field);
}

static const struct kind kinds[] = {
    [CONFIG_STRING] = {"a string", "\"...\"", string_text, string_setting},
    [CONFIG_INT] = {"a whole number", "1", number_text, number_setting},
    [CONFIG_BOOL] = {"true or false", "true", bool_text, bool_setting},
    [CONFIG_SIZE] = {"a size", "\"64 KiB\"", number_text, number_setting},
    [CONFIG_DURATION] = {"a duration", "\"30 s\"", number_text, number_setting},
    [CONFIG_MONEY] = {"an amount", "0.25", money_text, money_setting},
    [CONFIG_ENUM] = {NULL, NULL, enum_text, enum_setting},
    [CONFIG_STRINGS] = {"a list of strings", "[\"...\"]", strings_text, strings_setting},
    [CONFIG_SECRET] = {"a string", "\"file:PATH\"", secret_text, secret_setting},
};

int config_value_read(
    struct config_reports *r, const struct config_key *key, const struct config_setting_t *s, void *field)
{
	return kinds[key->type].setting(r, key, s, field);
}

int config_value_fallback(const struct config_key *key, void *field, struct buf *why)
{
	return kinds[key->type].text(key, key->fallback, field, why);
}

void config_value_clear(enum config_type type, void *field)
{
	if (type == CONFIG_STRING) {
		free(*(char **)field);
		*(char **)field = NULL;
	} else if (type == CONFIG_STRINGS) {
		config_strings_clear(field);
	} else if (type == CONFIG_SECRET) {
		*(const char **)field = NULL;
	}
}

void config_value_choices(struct buf *out, const char *const *choices, char quote)
{
	for (size_t i = 0; choices[i]; i++) {
		if (i > 0)
			buf_addstr(out, choices[i + 1] ? ", " : " or ");
		buf_addf(out, "%c%s%c", quote, choices[i], quote);
	}
}
