#ifndef PLAYGROUND_DISCORD_HTTP_CALL_H
#define PLAYGROUND_DISCORD_HTTP_CALL_H
/* One request to the REST API. */
#include <stdbool.h>
#include <stdint.h>

#include "playground/discord/http/endpoint.h"
#include "playground/discord/http/errors.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/world/world.h"

struct buf;
struct cord_bot;
struct cord_channel;
struct cord_guild;
struct cord_message;
struct cord_world;
struct exchange;
struct json_object;

/* Discord: topics/opcodes-and-status-codes, JSON error codes. */
enum cord_code {
	CORD_UNKNOWN_APPLICATION = 10002,
	CORD_UNKNOWN_CHANNEL = 10003,
	CORD_UNKNOWN_GUILD = 10004,
	CORD_UNKNOWN_INTEGRATION = 10005,
	CORD_UNKNOWN_INVITE = 10006,
	CORD_UNKNOWN_MEMBER = 10007,
	CORD_UNKNOWN_MESSAGE = 10008,
	CORD_UNKNOWN_OVERWRITE = 10009,
	CORD_UNKNOWN_ROLE = 10011,
	CORD_UNKNOWN_USER = 10013,
	CORD_UNKNOWN_EMOJI = 10014,
	CORD_UNKNOWN_WEBHOOK = 10015,
	CORD_UNKNOWN_BAN = 10026,
	CORD_UNKNOWN_ENTITLEMENT = 10029,
	CORD_UNKNOWN_TEMPLATE = 10057,
	CORD_UNKNOWN_STICKER = 10060,
	CORD_UNKNOWN_STICKER_PACK = 10061,
	CORD_UNKNOWN_INTERACTION = 10062,
	CORD_UNKNOWN_COMMAND = 10063,
	CORD_UNKNOWN_VOICE_STATE = 10065,
	CORD_UNKNOWN_COMMAND_PERMISSIONS = 10066,
	CORD_UNKNOWN_STAGE = 10067,
	CORD_UNKNOWN_WELCOME_SCREEN = 10069,
	CORD_UNKNOWN_SCHEDULED = 10070,
	CORD_UNKNOWN_TAG = 10087,
	CORD_UNKNOWN_SOUND = 10097,
	CORD_ONLY_USERS = 20001,
	CORD_NOT_THIS_APPLICATION = 20012,
	CORD_SLOWMODE = 20016,
	CORD_TOO_MANY_PINS = 30003,
	CORD_TOO_MANY_ROLES = 30005,
	CORD_TOO_MANY_WEBHOOKS = 30007,
	CORD_TOO_MANY_EMOJIS = 30008,
	CORD_TOO_MANY_REACTIONS = 30010,
	CORD_TOO_MANY_CHANNELS = 30013,
	CORD_TOO_MANY_FILES = 30015,
	CORD_TOO_MANY_INVITES = 30016,
	CORD_TEMPLATE_EXISTS = 30031,
	CORD_TOO_MANY_COMMANDS = 30032,
	CORD_TOO_MANY_SCHEDULED = 30038,
	CORD_TOO_MANY_STICKERS = 30039,
	CORD_TOO_MANY_SOUNDS = 30045,
	CORD_TOO_MANY_OLD_EDITS = 30046,
	CORD_TOO_LARGE = 40005,
	CORD_USER_IS_BANNED = 40007,
	CORD_ONE_PARENT = 40009,
	CORD_NOT_IN_VOICE = 40032,
	CORD_CROSSPOSTED = 40033,
	CORD_COMMAND_NAME_TAKEN = 40041,
	CORD_IN_FORUM = 40058,
	CORD_ALREADY_ACKNOWLEDGED = 40060,
	CORD_TAG_NAMES = 40061,
	CORD_TAG_REQUIRED = 40067,
	CORD_MISSING_ACCESS = 50001,
	CORD_NOT_IN_DM = 50003,
	CORD_WIDGET_DISABLED = 50004,
	CORD_NOT_OWN_MESSAGE = 50005,
	CORD_EMPTY_MESSAGE = 50006,
	CORD_NO_DM_TO_USER = 50007,
	CORD_NOT_TEXT = 50008,
	CORD_MISSING_PERMISSIONS = 50013,
	CORD_BULK_COUNT = 50016,
	CORD_INVALID_INVITE = 50020,
	CORD_SYSTEM_MESSAGE = 50021,
	CORD_WRONG_CHANNEL_TYPE = 50024,
	CORD_INVALID_WEBHOOK_TOKEN = 50027,
	CORD_INVALID_ROLE = 50028,
	CORD_BULK_TOO_OLD = 50034,
	CORD_INVALID_FORM = 50035,
	CORD_INVALID_API_VERSION = 50041,
	CORD_INVALID_ASSET = 50046,
	CORD_INVALID_GUILD = 50055,
	CORD_INVALID_MESSAGE_TYPE = 50068,
	CORD_INVALID_STICKER = 50081,
	CORD_THREAD_ARCHIVED = 50083,
	CORD_INVALID_JSON = 50109,
	CORD_VOICE_CONTENT = 50159,
	CORD_VOICE_ONE_FILE = 50160,
	CORD_VOICE_METADATA = 50161,
	CORD_VOICE_NO_EDIT = 50162,
	CORD_STAGE_OPEN = 150006,
	CORD_THREAD_EXISTS = 160004,
	CORD_THREAD_LOCKED = 160005,
	CORD_EVENT_FINISHED = 180000,
	CORD_BLOCKED_BY_RULE = 200000,
	CORD_WEBHOOK_FORUM_THREAD = 220001,
	CORD_WEBHOOK_FORUM_BOTH = 220002,
	CORD_WEBHOOK_ONLY_FORUM = 220003,
	CORD_POLL_EXPIRED = 520001,
	CORD_POLL_CHANNEL = 520002,
	CORD_POLL_NO_EDIT = 520003,
	CORD_NO_POLL = 520006
};

