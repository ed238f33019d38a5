#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/task.h"
#include "bus/bus.h"
#include "tools/tools_internal.h"

#define NAME "react"
/* Interval of retries while the chat's rate limit leaves no room. */
#define ASK_AGAIN_MS 500
#define PATIENCE_MS  10000

/* Returns 1 when the rate limit left no room in all that time. */
static int put(struct task *t, const struct tool_call *call, const char *message_id, const char *emoji,
    struct error *err)
{
	uint64_t until_ms = clock_now() + PATIENCE_MS;
	int rc;

	while (
	    (rc = bus_react(t, call->bus, call->chat, message_id, emoji, err)) > 0 && clock_now() < until_ms)
		if (task_sleep(t, ASK_AGAIN_MS, err) < 0)
			return -1;
	return rc;
}

static struct json_object *failed(const struct error *err)
{
	if (err->kind == ERROR_LIMITED)
		return tool_failure(NAME, "LIMIT_REACHED", "RATE",
		    "The platform asks to wait: %s. Go on without it.", err->text);
	if (err->kind == ERROR_NETWORK)
		return tool_failure(NAME, "UNAVAILABLE", "PLATFORM",
		    "The platform is not reached: %s. Go on without it.", err->text);
	return tool_failure(NAME, "TOOL_FAILED", NULL,
	    "The reaction was not put: %s. Try another emoji, or go on without it.", err->text);
}

static struct json_object *result_of(const struct address *chat, const char *message_id)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "status", "sent");
	json_set_str(o, "channel", chat->channel);
	json_set_str(o, "chat_id", chat->chat);
	json_set_str(o, "message_id", message_id);
	return o;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const char *message_id = json_get_str(args, "message_id");
	struct channel *ch = call->bus && call->chat ? bus_channel(call->bus, call->chat->channel) : NULL;
	struct error err = {0};

	if (!ch)
		return tool_failure(NAME, "UNAVAILABLE", "NO_CHAT",
		    "There is no chat here to react in. Use it in a conversation.");
	if (!message_id && call->asked)
		message_id = call->asked->message_id;
	if (!message_id)
		return tool_failure(NAME, "INVALID_ARGUMENT", "MISSING",
		    "missing 'message_id': no message began this turn. Name one, or go on without it.");
	if (!ch->ops->react)
		return tool_failure(
		    NAME, "UNAVAILABLE", "PLATFORM", "This platform has no reactions. Go on without it.");
	int rc = put(t, call, message_id, json_get_str(args, "emoji"), &err);
	if (rc > 0)
		return tool_failure(NAME, "LIMIT_REACHED", "RATE",
		    "Too much goes to this chat at the moment. Go on without it.");
	return rc < 0 ? failed(&err) : result_of(call->chat, message_id);
}

const struct tool tool_react = {
    .name = NAME,
    .flags = TOOL_WRITES | TOOL_NETWORK | TOOL_DAEMON,
    .summary = "React to a message of this chat with an emoji, which replaces your earlier one; an empty "
	       "emoji removes it. Returns: {status, channel, chat_id, message_id}",
    .schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"emoji\":{\"type\":\"string\",\"maxLength\":64,\"description\":\"One emoji, or on Slack a :name:; "
	"empty removes yours\"},\"message_id\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":64,"
	"\"description\":\"The platform's id of the message (default: the message that you "
	"answer)\"}},\"required\":[\"emoji\"]}",
    .errors = "LIMIT_REACHED, TOOL_FAILED, UNAVAILABLE",
    .run = run,
};
