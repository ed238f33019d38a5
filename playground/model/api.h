#ifndef PLAYGROUND_MODEL_API_H
#define PLAYGROUND_MODEL_API_H
/* What the formats share: a request, its checks, and its answer. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "net/server/server.h"
#include "playground/model/model.h"
#include "playground/model/script/script.h"
#include "playground/server/exchange.h"
#include "playground/world/json_members.h"

struct spec_type;

/* An error as OpenAI's API words it: {"error":{"message","type","param","code"}}. */

struct refusal {
	int status;           /* 0: none */
	unsigned retry_after; /* seconds; 0: absent */
	const char *type;     /* literals or borrowed */
	const char *code;     /* NULL: null */
	char param[128];      /* "": null */
	char message[1024];
};

/* Fills r with status 400 and type invalid_request_error; code and param may be NULL. Returns -1. */
__attribute__((format(printf, 4, 5))) int refuse(
    struct refusal *r, const char *code, const char *param, const char *fmt, ...);
/* In OpenAI's words: member of param is missing, or param itself where member is NULL. */
int refuse_missing(struct refusal *r, const char *param, const char *member);
int refuse_unknown(struct refusal *r, const char *param, const char *member);
int refuse_empty(struct refusal *r, const char *array);
void refusal_write(const struct refusal *r, struct buf *out);
void refusal_answer(struct exchange *ex, const struct refusal *r);

/* The wire formats of the scripted model, and what they share. */

#define MODEL_BYTES_PER_TOKEN 4 /* usage is an estimate */

/* An answer of the script, to be written. */
struct model_answer {
	const char *model; /* the model named in the request */
	const struct script_answer *script;
	struct json_object *request;
	bool instant;
	size_t prompt_tokens, max_tokens; /* max_tokens 0: no limit */
	unsigned quirks;                  /* of fault.h */
};

struct model_api {
	/* Check the request. Return 0, or -1 with the refusal. */
	int (*check_key)(const struct server_request *req, struct refusal *r);
	int (*check)(const struct server_request *req, struct json_object *request, struct refusal *r);
	int (*too_long)(size_t tokens, size_t most, struct refusal *r);
	/* Sends the refusal as an error of the format. */
	void (*refuse)(struct exchange *ex, const struct refusal *r);
	/* Reads a request that passed. */
	void (*read)(struct json_object *request, struct conversation *d);
	size_t (*max_tokens)(struct json_object *request);
	void (*whole)(struct exchange *ex, const struct model_answer *a);
	void (*stream)(struct task *t, struct exchange *ex,
	    const struct model_answer *a); /* suspends between the pieces */
};

extern const struct model_api model_api_chat; /* OpenAI Chat Completions, as in 2026 */
extern const struct model_api
    model_api_responses;                          /* OpenAI Responses, as in 2026, of which nothing is kept */
extern const struct model_api model_api_messages; /* Anthropic Messages, 2023-06-01 and 2026-10-21 */

/* Accepts any bearer key without "revoked" in it. */
int model_check_bearer(const struct server_request *req, struct refusal *r);
void model_api_serve(struct task *t, struct model *m, struct exchange *ex, const struct model_api *api);
/* Writes len - 1 random letters and digits and a NUL. */
void model_random_name(char *out, size_t len);
/* Returns the index to write for call, block or item i. */
size_t model_answer_index(const struct model_answer *a, size_t i);
/* Returns the length of the script's text that fits max_tokens. */
size_t model_text_len(const struct model_answer *a);
size_t model_answer_tokens(const struct model_answer *a, size_t text_len);

/* Validates images in requests of any wire format, with the provider's error texts; decodes only their
 * headers. A model whose name ends with "-blind" refuses images as OpenRouter does. */

/* Checks all images of messages or input. Returns 0, or -1 with the refusal. */
int images_check(struct json_object *request, struct refusal *r);
/* Returns the tokens that the images of a valid request cost, and the bytes of their base64 in *text_len. */
size_t images_tokens(struct json_object *request, size_t *text_len);
/* Adds a description of each image ("640x480 PNG") to d, including those in tool results. Returns their
 * number. */
int images_read(struct json_object *content, struct conversation *d);

/* The tools that requests offer: most of their bytes, and the same for all chats of a client. Each list is
 * parsed and checked once, and requests share it: nobody changes it. */

#define OFFERED_TOOLS_LISTS 4            /* the most recently used are kept */
#define OFFERED_TOOLS_MAX   (256 * 1024) /* bytes of a list; larger ones are not kept */

struct offered_tools { /* zero-initialised */
	struct {
		char *text;
		size_t len;
		struct json_object *list;
		uint64_t used;
	} kept[OFFERED_TOOLS_LISTS];
	uint64_t uses;
};

/* Parses a request as json_parse_object does. */
struct json_object *offered_tools_parse(
    struct offered_tools *o, const char *text, size_t len, struct error *err);
void offered_tools_clear(struct offered_tools *o);

typedef int offered_tool_fn(struct json_object *tools, size_t i, struct refusal *r);
/* Checks each tool of the list (NULL: none), unless this check has accepted the list before. */
int offered_tools_check(struct json_object *list, offered_tool_fn *check, struct refusal *r);

/* Is it of the type, which is one of JSON's own? */
bool model_is_of_type(struct json_object *v, const struct spec_type *t);
/* Judges the top level of a request by that object of requests.table, in the words of OpenAI's API. Returns
 * -1 with the refusal. */
int model_params_check(struct json_object *request, const char *object, struct refusal *r);

/* An answer streamed as server-sent events, with injected faults. */

struct model_stream {
	struct task *t;
	struct exchange *ex;
	const struct model_answer *a;
	struct buf out; /* unsent events */
	size_t sent;
	bool over; /* the client has disconnected, or the fault has ended the stream */
};

/* Sends the response head. */
void model_stream_begin(
    struct model_stream *s, struct task *t, struct exchange *ex, const struct model_answer *a);
/* Between chunks: sends what is pending, then waits unless no delay is set. Suspends. */
void model_stream_pause(struct model_stream *s);
/* Sends garbage and ends the stream if a fault demands that. Returns true then. */
bool model_stream_is_garbage(struct model_stream *s);
/* Must the stream stop before its end? Applies a pending fault. */
bool model_stream_is_unfinished(struct model_stream *s);
/* Sends the rest, ends the stream and frees its memory. */
void model_stream_end(struct model_stream *s);
/* Appends a chunk as a JSON string; half a character as its escape. */
void model_stream_quote(struct buf *out, const char *text, size_t len);
/* Passes the text on in chunks of `chunk` characters, with pauses. */
void model_stream_text(struct model_stream *s, const char *text, size_t len, size_t chunk, bool paced,
    void (*piece)(struct model_stream *s, const char *text, size_t len, void *arg), void *arg);

#endif
