#include "chat/interactive.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/task.h"
#include "chat/answer.h"
#include "chat/connection.h"
#include "chat/screen.h"
#include "net/loop.h"

/* A second Ctrl-C within this time quits. */
#define LEAVE_MS 2000

/* A message on its way to the gateway. */
struct pending_message {
	struct list link;
	uint64_t number;
	char *text;
};

struct conversation {
	const struct chat *chat;
	struct chat_screen screen;
	struct chat_answer answer;
	struct chat_connection link;
	struct task_group tasks;
	struct task *reader, *sender;
	struct list pending;
	uint64_t answered;       /* our newest message that is answered */
	uint64_t interrupted_ms; /* the last Ctrl-C */
};

/* For signal handlers; NULL outside a conversation. */
static struct conversation *current;

static bool is_busy(const struct conversation *c)
{
	return c->answered < c->link.message_count || c->answer.typing || c->answer.growing;
}

static void on_message(void *arg, const struct chat_message *m)
{
	struct conversation *c = arg;
	uint64_t number = chat_connection_number_of(&c->link, m->reply_to);

	/* Coalesced messages have one answer, which replies to the last. */
	if (number > c->answered)
		c->answered = number;
	chat_answer_message(&c->answer, m);
}

static void on_user_message(void *arg, const struct chat_user_message *m)
{
	struct conversation *c = arg;

	chat_answer_user_message(&c->answer, m);
}

static void on_live(void *arg, bool typing, const char *preview, const char *reply_to)
{
	struct conversation *c = arg;

	chat_answer_live(&c->answer, typing, preview, reply_to);
}

static void on_connection(void *arg, bool connected, const char *why)
{
	struct conversation *c = arg;

	(void)why;
	chat_answer_note(&c->answer, "%s",
	    connected ? "(connected again)" :
			"(the gateway has gone; trying to reach it again, and keeping what you write)");
}

static void watch_task(struct task *t, void *arg)
{
	struct conversation *c = arg;

	chat_connection_watch(t, &c->link);
}

static void pending_message_free(struct pending_message *message)
{
	list_remove(&message->link);
	free(message->text);
	free(message);
}

/* Sends one message at a time, to keep their order. */
static void send_task(struct task *t, void *arg)
{
	struct conversation *c = arg;
	struct error err = {0};

	while (task_check(t, NULL) == 0) {
		struct list *first = list_first(&c->pending);
		if (!first) {
			task_wait(t, NULL);
			continue;
		}
		struct pending_message *message = list_entry(first, struct pending_message, link);
		if (chat_connection_say(t, &c->link, message->number, message->text, &err) == 0) {
			pending_message_free(message);
		} else if (task_check(t, NULL) == 0) {
			chat_answer_note(&c->answer, "(not taken: %s)", err.text);
			if (message->number > c->answered)
				c->answered = message->number;
			pending_message_free(message);
		}
	}
}

static void say(struct conversation *c, const char *text)
{
	struct pending_message *message = xcalloc(1, sizeof(*message));

	message->number = chat_connection_number(&c->link);
	message->text = xstrdup(text);
	list_append(&c->pending, &message->link);
	task_wake(c->sender);
}

static void interrupt(struct conversation *c)
{
	bool again = c->interrupted_ms > 0 && clock_now() < c->interrupted_ms + LEAVE_MS;

	c->interrupted_ms = clock_now();
	if (again && chat_screen_drop(&c->screen)) {
		c->interrupted_ms = 0; /* what was typed since is dropped; it does not leave */
	} else if (again) {
		task_cancel(c->reader);
	} else if (is_busy(c)) {
		say(c, "/stop");
		chat_answer_note(&c->answer, "(stopping; Ctrl-C again leaves)");
	} else if (!chat_screen_drop(&c->screen)) {
		chat_answer_note(&c->answer, "(Ctrl-C again, or Ctrl-D, leaves)");
	}
}

static void suspend(struct conversation *c)
{
	chat_screen_leave(&c->screen);
	raise(SIGSTOP);
	chat_screen_return(&c->screen);
	chat_answer_refresh(&c->answer);
}

static void on_signal(int signo, void *arg)
{
	struct conversation *c = current;

	(void)arg;
	if (!c)
		return;
	if (signo == SIGINT)
		interrupt(c);
	else if (signo == SIGTSTP)
		suspend(c);
	else if (signo == SIGWINCH)
		chat_screen_resized(&c->screen);
	else
		task_cancel(c->reader);
}

static int watch_signals(const struct chat *chat, struct error *err)
{
	static const int signals[] = {SIGINT, SIGTSTP, SIGWINCH, SIGHUP, SIGTERM};

	/* With the gateway in this process, SIGTERM stops the gateway, which cancels this task. */
	for (size_t i = 0; i < ARRAY_LEN(signals) - chat->inside; i++)
		if (loop_on_signal(signals[i], on_signal, NULL, err) < 0)
			return -1;
	return 0;
}

static bool is_farewell(const char *text)
{
	return strcmp(text, "/quit") == 0 || strcmp(text, "/exit") == 0;
}

static void read_lines(struct task *t, struct conversation *c)
{
	char *text;
	bool leave = false;

	while (!leave && (text = chat_screen_read(t, &c->screen))) {
		leave = is_farewell(text);
		c->interrupted_ms = 0;
		if (!leave && text[strspn(text, " \t\n")] != '\0')
			say(c, text);
		chat_answer_refresh(&c->answer);
		free(text);
	}
}

static void say_farewell(struct conversation *c)
{
	c->answer.typing = false;
	if (!list_is_empty(&c->pending))
		chat_answer_note(&c->answer, "(what you wrote last was not taken: the gateway is not there)");
	else if (c->answered < c->link.message_count)
		chat_answer_note(&c->answer,
		    c->chat->inside ? "(the next 'myna chat' goes on with the answer)" :
				      "(the answer comes with the next 'myna chat')");
	chat_answer_refresh(&c->answer);
}

enum chat_outcome chat_interactive(struct task *t, const struct chat *chat)
{
	struct conversation c = {.chat = chat, .reader = t};
	struct error err = {0};

	if (watch_signals(chat, &err) < 0 || chat_screen_open(&c.screen, &err) < 0) {
		fprintf(stderr, "myna: %s\n", err.text);
		return CHAT_FAILED;
	}
	chat_answer_init(&c.answer, &c.screen);
	chat_connection_init(&c.link, chat->socket, chat->name, chat->user);
	c.link.handler = (struct chat_handler){.user_message = on_user_message,
	    .message = on_message,
	    .live = on_live,
	    .connection = on_connection,
	    .arg = &c};
	list_init(&c.pending);
	task_group_init(&c.tasks);
	current = &c;
	if (chat->notice)
		chat_answer_note(&c.answer, "%s", chat->notice);
	chat_answer_note(
	    &c.answer, "(write to the agent; /help lists commands, Ctrl-C stops an answer, Ctrl-D leaves)");
	task_start(&c.tasks, "watch", watch_task, &c);
	c.sender = task_start(&c.tasks, "send", send_task, &c);
	read_lines(t, &c);
	current = NULL;
	task_group_finish(t, &c.tasks);
	say_farewell(&c);
	list_each(&c.pending, it, tmp)
		pending_message_free(list_entry(it, struct pending_message, link));
	chat_answer_clear(&c.answer);
	chat_screen_close(&c.screen);
	chat_connection_clear(&c.link);
	return CHAT_DONE;
}
