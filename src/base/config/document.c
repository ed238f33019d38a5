#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/config/quantity.h"
#include "base/config/value.h"
#include "base/json/json.h"

/* For people, and for scripts. A choice is shown to people by its values. */
static const struct {
	const char *words, *name;
} types[] = {
    [CONFIG_STRING] = {"string", "string"},
    [CONFIG_INT] = {"whole number", "integer"},
    [CONFIG_BOOL] = {"`true` or `false`", "boolean"},
    [CONFIG_SIZE] = {"size", "size"},
    [CONFIG_DURATION] = {"duration", "duration"},
    [CONFIG_ENUM] = {NULL, "choice"},
    [CONFIG_MONEY] = {"amount", "amount"},
    [CONFIG_STRINGS] = {"list of strings", "strings"},
    [CONFIG_SECRET] = {"secret", "secret"},
};

/* In a table cell a bar would end the cell and a line feed the row. */
static void add_cell(struct buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			buf_addch(out, '\\');
		buf_addch(out, *text == '\n' ? ' ' : *text);
	}
}

static void add_type(struct buf *out, const struct config_key *key)
{
	if (key->type == CONFIG_ENUM) {
		config_value_choices(out, key->choices, '`');
		return;
	}
	buf_addstr(out, types[key->type].words);
	if (key->min != 0 || key->max != 0) {
		buf_addstr(out, ", ");
		config_quantity_range(out, key);
	}
}

static void add_list(struct buf *out, const char *text)
{
	struct config_strings items = {0};
	config_value_split(text, &items);
	buf_addch(out, '[');
	for (size_t i = 0; i < items.count; i++) {
		buf_addstr(out, i > 0 ? ", \"" : "\"");
		add_cell(out, items.items[i]);
		buf_addch(out, '"');
	}
	buf_addch(out, ']');
	config_strings_clear(&items);
}

/* Shows the default as in the file: quoted, unless it is a number or a boolean. */
static void add_default(struct buf *out, const struct config_key *key)
{
	if (key->flags & CONFIG_REQUIRED) {
		buf_addstr(out, "required");
		return;
	}
	if (!key->fallback) {
		buf_addstr(out, "none");
		return;
	}
	bool bare = key->type == CONFIG_INT || key->type == CONFIG_BOOL || key->type == CONFIG_MONEY ||
	    ((key->type == CONFIG_SIZE || key->type == CONFIG_DURATION) &&
		strspn(key->fallback, "0123456789") == strlen(key->fallback));
	buf_addch(out, '`');
	if (key->type == CONFIG_STRINGS) {
		add_list(out, key->fallback);
	} else {
		buf_addstr(out, bare ? "" : "\"");
		add_cell(out, key->fallback);
		buf_addstr(out, bare ? "" : "\"");
	}
	buf_addch(out, '`');
}

static void add_row(struct buf *out, const struct config_key *key)
{
	buf_addf(out, "| `%s` | ", key->name);
	add_type(out, key);
	buf_addstr(out, " | ");
	add_default(out, key);
	buf_addstr(out, " | ");
	add_cell(out, key->help);
	if (key->flags & CONFIG_RESTART)
		buf_addstr(out, " A change needs a restart.");
	buf_addstr(out, " |\n");
}

/* "channels.*" is shown as channels.NAME. */
static void add_path(struct buf *out, const char *path)
{
	for (; *path; path++) {
		if (*path == '*')
			buf_addstr(out, "NAME");
		else
			buf_addch(out, *path);
	}
}

static void add_heading(struct buf *out, const char *path)
{
	if (!*path) {
		buf_addstr(out, "## At the top\n\n");
		return;
	}
	buf_addstr(out, "## `");
	add_path(out, path);
	buf_addstr(out, "`\n\n");
}

void config_document(struct buf *out, const struct config_section *const *sections, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct config_section *section = sections[i];
		/* A section without rows has already ended with an empty line. */
		if (i > 0 && sections[i - 1]->key_count > 0)
			buf_addch(out, '\n');
		add_heading(out, section->path);
		if (section->help)
			buf_addf(out, "%s%s\n\n", section->help,
			    section->restart ? " Changes here need a restart." : "");
		if (section->key_count == 0)
			continue;
		buf_addstr(out, "| Key | Type | Default | Meaning |\n| --- | --- | --- | --- |\n");
		for (size_t k = 0; k < section->key_count; k++)
			add_row(out, &section->keys[k]);
	}
}

static struct json_object *describe(const struct config_section *section, const struct config_key *key)
{
	struct json_object *o = json_object_new_object();
	struct buf text = BUF_INIT;

	add_path(&text, section->path);
	buf_addf(&text, "%s%s", *section->path ? "." : "", key->name);
	json_set_str(o, "name", text.data);
	json_set_str(o, "type", types[key->type].name);
	if (key->type == CONFIG_ENUM) {
		struct json_object *choices = json_object_new_array();

		for (size_t i = 0; key->choices[i]; i++)
			json_object_array_add(choices, json_object_new_string(key->choices[i]));
		json_set(o, "choices", choices);
	} else if (key->min != 0 || key->max != 0) {
		buf_reset(&text);
		config_quantity_range(&text, key);
		json_set_str(o, "range", text.data);
	}
	json_set(o, "default", key->fallback ? json_object_new_string(key->fallback) : NULL);
	json_set_bool(o, "required", key->flags & CONFIG_REQUIRED);
	json_set_bool(o, "restart", section->restart || (key->flags & CONFIG_RESTART));
	json_set_str(o, "meaning", key->help);
	buf_clear(&text);
	return o;
}

struct json_object *config_describe(const struct config_section *const *sections, size_t count)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sections[i]->key_count; k++)
			json_object_array_add(list, describe(sections[i], &sections[i]->keys[k]));
	return list;
}
