#ifndef PLAYGROUND_DISCORD_HTTP_ANSWER_H
#define PLAYGROUND_DISCORD_HTTP_ANSWER_H
/* Answers of the REST API: bodies, failures, and the headers of rate limits. */
struct cord_call;
struct exchange;

void cord_answer(struct cord_call *call);
/* An exchange_fail_fn: what faults make of a request. */
void cord_answer_fault(struct exchange *ex, int status, unsigned retry_s);
/* Cloudflare's own words to who made too many invalid requests. */
void cord_answer_banned(struct exchange *ex);

#endif
