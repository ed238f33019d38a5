#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"

/* A model can invent longer names; they are cut. */
#define FAILURE_NAME_MAX 64

__attribute__((format(printf, 4, 0))) static struct json_object *make(
    const char *tool, const char *code, const char *cause, const char *fmt, va_list ap)
{
	struct json_object *o = json_object_new_object(), *context = json_object_new_object();
	struct buf text = BUF_INIT, name = BUF_INIT;

	buf_vaddf(&text, fmt, ap);
	buf_add(&name, tool, utf8_cut(tool, strlen(tool), FAILURE_NAME_MAX, UTF8_BYTES));
	json_set_str(o, "error", text.data);
	json_set_str(o, "error_code", code);
	json_set_str(context, "tool", name.data);
	json_set_str(context, "cause", cause);
	json_set(o, "context", context);
	buf_clear(&name);
	buf_clear(&text);
	return o;
}

struct json_object *tool_failure(const char *tool, const char *code, const char *cause, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct json_object *o = make(tool, code, cause, fmt, ap);
	va_end(ap);
	return o;
}

char *tool_failure_text(const char *tool, const char *code, const char *cause, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct json_object *o = make(tool, code, cause, fmt, ap);
	va_end(ap);
	char *text = json_text(o);
	json_object_put(o);
	return text;
}

struct json_object *tool_path_failure(const char *tool, const struct path_error *why)
{
	struct json_object *o = tool_failure(tool, why->code, why->cause, "%s", why->text);

	json_set_str(json_get_object(o, "context"), "rule", why->rule);
	return o;
}
