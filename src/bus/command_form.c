#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "bus/bus_internal.h"
#include "bus/channel.h"
#include "bus/command_menu.h"

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
