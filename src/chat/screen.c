#include "chat/screen.h"

#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/library.h"
#include "base/mem.h"
#include "base/task.h"
#include "chat/history.h"
#include "chat/text.h"

#define PROMPT      "> "
#define PROMPT_MORE "| "
#define TAB_STOP    8

/* Loaded by the first screen: a gateway needs none of it. */
#define EDIT_EACH(X)    \
	X(el_end)       \
	X(el_get)       \
	X(el_gets)      \
	X(el_init)      \
	X(el_insertstr) \
	X(el_resize)    \
	X(el_set)       \
	X(el_source)    \
	X(el_wline)     \
	X(history)      \
	X(history_end)  \
	X(history_init)

static struct {
#define EDIT_MEMBER(name) __typeof__(&name) name;
	EDIT_EACH(EDIT_MEMBER)
#undef EDIT_MEMBER
} edit;

static int load_editor(struct error *err)
{
	static const struct library_function functions[] = {
#define EDIT_FUNCTION(name) {#name, &edit.name},
	    EDIT_EACH(EDIT_FUNCTION)
#undef EDIT_FUNCTION
	};
	static const struct library library = {
	    "libedit.so.2", "the line editor's library", "libedit2", functions, ARRAY_LEN(functions)};

	return library_load(&library, err);
}

static struct chat_screen *screen_of(EditLine *el)
{
	struct chat_screen *s = NULL;

	edit.el_get(el, EL_CLIENTDATA, &s);
	return s;
}

static char *show_prompt(EditLine *el)
{
	return (char *)(uintptr_t)screen_of(el)->prompt;
}

static size_t terminal_size(bool rows)
{
	struct winsize size = {0};

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return rows ? 24 : 80;
	return rows ? size.ws_row : size.ws_col;
}

size_t chat_screen_width(const struct chat_screen *s)
{
	(void)s;
	return terminal_size(false);
}

/* Returns the width of a character at that column, as libedit shows it. */
static size_t columns_at(uint32_t c, size_t column)
{
	if (c == '\t')
		return TAB_STOP - column % TAB_STOP;
	return c < 0x20 || c == 0x7f ? 2 : chat_text_columns(c);
}

/* Returns how many rows the cursor is below the row of the prompt. */
static size_t rows_above_cursor(const struct chat_screen *s)
{
	const LineInfoW *line = edit.el_wline(s->el);
	size_t width = terminal_size(false), column = strlen(s->prompt), row = 0,
	       most = terminal_size(true) - 1;

	for (const wchar_t *c = line->buffer; c < line->cursor; c++) {
		size_t n = columns_at((uint32_t)*c, column);
		if (*c == '\n' || column + n > width) {
			row++;
			column = 0;
		}
		if (*c != '\n')
			column += n;
		if (column >= width) {
			row++;
			column = 0;
		}
	}
	return row < most ? row : most;
}

/* Erases the prompt and the live row, and puts the cursor where they began. */
static void hide(struct chat_screen *s)
{
	size_t up = s->editing ? rows_above_cursor(s) : 0;

	up += s->live.len > 0;
	fputc('\r', stdout);
	if (up > 0)
		fprintf(stdout, "\033[%zuA", up);
	fputs("\033[J", stdout);
}

static void show(struct chat_screen *s)
{
	if (s->live.len > 0)
		fprintf(stdout, "%s\n", s->live.data);
	fflush(stdout);
	if (s->editing)
		edit.el_set(s->el, EL_REFRESH);
}

static void insert_paste(struct chat_screen *s, struct buf *text)
{
	if (text->len == 0)
		return;
	hide(s);
	edit.el_insertstr(s->el, text->data);
	show(s);
}

/* Erases the live row before a line ends, as it would stay on the screen. */
static void drop_live(struct chat_screen *s)
{
	if (s->live.len == 0)
		return;
	hide(s);
	buf_reset(&s->live);
	fflush(stdout);
	edit.el_set(s->el, EL_REFRESH);
}

/* Gives libedit the next key, in the task of chat_screen_read: 1, 0 at the end. */
static int read_key(EditLine *el, wchar_t *key)
{
	struct chat_screen *s = screen_of(el);
	struct buf text = BUF_INIT;
	enum chat_key what;
	uint32_t cp;

	s->editing = true;
	while ((what = chat_input_next(&s->input, &cp, &text)) == CHAT_KEY_NONE || what == CHAT_KEY_PASTE) {
		if (what == CHAT_KEY_PASTE) {
			insert_paste(s, &text);
			buf_reset(&text);
		} else if (task_wait(s->task, NULL) < 0) {
			what = CHAT_KEY_END;
			break;
		}
	}
	if (what != CHAT_KEY_CHARACTER || cp == '\n' || cp == '\r')
		drop_live(s);
	s->editing = false;
	buf_clear(&text);
	if (what != CHAT_KEY_CHARACTER)
		return 0;
	*key = (wchar_t)cp;
	return 1;
}

static void remember(void *arg, const char *text)
{
	struct chat_screen *s = arg;
	HistEvent ev;

	edit.history(s->history, &ev, H_ENTER, text);
}

