#include "playground/discord/http/request.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json/json.h"
#include "net/server/server.h"
#include "playground/discord/http/call.h"
#include "playground/server/exchange.h"
#include "playground/server/form.h"

#define BODY_MAX     (25 << 20) /* Discord: reference, Uploading Files: limit of a request */
#define COMMANDS_MAX 130

static int read_query(struct cord_call *call)
{
	static const struct cord_shape none = {.name = NULL};
	const char *query = server_query(call->ex->req);

	call->query = json_object_new_object();
	if (form_read(call->query, query, strlen(query), NULL) != 0)
		return cord_fail_plain(call, 400, "400: Bad Request");
	cord_shape_check(call->endpoint->query ? call->endpoint->query : &none, call->query, &call->errors);
	return !call->errors.tree ? 0 : cord_refuse(call);
}

static int read_json(struct cord_call *call, const char *text, size_t len)
{
	call->body = json_parse(text, len, NULL);
	if (!call->body)
		return cord_fail(call, CORD_INVALID_JSON);
	exchange_set_body(call->ex, text, len, true);
	return 0;
}

/* Discord: reference, Uploading Files: payload_json, and files[n]. */
static int read_parts(struct cord_call *call, const char *type, const char *body, size_t len)
{
	struct json_object *payload;

	call->parts = json_object_new_object();
	if (form_read_multipart(call->parts, type, body, len, NULL) != 0)
		return cord_refuse_field(call, NULL, "MULTIPART_INVALID", "The multipart body is malformed.");
	payload = json_get(call->parts, "payload_json");
	if (!json_object_is_type(payload, json_type_string))
		call->body = json_object_new_object();
	else if (read_json(
		     call, json_object_get_string(payload), (size_t)json_object_get_string_len(payload)) != 0)
		return -1;
	json_object_object_del(call->parts, "payload_json");
	json_object_object_foreach(call->parts, name, part) {
		if (!json_object_is_type(part, json_type_object) || strncmp(name, "files[", 6) != 0)
			cord_errors_add(&call->errors, name, "UNKNOWN_FIELD",
			    "A part is payload_json, or a file named files[n].");
	}
	return !call->errors.tree ? 0 : cord_refuse(call);
}

static int read_body(struct cord_call *call)
{
	const char *type = server_header(call->ex->req, "content-type"), *body;
	bool list = (call->endpoint->flags & CORD_LIST_BODY) != 0;
	size_t len;

	body = server_body(call->ex->req, &len);
	if (len > BODY_MAX)
		return cord_fail(call, CORD_TOO_LARGE);
	if (len == 0) {
		call->body = list ? json_object_new_array() : json_object_new_object();
		return 0;
	}
	if (form_has_type(type, "application/json"))
		return read_json(call, body, len);
	if ((call->endpoint->flags & CORD_UPLOADS) && form_has_type(type, "multipart/form-data"))
		return read_parts(call, type, body, len);
	exchange_problem(call->ex, "the content type must be application/json%s",
	    call->endpoint->flags & CORD_UPLOADS ? " or multipart/form-data" : "");
	return cord_fail(call, CORD_INVALID_FORM);
}

static int check_body(struct cord_call *call)
{
	const struct cord_endpoint *ep = call->endpoint;
	bool list = (ep->flags & CORD_LIST_BODY) != 0;

	if (!json_object_is_type(call->body, list ? json_type_array : json_type_object))
		return cord_refuse_field(call, NULL, list ? "LIST_TYPE_CONVERT" : "MODEL_TYPE_CONVERT",
		    list ? "Only iterables may be used in a ListType" :
			   "Only dictionaries may be used in a ModelType");
	if (list)
		cord_shape_check_list(ep->body, call->body, COMMANDS_MAX, &call->errors);
	else if (!(ep->flags & CORD_FREE_BODY))
		cord_shape_check(ep->body, call->body, &call->errors);
	return !call->errors.tree ? 0 : cord_refuse(call);
}

int cord_request_read(struct cord_call *call)
{
	if (read_query(call) != 0)
		return -1;
	if (!call->endpoint->body && !(call->endpoint->flags & CORD_FREE_BODY))
		return 0; /* the body is ignored */
	return read_body(call) != 0 ? -1 : check_body(call);
}
