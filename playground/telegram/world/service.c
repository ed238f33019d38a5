#include <inttypes.h>
#include <string.h>

#include "playground/telegram/world/world_internal.h"

static struct message *new_message(struct author by, const struct topic *topic, char *members)
{
	struct message *m = telegram_message_new();

	m->user = by.user;
	m->bot = by.bot;
	m->service = members;
	m->thread = topic ? (int32_t)topic->id : 0;
	m->topic = topic;
	return m;
}

int32_t service_add(struct chat *c, struct author by, const struct topic *topic, char *members)
{
	struct message *m = new_message(by, topic, members);

	chat_add_message(c, m);
	deliver_message(c, m, false);
	return m->id;
}

struct topic *service_create_topic(struct chat *c, struct author by, const char *name, int64_t color)
{
	struct topic *topic;
	struct message *m;
	struct buf text = BUF_INIT;

	buf_addstr(&text, "\"forum_topic_created\":{\"name\":");
	json_quote(&text, name, strlen(name));
	buf_addf(&text, ",\"icon_color\":%" PRId64 "}", color);
	m = new_message(by, NULL, buf_take(&text));
	if (c->last_id < TOPIC_GENERAL) /* that id is reserved */
		c->last_id = TOPIC_GENERAL;
	chat_add_message(c, m);
	topic = topics_add(&c->topics, m->id, name);
	topic->color = color;
	m->thread = m->id;
	m->topic = true;
	deliver_message(c, m, false);
	return topic;
}

void service_rename_topic(struct chat *c, struct author by, struct topic *topic, const char *name)
{
	struct buf text = BUF_INIT;

	topic_rename(topic, name);
	buf_addstr(&text, "\"forum_topic_edited\":{\"name\":");
	json_quote(&text, name, strlen(name));
	buf_addch(&text, '}');
	service_add(c, by, topic, buf_take(&text));
}

void service_close_topic(struct chat *c, struct author by, struct topic *topic, bool closed)
{
	topic->closed = closed;
	service_add(
	    c, by, topic, xstrdup(closed ? "\"forum_topic_closed\":{}" : "\"forum_topic_reopened\":{}"));
}

void service_delete_topic(struct chat *c, struct topic *topic)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->messages[i]->topic && c->messages[i]->thread == topic->id && !c->messages[i]->deleted)
			chat_delete_message(c, c->messages[i]);
	topics_remove(&c->topics, topic);
}

void service_rename_general(struct chat *c, struct author by, const char *name)
{
	struct buf text = BUF_INIT;

	json_set_str(chat_part(c, "general"), "name", name);
	buf_addstr(&text, "\"forum_topic_edited\":{\"name\":");
	json_quote(&text, name, strlen(name));
	buf_addch(&text, '}');
	service_add(c, by, NULL, buf_take(&text));
}

void service_set_general(struct chat *c, struct author by, const char *what, bool on)
{
	bool hidden = strcmp(what, "hidden") == 0;
	struct json_object *general = chat_part(c, "general");

	json_set_bool(general, what, on);
	/* Bot API, hideGeneralForumTopic and reopenGeneralForumTopic; unhideGeneralForumTopic leaves it
	 * closed. */
	if (hidden && on)
		json_set_bool(general, "closed", true);
	else if (!hidden && !on)
		json_set_bool(general, "hidden", false);
	service_add(c, by, NULL,
	    xasprintf("\"%sforum_topic_%s\":{}", hidden ? "general_" : "",
		hidden ? on ? "hidden" : "unhidden" :
		    on ? "closed" :
			 "reopened"));
}

static void write_who(struct author who, struct buf *out)
{
	if (who.bot)
		bot_write(who.bot, out);
	else
		user_write(who.user, out);
}

void service_member(struct chat *c, struct author by, struct author who, bool joined)
{
	struct buf text = BUF_INIT;

	buf_addstr(&text, joined ? "\"new_chat_members\":[" : "\"left_chat_member\":");
	write_who(who, &text);
	if (joined)
		buf_addch(&text, ']');
	service_add(c, by, NULL, buf_take(&text));
}
