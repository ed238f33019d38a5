#ifndef PLAYGROUND_DISCORD_GATEWAY_OPCODE_H
#define PLAYGROUND_DISCORD_GATEWAY_OPCODE_H
/* Handles payloads from gateway clients. */
#include <stdint.h>

struct cord_socket;
struct json_object;

/* Handles the payload, or closes the connection with the code of its error. */
void cord_opcode_run(struct cord_socket *s, int64_t op, struct json_object *d);

#endif
