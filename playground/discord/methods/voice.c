#include <string.h>

#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

static void announce_state(struct cord_guild *g, struct json_object *state)
{
	cord_event_in_guild(g, "VOICE_STATE_UPDATE", CORD_INTENT_VOICE, 0, cord_copy(state));
}

/* In a stage, who joins listens. */
void cord_voice_set(struct cord_guild *g, uint64_t id, struct cord_channel *c, struct json_object *self)
{
	struct cord_record *r = cord_record_get(g->world, CORD_VOICE_STATE, g->id, id);
	struct json_object *o = r->json;

	json_setf(o,
	    "channel_id: %p, guild_id: %p, user_id: %p, member: %p, self_mute: %i, self_deaf: %i, suppress: "
	    "%i, mute: %i, deaf: %i, session_id: '0123456789abcdef0123456789abcdef'",
	    cord_id_or_null(c ? c->id : 0), cord_id_json(g->id), cord_id_json(id),
	    cord_someone_json(g, id, true), json_get_bool(self, "self_mute", false),
	    json_get_bool(self, "self_deaf", false), c && c->type == CORD_STAGE_VOICE,
	    json_get_bool(cord_member_state(g, id), "mute", false),
	    json_get_bool(cord_member_state(g, id), "deaf", false));
	cord_fill("VoiceStateResponse", o);
	announce_state(g, o);
	if (!c)
		cord_record_remove(g->world, r);
}

static bool is_voice(const struct cord_channel *c)
{
	return c->type == CORD_VOICE || c->type == CORD_STAGE_VOICE;
}

int cord_voice_move(struct cord_call *call, struct cord_guild *g, uint64_t id)
{
	uint64_t to = cord_get_id(call->body, "channel_id");
	struct cord_channel *c = to != 0 ? cord_channel_find(call->world, to) : NULL;

	if (!cord_record_find(call->world, CORD_VOICE_STATE, g->id, id))
		return cord_fail(call, "Target user is not connected to voice.");
	if (to != 0 && (!c || c->guild != g || c->gone))
		return cord_fail(call, "Unknown Channel");
	if (c && !is_voice(c))
		return cord_fail(call, "Cannot execute action on this channel type");
	cord_voice_set(g, id, c, NULL);
	return 0;
}

/* Discord: resources/voice. The names are of 2026. */
int cord_list_voice_regions(struct cord_call *call)
{
	static const char *const regions[][2] = {{"brazil", "Brazil"}, {"rotterdam", "Rotterdam"},
	    {"singapore", "Singapore"}, {"us-east", "US East"}, {"us-west", "US West"}};

	call->result = json_object_new_array();
	for (size_t i = 0; i < sizeof(regions) / sizeof(regions[0]); i++)
		json_object_array_add(call->result,
		    cord_fill("VoiceRegionResponse",
			json_newf("{id: %s, name: %s}", regions[i][0], regions[i][1])));
	return 0;
}

/* The state that the path names: one's own, or a member's. */
static struct cord_record *find_state(struct cord_call *call)
{
	bool own = strstr(call->route->path, "@me") != NULL;

	return cord_call_record(call, CORD_VOICE_STATE, call->guild->id,
	    own ? cord_call_actor(call) : call->ids[1], "Unknown Voice State");
}

int cord_get_voice_state(struct cord_call *call)
{
	const struct cord_record *r = find_state(call);

	if (!r)
		return -1;
	call->result = json_object_get(r->json);
	return 0;
}

