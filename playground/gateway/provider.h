#ifndef PLAYGROUND_GATEWAY_PROVIDER_H
#define PLAYGROUND_GATEWAY_PROVIDER_H
/* Probes providers of real models, and the local Ollama. */
#include <stdbool.h>

struct buf;
struct error;
struct json_object;
struct task;

struct provider {
	const char *url, *model, *api;
	const char *key; /* NULL: none */
};

/* Returns the likely wire format of a base URL. */
const char *provider_guess_api(const char *url);
/* Is this a supported wire format? */
bool provider_knows_api(const char *api);
/* Requests one word, sets *works and appends the result to out as a sentence. Suspends. Returns -1 when
 * cancelled. */
int provider_probe(struct task *t, const struct provider *p, bool *works, struct buf *out, struct error *err);
/* Returns Ollama's address: $MYNA_OLLAMA_URL or its default. */
const char *provider_ollama_url(void);
/* Returns {"url","running","models"}, or NULL when cancelled. Suspends. */
struct json_object *provider_ollama(struct task *t, struct error *err);

#endif
