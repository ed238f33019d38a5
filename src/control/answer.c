#include "control/answer.h"

#include "base/buf.h"
#include "base/json/json.h"
#include "net/server/server.h"

void control_answer(struct server_request *req, int status, struct json_object *o)
{
	struct buf text = BUF_INIT;

	json_write(&text, o);
	server_respond_json(req, status, &text);
	buf_clear(&text);
	json_object_put(o);
}

void control_refuse(struct server_request *req, int status, const char *text)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "error", text);
	control_answer(req, status, o);
}
