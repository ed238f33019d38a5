#ifndef PLAYGROUND_GATEWAY_MODEL_CHOICE_H
#define PLAYGROUND_GATEWAY_MODEL_CHOICE_H
/*
 * Which model the gateway asks: a file that its configuration includes, and the key beside it (FILE.key, mode
 * 0600). The key is written there and shown nowhere.
 */
#include <stdbool.h>

struct buf;
struct model_choice;
struct error;
struct daemon;
struct json_object;
struct task;

/* file: borrowed. */
struct model_choice *model_choice_new(const char *file);
void model_choice_free(struct model_choice *c);
/* Writes the model_choice of the scripted model, which stands at that URL. */
int model_choice_begin(struct task *t, struct model_choice *c, const char *own_url, struct error *err);
/* {"scripted","url","model","api","key"} */
void model_choice_write(const struct model_choice *c, struct buf *out);
/* in: {"url","model","key"?,"api"?} or {"scripted":true}. Asks the model first; one that does not answer
 * changes nothing. Then has the gateway read its configuration. *works, and a sentence in out; -1: in is
 * wrong, or cancelled. */
int model_choice_set(struct task *t, struct model_choice *c, const struct daemon *g, struct json_object *in,
    bool *works, struct buf *out, struct error *err);

#endif