/* Discord: resources/voice, Modify User Voice State: in a stage, who is suppressed listens. */
int cord_update_voice_state(struct cord_call *call)
{
	struct cord_record *r = find_state(call);
	bool own, suppress = json_get_bool(call->body, "suppress", true);
	const struct cord_channel *c;
	uint64_t may;

	if (!r)
		return -1;
	own = r->id == cord_call_actor(call);
	c = cord_channel_find(call->world, cord_get_id(r->json, "channel_id"));
	if (!c || c->type != CORD_STAGE_VOICE)
		return cord_fail(call, "Cannot execute action on this channel type");
	may = cord_call_may(call, c);
	if ((!own || !suppress) && !(may & CORD_MAY_MUTE))
		return cord_fail(call, "Missing Permissions");
	if (json_get_str(call->body, "request_to_speak_timestamp") && !(may & CORD_MAY_REQUEST_TO_SPEAK))
		return cord_fail(call, "Missing Permissions");
	if (json_get(call->body, "suppress"))
		json_set_bool(r->json, "suppress", suppress);
	if (cord_given(call->body, "request_to_speak_timestamp"))
		json_object_object_add(r->json, "request_to_speak_timestamp",
		    json_object_get(json_get(call->body, "request_to_speak_timestamp")));
	announce_state(call->guild, r->json);
	return 0;
}

static struct json_object *stage_of(struct cord_call *call, uint64_t channel_id, struct cord_channel **c)
{
	struct cord_record *r;

	*c = cord_channel_find(call->world, channel_id);
	if (!*c || (*c)->gone || !(*c)->guild) {
		cord_fail(call, "Unknown Channel");
		return NULL;
	}
	if (!cord_call_sees(call, *c)) {
		cord_fail(call, "Missing Access");
		return NULL;
	}
	r = cord_call_record(call, CORD_STAGE, (*c)->guild->id, channel_id, "Unknown Stage Instance");
	return r ? r->json : NULL;
}

/* A moderator of a stage. */
#define STAGE_MODERATOR (CORD_MAY_MANAGE_CHANNELS | CORD_MAY_MUTE | CORD_MAY_MOVE)

static void announce_stage(struct cord_call *call, struct cord_channel *c, const char *name, int action,
    struct json_object *was, struct json_object *is)
{
	struct json_object *options;

	cord_event_in_guild(c->guild, name, CORD_INTENT_GUILDS, 0, json_object_get(is ? is : was));
	options = json_object_new_object();
	json_set(options, "channel_id", cord_id_json(c->id));
	cord_call_audit_entry(call, c->guild,
	    (struct cord_audit_entry){.action = action,
		.target_id = cord_get_id(is ? is : was, "id"),
		.before = was,
		.after = is,
		.options = options});
}

int cord_create_stage_instance(struct cord_call *call)
{
	uint64_t id = cord_get_id(call->body, "channel_id");
	struct cord_channel *c = cord_channel_find(call->world, id);
	struct json_object *o;

	if (!c || c->gone || !c->guild || !cord_call_sees(call, c))
		return cord_fail(call, "Unknown Channel");
	if (c->type != CORD_STAGE_VOICE)
		return cord_fail(call, "Cannot execute action on this channel type");
	if ((cord_call_may(call, c) & STAGE_MODERATOR) != STAGE_MODERATOR)
		return cord_fail(call, "Missing Permissions");
	if (cord_record_find(call->world, CORD_STAGE, c->guild->id, id))
		return cord_fail(call, "The Stage is already open");
	o = json_object_new_object();
	cord_set_id(o, "id", cord_new_id(call->world));
	cord_set_id(o, "guild_id", c->guild->id);
	cord_set_id(o, "channel_id", id);
	json_set_str(o, "topic", json_get_str(call->body, "topic"));
	json_set_int(o, "privacy_level", json_get_int(call->body, "privacy_level", 2));
	cord_set_id(o, "guild_scheduled_event_id", cord_get_id(call->body, "guild_scheduled_event_id"));
	cord_record_put(call->world, CORD_STAGE, c->guild->id, id, cord_fill("StageInstanceResponse", o));
	announce_stage(call, c, "STAGE_INSTANCE_CREATE", CORD_ACTION_STAGE, NULL, o);
	call->result = json_object_get(o);
	return 0;
}

int cord_get_stage_instance(struct cord_call *call)
{
	struct cord_channel *c;
	struct json_object *o = stage_of(call, call->ids[0], &c);

	call->result = json_object_get(o);
	return o ? 0 : -1;
}

