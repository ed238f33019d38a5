#ifndef PLAYGROUND_SLACK_WORLD_PERSIST_H
#define PLAYGROUND_SLACK_WORLD_PERSIST_H
/* Saves and loads the world as JSON, for --data; without connections, pending deliveries, streams,
 * statuses and rate limits. */
struct error;
struct json_object;

struct json_object *slk_persist_save(void *self);
/* Loads into an empty world. */
int slk_persist_load(void *self, struct json_object *state, struct error *err);

#endif
