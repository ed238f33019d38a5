#include <string.h>

#include "base/buf.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/slack/methods/compose.h"

static int check_task(struct slk_call *call, struct json_object *chunk)
{
	static const char *const states[] = {"pending", "in_progress", "complete", "error", NULL};
	const char *status = json_get_str(chunk, "status");
	size_t i = 0;

	if (!json_get_str(chunk, "id") || !json_get_str(chunk, "title") || !status)
		return slk_refuse(call, "invalid_chunks", "a task_update has id, title and status");
	while (states[i] && strcmp(states[i], status) != 0)
		i++;
	return states[i] ? 0 : slk_refuse(call, "invalid_chunks", "there is no status \"%.20s\"", status);
}

/* Appends the text of one chunk; those of tasks and plans appear beside it. */
static int read_chunk(struct slk_call *call, struct json_object *chunk, struct buf *text)
{
	const char *type = json_get_str(chunk, "type"), *s = json_get_str(chunk, "text");
	struct json_object *blocks = json_get_array(chunk, "blocks");

	if (type && strcmp(type, "markdown_text") == 0 && s) {
		buf_addstr(text, s);
		return 0;
	}
	if (type && strcmp(type, "task_update") == 0)
		return check_task(call, chunk);
	if (type && strcmp(type, "plan_update") == 0 && json_get_str(chunk, "title"))
		return 0;
	if (type && strcmp(type, "blocks") == 0 && blocks)
		return slk_blocks_check(call, blocks);
	return slk_refuse(call, "invalid_chunks", "there is no such chunk");
}

/* Reads the text that markdown_text or chunks add. needed: there must be some. */
static int read_text(struct slk_call *call, struct buf *text, bool needed)
{
	const char *markdown = json_get_str(call->params, "markdown_text");
	struct json_object *chunks = json_get_array(call->params, "chunks");
	size_t count = json_count(chunks), silent = 0;

	if (markdown && chunks)
		return slk_refuse(call, "invalid_arguments", "markdown_text goes without chunks");
	if (markdown)
		buf_addstr(text, markdown);
	for (size_t i = 0; i < count; i++) {
		struct json_object *chunk = json_at(chunks, i);

		if (read_chunk(call, chunk, text) != 0)
			return -1;
		silent += json_get_str(chunk, "text") != NULL;
	}
	if (needed && text->len == 0 && silent == count)
		return slk_refuse(call, "no_text", "nothing is appended");
	return utf8_count(text->data, text->len, UTF8_CHARS) > SLK_MARKDOWN_MAX ?
	    slk_refuse(call, "msg_too_long", "more than %d characters at a time", SLK_MARKDOWN_MAX) :
	    0;
}

static void append(struct slk_message *m, const struct buf *text)
{
	struct buf all = BUF_INIT;

	buf_addstr(&all, slk_message_text(m));
	buf_add(&all, text->data, text->len);
	json_set_str(m->o, "text", all.data);
	buf_clear(&all);
}

/* chat.startStream: the recipient is required outside of direct messages. */
static int check_recipient(struct slk_call *call, const struct slk_conv *c)
{
	const char *team = json_get_str(call->params, "recipient_team_id"),
		   *user = json_get_str(call->params, "recipient_user_id");

	if (c->kind == SLK_IM && !team && !user)
		return 0;
	if (!team || team[0] == '\0')
		return slk_refuse(call, "missing_recipient_team_id",
		    "recipient_team_id is needed outside of direct messages");
	if (!user || user[0] == '\0')
		return slk_refuse(call, "missing_recipient_user_id",
		    "recipient_user_id is needed outside of direct messages");
	if (strcmp(team, SLK_TEAM) != 0)
		return slk_fail(call, "team_not_found");
	return slk_is_id(user, "UW") && slk_find_user(call->world, user) && slk_conv_has(c, user) ?
	    0 :
	    slk_fail(call, "user_not_found");
}

