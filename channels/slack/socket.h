#ifndef CHANNELS_SLACK_SOCKET_H
#define CHANNELS_SLACK_SOCKET_H
/*
 * Socket Mode connections. One is in use. Before Slack closes it, or when it is old, a new one is opened, and
 * the old one is read for some seconds beside it; never more than two are read (docs.slack.dev, Socket Mode,
 * has 10 for all programs of an app). Each has a task that reads; the keeper task opens them.
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
	struct task *task;        /* the reader */
	struct clock_timer timer; /* until it is replaced, then until it ends */
	uint64_t since_ms;        /* clock_now() of its hello */
	bool retired;             /* a newer socket is in use */
};

/* Returns the socket that receives events, or NULL. */
struct slack_socket *slack_socket_in_use(struct slack *sk);
/* Sets the channel's status to ready. */
void slack_socket_ready(struct slack *sk);
/* Starts the keeper, which loads the account and keeps a socket open. */
void slack_socket_start(struct slack *sk);
/* Handles Slack's {"type":"disconnect","reason"}. */
void slack_socket_disconnect(struct slack_socket *link, const char *reason);
/* Ends all sockets and opens no new one. */
void slack_socket_stop_all(struct slack *sk);

#endif
