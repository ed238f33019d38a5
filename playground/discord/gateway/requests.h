#ifndef PLAYGROUND_DISCORD_GATEWAY_REQUESTS_H
#define PLAYGROUND_DISCORD_GATEWAY_REQUESTS_H
/* What clients ask for over the gateway: members, sounds, a place in a voice channel. */
struct cord_socket;
struct json_object;

void cord_request_members(struct cord_socket *s, struct json_object *d);
void cord_request_sounds(struct cord_socket *s, struct json_object *d);
void cord_request_voice(struct cord_socket *s, struct json_object *d);

#endif