static void open_history(struct chat_screen *s)
{
	HistEvent ev;

	s->history = edit.history_init();
	edit.history(s->history, &ev, H_SETSIZE, CHAT_HISTORY_MAX);
	edit.history(s->history, &ev, H_SETUNIQUE, 1);
	edit.el_set(s->el, EL_HIST, edit.history, s->history);
	s->history_path = chat_history_path();
	if (s->history_path)
		chat_history_load(s->history_path, remember, s);
}

/* Between two lines, too, the terminal passes each key on: in canonical mode it would swallow Ctrl-D. */
static void pass_keys(struct chat_screen *s, bool on)
{
	edit.el_set(s->el, EL_SETTY, "-x", on ? "-icanon" : "+icanon", on ? "-echo" : "+echo", NULL);
}

int chat_screen_open(struct chat_screen *s, struct error *err)
{
	const char *no_colour = getenv("NO_COLOR");

	*s = (struct chat_screen){.prompt = PROMPT, .colour = !no_colour || *no_colour == '\0'};
	buf_init(&s->live);
	if (load_editor(err) != 0)
		return -1;
	if (chat_input_open(&s->input, STDIN_FILENO) < 0)
		return error_set(err, ERROR_OURS, "The terminal cannot be read.");
	s->el = edit.el_init("myna", stdin, stdout, stderr);
	if (!s->el) {
		chat_input_close(&s->input);
		return error_set(
		    err, ERROR_OURS, "The terminal \"%s\" is not known. Set TERM.", getenv("TERM"));
	}
	edit.el_set(s->el, EL_CLIENTDATA, s);
	edit.el_set(s->el, EL_SIGNAL, 0);
	pass_keys(s, true);
	edit.el_set(s->el, EL_EDITOR, "emacs");
	edit.el_set(s->el, EL_PROMPT, show_prompt);
	edit.el_set(s->el, EL_GETCFN, read_key);
	edit.el_set(s->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
	edit.el_source(s->el, NULL);
	open_history(s);
	fputs(CHAT_PASTE_ON, stdout);
	fflush(stdout);
	return 0;
}

void chat_screen_close(struct chat_screen *s)
{
	if (!s->el)
		return;
	/* Erases a prompt that may be shown. */
	fputs("\r\033[J" CHAT_PASTE_OFF, stdout);
	fflush(stdout);
	edit.el_end(s->el);
	edit.history_end(s->history);
	free(s->history_path);
	chat_input_close(&s->input);
	buf_clear(&s->live);
	s->el = NULL;
}

void chat_screen_print(struct chat_screen *s, const char *rows, const char *live)
{
	if (*rows == '\0' && strcmp(s->live.data, live) == 0)
		return;
	hide(s);
	fputs(rows, stdout);
	buf_reset(&s->live);
	buf_addstr(&s->live, live);
	show(s);
}

/* Returns one line as typed; NULL at the end. */
static const char *read_line(struct chat_screen *s)
{
	int len = 0;
	const char *line = edit.el_gets(s->el, &len);

	return line && len > 0 ? line : NULL;
}

static bool is_continued(struct buf *text)
{
	if (text->len > 0 && text->data[text->len - 1] == '\n')
		buf_truncate(text, text->len - 1);
	if (text->len == 0 || text->data[text->len - 1] != '\\')
		return false;
	buf_truncate(text, text->len - 1);
	buf_addch(text, '\n');
	return true;
}

static void keep(struct chat_screen *s, const char *text)
{
	if (text[strspn(text, " \t\n")] == '\0')
		return;
	remember(s, text);
	if (s->history_path)
		chat_history_add(s->history_path, text);
}

char *chat_screen_read(struct task *t, struct chat_screen *s)
{
	struct buf text = BUF_INIT;
	const char *line;

	s->task = s->input.reader = t;
	s->prompt = PROMPT;
	do {
		line = read_line(s);
		buf_addstr(&text, line ? line : "");
		s->prompt = PROMPT_MORE;
	} while (line && is_continued(&text));
	s->task = s->input.reader = NULL;
	if (!line) {
		buf_clear(&text);
		return NULL;
	}
	keep(s, text.data);
	return buf_take(&text);
}

bool chat_screen_drop(struct chat_screen *s)
{
	const LineInfoW *line = edit.el_wline(s->el);

	if (!s->editing || line->lastchar == line->buffer)
		return false;
	/* Keys that move to the end and delete all before it (em-kill-line). */
	chat_input_type(&s->input, "\005\025");
	return true;
}

void chat_screen_resized(struct chat_screen *s)
{
	edit.el_resize(s->el);
	if (s->editing)
		edit.el_set(s->el, EL_REFRESH);
}

void chat_screen_leave(struct chat_screen *s)
{
	fputs(CHAT_PASTE_OFF "\n", stdout);
	fflush(stdout);
	edit.el_set(s->el, EL_PREP_TERM, 0);
	pass_keys(s, false);
}

void chat_screen_return(struct chat_screen *s)
{
	pass_keys(s, true);
	edit.el_set(s->el, EL_PREP_TERM, 1);
	fputs(CHAT_PASTE_ON, stdout);
	buf_reset(&s->live);
	show(s);
}
