#include "channels/discord/outcome.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"

/* The wait after a 429 without a time, and the default for limits without a 429. */
#define RETRY_DEFAULT_MS 5000
/* When the proxy refuses without saying for how long. */
#define BLOCKED_MS 60000
/* A retry_after beyond a day is not believed. */
#define RETRY_MAX_S (24 * 3600)

struct rule {
	int code;
	enum discord_outcome_class class;
	enum error_kind kind;
	const char *meaning;
};

/* "JSON error codes" of the documentation (topics/opcodes-and-status-codes), by number. */
static const struct rule codes[] = {
    {10003, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED, "there is no such channel"},
    {10004, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED, "there is no such server"},
    {10008, DISCORD_MESSAGE_GONE, ERROR_REFUSED, "the message is gone"},
    {10013, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED, "there is no such person"},
    {10014, DISCORD_REFUSED, ERROR_REFUSED, "Discord knows no such emoji"},
    {10015, DISCORD_INTERACTION_EXPIRED, ERROR_REFUSED, "the interaction can no longer be answered"},
    {10062, DISCORD_INTERACTION_EXPIRED, ERROR_REFUSED,
	"the interaction was not answered within three seconds"},
    {20016, DISCORD_RATE_LIMITED, ERROR_LIMITED, "the channel is in slow mode"},
    {20026, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED,
	"Discord has flagged the bot for spam: it may not write there"},
    {20028, DISCORD_RATE_LIMITED, ERROR_LIMITED, "the channel takes no more messages for now"},
    {20029, DISCORD_RATE_LIMITED, ERROR_LIMITED, "the server takes no more messages for now"},
    {30010, DISCORD_REFUSED, ERROR_REFUSED, "the message has as many reactions as it can have"},
    {30032, DISCORD_REFUSED, ERROR_REFUSED, "the application has as many commands as it can have"},
    {30034, DISCORD_REFUSED, ERROR_REFUSED, "too many commands were created today"},
    {30046, DISCORD_RATE_LIMITED, ERROR_LIMITED, "a message older than an hour was edited too often"},
    {40001, DISCORD_BAD_TOKEN, ERROR_REFUSED, "the token was refused"},
    {40003, DISCORD_RATE_LIMITED, ERROR_LIMITED, "private chats are opened too fast"},
    {40005, DISCORD_TOO_LARGE, ERROR_REFUSED, "the file is over Discord's limit"},
    {40058, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED,
	"a forum takes no plain messages: address one of its posts"},
    {40060, DISCORD_INTERACTION_EXPIRED, ERROR_REFUSED, "the interaction was answered already"},
    {40062, DISCORD_RATE_LIMITED, ERROR_LIMITED, "the service is being rate limited"},
    {40333, DISCORD_BLOCKED, ERROR_LIMITED, "Discord's proxy blocks requests of this host"},
    {50001, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED,
	"the bot cannot see this channel: give it the permission View Channel there"},
    {50006, DISCORD_EMPTY, ERROR_REFUSED, "an empty message cannot be sent"},
    {50007, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED,
	"this person takes no private messages from the bot: they must share a server with it and allow "
	"them"},
    {50013, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED,
	"the bot lacks a permission there: Send Messages, Send Messages in Threads, Read Message History, "
	"Add Reactions or Attach Files"},
    {50021, DISCORD_REFUSED, ERROR_REFUSED, "a system message cannot be used for this"},
    {50027, DISCORD_INTERACTION_EXPIRED, ERROR_REFUSED, "the interaction can no longer be answered"},
    {50035, DISCORD_BAD_FORM, ERROR_REFUSED, "Discord does not take this form"},
    {50045, DISCORD_TOO_LARGE, ERROR_REFUSED, "the file is over Discord's limit"},
    {50083, DISCORD_ARCHIVED, ERROR_REFUSED, "the thread is archived"},
    {50109, DISCORD_BAD_FORM, ERROR_REFUSED, "Discord could not read the request"},
    {50278, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED, "the bot shares no server with this person"},
    {90001, DISCORD_REFUSED, ERROR_REFUSED, "the reaction was blocked"},
    {110000, DISCORD_RATE_LIMITED, ERROR_LIMITED, "Discord asks for a pause"},
    {130000, DISCORD_RATE_LIMITED, ERROR_LIMITED, "Discord is overloaded and asks for a pause"},
    {160002, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED,
	"the bot cannot answer there: give it the permission Read Message History"},
    {160005, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED, "the thread is locked"},
    {200000, DISCORD_REFUSED, ERROR_REFUSED, "the server's rules (AutoMod) blocked the message"},
    {200001, DISCORD_REFUSED, ERROR_REFUSED, "the server's rules (AutoMod) blocked the title"},
    {240000, DISCORD_REFUSED, ERROR_REFUSED, "Discord blocked a link in the message"},
};

