#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/config/quantity.h"
#include "base/config/value.h"

static const char *const type_names[] = {
    [CONFIG_STRING] = "string",
    [CONFIG_INT] = "whole number",
    [CONFIG_BOOL] = "`true` or `false`",
    [CONFIG_SIZE] = "size",
    [CONFIG_DURATION] = "duration",
    [CONFIG_MONEY] = "amount",
    [CONFIG_STRINGS] = "list of strings",
    [CONFIG_SECRET] = "secret",
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
	buf_addstr(out, type_names[key->type]);
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
static void add_heading(struct buf *out, const char *path)
{
	if (!*path) {
		buf_addstr(out, "## At the top\n\n");
		return;
	}
	buf_addstr(out, "## `");
	for (; *path; path++) {
		if (*path == '*')
			buf_addstr(out, "NAME");
		else
			buf_addch(out, *path);
	}
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
