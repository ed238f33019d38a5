#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "playground/server/exchange.h"
#include "playground/slack/methods/compose.h"

/* docs.slack.dev/reference/methods/chat.scheduleMessage */
#define AHEAD_MAX_S  ((int64_t)120 * 24 * 3600)
#define WINDOW_S     300
#define WINDOW_MAX   30 /* of a channel in a window */
#define DELETE_MIN_S 60 /* chat.deleteScheduledMessage: sooner it is on its way */

static bool is_full(const struct slk_conv *c, int64_t post_at)
{
	size_t n = 0;

	list_each_entry(&c->world->scheduled, const struct slk_scheduled, s, link)
		n += s->conv == c && s->post_at / WINDOW_S == post_at / WINDOW_S;
	return n >= WINDOW_MAX;
}

static int check_time(struct slk_call *call, const struct slk_conv *c, int64_t post_at)
{
	int64_t now = clock_wall() / 1000;

	if (post_at <= 0)
		return slk_refuse(call, "invalid_time", "post_at must be a Unix time in seconds");
	if (post_at <= now)
		return slk_fail(call, "time_in_past");
	if (post_at > now + AHEAD_MAX_S)
		return slk_fail(call, "time_too_far");
	return is_full(c, post_at) ? slk_fail(call, "restricted_too_many") : 0;
}

/* The message as it will be, without a ts. */
static struct json_object *preview(const struct slk_scheduled *s)
{
	struct json_object *o = json_object_new_object();
	const char *text = json_get_str(s->content, "text");

	json_setf(o, "type: 'delayed_message', text: %s, user: %s, bot_id: %s, team: %s, bot_profile: %p",
	    text ? text : "", s->app->user_id, s->app->bot_id, SLK_TEAM, slk_app_profile_json(s->app));
	if (json_get(s->content, "blocks"))
		json_set(o, "blocks", slk_copy(json_get(s->content, "blocks")));
	return o;
}

int slk_chat_schedule_message(struct slk_call *call)
{
	struct slk_conv *c = slk_call_target(call, "channel");
	int64_t post_at = json_get_int(call->params, "post_at", 0), thread;
	struct slk_content content;
	struct slk_scheduled *s;

	if (!c || check_time(call, c, post_at) != 0 || slk_call_thread(call, c, &thread) != 0 ||
	    slk_compose(call, &content, SLK_TEXT_MAX - 1, false) != 0)
		return -1;
	s = slk_scheduled_new(
	    c, call->app, thread, json_get_bool(call->params, "reply_broadcast", false), post_at, &content);
	if (content.metadata)
		exchange_remark(call->ex, "the platform does not post a scheduled message that has metadata");
	slk_content_clear(&content);
	json_setf(call->out, "channel: %s, scheduled_message_id: %s, post_at: %jd, message: %p", c->id, s->id,
	    post_at, preview(s));
	return 0;
}

int slk_chat_delete_scheduled_message(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "scheduled_message_id");
	struct slk_conv *c = slk_call_conv(call, "channel");

	if (!c)
		return -1;
	list_each_entry(&call->world->scheduled, struct slk_scheduled, s, link) {
		if (strcmp(s->id, id) != 0 || s->conv != c || s->app != call->app ||
		    s->post_at < clock_wall() / 1000 + DELETE_MIN_S)
			continue;
		slk_scheduled_free(s);
		slk_show_conv(c);
		return 0;
	}
	return slk_fail(call, "invalid_scheduled_message_id");
}

static bool read_seconds(struct slk_call *call, const char *name, int64_t *out)
{
	const char *text = json_get_str(call->params, name);
	char *end;

	if (!text)
		return true;
	*out = strtoll(text, &end, 10);
	return text[0] != '\0' && (*end == '\0' || *end == '.');
}

/* The earliest first. */
static int compare(const void *a, const void *b)
{
	int64_t x = json_get_int(*(struct json_object *const *)a, "post_at", 0),
		y = json_get_int(*(struct json_object *const *)b, "post_at", 0);

	return (x > y) - (x < y);
}

int slk_chat_scheduled_messages_list(struct slk_call *call)
{
	const char *channel = json_get_str(call->params, "channel");
	struct slk_conv *c = channel ? slk_conv_find(call->world, channel) : NULL;
	int64_t oldest = 0, latest = INT64_MAX;
	struct json_object *all;

	if (channel && (!c || !slk_conv_sees(c, call->app)))
		return slk_fail(call, "invalid_channel");
	if (!read_seconds(call, "oldest", &oldest) || !read_seconds(call, "latest", &latest))
		return slk_refuse(
		    call, "invalid_arguments", "oldest and latest must be Unix times in seconds");
	all = json_object_new_array();
	list_each_entry(&call->world->scheduled, struct slk_scheduled, s, link)
		if (s->app == call->app && (!c || s->conv == c) && s->post_at >= oldest &&
		    s->post_at <= latest)
			json_object_array_add(all, slk_scheduled_json(s));
	json_object_array_sort(all, compare);
	return slk_call_answer_page(call, all, 1000, "scheduled_messages");
}
