#ifndef PLAYGROUND_GATEWAY_MODEL_CHOICE_H
#define PLAYGROUND_GATEWAY_MODEL_CHOICE_H
/* The gateway's model: a file that its configuration includes, and a key file beside it (FILE.key, mode
 * 0600). The key is never shown. */
#include <stdbool.h>

struct buf;
struct model_choice;
struct error;
struct daemon;
struct json_object;
struct task;

/* Borrows file. */
struct model_choice *model_choice_new(const char *file);
void model_choice_free(struct model_choice *c);
/* Writes the choice of the scripted model at own_url. Suspends. */
int model_choice_begin(struct task *t, struct model_choice *c, const char *own_url, struct error *err);
/* {"scripted","url","model","api","key"} */
void model_choice_write(const struct model_choice *c, struct buf *out);
/* in: {"url","model","key"?,"api"?} or {"scripted":true}. Calls the model first and changes nothing if
 * that fails, then makes the gateway reload. Sets *works and a sentence in out. Suspends. Returns -1 when
 * in is invalid or the task is cancelled. */
int model_choice_set(struct task *t, struct model_choice *c, const struct daemon *g, struct json_object *in,
    bool *works, struct buf *out, struct error *err);

#endif
