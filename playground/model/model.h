#ifndef PLAYGROUND_MODEL_MODEL_H
#define PLAYGROUND_MODEL_MODEL_H
/* The scripted model: its state, and the paths at which it answers. */
#include <stdbool.h>
#include <stddef.h>

struct error;
struct exchange;
struct json_object;
struct model;
struct playground;
struct record_log;
struct refusal;
struct script;
struct server_request;
struct task;

/* The scripted model behind /v1/: validates requests as the provider does and answers from its script. */

/* script: a file, or NULL for the embedded one. */
struct model *model_new(struct playground *pg, const char *script, struct error *err);
void model_free(struct model *m);
/* From now on logs all requests to a journal (request_journal_open). Returns -1 with err. */
int model_keep_journal(struct model *m, const char *path, struct error *err);
void model_reset(struct model *m);
void model_serve(struct task *t, struct model *m, struct server_request *req);
const struct record_log *model_log(const struct model *m);
int model_set(struct model *m, struct json_object *settings, struct error *err);
void model_settings(const struct model *m, struct json_object *out);

/* For the wire formats. */
const struct script *model_script(const struct model *m);
/* Parses a request as json_parse_object does. */
struct json_object *model_parse(struct model *m, const char *text, size_t len, struct error *err);
/* Skip the script's delays? */
bool model_is_instant(const struct model *m);
/* Longer requests, by estimate, are refused. */
size_t model_context_tokens(const struct model *m);

/* Logs remarks on requests that a provider might accept but that are wrong: duplicate call ids, arguments
 * that are not a JSON object, the API key inside the messages. */

void audit_request(struct exchange *ex, struct json_object *request);

/*
 * The endpoints of Ollama and llama.cpp besides the wire formats: /api/ps, /api/show, /api/tags,
 * /api/version, and /props. There is one model, "scripted", with variants "-blind" and "-toolless". Its
 * context is the setting context_tokens; it is loaded after its first request.
 */

bool ollama_serves(const char *path);
void ollama_serve(struct model *m, struct server_request *req);

/*
 * A file with one JSON line per model request: {"method","status","verdict","problems",["fault"],["body"]}.
 * body is present only with problems. A verdict "refused" with status 401 or 404 concerns the key, the URL or
 * the model name, not the request.
 */

/* Opens the file for appending; several playgrounds may share it. Returns -1 with err. */
int request_journal_open(const char *path, struct error *err);
void request_journal_add(int fd, const struct exchange *ex);

/* POST /v1/audio/transcriptions as in OpenAI's API of 2026. Audio is not decoded: text in the file, after
 * an optional "OggS", is the transcription; other bytes give "(sound of N bytes)". */

void transcribe_serve(struct task *t, struct model *m, struct exchange *ex);

/* Differences of vendors that use OpenAI's format. The prefix of the model name selects one:
 * "deepseek-...", "gemini-...", "mistral-..."; others are OpenAI. */

/* Returns 0, or -1 with the refusal in the vendor's words. Removes from the request what this vendor
 * accepts and OpenAI refuses. */
int vendor_check(struct json_object *request, struct refusal *r);

#endif
