#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "bus/bus_internal.h"
#include "bus/channel.h"
#include "bus/command_menu.h"

/* Bytes of a name in a mention. */
#define MENTION_NAME_MAX 60

/* Returns the length of the command's name in "/stop ..."; 0 when there is no such command. */
static size_t command_at(const struct channel_command *menu, const char *text)
{
	size_t len = 1;

	while (isalnum((unsigned char)text[len]) || text[len] == '_')
		len++;
	for (; menu->name && text[len] != '/'; menu++)
		if (strlen(menu->name) == len - 1 && strncmp(menu->name, text + 1, len - 1) == 0)
			return len - 1;
	return 0;
}

static bool begins_word(const char *text, const char *at)
{
	return at == text || strchr(" \t\n(\"'`*", at[-1]);
}

bool command_menu_names_person(const struct channel_command *menu, const char *text)
{
	size_t len = *text == '/' ? strcspn(text + 1, "@ \t\r\n") : 0;

	for (; menu && menu->name; menu++)
		if (strlen(menu->name) == len && strncasecmp(menu->name, text + 1, len) == 0)
			for (const struct channel_argument *a = menu->arguments; a && a->name; a++)
				if (a->person)
					return true;
	return false;
}

void command_menu_add_person(struct buf *out, const char *id, const char *name)
{
	size_t len = name ? utf8_cut(name, strlen(name), MENTION_NAME_MAX, UTF8_BYTES) : 0;

	buf_addf(out, "<@%s%s", id, len > 0 ? "|" : "");
	for (size_t i = 0; i < len; i++)
		buf_addch(out, strchr("<>|\r\n", name[i]) ? ' ' : name[i]);
	buf_addch(out, '>');
}

char *bus_own_text(struct bus *b, const struct address *to, const char *text)
{
	const struct channel *ch = bus_channel(b, to->channel);
	const char *prefix = ch && ch->menu && ch->ops->command ? ch->ops->command(ch->settings) : "";
	struct buf out = BUF_INIT;

	if (!*prefix)
		return xstrdup(text);
	for (const char *p = text; *p; p++) {
		bool command = *p == '/' && begins_word(text, p) && command_at(ch->menu, p) > 0;
		if (command)
			buf_addf(&out, "%s ", prefix);
		else
			buf_addch(&out, *p);
	}
	return out.data ? buf_take(&out) : xstrdup("");
}
