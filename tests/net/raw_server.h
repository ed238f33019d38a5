#ifndef TESTS_NET_RAW_SERVER_H
#define TESTS_NET_RAW_SERVER_H
/*
 * A server for tests that plays scripts of exact bytes over plain sockets, each connection in its own
 * thread. The nth connection plays the nth script, later ones the last.
 */
#include <stdbool.h>
#include <stddef.h>

struct raw_server;

#define RAW_SLOW_STEP  (4 << 20)
#define RAW_SLOW_BYTES (32 << 20)

enum raw_op {
	RAW_END,  /* close */
	RAW_READ, /* one complete request, its body by Content-Length or chunked; a disconnect ends the script
		   */
	RAW_READ_SLOWLY, /* the same, pausing ms after each RAW_SLOW_STEP of the first RAW_SLOW_BYTES */
	RAW_SEND,
	RAW_TRICKLE, /* as send, but byte by byte with ms between */
	RAW_SLEEP,   /* ms */
	RAW_HOLD,    /* until the client closes */
	RAW_RESET,   /* close with a TCP reset, once the client has read what it was sent */
	RAW_AGAIN    /* restart at the first step */
};

struct raw_step {
	enum raw_op op;
	const char *bytes;
	size_t len; /* 0: strlen(bytes) */
	unsigned ms;
};

#define READ                   \
	{                      \
		.op = RAW_READ \
	}
#define READ_SLOWLY(pause)                           \
	{                                            \
		.op = RAW_READ_SLOWLY, .ms = (pause) \
	}
#define SEND(text)                              \
	{                                       \
		.op = RAW_SEND, .bytes = (text) \
	}
#define TRICKLE(text, pause)                                      \
	{                                                         \
		.op = RAW_TRICKLE, .bytes = (text), .ms = (pause) \
	}
#define SLEEP(time)                           \
	{                                     \
		.op = RAW_SLEEP, .ms = (time) \
	}
#define HOLD                   \
	{                      \
		.op = RAW_HOLD \
	}
#define RESET                   \
	{                       \
		.op = RAW_RESET \
	}
#define AGAIN                   \
	{                       \
		.op = RAW_AGAIN \
	}
#define END                   \
	{                     \
		.op = RAW_END \
	}

/* On 127.0.0.1, or on the unix socket at path when that is not NULL. The scripts are borrowed. */
struct raw_server *raw_server_new(const char *path, const struct raw_step *const *scripts, size_t count);
void raw_server_free(struct raw_server *s);
unsigned raw_server_port(const struct raw_server *s);
/* Return the number of accepted connections, and of complete requests, so far. */
int raw_server_connections(struct raw_server *s);
int raw_server_requests(struct raw_server *s);
/* Returns the last complete request; the caller frees it. */
char *raw_server_last_request(struct raw_server *s, size_t *len);
/* Returns a bound port on which nothing listens, so that nobody else gets it; close the descriptor after
 * use. */
int raw_unused_port(unsigned *port);

#endif
