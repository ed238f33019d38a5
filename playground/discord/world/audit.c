#include "playground/discord/world/world_internal.h"

static void add_change(
    struct json_object *changes, const char *key, struct json_object *was, struct json_object *is)
{
	struct json_object *o;

	if (json_object_equal(was, is))
		return;
	o = json_object_new_object();
	json_set_str(o, "key", key);
	if (was)
		json_set(o, "old_value", cord_copy(was));
	if (is)
		json_set(o, "new_value", cord_copy(is));
	json_object_array_add(changes, o);
}

static struct json_object *changes_json(struct json_object *was, struct json_object *is)
{
	struct json_object *changes = json_object_new_array();

	if (was) {
		json_object_object_foreach(was, key, value) {
			add_change(changes, key, value, json_get(is, key));
		}
	}
	if (is) {
		json_object_object_foreach(is, name, now) {
			if (!json_get(was, name))
				add_change(changes, name, NULL, now);
		}
	}
	return changes;
}

void cord_audit(struct cord_guild *g, const struct cord_audit_entry *entry)
{
	struct json_object *o = json_object_new_object(),
			   *changes = changes_json(entry->before, entry->after), *event;
	uint64_t id = cord_new_id(g->world);

	json_setf(o, "id: %p, user_id: %p, target_id: %p, action_type: %d, reason: %s", cord_id_or_null(id),
	    cord_id_or_null(entry->user_id), cord_id_or_null(entry->target_id), entry->action, entry->reason);
	if (entry->options)
		json_set(o, "options", entry->options);
	if (json_count(changes) > 0)
		json_set(o, "changes", changes);
	else
		json_object_put(changes);
	cord_record_put(g->world, CORD_AUDIT, g->id, id, o);
	event = json_object_new_object();
	cord_merge(event, o);
	cord_set_id(event, "guild_id", g->id);
	cord_event_in_guild(
	    g, "GUILD_AUDIT_LOG_ENTRY_CREATE", CORD_INTENT_MODERATION, CORD_MAY_VIEW_AUDIT, event);
}
