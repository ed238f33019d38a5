#ifndef PLAYGROUND_MODEL_VENDOR_H
#define PLAYGROUND_MODEL_VENDOR_H
/* Differences of vendors that use OpenAI's format. The prefix of the model name selects one:
 * "deepseek-...", "gemini-...", "mistral-..."; others are OpenAI. */

struct json_object;
struct refusal;

/* Returns 0, or -1 with the refusal in the vendor's words. Removes from the request what this vendor
 * accepts and OpenAI refuses. */
int vendor_check(struct json_object *request, struct refusal *r);

#endif
