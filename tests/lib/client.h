#ifndef TESTS_LIB_CLIENT_H
#define TESTS_LIB_CLIENT_H
/*
 * For tests that drive a real program from outside: starting and ending it, and blocking
 * HTTP requests. Everything fails the running test (cmocka) where it cannot go on.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct json_object;

/* A program that says "listening on URL" in the first line of its output. */
struct client_program {
	pid_t pid;
	int out;       /* its stdout, kept open */
	char url[128]; /* without a slash at the end */
};

/* argv ends with NULL; argv[0] is the path. Waits for the line. */
void client_start(struct client_program *p, const char *const *argv);
/* Sends signo and waits; the exit status, or 128 + the signal that ended it. */
int client_stop(struct client_program *p, int signo);

struct client_reply {
	int status;        /* 0: no whole answer came */
	char *head, *body; /* header lines as they came; body terminated */
	size_t len;
	struct json_object *json; /* the body, NULL when it is not JSON */
	long ms;                  /* how long it took */
};

struct client_request {
	const char *method;       /* NULL: POST where there is a body, else GET */
	const char *url;          /* the whole URL */
	const char *body;         /* NULL: none */
	const char *content_type; /* NULL: application/json */
	const char *header;       /* one more line, "Name: value"; NULL: none */
	long timeout_ms;          /* 0: 60,000 */
};

void client_send(const struct client_request *req, struct client_reply *reply);
void client_reply_clear(struct client_reply *reply);

/* A request that another thread makes, for what blocks: long polls above all. */
struct client_async;
struct client_async *client_send_async(const struct client_request *req); /* its strings are copied */
bool client_is_done(const struct client_async *a);
/* Waits until the server has begun with it: it was sent whole, and a GET of url, sent behind it, was
 * answered. */
void client_arrive(struct client_async *a, const char *url);
/* Waits for it, frees it. */
void client_await(struct client_async *a, struct client_reply *reply);

/* POSTs JSON made like printf to url, checks the status and returns the answer; put it. */
__attribute__((format(printf, 3, 4))) struct json_object *client_post(
    const char *url, int status, const char *fmt, ...);
struct json_object *client_get(const char *url, int status);
/* The value at a path such as "result.0.message.text": "" when there is nothing; numbers and the
 * rest as JSON text. Good until o is put. */
const char *client_at(struct json_object *o, const char *path);
struct json_object *client_object_at(struct json_object *o, const char *path);

#endif
