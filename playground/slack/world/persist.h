#ifndef PLAYGROUND_SLACK_WORLD_PERSIST_H
#define PLAYGROUND_SLACK_WORLD_PERSIST_H
/* The world as JSON, for --data. Connections, what waits to be delivered, streams, statuses and rate limits
 * are not kept. */
struct error;
struct json_object;

struct json_object *slk_persist_save(void *self);
/* Into an empty world. */
int slk_persist_load(void *self, struct json_object *state, struct error *err);

#endif
