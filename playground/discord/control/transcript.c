#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/control/control.h"

static struct json_object *labels_json(const struct cord_channel *c)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < c->members.count; i++)
		json_object_array_add(
		    array, json_object_new_string(cord_user_find(c->world, c->members.list[i])->label));
	return array;
}

void cord_transcript_chats(void *self, struct json_object *array)
{
	struct cord_world *w = self;

	list_each_entry(&w->channel_list, struct cord_channel, c, link) {
		struct json_object *o;

		if (cord_channel_is_thread(c) || c->type == CORD_CATEGORY)
			continue;
		o = json_newf("{platform: 'discord', chat: %p, kind: %s, title: %s}", cord_id_or_null(c->id),
		    cord_context_kind(c), c->user ? c->user->label : c->name);
		if (c->user) {
			json_set_str(o, "user", c->user->label);
			if (c->bot->id != 0)
				cord_set_id(o, "bot", c->bot->id);
		} else if (c->guild) {
			json_set_str(o, "guild", c->guild->name);
		} else {
			json_set(o, "people", labels_json(c));
		}
		json_object_array_add(array, o);
	}
}

/* Selects the messages of a channel, and of its threads unless one is requested; by id. */
struct selection {
	struct cord_message **list;
	size_t count;
};

static void add_channel(struct selection *s, const struct cord_channel *c)
{
	s->list = xrealloc(s->list, (s->count + c->count + 1) * sizeof(struct cord_message *));
	for (size_t i = 0; i < c->count; i++)
		s->list[s->count++] = c->messages[i];
}

static int by_id(const void *a, const void *b)
{
	const struct cord_message *x = *(struct cord_message *const *)a,
				  *y = *(struct cord_message *const *)b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int select_messages(
    void *self, struct json_object *in, struct cord_context *actor, struct selection *s, struct error *err)
{
	struct cord_world *w = self;

	*s = (struct selection){NULL, 0};
	if (cord_context_read(w, in, false, actor, err) != 0)
		return -1;
	add_channel(s, actor->channel);
	if (!members_string(in, "thread"))
		list_each_entry(&w->channel_list, struct cord_channel, c, link)
			if (c->parent == actor->channel)
				add_channel(s, c);
	qsort(s->list, s->count, sizeof(struct cord_message *), by_id);
	return 0;
}

static void add_button(struct json_object *array, struct json_object *c)
{
	const char *label = json_get_str(c, "label"), *id = json_get_str(c, "custom_id");

	if (!label)
		label = json_get_str(c, "placeholder");
	if (!id && !json_get_str(c, "url"))
		return;
	json_object_array_add(array,
	    json_newf("{id: %s, label: %s, style: %jd, disabled: %i}", id ? id : json_get_str(c, "url"),
		label ? label : id, json_get_int(c, "style", 0), json_get_bool(c, "disabled", false)));
}

static void add_buttons(struct json_object *array, struct json_object *components)
{
	json_each(components, c) {
		add_buttons(array, json_get_array(c, "components"));
		add_button(array, json_get_object(c, "accessory"));
		add_button(array, c);
	}
}

static struct json_object *files_json(const struct cord_message *m)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < m->file_count; i++) {
		const struct cord_file *f = m->files[i];

		json_object_array_add(array,
		    json_newf("{name: %s, size: %jd, kind: %s, type: %s}", f->name, (int64_t)f->len,
			m->flags & CORD_FLAG_VOICE ? "voice" : "document", f->type));
	}
	return array;
}

static struct json_object *reactions_json(const struct cord_message *m)
{
	struct json_object *array = json_object_new_array();
	struct cord_world *w = m->channel->world;

	for (size_t i = 0; i < m->reaction_count; i++)
		for (size_t k = 0; k < m->reactions[i].users.count; k++) {
			struct cord_user *u = cord_user_find(w, m->reactions[i].users.list[k]);
			struct cord_bot *b = map_get(&w->bots, (int64_t)m->reactions[i].users.list[k], 0);

			json_object_array_add(array,
			    json_newf("{emoji: %s, bot: %i, from: %s}", m->reactions[i].emoji, !u,
				u     ? u->label :
				    b ? b->username :
					"?"));
		}
	return array;
}