/* By status, for unknown codes. */
static const struct rule statuses[] = {
    {401, DISCORD_BAD_TOKEN, ERROR_REFUSED, "the token was refused"},
    {403, DISCORD_CHAT_UNREACHABLE, ERROR_REFUSED, "the bot may not do this there"},
    {404, DISCORD_REFUSED, ERROR_REFUSED, "Discord does not know this resource"},
    {408, DISCORD_SERVER_ERROR, ERROR_NETWORK, "Discord waited too long for the request"},
    {413, DISCORD_TOO_LARGE, ERROR_REFUSED, "the request is too large"},
    {429, DISCORD_RATE_LIMITED, ERROR_LIMITED, "Discord asks for a pause"},
};
static const struct rule refused = {0, DISCORD_REFUSED, ERROR_REFUSED, "Discord refused it"};
static const struct rule trouble = {0, DISCORD_SERVER_ERROR, ERROR_NETWORK, "Discord has a server error"};
static const struct rule blocked = {0, DISCORD_BLOCKED, ERROR_LIMITED, "Discord's proxy asks for a pause"};
static const struct rule no_reference = {
    0, DISCORD_REPLY_TARGET_GONE, ERROR_REFUSED, "the message to answer is gone"};

static const struct rule *find(const struct rule *rules, size_t count, int number)
{
	for (size_t i = 0; i < count; i++)
		if (rules[i].code == number)
			return &rules[i];
	return NULL;
}

static const struct rule *find_rule(int status, int code, struct json_object *reply)
{
	const struct rule *r = code != 0 ? find(codes, ARRAY_LEN(codes), code) : NULL;

	/* Too many requests from this address, or a request that it finds suspicious ("error code: 1015",
	 * pages of HTML). */
	if (!reply && (status == 429 || status == 403))
		return &blocked;
	/* A failure between us and Discord does not tell whether the request had an effect. */
	if (status < 400 || status >= 500)
		return &trouble;
	if (code == 50035 && json_get(json_get_object(reply, "errors"), "message_reference"))
		return &no_reference;
	/* Rate limits are recognised by status, whatever the code. */
	if (r && status != 429)
		return r;
	r = find(statuses, ARRAY_LEN(statuses), status);
	return r ? r : &refused;
}

/* The longer of the two: the header counts full seconds. */
static uint64_t retry_ms(struct json_object *reply, uint64_t header_ms, uint64_t fallback)
{
	double s = json_get_double(reply, "retry_after", 0);
	uint64_t ms = s > 0 ? (uint64_t)((s < RETRY_MAX_S ? s : RETRY_MAX_S) * 1000) : 0;

	ms = ms > header_ms ? ms : header_ms;
	return ms > 0 ? ms : fallback;
}

/* The path and text of the first form error: "content: Must be 2000 or fewer in length." */
static void add_form_error(struct buf *out, struct json_object *errors, unsigned depth)
{
	struct json_object *list = json_get_array(errors, "_errors"), *first;

	if (list && (first = json_object_array_get_idx(list, 0)) && json_get_str(first, "message")) {
		buf_addf(out, ": %s", json_get_str(first, "message"));
		return;
	}
	if (!errors || depth > 6)
		return;
	json_object_object_foreach(errors, key, value) {
		buf_addf(out, "%s%s", depth > 0 ? "." : " ", key);
		if (json_object_is_type(value, json_type_object))
			add_form_error(out, value, depth + 1);
		return;
	}
}

void discord_outcome_read(
    struct discord_outcome *out, int status, struct json_object *reply, uint64_t header_ms)
{
	struct json_object *o = json_object_is_type(reply, json_type_object) ? reply : NULL;
	const char *message = json_get_str(o, "message");
	struct buf detail = BUF_INIT;
	const struct rule *r;

	*out = (struct discord_outcome){
	    .class = DISCORD_OK, .status = status, .code = (int)json_get_int(o, "code", 0)};
	if (status == 204 || (status >= 200 && status < 300 && reply))
		return;
	r = find_rule(status, out->code, reply);
	out->class = r->class;
	out->global = r->class == DISCORD_RATE_LIMITED && json_get_bool(o, "global", false);
	if (r->kind == ERROR_LIMITED)
		out->retry_ms =
		    retry_ms(o, header_ms, r->class == DISCORD_BLOCKED ? BLOCKED_MS : RETRY_DEFAULT_MS);
	buf_addstr(&detail, message ? message : !reply ? "the answer is not JSON" : "no message");
	add_form_error(&detail, json_get_object(o, "errors"), 0);
	error_set(&out->why, r->kind, "%s (%d %.140s)", r->meaning, out->code != 0 ? out->code : status,
	    detail.data);
	out->why.code = out->code != 0 ? out->code : status;
	out->why.retry_ms = out->retry_ms;
	out->why.uncertain = r->class == DISCORD_SERVER_ERROR;
	buf_clear(&detail);
}
