#ifndef PLAYGROUND_DISCORD_HTTP_CALL_H
#define PLAYGROUND_DISCORD_HTTP_CALL_H
/* One request to the REST API. */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "net/server/server.h"
#include "playground/discord/http/endpoint.h"
#include "playground/discord/http/errors.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/world/guild.h"
#include "playground/discord/world/message.h"
#include "playground/discord/world/world.h"
#include "playground/server/exchange.h"
#include "playground/server/form.h"

struct cord_call {
	struct exchange *ex;
	struct cord_world *world;
	struct cord_bot *bot;           /* NULL: a person's, or it needs no Authorization and has none */
	struct cord_user *user;         /* who does it in the client; NULL: the bot */
	const struct cord_route *route; /* NULL: there is no such operation */
	struct cord_guild *guild;       /* what the row's place says; else NULL */
	struct cord_channel *channel;
	struct cord_message *message;
	/* The variable path segments in order; args as ids, 0 if not an id. */
	char args[CORD_ARGS_MAX][256];
	uint64_t ids[CORD_ARGS_MAX];
	struct json_object *query, *body; /* checked: values have the types of the rows */
	struct json_object *parts; /* of a multipart body: {"filename","bytes","at"}; NULL: not multipart */
	const char *content;       /* into which "at" is an offset */
	char *reason;              /* for the audit log; NULL: none */
	struct json_object *result;
	int status; /* of a success; 0: 200, or 204 without a result */
	int fail_status, fail_code;
	const char *fail_text;
	char fail_buf[96]; /* for a fail_text that is no literal */
	struct cord_errors errors;
	uint64_t retry_ms; /* of a 429 */
	const char *scope;
	struct cord_limit_state limit;
};

/* Fails with the error of errors.table that has these words. Returns -1. */
int cord_fail(struct cord_call *call, const char *words);
/* Is it a call of that operation? For functions that serve two. */
bool cord_call_is(const struct cord_call *call, const char *operation);
/* The code of the error with these words; 0: there is none. */
int cord_error_code(const char *words);
/* The same as a 429 with its delay. */
int cord_fail_wait(struct cord_call *call, const char *words, uint64_t retry_ms);
/* Fails without a JSON error code: 401, 404, 405. */
int cord_fail_plain(struct cord_call *call, int status, const char *text);
/* Refuses an invalid request with call->errors (code 50035). Returns -1. */
int cord_refuse(struct cord_call *call);
/* The same with one error. */
__attribute__((format(printf, 4, 5))) int cord_refuse_field(
    struct cord_call *call, const char *key, const char *code, const char *fmt, ...);

/* Who acts: the id of the person or bot; 0: nobody known. */
uint64_t cord_call_actor(const struct cord_call *call);
/* Its User object. */
struct json_object *cord_call_creator(const struct cord_call *call);
/* Return the permissions of the actor in a channel, and in a guild. */
uint64_t cord_call_may(const struct cord_call *call, const struct cord_channel *c);
uint64_t cord_call_guild_may(const struct cord_call *call, const struct cord_guild *g);
bool cord_call_sees(const struct cord_call *call, const struct cord_channel *c);

/* Returns the channel that the path names first, if the actor sees it and has the permissions; else fails and
 * returns NULL. */
struct cord_channel *cord_call_channel(struct cord_call *call, uint64_t permissions);
/* The same for the message that the path names next. */
struct cord_message *cord_call_message(struct cord_call *call, const struct cord_channel *c);
/* The same for the guild that the path names first. */
struct cord_guild *cord_call_guild(struct cord_call *call, uint64_t permissions);
/* Returns the record, or fails with those words (NULL: a 404 without a code) and returns NULL. */
struct cord_record *cord_call_record(
    struct cord_call *call, enum cord_record_kind kind, uint64_t owner, uint64_t id, const char *unknown);
/* Adds an entry to the audit log: of the call's actor, with its reason. */
void cord_call_audit(struct cord_call *call, struct cord_guild *g, int action, uint64_t target_id,
    struct json_object *was, struct json_object *is);
/* The same for an entry with options; actor and reason are set here. */
void cord_call_audit_entry(struct cord_call *call, struct cord_guild *g, struct cord_audit_entry entry);
/* The number of entries that a query asks for. */
size_t cord_call_limit(struct cord_call *call, size_t fallback);
/* Sets *page to those of ids, sorted, that "after" and "limit" ask for. The caller frees page->list. */
void cord_call_page(
    struct cord_call *call, const struct cord_ids *ids, size_t fallback, struct cord_ids *page);
/* Returns the User objects of such a page. */
struct json_object *cord_call_users(struct cord_call *call, const struct cord_ids *ids);
/* Is the member present? null counts. */
bool cord_given(struct json_object *o, const char *key);

#endif
