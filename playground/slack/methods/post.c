#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/slack/world/app.h"
#include "playground/slack/methods/compose.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/socket/event.h"
#include "playground/slack/world/message.h"
#include "playground/slack/http/methods.h"

static int take_turn(struct slk_call *call, const struct slk_conv *c)
{
	unsigned wait = call->world->set.limits ?
	    slk_limit_take(&call->app->limits, SLK_TIER_MESSAGES, slk_hash(c->id)) :
	    0;

	return wait > 0 ? slk_limited(call, wait) : 0;
}

static void write_answer(struct slk_call *call, const struct slk_conv *c, const struct slk_message *m)
{
	json_set_str(call->out, "channel", c->id);
	json_set_str(call->out, "ts", json_get_str(m->o, "ts"));
	json_set(call->out, "message", slk_message_json(c, m, true));
}

static int post_message(struct slk_call *call)
{
	struct slk_conv *c = slk_call_place(call, "channel");
	struct slk_content content;
	struct slk_message *m;
	int64_t thread;

	if (!c || slk_call_thread(call, c, &thread) != 0 ||
	    slk_compose(call, &content, SLK_TEXT_MAX, false) != 0)
		return -1;
	if (take_turn(call, c) != 0) {
		slk_content_clear(&content);
		return -1;
	}
	m = slk_message_add(c, call->app, NULL, thread);
	slk_content_set(&content, m);
	json_set_str(m->o, "username", json_get_str(call->params, "username"));
	if (thread != 0 && json_get_bool(call->params, "reply_broadcast", false))
		json_set_str(m->o, "subtype", "thread_broadcast");
	slk_conv_set_status(c, thread, "");
	write_answer(call, c, m);
	slk_event_message(c, m);
	slk_content_clear(&content);
	return 0;
}

static const struct slk_param post_message_params[] = {
    {"as_user", SLK_BOOL, 0, NULL},
    {"attachments", SLK_ARRAY, 0, "invalid_attachments"},
    {"blocks", SLK_ARRAY, 0, "invalid_blocks_format"},
    {"channel", SLK_STRING, SLK_REQUIRED, "channel_not_found"},
    {"current_draft_last_updated_ts", SLK_STRING, SLK_NOT_SIMULATED, NULL},
    {"icon_emoji", SLK_STRING, 0, NULL},
    {"icon_url", SLK_STRING, 0, NULL},
    {"link_names", SLK_BOOL, 0, NULL},
    {"markdown_text", SLK_STRING, 0, NULL},
    {"metadata", SLK_OBJECT, 0, "invalid_metadata_format"},
    {"mrkdwn", SLK_BOOL, 0, NULL},
    {"parse", SLK_STRING, 0, NULL},
    {"reply_broadcast", SLK_BOOL, 0, NULL},
    {"text", SLK_STRING, 0, NULL},
    {"thread_ts", SLK_STRING, 0, NULL},
    {"unfurl_links", SLK_BOOL, 0, NULL},
    {"unfurl_media", SLK_BOOL, 0, NULL},
    {"username", SLK_STRING, 0, NULL},
};

const struct slk_method slk_chat_post_message = {
    "chat.postMessage", SLK_TIER_SPECIAL, 0, "chat:write", SLK_PARAMS(post_message_params), post_message};

static int post_ephemeral(struct slk_call *call)
{
	struct slk_conv *c = slk_call_place(call, "channel");
	const char *user = json_get_str(call->params, "user");
	struct slk_content content;
	struct slk_message *m;
	int64_t thread;

	if (!c || slk_call_thread(call, c, &thread) != 0)
		return -1;
	if (!slk_conv_has(c, user) || !slk_find_user(call->world, user))
		return slk_fail(call, "user_not_in_channel");
	if (slk_compose(call, &content, SLK_TEXT_MAX - 1, false) != 0)
		return -1;
	m = slk_message_add(c, call->app, NULL, thread);
	str_copy(m->ephemeral, sizeof(m->ephemeral), user);
	slk_content_set(&content, m);
	json_set_str(call->out, "message_ts", json_get_str(m->o, "ts"));
	slk_content_clear(&content);
	return 0;
}

static const struct slk_param post_ephemeral_params[] = {
    {"as_user", SLK_BOOL, 0, NULL},
    {"attachments", SLK_ARRAY, 0, "invalid_attachments"},
    {"blocks", SLK_ARRAY, 0, "invalid_blocks_format"},
    {"channel", SLK_STRING, SLK_REQUIRED, "channel_not_found"},
    {"icon_emoji", SLK_STRING, 0, NULL},
    {"icon_url", SLK_STRING, 0, NULL},
    {"link_names", SLK_BOOL, 0, NULL},
    {"markdown_text", SLK_STRING, 0, NULL},
    {"parse", SLK_STRING, 0, NULL},
    {"text", SLK_STRING, 0, NULL},
    {"thread_ts", SLK_STRING, 0, NULL},
    {"user", SLK_STRING, SLK_REQUIRED, NULL},
    {"username", SLK_STRING, 0, NULL},
};

