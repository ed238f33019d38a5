#ifndef PLAYGROUND_MODEL_AUDIT_H
#define PLAYGROUND_MODEL_AUDIT_H
/* Logs remarks on requests that a provider might accept but that are wrong: duplicate call ids, arguments
 * that are not a JSON object, the API key inside the messages. */
struct exchange;
struct json_object;

void audit_request(struct exchange *ex, struct json_object *request);

#endif
