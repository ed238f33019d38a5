#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "playground/discord/http/api.h"
#include "playground/discord/http/call.h"

#define BODY_MAX (25 << 20) /* Discord: reference, Uploading Files: limit of a request */

static int read_query(struct cord_call *call)
{
	const char *query = server_query(call->ex->req);

	call->query = json_object_new_object();
	if (form_read(call->query, query, strlen(query), NULL) != 0)
		return cord_fail_plain(call, 400, "400: Bad Request");
	return 0;
}

static int read_json(struct cord_call *call, const char *text, size_t len)
{
	call->body = json_parse(text, len, NULL);
	if (!call->body)
		return cord_fail(call, "The request body contains invalid JSON.");
	exchange_set_body(call->ex, text, len, true);
	return 0;
}

/* Is there a file among the members of the body? Then each part is one of them. */
static bool takes_file(const struct spec_record *spec)
{
	const struct spec_record *r = spec->body->record;

	for (size_t i = 0; r && i < r->count; i++)
		if (r->members[i].type->kind == SPEC_FILE)
			return true;
	return false;
}

/* Discord: reference, Uploading Files: payload_json, and files[n]. */
static int read_parts(struct cord_call *call, const char *type, const char *body, size_t len)
{
	struct json_object *payload;

	call->parts = json_object_new_object();
	if (form_read_multipart(call->parts, type, body, len, NULL) != 0)
		return cord_refuse_field(call, NULL, "MULTIPART_INVALID", "The multipart body is malformed.");
	if (takes_file(call->route->spec)) {
		call->errors.parts = true;
		call->body = json_object_get(call->parts);
		return 0;
	}
	payload = json_get(call->parts, "payload_json");
	if (!json_object_is_type(payload, json_type_string))
		call->body = json_object_new_object();
	else if (read_json(
		     call, json_object_get_string(payload), (size_t)json_object_get_string_len(payload)) != 0)
		return -1;
	json_object_object_del(call->parts, "payload_json");
	json_object_object_foreach(call->parts, name, part) {
		if (!json_object_is_type(part, json_type_object) || strncmp(name, "file", 4) != 0)
			cord_errors_add(&call->errors, name, "UNKNOWN_FIELD",
			    "A part is payload_json, or a file named files[n].");
	}
	return !call->errors.tree ? 0 : cord_refuse(call);
}

static int read_form(struct cord_call *call, const char *body, size_t len)
{
	call->body = json_object_new_object();
	return form_read(call->body, body, len, NULL) == 0 ? 0 :
							     cord_fail_plain(call, 400, "400: Bad Request");
}

static int read_body(struct cord_call *call)
{
	const char *type = server_header(call->ex->req, "content-type"), *body;
	const struct spec_record *spec = call->route->spec;
	size_t len;

	body = call->content = server_body(call->ex->req, &len);
	if (len > BODY_MAX)
		return cord_fail(call, "Request entity too large");
	if (len == 0) {
		call->body =
		    spec->body->kind == SPEC_LIST ? json_object_new_array() : json_object_new_object();
		return 0;
	}
	if (form_has_type(type, "application/json"))
		return read_json(call, body, len);
	if (spec_has(spec, "uploads") && form_has_type(type, "multipart/form-data"))
		return read_parts(call, type, body, len);
	if (spec_has(spec, "forms") && form_has_type(type, "application/x-www-form-urlencoded"))
		return read_form(call, body, len);
	exchange_problem(call->ex, "the content type must be application/json%s",
	    spec_has(spec, "uploads") ? " or multipart/form-data" : "");
	return cord_fail(call, "Invalid Form Body");
}

static bool is_known(const struct spec_type *t, const char *name)
{
	for (; t; t = t->next)
		if (t->kind != SPEC_NAMED ||
		    (t->record->type ? is_known(t->record->type, name) :
				       spec_member(t->record, name) != NULL))
			return true;
	return false;
}

/* What is ignored is not kept, either. */
static void drop_unknown(struct json_object *body, const struct spec_type *t)
{
	struct lh_table *table = json_object_get_object(body);
	struct lh_entry *next;

	for (struct lh_entry *e = table ? table->head : NULL; e; e = next) {
		next = e->next;
		if (!is_known(t, lh_entry_k(e)))
			json_object_object_del(body, lh_entry_k(e));
	}
}

int cord_request_read(struct cord_call *call)
{
	if (read_query(call) != 0)
		return -1;
	return call->route->spec->body ? read_body(call) : 0; /* others are ignored */
}

static int judge_body(struct cord_call *call)
{
	cord_judge(&call->errors, call->route->spec->body, call->body);
	if (call->errors.tree)
		return cord_refuse(call);
	if (json_object_is_type(call->body, json_type_object))
		drop_unknown(call->body, call->route->spec->body);
	return 0;
}

int cord_request_judge(struct cord_call *call)
{
	int ret = 0;

	cord_judge_members(&call->errors, call->route->spec, call->query);
	if (call->errors.tree)
		ret = cord_refuse(call);
	else if (call->body)
		ret = judge_body(call);
	cord_errors_remark(&call->errors, call->ex);
	return ret;
}
