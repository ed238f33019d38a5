#ifndef SESSION_ACCESS_ACCESS_H
#define SESSION_ACCESS_ACCESS_H
/*
 * Access control: who may talk to the agent. A person is identified by (channel, kind, id), never by a
 * name, and an empty allowlist admits nobody. These settings are common to every channel; each adapter
 * adds its own. They override the roles that were granted from chat.
 */
#include <stdbool.h>

#include "base/config/config.h"
#include "bus/quiet_hours.h"

struct grants;
struct message;

enum access_group { ACCESS_GROUP_MENTION, ACCESS_GROUP_ALL, ACCESS_GROUP_OFF };

/* channels.NAME.groups.NAME: the overrides of one group. */
struct access_group_settings {
	char *chat;
	int group; /* 0: as on the channel; else enum access_group + 1 */
	struct config_strings allow, admins;
	char *quiet_hours;
	struct quiet_hours quiet;
};

extern const struct config_section access_group_section;

/* channels.NAME, for every type. */
struct access_settings {
	char *type;
	struct config_strings guests, allow, admins, owners, chats;
	bool pairing;  /* strangers get a pairing code in their private chat */
	int group;     /* enum access_group */
	int uncertain; /* enum channel_uncertain */
	char *ack_reaction;
	char *stop_reaction; /* NULL: the platform's default */
	char *quiet_hours;
	char *home;                           /* the only node that may serve it; NULL: any */
	struct access_group_settings *groups; /* read by access_groups_read */
	size_t group_count;
	/* Not read from the file: the ids of owners and admins together, borrowed from those lists, */
	char **admin_ids;
	size_t admin_id_count;
	/* and whether everyone who can write on this channel is the operator. */
	bool operator;
};

extern const struct config_section access_section;

/* Each role includes the rights of those before it. The numbers are stored: see store/grants.h. */
enum access_role { ACCESS_NONE, ACCESS_GUEST, ACCESS_USER, ACCESS_ADMIN, ACCESS_OWNER };

enum access_verdict {
	ACCESS_ADMITTED,
	ACCESS_STRANGER,     /* in no list, a message sent as the chat itself, or a bot */
	ACCESS_WRONG_CHAT,   /* the chat is not listed, or groups are off */
	ACCESS_NOT_ADDRESSED /* an ordinary message of a group where only mentions count */
};

/* Reads the groups of a channel and fills admin_ids; path is the channel's. Reports mistakes to cfg. */
void access_groups_read(struct access_settings *s, struct config *cfg, const char *path);
void access_groups_clear(struct access_settings *s);
/* Returns the settings of a group, or NULL if it has none of its own. former: see access_role. */
const struct access_group_settings *access_group_settings(
    const struct access_settings *s, const char *chat, const char *former);
/* Returns which messages of the chat the agent answers. */
enum access_group access_group(const struct access_settings *s, const char *chat, const char *former);

/* Returns the role of the sender of m in that chat: a group may admit more people and have its own admins.
 * former is the chat's id before it moved, which the settings may still name; NULL if none. */
enum access_role access_role(
    const struct access_settings *s, const struct grants *g, const struct message *m, const char *former);
/* Returns the sender's role on the whole channel, whatever a group says. It decides whether they may grant or
 * revoke roles. */
enum access_role access_role_on_channel(
    const struct access_settings *s, const struct grants *g, const struct message *m);
/* Returns the role that the settings give this id on the whole channel, ignoring "*". */
enum access_role access_role_configured(const struct access_settings *s, const char *id);
enum access_verdict access_check(const struct access_settings *s, const struct grants *g,
    const struct message *m, const char *former, enum access_role *role);
/* Returns "user" and the like. */
const char *access_role_name(enum access_role role);
/* The roles that can be granted; ends with NULL. */
extern const char *const access_roles[];
/* Parses a role that can be granted: guest, user or admin. Returns -1 for any other name. */
int access_role_parse(const char *name, enum access_role *role);
/* Returns whether the agent serves this group: the settings list it or, where they list none, the sender is
 * allowed. Messages of others there may reach the model as context, but get no answer. */
bool access_admits_group(
    const struct access_settings *s, const struct grants *g, const struct message *m, const char *former);
/* Returns whether the settings name, by id, someone who can admit others on this channel. */
bool access_has_admin(const struct access_settings *s);
/* Describes a refusal for the operator, with what to do about it. */
const char *access_verdict_text(enum access_verdict verdict);
/* Returns a warning about lists that admit nobody or everybody, or that do not work as written; NULL:
 * none. */
const char *access_warning(const struct access_settings *s);

#endif
