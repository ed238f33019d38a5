#include "flow/cli/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/text/utf8.h"

#define LOOK_MS       20
#define ARGUMENTS_MAX 8

struct command {
	char *argv[ARGUMENTS_MAX + 5];
	char *program, *conf, *state;
};

/* first: a word before those of ap; NULL: none. */
static void command_init(struct command *c, struct flow *f, const char *first, va_list ap)
{
	const char *build = getenv("MYNA_BUILD");
	size_t n = 0;

	c->program = xasprintf("%s/myna", build ? build : ".");
	c->conf = xasprintf("%s/myna.conf", f->dir);
	c->state = xasprintf("%s/home", f->dir);
	c->argv[n++] = c->program;
	c->argv[n++] = (char *)(uintptr_t) "-c";
	c->argv[n++] = c->conf;
	if (first)
		c->argv[n++] = (char *)(uintptr_t)first;
	while (n < ARGUMENTS_MAX + 4 && (c->argv[n] = va_arg(ap, char *)))
		n++;
	c->argv[n] = NULL;
}

static void command_clear(struct command *c)
{
	free(c->program);
	free(c->conf);
	free(c->state);
}

static void command_exec(const struct command *c, const char *env)
{
	setenv("TERM", "xterm", 1);
	setenv("XDG_STATE_HOME", c->state, 1);
	unsetenv("NO_COLOR");
	if (env)
		putenv((char *)(uintptr_t)env);
	execv(c->argv[0], c->argv);
	_exit(127);
}

static void start(struct terminal *term, struct flow *f, const char *env, struct command *c)
{
	struct winsize size = {.ws_row = TERMINAL_ROWS, .ws_col = TERMINAL_COLUMNS};

	*term = (struct terminal){.flow = f, .rows = 1};
	buf_init(&term->raw);
	buf_init(&term->escape);
	buf_init(&term->text);
	term->pid = forkpty(&term->fd, NULL, NULL, &size);
	assert_true(term->pid >= 0);
	if (term->pid == 0)
		command_exec(c, env);
	command_clear(c);
	fcntl(term->fd, F_SETFD, FD_CLOEXEC);
}

void terminal_open(struct terminal *term, struct flow *f, const char *env, ...)
{
	struct command c;
	va_list ap;

	va_start(ap, env);
	command_init(&c, f, "chat", ap);
	va_end(ap);
	start(term, f, env, &c);
}

void terminal_run(struct terminal *term, struct flow *f, const char *env, ...)
{
	struct command c;
	va_list ap;

	va_start(ap, env);
	command_init(&c, f, NULL, ap);
	va_end(ap);
	start(term, f, env, &c);
}

void terminal_type(struct terminal *term, const char *keys)
{
	assert_int_equal(write(term->fd, keys, strlen(keys)), (ssize_t)strlen(keys));
}

static void next_row(struct terminal *term)
{
	term->row++;
	assert_true(term->row < TERMINAL_ROWS_KEPT);
	if (term->row >= term->rows)
		term->rows = term->row + 1;
}

static void put(struct terminal *term, uint32_t cp)
{
	/* What fills a row waits at its end: the next character wraps (am and xenl of an xterm). */
	if (term->column == TERMINAL_COLUMNS) {
		next_row(term);
		term->column = 0;
	}
	uint32_t *row = term->cells[term->row];
	if (term->insert)
		memmove(&row[term->column + 1], &row[term->column],
		    (TERMINAL_COLUMNS - term->column - 1) * sizeof(*row));
	row[term->column++] = cp;
}

static void erase(struct terminal *term, size_t row, size_t from)
{
	memset(&term->cells[row][from], 0, (TERMINAL_COLUMNS - from) * sizeof(uint32_t));
}

static void erase_below(struct terminal *term)
{
	erase(term, term->row, term->column < TERMINAL_COLUMNS ? term->column : TERMINAL_COLUMNS - 1);
	for (size_t row = term->row + 1; row < term->rows; row++)
		erase(term, row, 0);
}

static void move_up(struct terminal *term, size_t n)
{
	size_t top = term->rows > TERMINAL_ROWS ? term->rows - TERMINAL_ROWS : 0;

	term->row = term->row > top + n ? term->row - n : top;
}

static void shift(struct terminal *term, size_t n, bool insert)
{
	uint32_t *row = term->cells[term->row];
	size_t rest = TERMINAL_COLUMNS - term->column;

	n = n < rest ? n : rest;
	if (insert) {
		memmove(&row[term->column + n], &row[term->column], (rest - n) * sizeof(*row));
		memset(&row[term->column], 0, n * sizeof(*row));
	} else {
		memmove(&row[term->column], &row[term->column + n], (rest - n) * sizeof(*row));
		memset(&row[TERMINAL_COLUMNS - n], 0, n * sizeof(*row));
	}
}

/* ESC [ arguments final. */
static void control(struct terminal *term, const char *arguments, char final)
{
	size_t n = strtoul(arguments, NULL, 10), one = n ? n : 1;

	switch (final) {
	case 'A':
		move_up(term, one);
		break;
	case 'B':
		term->row = term->row + one < term->rows ? term->row + one : term->rows - 1;
		break;
	case 'C':
		term->column =
		    term->column + one < TERMINAL_COLUMNS ? term->column + one : TERMINAL_COLUMNS - 1;
		break;
	case 'D':
		term->column = term->column > one ? term->column - one : 0;
		break;
	case 'G':
		term->column = one - 1;
		break;
	case 'J':
		erase_below(term);
		break;
	case 'K':
		erase(term, term->row, term->column);
		break;
	case 'P':
		shift(term, one, false);
		break;
	case '@':
		shift(term, one, true);
		break;
	case 'h':
	case 'l':
		if (n == 4)
			term->insert = final == 'h';
		break;
	case 'm':
		break;
	default:
		fail_msg("the terminal does not know ESC [ %s %c", arguments, final);
	}
}

