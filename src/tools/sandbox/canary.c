#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "tools/sandbox/sandbox_internal.h"

#define CANARY_MS  20000
#define OUTPUT_MAX (32 * 1024)
/* Fewer acts than this prove nothing: the program is not ours, or was cut off. */
#define ACTS_MIN 40

struct canary_output {
	struct buf out;
};

static void collect_output(void *arg, enum child_stream stream, const char *data, size_t len)
{
	struct canary_output *output = arg;

	if (stream == CHILD_STDOUT && output->out.len + len <= OUTPUT_MAX)
		buf_add(&output->out, data, len);
}

/* Runs the canary to its end; its output is in output. */
static int run_canary(struct task *t, const struct sandbox *s, enum sandbox_level level,
    const struct canary_targets *b, struct canary_output *output, struct error *err)
{
	char *helper = helper_path(SANDBOX_HELPER, err);
	char *dir, *facts[11] = {NULL};
	struct sandbox_end end = {0};
	struct sandboxed *p;
	int rc = -1;

	if (!helper)
		return -1;
	dir = xstrndup(helper, (size_t)(strrchr(helper, '/') - helper));
	facts[0] = xasprintf("dir=%s", b->dir);
	facts[1] = xasprintf("secret=%s", b->secret);
	facts[2] = xasprintf("victim=%s", b->victim);
	facts[3] = xasprintf("listener=%s", b->listener);
	facts[4] = xasprintf("abstract=%s", b->abstract);
	facts[5] = xasprintf("tcp=%d", b->tcp_port);
	facts[6] = xasprintf("udp=%d", b->udp_port);
	facts[7] = xasprintf("pid=%d", (int)getpid());
	facts[8] = xasprintf("workspace=%s", b->own);
	facts[9] = xasprintf("datagram=%s", b->datagram);
	facts[10] = xasprintf("other=%s", b->other);
	const char *const argv[] = {helper, "--canary", facts[0], facts[1], facts[2], facts[3], facts[4],
	    facts[5], facts[6], facts[7], facts[8], facts[9], facts[10], NULL};
	const char *const readable[] = {dir, NULL};
	const struct sandbox_run run = {.argv = argv,
	    .workspace = b->own,
	    .readable = readable,
	    .deadline_ms = CANARY_MS,
	    .sink = collect_output,
	    .sink_arg = output};

	p = sandbox_start_at(s, level, &run, err);
	if (p)
		rc = sandboxed_wait(t, p, &end, err);
	if (rc == 0 && end.child.status != 0)
		rc = error_set(err, ERROR_OURS, "the canary ended with %d%s", end.child.status,
		    end.child.timed_out ? ", too late" : "");
	sandboxed_free(t, p);
	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		free(facts[i]);
	free(dir);
	free(helper);
	return rc;
}

struct line {
	char name[40];
	bool must_succeed, done; /* must_succeed: the act must succeed */
	int level, error;
};

static bool read_line(const char *text, struct line *line)
{
	char level[4], verdict[8];

	if (sscanf(text, "%3s %39s %7s %d", level, line->name, verdict, &line->error) != 4)
		return false;
	line->must_succeed = strcmp(level, "+") == 0;
	line->level = line->must_succeed ? 0 : (int)strtol(level, NULL, 10);
	line->done = strcmp(verdict, "done") == 0;
	return line->done || strcmp(verdict, "denied") == 0;
}

/* If we run commands as root on purpose, running as root is expected. */
static bool is_expected(const struct sandbox *s, const struct line *line)
{
	return strcmp(line->name, "be-root") == 0 && strcmp(s->run_as, "root") == 0;
}

static void check_line(const struct sandbox *s, enum sandbox_level level, const struct line *line,
    struct buf *reason, struct buf *acts)
{
	bool counts = line->level <= (int)level && !is_expected(s, line);

	if (counts)
		buf_addf(acts, "%s %s %s\n",
		    line->must_succeed ? "+" : sandbox_level_name((enum sandbox_level)line->level),
		    line->name, line->done ? "done" : "refused");
	if (!counts || line->done == line->must_succeed)
		return;
	buf_addf(reason, "%s%s", reason->len > 0 ? ", " : "", line->name);
	if (line->must_succeed)
		buf_addf(reason, " does not work (%s)", strerror(line->error));
	else
		buf_addstr(reason, " is not refused");
}

/* Writes what is wrong with the canary's output to reason. */
static void judge(const struct sandbox *s, enum sandbox_level level, const struct canary_output *output,
    struct buf *reason, struct buf *acts)
{
	int count = 0, end = -1;

	for (const char *at = output->out.data; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		struct line line;

		if (strncmp(at, "end ", 4) == 0)
			end = (int)strtol(at + 4, NULL, 10);
		else if (read_line(at, &line))
			check_line(s, level, &line, reason, acts);
		else
			buf_addstr(reason, "the canary printed an unknown line");
		count++;
	}
	/* Lines after the end come from a process that survived, which was judged with the rest. */
	if (end < ACTS_MIN || count < end + 1)
		buf_addf(reason, "%sthe canary did not try everything", reason->len > 0 ? ", " : "");
}

static void check_targets(
    struct task *t, enum sandbox_level level, const struct canary_targets *b, struct buf *reason)
{
	const char *touched[] = {
	    level >= SANDBOX_S1 ? canary_targets_touched_files(t, b, level >= SANDBOX_S2) : NULL,
	    level >= SANDBOX_S2 ? canary_targets_touched_network(b) : NULL,
	    level >= SANDBOX_S2 ? canary_targets_touched_process(b) : NULL,
	};

	for (size_t i = 0; i < ARRAY_LEN(touched); i++)
		if (touched[i])
			buf_addf(reason, "%s%s", reason->len > 0 ? ", " : "", touched[i]);
}

int sandbox_canary_run(
    struct task *t, const struct sandbox *s, enum sandbox_level level, struct buf *reason, struct buf *acts)
{
	struct buf faults = BUF_INIT;
	struct canary_output output = {BUF_INIT};
	struct error err = {0};
	struct canary_targets targets;
	int rc = canary_targets_create(t, &targets, s->folders[0].real, &err);

	if (rc == 0)
		rc = run_canary(t, s, level, &targets, &output, &err);
	if (rc == 0) {
		judge(s, level, &output, &faults, acts);
		check_targets(t, level, &targets, &faults);
	} else {
		/* If a program did not start, show only the reason: its name is ours. */
		const char *why = strstr(err.text, "\": ");
		buf_addstr(&faults, why ? why + 3 : err.text);
	}
	canary_targets_clear(t, &targets);
	if (faults.len > 0)
		buf_addf(reason, "%s: %s", sandbox_level_name(level), faults.data);
	rc = faults.len > 0;
	buf_clear(&output.out);
	buf_clear(&faults);
	return task_check(t, NULL) < 0 ? -1 : rc;
}