int cord_update_stage_instance(struct cord_call *call)
{
	struct cord_channel *c;
	struct json_object *o = stage_of(call, call->ids[0], &c), *was;

	if (!o)
		return -1;
	if ((cord_call_may(call, c) & STAGE_MODERATOR) != STAGE_MODERATOR)
		return cord_fail(call, "Missing Permissions");
	was = cord_copy(o);
	json_set_str(o, "topic", json_get_str(call->body, "topic"));
	json_set_int(o, "privacy_level",
	    json_get_int(call->body, "privacy_level", json_get_int(o, "privacy_level", 2)));
	announce_stage(call, c, "STAGE_INSTANCE_UPDATE", CORD_ACTION_STAGE + 1, was, o);
	json_object_put(was);
	call->result = json_object_get(o);
	return 0;
}

int cord_delete_stage_instance(struct cord_call *call)
{
	struct cord_channel *c;
	struct json_object *o = json_object_get(stage_of(call, call->ids[0], &c));

	if (!o)
		return -1;
	if ((cord_call_may(call, c) & STAGE_MODERATOR) != STAGE_MODERATOR) {
		json_object_put(o);
		return cord_fail(call, "Missing Permissions");
	}
	cord_record_remove(call->world, cord_record_find(call->world, CORD_STAGE, c->guild->id, c->id));
	announce_stage(call, c, "STAGE_INSTANCE_DELETE", CORD_ACTION_STAGE + 2, o, NULL);
	json_object_put(o);
	return 0;
}

int cord_update_voice_channel_status(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	struct json_object *d;

	if (c->type != CORD_VOICE)
		return cord_fail(call, "Cannot execute action on this channel type");
	if (!(cord_call_may(call, c) & (CORD_MAY_SET_STATUS | CORD_MAY_MANAGE_CHANNELS)))
		return cord_fail(call, "Missing Permissions");
	d = cord_guild_event(c->guild, "id", cord_id_json(c->id));
	json_object_object_add(d, "status", json_object_get(json_get(call->body, "status")));
	cord_event_in_channel(c, "VOICE_CHANNEL_STATUS_UPDATE", CORD_EVENT_CHANNEL, d);
	return 0;
}

/* Discord: resources/soundboard: of Discord's own sounds there is one here. */
static struct json_object *default_sound(void)
{
	return cord_fill("SoundboardSoundResponse",
	    json_newf("{sound_id: '1', name: 'quack', volume: %p, available: true, emoji_name: '🦆'}",
		json_object_new_double(1)));
}

int cord_get_soundboard_default_sounds(struct cord_call *call)
{
	call->result = json_object_new_array();
	json_object_array_add(call->result, default_sound());
	return 0;
}

int cord_send_soundboard_sound(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	uint64_t id = cord_get_id(call->body, "sound_id");
	const struct cord_record *r, *state;
	struct json_object *d;

	if (c->type != CORD_VOICE)
		return cord_fail(call, "Cannot execute action on this channel type");
	state = cord_record_find(call->world, CORD_VOICE_STATE, c->guild->id, cord_call_actor(call));
	if (!state || cord_get_id(state->json, "channel_id") != c->id)
		return cord_fail(call, "Target user is not connected to voice.");
	r = cord_record_by_id(call->world, CORD_SOUND, id);
	if (!r && id != 1)
		return cord_fail(call, "Unknown sound");
	d = cord_guild_event(c->guild, "channel_id", cord_id_json(c->id));
	json_set(d, "user_id", cord_id_json(cord_call_actor(call)));
	json_set(d, "sound_id", cord_id_json(id));
	json_set(d, "sound_volume", json_object_new_double(r ? json_get_double(r->json, "volume", 1) : 1));
	cord_event_in_guild(c->guild, "VOICE_CHANNEL_EFFECT_SEND", CORD_INTENT_VOICE, 0, d);
	return 0;
}
