#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/task.h"
#include "playground/spec/spec.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/world/world_internal.h"

static void add_to_map(struct bot *b, int64_t id)
{
	b->id = id;
	b->created_ms = clock_now();
	map_put(&b->world->bots, id, 0, b);
}

struct bot *bot_new(struct world *w, int64_t id)
{
	struct bot *b = xcalloc(1, sizeof(*b));

	b->world = w;
	b->number = (int64_t)++w->bot_count;
	b->allowed = UPDATES_DEFAULT;
	b->last_offset = INT64_MIN;
	update_queue_init(&b->updates);
	list_init(&b->commands.lists);
	list_init(&b->inlines);
	b->profile = json_object_new_object();
	/* The first bot has a fixed name, known in advance. */
	if (b->number == 1)
		str_copy(b->username, sizeof(b->username), "myna_bot");
	else
		snprintf(b->username, sizeof(b->username), "myna_%" PRId64 "_bot", id);
	list_append(&w->bot_list, &b->link);
	if (id != 0)
		add_to_map(b, id);
	return b;
}

void bot_free(struct bot *b)
{
	list_remove(&b->link);
	update_queue_clear(&b->updates);
	command_lists_clear(&b->commands);
	callbacks_clear(&b->callbacks);
	inline_clear(b);
	webhook_clear(&b->webhook);
	json_object_put(b->profile);
	json_object_put(b->checkouts);
	media_free(b->photo);
	free(b);
}

void bot_claim(struct bot *b, int64_t id)
{
	add_to_map(b, id);
	list_each_entry(&b->world->chat_list, struct chat, c, link)
		if (c->kind != CHAT_PRIVATE && chat_find_member(c, b))
			bot_update_member(b, c, id, "left", "member");
}

const char *bot_name(const struct bot *b)
{
	const char *name = json_get_str(json_get_object(b->profile, "name"), "");

	return name ? name : "Myna";
}

static void write_user(const struct bot *b, struct buf *out)
{
	buf_addf(out, "{\"id\":%" PRId64 ",\"is_bot\":true,\"first_name\":", b->id);
	json_quote(out, bot_name(b), strlen(bot_name(b)));
	buf_addf(out, ",\"username\":\"%s\"", b->username);
}

void bot_write(const struct bot *b, struct buf *out)
{
	write_user(b, out);
	buf_addch(out, '}');
}

void bot_write_full(const struct bot *b, struct buf *out)
{
	write_user(b, out);
	buf_addf(out,
	    ",\"can_join_groups\":true,\"can_read_all_group_messages\":%s,\"supports_guest_queries\":true,"
	    "\"supports_inline_queries\":true,"
	    "\"can_connect_to_business\":true,\"has_main_web_app\":false,\"has_topics_enabled\":false,"
	    "\"allows_users_to_create_topics\":false,\"can_manage_bots\":false}",
	    b->world->settings.privacy ? "false" : "true");
}

void bot_update(struct bot *b, enum update_kind kind, const struct buf *object)
{
	if (!update_is_in(b->allowed, kind))
		return;
	update_queue_add(&b->updates, kind, object->data, object->len);
	if (b->poll)
		task_wake(b->poll->task);
	webhook_pump(b);
}

/* Bot API, ChatMemberAdministrator: of some rights it is said only where they make sense. */
static void write_rights(const struct chat *c, const struct member *m, struct buf *out)
{
	const struct spec_record *r = spec_type(spec_of("telegram"), "ChatAdministratorRights");

	buf_addstr(out, ",\"can_be_edited\":false");
	for (size_t i = 0; i < r->count; i++)
		if (r->members[i].flags & SPEC_REQUIRED ||
		    strstr(c->kind == CHAT_CHANNEL ? "can_post_messages can_edit_messages" :
						     "can_pin_messages can_manage_topics can_manage_tags",
			r->members[i].name))
			buf_addf(out, ",\"%s\":%s", r->members[i].name,
			    bot_may(c, m, r->members[i].name) ? "true" : "false");
}

