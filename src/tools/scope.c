#include "tools/scope.h"

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "bus/address.h"
#include "bus/targets.h"

/* By enum workspace_scope. */
const char *const workspace_scope_choices[] = {"chat", "person", "shared", NULL};

/* Appends an id as the name of a folder: characters other than letters, digits, '-' and '_' become %XX. */
static void add_name(struct buf *out, const char *id)
{
	for (; *id; id++) {
		unsigned char c = (unsigned char)*id;
		if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
		    strchr("-_", c))
			buf_addch(out, *id);
		else
			buf_addf(out, "%%%02X", c);
	}
}

static char *folder_of(const char *kind, const char *channel, const char *id)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s/", kind);
	add_name(&path, channel);
	buf_addstr(&path, "%3A");
	add_name(&path, id);
	return buf_take(&path);
}

char *scope_chat_folder(const char *channel, const char *chat)
{
	return folder_of("chat", channel, chat);
}

char *scope_person_folder(const struct targets *targets, const char *channel, const char *person)
{
	const struct address *first = people_first(&targets->people, channel, person);

	return folder_of("person", first ? first->channel : channel, first ? first->chat : person);
}

char *scope_workspace_folder(
    enum workspace_scope scope, const struct targets *targets, const struct address *chat, const char *person)
{
	if (scope == WORKSPACE_SHARED)
		return NULL;
	if (scope == WORKSPACE_PERSON && person && *person)
		return scope_person_folder(targets, chat->channel, person);
	return scope_chat_folder(chat->channel, chat->chat);
}
