#include "tests/channels/channel_double.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/journal.h"

struct channel_double the_double;
static struct buf statuses = BUF_INIT, log_lines = BUF_INIT;

static void keep_line(const char *line, void *arg)
{
	(void)arg;
	buf_addstr(&log_lines, line);
	buf_addch(&log_lines, '\n');
}

void double_begin(const struct channel_ops *ops, const void *settings)
{
	the_double = (struct channel_double){.ch = {.ops = ops, .settings = settings}};
	str_copy(the_double.ch.name, sizeof(the_double.ch.name), "main");
	the_double.statuses = &statuses;
	the_double.log = &log_lines;
	log_setup(LOG_LEVEL_DEBUG, LOG_FORMAT_TEXT);
	log_capture(keep_line, NULL);
}

void double_end(void)
{
	log_capture(NULL, NULL);
	for (size_t i = 0; i < the_double.message_count; i++)
		message_free(the_double.messages[i]);
	free(the_double.cursor);
	free(the_double.menu);
	buf_clear(&statuses);
	buf_clear(&log_lines);
}

static char **cursor_of(const char *account, const char *name)
{
	if (strcmp(account, "telegram:999") != 0 ||
	    (strcmp(name, "offset") != 0 && strcmp(name, "commands") != 0))
		abort();
	return strcmp(name, "offset") == 0 ? &the_double.cursor : &the_double.menu;
}

int channel_received(struct task *t, struct channel *ch, struct message **messages, size_t count,
    const struct journal_cursor *cursor, struct error *err)
{
	int rc = task_yield(t, err); /* as a commit does */

	(void)ch;
	if (rc == 0 && the_double.failing > 0) {
		the_double.failing--;
		rc = error_set(err, ERROR_OURS, "the disk is full");
	}
	for (size_t i = 0; i < count; i++) {
		if (rc == 0 && the_double.message_count < DOUBLE_MESSAGES_MAX)
			the_double.messages[the_double.message_count++] = messages[i];
		else
			message_free(messages[i]);
		messages[i] = NULL;
	}
	if (rc == 0 && cursor) {
		char **kept = cursor_of(cursor->account, cursor->name);

		free(*kept);
		*kept = xstrdup(cursor->value);
	}
	the_double.commits += rc == 0;
	return rc;
}

int channel_read_cursor(struct task *t, struct channel *ch, const char *account, const char *name,
    char **value, struct error *err)
{
	(void)ch;
	if (task_yield(t, err) < 0)
		return -1;
	*value = xstrdup(*cursor_of(account, name));
	return 0;
}

int channel_moved(
    struct task *t, struct channel *ch, const char *old_chat, const char *new_chat, struct error *err)
{
	(void)ch;
	snprintf(the_double.moved, sizeof(the_double.moved), "%s %s", old_chat, new_chat);
	return task_yield(t, err);
}

void channel_set_status(struct channel *ch, enum channel_status status, const char *fmt, ...)
{
	va_list ap;

	ch->status = status;
	va_start(ap, fmt);
	buf_vaddf(&statuses, fmt, ap);
	va_end(ap);
	buf_addch(&statuses, '\n');
}

void double_send(struct task *t, const struct outbound *row)
{
	struct error why = {0};
	char *id = NULL;

	if (the_double.ch.ops->send(t, &the_double.ch, row, &id, &why) == 0) {
		the_double.sent++;
		str_copy(the_double.platform_id, sizeof(the_double.platform_id), id);
	} else {
		the_double.failed++;
		the_double.why = why;
	}
	free(id);
}

bool double_wait(struct task *t, bool (*done)(void *arg), void *arg, uint64_t ms)
{
	for (uint64_t end = clock_now() + ms; !done(arg);) {
		if (clock_now() >= end)
			return false;
		task_sleep(t, 5, NULL);
	}
	return true;
}

static bool has_status(void *arg)
{
	return the_double.ch.status == *(enum channel_status *)arg;
}

bool double_has_status(struct task *t, enum channel_status status, uint64_t ms)
{
	return double_wait(t, has_status, &status, ms);
}
