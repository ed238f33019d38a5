#include "cli/init_internal.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "bus/channel.h"

#define ANSWER_BYTES 4096

/* What the signal handler reads; changed only while the signals are blocked. */
static struct {
	char text[2048];
	size_t len;
	pid_t child;
	int status;
	bool muted;
	struct termios shown; /* the terminal before it was muted */
} stop;

static sigset_t stop_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	return set;
}

static void on_stop(int signo)
{
	(void)signo;
	if (stop.muted)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &stop.shown);
	if (stop.child > 0 && kill(stop.child, SIGTERM) == 0)
		waitpid(stop.child, NULL, 0);
	_exit(write(STDOUT_FILENO, stop.text, stop.len) < 0 ? 1 : stop.status);
}

void init_on_stop(int status, pid_t child, const char *fmt, ...)
{
	struct sigaction action = {.sa_handler = on_stop, .sa_mask = stop_signals()};
	sigset_t were;
	va_list ap;

	sigprocmask(SIG_BLOCK, &action.sa_mask, &were);
	va_start(ap, fmt);
	vsnprintf(stop.text, sizeof(stop.text), fmt, ap);
	va_end(ap);
	stop.len = strlen(stop.text);
	stop.status = status;
	stop.child = child;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	sigprocmask(SIG_SETMASK, &were, NULL);
}

static void set_echo(bool on)
{
	sigset_t set = stop_signals(), were;

	sigprocmask(SIG_BLOCK, &set, &were);
	if (!on && tcgetattr(STDIN_FILENO, &stop.shown) == 0) {
		struct termios mute = stop.shown;
		mute.c_lflag &= ~(tcflag_t)ECHO;
		stop.muted = tcsetattr(STDIN_FILENO, TCSADRAIN, &mute) == 0;
	} else if (on && stop.muted) {
		tcsetattr(STDIN_FILENO, TCSADRAIN, &stop.shown);
		stop.muted = false;
		putchar('\n');
	}
	sigprocmask(SIG_SETMASK, &were, NULL);
}

/* Reads a line from the terminal, without its newline and surrounding blanks; -1 at the end. Echo is switched
 * off before the question is printed. */
static int read_line(char line[ANSWER_BYTES], const char *question, bool hidden)
{
	if (hidden)
		set_echo(false);
	fputs(question, stdout);
	fflush(stdout);
	char *got = fgets(line, ANSWER_BYTES, stdin);
	if (hidden)
		set_echo(true);
	if (!got)
		return -1;
	size_t blanks = strspn(line, " \t"), len = strcspn(line + blanks, "\r\n");
	memmove(line, line + blanks, len);
	while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t'))
		len--;
	line[len] = '\0';
	return 0;
}

/* Returns the text of the default for the question; NULL: none to show. */
static const char *show_fallback(const struct init_question *q, const char *fallback)
{
	if (fallback && q->row && q->row->kind == CHANNEL_ASK_PEOPLE && !*fallback)
		return "found when you write to the bot";
	return !fallback || !*fallback ? NULL : q->secret ? "the same" : fallback;
}

int init_ask(struct init_question *q, const char *fallback)
{
	const char *shown = show_fallback(q, fallback);
	char *question =
	    xasprintf("%s%s%s%s: ", q->text, shown ? " [" : "", shown ? shown : "", shown ? "]" : "");
	char *keep = xstrdup(fallback), line[ANSWER_BYTES];
	struct error err = {0};
	int rc;

	while ((rc = read_line(line, question, q->secret)) == 0) {
		if (!*line && keep)
			str_copy(line, sizeof(line), keep);
		if (init_check(q, line, &err) == 0)
			break;
		printf("  %s.\n", err.text);
	}
	if (rc == 0) {
		if (q->answer)
			explicit_bzero(q->answer, strlen(q->answer));
		free(q->answer);
		q->answer = xstrdup(line);
	}
	explicit_bzero(line, sizeof(line));
	if (keep)
		explicit_bzero(keep, strlen(keep));
	free(keep);
	free(question);
	return rc;
}

bool init_ask_yes(const char *question)
{
	char line[ANSWER_BYTES], *whole = xasprintf("%s [Y/n] ", question);
	int rc;

	tcflush(STDIN_FILENO, TCIFLUSH);
	do
		rc = read_line(line, whole, false);
	while (rc == 0 && *line && !strchr("yYnN", *line));
	free(whole);
	if (rc < 0)
		raise(SIGINT);
	return rc == 0 && *line != 'n' && *line != 'N';
}
