#include "playground/discord/world/world_internal.h"

void cord_scheduled_attend(
    struct cord_guild *g, const struct cord_record *event, uint64_t user_id, bool remove)
{
	struct cord_record *r = cord_record_find(g->world, CORD_INTERESTED, event->id, user_id);
	struct json_object *d;

	if ((r != NULL) != remove)
		return;
	if (r)
		cord_record_remove(g->world, r);
	else
		cord_record_get(g->world, CORD_INTERESTED, event->id, user_id);
	d = cord_guild_event(g, "user_id", cord_id_json(user_id));
	json_set(d, "guild_scheduled_event_id", cord_id_json(event->id));
	cord_event_in_guild(g,
	    remove ? "GUILD_SCHEDULED_EVENT_USER_REMOVE" : "GUILD_SCHEDULED_EVENT_USER_ADD",
	    CORD_INTENT_SCHEDULED, 0, d);
}
