#include "playground/server/fault.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "playground/spec/spec.h"
#include "playground/world/json_format.h"

const struct spec_record *failure_find(const char *name)
{
	return name ? spec_method(spec_of("model"), name) : NULL;
}

int failure_status(const struct spec_record *f, bool messages)
{
	const char *own = messages ? spec_value(f, "messages_status") : NULL;

	return (int)strtol(own ? own : spec_value(f, "status"), NULL, 10);
}

const char *failure_body(const struct spec_record *f, bool messages)
{
	const struct spec_member *own = messages ? spec_member(f, "messages") : NULL;

	return own ? own->error_text : spec_member(f, "body")->error_text;
}

/* An event of the Responses API has the error's fields directly, without an error object. */
static void responses_event(const struct spec_record *f, struct buf *out)
{
	struct json_object *body = json_parse(failure_body(f, false), strlen(failure_body(f, false)), NULL),
			   *error = json_get(body, "error"),
			   *event = json_newf("{type: 'error', code: %s}", json_get_str(error, "code"));

	json_set_str(
	    event, "message", json_get_str(error, "message") ? json_get_str(error, "message") : f->name);
	json_set_str(event, "param", NULL);
	buf_addstr(out, "event: error\ndata: ");
	json_write(out, event);
	buf_addstr(out, "\n\n");
	json_object_put(event);
	json_object_put(body);
}

void failure_event(const struct spec_record *f, const char *format, struct buf *out)
{
	if (strcmp(format, "responses") == 0)
		responses_event(f, out);
	else if (strcmp(format, "messages") == 0)
		buf_addf(out, "event: error\ndata: %s\n\n", failure_body(f, true));
	else
		buf_addf(out, "data: %s\n\n", failure_body(f, false));
}

void failure_page(int status, struct buf *out)
{
	buf_addf(out,
	    "<html>\r\n<head><title>%d</title></head>\r\n<body>\r\n<center><h1>%d</h1></"
	    "center>\r\n<hr><center>a proxy</center>\r\n</body>\r\n</html>\r\n",
	    status, status);
}
