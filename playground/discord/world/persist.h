#ifndef PLAYGROUND_DISCORD_WORLD_PERSIST_H
#define PLAYGROUND_DISCORD_WORLD_PERSIST_H
/* Saves and loads the state, except sessions and interactions. See struct platform. */
struct error;
struct json_object;

struct json_object *cord_persist_save(void *self);
int cord_persist_load(void *self, struct json_object *state, struct error *err);

#endif
