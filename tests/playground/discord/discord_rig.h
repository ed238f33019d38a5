#ifndef TESTS_PLAYGROUND_DISCORD_DISCORD_RIG_H
#define TESTS_PLAYGROUND_DISCORD_DISCORD_RIG_H
/* A playground inside the test process, with its server on the loop and a clock that stands still; the tests
 * are tasks. */
#include <stddef.h>
#include <stdint.h>

struct json_object;
struct playground;
struct server;
struct task;
struct websocket;

#define DISCORD_TOKEN "OTAw.GabcDE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" /* of bot 900 */
#define DISCORD_AGENT "DiscordBot (https://example.org, 1.0)"
#define DISCORD_USUAL "37377" /* guilds, messages of guilds and directs, content */

struct discord_rig {
	struct playground *pg;
	struct server *server;
	char url[64]; /* without a slash at the end */
};

/* Runs body between the start and the end of a playground, and checks that nothing is left. */
void discord_rig_run(void (*body)(struct task *t, struct discord_rig *rig));
/* Ends the playground and starts another on its data, as a restart does. */
void discord_rig_restart(struct task *t, struct discord_rig *rig, const char *data);

#define DISCORD_TEST(name)                                                \
	static void name##_body(struct task *t, struct discord_rig *rig); \
	static void name(void **state)                                    \
	{                                                                 \
		(void)state;                                              \
		discord_rig_run(name##_body);                             \
	}                                                                 \
	static void name##_body(struct task *t, struct discord_rig *rig)

struct discord_request {
	const char *method;
	const char *path;         /* appended to the fixture's URL, or a full URL */
	const char *token;        /* the Authorization header; NULL: "Bot " DISCORD_TOKEN; "": none */
	const char *agent;        /* NULL: DISCORD_AGENT; "": none */
	const char *content_type; /* NULL: application/json where there is a body */
	const char *body;         /* NULL: none */
};

struct discord_reply {
	int status;
	char *text;
	struct json_object *json;    /* NULL when it is not JSON */
	struct json_object *headers; /* by name in lower case */
};

void discord_send(
    struct task *t, struct discord_rig *rig, const struct discord_request *req, struct discord_reply *reply);
void discord_reply_clear(struct discord_reply *reply);

/* what is "METHOD /path" of the API, optionally followed by a blank and the body; both formatted like
 * printf. The response must have that status; the caller owns it (NULL for 204). */
__attribute__((format(printf, 4, 5))) struct json_object *discord_call(
    struct task *t, struct discord_rig *rig, int status, const char *fmt, ...);
/* The same, but the response must have that error code. */
__attribute__((format(printf, 5, 6))) void discord_refused(
    struct task *t, struct discord_rig *rig, int status, int code, const char *fmt, ...);
/* The response must be 50035 with an error of that code at that path: "embeds.0.title". */
__attribute__((format(printf, 5, 6))) void discord_invalid(
    struct task *t, struct discord_rig *rig, const char *place, const char *code, const char *fmt, ...);
/* POST /control/NAME for Discord; members other than the platform. It must succeed. */
__attribute__((format(printf, 4, 5))) struct json_object *discord_control(
    struct task *t, struct discord_rig *rig, const char *name, const char *fmt, ...);
__attribute__((format(printf, 4, 5))) void discord_order(
    struct task *t, struct discord_rig *rig, const char *name, const char *fmt, ...);
void discord_set(struct task *t, struct discord_rig *rig, const char *settings);
struct json_object *discord_transcript(struct task *t, struct discord_rig *rig, const char *chat);

/* Ann writes it in the group dev; returns the id, in a buffer that lives until the eighth call after. */
const char *discord_say(struct task *t, struct discord_rig *rig, const char *text);
/* Returns the id of the group dev; lives as above. */
const char *discord_dev(struct task *t, struct discord_rig *rig);
/* Takes o; returns a copy of its value at path, which lives as above. */
const char *discord_keep(struct json_object *o, const char *path);

/* Opens a connection and reads its HELLO. */
struct websocket *discord_connect(struct task *t, struct discord_rig *rig);
/* The same at that URL and query. */
struct websocket *discord_connect_at(struct task *t, const char *url, const char *query);
void discord_tell(struct task *t, struct websocket *w, const char *text);
/* Identifies with those intents and reads READY, which the caller owns unless ready is NULL. */
struct websocket *discord_login(
    struct task *t, struct discord_rig *rig, const char *intents, struct json_object **ready);
/* Returns the next payload; the caller owns it. */
struct json_object *discord_hear(struct task *t, struct websocket *w);
/* The next event must have that name; the caller owns the payload. */
struct json_object *discord_hear_event(struct task *t, struct websocket *w, const char *name);
void discord_skip_event(struct task *t, struct websocket *w, const char *name);
/* The next payload must have that op and that d as JSON text. */
void discord_hear_op(struct task *t, struct websocket *w, int op, const char *d);
/* The connection must end with that code; frees it. */
void discord_expect_close(struct task *t, struct websocket *w, unsigned code);
/* Advances the clock, and lets all timers run. */
void discord_pass(struct task *t, unsigned ms);

const char *discord_at(struct json_object *o, const char *path);
void discord_has(struct json_object *o, const char *path, const char *text);
/* GET /control/report must have so many findings of that check and method. */
void discord_reported(
    struct task *t, struct discord_rig *rig, const char *check, const char *method, int64_t count);

#endif
