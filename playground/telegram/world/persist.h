#ifndef PLAYGROUND_TELEGRAM_WORLD_PERSIST_H
#define PLAYGROUND_TELEGRAM_WORLD_PERSIST_H
/* Saves and loads the world as JSON, for --data; without drafts, typing, rate limits and open presses. */
struct error;
struct json_object;

struct json_object *persist_save(void *self);
/* Loads into an empty world. */
int persist_load(void *self, struct json_object *state, struct error *err);

#endif
