#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

#define ARCHIVE_DEFAULT  1440
#define FLAG_REQUIRE_TAG (1 << 4)

static int64_t archive_default(const struct cord_channel *c)
{
	return json_get_int(c->more, "default_auto_archive_duration", ARCHIVE_DEFAULT);
}

static struct cord_channel *thread_parent(struct cord_call *call, uint64_t want)
{
	struct cord_channel *c = call->channel;

	if (c->type != CORD_TEXT && c->type != CORD_NEWS && c->type != CORD_FORUM && c->type != CORD_MEDIA)
		cord_fail(call, "Cannot execute action on this channel type");
	else if (!(cord_call_may(call, c) & want))
		cord_fail(call, "Missing Permissions");
	else
		return c;
	return NULL;
}

/* Adds the notice that opens or announces a thread. */
static void add_notice(struct cord_channel *c, struct cord_bot *b, enum cord_message_type type,
    const char *text, uint64_t refers_channel, uint64_t refers_to)
{
	struct cord_message *m = cord_message_new(c);

	m->bot = b;
	m->type = type;
	m->reply_channel = refers_channel;
	m->reply_to = refers_to;
	cord_message_set_content(m, text, strlen(text));
	cord_channel_add(c, m);
	cord_event_message(m, "MESSAGE_CREATE");
}

static int answer_thread(struct cord_call *call, struct cord_channel *t)
{
	call->status = 201;
	call->result = cord_channel_json(t, cord_call_actor(call));
	return 0;
}

int cord_create_thread_from_message(struct cord_call *call)
{
	struct cord_channel *c = thread_parent(call, CORD_MAY_MAKE_THREADS), *t;
	struct cord_message *m = c ? cord_call_message(call, c) : NULL;

	if (!m)
		return -1;
	if (m->thread)
		return cord_fail(call, "A thread has already been created for this message");
	if (!cord_message_is_ordinary(m))
		return cord_fail(call, "Cannot execute action on a system message");
	t = cord_channel_thread(c, c->type == CORD_NEWS ? CORD_NEWS_THREAD : CORD_PUBLIC_THREAD, m->id,
	    json_get_str(call->body, "name"), call->bot->id,
	    json_get_int(call->body, "auto_archive_duration", archive_default(c)));
	t->slowmode_s = json_get_int(call->body, "rate_limit_per_user", 0);
	m->thread = t;
	m->flags |= CORD_FLAG_HAS_THREAD;
	add_notice(t, call->bot, CORD_MESSAGE_THREAD_STARTER, "", c->id, m->id);
	cord_show_message(m, "edited");
	cord_event_message(m, "MESSAGE_UPDATE");
	return answer_thread(call, t);
}

static bool is_forum(const struct cord_channel *c)
{
	return c->type == CORD_FORUM || c->type == CORD_MEDIA;
}

static bool has_tag(struct json_object *tags, uint64_t id)
{
	json_each(tags, item)
		if (cord_get_id(item, "id") == id)
			return true;
	return false;
}

/* The tags are those of the forum; one may be required (a flag of the channel). */
static int check_tags(struct cord_call *call, const struct cord_channel *forum, struct json_object *applied)
{
	size_t count = json_count(applied);

	for (size_t i = 0; i < count; i++) {
		uint64_t id = 0;

		if (!cord_snowflake_read(json_object_get_string(json_at(applied, i)), &id) ||
		    !has_tag(json_get_array(forum->more, "available_tags"), id))
			return cord_fail(call, "Unknown Tag");
	}
	return count == 0 && (json_get_int(forum->more, "flags", 0) & FLAG_REQUIRE_TAG) ?
	    cord_fail(call, "A tag is required to create a forum post in this channel") :
	    0;
}

/* A post of a forum: a thread that begins with a message, which has its id. */
struct cord_channel *cord_post_new(struct cord_call *call, struct cord_channel *forum, const char *name,
    struct json_object *body, struct json_object *applied, struct cord_message *m)
{
	struct cord_channel *t;

