#ifndef CONTROL_ANSWER_H
#define CONTROL_ANSWER_H
/* Answers of the control socket: JSON, or {"error": a sentence}. */
struct json_object;
struct server_request;

/* Takes o. */
void control_answer(struct server_request *req, int status, struct json_object *o);
void control_refuse(struct server_request *req, int status, const char *text);

#endif