const struct slk_method slk_chat_post_ephemeral = {
    "chat.postEphemeral", SLK_TIER_4, 0, "chat:write", SLK_PARAMS(post_ephemeral_params), post_ephemeral};

static int update(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel");
	struct slk_message *m = c ? slk_call_message(call, c, "ts") : NULL;
	struct slk_content content;

	if (!m)
		return -1;
	if (c->refusal)
		return slk_fail(call, strcmp(c->refusal, "is_archived") == 0 ? "is_inactive" : c->refusal);
	if (m->app != call->app)
		return slk_fail(call, "cant_update_message");
	if (slk_message_streams(m))
		return slk_fail(call, "streaming_state_conflict");
	if (slk_compose(call, &content, SLK_UPDATE_MAX, false) != 0)
		return -1;
	slk_message_edit(c, m, &content, call->app->user_id);
	write_answer(call, c, m);
	json_set_str(call->out, "text", slk_message_text(m));
	slk_content_clear(&content);
	return 0;
}

static const struct slk_param update_params[] = {
    {"as_user", SLK_BOOL, 0, NULL},
    {"attachments", SLK_ARRAY, 0, "invalid_attachments"},
    {"blocks", SLK_ARRAY, 0, "invalid_blocks_format"},
    {"channel", SLK_STRING, SLK_REQUIRED, "channel_not_found"},
    {"file_ids", SLK_ARRAY, SLK_NOT_SIMULATED, NULL},
    {"link_names", SLK_BOOL, 0, NULL},
    {"markdown_text", SLK_STRING, 0, NULL},
    {"metadata", SLK_OBJECT, 0, "invalid_metadata_format"},
    {"parse", SLK_STRING, 0, NULL},
    {"reply_broadcast", SLK_BOOL, SLK_NOT_SIMULATED, NULL},
    {"text", SLK_STRING, 0, NULL},
    {"ts", SLK_STRING, SLK_REQUIRED, NULL},
    {"unfurled_attachments", SLK_STRING, SLK_NOT_SIMULATED, NULL},
};

const struct slk_method slk_chat_update = {
    "chat.update", SLK_TIER_3, 0, "chat:write", SLK_PARAMS(update_params), update};

static int delete_message(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel");
	struct slk_message *m = c ? slk_call_message(call, c, "ts") : NULL;

	if (!m)
		return -1;
	if (m->app != call->app)
		return slk_fail(call, "cant_delete_message");
	json_set_str(call->out, "channel", c->id);
	json_set_str(call->out, "ts", json_get_str(m->o, "ts"));
	slk_message_delete(c, m);
	return 0;
}

static const struct slk_param delete_params[] = {
    {"as_user", SLK_BOOL, 0, NULL},
    {"channel", SLK_STRING, SLK_REQUIRED, "channel_not_found"},
    {"ts", SLK_STRING, SLK_REQUIRED, NULL},
};

const struct slk_method slk_chat_delete = {
    "chat.delete", SLK_TIER_3, 0, "chat:write", SLK_PARAMS(delete_params), delete_message};

static int get_permalink(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel");
	struct slk_message *m = c ? slk_call_message(call, c, "message_ts") : NULL;
	const char *thread = m ? json_get_str(m->o, "thread_ts") : NULL;
	char *link;

	if (!m)
		return -1;
	link = thread ? xasprintf("https://playground.slack.com/archives/%s/p%" PRId64 "?thread_ts=%s&cid=%s",
			    c->id, m->ts, thread, c->id) :
			xasprintf("https://playground.slack.com/archives/%s/p%" PRId64, c->id, m->ts);
	json_set_str(call->out, "channel", c->id);
	json_set_str(call->out, "permalink", link);
	free(link);
	return 0;
}

static const struct slk_param get_permalink_params[] = {
    {"channel", SLK_STRING, SLK_REQUIRED, "channel_not_found"},
    {"message_ts", SLK_STRING, SLK_REQUIRED, NULL},
};

const struct slk_method slk_chat_get_permalink = {"chat.getPermalink", SLK_TIER_SPECIAL, SLK_FORM_ONLY, NULL,
    SLK_PARAMS(get_permalink_params), get_permalink};
