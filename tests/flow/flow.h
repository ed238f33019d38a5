#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H
/* Complete conversations with the real playground and gateway as child processes in a temporary folder. A
 * failed step fails the test with its description and the end of the gateway's log. */
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct flow {
	char dir[64]; /* of this test; removed at the end */
	char url[64]; /* of the playground */
	pid_t playground, gateway;
};

/* Starts the playground. */
void flow_start(struct flow *f);
/* The same with a model script, as JSON, instead of the default. */
void flow_start_script(struct flow *f, const char *script);
/* The two steps of that: the folder, and the playground, which keeps its chats in DIR/platforms if that
 * exists. */
void flow_make(struct flow *f);
void flow_playground(struct flow *f, const char *script);
/* Writes DIR/myna.conf: top goes to the top level, and may have models in place of the scripted one; channel
 * goes into channels.telegram after token and api_base. */
void flow_config(struct flow *f, const char *top, const char *channel);
/* The same with the channels of the other platforms; NULL: without that channel. */
void flow_config_channels(
    struct flow *f, const char *top, const char *telegram, const char *slack, const char *discord);
/* Starts the gateway and waits until it is ready (ready false: until its control socket answers). */
void flow_gateway(struct flow *f, bool ready);
/* The two steps of flow_gateway. */
void flow_run(struct flow *f);
void flow_gateway_await(struct flow *f, bool ready);
/* Waits up to a minute for its exit. Returns the exit status or -signal; -SIGKILL if it had to be killed. */
int flow_gateway_wait(struct flow *f);
/* Sends a signal and waits. Returns the exit status or -signal. */
int flow_gateway_end(struct flow *f, int signo);
/* Kills it when no send is in progress: a kill during one leaves an uncertain message and one more. */
void flow_gateway_kill(struct flow *f);
/* Ends everything and removes the folder. Fails the test if a model request was invalid. */
void flow_stop(struct flow *f);

/* For cmocka, *state being the flow: flow_start and flow_stop. */
int flow_begin(void **state);
int flow_end(void **state);
/* A test with such a begin, ended by flow_end. */
#define FLOW_TEST(test, begin, f) cmocka_unit_test_prestate_setup_teardown(test, begin, flow_end, f)

/* Runs myna -c CONF with arguments (NULL-terminated). Returns the exit status. out gets stdout and stderr,
 * freed by the caller; may be NULL. */
int flow_myna(struct flow *f, char **out, ...);
/* Returns the path of a file among those of a chat, "telegram:77" or another address, malloc'd. */
char *flow_file(const struct flow *f, const char *chat, const char *name);
/* Puts an external tool into the folder ext, which must not be there: a shell script. properties: of its
 * arguments, in JSON. */
void flow_put_tool(const struct flow *f, const char *name, const char *properties, const char *body);
/* Writes DIR/name, and makes the folders above it. */
void flow_put(const struct flow *f, const char *name, const char *text);
/* The same with a file of a chat. */
void flow_put_file(const struct flow *f, const char *chat, const char *name, const void *data, size_t len);
struct json_object *flow_status(struct flow *f);
/* POSTs to the control socket. Returns NULL without an answer. */
struct json_object *flow_daemon(struct flow *f, const char *path, const char *body);

/* Programs started from now on preload this file of the build; NULL: none. */
void flow_preload(const char *name);

/* POSTs JSON to /control/VERB. The caller owns the answer. */
struct json_object *flow_control(struct flow *f, const char *verb, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Sends a person's message; kind is "private" or "group". */
void flow_say(struct flow *f, const char *chat, const char *user, const char *text, const char *kind);
/* The same on any platform; kind may be "channel" on Slack. */
void flow_say_on(struct flow *f, const char *platform, const char *chat, const char *user, const char *text,
    const char *kind);
/* Presses a button of the message with this id. */
void flow_press(struct flow *f, const char *platform, const char *chat, const char *user, const char *id,
    const char *button);
/* Returns what the playground knows of the chat: messages, drafts and more. */
struct json_object *flow_transcript(struct flow *f, const char *platform, const char *chat);
/* Returns an array of the bot's messages that contain the text and were not deleted. */
struct json_object *flow_said(struct flow *f, const char *platform, const char *chat, const char *text);
/* How many those are. */
size_t flow_count_said_on(struct flow *f, const char *platform, const char *chat, const char *text);
/* Waits until the chat has count messages of the bot. */
void flow_await(struct flow *f, const char *chat, size_t count);
size_t flow_bot_messages(struct flow *f, const char *chat);
/* Returns the bot's message number i (from 0) in the chat, freed by the caller; NULL: none. */
char *flow_bot_text(struct flow *f, const char *chat, size_t i);
/* Waits for the bot's message number i, which must contain the text. */
void flow_expect(struct flow *f, const char *chat, size_t i, const char *text);
struct json_object *flow_get(struct flow *f, const char *path);
/* How many messages of the bot have this text, of those of a transcript; messages NULL: 0. */
size_t flow_count_said(struct json_object *messages, const char *text);
/* Returns the number of requests to models. */
size_t flow_model_requests(struct flow *f);
/* Waits until the gateway's log contains this text. */
void flow_await_log(struct flow *f, const char *text);
/* Does the journal have an open turn? */
bool flow_turn_runs(struct flow *f);
char *flow_log(struct flow *f);
uint64_t flow_now_ms(void);

/* The maximum wait of every step. Tests fail for lack of time only here. */
#define FLOW_WAIT_MS 60000
/* For polling loops: flow_deadline() before the loop, flow_look() after each unsuccessful check. It sleeps
 * briefly; after the deadline it fails the test with these words, the chats and the end of the gateway's
 * log. */
uint64_t flow_deadline(void);
void flow_look(struct flow *f, uint64_t deadline, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Waits until the condition holds. */
#define flow_until(f, condition)                                                      \
	do {                                                                          \
		for (uint64_t flow_due = flow_deadline(); !(condition);)              \
			flow_look(f, flow_due, "it never came true: %s", #condition); \
	} while (0)

#endif