void bot_write_member(const struct bot *b, const struct chat *c, const char *status, struct buf *out)
{
	static const struct member nobody = {.admin = true};
	const struct member *m = chat_find_member(c, b);

	buf_addstr(out, "{\"user\":");
	bot_write(b, out);
	buf_addf(out, ",\"status\":\"%s\"", status);
	if (strcmp(status, "kicked") == 0)
		buf_addstr(out, ",\"until_date\":0");
	else if (strcmp(status, "administrator") == 0)
		write_rights(c, m && m->admin ? m : &nobody, out);
	buf_addch(out, '}');
}

void bot_update_member(struct bot *b, const struct chat *c, int64_t by, const char *was, const char *is)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, "{\"chat\":");
	chat_write(c, &out);
	buf_addstr(&out, ",\"from\":");
	world_write_user(&out, by, b->world);
	buf_addf(&out, ",\"date\":%" PRId64 ",\"old_chat_member\":", clock_wall() / 1000);
	bot_write_member(b, c, was, &out);
	buf_addstr(&out, ",\"new_chat_member\":");
	bot_write_member(b, c, is, &out);
	buf_addch(&out, '}');
	bot_update(b, UPDATE_MY_CHAT_MEMBER, &out);
	buf_clear(&out);
}

void bot_end_poll(struct bot *b, const char *conflict)
{
	if (!b->poll)
		return;
	b->poll->conflict = conflict;
	task_wake(b->poll->task);
	b->poll = NULL;
}

static void drop_old(struct callbacks *c, uint64_t now_ms)
{
	size_t n = 0;

	while (n < c->count && (c->list[n].id == 0 || c->list[n].pressed_ms + CALLBACK_MS < now_ms))
		c->dropped += c->list[n++].id != 0;
	c->count -= n;
	memmove(c->list, c->list + n, c->count * sizeof(*c->list));
}

void callbacks_add(struct callbacks *c, int64_t id, uint64_t now_ms)
{
	if (c->count == c->cap && c->count > 0)
		drop_old(c, now_ms);
	if (c->count == c->cap) {
		c->cap = c->cap != 0 ? c->cap * 2 : 16;
		c->list = xrealloc(c->list, c->cap * sizeof(*c->list));
	}
	c->list[c->count++] = (struct callback){id, now_ms};
}

static struct callback *find(const struct callbacks *c, int64_t id)
{
	for (size_t i = c->count; i-- > 0;)
		if (c->list[i].id == id)
			return &c->list[i];
	return NULL;
}

int callbacks_answer(struct callbacks *c, int64_t id, uint64_t now_ms)
{
	struct callback *cb = id != 0 ? find(c, id) : NULL;

	if (!cb || cb->pressed_ms + CALLBACK_MS < now_ms)
		return -1;
	cb->id = 0;
	return 0;
}

size_t callbacks_unanswered(const struct callbacks *c, uint64_t ms, uint64_t now_ms)
{
	size_t n = c->dropped;

	for (size_t i = 0; i < c->count; i++)
		n += c->list[i].id != 0 && c->list[i].pressed_ms + ms < now_ms;
	return n;
}

void callbacks_clear(struct callbacks *c)
{
	free(c->list);
	*c = (struct callbacks){0};
}

static struct command_list *find_list(const struct command_lists *c, const char *scope)
{
	list_each_entry(&c->lists, struct command_list, l, link)
		if (strcmp(l->scope, scope) == 0)
			return l;
	return NULL;
}

static void drop(struct command_list *l)
{
	list_remove(&l->link);
	free(l->scope);
	free(l->json);
	free(l);
}

void command_lists_set(struct command_lists *c, const char *scope, const char *json)
{
	struct command_list *l = find_list(c, scope);

	if (l)
		drop(l);
	if (!json)
		return;
	l = xcalloc(1, sizeof(*l));
	l->scope = xstrdup(scope);
	l->json = xstrdup(json);
	list_append(&c->lists, &l->link);
}

const char *command_lists_get(const struct command_lists *c, const char *scope)
{
	const struct command_list *l = find_list(c, scope);

	return l ? l->json : "[]";
}

void command_lists_clear(struct command_lists *c)
{
	list_each_entry(&c->lists, struct command_list, entry, link)
		drop(entry);
}
