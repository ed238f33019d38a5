#ifndef PLAYGROUND_DISCORD_GATEWAY_GATEWAY_H
#define PLAYGROUND_DISCORD_GATEWAY_GATEWAY_H
/* The gateway: a WebSocket at /discord/gateway, from HELLO to its end. */
#include <stdbool.h>

struct cord_world;
struct exchange;
struct task;

void cord_gateway_serve(struct task *t, struct cord_world *w, struct exchange *ex);

/* Is that version of API and gateway one that answers? */
bool cord_version_is_served(const char *number);

#endif
