#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/spec/spec.h"
#include "playground/telegram/methods/compose.h"

/* Returns the topic's name, cut to its maximum length, malloc'd. */
static char *read_name(struct call *call)
{
	const char *name = json_get_str(call->params, "name");

	return name ? xstrndup(name, utf8_cut(name, strlen(name), TOPIC_NAME_MAX, UTF8_CHARS)) : xstrdup("");
}

static int check_right(struct call *call, const struct chat *c, const char *right, const char *what)
{
	return bot_may(c, chat_find_member(c, call->bot), right) ?
	    0 :
	    call_fail(call, 400, "Bad Request: not enough rights to %s", what);
}

/* Returns NULL after call_fail. */
static struct chat *find_forum(struct call *call)
{
	struct chat *c = call_chat(call);

	if (!c || c->forum)
		return c;
	call_fail(call, 400, "Bad Request: the chat is not a forum");
	return NULL;
}

/* Finds a forum where the bot may manage topics; NULL after call_fail. */
static struct chat *open_forum(struct call *call, const char *what)
{
	struct chat *c = find_forum(call);

	return c && check_right(call, c, "can_manage_topics", what) == 0 ? c : NULL;
}

static struct topic *find_topic(struct call *call, struct chat **c)
{
	struct topic *topic;

	*c = find_forum(call);
	topic = *c ? topics_find(&(*c)->topics, json_get_int(call->params, "message_thread_id", 0)) : NULL;
	if (*c && !topic)
		call_fail(call, 400, "Bad Request: message thread not found");
	return topic;
}

/* Finds a topic that the bot may manage, or has created (Bot API, editForumTopic); NULL after call_fail. */
static struct topic *open_topic(struct call *call, const char *what, struct chat **c)
{
	struct topic *topic = find_topic(call, c);
	const struct message *first = topic ? chat_message(*c, topic->id) : NULL;
	bool own = first && first->bot == call->bot && message_is_service(first, "forum_topic_created");

	return topic && (own || check_right(call, *c, "can_manage_topics", what) == 0) ? topic : NULL;
}

int method_create_forum_topic(struct call *call)
{
	int64_t color = json_get_int(call->params, "icon_color", TOPIC_COLOR);
	struct chat *c = open_forum(call, "create a topic");
	struct topic *topic;
	char *name;

	if (!c)
		return -1;
	name = read_name(call);
	topic = service_create_topic(c, (struct author){.bot = call->bot}, name, color);
	buf_addf(&call->result, "{\"message_thread_id\":%" PRId64 ",\"name\":", topic->id);
	json_quote(&call->result, name, strlen(name));
	buf_addf(&call->result, ",\"icon_color\":%" PRId64 "}", color);
	free(name);
	return 0;
}

int method_edit_forum_topic(struct call *call)
{
	struct topic *topic;
	struct chat *c;
	char *name;

	topic = open_topic(call, "edit the topic", &c);
	if (!topic)
		return -1;
	name = read_name(call);
	if (name[0] == '\0' || strcmp(name, topic->name) == 0) {
		free(name);
		return call_fail(call, 400, "Bad Request: TOPIC_NOT_MODIFIED");
	}
	service_rename_topic(c, (struct author){.bot = call->bot}, topic, name);
	free(name);
	return call_true(call);
}

int method_close_topic(struct call *call)
{
	bool closed = call_is(call, "closeForumTopic");
	struct chat *c;
	struct topic *topic = open_topic(call, "close or open the topic", &c);

	if (!topic)
		return -1;
	if (topic->closed == closed)
		return call_fail(call, 400, "Bad Request: TOPIC_NOT_MODIFIED");
	service_close_topic(c, (struct author){.bot = call->bot}, topic, closed);
	return call_true(call);
}

/* Deletes it with all its messages (Bot API, deleteForumTopic). */
int method_delete_forum_topic(struct call *call)
{
	struct chat *c;
	struct topic *topic = find_topic(call, &c);

	if (!topic || check_right(call, c, "can_delete_messages", "delete the topic") != 0)
		return -1;
	service_delete_topic(c, topic);
	return call_true(call);
}

int method_edit_general_forum_topic(struct call *call)
{
	struct chat *c = open_forum(call, "edit the topic");
	char *name;
	int ret = 0;

	if (!c)
		return -1;
	name = read_name(call);
	if (strcmp(name, topic_general_name(c->settings)) == 0)
		ret = call_fail(call, 400, "Bad Request: TOPIC_NOT_MODIFIED");
	else
		service_rename_general(c, (struct author){.bot = call->bot}, name);
	free(name);
	return ret == 0 ? call_true(call) : -1;
}

/* The general topic is closed while it is hidden. */
int method_set_general_topic(struct call *call)
{
	bool on = call_is(call, "closeGeneralForumTopic") || call_is(call, "hideGeneralForumTopic");
	const char *what = strstr(call->spec->name, "hide") ? "hidden" : "closed";
	struct chat *c = open_forum(call, "close or open the topic");

	if (!c)
		return -1;
	if (json_get_bool(chat_part(c, "general"), what, false) == on)
		return call_fail(call, 400, "Bad Request: TOPIC_NOT_MODIFIED");
	service_set_general(c, (struct author){.bot = call->bot}, what, on);
	return call_true(call);
}
