#ifndef GATEWAY_RELOAD_H
#define GATEWAY_RELOAD_H
/*
 * Reading the configuration again while the gateway runs. What is in order takes the place of what was in
 * force, and running turns keep what they began with; what needs a restart stays and is named. What is not in
 * order changes nothing.
 */
struct buf;
struct gateway;
struct gateway_config;
struct task;

/* 0, or -1 when the old configuration stays. Appends what a person is told of it, and logs that. */
int gateway_reload(struct task *t, struct gateway *g, struct buf *out);
/* gateway.c's: puts gc in force, which is malloc'd, and takes it. */
void gateway_put_config(struct gateway *g, struct gateway_config *gc);

#endif