static void take_escape(struct terminal *term, char c)
{
	char last;

	buf_addch(&term->escape, c);
	if (term->escape.len == 2 && c != '[') {
		/* Keypad modes, and the begin of nothing else. */
		assert_true(c == '=' || c == '>');
		buf_reset(&term->escape);
	} else if (term->escape.len > 2 && c >= 0x40 && c <= 0x7e) {
		last = c;
		buf_truncate(&term->escape, term->escape.len - 1);
		if (term->escape.data[2] != '?')
			control(term, term->escape.data + 2, last);
		buf_reset(&term->escape);
	}
}

static void take(struct terminal *term, uint32_t cp)
{
	if (term->escape.len > 0 || cp == '\033')
		take_escape(term, (char)cp);
	else if (cp == '\r')
		term->column = 0;
	else if (cp == '\n')
		next_row(term);
	else if (cp == '\b')
		term->column -= term->column > 0;
	else if (cp == '\t')
		term->column = (term->column / 8 + 1) * 8;
	else if (cp >= 0x20)
		put(term, cp);
	else
		assert_int_equal(cp, '\a');
}

bool terminal_look(struct terminal *term)
{
	struct pollfd p = {.fd = term->fd, .events = POLLIN};
	char data[16384];
	uint32_t cp;

	if (poll(&p, 1, LOOK_MS) == 0)
		return true;
	ssize_t n = read(term->fd, data, sizeof(data));
	if (n <= 0)
		return n < 0 && errno == EINTR;
	buf_add(&term->raw, data, (size_t)n);
	for (size_t bytes;
	     (bytes = utf8_decode(term->raw.data + term->taken, term->raw.len - term->taken, &cp)) > 0;
	     term->taken += bytes)
		take(term, cp);
	return true;
}

const char *terminal_text(struct terminal *term)
{
	buf_reset(&term->text);
	buf_addch(&term->text, '\n');
	for (size_t row = 0; row < term->rows; row++) {
		size_t len = TERMINAL_COLUMNS;
		while (len > 0 && (term->cells[row][len - 1] == 0 || term->cells[row][len - 1] == ' '))
			len--;
		for (size_t i = 0; i < len; i++)
			utf8_encode(&term->text, term->cells[row][i] ? term->cells[row][i] : ' ');
		buf_addch(&term->text, '\n');
	}
	return term->text.data;
}

size_t terminal_count(struct terminal *term, const char *text)
{
	const char *at = terminal_text(term);
	size_t n = 0;

	for (; (at = strstr(at, text)); at += strlen(text))
		n++;
	return n;
}

void terminal_await(struct terminal *term, const char *text, size_t times)
{
	uint64_t until = flow_deadline();

	while (terminal_count(term, text) < times) {
		if (!terminal_look(term) || flow_now_ms() > until) {
			char *log = flow_log(term->flow);
			size_t len = strlen(log);
			fprintf(stderr, "--- gateway log\n%s--- screen\n%s---\n",
			    len > 3000 ? log + len - 3000 : log, terminal_text(term));
			free(log);
			fail_msg("the terminal never showed \"%s\" %zu times", text, times);
		}
	}
}

int terminal_end(struct terminal *term)
{
	int status = 0;

	for (uint64_t until = flow_deadline(); waitpid(term->pid, &status, WNOHANG) == 0;) {
		terminal_look(term);
		if (flow_now_ms() > until) {
			fprintf(stderr, "--- screen\n%s---\n", terminal_text(term));
			kill(term->pid, SIGKILL);
			until += FLOW_WAIT_MS;
		}
	}
	while (terminal_look(term) && poll(&(struct pollfd){.fd = term->fd, .events = POLLIN}, 1, 0) > 0)
		;
	close(term->fd);
	buf_clear(&term->raw);
	buf_clear(&term->escape);
	buf_clear(&term->text);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static char *read_whole(const char *path)
{
	struct buf b = BUF_INIT;
	char chunk[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	assert_true(fd >= 0);
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(&b, chunk, (size_t)n);
	close(fd);
	return buf_take(&b);
}

static void redirect(const char *path, int flags, int to)
{
	int fd = open(path, flags, 0600);

	dup2(fd, to);
	close(fd);
}

static void write_whole(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

int terminal_pipe(struct flow *f, const char *input, char **out, char **err, ...)
{
	char *in_path = xasprintf("%s/chat.in", f->dir), *out_path = xasprintf("%s/chat.out", f->dir);
	char *err_path = xasprintf("%s/chat.err", f->dir);
	struct command c;
	va_list ap;
	int status;

	va_start(ap, err);
	command_init(&c, f, "chat", ap);
	va_end(ap);
	write_whole(in_path, input);
	pid_t pid = fork();
	if (pid == 0) {
		redirect(in_path, O_RDONLY, 0);
		redirect(out_path, O_WRONLY | O_CREAT | O_TRUNC, 1);
		redirect(err_path, O_WRONLY | O_CREAT | O_TRUNC, 2);
		command_exec(&c, NULL);
	}
	waitpid(pid, &status, 0);
	*out = read_whole(out_path);
	*err = read_whole(err_path);
	command_clear(&c);
	free(in_path);
	free(out_path);
	free(err_path);
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}
