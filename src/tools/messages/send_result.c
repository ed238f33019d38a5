#include "tools/messages/send_result.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/post.h"
#include "tools/messages/recipient.h"
#include "tools/tools_internal.h"

static struct json_object *not_stored(const char *tool, const struct error *err)
{
	if (err->kind == ERROR_LIMITED)
		return tool_failure(
		    tool, "LIMIT_REACHED", "RATE", "%s Nothing was sent; try again later.", err->text);
	return tool_failure(tool, "UNAVAILABLE", NULL,
	    "The message could not be stored: %s Nothing was sent; try again later.", err->text);
}

/* How platforms report that there is no such chat: the Bot API's description, Slack's error, Discord's
 * 10003. */
static bool says_no_chat(const char *reason)
{
	static const char *const words[] = {
	    "chat not found", "PEER_ID_INVALID", "channel_not_found", "Unknown Channel"};

	for (size_t i = 0; reason && i < ARRAY_LEN(words); i++)
		if (strcasestr(reason, words[i]))
			return true;
	return false;
}

/* Appends the platform's message, the part of the text that it concerns, and advice. */
static void add_words(struct buf *out, const struct post_recipient *s)
{
	const char *reason = s->row ? s->row->reason : s->why;
	enum outbound_state state = post_state(s);

	if (reason && *reason)
		buf_addf(out, "%s%s", reason, reason[strlen(reason) - 1] == '.' ? "" : ".");
	if (!s->ids) {
		buf_addstr(out, " It was not stored: try again later.");
		return;
	}
	if (s->parts > 1 && (state == OUTBOUND_FAILED || state == OUTBOUND_UNCERTAIN))
		buf_addf(out,
		    " This is part %zu of %zu: what comes before it was sent, what follows was not.", s->part,
		    s->parts);
	if (state == OUTBOUND_UNCERTAIN)
		buf_addstr(out, " It may have arrived: check before sending it again.");
	else if (state == OUTBOUND_FAILED)
		buf_addstr(out, " The same message would fail again: change it, or tell the person.");
}

static const char *code_of(const struct post_recipient *s)
{
	if (!s->ids)
		return "UNAVAILABLE";
	return s->row && says_no_chat(s->row->reason) ? "NOT_FOUND" : "TOOL_FAILED";
}

static struct json_object *row_of(const struct post_recipient *s, const struct post *p)
{
	struct json_object *o = json_object_new_object();
	enum outbound_state state = post_state(s);
	struct buf words = BUF_INIT;

	add_words(&words, s);
	json_set_str(o, "status", outbound_state_name(state));
	json_set_str(o, "channel", s->to.channel);
	json_set_str(o, "chat_id", s->to.chat);
	json_set_str(o, "thread", *s->to.thread ? s->to.thread : NULL);
	json_set_int(o, "content_length", (int64_t)strlen(p->text));
	if (p->file_size > 0)
		json_set_int(o, "size", p->file_size);
	if (state == OUTBOUND_SENT)
		json_set_str(o, "message_id", s->row->platform_id);
	if (state == OUTBOUND_FAILED)
		json_set_str(o, "error_code", code_of(s));
	json_set_str(o, state == OUTBOUND_FAILED ? "error" : "message", words.len ? words.data : NULL);
	buf_clear(&words);
	return o;
}

static size_t count_status(struct json_object *rows, enum outbound_state state)
{
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(rows); i++) {
		const char *status = json_get_str(json_object_array_get_idx(rows, i), "status");
		n += strcmp(status, outbound_state_name(state)) == 0;
	}
	return n;
}

/* Returns the failure when nobody got the message: the first recipient's, with all of them in the context. */
static struct json_object *all_failed(
    const struct tool_call *call, const char *tool, struct json_object *rows)
{
	struct json_object *row = json_object_array_get_idx(rows, 0), *o;
	const char *code = json_get_str(row, "error_code"), *text = json_get_str(row, "error");

	o = strcmp(code, "NOT_FOUND") == 0 ? recipient_unknown(call, tool, text) :
					     tool_failure(tool, code, NULL, "%s", text);
	if (json_object_array_length(rows) > 1)
		json_set(json_get_object(o, "context"), "results", json_object_get(rows));
	return o;
}

static struct json_object *result_of(
    struct task *t, const struct tool_call *call, const char *tool, struct json_object *rows)
{
	static const enum outbound_state order[] = {
	    OUTBOUND_FAILED, OUTBOUND_UNCERTAIN, OUTBOUND_QUEUED, OUTBOUND_SENT};
	size_t count = json_object_array_length(rows), failed = count_status(rows, OUTBOUND_FAILED),
	       worst = 0;

	if (failed == count)
		return all_failed(call, tool, rows);
	if (task_is_cancelled(t) && count_status(rows, OUTBOUND_QUEUED) > 0)
		return tool_failure(tool, "INTERRUPTED", "STOPPED",
		    "The turn was stopped. The message is stored and goes out all the same: do not send it "
		    "again.");
	if (count == 1)
		return json_object_get(json_object_array_get_idx(rows, 0));
	while (count_status(rows, order[worst]) == 0)
		worst++;
	struct json_object *o = json_object_new_object();
	json_set_str(o, "status", outbound_state_name(order[worst]));
	json_set(o, "results", json_object_get(rows));
	if (failed > 0)
		json_set_str(o, "message", "Not all could be reached. Send again only where it failed.");
	return o;
}

struct json_object *send_and_report(
    struct task *t, const struct tool_call *call, const char *tool, struct post *p, uint64_t wait_ms)
{
	struct json_object *rows, *result;
	struct error err = {0};

	if (post_commit(t, p, &err) < 0)
		return not_stored(tool, &err);
	post_await(t, p, wait_ms);
	rows = json_object_new_array();
	for (size_t i = 0; i < p->count; i++)
		json_object_array_add(rows, row_of(&p->items[i], p));
	result = result_of(t, call, tool, rows);
	json_object_put(rows);
	return result;
}

char *send_idempotency_key(const struct tool_call *call)
{
	return call->turn && call->call_id ? xasprintf("call:%lld:%s", (long long)call->turn, call->call_id) :
					     NULL;
}
