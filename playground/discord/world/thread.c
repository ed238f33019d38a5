#include <string.h>

#include "playground/discord/world/world_internal.h"

/* Discord: events/gateway-events, Thread Members Update: without the intent a bot hears of itself alone. */
static void tell_members(const struct cord_channel *t, uint64_t id, bool added)
{
	struct json_object *d = json_object_new_object(), *list = json_object_new_array(), *member;

	json_setf(d, "id: %p, guild_id: %p, member_count: %jd", cord_id_json(t->id),
	    cord_id_json(t->guild->id), (int64_t)t->members.count);
	if (added) {
		member = cord_thread_member_json(t, id, true);
		cord_set_null(member, "presence");
		json_object_array_add(list, member);
	} else {
		json_object_array_add(list, cord_id_json(id));
	}
	json_set(d, added ? "added_members" : "removed_member_ids", list);
	list_each_entry(&t->world->bot_list, struct cord_bot, b, link)
		if (cord_channel_sees(t, b->id))
			cord_event_to_bot(b, "THREAD_MEMBERS_UPDATE",
			    b->id == id ? CORD_INTENT_GUILDS : CORD_INTENT_MEMBERS, json_object_get(d));
	json_object_put(d);
}

void cord_thread_join(struct cord_channel *t, uint64_t id)
{
	if (cord_ids_have(&t->members, id))
		return;
	cord_ids_add(&t->members, id);
	tell_members(t, id, true);
}

void cord_thread_leave(struct cord_channel *t, uint64_t id)
{
	if (cord_ids_remove(&t->members, id))
		tell_members(t, id, false);
}

/* Discord: topics/threads, Active & Archived Threads. */
void cord_threads_archive(struct cord_world *w)
{
	int64_t now = clock_wall();

	list_each_entry(&w->channel_list, struct cord_channel, t, link) {
		int64_t last = t->last_message_id != 0 ? cord_snowflake_ms(t->last_message_id) : 0;

		if (last < t->archive_ms)
			last = t->archive_ms;
		if (!t->parent || t->archived || t->gone || t->auto_archive == 0 ||
		    now < last + t->auto_archive * 60000)
			continue;
		t->archived = true;
		t->archive_ms = now;
		cord_channel_changed(t);
	}
}
