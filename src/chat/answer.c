#include "chat/answer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "chat/connection.h"
#include "chat/screen.h"

#define TYPING      "\u2026"
#define REPEAT_MARK "\n\n(may be a repeat)"

void chat_answer_init(struct chat_answer *a, struct chat_screen *screen)
{
	*a = (struct chat_answer){.screen = screen};
	buf_init(&a->shown);
}

static void forget(struct chat_answer *a)
{
	if (a->growing)
		chat_text_clear(&a->text);
	a->growing = false;
	buf_reset(&a->shown);
	free(a->reply_to);
	a->reply_to = NULL;
}

void chat_answer_clear(struct chat_answer *a)
{
	forget(a);
	buf_clear(&a->shown);
}

static void add_live(const struct chat_answer *a, struct buf *out)
{
	bool colour = a->screen->colour;

	if (a->growing) {
		chat_text_unfinished(&a->text, out);
	} else if (a->typing) {
		if (colour)
			chat_text_sgr(out, CHAT_DIM);
		buf_addf(out, TYPING "%s", colour ? "\033[0m" : "");
	}
}

/* Prints finished rows, and below them the live row. */
static void print(struct chat_answer *a, const char *rows)
{
	struct buf live = BUF_INIT;

	add_live(a, &live);
	chat_screen_print(a->screen, rows, live.data);
	buf_clear(&live);
}

static void print_full(struct chat_answer *a)
{
	print(a, a->text.rows.data);
	buf_reset(&a->text.rows);
}

void chat_answer_refresh(struct chat_answer *a)
{
	print(a, "");
}

static void begin(struct chat_answer *a, const char *reply_to)
{
	a->growing = true;
	a->reply_to = xstrdup(reply_to);
	chat_text_init(&a->text, chat_screen_width(a->screen) - 1, a->screen->colour);
}

/* The answer is over, or continues with other text: what is shown stays. */
static void end(struct chat_answer *a)
{
	chat_text_end(&a->text);
	buf_addch(&a->text.rows, '\n');
	print_full(a);
	forget(a);
}

static bool starts_with(const char *text, const struct buf *beginning)
{
	return strncmp(text, beginning->data, beginning->len) == 0;
}

static bool is_same(const char *a, const char *b)
{
	return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

/* Appends what is new in a growing text. */
static void grow(struct chat_answer *a, const char *text, const char *reply_to)
{
	/* After a crash the answer is written again and is shorter at first. */
	if (a->growing && is_same(a->reply_to, reply_to) && strncmp(a->shown.data, text, strlen(text)) == 0)
		return;
	if (a->growing && (!is_same(a->reply_to, reply_to) || !starts_with(text, &a->shown)))
		end(a);
	if (!a->growing)
		begin(a, reply_to);
	chat_text_add(&a->text, text + a->shown.len, strlen(text + a->shown.len));
	buf_addstr(&a->shown, text + a->shown.len);
}

void chat_answer_live(struct chat_answer *a, bool typing, const char *preview, const char *reply_to)
{
	a->typing = typing;
	if (preview && *preview)
		grow(a, preview, reply_to);
	if (a->growing)
		print_full(a);
	else
		print(a, "");
}

/* Prints a complete text above the growing one. */
static void print_whole(struct chat_answer *a, const char *text, unsigned style)
{
	struct chat_text whole;
	struct buf rows = BUF_INIT;
	bool colour = a->screen->colour;

	chat_text_init(&whole, chat_screen_width(a->screen) - 1, colour && !style);
	chat_text_add(&whole, text, strlen(text));
	chat_text_end(&whole);
	if (colour && style)
		chat_text_sgr(&rows, style);
	buf_addf(&rows, "%s%s", whole.rows.data, colour && style ? "\033[0m" : "");
	print(a, rows.data);
	chat_text_clear(&whole);
	buf_clear(&rows);
}

void chat_answer_message(struct chat_answer *a, const struct chat_message *m)
{
	char *text = xasprintf("%s%s", m->text, m->repeat ? REPEAT_MARK : "");

	if (m->reply_to)
		a->typing = false;
	if (a->growing && is_same(a->reply_to, m->reply_to) && starts_with(text, &a->shown)) {
		grow(a, text, m->reply_to);
		end(a);
	} else {
		if (a->growing && is_same(a->reply_to, m->reply_to))
			end(a);
		char *block = xasprintf("%s\n\n", text);
		print_whole(a, block, 0);
		free(block);
	}
	free(text);
}

void chat_answer_user_message(struct chat_answer *a, const struct chat_user_message *m)
{
	char *text = xasprintf("(another terminal, %s) %s", m->user ? m->user : "somebody", m->text);

	print_whole(a, text, CHAT_DIM);
	free(text);
}

void chat_answer_note(struct chat_answer *a, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	print_whole(a, text.data, CHAT_DIM);
	buf_clear(&text);
}
