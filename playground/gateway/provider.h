#ifndef PLAYGROUND_GATEWAY_PROVIDER_H
#define PLAYGROUND_GATEWAY_PROVIDER_H
/* Providers of real models, asked once to see whether they work; and the local Ollama. */
#include <stdbool.h>

struct buf;
struct error;
struct json_object;
struct task;

struct provider {
	const char *url, *model, *api;
	const char *key; /* NULL: none */
};

/* The format that a base URL most likely speaks, where none is named. */
const char *provider_guess_api(const char *url);
/* Is it a format that can be asked here? */
bool provider_knows_api(const char *api);
/* Asks for one word. What came of it is appended to out as a sentence; true: it works. -1: cancelled. */
int provider_probe(struct task *t, const struct provider *p, bool *works, struct buf *out, struct error *err);
/* Its address: $MYNA_OLLAMA_URL, or where it listens by itself. */
const char *provider_ollama_url(void);
/* {"url","running","models"}; NULL: cancelled. */
struct json_object *provider_ollama(struct task *t, struct error *err);

#endif
