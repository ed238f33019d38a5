#include "channels/discord/gateway_payload.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "channels/discord/gateway_session.h"

/* Intents: guilds and channels, messages and reactions in guilds and DMs, message content. */
#define GUILDS           (1 << 0)
#define GUILD_MESSAGES   (1 << 9)
#define GUILD_REACTIONS  (1 << 10)
#define DIRECT_MESSAGES  (1 << 12)
#define DIRECT_REACTIONS (1 << 13)
#define MESSAGE_CONTENT  (1 << 15)

static void write_frame(struct buf *out, enum discord_op op, struct json_object *data)
{
	struct json_object *o = json_object_new_object();

	json_set_int(o, "op", op);
	json_set(o, "d", data);
	json_write(out, o);
	json_object_put(o);
}

void discord_gateway_payload_heartbeat(struct buf *out, int64_t seq, bool has_seq)
{
	write_frame(out, DISCORD_OP_HEARTBEAT, has_seq ? json_object_new_int64(seq) : NULL);
}

void discord_gateway_payload_identify(
    struct buf *out, const char *token, bool content, unsigned shard, unsigned shards)
{
	struct json_object *d = json_object_new_object(), *properties = json_object_new_object();

	json_set_str(properties, "os", "linux");
	json_set_str(properties, "browser", "myna");
	json_set_str(properties, "device", "myna");
	json_set_str(d, "token", token);
	json_set_int(d, "intents",
	    GUILDS | GUILD_MESSAGES | GUILD_REACTIONS | DIRECT_MESSAGES | DIRECT_REACTIONS |
		(content ? MESSAGE_CONTENT : 0));
	json_set(d, "properties", properties);
	if (shards > 1) {
		struct json_object *pair = json_object_new_array();

		json_object_array_add(pair, json_object_new_int64(shard));
		json_object_array_add(pair, json_object_new_int64(shards));
		json_set(d, "shard", pair);
	}
	write_frame(out, DISCORD_OP_IDENTIFY, d);
}

void discord_gateway_payload_resume(
    struct buf *out, const char *token, const struct discord_gateway_session *session)
{
	struct json_object *d = json_object_new_object();

	json_set_str(d, "token", token);
	json_set_str(d, "session_id", session->id);
	json_set_int(d, "seq", session->seq);
	write_frame(out, DISCORD_OP_RESUME, d);
}

char *discord_gateway_payload_url(const char *base)
{
	size_t len = strcspn(base, "?#");
	const char *path = strstr(base, "://");

	path = path ? strchr(path + 3, '/') : NULL;
	return xasprintf("%.*s%s?v=10&encoding=json", (int)len, base, !path || path >= base + len ? "/" : "");
}
