#ifndef TESTS_NET_WEBSOCKET_WEBSOCKET_FIXTURE_H
#define TESTS_NET_WEBSOCKET_WEBSOCKET_FIXTURE_H
/*
 * For tests of the WebSocket client: a server on the same loop whose sockets the test can control; the tests
 * are tasks.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/task.h"
#include "lib/until.h"
#include "net/websocket/websocket.h"
#include "playground/server/websocket.h"

struct server_request;

struct websocket_fixture {
	struct server *server;
	char url[64];
	/* The server's newest socket while it is open. */
	struct websocket_peer *peer;
	bool echo; /* the server sends back what it gets; else it stores it in heard */
	bool deaf; /* sockets opened from now on are never read */
	struct buf heard;
	size_t opened, ended;
	unsigned close_code; /* from the client, on the socket that ended last */
	char close_reason[128];
};

/* Runs body as a task between the start and the end of a server, and checks that nothing is left open. */
void websocket_fixture_run(void (*body)(struct task *t, struct websocket_fixture *st));

#define SOCKET_TEST(name)                                                      \
	static void name##_body(struct task *t, struct websocket_fixture *st); \
	static void name(void **state)                                         \
	{                                                                      \
		(void)state;                                                   \
		websocket_fixture_run(name##_body);                            \
	}                                                                      \
	static void name##_body(struct task *t, struct websocket_fixture *st)

/* The server's handler; arg is the fixture. */
void websocket_fixture_serve(struct task *t, struct server_request *req, void *arg);

/* Opens the fixture's URL; fails the test when that does not work. o may be NULL. */
struct websocket *socket_open(
    struct task *t, struct websocket_fixture *st, const struct websocket_options *o);
/* The next message must arrive within 10 s and be text. */
void socket_expect(struct task *t, struct websocket *w, const char *text);
/* The end must arrive within 10 s. */
void socket_expect_end(struct task *t, struct websocket *w, const char *words);

#define socket_until(t, condition) task_until(t, condition)

#endif
