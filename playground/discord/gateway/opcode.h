#ifndef PLAYGROUND_DISCORD_GATEWAY_OPCODE_H
#define PLAYGROUND_DISCORD_GATEWAY_OPCODE_H
/* What a client says on the gateway. */
#include <stdint.h>

struct cord_socket;
struct json_object;

/* Runs the payload, or closes the connection with what is wrong with it. */
void cord_opcode_run(struct cord_socket *s, int64_t op, struct json_object *d);

#endif
