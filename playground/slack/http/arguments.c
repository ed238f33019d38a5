#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "playground/slack/http/method.h"

static bool has_type(const char *content_type, const char *type)
{
	size_t len = strlen(type);

	return strncasecmp(content_type, type, len) == 0 &&
	    (content_type[len] == '\0' || content_type[len] == ';' || content_type[len] == ' ');
}

static int read_json(struct slk_call *call, const char *body, size_t len)
{
	struct error err = {0};
	struct json_object *o = json_parse(body, len, &err);

	if (!o)
		return slk_refuse(call, "invalid_json", "%s", err.text);
	if (!json_object_is_type(o, json_type_object)) {
		json_object_put(o);
		return slk_refuse(call, "json_not_object", "the body must be an object");
	}
	if (call->spec && spec_has(call->spec, "form")) {
		exchange_remark(call->ex, "%s takes no JSON: its arguments were not seen", call->spec->name);
	} else {
		json_object_object_foreach(o, name, value) {
			json_set(call->params, name, json_object_get(value));
		}
	}
	json_object_put(o);
	return 0;
}

/* Warnings as in docs.slack.dev: forms have no charset, other bodies should name theirs. */
static int check_charset(struct slk_call *call, const char *type)
{
	const char *charset = strcasestr(type, "charset=");
	bool form =
	    has_type(type, "application/x-www-form-urlencoded") || has_type(type, "multipart/form-data");

	if (charset && strncasecmp(charset + 8, "utf-8", 5) != 0 &&
	    strncasecmp(charset + 8, "\"utf-8\"", 7) != 0 && strncasecmp(charset + 8, "iso-8859-1", 10) != 0)
		return slk_refuse(call, "invalid_charset", "the charset must be utf-8");
	if (form && charset)
		slk_warn(call, "superfluous_charset");
	if (!form && !charset)
		slk_warn(call, "missing_charset");
	return 0;
}

static int read_body(struct slk_call *call, const char *type, const char *body, size_t len)
{
	struct error err = {0};

	if (!type)
		return slk_refuse(call, "missing_post_type", "a body has a Content-Type");
	if (!has_type(type, "application/json") && !has_type(type, "application/x-www-form-urlencoded") &&
	    !has_type(type, "multipart/form-data"))
		return slk_refuse(call, "invalid_post_type", "a body is JSON or a form");
	if (check_charset(call, type) != 0)
		return -1;
	if (has_type(type, "application/json"))
		return read_json(call, body, len);
	if ((has_type(type, "multipart/form-data") ?
		    form_read_multipart(call->params, type, body, len, &err) :
		    form_read(call->params, body, len, &err)) != 0)
		return slk_refuse(call, "invalid_form_data", "%s", err.text);
	return 0;
}

int slk_arguments_read(struct slk_call *call)
{
	struct server_request *req = call->ex->req;
	const char *query = server_query(req), *body;
	struct error err = {0};
	size_t len;

	if (form_read(call->params, query, strlen(query), &err) != 0)
		return slk_refuse(call, "invalid_form_data", "%s", err.text);
	body = server_body(req, &len);
	if (strcmp(server_method(req), "POST") != 0 || len == 0)
		return 0;
	return read_body(call, server_header(req, "content-type"), body, len);
}
