#ifndef CHANNELS_SLACK_SOCKET_H
#define CHANNELS_SLACK_SOCKET_H
/*
 * Socket Mode's connections. One is used; before Slack ends it, or when it is old, a new one is opened, and
 * the old one is read on for some seconds beside it. Never more than two. A task each reads, and one more,
 * the keeper, opens them.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/time/clock.h"
#include "base/list.h"

struct slack;
struct websocket;

struct slack_socket {
	struct list link;
	struct slack *sk;
	struct websocket *ws;
	struct task *task;        /* which reads; NULL when it closes */
	struct clock_timer timer; /* until it is to be replaced, then until it ends */
	uint64_t since_ms;        /* clock_now() of its hello */
	bool retired;             /* another one has taken its place */
};

/* The connection over which events are expected, NULL when there is none. */
struct slack_socket *slack_socket_in_use(struct slack *sk);
/* Sets the channel's status to ready. */
void slack_socket_ready(struct slack *sk);
/* Starts the keeper: who we are, then connections, again and again. */
void slack_socket_start(struct slack *sk);
/* Slack says that it ends the connection: {"type":"disconnect","reason"}. */
void slack_socket_disconnect(struct slack_socket *link, const char *reason);
/* Ends all sockets, without a new one. */
void slack_socket_stop_all(struct slack *sk);

#endif
