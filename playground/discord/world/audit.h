#ifndef PLAYGROUND_DISCORD_WORLD_AUDIT_H
#define PLAYGROUND_DISCORD_WORLD_AUDIT_H
/* The audit log of a guild. */
#include <stdint.h>

struct cord_guild;
struct json_object;

/* Discord: resources/audit-log, Audit Log Events: created; updated is one more, deleted two more. */
enum cord_action {
	CORD_DID_GUILD_UPDATE = 1,
	CORD_DID_CHANNEL = 10,
	CORD_DID_OVERWRITE = 13,
	CORD_DID_KICK = 20,
	CORD_DID_PRUNE = 21,
	CORD_DID_BAN = 22,
	CORD_DID_UNBAN = 23,
	CORD_DID_MEMBER_UPDATE = 24,
	CORD_DID_MEMBER_ROLES = 25,
	CORD_DID_MEMBER_MOVE = 26,
	CORD_DID_BOT_ADD = 28,
	CORD_DID_ROLE = 30,
	CORD_DID_INVITE = 40,
	CORD_DID_WEBHOOK = 50,
	CORD_DID_EMOJI = 60,
	CORD_DID_MESSAGE_DELETE = 72,
	CORD_DID_BULK_DELETE = 73,
	CORD_DID_PIN = 74,
	CORD_DID_UNPIN = 75,
	CORD_DID_STAGE = 83,
	CORD_DID_STICKER = 90,
	CORD_DID_SCHEDULED = 100,
	CORD_DID_THREAD = 110,
	CORD_DID_COMMAND_PERMISSIONS = 121,
	CORD_DID_SOUND = 130,
	CORD_DID_RULE = 140,
	CORD_DID_RULE_BLOCK = 143,
	CORD_DID_RULE_FLAG = 144,
	CORD_DID_RULE_TIMEOUT = 145,
	CORD_DID_ONBOARDING = 167
};

struct cord_deed {
	uint64_t user_id, target_id; /* who, and on what */
	int action;
	struct json_object *was, *is; /* objects that are compared; NULL: not there before or after */
	struct json_object *options;  /* is taken; NULL: none */
	const char *reason;           /* NULL: none */
};

/* Adds an entry, and sends its event to the bots that may see the log. */
void cord_audit(struct cord_guild *g, const struct cord_deed *deed);

#endif
