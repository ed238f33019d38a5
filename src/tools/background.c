#include "tools/background.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_cond.h"

/* Ended jobs whose output is kept. */
#define ENDED_JOBS_MAX 40
#define ID_PREFIX      "bg-"
#define ID_LETTERS     "0123456789abcdefghijkmnpqrstvwxyz"
/* Length of the part of an id that identifies the process. */
#define ID_MARK 5

struct background {
	struct list jobs; /* of struct background_job, oldest first */
	size_t ended;
	struct list places;
	struct task_group tasks;
	char mark[ID_MARK + 1];
	unsigned long last;
	bool closed;
};

struct background_job {
	struct list link;
	struct background *owner;
	struct background_slot place;
	char id[32];
	char *what, *person;
	struct background_work work;
	struct background_end end;
	struct output outputs[BACKGROUND_STREAMS];
	uint64_t began, ended;
	struct task *task; /* NULL once it has ended */
	bool killed;
	unsigned held;
	struct task_cond over;
};

struct background *background_new(void)
{
	struct background *b = xcalloc(1, sizeof(*b));

	list_init(&b->jobs);
	list_init(&b->places);
	task_group_init(&b->tasks);
	for (size_t i = 0; i < ID_MARK; i++)
		b->mark[i] = ID_LETTERS[clock_random_below(strlen(ID_LETTERS))];
	return b;
}

static void job_free(struct background_job *job)
{
	list_remove(&job->link);
	job->owner->ended--;
	for (size_t i = 0; i < BACKGROUND_STREAMS; i++)
		output_clear(&job->outputs[i]);
	free(job->what);
	free(job->person);
	task_cond_clear(&job->over);
	free(job);
}

void background_close(struct task *t, struct background *b)
{
	b->closed = true;
	task_group_finish(t, &b->tasks);
}

void background_free(struct task *t, struct background *b)
{
	if (!b)
		return;
	background_close(t, b);
	list_each(&b->jobs, it, tmp)
		job_free(list_entry(it, struct background_job, link));
	free(b);
}

/* Which limit leaves a chat without a slot. */
enum background_full {
	BACKGROUND_HAS_ROOM,
	BACKGROUND_CHAT_FULL,
	BACKGROUND_THREADS_FULL,
	BACKGROUND_ALL_FULL
};

/* The chat's own limit comes first. *max is set to the number of the limit. b may be NULL for no limit. */
static enum background_full is_full(const struct background *b, const struct address *chat,
    const struct background_limits *limits, size_t *max)
{
	size_t in_chat = 0, in_threads = 0, in_all = 0, half = (limits->in_all + 1) / 2;

	if (!b)
		return BACKGROUND_HAS_ROOM;
	list_each((struct list *)&b->places, it, tmp) {
		const struct address *other = &list_entry(it, struct background_slot, link)->chat;
		in_chat += address_equal(other, chat);
		in_threads +=
		    strcmp(other->channel, chat->channel) == 0 && strcmp(other->chat, chat->chat) == 0;
		in_all++;
	}
	*max = limits->in_chat;
	if (in_chat >= *max)
		return BACKGROUND_CHAT_FULL;
	/* Anyone can begin threads: those of one chat leave half to others. */
	*max = half > limits->in_chat ? half : limits->in_chat;
	if (*chat->thread && in_threads >= *max)
		return BACKGROUND_THREADS_FULL;
	*max = limits->in_all;
	return in_all >= *max ? BACKGROUND_ALL_FULL : BACKGROUND_HAS_ROOM;
}

bool background_slot_take(struct background *b, const struct address *chat,
    const struct background_limits *limits, struct background_slot *p)
{
	size_t max;

	list_init(&p->link);
	p->id = NULL;
	p->chat = *chat;
	if (is_full(b, chat, limits, &max) != BACKGROUND_HAS_ROOM)
		return false;
	if (b)
		list_append(&b->places, &p->link);
	return true;
}

size_t background_running(struct background *b, const char *channel)
{
	size_t count = 0;

	list_each(&b->places, it, tmp)
		count += strcmp(list_entry(it, struct background_slot, link)->chat.channel, channel) == 0;
	return count;
}

void background_slot_release(struct background_slot *p)
{
	list_remove(&p->link);
}

/* Forgets the oldest ended jobs that nobody holds. */
static void forget_old(struct background *b)
{
	list_each(&b->jobs, it, tmp) {
		struct background_job *job = list_entry(it, struct background_job, link);
		if (b->ended <= ENDED_JOBS_MAX)
			return;
		if (!job->task && job->held == 0)
			job_free(job);
	}
}

static void job_task(struct task *t, void *arg)
{
	struct background_job *job = arg;

	job->work.run(t, job, job->work.arg);
	job->work.free(job->work.arg);
	if (job->end.state == BACKGROUND_RUNNING)
		job->end.state = job->killed || task_is_cancelled(t) ? BACKGROUND_KILLED : BACKGROUND_FAILED;
	job->ended = clock_now();
	job->task = NULL;
	job->owner->ended++;
	background_slot_release(&job->place);
	task_cond_broadcast(&job->over);
	forget_old(job->owner);
}

struct background_job *background_start(struct background *b, const struct address *chat,
    const struct background_limits *limits, const struct background_work *work)
{
	struct background_job *job = xcalloc(1, sizeof(*job));

	if (b->closed || !background_slot_take(b, chat, limits, &job->place)) {
		work->free(work->arg);
		free(job);
		return NULL;
	}
	snprintf(job->id, sizeof(job->id), ID_PREFIX "%s-%lu", b->mark, ++b->last);
	job->place.id = job->id;
	job->owner = b;
	job->work = *work;
	job->what = xstrdup(work->what);
	job->person = xstrdup(work->person);
	job->began = clock_now();
	task_cond_init(&job->over);
	for (size_t i = 0; i < BACKGROUND_STREAMS; i++)
		output_init(&job->outputs[i], limits->output_bytes);
	list_append(&b->jobs, &job->link);
	job->task = task_start(&b->tasks, "background", job_task, job);
	return job;
}

