#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "bus/post.h"
#include "tools/messages/recipient.h"
#include "tools/messages/send_result.h"
#include "tools/tools_internal.h"

#define MESSAGE_WAIT_MS 5000

static struct json_object *send_to(
    struct task *t, const struct tool_call *call, const struct address *to, size_t count, const char *content)
{
	char *key = send_idempotency_key(call);
	struct post p = {.bus = call->bus, .text = content, .key = key, .turn = call->turn};
	struct json_object *result = NULL;
	struct error err = {0};

	for (size_t i = 0; i < count && !result; i++)
		if (post_add(&p, &to[i], &err) < 0)
			result = tool_failure("message", "INVALID_ARGUMENT", "RANGE", "%s", err.text);
	if (!result)
		result = send_and_report(t, call, "message", &p, MESSAGE_WAIT_MS);
	post_clear(&p);
	free(key);
	return result;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const char *content = json_get_str(args, "content");
	struct json_object *result = NULL;
	size_t count;

	if (content[strspn(content, " \t\r\n")] == '\0')
		return tool_failure(
		    "message", "INVALID_ARGUMENT", "RANGE", "'content' is blank. Write what is to be sent.");
	struct address *to = recipients_find(call, "message", args, &count, &result);
	if (to)
		result = send_to(t, call, to, count, content);
	free(to);
	return result;
}

const struct tool tool_message = {
    .name = "message",
    .flags = TOOL_WRITES | TOOL_NETWORK | TOOL_DAEMON,
    .summary = "Send a message to another chat, on this or another channel: by channel and chat_id, or by "
	       "the name of a target. Do not use it to answer here: your answer is sent automatically. "
	       "Returns: {status, channel, chat_id, content_length, message_id?}",
    .schema = "{\"type\":\"object\",\"properties\":{"
	      "\"channel\":{\"type\":\"string\",\"description\":\"The channel's name\"},"
	      "\"chat_id\":{\"type\":\"string\",\"description\":\"The chat on that "
	      "channel\"},\"thread\":{\"type\":\"string\",\"description\":\"Thread or topic in the chat "
	      "(default: none)\"},\"target\":{\"type\":\"string\",\"description\":\"A configured target, or "
	      "channel:chat/thread, instead of channel and chat_id\"},"
	      "\"content\":{\"type\":\"string\",\"description\":\"The text to send, as Markdown; must not be "
	      "blank\"}},\"required\":[\"content\"]}",
    .errors = "ACCESS_DENIED, NOT_FOUND, TOOL_FAILED, UNAVAILABLE",
    .run = run,
};
