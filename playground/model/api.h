#ifndef PLAYGROUND_MODEL_API_H
#define PLAYGROUND_MODEL_API_H
/* The wire formats in which the scripted model speaks, and what is the same in all of them. */
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

/* An answer of the script that is to be written. */
struct model_answer {
	const char *model; /* as it was asked for */
	const struct script_answer *script;
	struct json_object *request;
	bool instant;
	size_t prompt_tokens, max_tokens; /* max_tokens 0: not limited */
	unsigned quirks;                  /* quirk.h */
};

struct model_api {
	/* Judges the request: 0, or -1 with the refusal. */
	int (*check_key)(const struct server_request *req, struct refusal *r);
	int (*check)(const struct server_request *req, struct json_object *request, struct refusal *r);
	int (*too_long)(size_t tokens, size_t most, struct refusal *r);
	/* Answers with the refusal, in the format's own shape. */
	void (*refuse)(struct exchange *ex, const struct refusal *r);
	/* Of a request that passed. */
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

/* Any bearer key will do but one that contains "revoked". */
int model_check_bearer(const struct server_request *req, struct refusal *r);
void model_api_serve(struct task *t, struct model *m, struct exchange *ex, const struct model_api *api);
/* Ids: len - 1 letters and digits, and a NUL. */
void model_random_name(char *out, size_t len);
/* The number of the call, block or item i where the format gives it one. */
size_t model_answer_index(const struct model_answer *a, size_t i);
/* How much of the script's text is said: max_tokens may cut it. */
size_t model_text_len(const struct model_answer *a);
size_t model_answer_tokens(const struct model_answer *a, size_t text_len);

#endif
