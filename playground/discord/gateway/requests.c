#include <stdlib.h>
#include <string.h>

#include "playground/discord/gateway/event.h"
#include "playground/discord/gateway/gateway.h"
#include "playground/discord/methods/methods.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/world/guild.h"
#include "playground/discord/world/message.h"

#define CHUNK_MAX   1000
#define QUERY_MAX   100
#define ALL_WAIT_MS 30000 /* between two requests for all members of a guild */

/* The members that a request names: by ids, or by what their names begin with. */
static struct json_object *find_members(
    const struct cord_guild *g, struct json_object *d, struct json_object *not_found)
{
	struct json_object *members = json_object_new_array(), *wanted = json_get(d, "user_ids");
	const char *query = json_get_str(d, "query");
	size_t limit = (size_t)json_get_int(d, "limit", 0);
	struct cord_ids ids = {NULL, 0};

	if (json_object_is_type(wanted, json_type_array))
		cord_ids_load(&ids, wanted);
	else if (wanted)
		cord_ids_add(&ids, cord_get_id(d, "user_ids"));
	else
		cord_members(g, &ids);
	if (limit == 0 || (query && query[0] != '\0' && limit > QUERY_MAX))
		limit = query && query[0] != '\0' ? QUERY_MAX : SIZE_MAX;
	for (size_t i = 0; i < ids.count && json_count(members) < limit; i++) {
		struct json_object *member = cord_someone_json(g, ids.list[i], true);

		if (!member)
			json_object_array_add(not_found, cord_id_json(ids.list[i]));
		else if (wanted || cord_member_starts_with(member, query ? query : ""))
			json_object_array_add(members, member);
		else
			json_object_put(member);
	}
	free(ids.list);
	return members;
}

static void send_chunks(struct cord_socket *s, const struct cord_guild *g, struct json_object *d,
    struct json_object *members, struct json_object *not_found)
{
	size_t count = json_count(members), chunks = count == 0 ? 1 : (count + CHUNK_MAX - 1) / CHUNK_MAX;

	for (size_t i = 0; i < chunks; i++) {
		struct json_object *o = cord_guild_event(g, "members", json_object_new_array());

		for (size_t k = i * CHUNK_MAX; k < count && k < (i + 1) * CHUNK_MAX; k++)
			json_object_array_add(
			    json_get_array(o, "members"), json_object_get(json_at(members, k)));
		json_setf(o, "chunk_index: %jd, chunk_count: %jd", (int64_t)i, (int64_t)chunks);
		if (json_count(not_found) > 0)
			json_set(o, "not_found", json_object_get(not_found));
		json_set_str(o, "nonce", json_get_str(d, "nonce"));
		cord_session_dispatch(s->session, "GUILD_MEMBERS_CHUNK", o);
		json_object_put(o);
	}
}

/* Discord: events/gateway-events, Rate Limited. */
static void say_limited(
    struct cord_socket *s, const struct cord_guild *g, struct json_object *d, uint64_t wait_ms)
{
	struct json_object *o = json_object_new_object(),
			   *meta = cord_guild_event(g, "nonce", json_object_get(json_get(d, "nonce")));

	json_setf(o, "opcode: %d, retry_after: %p, meta: %p", CORD_OP_MEMBERS,
	    json_object_new_double((double)wait_ms / 1000), meta);
	cord_session_dispatch(s->session, "RATE_LIMITED", o);
	json_object_put(o);
}

/* Discord: Request Guild Members: all of them are for those with the intent, once in half a minute for a
 * guild. */
void cord_request_members(struct cord_socket *s, struct json_object *d)
{
	struct cord_guild *g = cord_guild_find(s->world, cord_get_id(d, "guild_id"));
	const char *query = json_get_str(d, "query");
	bool all = query && query[0] == '\0' && json_get_int(d, "limit", 0) == 0;
	struct json_object *members, *not_found;
	struct cord_guild_bot *row;
	uint64_t now = clock_now();

	if (!g || !cord_guild_has(g, s->bot) || (!query && !json_get(d, "user_ids")))
		return;
	if (all && !(s->session->intents & CORD_INTENT_MEMBERS))
		return;
	row = cord_guild_bot(g, s->bot);
	if (all && s->world->settings.limits) {
		if (row->asked_ms != 0 && now < row->asked_ms + ALL_WAIT_MS) {
			say_limited(s, g, d, row->asked_ms + ALL_WAIT_MS - now);
			return;
		}
		row->asked_ms = now;
	}
	not_found = json_object_new_array();
	members = find_members(g, d, not_found);
	send_chunks(s, g, d, members, not_found);
	json_object_put(members);
	json_object_put(not_found);
}

void cord_request_sounds(struct cord_socket *s, struct json_object *d)
{
	struct json_object *ids = json_get_array(d, "guild_ids");

	json_each(ids, item) {
		const struct cord_guild *g = NULL;
		struct json_object *o;
		uint64_t id = 0;

		if (cord_snowflake_read(json_object_get_string(item), &id))
			g = cord_guild_find(s->world, id);
		if (!g || !cord_guild_has(g, s->bot))
			continue;
		o = cord_guild_event(g, "soundboard_sounds", cord_records_json(s->world, CORD_SOUND, id));
		cord_session_dispatch(s->session, "SOUNDBOARD_SOUNDS", o);
		json_object_put(o);
	}
}

/* A bot enters a voice channel, or leaves. There is no voice server: its endpoint is null, as while one is
 * away. */
void cord_request_voice(struct cord_socket *s, struct json_object *d)
{
	struct cord_guild *g = cord_guild_find(s->world, cord_get_id(d, "guild_id"));
	uint64_t id = cord_get_id(d, "channel_id");
	struct cord_channel *c = id != 0 ? cord_channel_find(s->world, id) : NULL;
	struct json_object *o;

	if (!json_object_is_type(d, json_type_object)) {
		cord_socket_close(s, CORD_CLOSE_DECODE);
		return;
	}
	if (!g || !cord_guild_has(g, s->bot) ||
	    (id != 0 && (!c || c->guild != g || !(cord_channel_may(c, s->bot->id) & CORD_MAY_CONNECT))))
		return;
	cord_voice_set(g, s->bot->id, c, d);
	if (!c)
		return;
	o = cord_guild_event(g, "token", json_object_new_string("0123456789abcdef"));
	cord_set_null(o, "endpoint");
	cord_session_dispatch(s->session, "VOICE_SERVER_UPDATE", o);
	json_object_put(o);
}
