#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "tools/sandbox_bait.h"
#include "tools/sandbox_private.h"

#define CANARY_MS   20000
#define OUTPUT_MOST (32 * 1024)
/* Fewer acts than this are no proof: the program that answers is not ours, or was cut off. */
#define ACTS_LEAST 40

struct song {
	struct buf out;
};

static void hear(void *arg, enum child_stream stream, const char *data, size_t len)
{
	struct song *song = arg;

	if (stream == CHILD_STDOUT && song->out.len + len <= OUTPUT_MOST)
		buf_add(&song->out, data, len);
}

/* Runs the canary to its end; what it printed is in song. */
static int sing(struct task *t, const struct sandbox *s, enum sandbox_level level, const struct bait *b,
    struct song *song, struct error *err)
{
	char *helper = helper_path(SANDBOX_HELPER, err);
	char *dir, *facts[9] = {NULL};
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
	facts[8] = xasprintf("workspace=%s", s->folders[0].real);
	const char *const argv[] = {helper, "--canary", facts[0], facts[1], facts[2], facts[3], facts[4],
	    facts[5], facts[6], facts[7], facts[8], NULL};
	const char *const readable[] = {dir, NULL};
	const struct sandbox_run run = {
	    .argv = argv, .readable = readable, .deadline_ms = CANARY_MS, .sink = hear, .sink_arg = song};

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
	bool wanted, done; /* wanted: it must work */
	int level, error;
};

static bool read_line(const char *text, struct line *line)
{
	char level[4], verdict[8];

	if (sscanf(text, "%3s %39s %7s %d", level, line->name, verdict, &line->error) != 4)
		return false;
	line->wanted = strcmp(level, "+") == 0;
	line->level = line->wanted ? 0 : (int)strtol(level, NULL, 10);
	line->done = strcmp(verdict, "done") == 0;
	return line->done || strcmp(verdict, "denied") == 0;
}

/* As root on purpose, being root is no fault. */
static bool is_expected(const struct sandbox *s, const struct line *line)
{
	return strcmp(line->name, "be-root") == 0 && strcmp(s->run_as, "root") == 0;
}

static void judge_line(const struct sandbox *s, enum sandbox_level level, const struct line *line,
    struct buf *reason, struct buf *acts)
{
	bool counts = line->level <= (int)level && !is_expected(s, line);

	if (counts)
		buf_addf(acts, "%s %s %s\n",
		    line->wanted ? "+" : sandbox_level_name((enum sandbox_level)line->level), line->name,
		    line->done ? "done" : "refused");
	if (!counts || line->done == line->wanted)
		return;
	buf_addf(reason, "%s%s", reason->len > 0 ? ", " : "", line->name);
	if (line->wanted)
		buf_addf(reason, " does not work (%s)", strerror(line->error));
	else
		buf_addstr(reason, " is not refused");
}

/* What is wrong with what the canary said, into reason. */
static void judge(const struct sandbox *s, enum sandbox_level level, const struct song *song,
    struct buf *reason, struct buf *acts)
{
	int count = 0, end = -1;

	for (const char *at = song->out.data; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		struct line line;

		if (strncmp(at, "end ", 4) == 0)
			end = (int)strtol(at + 4, NULL, 10);
		else if (read_line(at, &line))
			judge_line(s, level, &line, reason, acts);
		else
			buf_addstr(reason, "the canary says what nobody understands");
		count++;
	}
	/* What comes after the end comes from something that lives on, and was judged with the rest. */
	if (end < ACTS_LEAST || count < end + 1)
		buf_addf(reason, "%sthe canary did not try everything", reason->len > 0 ? ", " : "");
}

static void look_at_bait(struct task *t, enum sandbox_level level, const struct bait *b, struct buf *reason)
{
	const char *files = level >= SANDBOX_S1 ? bait_touched_files(t, b, level >= SANDBOX_S2) : NULL;
	const char *network = level >= SANDBOX_S2 ? bait_touched_network(b) : NULL;

	if (files)
		buf_addf(reason, "%s%s", reason->len > 0 ? ", " : "", files);
	if (network)
		buf_addf(reason, "%s%s", reason->len > 0 ? ", " : "", network);
}

int sandbox_canary(
    struct task *t, const struct sandbox *s, enum sandbox_level level, struct buf *reason, struct buf *acts)
{
	struct buf faults = BUF_INIT;
	struct song song = {BUF_INIT};
	struct error err = {0};
	struct bait bait;
	int rc = bait_lay(t, &bait, &err);

	if (rc == 0)
		rc = sing(t, s, level, &bait, &song, &err);
	if (rc == 0) {
		judge(s, level, &song, &faults, acts);
		look_at_bait(t, level, &bait, &faults);
	} else {
		/* Of a program that did not start the reason alone: its name is ours. */
		const char *why = strstr(err.text, "\": ");
		buf_addstr(&faults, why ? why + 3 : err.text);
	}
	bait_clear(t, &bait);
	if (faults.len > 0)
		buf_addf(reason, "%s: %s", sandbox_level_name(level), faults.data);
	rc = faults.len > 0;
	buf_clear(&song.out);
	buf_clear(&faults);
	return task_check(t, NULL) < 0 ? -1 : rc;
}