	if (check_tags(call, forum, applied) != 0 ||
	    cord_compose(call, body, m,
		CORD_FLAG_SUPPRESS_EMBEDS | CORD_FLAG_SUPPRESS_NOTIFICATIONS | CORD_FLAG_COMPONENTS_V2) != 0)
		return NULL;
	t = cord_channel_thread(forum, CORD_PUBLIC_THREAD, m->id, name,
	    call->bot ? call->bot->id : m->webhook_id,
	    json_get_int(call->body, "auto_archive_duration", archive_default(forum)));
	if (applied)
		json_set(t->more, "applied_tags", cord_copy(applied));
	m->channel = t;
	cord_channel_add(t, m);
	forum->last_message_id = t->id;
	cord_event_message(m, "MESSAGE_CREATE");
	return t;
}

static int create_post(struct cord_call *call, struct cord_channel *forum)
{
	struct json_object *body = json_get_object(call->body, "message");
	struct cord_message *m;
	struct cord_channel *t;

	if (!body)
		return cord_refuse_field(call, "message", "BASE_TYPE_REQUIRED", "This field is required");
	m = cord_message_new(forum);
	m->bot = call->bot;
	t = cord_post_new(call, forum, json_get_str(call->body, "name"), body,
	    json_get_array(call->body, "applied_tags"), m);
	if (!t) {
		cord_message_free(m);
		return -1;
	}
	t->slowmode_s = json_get_int(call->body, "rate_limit_per_user", 0);
	answer_thread(call, t);
	json_set(call->result, "message", cord_message_json(m));
	return 0;
}

int cord_create_thread(struct cord_call *call)
{
	int64_t type = json_get_int(call->body, "type", CORD_PRIVATE_THREAD);
	struct cord_channel *c = call->channel, *t;
	const char *name = json_get_str(call->body, "name");

	c = thread_parent(call,
	    is_forum(c)                     ? CORD_MAY_SEND :
		type == CORD_PRIVATE_THREAD ? CORD_MAY_MAKE_PRIVATE :
					      CORD_MAY_MAKE_THREADS);
	if (!c)
		return -1;
	if (is_forum(c))
		return create_post(call, c);
	if ((c->type == CORD_NEWS) != (type == CORD_NEWS_THREAD))
		return cord_fail(call, "Cannot execute action on this channel type");
	t = cord_channel_thread(c, (enum cord_channel_type)type, cord_new_id(call->world), name,
	    call->bot->id, json_get_int(call->body, "auto_archive_duration", archive_default(c)));
	t->invitable = json_get_bool(call->body, "invitable", true);
	t->slowmode_s = json_get_int(call->body, "rate_limit_per_user", 0);
	if (type != CORD_PRIVATE_THREAD)
		add_notice(c, call->bot, CORD_MESSAGE_THREAD_CREATED, name, t->id, 0);
	return answer_thread(call, t);
}

/* Discord: channel, Modify Channel, for threads: its members may open an archived one that is not locked. */
static int update_thread(struct cord_call *call, struct cord_channel *t)
{
	uint64_t may = cord_call_may(call, t);
	bool opens =
		 !json_get_bool(call->body, "archived", true) && json_object_object_length(call->body) == 1,
	     own = t->owner_id == cord_call_actor(call) && !t->locked && !cord_given(call->body, "locked");
	struct json_object *was, *applied = json_get_array(call->body, "applied_tags");

	if (!(may & CORD_MAY_MANAGE_THREADS) &&
	    !(own || (opens && !t->locked && (may & CORD_MAY_SEND_IN_THREADS))))
		return cord_fail(call, "Missing Permissions");
	if (t->archived && json_get_bool(call->body, "archived", true))
		return cord_fail(call, "Thread is archived");
	if (applied && check_tags(call, t->parent, applied) != 0)
		return -1;
	was = cord_channel_json(t, cord_call_actor(call));
	if (cord_channel_take(call, t, call->body) != 0) {
		json_object_put(was);
		return -1;
	}
	t->archived = json_get_bool(call->body, "archived", t->archived);
	t->locked = json_get_bool(call->body, "locked", t->locked);
	t->invitable = json_get_bool(call->body, "invitable", t->invitable);
	t->auto_archive = json_get_int(call->body, "auto_archive_duration", t->auto_archive);
	t->archive_ms = clock_wall();
	cord_channel_changed(t);
	call->result = cord_channel_json(t, cord_call_actor(call));
	cord_call_audit(call, t->guild, CORD_ACTION_THREAD + 1, t->id, was, call->result);
	json_object_put(was);
	return 0;
}

