#ifndef PLAYGROUND_DISCORD_GATEWAY_IDENTIFY_H
#define PLAYGROUND_DISCORD_GATEWAY_IDENTIFY_H
/* IDENTIFY and RESUME: give a connection its session. */
struct cord_socket;
struct json_object;

void cord_identify(struct cord_socket *s, struct json_object *d);
void cord_resume(struct cord_socket *s, struct json_object *d);

#endif
