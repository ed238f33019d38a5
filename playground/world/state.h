#ifndef PLAYGROUND_WORLD_STATE_H
#define PLAYGROUND_WORLD_STATE_H
/* Saves and loads the state of all platforms in DATA/playground.json, replaced atomically. Blocks: call it
 * only at start and end. */
struct error;
struct playground;

int state_save(const struct playground *pg, struct error *err);
/* Returns 0 without changes if there is no file. */
int state_load(struct playground *pg, struct error *err);

#endif
