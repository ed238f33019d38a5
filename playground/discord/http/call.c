#include "playground/discord/http/call.h"

#include <stdarg.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/world/message.h"
#include "playground/server/exchange.h"

static const struct {
	enum cord_code code;
	int status;
	const char *text;
	bool refused; /* the request itself is invalid, whatever the state */
} failures[] = {
    {CORD_UNKNOWN_CHANNEL, 404, "Unknown Channel", false},
    {CORD_UNKNOWN_GUILD, 404, "Unknown Guild", false},
    {CORD_UNKNOWN_MEMBER, 404, "Unknown Member", false},
    {CORD_UNKNOWN_MESSAGE, 404, "Unknown Message", false},
    {CORD_UNKNOWN_USER, 404, "Unknown User", false},
    {CORD_UNKNOWN_EMOJI, 400, "Unknown Emoji", true},
    {CORD_UNKNOWN_WEBHOOK, 404, "Unknown Webhook", false},
    {CORD_UNKNOWN_INTERACTION, 404, "Unknown interaction", false},
    {CORD_UNKNOWN_COMMAND, 404, "Unknown application command", false},
    {CORD_NOT_THIS_APPLICATION, 403, "You are not authorized to perform this action on this application",
	true},
    {CORD_SLOWMODE, 429, "This action cannot be performed due to slowmode rate limit.", false},
    {CORD_TOO_MANY_REACTIONS, 400, "Maximum number of reactions reached (20)", false},
    {CORD_TOO_MANY_FILES, 400, "Maximum number of attachments in a message reached (10)", true},
    {CORD_TOO_MANY_COMMANDS, 400, "Maximum number of application commands reached (100).", true},
    {CORD_TOO_MANY_OLD_EDITS, 429,
	"Maximum number of edits to messages older than 1 hour reached. Try again later", false},
    {CORD_TOO_LARGE, 413, "Request entity too large", true},
    {CORD_COMMAND_NAME_TAKEN, 400, "An application command with that name already exists", true},
    {CORD_ALREADY_ACKNOWLEDGED, 400, "Interaction has already been acknowledged.", true},
    {CORD_MISSING_ACCESS, 403, "Missing Access", false},
    {CORD_NOT_IN_DM, 403, "Cannot execute action on a DM channel", true},
    {CORD_NOT_OWN_MESSAGE, 403, "Cannot edit a message authored by another user", true},
    {CORD_EMPTY_MESSAGE, 400, "Cannot send an empty message", true},
    {CORD_NO_DM_TO_USER, 403, "Cannot send messages to this user", false},
    {CORD_MISSING_PERMISSIONS, 403, "Missing Permissions", false},
    {CORD_SYSTEM_MESSAGE, 403, "Cannot execute action on a system message", true},
    {CORD_WRONG_CHANNEL_TYPE, 400, "Cannot execute action on this channel type", true},
    {CORD_INVALID_WEBHOOK_TOKEN, 401, "Invalid Webhook Token", false},
    {CORD_INVALID_FORM, 400, "Invalid Form Body", true},
    {CORD_INVALID_API_VERSION, 400, "Invalid API version provided", true},
    {CORD_THREAD_ARCHIVED, 400, "Thread is archived", false},
    {CORD_INVALID_JSON, 400, "The request body contains invalid JSON.", true},
    {CORD_VOICE_CONTENT, 400, "Voice messages do not support additional content.", true},
    {CORD_VOICE_ONE_FILE, 400, "Voice messages must have a single audio attachment.", true},
    {CORD_VOICE_METADATA, 400, "Voice messages must have supporting metadata.", true},
    {CORD_VOICE_NO_EDIT, 400, "Voice messages cannot be edited.", true},
    {CORD_THREAD_EXISTS, 400, "A thread has already been created for this message", false},
    {CORD_THREAD_LOCKED, 400, "This thread is locked", false},
};

int cord_fail_plain(struct cord_call *call, int status, const char *text)
{
	call->fail_status = status;
	call->fail_code = 0;
	call->fail_text = text;
	return -1;
}

int cord_fail(struct cord_call *call, enum cord_code code)
{
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(failures) && failures[i].code != code)
		i++;
	call->fail_status = failures[i].status;
	call->fail_code = (int)failures[i].code;
	call->fail_text = failures[i].text;
	if (failures[i].refused)
		exchange_problem(call->ex, "%d: %s", call->fail_code, call->fail_text);
	return -1;
}

int cord_fail_wait(struct cord_call *call, enum cord_code code, uint64_t retry_ms)
{
	call->retry_ms = retry_ms;
	call->scope = "user";
	return cord_fail(call, code);
}

int cord_refuse(struct cord_call *call)
{
	struct buf text = BUF_INIT;

	cord_fail(call, CORD_INVALID_FORM);
	json_write(&text, call->errors.tree);
	exchange_problem(call->ex, "%s", text.data);
	buf_clear(&text);
	return -1;
}

int cord_refuse_field(struct cord_call *call, const char *key, const char *code, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	cord_errors_add(&call->errors, key, code, "%s", text.data);
	buf_clear(&text);
	return cord_refuse(call);
}

struct cord_channel *cord_call_channel(struct cord_call *call)
{
	struct cord_channel *c = cord_channel_find(call->world, call->ids[0]);

	if (!c || c->gone)
		cord_fail(call, CORD_UNKNOWN_CHANNEL);
	else if (!cord_channel_sees(c, call->bot))
		cord_fail(call, CORD_MISSING_ACCESS);
	else
		return c;
	return NULL;
}

struct cord_channel *cord_call_channel_may(struct cord_call *call, uint64_t permissions)
{
	struct cord_channel *c = cord_call_channel(call);

	if (!c || (cord_channel_may(c, call->bot) & permissions) == permissions)
		return c;
	cord_fail(call, CORD_MISSING_PERMISSIONS);
	return NULL;
}

struct cord_message *cord_call_message(struct cord_call *call, const struct cord_channel *c)
{
	struct cord_message *m = cord_channel_message(c, call->ids[1]);

	if (m && m->visible_to == 0)
		return m;
	cord_fail(call, CORD_UNKNOWN_MESSAGE);
	return NULL;
}

bool cord_given(struct json_object *o, const char *key)
{
	return json_object_object_get_ex(o, key, NULL);
}
