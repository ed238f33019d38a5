#ifndef PLAYGROUND_MODEL_API_H
#define PLAYGROUND_MODEL_API_H
/* The wire formats of the scripted model, and what they share. */
#include <stdbool.h>
#include <stddef.h>

struct conversation;
struct exchange;
struct json_object;
struct model;
struct refusal;
struct script_answer;
struct server_request;
struct task;

#define MODEL_BYTES_PER_TOKEN 4 /* usage is an estimate */

/* An answer of the script, to be written. */
struct model_answer {
	const char *model; /* the model named in the request */
	const struct script_answer *script;
	struct json_object *request;
	bool instant;
	size_t prompt_tokens, max_tokens; /* max_tokens 0: no limit */
	unsigned quirks;                  /* quirk.h */
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

#endif
