#include "playground/flow/flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "net/child/child.h"
#include "playground/flow/run.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/world/file.h"

#define WITHIN_MS 20000 /* time limit for an answer, unless the file sets one */

/* Checks that a step has the steps that it needs before it. */
static int check_order(const struct flow *f, struct error *err)
{
	const struct flow_verb *v = f->steps[f->count - 1].verb;
	bool chat = false, bot = false;

	for (size_t i = 0; i < f->count; i++) {
		const struct flow_verb *before = f->steps[i].verb;

		chat = chat || (before && before->shape == FLOW_CHAT);
		bot = bot || (before && strcmp(before->name, "bot") == 0);
	}
	if (v && v->in_chat && !chat)
		return error_set(err, ERROR_OURS, "say first where: chat PLATFORM KIND NAME");
	if (v && v->with_bot && !bot)
		return error_set(err, ERROR_OURS, "say first what the bot is: bot COMMAND");
	return 0;
}

static int read_line(struct flow *f, char *line, size_t number)
{
	struct error err = {0};
	struct flow_step *step;

	line += strspn(line, " \t");
	for (size_t len = strlen(line); len > 0 && strchr(" \t\r", line[len - 1]); len--)
		line[len - 1] = '\0';
	if (*line == '\0' || *line == '#')
		return 0;
	f->steps = xrealloc(f->steps, (f->count + 1) * sizeof(*f->steps));
	step = &f->steps[f->count++];
	*step = (struct flow_step){.line = number, .source = xstrdup(line)};
	if (flow_step_read(step, line, &err) == 0 && check_order(f, &err) == 0)
		return 0;
	fprintf(stderr, "%s:%zu: %s\n", f->path, number, err.text);
	return -1;
}

struct flow *flow_read(const char *path)
{
	struct flow *f = xcalloc(1, sizeof(*f));
	struct buf text = BUF_INIT;
	struct error err = {0};
	size_t number = 0;
	int bad = file_read(path, &text, &err);
	char *next = text.data;

	f->path = xstrdup(path);
	if (bad != 0)
		fprintf(stderr, "myna-playground: %s\n", err.text);
	for (char *line; bad != -2 && (line = strsep(&next, "\n"));)
		bad = read_line(f, line, ++number) != 0 ? -1 : bad;
	if (bad == 0 && f->count == 0)
		bad = fprintf(stderr, "%s: there is no step in it\n", path);
	buf_clear(&text);
	if (bad == 0)
		return f;
	flow_free(f);
	return NULL;
}

void flow_free(struct flow *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++)
		flow_step_clear(&f->steps[i]);
	free(f->steps);
	free(f->path);
	free(f);
}

/* A bot that has exited will not answer any more. */
static int check_bot(const struct flow_run *run, struct error *err)
{
	struct child_end end;

	if (!run->bot || !child_ended(run->bot, &end))
		return 0;
	return end.signal != 0 ?
	    error_set(err, ERROR_OURS, "the bot was ended by signal %d", end.signal) :
	    error_set(err, ERROR_OURS, "the bot has ended, with exit status %d", end.status);
}

int flow_await(struct task *t, struct flow_run *run,
    int (*look)(struct flow_run *run, const struct flow_step *step), const struct flow_step *step,
    struct error *err)
{
	uint64_t due = clock_now() + run->within_ms;

	while (look(run, step) == 0) {
		if (clock_now() >= due)
			return 1;
		if (check_bot(run, err) != 0 || task_sleep(t, FLOW_POLL_MS, err) != 0)
			return -1;
	}
	return 0;
}

/* Returns the index of the step that failed, the count when none did. */
static size_t play_all(struct task *t, const struct flow *f, struct flow_run *run, struct buf *why)
{
	struct error err = {0};

	for (size_t i = 0; i < f->count; i++) {
		const struct flow_step *step = &f->steps[i];

		if ((step->verb ? step->verb->run : flow_call)(t, run, step, &err) == 0)
			continue;
		buf_addf(why, "%s: %s\n", step->name, err.text);
		flow_write_report(run, why);
		fprintf(stderr, "%s:%zu: %s", f->path, step->line, why->data);
		return i;
	}
	return f->count;
}

int flow_play(struct task *t, const struct flow *f, struct playground *pg, const char *url, struct buf *suite)
{
	struct flow_run run = {.pg = pg, .url = url, .within_ms = WITHIN_MS};
	struct buf why = BUF_INIT;
	size_t failed;

	list_init(&run.chats);
	failed = play_all(t, f, &run, &why);
	flow_write_suite(f, failed, why.data, suite);
	buf_clear(&why);
	flow_bot_stop(t, &run);
	list_each_entry(&run.chats, struct flow_chat, entry, link)
		free(entry);
	if (failed < f->count)
		return -1;
	printf("%s: ok, %zu step%s\n", f->path, f->count, f->count == 1 ? "" : "s");
	return 0;
}
