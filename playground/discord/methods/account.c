#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "playground/discord/gateway/gateway.h"
#include "playground/discord/methods/methods.h"

int cord_get_my_user(struct cord_call *call)
{
	call->result = cord_bot_json(call->bot);
	json_setf(call->result, "bio: null, mfa_enabled: true, verified: true, email: null, locale: 'en-US'");
	return 0;
}

int cord_get_user(struct cord_call *call)
{
	call->result = cord_anyone_json(call->world, call->ids[0]);
	return call->result ? 0 : cord_fail(call, "Unknown User");
}

static void set_url(struct cord_call *call, struct json_object *o)
{
	char url[192];

	snprintf(url, sizeof(url), "ws%s/discord/gateway", call->world->origin + strlen("http"));
	json_set_str(o, "url", url);
}

int cord_get_gateway(struct cord_call *call)
{
	call->result = json_object_new_object();
	set_url(call, call->result);
	return 0;
}

int cord_get_bot_gateway(struct cord_call *call)
{
	struct json_object *limit = json_object_new_object();

	call->result = json_object_new_object();
	set_url(call, call->result);
	json_set_int(call->result, "shards", call->world->settings.shards);
	json_setf(limit, "total: %d, remaining: %jd, reset_after: 14400000, max_concurrency: %jd",
	    CORD_SESSION_STARTS, call->world->settings.session_starts, call->world->settings.max_concurrency);
	json_set(call->result, "session_start_limit", limit);
	return 0;
}

int cord_list_my_guilds(struct cord_call *call)
{
	call->result = json_object_new_array();
	list_each_entry(&call->world->guild_list, struct cord_guild, g, link) {
		struct json_object *o;

		if (!cord_guild_has(g, call->bot))
			continue;
		o = cord_part("MyGuildResponse", cord_guild_json(g, NULL));
		json_set_bool(o, "owner", false);
		cord_set_bits(o, "permissions", cord_guild_may(g, call->bot->id));
		json_object_array_add(call->result, o);
	}
	return 0;
}

int cord_get_guild_member(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	call->result = cord_someone_json(g, call->ids[1], true);
	return call->result ? 0 : cord_fail(call, "Unknown Member");
}

/* Channels, or open threads. */
static struct json_object *channels_of(struct cord_call *call, const struct cord_guild *g, bool threads)
{
	struct json_object *array = json_object_new_array();

	list_each_entry(&call->world->channel_list, struct cord_channel, c, link)
		if (c->guild == g && cord_channel_is_thread(c) == threads && !c->archived && !c->gone &&
		    cord_call_sees(call, c))
			json_object_array_add(array, cord_channel_json(c, cord_call_actor(call)));
	return array;
}

int cord_list_guild_channels(struct cord_call *call)
{
	struct cord_guild *g = call->guild;

	call->result = channels_of(call, g, false);
	return 0;
}

int cord_get_active_guild_threads(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	struct json_object *threads, *members;

	threads = channels_of(call, g, true);
	members = json_object_new_array();
	json_each(threads, item)
		json_object_array_add(members, json_object_get(json_get(item, "member")));
	call->result = json_newf("{threads: %p, members: %p, has_more: false}", threads, members);
	return 0;
}
