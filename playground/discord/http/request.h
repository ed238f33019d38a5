#ifndef PLAYGROUND_DISCORD_HTTP_REQUEST_H
#define PLAYGROUND_DISCORD_HTTP_REQUEST_H
struct cord_call;

/* Reads query and body of a call and checks them against the endpoint's rows. Returns -1 after a failure. */
int cord_request_read(struct cord_call *call);

#endif
