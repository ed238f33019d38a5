#ifndef PLAYGROUND_CONTROL_SIDE_WORLD_H
#define PLAYGROUND_CONTROL_SIDE_WORLD_H
/* /control/world: further playgrounds in this process, each with an address, a clock, and bots, chats, faults
 * and settings of its own. */
struct buf;
struct error;
struct json_object;
struct playground;
struct task;

#define SIDE_WORLDS_MAX 64

/* Ends the world of that name; NULL: all. Returns how many. Suspends. */
unsigned worlds_end(struct task *t, struct playground *pg, const char *name);

/* Rows as in struct control_verb. */
int control_world(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);
int control_worlds(
    struct task *t, struct playground *pg, struct json_object *in, struct buf *out, struct error *err);

#endif
