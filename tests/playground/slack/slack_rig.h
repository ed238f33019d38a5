#ifndef TESTS_PLAYGROUND_SLACK_SLACK_RIG_H
#define TESTS_PLAYGROUND_SLACK_SLACK_RIG_H
/* A playground inside the test process, with its server on the loop and a clock that stands still; the tests
 * are tasks. */
#include <stddef.h>
#include <stdint.h>

struct json_object;
struct playground;
struct server;
struct task;
struct websocket;

#define BOT_TOKEN "xoxb-1-2-one"
#define APP_TOKEN "xapp-1-A1-2-one"

struct slack_rig {
	struct playground *pg;
	struct server *server;
	char url[64]; /* without a slash at the end */
};

/* Runs body between the start and the end of a playground, and checks that nothing is left. */
void slack_rig_run(void (*body)(struct task *t, struct slack_rig *rig));
/* Ends the playground and starts another on its data, as a restart does. */
void slack_rig_restart(struct task *t, struct slack_rig *rig, const char *data);
/* The same without data, and removes the folder. */
void slack_rig_forget(struct task *t, struct slack_rig *rig, const char *data);

#define SLACK_TEST(name)                                                \
	static void name##_body(struct task *t, struct slack_rig *rig); \
	static void name(void **state)                                  \
	{                                                               \
		(void)state;                                            \
		slack_rig_run(name##_body);                             \
	}                                                               \
	static void name##_body(struct task *t, struct slack_rig *rig)

struct slack_request {
	const char *path;         /* appended to the fixture's URL */
	const char *method;       /* NULL: POST */
	const char *token;        /* NULL: BOT_TOKEN; "": none */
	const char *content_type; /* NULL: application/json; charset=utf-8; "": none */
	const char *body;         /* NULL: none */
};

struct slack_reply {
	int status;
	unsigned retry_s;
	char content_type[96];
	char location[256];
	char *text;
	struct json_object *json; /* NULL when it is not JSON */
};

void slack_send(
    struct task *t, struct slack_rig *rig, const struct slack_request *req, struct slack_reply *reply);
void slack_reply_clear(struct slack_reply *reply);

/* Calls a method with a JSON body formatted like printf; the caller owns the response. */
__attribute__((format(printf, 4, 5))) struct json_object *slack_call(
    struct task *t, struct slack_rig *rig, const char *method, const char *fmt, ...);
/* The same, but the response must be that error, or NULL for none. */
__attribute__((format(printf, 5, 6))) void slack_expect(
    struct task *t, struct slack_rig *rig, const char *method, const char *error, const char *fmt, ...);
/* POST /control/NAME for Slack; body holds members other than the platform. It must succeed. */
__attribute__((format(printf, 4, 5))) struct json_object *slack_control(
    struct task *t, struct slack_rig *rig, const char *name, const char *fmt, ...);
/* The same, but it must be refused with a sentence that has this in it. */
__attribute__((format(printf, 5, 6))) void slack_control_refused(
    struct task *t, struct slack_rig *rig, const char *name, const char *sentence, const char *fmt, ...);
/* GET /control/about of that chat, as that person sees it; the caller owns it. */
struct json_object *slack_about(struct task *t, struct slack_rig *rig, const char *chat, const char *user);
/* Changes settings of the platform. */
void slack_set(struct task *t, struct slack_rig *rig, const char *settings);
/* Ann writes it in the channel dev; returns the ts, in a buffer that lives until the fourth call after. */
const char *slack_say(struct task *t, struct slack_rig *rig, const char *text);
/* Returns the id of the channel dev, which must exist; lives as above. */
const char *slack_dev(struct task *t, struct slack_rig *rig);
struct json_object *slack_transcript(struct task *t, struct slack_rig *rig, const char *chat);

/* Opens a connection with a ticket of the app's token (NULL: APP_TOKEN). */
struct websocket *slack_connect(struct task *t, struct slack_rig *rig, const char *token);
/* The same, and reads its hello. */
struct websocket *slack_attach(struct task *t, struct slack_rig *rig);
/* Returns the next message as JSON; the caller owns it. */
struct json_object *slack_hear(struct task *t, struct websocket *w);
/* The next message must have that type and subtype or reason, as in "events_api message_changed"; then it is
 * acknowledged. */
void slack_hear_event(struct task *t, struct websocket *w, const char *what);
void slack_acknowledge(struct task *t, struct websocket *w, struct json_object *envelope);
/* The same with a payload, as JSON. */
void slack_answer(struct task *t, struct websocket *w, struct json_object *envelope, const char *payload);
/* Returns the next envelope, which must be an interaction of that type and is not acknowledged; the caller
 * owns it. */
struct json_object *slack_hear_interaction(struct task *t, struct websocket *w, const char *type);
/* Advances the clock, and lets all timers run. */
void slack_pass(struct task *t, unsigned ms);
/* Returns the text at a path such as "messages.0.text"; "" for none. Valid until o is put. */
const char *slack_at(struct json_object *o, const char *path);
void slack_has(struct json_object *o, const char *path, const char *text);
/* GET /control/report must have so many findings of that check and method. */
void slack_reported(
    struct task *t, struct slack_rig *rig, const char *check, const char *method, int64_t count);
/* Returns the number of refused requests so far. */
size_t slack_refusals(struct slack_rig *rig);

#endif
