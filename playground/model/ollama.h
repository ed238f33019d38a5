#ifndef PLAYGROUND_MODEL_OLLAMA_H
#define PLAYGROUND_MODEL_OLLAMA_H
/*
 * The endpoints of Ollama and llama.cpp besides the wire formats: /api/ps, /api/show, /api/tags,
 * /api/version, and /props. There is one model, "scripted", with variants "-blind" and "-toolless". Its
 * context is the setting context_tokens; it is loaded after its first request.
 */
#include <stdbool.h>

struct model;
struct server_request;

bool ollama_serves(const char *path);
void ollama_serve(struct model *m, struct server_request *req);

#endif
