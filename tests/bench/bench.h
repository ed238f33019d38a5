#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H
/* Shared by the benchmarks. A figure is a line "NAME<TAB>NUMBER" on stdout. A failed measurement ends the
 * program with a sentence and status 2. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define BENCH_PEERS_MAX 8

struct bench_options {
	const char *name;     /* prefix of the figures: "NAME.rate" */
	const char *dir;      /* working folder on the measured disk; emptied */
	const char *script;   /* the model's script */
	const char *bot;      /* a program with one argument instead of Myna; NULL: Myna */
	const char *platform; /* NULL: Telegram */
	const char *preload;  /* a library to preload into the bot; NULL: none */
	const char *text;     /* text of each message */
	const char *under;    /* a command that runs the bot, such as valgrind's; NULL: none */
	const char
	    *around; /* of the shell, before and after an idle time, with the bot's pid in $BOT; NULL: none */
	size_t chats, messages, runs;
	unsigned seconds, poll_s;
	bool everywhere;                    /* the bot is on all platforms */
	const char *peers[BENCH_PEERS_MAX]; /* bots beside the first, each NAME=COMMAND */
	size_t peer_count;
};

struct measure {
	const char *name;
	void (*run)(const struct bench_options *o);
};

extern const struct measure measure_acks, measure_burst, measure_disk, measure_first, measure_growth,
    measure_idle, measure_latency, measure_limits, measure_playground, measure_start, measure_streams;

__attribute__((format(printf, 1, 2), noreturn)) void bench_die(const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void bench_figure(
    const struct bench_options *o, double value, const char *fmt, ...);

double bench_now_ms(void); /* monotonic */
void bench_sleep_ms(double ms);
/* CPU time of all threads of a process. */
double bench_cpu_ms(pid_t pid);
/* Returns a line of /proc/PID/status in KiB, such as "VmRSS". */
double bench_memory_kib(pid_t pid, const char *name);
/* Context switches of all its threads so far: "voluntary_ctxt_switches" or "nonvoluntary_ctxt_switches". */
double bench_switches(pid_t pid, const char *kind);

/* Number of open descriptors. */
double bench_files(pid_t pid);

/* Listens on a free loopback port. */
int bench_listen(unsigned *port);

struct samples { /* zero-initialised */
	double *value;
	size_t count, room;
};

void samples_add(struct samples *s, double value);
/* Returns the quantile share (0 to 1); 0.5 is the median. There must be a sample. */
double samples_at(struct samples *s, double share);
void samples_clear(struct samples *s);

#endif
