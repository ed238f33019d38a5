#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "playground/telegram/control/control.h"
#include "playground/telegram/text/rich.h"

static const char *control_kind(enum chat_kind kind)
{
	return kind == CHAT_PRIVATE ? "private" : kind == CHAT_CHANNEL ? "channel" : "group";
}

void transcript_chats(void *self, struct json_object *array)
{
	struct world *w = self;

	list_each_entry(&w->chat_list, struct chat, c, link) {
		struct json_object *o = json_object_new_object();
		const struct user *owner;
		char id[24];

		snprintf(id, sizeof(id), "%" PRId64, c->id);
		json_setf(o, "platform: 'telegram', chat: %s, kind: %s, title: %s", id, control_kind(c->kind),
		    c->user ? c->user->label : c->title);
		if (c->user) {
			json_set_str(o, "user", c->user->label);
			owner = business_owner(c->members[0].bot, c->business);
			json_set_str(o, "business", c->business);
			if (owner)
				json_set(o, "people", json_newf("[%s, %s]", owner->label, c->user->label));
			snprintf(id, sizeof(id), "%" PRId64, c->members[0].bot->id);
			json_set_str(o, "bot", c->members[0].bot->id != 0 ? id : NULL);
		}
		json_object_array_add(array, o);
	}
}

/* -1: no thread was requested. */
static int read_thread(struct json_object *in, int64_t *thread, struct error *err)
{
	const char *text = members_string(in, "thread");

	*thread = -1;
	if (!text)
		return 0;
	if (strcmp(text, "general") == 0)
		*thread = TOPIC_GENERAL;
	else if (!world_read_id(text, thread) || *thread < 0)
		return error_set(err, ERROR_OURS, "thread is the number of a topic");
	return 0;
}

static bool is_in_thread(const struct message *m, int64_t thread)
{
	return thread < 0 || m->thread == thread || (thread == TOPIC_GENERAL && m->thread == 0);
}

static void write_id(struct buf *out, const char *key, int32_t id)
{
	if (id != 0)
		buf_addf(out, ",\"%s\":\"%" PRId32 "\"", key, id);
	else
		buf_addf(out, ",\"%s\":null", key);
}

static void write_reactions(const struct message *m, struct buf *out)
{
	buf_addstr(out, ",\"reactions\":[");
	for (size_t i = 0; i < m->reaction_count; i++) {
		const struct reaction *r = &m->reactions[i];
		const char *from = r->bot ? r->bot->username : r->user->label;

		buf_addf(out, "%s{\"emoji\":\"%s\",\"bot\":%s,\"from\":", i > 0 ? "," : "", r->emoji,
		    r->bot ? "true" : "false");
		json_quote(out, from, strlen(from));
		buf_addch(out, '}');
	}
	buf_addch(out, ']');
}

static void write_files(const struct message *m, struct buf *out)
{
	buf_addstr(out, ",\"files\":[");
	if (m->file) {
		buf_addstr(out, "{\"name\":");
		json_quote(out, m->file->name, strlen(m->file->name));
		buf_addf(out, ",\"size\":%zu,\"kind\":\"%s\"}", m->file->len, media_name(m->file->kind));
	}
	buf_addch(out, ']');
}

/* What a rich message says is its text; its blocks are beside it. */
static void write_text(const struct formatted *text, const char *rich, const struct chat *c, struct buf *out)
{
	struct buf plain = BUF_INIT;

	if (rich && text->text.len == 0)
		rich_plain(rich, &plain);
	else
		buf_add(&plain, text->text.data, text->text.len);
	buf_addstr(out, ",\"text\":");
	json_quote(out, plain.data, plain.len);
	buf_addstr(out, ",\"entities\":");
	formatted_write_entities(text, out, world_write_user, c->world);
	if (rich)
		buf_addf(out, ",\"rich_message\":%s", rich);
	buf_clear(&plain);
}

