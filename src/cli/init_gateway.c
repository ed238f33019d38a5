#include "cli/init_internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/invisible.h"
#include "base/text/utf8.h"
#include "bus/channel.h"
#include "cli/cli.h"

#define SELF       "/proc/self/exe"
#define INSTALLED  SYSCONFDIR "/myna/myna.conf"
#define UNIT       "myna"
#define LOOK_MS    200
#define ANSWER_MS  5000
#define LOG_BYTES  4096
#define LOG_LINES  10
#define NAME_BYTES 40

struct launch {
	const char *path;
	const struct init_form *form;
	bool service; /* of systemd; else our child */
	pid_t child;
	char *log;
	off_t log_from; /* what stands before is of an earlier run */
};

/* Runs a program to its end. Returns its exit status; -1: it could not be run. */
static int run_program(bool quiet, const char *const *argv)
{
	int status, null;
	pid_t pid = fork();

	if (pid == 0) {
		if (quiet && (null = open("/dev/null", O_RDWR)) >= 0) {
			dup2(null, STDOUT_FILENO);
			dup2(null, STDERR_FILENO);
		}
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define PROGRAM(quiet, ...) run_program(quiet, (const char *const[]){__VA_ARGS__, NULL})

bool init_belongs_to_service(const char *path)
{
	return geteuid() == 0 && strcmp(path, INSTALLED) == 0 && access("/run/systemd/system", F_OK) == 0 &&
	    PROGRAM(true, "systemctl", "cat", UNIT) == 0;
}

/* Runs in the child, which has no terminal and ends with its parent. */
static void become_gateway(const struct launch *l, int log, pid_t parent)
{
	int null = open("/dev/null", O_RDONLY);

	setsid();
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	dup2(null, STDIN_FILENO);
	dup2(log, STDOUT_FILENO);
	dup2(log, STDERR_FILENO);
	execl(SELF, "myna", "-c", l->path, "run", (char *)NULL);
	_exit(127);
}

/* Returns true, and reports it, if the state is in use. */
static bool runs_already(const char *path)
{
	struct buf why = BUF_INIT;
	int status = CLI_OK;
	struct json_object *o = cli_try(path, "GET", "/v1/status", NULL, ANSWER_MS, &status, &why);
	bool answers = o || status != CLI_NO_DAEMON;

	if (answers)
		fputs(
		    "myna: a gateway runs with this state already. Stop it, then start it again, for the new "
		    "configuration to take effect.\n",
		    stderr);
	json_object_put(o);
	buf_clear(&why);
	return answers;
}

static int start_child(struct launch *l)
{
	pid_t parent = getpid();
	int log;

	if (runs_already(l->path))
		return -1;
	l->log = init_beside(l->path, "log");
	log = open(l->log, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (log < 0) {
		fprintf(stderr, "myna: %s cannot be written: %s\n", l->log, strerror(errno));
		return -1;
	}
	l->log_from = lseek(log, 0, SEEK_END);
	fflush(NULL);
	l->child = fork();
	if (l->child == 0)
		become_gateway(l, log, parent);
	close(log);
	if (l->child > 0)
		return 0;
	fprintf(stderr, "myna: the gateway cannot be started: %s\n", strerror(errno));
	return -1;
}

static int start_service(void)
{
	if (PROGRAM(false, "systemctl", "enable", UNIT) == 0 &&
	    PROGRAM(false, "systemctl", "restart", UNIT) == 0)
		return 0;
	fputs("myna: systemd did not start the service. 'journalctl -u " UNIT "' says why.\n", stderr);
	return -1;
}

static void print_log_end(const struct launch *l)
{
	char text[LOG_BYTES + 1];
	int fd = open(l->log, O_RDONLY | O_CLOEXEC);
	off_t end = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0,
	      from = end - l->log_from > LOG_BYTES ? end - LOG_BYTES : l->log_from;
	ssize_t n = fd >= 0 ? pread(fd, text, LOG_BYTES, from) : 0;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	const char *at = text + strlen(text);
	for (int lines = 0; at > text && (at[-1] != '\n' || lines++ < LOG_LINES + (*at != '\0'));)
		at--;
	fputs(at, stderr);
}

/* Returns false, and reports it, once the gateway has ended. */
static bool runs(struct launch *l, bool answers)
{
	siginfo_t info = {0};

	if (l->service) {
		if (answers || PROGRAM(true, "systemctl", "is-failed", UNIT) != 0)
			return true;
		fputs("myna: the service has failed:\n", stderr);
		PROGRAM(false, "journalctl", "-u", UNIT, "-n", "10", "--no-pager", "-o", "cat");
		return false;
	}
	if (waitid(P_PID, (id_t)l->child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0)
		return true;
	init_on_stop(CLI_FAILED, 0, "\n");
	waitpid(l->child, NULL, 0);
	fprintf(stderr, "myna: the gateway has ended. The end of its log, %s:\n", l->log);
	print_log_end(l);
	return false;
}

/* Sends a request to the gateway. Sets *ended when it has ended, which is reported. Returns NULL without an
 * answer. */
static struct json_object *ask_gateway(
    struct launch *l, const char *method, const char *path, const struct buf *body, bool *ended)
{
	struct buf why = BUF_INIT;
	int status;
	struct json_object *o = cli_try(l->path, method, path, body, ANSWER_MS, &status, &why);

	/* What only reads is asked again. */
	if (!o && body && status == CLI_FAILED)
		printf("  %s\n", why.data);
	*ended = !runs(l, o || status != CLI_NO_DAEMON);
	buf_clear(&why);
	return o;
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = LOOK_MS * 1000000L}, NULL);
}

/* Prints what keeps channels from being ready. Returns whether there was anything. */
static bool print_troubles(struct json_object *status)
{
	struct json_object *channels = json_get_array(status, "channels");
	bool any = false;

	for (size_t i = 0; channels && i < json_object_array_length(channels); i++) {
		struct json_object *o = json_object_array_get_idx(channels, i);
		const char *is = json_get_str(o, "status"), *text = json_get_str(o, "text");
		if (strcmp(is, channel_status_name(CHANNEL_DEGRADED)) != 0 &&
		    strcmp(is, channel_status_name(CHANNEL_STOPPED)) != 0)
			continue;
		printf("  %s: %s, %s\n", json_get_str(o, "name"), is, text ? text : "");
		any = true;
	}
	return any;
}

static int await_ready(struct launch *l)
{
	bool reported = false, ready = false, ended;

	for (;; nap()) {
		struct json_object *status = ask_gateway(l, "GET", "/v1/status", NULL, &ended);
		ready = json_get_bool(status, "ready", false);
		reported = reported || (!ready && print_troubles(status));
		json_object_put(status);
		if (ready || ended)
			return ready ? 0 : -1;
	}
}

/* The channels that init makes have the names of their platforms. */
static const char *bot_of(const struct launch *l, const char *channel)
{
	const struct init_form *f = l->form;

	for (const struct init_question *q = f->questions; q < f->questions + f->count; q++)
		if (q->bot && strcmp(q->platform->type, channel) == 0)
			return q->bot;
	return "the bot";
}

/* Strangers choose their names. */
static void add_foreign(struct buf *out, const char *text)
{
	size_t len = utf8_cut(text, strlen(text), NAME_BYTES, UTF8_BYTES), n;
	uint32_t cp;

	for (size_t at = 0; at < len; at += n ? n : 1)
		if ((n = utf8_decode(text + at, len - at, &cp)) > 0 && cp >= ' ' && cp != 0x7f &&
		    !invisible(cp))
			utf8_encode(out, cp);
}

static void invite(const struct launch *l, struct json_object *channels)
{
	for (size_t i = 0; i < json_object_array_length(channels); i++) {
		const char *channel = json_object_get_string(json_object_array_get_idx(channels, i));
		printf("Write anything to %s in %c%s, as a direct message.\n", bot_of(l, channel),
		    toupper((unsigned char)*channel), channel + 1);
	}
	fflush(stdout);
}

/* Asks whether that is the person at the terminal, and has the gateway admit or refuse them. */
static void decide(struct launch *l, struct json_object *pairing, bool *ended)
{
	const char *name = json_get_str(pairing, "name"), *code = json_get_str(pairing, "code");
	struct buf who = BUF_INIT, body = BUF_INIT;

	add_foreign(&who, name ? name : "");
	if (who.len == 0)
		buf_addstr(&who, "Somebody");
	buf_addstr(&who, " (id ");
	add_foreign(&who, json_get_str(pairing, "id"));
	buf_addch(&who, ')');
	printf("%s wrote to %s, and got the code %s.\n", who.data,
	    bot_of(l, json_get_str(pairing, "channel")), code);
	bool yes = init_ask_yes("Is that you?");
	buf_addf(&body, "{\"code\":\"%s\",\"role\":\"%s\"}", code, yes ? "admin" : "none");
	struct json_object *done = ask_gateway(l, "POST", "/v1/pairings", &body, ended);
	if (done)
		printf("%s %s.\n", who.data, yes ? "is an admin now" : "was refused");
	json_object_put(done);
	buf_clear(&who);
	buf_clear(&body);
}

/* Waits until every channel has an admin. */
static int admit_people(struct launch *l)
{
	size_t invited = 0;
	bool ended, all = false;

	for (;; nap()) {
		struct json_object *o = ask_gateway(l, "GET", "/v1/pairings", NULL, &ended);
		struct json_object *missing = json_get_array(o, "no_admin"),
				   *list = json_get_array(o, "pairings");
		size_t count = missing ? json_object_array_length(missing) : invited;
		all = missing && count == 0;
		if (missing && count != invited)
			invite(l, missing);
		invited = count;
		for (size_t i = 0; missing && !ended && i < json_object_array_length(list); i++) {
			struct json_object *p = json_object_array_get_idx(list, i);
			if (!json_array_has(missing, json_get_str(p, "channel")))
				continue;
			decide(l, p, &ended);
			break; /* others may have become needless */
		}
		json_object_put(o);
		if (all || ended)
			return all ? 0 : -1;
	}
}

static void will_stop(const struct launch *l, bool people_missing)
{
	const char *missing = people_missing ?
	    "Nobody may talk to it yet: 'init --force' asks again, or put your "
	    "id into allow and admins there.\n" :
	    "";

	if (l->service)
		init_on_stop(CLI_OK, 0,
		    "\nThe configuration is %s. 'systemctl status " UNIT
		    "' tells whether the service runs.\n%s",
		    l->path, missing);
	else
		init_on_stop(l->child > 0 && !people_missing ? CLI_OK : CLI_FAILED, l->child,
		    "\n%sThe configuration is %s.\n%s'myna -c %s run' starts the gateway%s.\n",
		    l->child > 0 ? "The gateway has stopped. " : "", l->path, missing, l->path,
		    l->child > 0 ? " again" : "");
}

/* Returns enum cli_status. */
static int watch(struct launch *l)
{
	if (l->service) {
		puts("Myna runs as the service " UNIT ". 'journalctl -u " UNIT
		     "' shows its log; 'systemctl stop " UNIT "' and\n'systemctl start " UNIT
		     "' stop and start it. It starts with the system.");
		return CLI_OK;
	}
	printf("Myna runs now, as process %d. Its log is %s.\nCtrl-C stops it; 'myna -c %s run' starts it "
	       "again.\n",
	    (int)l->child, l->log, l->path);
	fflush(stdout);
	waitid(P_PID, (id_t)l->child, &(siginfo_t){0}, WEXITED | WNOWAIT);
	runs(l, false);
	return CLI_FAILED;
}

static int start(struct launch *l, bool people_missing)
{
	if ((l->service ? start_service() : start_child(l)) < 0)
		return CLI_FAILED;
	will_stop(l, people_missing);
	puts("The gateway starts ...");
	if (await_ready(l) < 0)
		return CLI_FAILED;
	if (people_missing && admit_people(l) < 0)
		return CLI_FAILED;
	will_stop(l, false);
	return watch(l);
}

/* Otherwise init has printed how to do that. */
static bool is_readable_for_group(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && (st.st_mode & S_IRGRP);
}

int init_gateway(const char *path, const struct init_form *f, bool people_missing)
{
	struct launch l = {.path = path, .form = f, .service = init_belongs_to_service(path)};
	char *owner = l.service ? NULL : cli_other_owner(f->state->answer);
	int status = CLI_OK;

	will_stop(&l, people_missing);
	if (l.service && !is_readable_for_group(path))
		puts("Then 'systemctl enable --now " UNIT "' starts the service.");
	else if (owner)
		printf("%s belongs to the user %s. Start the gateway as that user: 'myna -c %s run'.\n",
		    f->state->answer, owner, path);
	else if (people_missing || init_ask_yes("Start it now?"))
		status = start(&l, people_missing);
	else if (l.service)
		puts("'systemctl enable --now " UNIT "' starts it.");
	else
		printf("'myna -c %s run' starts it.\n", path);
	free(owner);
	free(l.log);
	return status;
}
