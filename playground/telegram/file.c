#include "playground/telegram/file.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "playground/exchange.h"
#include "playground/telegram/message.h"
#include "playground/telegram/methods.h"
#include "playground/telegram/world.h"

static struct file *find_named(const struct world *w, const char *name, const char *prefix)
{
	size_t len = strlen(prefix);
	int64_t number;

	return strncmp(name, prefix, len) == 0 && world_read_id(name + len, &number) ? map_get(&w->files, number, 0)
										     : NULL;
}

void file_serve(struct world *w, struct exchange *ex, const char *path)
{
	struct file *f = find_named(w, path, "documents/file_");
	struct buf body = BUF_INIT;

	if (f != NULL && f->len <= FILE_MAX) {
		buf_add(&body, f->data, f->len);
		exchange_answer(ex, 200, "application/octet-stream", NULL, &body);
	} else {
		buf_addstr(&body, "{\"ok\":false,\"error_code\":404,\"description\":\"Not Found\"}");
		exchange_answer(ex, 404, "application/json", NULL, &body);
	}
	buf_clear(&body);
}

static int get_file(struct task *t, struct call *call)
{
	struct file *f = find_named(call->world, json_get_str(call->params, "file_id"), "document-");

	(void)t;
	if (f == NULL)
		return call_fail(call, 400, "Bad Request: wrong file_id or the file is temporarily unavailable");
	if (f->len > FILE_MAX)
		return call_fail(call, 400, "Bad Request: file is too big");
	buf_addf(&call->result,
		 "{\"file_id\":\"document-%" PRId64 "\",\"file_unique_id\":\"unique-%" PRId64
		 "\",\"file_size\":%zu,\"file_path\":\"documents/file_%" PRId64 "\"}",
		 f->number, f->number, f->len, f->number);
	return 0;
}

static const struct param get_file_params[] = {
    {"file_id", PARAM_STRING, PARAM_REQUIRED, "invalid file_id"},
};

const struct method method_get_file = {"getFile", get_file_params, 1, get_file};
