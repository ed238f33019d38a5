#ifndef PLAYGROUND_SERVER_DELIVERY_H
#define PLAYGROUND_SERVER_DELIVERY_H
/* Sends a platform's requests to a bot's own server. */
struct error;
struct http_request;
struct http_response;
struct playground;
struct task;

/*
 * As http_perform, on a network that may fail as POST /control/fault orders for this method:
 *   status, retry_after  a proxy answers in the place of the bot, which gets nothing
 *   stall                it is sent after so many seconds
 *   cut                  the bot gets it; of the answer at_byte bytes come back, and then nothing
 *   close                the connection is refused
 *   garbage              the bot gets another body
 */
int delivery_perform(struct task *t, struct playground *pg, const char *platform, const char *method,
    const struct http_request *req, struct http_response *res, struct error *err);

#endif