struct cord_call {
	struct exchange *ex;
	struct cord_world *world;
	struct cord_bot *bot;           /* NULL: the request needs no Authorization and has none */
	const struct cord_route *route; /* NULL: there is no such operation */
	/* The variable path segments in order; args as ids, 0 if not an id. */
	char args[CORD_ARGS_MAX][256];
	uint64_t ids[CORD_ARGS_MAX];
	struct json_object *query, *body; /* checked: values have the types of the rows */
	struct json_object *parts; /* of a multipart body: {"filename","bytes","at"}; NULL: not multipart */
	struct json_object *result;
	int status; /* of a success; 0: 200, or 204 without a result */
	int fail_status, fail_code;
	const char *fail_text;
	char said[96]; /* a text of this call's own */
	struct cord_errors errors;
	uint64_t retry_ms; /* of a 429 */
	const char *scope;
	struct cord_limit_state limit;
};

/* Fails a valid request because of the current state. Returns -1. */
int cord_fail(struct cord_call *call, enum cord_code code);
/* The same as a 429 with its delay. */
int cord_fail_wait(struct cord_call *call, enum cord_code code, uint64_t retry_ms);
/* Fails without a JSON error code: 401, 404, 405. */
int cord_fail_plain(struct cord_call *call, int status, const char *text);
/* Refuses an invalid request with call->errors (code 50035). Returns -1. */
int cord_refuse(struct cord_call *call);
/* The same with one error. */
__attribute__((format(printf, 4, 5))) int cord_refuse_field(
    struct cord_call *call, const char *key, const char *code, const char *fmt, ...);

/* Returns the channel that the path names first, if the bot sees it; else fails and returns NULL. */
struct cord_channel *cord_call_channel(struct cord_call *call);
/* The same; the bot also needs the permissions. */
struct cord_channel *cord_call_channel_may(struct cord_call *call, uint64_t permissions);
/* The same for the message that the path names next. */
struct cord_message *cord_call_message(struct cord_call *call, const struct cord_channel *c);
/* Returns the guild that the path names first, if the bot is in it and has the permissions; else fails and
 * returns NULL. */
struct cord_guild *cord_call_guild(struct cord_call *call, uint64_t permissions);
/* Returns the record, or fails with that code and returns NULL. */
struct cord_record *cord_call_record(
    struct cord_call *call, enum cord_record_kind kind, uint64_t owner, uint64_t id, enum cord_code unknown);
/* Appends the reason of the header X-Audit-Log-Reason. Returns false when there is none. */
bool cord_call_reason(struct cord_call *call, struct buf *out);
/* Adds an entry to the audit log: of the call's bot, with the reason of its header. */
void cord_call_audit(struct cord_call *call, struct cord_guild *g, int action, uint64_t target_id,
    struct json_object *was, struct json_object *is);
/* The same for a deed with options; its user and reason are those of the call. */
void cord_call_deed(struct cord_call *call, struct cord_guild *g, struct cord_deed deed);
/* The number of entries that a query asks for. */
size_t cord_call_limit(struct cord_call *call, size_t fallback);
/* Is the member present? null counts. */
bool cord_given(struct json_object *o, const char *key);

#endif
