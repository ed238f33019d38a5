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
struct letter {
	struct list link;
	uint64_t number;
	char *text;
};

struct talk {
	const struct chat *chat;
	struct chat_screen screen;
	struct chat_answer answer;
	struct chat_connection link;
	struct task_group tasks;
	struct task *reader, *sender;
	struct list letters;
	uint64_t answered;       /* our newest message that is answered */
	uint64_t interrupted_ms; /* the last Ctrl-C */
};

/* For signal handlers; NULL outside a conversation. */
static struct talk *current;

static bool is_busy(const struct talk *k)
{
	return k->answered < k->link.said || k->answer.typing || k->answer.growing;
}

static void on_message(void *arg, const struct chat_message *m)
{
	struct talk *k = arg;
	uint64_t number = chat_connection_number_of(&k->link, m->reply_to);

	/* Coalesced messages have one answer, which replies to the last. */
	if (number > k->answered)
		k->answered = number;
	chat_answer_message(&k->answer, m);
}

static void on_said(void *arg, const struct chat_user_message *said)
{
	struct talk *k = arg;

	chat_answer_user_message(&k->answer, said);
}

static void on_live(void *arg, bool typing, const char *preview, const char *reply_to)
{
	struct talk *k = arg;

	chat_answer_live(&k->answer, typing, preview, reply_to);
}

static void on_connection(void *arg, bool connected, const char *why)
{
	struct talk *k = arg;

	(void)why;
	chat_answer_note(&k->answer, "%s",
	    connected ? "(connected again)" :
			"(the gateway has gone; trying to reach it again, and keeping what you write)");
}

static void watch_task(struct task *t, void *arg)
{
	struct talk *k = arg;

	chat_connection_watch(t, &k->link);
}

static void letter_free(struct letter *letter)
{
	list_remove(&letter->link);
	free(letter->text);
	free(letter);
}

/* Sends one message at a time, to keep their order. */
static void send_task(struct task *t, void *arg)
{
	struct talk *k = arg;
	struct error err = {0};

	while (task_check(t, NULL) == 0) {
		struct list *first = list_first(&k->letters);
		if (!first) {
			task_wait(t, NULL);
			continue;
		}
		struct letter *letter = list_entry(first, struct letter, link);
		if (chat_connection_say(t, &k->link, letter->number, letter->text, &err) == 0) {
			letter_free(letter);
		} else if (task_check(t, NULL) == 0) {
			chat_answer_note(&k->answer, "(not taken: %s)", err.text);
			if (letter->number > k->answered)
				k->answered = letter->number;
			letter_free(letter);
		}
	}
}

static void say(struct talk *k, const char *text)
{
	struct letter *letter = xcalloc(1, sizeof(*letter));

	letter->number = chat_connection_number(&k->link);
	letter->text = xstrdup(text);
	list_append(&k->letters, &letter->link);
	task_wake(k->sender);
}

static void interrupt(struct talk *k)
{
	bool again = k->interrupted_ms > 0 && clock_now() < k->interrupted_ms + LEAVE_MS;

	k->interrupted_ms = clock_now();
	if (again && chat_screen_drop(&k->screen)) {
		k->interrupted_ms = 0; /* what was typed since is dropped; it does not leave */
	} else if (again) {
		task_cancel(k->reader);
	} else if (is_busy(k)) {
		say(k, "/stop");
		chat_answer_note(&k->answer, "(stopping; Ctrl-C again leaves)");
	} else if (!chat_screen_drop(&k->screen)) {
		chat_answer_note(&k->answer, "(Ctrl-C again, or Ctrl-D, leaves)");
	}
}

static void suspend(struct talk *k)
{
	chat_screen_leave(&k->screen);
	raise(SIGSTOP);
	chat_screen_return(&k->screen);
	chat_answer_refresh(&k->answer);
}

static void on_signal(int signo, void *arg)
{
	struct talk *k = current;

	(void)arg;
	if (!k)
		return;
	if (signo == SIGINT)
		interrupt(k);
	else if (signo == SIGTSTP)
		suspend(k);
	else if (signo == SIGWINCH)
		chat_screen_resized(&k->screen);
	else
		task_cancel(k->reader);
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

static void read_lines(struct task *t, struct talk *k)
{
	char *text;
	bool leave = false;

	while (!leave && (text = chat_screen_read(t, &k->screen))) {
		leave = is_farewell(text);
		k->interrupted_ms = 0;
		if (!leave && text[strspn(text, " \t\n")] != '\0')
			say(k, text);
		chat_answer_refresh(&k->answer);
		free(text);
	}
}

static void say_farewell(struct talk *k)
{
	k->answer.typing = false;
	if (!list_is_empty(&k->letters))
		chat_answer_note(&k->answer, "(what you wrote last was not taken: the gateway is not there)");
	else if (k->answered < k->link.said)
		chat_answer_note(&k->answer,
		    k->chat->inside ? "(the next 'myna chat' goes on with the answer)" :
				      "(the answer comes with the next 'myna chat')");
	chat_answer_refresh(&k->answer);
}

enum chat_outcome chat_interactive(struct task *t, const struct chat *chat)
{
	struct talk k = {.chat = chat, .reader = t};
	struct error err = {0};

	if (watch_signals(chat, &err) < 0 || chat_screen_open(&k.screen, &err) < 0) {
		fprintf(stderr, "myna: %s\n", err.text);
		return CHAT_FAILED;
	}
	chat_answer_init(&k.answer, &k.screen);
	chat_connection_init(&k.link, chat->socket, chat->name, chat->user);
	k.link.handler = (struct chat_handler){
	    .said = on_said, .message = on_message, .live = on_live, .connection = on_connection, .arg = &k};
	list_init(&k.letters);
	task_group_init(&k.tasks);
	current = &k;
	if (chat->notice)
		chat_answer_note(&k.answer, "%s", chat->notice);
	chat_answer_note(
	    &k.answer, "(write to the agent; /help lists commands, Ctrl-C stops an answer, Ctrl-D leaves)");
	task_start(&k.tasks, "watch", watch_task, &k);
	k.sender = task_start(&k.tasks, "send", send_task, &k);
	read_lines(t, &k);
	current = NULL;
	task_group_finish(t, &k.tasks);
	say_farewell(&k);
	list_each(&k.letters, it, tmp)
		letter_free(list_entry(it, struct letter, link));
	chat_answer_clear(&k.answer);
	chat_screen_close(&k.screen);
	chat_connection_clear(&k.link);
	return CHAT_DONE;
}
