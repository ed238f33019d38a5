#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H
/*
 * Whole conversations: the real playground and the real gateway as child processes, in a
 * folder of their own. A step that does not work fails the test with what it was about and the
 * end of the gateway's log.
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct flow {
	char dir[64]; /* everything of this test; removed at the end */
	char url[64]; /* of the playground */
	pid_t playground, gateway;
};

/* Starts the playground. */
void flow_start(struct flow *f);
/* With a script for the model, as JSON, in place of its own. */
void flow_start_script(struct flow *f, const char *script);
/* Writes DIR/myna.conf: top goes into the top of the file, channel into channels.telegram after token and
 * api_base. */
void flow_config(struct flow *f, const char *top, const char *channel);
/* Starts the gateway and waits until it is ready (ready = false: only until its control socket answers). */
void flow_gateway(struct flow *f, bool ready);
/* The two halves of that. */
void flow_run(struct flow *f);
void flow_gateway_await(struct flow *f, bool ready);
/* Waits until it ends by itself, at most a minute: its exit status, or -signal; -SIGKILL when it was still
 * there. */
int flow_gateway_wait(struct flow *f);
/* Ends it by a signal: its exit status, or -signal. */
int flow_gateway_end(struct flow *f, int signo);
/* Kills it once nothing that it said is on its way: a kill before that leaves doubt about what arrived, and a
 * message more. */
void flow_gateway_kill(struct flow *f);
/* Ends everything and removes the folder. Fails the test when a request to a model was not as it must be. */
void flow_stop(struct flow *f);

/* Runs myna -c CONF with arguments (NULL-terminated); its exit status. out gets stdout and stderr, malloc'd;
 * may be NULL. */
int flow_myna(struct flow *f, char **out, ...);
struct json_object *flow_status(struct flow *f);
/* POST on the control socket; NULL: no answer. */
struct json_object *flow_daemon(struct flow *f, const char *path, const char *body);

/* POST /control/VERB with a JSON text; the answer, new. */
struct json_object *flow_control(struct flow *f, const char *verb, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* A person writes; kind "private" or "group". */
void flow_say(struct flow *f, const char *chat, const char *user, const char *text, const char *kind);
/* Waits until the chat has count messages of the bot. */
void flow_await(struct flow *f, const char *chat, size_t count);
size_t flow_bot_messages(struct flow *f, const char *chat);
/* The text of the bot's message number i (from 0) in the chat, malloc'd; NULL if there is none. */
char *flow_bot_text(struct flow *f, const char *chat, size_t i);
struct json_object *flow_get(struct flow *f, const char *path);
/* Waits until the gateway's log has this text. */
void flow_await_log(struct flow *f, const char *text);
/* Is a turn open, as the journal has it? */
bool flow_turn_runs(struct flow *f);
char *flow_log(struct flow *f);
uint64_t flow_now_ms(void);

/* All that waits for something waits at most so long. What fails for want of time fails for nothing else. */
#define FLOW_WAIT_MS 60000
/* For a loop that waits: flow_deadline() before it, and flow_look() after each look that found nothing. It
 * waits a moment; behind the deadline it fails the test with these words, the chats and the end of the
 * gateway's log. */
uint64_t flow_deadline(void);
void flow_look(struct flow *f, uint64_t deadline, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Waits until the condition holds. */
#define flow_until(f, condition)                                                      \
	do {                                                                          \
		for (uint64_t flow_due = flow_deadline(); !(condition);)              \
			flow_look(f, flow_due, "it never came true: %s", #condition); \
	} while (0)

#endif
