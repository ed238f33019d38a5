#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/worker.h"
#include "chat/connection.h"
#include "chat/interactive.h"
#include "chat/text.h"

/* How long to wait for a gateway that does not answer. */
#define GONE_MS      30000
#define LINE_LEN_MAX (256 * 1024)

struct script {
	struct chat_connection link;
	struct task *task;
	uint64_t number; /* of the message to be answered */
	bool answered, failed;
	char open[16];    /* "approval" or "question": the agent waits for it; "waits": for a model; "" */
	uint64_t gone_ms; /* when the gateway stopped answering; 0: it answers */
	struct buf input;
	bool ended; /* stdin has ended */
};

/* stdin may be a file or a pipe, so a worker thread reads it. */
struct read_job {
	struct worker_job job;
	char data[16384];
	ssize_t len;
};

static void read_run(struct worker_job *job)
{
	struct read_job *r = (struct read_job *)job;

	r->len = read(STDIN_FILENO, r->data, sizeof(r->data));
}

static void read_free(struct worker_job *job)
{
	free(job);
}

static int read_more(struct task *t, struct script *s)
{
	struct read_job *r = xcalloc(1, sizeof(*r));

	r->job = (struct worker_job){.run = read_run, .free = read_free};
	if (worker_await(t, &r->job, NULL) < 0)
		return -1;
	if (r->len > 0)
		buf_add(&s->input, r->data, (size_t)r->len);
	else
		s->ended = true;
	free(r);
	return 0;
}

/* Returns the next message, malloc'd, NULL at the end: one line, or all of stdin. */
static char *next_message(struct task *t, struct script *s, bool one)
{
	char *end, *text;

	while (!(end = one ? NULL : memchr(s->input.data, '\n', s->input.len)) && !s->ended &&
	    s->input.len <= LINE_LEN_MAX)
		if (read_more(t, s) < 0)
			return NULL;
	if (!end && s->input.len == 0)
		return NULL;
	size_t len = end ? (size_t)(end - s->input.data) : s->input.len;
	text = xstrndup(s->input.data, len);
	buf_consume(&s->input, end ? len + 1 : len);
	return text;
}

static void print_plain(FILE *out, const char *text)
{
	struct buf plain = BUF_INIT;

	chat_text_plain(&plain, text, strlen(text));
	fprintf(out, "%s\n", plain.data);
	fflush(out);
	buf_clear(&plain);
}

static void on_message(void *arg, const struct chat_message *m)
{
	struct script *s = arg;
	uint64_t number = s->number > 0 ? chat_connection_number_of(&s->link, m->reply_to) : 0;
	const char *about = m->about ? m->about : "";

	if (number == 0 || number < s->number) {
		/* Of an earlier conversation, or from elsewhere: no answer to the question. */
		print_plain(stderr, m->text);
		return;
	}
	print_plain(strcmp(about, "waits") == 0 ? stderr : stdout, m->text);
	s->failed = strcmp(about, "failed") == 0;
	if (*about && !s->failed && strcmp(about, "notice") != 0)
		str_copy(s->open, sizeof(s->open), about);
	/* After an approval or a reply to a question, the message itself is still to be answered. */
	else if (strcmp(about, "notice") != 0)
		s->answered = number == s->number;
	task_wake(s->task);
}

static void on_connection(void *arg, bool connected, const char *why)
{
	struct script *s = arg;

	(void)why;
	s->gone_ms = connected ? 0 : clock_now();
	task_wake(s->task);
}

static void watch_task(struct task *t, void *arg)
{
	struct script *s = arg;

	chat_connection_watch(t, &s->link);
}

static enum chat_outcome await_answer(struct task *t, struct script *s)
{
	while (!s->answered && !*s->open) {
		uint64_t due = s->gone_ms ? s->gone_ms + GONE_MS : UINT64_MAX;
		int rc = task_wait_until(t, due, NULL);
		if (rc < 0 || (rc == 1 && s->gone_ms)) {
			fprintf(stderr, "myna: no answer came: %s. The next 'myna chat' shows it.\n",
			    rc < 0 ? "stopped" : "the gateway has gone");
			return CHAT_UNANSWERED;
		}
	}
	if (s->failed)
		return CHAT_FAILED;
	if (strcmp(s->open, "waits") != 0)
		return CHAT_DONE;
	fprintf(stderr, "myna: no model answers yet. The answer comes with the next 'myna chat'.\n");
	return CHAT_UNANSWERED;
}

/* What the agent asked for has no answer in the input. */
static enum chat_outcome left_open(const struct script *s)
{
	bool approval = strcmp(s->open, "approval") == 0;

	fprintf(stderr,
	    "myna: the agent waits for %s: give it in 'myna chat', or as the next line of the input.\n",
	    approval ? "approval (y or n)" : "a reply to its question");
	return CHAT_UNANSWERED;
}

static bool is_decision(const char *text)
{
	static const char *const words[] = {"y", "yes", "n", "no"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return strncmp(text, "/approve ", 9) == 0 || strncmp(text, "/reject ", 8) == 0 ||
	    strcmp(text, "/stop") == 0;
}

static enum chat_outcome ask(struct task *t, struct script *s, const char *text)
{
	struct error err = {0};

	if (text[strspn(text, " \t\r\n")] == '\0')
		return CHAT_DONE;
	if (strcmp(s->open, "approval") == 0 && !is_decision(text))
		return left_open(s);
	uint64_t number = chat_connection_number(&s->link);
	if (!*s->open)
		s->number = number;
	s->answered = false;
	s->open[0] = '\0';
	if (chat_connection_say(t, &s->link, number, text, &err) < 0) {
		fprintf(stderr, "myna: not taken: %s\n", err.text);
		return CHAT_FAILED;
	}
	return await_answer(t, s);
}

static enum chat_outcome ask_all(struct task *t, struct script *s, const struct chat *chat)
{
	enum chat_outcome status = CHAT_DONE;
	char *text;

	if (chat->text)
		status = ask(t, s, chat->text);
	while (!chat->text && status == CHAT_DONE && (text = next_message(t, s, chat->one))) {
		status = ask(t, s, text);
		free(text);
	}
	return status == CHAT_DONE && *s->open ? left_open(s) : status;
}

enum chat_outcome chat_script(struct task *t, const struct chat *chat)
{
	struct script s = {.task = t, .input = BUF_INIT};
	struct task_group tasks;

	chat_connection_init(&s.link, chat->socket, chat->name, chat->user);
	s.link.handler = (struct chat_handler){.message = on_message, .connection = on_connection, .arg = &s};
	task_group_init(&tasks);
	task_start(&tasks, "watch", watch_task, &s);
	enum chat_outcome status = ask_all(t, &s, chat);
	task_group_finish(t, &tasks);
	if (status != CHAT_UNANSWERED || *s.open)
		chat_connection_confirm(t, &s.link, NULL);
	chat_connection_clear(&s.link);
	buf_clear(&s.input);
	return status;
}
