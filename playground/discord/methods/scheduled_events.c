#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

enum { IN_STAGE = 1, IN_VOICE = 2, EXTERNAL = 3 };
enum { SCHEDULED = 1, ACTIVE = 2, COMPLETED = 3, CANCELED = 4 };

static const char *const schemas[] = {[IN_STAGE] = "StageScheduledEventResponse",
    [IN_VOICE] = "VoiceScheduledEventResponse",
    [EXTERNAL] = "ExternalScheduledEventResponse"};

/* Discord: Field Requirements By Entity Type. */
static int check_place(struct cord_call *call, const struct cord_guild *g, struct json_object *o)
{
	int64_t type = json_get_int(o, "entity_type", EXTERNAL);
	const struct cord_channel *c = cord_channel_find(call->world, cord_get_id(o, "channel_id"));

	if (type != EXTERNAL) {
		if (!c || c->gone || c->guild != g)
			return cord_fail(call, "Unknown Channel");
		return c->type == (type == IN_STAGE ? CORD_STAGE_VOICE : CORD_VOICE) ?
		    0 :
		    cord_refuse_field(call, "channel_id", "GUILD_SCHEDULED_EVENT_CHANNEL_TYPE",
			"The channel is of another type than the event.");
	}
	cord_set_null(o, "channel_id");
	if (!json_get_str(json_get_object(o, "entity_metadata"), "location"))
		return cord_refuse_field(
		    call, "entity_metadata", "BASE_TYPE_REQUIRED", "This field is required");
	if (cord_get_time(o, "scheduled_end_time") == 0)
		return cord_refuse_field(
		    call, "scheduled_end_time", "BASE_TYPE_REQUIRED", "This field is required");
	return 0;
}

/* Scheduled ones are started or canceled, active ones end. */
static int check_status(struct cord_call *call, int64_t was, int64_t is)
{
	if (was == is || (was == SCHEDULED && (is == ACTIVE || is == CANCELED)) ||
	    (was == ACTIVE && is == COMPLETED))
		return 0;
	return was > ACTIVE ? cord_fail(call, "Cannot update a finished event") :
			      cord_refuse_field(call, "status", "TRANSITION_INVALID_GUILD_EVENT_STATUS",
				  "Invalid Guild Scheduled Event Status Transition");
}

static int validate_event(
    struct cord_call *call, struct cord_guild *g, struct json_object *was, struct json_object *o)
{
	int64_t start = cord_get_time(o, "scheduled_start_time"),
		finish = cord_get_time(o, "scheduled_end_time");

	if (was && json_get_int(was, "status", 0) > ACTIVE)
		return cord_fail(call, "Cannot update a finished event");
	if (check_place(call, g, o) != 0)
		return -1;
	if (json_get(call->body, "scheduled_start_time") && start < clock_wall())
		return cord_refuse_field(call, "scheduled_start_time", "GUILD_SCHEDULED_EVENT_SCHEDULE_PAST",
		    "Cannot schedule event in the past.");
	if (finish != 0 && finish <= start)
		return cord_refuse_field(call, "scheduled_end_time", "GUILD_SCHEDULED_EVENT_END_BEFORE_START",
		    "The event must end after it starts.");
	if (json_get_str(call->body, "image"))
		json_set_str(o, "image", CORD_IMAGE_HASH);
	if (!was) {
		json_set(o, "guild_id", cord_id_json(g->id));
		json_setf(o, "creator_id: %p, creator: %p, status: %d", cord_id_json(cord_call_actor(call)),
		    cord_call_creator(call), SCHEDULED);
	} else if (check_status(call, json_get_int(was, "status", 0), json_get_int(o, "status", 0)) != 0) {
		return -1;
	}
	cord_fill(schemas[json_get_int(o, "entity_type", EXTERNAL)], o);
	return 0;
}

static void announce_event(struct cord_guild *g, const char *what, struct json_object *o)
{
	char name[48];

	snprintf(name, sizeof(name), "GUILD_SCHEDULED_EVENT_%s", what);
	cord_event_in_guild(g, name, CORD_INTENT_SCHEDULED, 0, json_object_get(o));
}

static bool is_uncompleted(struct json_object *o)
{
	return json_get_int(o, "status", SCHEDULED) <= ACTIVE;
}

const struct cord_resource cord_scheduled_events = {
    .kind = CORD_SCHEDULED,
    .unknown = "Unknown Guild Scheduled Event",
    .full = "Maximum number of uncompleted guild scheduled events reached (100)",
    .max = 100,
    .counts = is_uncompleted,
    .create = CORD_MAY_MAKE_EVENTS,
    .manage = CORD_MAY_MANAGE_EVENTS,
    .action = CORD_ACTION_SCHEDULED,
    .validate = validate_event,
    .announce = announce_event,
};

static struct cord_record *call_event(struct cord_call *call)
{
	return cord_call_record(
	    call, CORD_SCHEDULED, call->guild->id, call->ids[1], "Unknown Guild Scheduled Event");
}

/* Sorted by the id of the person. */
int cord_list_guild_scheduled_event_users(struct cord_call *call)
{
	const struct cord_guild *g = call->guild;
	struct cord_record *event = call_event(call);
	uint64_t before = cord_get_id(call->query, "before"), after = cord_get_id(call->query, "after");
	size_t limit = cord_call_limit(call, 100), count;
	void **all;

	if (!event)
		return -1;
	all = map_values(&call->world->records.by_id[CORD_INTERESTED], &count);
	call->result = json_object_new_array();
	for (size_t i = 0; i < count && json_count(call->result) < limit; i++) {
		const struct cord_record *r = all[i];
		struct json_object *o;

		if (r->owner != event->id || r->id <= after || (before != 0 && r->id >= before))
			continue;
		o = json_newf("{guild_scheduled_event_id: %p, user_id: %p, user: %p, response: 1}",
		    cord_id_json(event->id), cord_id_json(r->id), cord_anyone_json(call->world, r->id));
		if (json_get_bool(call->query, "with_member", false) && cord_is_member(g, r->id))
			json_set(o, "member", cord_someone_json(g, r->id, true));
		json_object_array_add(call->result, cord_fill("ScheduledEventUserResponse", o));
	}
	free(all);
	return 0;
}

int cord_count_guild_scheduled_event_users(struct cord_call *call)
{
	struct cord_record *event = call_event(call);

	if (!event)
		return -1;
	call->result = json_newf(
	    "{guild_scheduled_event_count: %jd, guild_scheduled_event_exception_counts: %p}",
	    (int64_t)cord_record_count(call->world, CORD_INTERESTED, event->id), json_object_new_object());
	return 0;
}