void background_write(struct background_job *job, enum background_stream stream, const char *data, size_t len)
{
	output_add(&job->outputs[stream], data, len);
}

void background_finish(struct background_job *job, const struct background_end *end)
{
	job->end = *end;
}

struct background_job *background_find(struct background *b, const struct address *chat, const char *id)
{
	list_each(&b->jobs, it, tmp) {
		struct background_job *job = list_entry(it, struct background_job, link);
		if (strcmp(job->id, id) == 0 && address_equal(&job->place.chat, chat))
			return job;
	}
	return NULL;
}

bool background_was_interrupted(const struct background *b, const char *id)
{
	size_t before = strlen(ID_PREFIX);

	if (strncmp(id, ID_PREFIX, before) != 0 || strspn(id + before, ID_LETTERS) != ID_MARK ||
	    id[before + ID_MARK] != '-')
		return false;
	const char *number = id + before + ID_MARK + 1;
	return *number && number[strspn(number, "0123456789")] == '\0' &&
	    strncmp(id + before, b->mark, ID_MARK) != 0;
}

const char *background_id(const struct background_job *job)
{
	return job->id;
}

bool background_was_killed(const struct background_job *job)
{
	return job->killed;
}

const struct background_end *background_end(const struct background_job *job)
{
	return &job->end;
}

const struct output *background_output(const struct background_job *job, enum background_stream stream)
{
	return &job->outputs[stream];
}

uint64_t background_ms(const struct background_job *job)
{
	return (job->task ? clock_now() : job->ended) - job->began;
}

void background_list(const struct background *b, const struct address *chat, struct buf *out)
{
	size_t count = 0;

	list_each((struct list *)&b->places, it, tmp) {
		const struct background_slot *p = list_entry(it, struct background_slot, link);
		if (p->id && address_equal(&p->chat, chat))
			buf_addf(out, "%s%s", count++ > 0 ? ", " : "", p->id);
	}
	if (count == 0)
		buf_addstr(out, "none");
}

void background_describe_full(const struct background *b, const struct address *chat,
    const struct background_limits *limits, struct buf *out)
{
	size_t max = 0;

	switch (is_full(b, chat, limits, &max)) {
	case BACKGROUND_CHAT_FULL:
		buf_addf(out,
		    "%zu commands run already in this conversation (tools.commands_in_chat). Its background "
		    "tasks: ",
		    max);
		background_list(b, chat, out);
		buf_addstr(
		    out, ". Wait with task_output, end one with kill_shell, or try again in a moment.");
		break;
	case BACKGROUND_THREADS_FULL:
		buf_addf(out,
		    "%zu commands run already in the threads of this chat (%s). Try again in a moment.", max,
		    max > limits->in_chat ? "half of tools.commands_at_once" : "tools.commands_in_chat");
		break;
	case BACKGROUND_HAS_ROOM: /* a slot became free meanwhile, or the gateway stops */
		buf_addstr(out, "No more commands could run a moment ago. Try again.");
		break;
	case BACKGROUND_ALL_FULL:
		buf_addf(out,
		    "%zu commands run already in all chats (tools.commands_at_once). Try again in a moment.",
		    max);
		break;
	}
}

void background_hold(struct background_job *job)
{
	job->held++;
}

void background_release(struct background_job *job)
{
	job->held--;
	forget_old(job->owner);
}

int background_wait(struct task *t, struct background_job *job, uint64_t wait_ms, struct error *err)
{
	uint64_t due = clock_now() + wait_ms;
	int rc = 0;

	while (job->task && rc == 0)
		rc = task_cond_wait_until(t, &job->over, due, err);
	return rc < 0 ? -1 : !job->task;
}

void background_kill(struct background_job *job)
{
	job->killed = true;
	if (job->task)
		task_cancel(job->task);
}

static bool is_of(const struct background_job *job, const char *person)
{
	return !person || (job->person && strcmp(job->person, person) == 0);
}

/* Either chat is NULL, or channel. */
static size_t stop(struct background *b, const struct address *chat, const char *channel, const char *person)
{
	size_t count = 0;

	if (!b)
		return 0;
	list_each(&b->jobs, it, tmp) {
		struct background_job *job = list_entry(it, struct background_job, link);
		const struct address *where = &job->place.chat;
		if (!job->task || job->killed || !is_of(job, person) ||
		    (chat ? !address_equal(where, chat) : strcmp(where->channel, channel) != 0))
			continue;
		background_kill(job);
		count++;
	}
	return count;
}

size_t background_stop(struct background *b, const struct address *chat, const char *person)
{
	return stop(b, chat, NULL, person);
}

size_t background_stop_person(struct background *b, const char *channel, const char *person)
{
	return stop(b, NULL, channel, person);
}

void background_move(struct background *b, const struct address *before, const struct address *after)
{
	if (!b)
		return;
	list_each(&b->jobs, it, tmp) {
		struct address *chat = &list_entry(it, struct background_job, link)->place.chat;
		if (strcmp(chat->channel, before->channel) == 0 && strcmp(chat->chat, before->chat) == 0)
			memcpy(chat->chat, after->chat, sizeof(chat->chat));
	}
}
