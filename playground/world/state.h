#ifndef PLAYGROUND_WORLD_STATE_H
#define PLAYGROUND_WORLD_STATE_H
/* The state of all platforms in one file, DATA/playground.json, replaced as a whole. Blocks: only for start
 * and end. */
struct error;
struct playground;

int state_save(const struct playground *pg, struct error *err);
/* No file: 0, nothing is changed. */
int state_load(struct playground *pg, struct error *err);

#endif