static const char *service_of(const struct cord_message *m)
{
	static const struct {
		enum cord_message_type type;
		const char *name;
	} services[] = {
	    {CORD_MESSAGE_PINNED, "pinned"},
	    {CORD_MESSAGE_FOLLOWED, "channel_followed"},
	    {CORD_MESSAGE_POLL_RESULT, "poll_result"},
	    {CORD_MESSAGE_RULE_ACTED, "auto_moderation"},
	    {CORD_MESSAGE_THREAD_CREATED, "thread_created"},
	    {CORD_MESSAGE_THREAD_STARTER, "thread_starter"},
	};

	for (size_t i = 0; i < ARRAY_LEN(services); i++)
		if (services[i].type == m->type)
			return services[i].name;
	return NULL;
}

struct json_object *cord_transcript_message(const struct cord_message *m)
{
	struct json_object *o = json_object_new_object(), *buttons = json_object_new_array(),
			   *snapshots = json_get_array(m->extra, "message_snapshots");

	json_setf(o, "id: %p, from: %s, bot: %i, text: %s, thread: %p, reply_to: %p, edits: %d, deleted: %i",
	    cord_id_or_null(m->id),
	    m->author   ? json_get_str(m->author, "username") :
		m->user ? m->user->label :
			  m->bot->username,
	    !m->user, m->content, cord_id_or_null(m->channel->parent ? m->channel->id : 0),
	    cord_id_or_null(!service_of(m) ? m->reply_to : 0), m->edits, m->deleted);
	add_buttons(buttons, m->components);
	json_set(o, "buttons", buttons);
	if (m->components)
		json_set(o, "components", json_object_get(m->components));
	json_setf(o, "files: %p, reactions: %p, flags: %jd, time_us: %jd", files_json(m), reactions_json(m),
	    m->flags, cord_snowflake_ms(m->id) * 1000);
	if (m->nonce)
		json_set_str(o, "nonce", json_object_get_string(m->nonce));
	if (m->embeds)
		json_set(o, "embeds", json_object_get(m->embeds));
	if (service_of(m))
		json_set_str(o, "service", service_of(m));
	if (m->pinned_ms != 0)
		json_set_bool(o, "pinned", true);
	if (m->poll)
		json_set(o, "poll", cord_poll_json(m));
	if (snapshots)
		json_set_str(
		    o, "forward", json_get_str(json_get_object(json_at(snapshots, 0), "message"), "content"));
	if (m->flags & CORD_FLAG_LOADING)
		json_set_bool(o, "loading", true);
	if (m->visible_to != 0)
		cord_set_id(o, "only_for", m->visible_to);
	json_set_int(
	    o, "pinged", (int64_t)(m->mentions.count + m->mention_roles.count + m->mention_everyone));
	return o;
}

static struct json_object *interactions_json(struct cord_world *w, const struct cord_channel *c)
{
	struct json_object *array = json_object_new_array();

	list_each_entry(&w->interaction_list, struct cord_interaction, i, link) {
		struct json_object *o;

		if (i->channel != c && i->channel->parent != c)
			continue;
		o = json_newf("{id: %p, name: %s, from: %s, state: %s}", cord_id_or_null(i->id), i->name,
		    i->user->label, cord_interaction_state(i));
		if (i->choices)
			json_set(o, "choices", json_object_get(i->choices));
		if (i->modal)
			json_set(o, "modal", json_object_get(i->modal));
		json_object_array_add(array, o);
	}
	return array;
}

int cord_transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err)
{
	struct json_object *o, *messages;
	struct cord_context actor;
	struct selection s;

	if (select_messages(self, in, &actor, &s, err) != 0)
		return -1;
	o = json_object_new_object();
	messages = json_object_new_array();
	for (size_t i = 0; i < s.count; i++)
		json_object_array_add(messages, cord_transcript_message(s.list[i]));
	json_setf(o, "ok: true, messages: %p, drafts: %p, interactions: %p, chat: %p, kind: %s, typing: %i",
	    messages, json_object_new_array(), interactions_json(self, actor.channel),
	    cord_id_or_null(actor.channel->id), cord_context_kind(actor.channel),
	    actor.channel->typing_until_ms > clock_now());
	json_write(out, o);
	json_object_put(o);
	free(s.list);
	return 0;
}

int cord_transcript_progress(
    void *self, struct json_object *in, struct platform_progress *p, struct error *err)
{
	struct cord_context actor;
	struct selection s;

	if (select_messages(self, in, &actor, &s, err) != 0)
		return -1;
	for (size_t i = 0; i < s.count; i++) {
		const struct cord_message *m = s.list[i];

		if (m->deleted || !cord_message_is_ordinary(m) || (m->flags & CORD_FLAG_LOADING))
			continue;
		p->messages++;
		p->bot_messages += !m->user;
		if (!m->user && p->contains && strstr(m->content, p->contains))
			p->found = 1;
	}
	free(s.list);
	return 0;
}
