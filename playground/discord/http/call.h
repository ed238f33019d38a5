#ifndef PLAYGROUND_DISCORD_HTTP_CALL_H
#define PLAYGROUND_DISCORD_HTTP_CALL_H
/* One request to the REST API. */
#include <stdbool.h>
#include <stdint.h>

#include "playground/discord/http/endpoint.h"
#include "playground/discord/http/errors.h"

struct cord_bot;
struct cord_channel;
struct cord_message;
struct cord_world;
struct exchange;
struct json_object;

/* Discord: topics/opcodes-and-status-codes, JSON error codes. */
enum cord_code {
	CORD_UNKNOWN_CHANNEL = 10003,
	CORD_UNKNOWN_GUILD = 10004,
	CORD_UNKNOWN_MEMBER = 10007,
	CORD_UNKNOWN_MESSAGE = 10008,
	CORD_UNKNOWN_USER = 10013,
	CORD_UNKNOWN_EMOJI = 10014,
	CORD_UNKNOWN_WEBHOOK = 10015,
	CORD_UNKNOWN_INTERACTION = 10062,
	CORD_UNKNOWN_COMMAND = 10063,
	CORD_NOT_THIS_APPLICATION = 20012,
	CORD_SLOWMODE = 20016,
	CORD_TOO_MANY_REACTIONS = 30010,
	CORD_TOO_MANY_FILES = 30015,
	CORD_TOO_MANY_COMMANDS = 30032,
	CORD_TOO_MANY_OLD_EDITS = 30046,
	CORD_TOO_LARGE = 40005,
	CORD_COMMAND_NAME_TAKEN = 40041,
	CORD_ALREADY_ACKNOWLEDGED = 40060,
	CORD_MISSING_ACCESS = 50001,
	CORD_NOT_IN_DM = 50003,
	CORD_NOT_OWN_MESSAGE = 50005,
	CORD_EMPTY_MESSAGE = 50006,
	CORD_NO_DM_TO_USER = 50007,
	CORD_MISSING_PERMISSIONS = 50013,
	CORD_SYSTEM_MESSAGE = 50021,
	CORD_WRONG_CHANNEL_TYPE = 50024,
	CORD_INVALID_WEBHOOK_TOKEN = 50027,
	CORD_INVALID_FORM = 50035,
	CORD_INVALID_API_VERSION = 50041,
	CORD_THREAD_ARCHIVED = 50083,
	CORD_INVALID_JSON = 50109,
	CORD_VOICE_CONTENT = 50159,
	CORD_VOICE_ONE_FILE = 50160,
	CORD_VOICE_METADATA = 50161,
	CORD_VOICE_NO_EDIT = 50162,
	CORD_THREAD_EXISTS = 160004,
	CORD_THREAD_LOCKED = 160005
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
/* Is the member present? null counts. */
bool cord_given(struct json_object *o, const char *key);

#endif
