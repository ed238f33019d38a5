#ifndef TESTS_LIB_CLIENT_H
#define TESTS_LIB_CLIENT_H
/* For tests that drive a real program from outside: starts and ends it, and makes blocking HTTP requests.
 * Every failure fails the running test (cmocka). */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct json_object;

/* A program whose first line of output is "listening on URL". */
struct client_program {
	pid_t pid;
	int out;       /* its stdout, kept open */
	char url[128]; /* without a slash at the end */
};

/* argv is NULL-terminated; argv[0] is the path. Waits for the line. */
void client_start(struct client_program *p, const char *const *argv);
/* Sends signo and waits. Returns the exit status, or 128 + the signal. */
int client_stop(struct client_program *p, int signo);

struct client_reply {
	int status;        /* 0: no complete response */
	char *head, *body; /* header lines as they came; body terminated */
	size_t len;
	struct json_object *json; /* the body, NULL when it is not JSON */
	long ms;                  /* duration */
};

struct client_request {
	const char *method;       /* NULL: POST with a body, else GET */
	const char *url;          /* the whole URL */
	const char *body;         /* NULL: none */
	const char *content_type; /* NULL: application/json */
	const char *header;       /* one more header line, "Name: value"; NULL: none */
	long timeout_ms;          /* 0: 60,000 */
};

void client_send(const struct client_request *req, struct client_reply *reply);
void client_reply_clear(struct client_reply *reply);

/* A request on another thread, for blocking calls such as long polls. */
struct client_async;
struct client_async *client_send_async(const struct client_request *req); /* its strings are copied */
bool client_is_done(const struct client_async *a);
/* Waits until the server has started on it: it was sent completely, and a later GET of url was answered. */
void client_arrive(struct client_async *a, const char *url);
/* Waits for it and frees it. */
void client_await(struct client_async *a, struct client_reply *reply);

/* POSTs JSON formatted like printf, checks the status and returns the answer, which the caller puts. */
__attribute__((format(printf, 3, 4))) struct json_object *client_post(
    const char *url, int status, const char *fmt, ...);
struct json_object *client_get(const char *url, int status);
/* Returns the value at a path such as "result.0.message.text": "" if absent; numbers and others as JSON
 * text. Valid until o is put. */
const char *client_at(struct json_object *o, const char *path);
struct json_object *client_object_at(struct json_object *o, const char *path);

#endif
