#include <stdarg.h>
#include <string.h>

#include "playground/model/api.h"

int refuse(struct refusal *r, const char *code, const char *param, const char *fmt, ...)
{
	va_list ap;

	*r = (struct refusal){.status = 400, .type = "invalid_request_error", .code = code};
	if (param)
		str_copy(r->param, sizeof(r->param), param);
	va_start(ap, fmt);
	vsnprintf(r->message, sizeof(r->message), fmt, ap);
	va_end(ap);
	return -1;
}

static void write_member(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, ",\"%s\":", name);
	if (!value || value[0] == '\0')
		buf_addstr(out, "null");
	else
		json_quote(out, value, strlen(value));
}

void refusal_write(const struct refusal *r, struct buf *out)
{
	buf_addstr(out, "{\"error\":{\"message\":");
	json_quote(out, r->message, strlen(r->message));
	write_member(out, "type", r->type);
	write_member(out, "param", r->param);
	write_member(out, "code", r->code);
	buf_addstr(out, "}}");
}

void refusal_answer(struct exchange *ex, const struct refusal *r)
{
	struct buf out = BUF_INIT;
	char header[48];

	snprintf(header, sizeof(header), "Retry-After: %u\r\n", r->retry_after);
	refusal_write(r, &out);
	exchange_answer(ex, r->status, "application/json", r->retry_after > 0 ? header : NULL, &out);
	buf_clear(&out);
}