int slk_chat_start_stream(struct slk_call *call)
{
	struct slk_conv *c = slk_call_target(call, "channel");
	const char *mode = json_get_str(call->params, "task_display_mode");
	struct buf text = BUF_INIT;
	struct slk_message *m;
	int64_t thread;
	int ret = -1;

	if (!c || slk_call_thread(call, c, &thread) != 0 || check_recipient(call, c) != 0)
		return -1;
	if (thread == 0)
		return slk_refuse(call, "invalid_thread_ts", "a stream is a reply");
	if (mode && strcmp(mode, "timeline") != 0 && strcmp(mode, "plan") != 0 && strcmp(mode, "dense") != 0)
		return slk_refuse(call, "invalid_arguments",
		    "must be timeline, plan or dense [json-pointer:/task_display_mode]");
	if (read_text(call, &text, false) != 0)
		goto out;
	m = slk_message_add(c, call->app, NULL, thread);
	json_setf(m->o, "text: %s, streaming_state: 'in_progress'", text.data);
	m->stream = SLK_STREAM_OPEN;
	m->stream_until_ms = clock_now() + (uint64_t)call->world->set.stream_ms;
	slk_conv_set_status(c, thread, "");
	json_setf(call->out, "channel: %s, ts: %s", c->id, json_get_str(m->o, "ts"));
	slk_event_message(c, m);
	ret = 0;
out:
	buf_clear(&text);
	return ret;
}

/* Finds a message that is still being streamed; NULL after slk_fail. stopped: the error if its reader
 * stopped it. */
static struct slk_message *find_stream(struct slk_call *call, struct slk_conv **c, const char *stopped)
{
	struct slk_message *m;

	*c = slk_call_target(call, "channel");
	m = *c ? slk_call_message(call, *c, "ts") : NULL;
	if (!m)
		return NULL;
	if (m->app != call->app)
		slk_fail(call, "message_not_owned_by_app");
	else if (m->stream == SLK_STREAM_STOPPED)
		slk_fail(call, stopped);
	else if (!slk_message_streams(m))
		slk_fail(call, "message_not_in_streaming_state");
	else
		return m;
	return NULL;
}

static void answer(struct slk_call *call, const struct slk_conv *c, const struct slk_message *m)
{
	json_setf(call->out, "channel: %s, ts: %s", c->id, json_get_str(m->o, "ts"));
}

int slk_chat_append_stream(struct slk_call *call)
{
	struct slk_conv *c;
	struct slk_message *m = find_stream(call, &c, "stopped_by_user");
	struct buf text = BUF_INIT;
	int ret = m ? read_text(call, &text, true) : -1;

	if (ret == 0) {
		append(m, &text);
		slk_show_message(c, m, "edited");
		answer(call, c, m);
	}
	buf_clear(&text);
	return ret;
}

/* markdown_text is required unless there are chunks. Undocumented: a stream makes no session; a choice. */
int slk_chat_stop_stream(struct slk_call *call)
{
	const char *status = json_get_str(call->params, "session_status");
	struct slk_conv *c;
	struct slk_message *m = find_stream(call, &c, "message_not_in_streaming_state");
	struct json_object *blocks = json_get_array(call->params, "blocks"),
			   *metadata = json_get_object(call->params, "metadata"), *before;
	struct slk_content content = {.blocks = blocks, .metadata = metadata};
	struct buf text = BUF_INIT;
	int ret = -1;

	if (!m || slk_session_check_status(call, "session_status") != 0 ||
	    read_text(call, &text, false) != 0 || slk_metadata_check(call, metadata) != 0 ||
	    (blocks && slk_blocks_check(call, blocks) != 0))
		goto out;
	before = slk_copy(m->o);
	append(m, &text);
	slk_content_set(&content, m);
	json_set_str(m->o, "streaming_state", "completed");
	m->stream = SLK_STREAM_ENDED;
	slk_show_message(c, m, "edited");
	if (slk_session_agent(slk_session_find(c, m->thread), call->app))
		slk_session_set_status(c, m->thread, call->app, status ? status : "active");
	answer(call, c, m);
	json_set(call->out, "message", slk_message_json(c, m, true));
	slk_event_changed(c, m, before);
	ret = 0;
out:
	buf_clear(&text);
	return ret;
}
