#ifndef TESTS_FUZZ_CLIENT_H
#define TESTS_FUZZ_CLIENT_H
/*
 * A bot as its platform hears it: requests and messages of WebSockets as bytes, which the server reads as if
 * they came from a socket. The lines of the stage are what people do, and of the bot:
 *
 *   METHOD:PATH {body}       a request with JSON. PATH is below the base of the API, or begins with the
 *                            platform's prefix, or is a URL
 *   METHOD+form:PATH {...}   the same with a form; +parts: multipart, where a member with "filename" and
 *                            "base64" is a file; +text: the member "text" as it is
 *   connect:PATH {}          opens a WebSocket
 *   send {payload}           on the newest one; so are text {"text":"..."} and close {"code":N}
 *   deliver {"status":N,"type":"...","body":...}
 *                            how the bot's own server answers the next request; without it nobody listens
 *   wait {"ms":N}            time passes
 *   set {settings}           of the platform
 *
 * In a path or a string $a.b is the member b of the member a of what the platform has said, the newest first.
 */
#include "base/list.h"
#include "fuzz/stage.h"
#include "net/server/server_internal.h"

struct fuzz_client;

struct fuzz_client_kind {
	const struct platform *platform;
	const char *base; /* of the API's paths */
	const char *(*authorize)(const char *path);
	/* Asserts what is true of each message on a WebSocket. NULL: the platform has none. */
	void (*hold_message)(struct json_object *message);
	/* Is it a code that the platform closes a WebSocket with? */
	bool (*is_close_code)(unsigned code);
};

struct fuzz_client {
	struct fuzz_stage stage;
	const struct fuzz_client_kind *kind;
	struct server server;
	struct list wires; /* struct fuzz_wire: the connections, the newest last */
	struct json_object *heard, *answers;
	bool odd; /* people make the platform say what it would not */
};

void fuzz_client_open(struct fuzz_client *c, const struct fuzz_client_kind *kind);
/* A line of the bot. */
void fuzz_client_call(struct fuzz_stage *s, const char *name, struct json_object *members);
/* Sends a message on the newest WebSocket; opcode: 1 is text, 2 bytes, 8 a close frame. */
void fuzz_client_send(struct fuzz_client *c, unsigned opcode, const void *data, size_t len);
void fuzz_client_close(struct fuzz_client *c);

/* Replaces $a.b by what was heard: an array, the newest last. What was not stays as it is. The caller's. */
char *fuzz_fill_text(struct json_object *heard, const char *text);
struct json_object *fuzz_fill(struct json_object *heard, struct json_object *o);

#endif
