#include "playground/model/model.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "playground/server/exchange.h"

int request_journal_open(const char *path, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : error_set(err, ERROR_OURS, "cannot write %s: %s", path, strerror(errno));
}

void request_journal_add(int fd, const struct exchange *ex)
{
	struct buf line = BUF_INIT;

	buf_addstr(&line, "{\"method\":");
	json_quote(&line, ex->method, strlen(ex->method));
	buf_addf(&line, ",\"status\":%d,\"verdict\":\"%s\",\"problems\":[%s]", ex->status,
	    ex->refused ? "refused" : "ok", ex->problems.data);
	if (ex->fault.kind != FAULT_NONE)
		buf_addf(&line, ",\"fault\":\"%s\"", fault_kind_name(ex->fault.kind));
	if (ex->problems.len > 0 && ex->body.len > 0)
		buf_addf(&line, ",\"body\":%s", ex->body.data);
	buf_addstr(&line, "}\n");
	/* One write, so that lines of several programs do not mix. */
	if (write(fd, line.data, line.len) != (ssize_t)line.len)
		log_error("model", "a request is missing in the journal: %s", strerror(errno));
	buf_clear(&line);
}
