#ifndef SESSION_ACCESS_ACCESS_H
#define SESSION_ACCESS_ACCESS_H
/*
 * Who may talk to the agent. Identity is (channel, kind, id), never a name; an empty list
 * admits nobody. These are the settings that every channel has, beside its adapter's own. What they say of an
 * id wins over what was granted from chat.
 */
#include <stdbool.h>

#include "base/config/config.h"
#include "bus/quiet_hours.h"

struct grants;
struct message;

enum access_group { ACCESS_GROUP_MENTION, ACCESS_GROUP_ALL, ACCESS_GROUP_OFF };

/* channels.NAME.groups.NAME: what is different in one group. */
struct access_group_settings {
	char *chat;
	int group; /* 0: as on the channel; else one more than enum access_group */
	struct config_strings allow, admins;
	char *quiet_hours;
	struct quiet_hours quiet;
};

extern const struct config_section access_group_section;

/* channels.NAME, for every type. */
struct access_settings {
	char *type;
	struct config_strings guests, allow, admins, owners, chats;
	bool pairing;  /* strangers are given a code in their private chat */
	int group;     /* enum access_group */
	int uncertain; /* enum channel_uncertain */
	char *ack_reaction;
	char *stop_reaction; /* NULL: the platform's own */
	char *quiet_hours;
	struct access_group_settings *places; /* read by access_groups_read */
	size_t group_count;
	/* Not set in the file: the ids of owners and admins together, borrowed from those; */
	char **admin_ids;
	size_t admin_id_count;
	/* whether whoever can write on this channel is the operator. */
	bool operator;
};

extern const struct config_section access_section;

/* Each may what those before it may. The number is stored: see store/grants.h. */
enum access_role { ACCESS_NONE, ACCESS_GUEST, ACCESS_USER, ACCESS_ADMIN, ACCESS_OWNER };

enum access_verdict {
	ACCESS_ADMITTED,
	ACCESS_STRANGER,     /* not in allow or admins, a chat's own voice, or a bot */
	ACCESS_WRONG_CHAT,   /* the chat is not listed, or groups are off */
	ACCESS_NOT_ADDRESSED /* an ordinary message of a group where only mentions count */
};

/* Reads the groups of a channel, and fills admin_ids; path is that of the channel, and mistakes are reported.
 */
void access_groups_read(struct access_settings *s, struct config *cfg, const char *path);
void access_groups_clear(struct access_settings *s);
/* The settings of a chat, NULL if it has none of its own; former as below. */
const struct access_group_settings *access_group_settings(
    const struct access_settings *s, const char *chat, const char *former);
/* Which messages of the chat count. */
enum access_group access_group(const struct access_settings *s, const char *chat, const char *former);

/* Of whoever wrote m, where it was written: one group may admit further people, and have admins of its own.
 * former: the id that the chat had before, which the settings may still name; NULL if none. */
enum access_role access_role(
    const struct access_settings *s, const struct grants *g, const struct message *m, const char *former);
/* Of the same person on the whole channel, whatever a group says: it counts where others are given or lose a
 * role. */
enum access_role access_role_on_channel(
    const struct access_settings *s, const struct grants *g, const struct message *m);
/* What the settings say of this id on the whole channel, "*" aside. */
enum access_role access_role_configured(const struct access_settings *s, const char *id);
enum access_verdict access_check(const struct access_settings *s, const struct grants *g,
    const struct message *m, const char *former, enum access_role *role);
/* "user". */
const char *access_role_name(enum access_role role);
/* The roles that can be granted, ends with NULL. */
extern const char *const access_roles[];
/* A role that can be granted: guest, user or admin. -1: there is none of that name. */
int access_role_parse(const char *name, enum access_role *role);
/* Is it a group that belongs to the agent's chats: one that the settings list, or, where they list none, one
 * where somebody allowed speaks? What others say there may be told to the agent, though it is not
 * answered. */
bool access_admits_group(
    const struct access_settings *s, const struct grants *g, const struct message *m, const char *former);
/* Is there somebody by id who can let others in on this channel? */
bool access_has_admin(const struct access_settings *s);
/* What an operator reads about a refusal; with what to do. */
const char *access_verdict_text(enum access_verdict verdict);
/* Why nobody, or everybody, is answered on a channel: NULL when the lists are ordinary. */
const char *access_warning(const struct access_settings *s);

#endif
