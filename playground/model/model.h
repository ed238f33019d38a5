#ifndef PLAYGROUND_MODEL_MODEL_H
#define PLAYGROUND_MODEL_MODEL_H
/* The scripted model behind /v1/: validates requests as the provider does and answers from its script. */
#include <stdbool.h>
#include <stddef.h>

struct error;
struct exchange;
struct json_object;
struct playground;
struct record_log;
struct script;
struct server_request;
struct task;

struct model;

/* script: a file, or NULL for the embedded one. */
struct model *model_new(struct playground *pg, const char *script, struct error *err);
void model_free(struct model *m);
/* From now on logs all requests to a journal (request_journal.h). Returns -1 with err. */
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

#endif
