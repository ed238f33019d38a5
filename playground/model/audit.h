#ifndef PLAYGROUND_MODEL_AUDIT_H
#define PLAYGROUND_MODEL_AUDIT_H
/*
 * What a provider may let pass and yet is wrong in a request: calls with the same id, arguments that are no
 * JSON object, the request's own key among its words. Each is a remark in the record.
 */
struct exchange;
struct json_object;

void audit_request(struct exchange *ex, struct json_object *request);

#endif
