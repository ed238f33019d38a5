#ifndef PLAYGROUND_MODEL_OLLAMA_H
#define PLAYGROUND_MODEL_OLLAMA_H
/* What Ollama and llama.cpp tell of themselves beside the formats: /api/ps, /api/show, /api/tags,
 * /api/version, and /props. There is one model, "scripted", of which there are some that end with "-blind" or
 * "-toolless", and say so; its context is the model's setting context_tokens, and it is loaded once it was
 * asked. */
#include <stdbool.h>

struct model;
struct server_request;

bool ollama_serves(const char *path);
void ollama_serve(struct model *m, struct server_request *req);

#endif
