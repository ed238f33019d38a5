#ifndef TESTS_PLAYGROUND_DISCORD_DISCORD_RIG_H
#define TESTS_PLAYGROUND_DISCORD_DISCORD_RIG_H
/* A playground within the test, with its server on the loop and a clock that stands still; tests are
 * tasks. */
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

/* Runs body between the start of a playground and its end, and checks that nothing is left. */
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
	const char *path;         /* after the URL of the rig, or a whole URL */
	const char *token;        /* the Authorization header; NULL: "Bot " DISCORD_TOKEN; "": none */
	const char *agent;        /* NULL: DISCORD_AGENT; "": none */
	const char *content_type; /* NULL: application/json where there is a body */
	const char *body;         /* NULL: none */
};

struct discord_reply {
	int status;
	char *text;
	struct json_object *json;    /* NULL when it is none */
	struct json_object *headers; /* by name in lower case */
};

void discord_send(
    struct task *t, struct discord_rig *rig, const struct discord_request *req, struct discord_reply *reply);
void discord_reply_clear(struct discord_reply *reply);

/* what is "METHOD /path" of the API, and the body follows it after a blank; both made like printf. The
 * answer's status must be that; the answer is the caller's (NULL for 204). */
__attribute__((format(printf, 4, 5))) struct json_object *discord_call(
    struct task *t, struct discord_rig *rig, int status, const char *fmt, ...);
/* The same, where the answer must be that error code. */
__attribute__((format(printf, 5, 6))) void discord_refused(
    struct task *t, struct discord_rig *rig, int status, int code, const char *fmt, ...);
/* 50035 with an error of that code at that place: "embeds.0.title". */
__attribute__((format(printf, 5, 6))) void discord_invalid(
    struct task *t, struct discord_rig *rig, const char *place, const char *code, const char *fmt, ...);
/* POST /control/NAME of Discord; the members beside the platform. It must succeed. */
__attribute__((format(printf, 4, 5))) struct json_object *discord_control(
    struct task *t, struct discord_rig *rig, const char *name, const char *fmt, ...);
__attribute__((format(printf, 4, 5))) void discord_order(
    struct task *t, struct discord_rig *rig, const char *name, const char *fmt, ...);
void discord_set(struct task *t, struct discord_rig *rig, const char *settings);
struct json_object *discord_transcript(struct task *t, struct discord_rig *rig, const char *chat);

/* Ann says it in the group dev; the id, in a buffer that lives until the eighth call after. */
const char *discord_say(struct task *t, struct discord_rig *rig, const char *text);
/* The id of the group dev; lives as above. */
const char *discord_dev(struct task *t, struct discord_rig *rig);
/* Takes o; a copy of what it has at path; lives as above. */
const char *discord_keep(struct json_object *o, const char *path);

/* A connection after its HELLO. */
struct websocket *discord_connect(struct task *t, struct discord_rig *rig);
/* The same at that URL and query. */
struct websocket *discord_connect_at(struct task *t, const char *url, const char *query);
void discord_tell(struct task *t, struct websocket *w, const char *text);
/* Identified with those intents, and READY heard, which is the caller's unless ready is NULL. */
struct websocket *discord_login(
    struct task *t, struct discord_rig *rig, const char *intents, struct json_object **ready);
/* The next payload, the caller's. */
struct json_object *discord_hear(struct task *t, struct websocket *w);
/* The next event must have that name; the payload is the caller's. */
struct json_object *discord_hear_event(struct task *t, struct websocket *w, const char *name);
void discord_skip_event(struct task *t, struct websocket *w, const char *name);
/* The next payload must have that op and that d as JSON text. */
void discord_hear_op(struct task *t, struct websocket *w, int op, const char *d);
/* The connection ends with that code; frees it. */
void discord_expect_close(struct task *t, struct websocket *w, unsigned code);
/* Time passes, and everybody sees it. */
void discord_pass(struct task *t, unsigned ms);

const char *discord_at(struct json_object *o, const char *path);
void discord_has(struct json_object *o, const char *path, const char *text);

#endif
