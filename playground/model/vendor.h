#ifndef PLAYGROUND_MODEL_VENDOR_H
#define PLAYGROUND_MODEL_VENDOR_H
/* What those who speak OpenAI's format want beyond it, or refuse. Which of them is played, the beginning of
 * the model's name says: "deepseek-…", "gemini-…", "mistral-…"; any other is OpenAI itself. */

struct json_object;
struct refusal;

/* 0, or -1 with the refusal in the vendor's own words. What OpenAI would refuse of what this vendor wants is
 * taken from the request. */
int vendor_check(struct json_object *request, struct refusal *r);

#endif
