#include "tools/external/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "net/child/child.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"
#include "tools/sandbox/sandbox.h"

/* Bytes kept of standard error. */
#define STDERR_KEPT 4096
/* Capacity of a pipe: this much input is written whether the program reads it or not. */
#define PIPE_MAX (64 * 1024)

struct running {
	struct external_output *out;
	size_t most;
	struct sandboxed *program; /* NULL until it has started */
};

static void take(void *arg, enum child_stream stream, const char *data, size_t len)
{
	struct running *r = arg;
	struct external_output *out = r->out;

	if (stream == CHILD_STDERR) {
		buf_add(&out->err, data, len);
		if (out->err.len > STDERR_KEPT)
			buf_consume(&out->err, out->err.len - STDERR_KEPT);
		return;
	}
	size_t room = r->most - out->out.len;
	buf_add(&out->out, data, len < room ? len : room);
	if (len <= room)
		return;
	out->overflown = true;
	if (r->program)
		child_stop(sandboxed_child(r->program));
}

/* Writes the input; a program need not read it. Returns -1 when cancelled. */
static int feed(struct task *t, struct running *r, const struct buf *input, struct error *err)
{
	struct child *child = sandboxed_child(r->program);

	if (!input)
		return 0;
	if (child_write(t, child, input->data, input->len, err) < 0) {
		if (err->kind == ERROR_CANCELLED)
			return -1;
		r->out->input_unread = input->len > PIPE_MAX;
	}
	child_close_input(child);
	return 0;
}

static int finish(struct task *t, struct running *r, struct error *err)
{
	struct sandbox_end end = {0};

	if (sandboxed_wait(t, r->program, &end, err) < 0) {
		r->out->missing = err->kind == ERROR_OURS && err->code == ENOENT;
		return r->out->missing ? 0 : -1;
	}
	r->out->status = end.child.status;
	r->out->timed_out = end.child.timed_out;
	r->out->limit = end.limit;
	snprintf(r->out->advice, sizeof(r->out->advice), "%s", end.advice);
	return 0;
}

int external_program_run(struct task *t, const struct tools *ts, const struct external_options *start,
    struct external_output *out, struct error *err)
{
	const char *const argv[] = {start->path, start->option, NULL};
	const char *const readable[] = {start->folder, NULL};
	/* Not the chat's folder: interpreters load modules and settings from there, and a model writes there.
	 */
	char *home = xasprintf("HOME=%s", start->folder);
	const char *const env[] = {home, NULL};
	struct running r = {.out = out, .most = start->most};
	const struct sandbox_run run = {.argv = argv,
	    .readable = readable,
	    .env = env,
	    .no_files = start->no_files,
	    .dir = start->no_files ? "/" : NULL,
	    .workspace = ts->roots ? roots_workspace(ts->roots) : NULL,
	    .network = start->network,
	    .keep_free = true,
	    .quota = ts->roots && !start->no_files ? roots_quota(ts->roots) : 0,
	    .input = start->input,
	    .deadline_ms = start->deadline_ms,
	    .sink = take,
	    .sink_arg = &r};

	*out = (struct external_output){.out = BUF_INIT, .err = BUF_INIT, .status = -1};
	r.program = sandbox_start(t, ts->sandbox, &run, err);
	free(home);
	if (!r.program) {
		out->missing = err->kind == ERROR_OURS && err->code == ENOENT;
		return out->missing ? 0 : -1;
	}
	int rc = feed(t, &r, start->input, err);
	if (rc == 0)
		rc = finish(t, &r, err);
	sandboxed_free(t, r.program);
	return rc;
}

void external_output_clear(struct external_output *out)
{
	buf_clear(&out->out);
	buf_clear(&out->err);
}
