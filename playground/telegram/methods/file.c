#include <inttypes.h>
#include <string.h>

#include "playground/server/exchange.h"
#include "playground/telegram/http/api.h"
#include "playground/telegram/methods/compose.h"

void file_serve(struct world *w, struct exchange *ex, const char *path)
{
	struct file *f = media_by_path(w, path);
	struct buf body = BUF_INIT;

	if (f && f->len <= FILE_MAX) {
		if (f->data)
			buf_add(&body, f->data, f->len);
		for (size_t i = 0; !f->data && i < f->len; i++)
			buf_addch(&body, '\0');
		exchange_answer(ex, 200, "application/octet-stream", NULL, &body);
	} else {
		buf_addstr(&body, "{\"ok\":false,\"error_code\":404,\"description\":\"Not Found\"}");
		exchange_answer(ex, 404, "application/json", NULL, &body);
	}
	buf_clear(&body);
}

int method_get_file(struct call *call)
{
	const char *file_id = json_get_str(call->params, "file_id");
	struct file *f = media_by_id(call->world, file_id);

	if (!f)
		return call_fail(
		    call, 400, "Bad Request: wrong file_id or the file is temporarily unavailable");
	if (f->len > FILE_MAX)
		return call_fail(call, 400, "Bad Request: file is too big");
	buf_addstr(&call->result, "{\"file_id\":");
	json_quote(&call->result, file_id, strlen(file_id));
	buf_addf(&call->result,
	    ",\"file_unique_id\":\"unique-%" PRId64 "%s\",\"file_size\":%zu,\"file_path\":\"", f->unique,
	    strstr(file_id, "-s") && f->kind == MEDIA_PHOTO ? "-s" : "", f->len);
	media_write_path(f, &call->result);
	buf_addstr(&call->result, "\"}");
	return 0;
}
