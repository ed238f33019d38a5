#ifndef PLAYGROUND_WORLD_STATE_H
#define PLAYGROUND_WORLD_STATE_H
/* Saves and loads the state of all platforms in DATA/playground.json, replaced atomically. Blocks: call it
 * only at start and end. */
struct error;
struct json_object;
struct playground;

/* What is in that file; the caller owns it. */
struct json_object *state_write(const struct playground *pg);
/* The world must be new or just reset. If it was saved later than it is here, time moves there. */
int state_read(struct playground *pg, struct json_object *state, struct error *err);
int state_save(const struct playground *pg, struct error *err);
/* Returns 0 without changes if there is no file. */
int state_load(struct playground *pg, struct error *err);

#endif