int cord_update_channel(struct cord_call *call)
{
	struct cord_channel *c = call->channel;

	if (!c->guild)
		return cord_fail(call, "Cannot execute action on a DM channel");
	return c->parent ? update_thread(call, c) : cord_channel_update(call, c);
}

static struct cord_channel *call_thread(struct cord_call *call)
{
	if (call->channel->parent)
		return call->channel;
	cord_fail(call, "Cannot execute action on this channel type");
	return NULL;
}

static struct cord_channel *open_thread(struct cord_call *call)
{
	struct cord_channel *t = call_thread(call);

	if (!t || !t->archived)
		return t;
	cord_fail(call, "Thread is archived");
	return NULL;
}

int cord_join_thread(struct cord_call *call)
{
	struct cord_channel *t = open_thread(call);

	if (!t)
		return -1;
	cord_thread_join(t, cord_call_actor(call));
	return 0;
}

int cord_leave_thread(struct cord_call *call)
{
	struct cord_channel *t = open_thread(call);

	if (!t)
		return -1;
	cord_thread_leave(t, cord_call_actor(call));
	return 0;
}

/* Whoever writes in a thread may add others; a private one may say otherwise. */
int cord_add_thread_member(struct cord_call *call)
{
	struct cord_channel *t = open_thread(call);
	uint64_t may;

	if (!t)
		return -1;
	may = cord_call_may(call, t);
	if (!(may & CORD_MAY_SEND_IN_THREADS) ||
	    (t->type == CORD_PRIVATE_THREAD && !t->invitable && t->owner_id != cord_call_actor(call) &&
		!(may & CORD_MAY_MANAGE_THREADS)))
		return cord_fail(call, "Missing Permissions");
	if (!cord_is_member(t->guild, call->ids[1]))
		return cord_fail(call, "Unknown Member");
	cord_thread_join(t, call->ids[1]);
	return 0;
}

int cord_delete_thread_member(struct cord_call *call)
{
	struct cord_channel *t = open_thread(call);

	if (!t)
		return -1;
	if (!(cord_call_may(call, t) & CORD_MAY_MANAGE_THREADS) &&
	    !(t->type == CORD_PRIVATE_THREAD && t->owner_id == cord_call_actor(call)))
		return cord_fail(call, "Missing Permissions");
	if (!cord_ids_have(&t->members, call->ids[1]))
		return cord_fail(call, "Unknown Member");
	cord_thread_leave(t, call->ids[1]);
	return 0;
}

int cord_get_thread_member(struct cord_call *call)
{
	struct cord_channel *t = call_thread(call);
	uint64_t id = strcmp(call->args[1], "@me") == 0 ? cord_call_actor(call) : call->ids[1];

	if (!t)
		return -1;
	if (!cord_ids_have(&t->members, id))
		return cord_fail(call, "Unknown Member");
	call->result = cord_thread_member_json(t, id, json_get_bool(call->query, "with_member", false));
	return 0;
}

int cord_list_thread_members(struct cord_call *call)
{
	struct cord_channel *t = call_thread(call);
	bool with_member = json_get_bool(call->query, "with_member", false);
	const struct cord_ids *members;
	struct cord_ids page = {0};

	if (!t)
		return -1;
	if (with_member) /* Discord: only these come in pages */
		cord_call_page(call, &t->members, 100, &page);
	members = with_member ? &page : &t->members;
	call->result = json_object_new_array();
	for (size_t i = 0; i < members->count; i++)
		json_object_array_add(
		    call->result, cord_thread_member_json(t, members->list[i], with_member));
	free(page.list);
	return 0;
}

