#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/discord/world/world_internal.h"

/* By their bits; some are not there any more. */
static const char *const names[] = {
    [0] = "CREATE_INSTANT_INVITE",
    [1] = "KICK_MEMBERS",
    [2] = "BAN_MEMBERS",
    [3] = "ADMINISTRATOR",
    [4] = "MANAGE_CHANNELS",
    [5] = "MANAGE_GUILD",
    [6] = "ADD_REACTIONS",
    [7] = "VIEW_AUDIT_LOG",
    [8] = "PRIORITY_SPEAKER",
    [9] = "STREAM",
    [10] = "VIEW_CHANNEL",
    [11] = "SEND_MESSAGES",
    [12] = "SEND_TTS_MESSAGES",
    [13] = "MANAGE_MESSAGES",
    [14] = "EMBED_LINKS",
    [15] = "ATTACH_FILES",
    [16] = "READ_MESSAGE_HISTORY",
    [17] = "MENTION_EVERYONE",
    [18] = "USE_EXTERNAL_EMOJIS",
    [19] = "VIEW_GUILD_INSIGHTS",
    [20] = "CONNECT",
    [21] = "SPEAK",
    [22] = "MUTE_MEMBERS",
    [23] = "DEAFEN_MEMBERS",
    [24] = "MOVE_MEMBERS",
    [25] = "USE_VAD",
    [26] = "CHANGE_NICKNAME",
    [27] = "MANAGE_NICKNAMES",
    [28] = "MANAGE_ROLES",
    [29] = "MANAGE_WEBHOOKS",
    [30] = "MANAGE_GUILD_EXPRESSIONS",
    [31] = "USE_APPLICATION_COMMANDS",
    [32] = "REQUEST_TO_SPEAK",
    [33] = "MANAGE_EVENTS",
    [34] = "MANAGE_THREADS",
    [35] = "CREATE_PUBLIC_THREADS",
    [36] = "CREATE_PRIVATE_THREADS",
    [37] = "USE_EXTERNAL_STICKERS",
    [38] = "SEND_MESSAGES_IN_THREADS",
    [39] = "USE_EMBEDDED_ACTIVITIES",
    [40] = "MODERATE_MEMBERS",
    [41] = "VIEW_CREATOR_MONETIZATION_ANALYTICS",
    [42] = "USE_SOUNDBOARD",
    [43] = "CREATE_GUILD_EXPRESSIONS",
    [44] = "CREATE_EVENTS",
    [45] = "USE_EXTERNAL_SOUNDS",
    [46] = "SEND_VOICE_MESSAGES",
    [48] = "SET_VOICE_CHANNEL_STATUS",
    [49] = "SEND_POLLS",
    [50] = "USE_EXTERNAL_APPS",
    [51] = "PIN_MESSAGES",
    [52] = "BYPASS_SLOWMODE",
};

uint64_t cord_permission_find(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(names); i++)
		if (names[i] && strcmp(names[i], name) == 0)
			return UINT64_C(1) << i;
	return 0;
}

uint64_t cord_get_bits(struct json_object *o, const char *key)
{
	struct json_object *v = json_get(o, key);

	return v ? strtoull(json_object_get_string(v), NULL, 10) : 0;
}

void cord_set_bits(struct json_object *o, const char *key, uint64_t bits)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, bits);
	json_set_str(o, key, text);
}

static struct json_object *role_of(const struct cord_guild *g, uint64_t id)
{
	const struct cord_record *r = cord_record_find(g->world, CORD_ROLE, g->id, id);

	return r ? r->json : NULL;
}

/* A member whose time-out lasts sees and reads alone, except the owner and administrators (Discord:
 * topics/permissions, Permissions For Timed Out Members). */
static uint64_t while_timed_out(const struct cord_guild *g, uint64_t id, uint64_t may)
{
	return cord_member_timeout(g, id) != 0 ? may & (CORD_MAY_VIEW | CORD_MAY_READ_HISTORY) : may;
}

uint64_t cord_guild_may(const struct cord_guild *g, uint64_t id)
{
	struct cord_ids roles;
	uint64_t may;

	if (!cord_is_member(g, id))
		return 0;
	if (id == g->owner_id)
		return CORD_MAY_ALL;
	cord_member_role_ids(g, id, &roles);
	may = cord_get_bits(role_of(g, g->id), "permissions");
	for (size_t i = 0; i < roles.count; i++)
		may |= cord_get_bits(role_of(g, roles.list[i]), "permissions");
	free(roles.list);
	return may & CORD_MAY_ADMINISTER ? CORD_MAY_ALL : while_timed_out(g, id, may);
}

static struct json_object *overwrite_of(const struct cord_channel *c, uint64_t id)
{
	json_each(c->overwrites, item)
		if (cord_get_id(item, "id") == id)
			return item;
	return NULL;
}

static uint64_t apply(uint64_t may, struct json_object *overwrite)
{
	return (may & ~cord_get_bits(overwrite, "deny")) | cord_get_bits(overwrite, "allow");
}

/* Discord: topics/permissions, Permission Overwrites. */
uint64_t cord_permissions_in(const struct cord_channel *c, uint64_t id)
{
	const struct cord_channel *place = c->parent ? c->parent : c;
	uint64_t may = cord_guild_may(c->guild, id), allow = 0, deny = 0;
	struct cord_ids roles;

	if (may == CORD_MAY_ALL || may == 0)
		return may;
	may = apply(may, overwrite_of(place, c->guild->id));
	cord_member_role_ids(c->guild, id, &roles);
	for (size_t i = 0; i < roles.count; i++) {
		allow |= cord_get_bits(overwrite_of(place, roles.list[i]), "allow");
		deny |= cord_get_bits(overwrite_of(place, roles.list[i]), "deny");
	}
	free(roles.list);
	may = apply((may & ~deny) | allow, overwrite_of(place, id));
	return may & CORD_MAY_VIEW ? while_timed_out(c->guild, id, may) : 0;
}

/* Discord: topics/permissions, Permission Hierarchy: of two in one place the older is higher. */
static bool is_above(struct json_object *a, struct json_object *b)
{
	int64_t x = json_get_int(a, "position", 0), y = json_get_int(b, "position", 0);

	return x != y ? x > y : cord_get_id(a, "id") < cord_get_id(b, "id");
}

/* NULL: it has none but everyone's. */
static struct json_object *highest(const struct cord_guild *g, uint64_t id)
{
	struct json_object *best = NULL;
	struct cord_ids roles;

	cord_member_role_ids(g, id, &roles);
	for (size_t i = 0; i < roles.count; i++) {
		struct json_object *role = role_of(g, roles.list[i]);

		if (role && (!best || is_above(role, best)))
			best = role;
	}
	free(roles.list);
	return best;
}

bool cord_outranks_role(const struct cord_guild *g, uint64_t id, struct json_object *role)
{
	struct json_object *own = highest(g, id);

	return id == g->owner_id || cord_get_id(role, "id") == g->id || (own && is_above(own, role));
}

bool cord_outranks(const struct cord_guild *g, uint64_t id, uint64_t other)
{
	struct json_object *role = highest(g, other);

	if (other == g->owner_id || id == other)
		return false;
	return id == g->owner_id || !cord_is_member(g, other) ||
	    (role ? cord_outranks_role(g, id, role) : highest(g, id) != NULL);
}
