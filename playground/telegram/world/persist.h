#ifndef PLAYGROUND_TELEGRAM_WORLD_PERSIST_H
#define PLAYGROUND_TELEGRAM_WORLD_PERSIST_H
/* The world as JSON, for --data. Drafts, typing, rate limits and open presses are not kept. */
struct error;
struct json_object;

struct json_object *persist_save(void *self);
/* Into an empty world. */
int persist_load(void *self, struct json_object *state, struct error *err);

#endif