/* Which threads a list has. */
struct archive_query {
	bool private, joined;
	int64_t before_ms;            /* of their archive timestamp */
	uint64_t before;              /* of their ids */
	const char *name;             /* in their names; NULL: any */
	struct json_object *archived; /* NULL: either */
};

static bool is_in_query(const struct cord_channel *t, uint64_t id, const struct archive_query *w)
{
	return (t->type == CORD_PRIVATE_THREAD) == w->private &&
	    (!w->joined || cord_ids_have(&t->members, id)) &&
	    (w->before_ms == 0 || t->archive_ms < w->before_ms) && (w->before == 0 || t->id < w->before) &&
	    (!w->name || strcasestr(t->name, w->name)) &&
	    (!w->archived || json_object_get_boolean(w->archived) == t->archived);
}

static int by_archive_time(const void *a, const void *b)
{
	const struct cord_channel *x = *(struct cord_channel *const *)a,
				  *y = *(struct cord_channel *const *)b;

	return x->archive_ms != y->archive_ms ? (x->archive_ms < y->archive_ms ? 1 : -1) :
						(x->id < y->id) - (x->id > y->id);
}

/* Newest first, with the memberships of who asks. */
static int list_threads(struct cord_call *call, const struct cord_channel *parent,
    const struct archive_query *w, size_t offset, size_t limit)
{
	struct json_object *threads = json_object_new_array(), *members = json_object_new_array();
	struct cord_channel **found = NULL;
	size_t count = 0;

	list_each_entry(&call->world->channel_list, struct cord_channel, t, link) {
		if (t->parent != parent || t->gone || !is_in_query(t, cord_call_actor(call), w))
			continue;
		found = xrealloc(found, (count + 1) * sizeof(struct cord_channel *));
		found[count++] = t;
	}
	if (count > 1)
		qsort(found, count, sizeof(struct cord_channel *), by_archive_time);
	for (size_t i = offset; i < count && i < offset + limit; i++) {
		json_object_array_add(threads, cord_channel_json(found[i], cord_call_actor(call)));
		if (cord_ids_have(&found[i]->members, cord_call_actor(call)))
			json_object_array_add(
			    members, cord_thread_member_json(found[i], cord_call_actor(call), false));
	}
	free(found);
	call->result = json_newf("{threads: %p, members: %p, has_more: %i, total_results: %jd}", threads,
	    members, count > offset + limit, (int64_t)count);
	return 0;
}

static int list_archived(struct cord_call *call, struct archive_query w)
{
	struct json_object *archived = json_object_new_boolean(true);

	w.before_ms = cord_get_time(call->query, "before");
	w.archived = archived;
	list_threads(call, call->channel, &w, 0, cord_call_limit(call, 50));
	json_object_object_del(call->result, "total_results");
	json_object_put(archived);
	return 0;
}

int cord_list_public_archived_threads(struct cord_call *call)
{
	return list_archived(call, (struct archive_query){0});
}

int cord_list_private_archived_threads(struct cord_call *call)
{
	return list_archived(call, (struct archive_query){.private = true});
}

int cord_list_my_private_archived_threads(struct cord_call *call)
{
	return list_archived(call,
	    (struct archive_query){
		.private = true, .joined = true, .before = cord_get_id(call->query, "before")});
}

int cord_thread_search(struct cord_call *call)
{
	const struct archive_query w = {.name = json_get_str(call->query, "name"),
	    .before = cord_get_id(call->query, "max_id"),
	    .archived = json_get(call->query, "archived")};

	return list_threads(call, call->channel, &w, (size_t)json_get_int(call->query, "offset", 0),
	    cord_call_limit(call, 25));
}
