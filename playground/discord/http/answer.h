#ifndef PLAYGROUND_DISCORD_HTTP_ANSWER_H
#define PLAYGROUND_DISCORD_HTTP_ANSWER_H
/* Responses of the REST API: bodies, errors, rate limit headers. */
struct cord_call;
struct exchange;

void cord_answer(struct cord_call *call);
/* An exchange_fail_fn: the response of an injected fault. */
void cord_answer_fault(struct exchange *ex, int status, unsigned retry_s);
/* Cloudflare's response after too many invalid requests. */
void cord_answer_banned(struct exchange *ex);

#endif