void transcript_write_message(const struct message *m, const struct chat *c, struct buf *out)
{
	const char *from = !m->bot && !m->user ? c->title : message_author(m);

	buf_addf(out, "{\"id\":\"%" PRId32 "\",\"from\":", m->id);
	json_quote(out, from, strlen(from));
	buf_addf(out, ",\"bot\":%s", m->bot ? "true" : "false");
	write_text(&m->text, m->rich, c, out);
	write_id(out, "thread", m->thread);
	write_id(out, "reply_to", m->reply_to);
	buf_addf(out, ",\"date\":%" PRId64 ",\"edits\":%d,\"deleted\":%s,\"buttons\":", m->date, m->edits,
	    m->deleted ? "true" : "false");
	keyboard_write_buttons(m->markup, out);
	buf_addf(out, ",\"markup\":%s", m->markup ? m->markup : "null");
	if (json_get(m->extra, ".keyboard"))
		buf_addf(
		    out, ",\"keyboard\":%s", json_object_to_json_string(json_get(m->extra, ".keyboard")));
	if (json_get(m->extra, ".read"))
		buf_addstr(out, ",\"read\":true");
	if (message_is_ephemeral(m)) {
		struct json_object *who = json_get_object(m->extra, "receiver_user");

		buf_addstr(out, ",\"only_for\":");
		json_quote(out, json_get_str(who, "first_name"), strlen(json_get_str(who, "first_name")));
	}
	if (m->pinned)
		buf_addstr(out, ",\"pinned\":true");
	write_files(m, out);
	write_reactions(m, out);
	buf_addstr(out, ",\"extra\":{");
	message_write_extra(m, true, out);
	buf_addch(out, '}');
	if (m->service)
		buf_addf(
		    out, ",\"service\":{%s}", m->service[0] != '\0' ? m->service : "\"new_chat_photo\":true");
	buf_addch(out, '}');
}

/* Writes the draft in the form of a message. */
static void write_draft(const struct draft *d, const struct chat *c, struct buf *out)
{
	buf_addf(out, "{\"id\":\"draft:%" PRId64 "\",\"from\":\"%s\",\"bot\":true,\"draft\":true", d->id,
	    c->members[0].bot->username);
	write_text(&d->text, d->rich, c, out);
	buf_addf(out,
	    ",\"thread\":null,\"reply_to\":null,\"edits\":0,\"deleted\":false,\"buttons\":[%s],\"files\":[],"
	    "\"reactions\":[]}",
	    d->can_stop ? "{\"id\":\"stop\",\"label\":\"Stop\"}" : "");
}

static void write_messages(struct chat *c, int64_t thread, struct buf *out)
{
	const char *comma = "";

	for (size_t i = 0; i < c->count; i++) {
		if (!is_in_thread(c->messages[i], thread))
			continue;
		buf_addstr(out, comma);
		transcript_write_message(c->messages[i], c, out);
		comma = ",";
	}
}

void transcript_write_drafts(struct chat *c, struct buf *out)
{
	drafts_drop_expired(&c->drafts, clock_now());
	for (size_t i = 0; i < c->drafts.count; i++) {
		buf_addstr(out, i > 0 ? "," : "");
		write_draft(&c->drafts.list[i], c, out);
	}
}

int transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err)
{
	struct actor s;
	int64_t thread;
	bool acting;

	if (actor_read(self, in, false, &s, err) != 0 || read_thread(in, &thread, err) != 0)
		return -1;
	acting = s.chat->action_until_ms > clock_now();
	buf_addstr(out, "{\"ok\":true,\"messages\":[");
	write_messages(s.chat, thread, out);
	buf_addstr(out, "],\"drafts\":[");
	if (thread < 0)
		transcript_write_drafts(s.chat, out);
	buf_addf(out, "],\"chat\":\"%" PRId64 "\",\"kind\":\"%s\",\"typing\":%s", s.chat->id,
	    control_kind(s.chat->kind), acting && strcmp(s.chat->action, "typing") == 0 ? "true" : "false");
	if (acting)
		buf_addf(out, ",\"action\":\"%s\"", s.chat->action);
	buf_addch(out, '}');
	return 0;
}

static bool contains(const struct message *m, const char *text)
{
	struct buf plain = BUF_INIT;
	bool found;

	if (m->rich)
		rich_plain(m->rich, &plain);
	found = strstr(m->rich ? plain.data : m->text.text.data, text) != NULL;
	buf_clear(&plain);
	return found;
}

static void count_messages(const struct chat *c, int64_t thread, struct platform_progress *p)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct message *m = c->messages[i];

		if (m->deleted || !is_in_thread(m, thread))
			continue;
		p->messages++;
		p->bot_messages += m->bot != NULL;
		if (m->bot && p->contains && contains(m, p->contains))
			p->found = 1;
	}
}

int transcript_progress(void *self, struct json_object *in, struct platform_progress *p, struct error *err)
{
	struct actor s;
	int64_t thread;

	if (actor_read(self, in, false, &s, err) != 0 || read_thread(in, &thread, err) != 0)
		return -1;
	if (thread >= 0 || p->contains) {
		count_messages(s.chat, thread, p);
	} else {
		p->messages = s.chat->shown;
		p->bot_messages = s.chat->shown_bot;
	}
	return 0;
}
