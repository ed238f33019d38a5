#ifndef PLAYGROUND_DISCORD_WORLD_MEMBER_H
#define PLAYGROUND_DISCORD_WORLD_MEMBER_H
/* Members of guilds. Every person is one of every guild until leaving it; bots join by invitation. */
#include <stdbool.h>
#include <stdint.h>

struct cord_bot;
struct cord_guild;
struct cord_ids;
struct cord_user;
struct json_object;

/* Is the person or bot a member? */
bool cord_is_member(const struct cord_guild *g, uint64_t id);
/* Guild member objects, with or without the user. */
struct json_object *cord_member_json(const struct cord_guild *g, const struct cord_user *u, bool with_user);
struct json_object *cord_member_bot_json(
    const struct cord_guild *g, const struct cord_bot *b, bool with_user);
/* The same for any id; NULL: no member. */
struct json_object *cord_someone_json(const struct cord_guild *g, uint64_t id, bool with_user);
/* The ids of all members in ascending order; the caller frees ids->list. */
void cord_members(const struct cord_guild *g, struct cord_ids *ids);

/* Does a name of the member object begin with the query, in any case? */
bool cord_member_starts_with(struct json_object *member, const char *query);

/* The ids of its roles, beside everyone's; the caller frees ids->list. */
void cord_member_role_ids(const struct cord_guild *g, uint64_t id, struct cord_ids *ids);
/* What is kept of a member, to change: "nick", "roles" and the like. */
struct json_object *cord_member_state(const struct cord_guild *g, uint64_t id);
/* The roles in it. */
struct json_object *cord_member_roles(const struct cord_guild *g, uint64_t id);
/* Until when it may not write, in ms of clock_wall(); 0: it may. */
int64_t cord_member_timeout(const struct cord_guild *g, uint64_t id);
/* A person becomes a member, with the event; or ceases to be one, and loses nick and roles. */
void cord_member_join(struct cord_guild *g, uint64_t id);
void cord_member_leave(struct cord_guild *g, uint64_t id);
/* GUILD_MEMBER_ADD, GUILD_MEMBER_UPDATE or GUILD_MEMBER_REMOVE. */
void cord_member_event(const struct cord_guild *g, uint64_t id, const char *name);

#endif
