#include "tools/messages/recipient.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "bus/targets.h"
#include "tools/tools_internal.h"

#define TAKES "Name channel and chat_id, and thread if there is one, or target. Nothing was sent."

struct json_object *recipient_unknown(const struct tool_call *call, const char *tool, const char *what)
{
	const struct targets *targets = tools_targets(call->tools);
	struct buf text = BUF_INIT;
	size_t n = 0;

	buf_addf(&text, "%s%s Known channels: ", what, *what && what[strlen(what) - 1] == '.' ? "" : ".");
	for (struct channel *ch = NULL; (ch = bus_next_channel(call->bus, ch));)
		if (ch->unit == 0)
			buf_addf(&text, "%s%s", n++ ? ", " : "", ch->name);
	buf_addf(&text, "%s. Known targets: ", n ? "" : "none");
	for (size_t i = 0; i < targets->count; i++)
		buf_addf(&text, "%s%s", i ? ", " : "", targets->items[i].name);
	buf_addf(&text, "%s. Name one of them.", targets->count ? "" : "none");
	struct json_object *o = tool_failure(tool, "NOT_FOUND", "TARGET_NOT_FOUND", "%s", text.data);
	buf_clear(&text);
	return o;
}

static struct json_object *unknown_channel(const struct tool_call *call, const char *tool, const char *name)
{
	struct error err;

	error_set(&err, ERROR_OURS, "There is no channel \"%s\"", name);
	return recipient_unknown(call, tool, err.text);
}

/* Checks the arguments only. Returns NULL when they can name a recipient. */
static struct json_object *check_arguments(const char *tool, struct json_object *args)
{
	bool channel = json_get_str(args, "channel"), chat = json_get_str(args, "chat_id");
	bool thread = json_get_str(args, "thread"), target = json_get_str(args, "target");

	if (target && (channel || chat || thread))
		return tool_failure(tool, "INVALID_ARGUMENT", NULL,
		    "'target' stands in place of 'channel', 'chat_id' and 'thread'. " TAKES);
	if (!target && !channel)
		return tool_failure(
		    tool, "INVALID_ARGUMENT", "MISSING", "missing 'channel', or 'target'. " TAKES);
	if (!target && !chat)
		return tool_failure(tool, "INVALID_ARGUMENT", "MISSING", "missing 'chat_id'. " TAKES);
	return NULL;
}

static struct address *expand_target(const struct tool_call *call, const char *tool, const char *target,
    size_t *count, struct json_object **failure)
{
	struct error err = {0};
	struct address *list = targets_expand(tools_targets(call->tools), target, count, &err);

	/* With a ':' it is a malformed address. */
	if (!list && strchr(target, ':'))
		*failure = tool_failure(tool, "INVALID_ARGUMENT", "RANGE", "'target': %s. " TAKES, err.text);
	else if (!list)
		*failure = tool_failure(tool, "NOT_FOUND", "TARGET_NOT_FOUND", "%s", err.text);
	return list;
}

static struct address *one_address(const struct tool_call *call, const char *tool, struct json_object *args,
    size_t *count, struct json_object **failure)
{
	const char *channel = json_get_str(args, "channel");
	struct error err = {0};
	struct address a;

	if (!bus_channel(call->bus, channel)) {
		*failure = unknown_channel(call, tool, channel);
		return NULL;
	}
	if (address_set(&a, channel, json_get_str(args, "chat_id"), json_get_str(args, "thread"), &err) < 0) {
		*failure = tool_failure(tool, "INVALID_ARGUMENT", "RANGE", "%s. " TAKES, err.text);
		return NULL;
	}
	*count = 1;
	return xmemdup(&a, sizeof(a));
}

static bool is_here(const struct tool_call *call, const struct address *a)
{
	return call->chat && strcmp(call->chat->channel, a->channel) == 0 &&
	    strcmp(call->chat->chat, a->chat) == 0;
}

static struct json_object *check_address(
    const struct tool_call *call, const char *tool, const struct address *a)
{
	char text[ADDRESS_TEXT_MAX];

	if (!bus_channel(call->bus, a->channel))
		return unknown_channel(call, tool, a->channel);
	if (call->operator|| is_here(call, a) || targets_have(tools_targets(call->tools), a))
		return NULL;
	return tool_failure(tool, "ACCESS_DENIED", "TARGET_NOT_ALLOWED",
	    "Access denied: messages to %s are not allowed from here. Ask an admin to list it under targets.",
	    address_format(a, text));
}

struct address *recipients_find(const struct tool_call *call, const char *tool, struct json_object *args,
    size_t *count, struct json_object **failure)
{
	const char *target = json_get_str(args, "target");
	struct address *list = NULL;

	*count = 0;
	*failure = check_arguments(tool, args);
	if (!*failure && !call->bus)
		*failure = tool_failure(tool, "UNAVAILABLE", "NO_CHAT",
		    "Messages go through the running gateway, and there is none. Start it with 'myna run'.");
	if (!*failure)
		list = target ? expand_target(call, tool, target, count, failure) :
				one_address(call, tool, args, count, failure);
	for (size_t i = 0; i < *count && !*failure; i++)
		*failure = check_address(call, tool, &list[i]);
	if (*failure) {
		free(list);
		list = NULL;
	}
	return list;
}
