#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H
/*
 * What the measurements share. A figure is a line "NAME<TAB>NUMBER" on stdout; whoever
 * runs the program collects them. What cannot be measured ends the program with a sentence
 * and status 2.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct bench_options {
	const char *name;     /* of the figures: "NAME.rate" */
	const char *dir;      /* on the disk to be measured; emptied */
	const char *script;   /* what the model says */
	const char *bot;      /* a program and one argument instead of Myna; NULL: Myna */
	const char *platform; /* where people talk; NULL: Telegram */
	const char *preload;  /* a library for the bot; NULL: none */
	const char *text;     /* what people say */
	size_t chats, messages, runs;
	unsigned seconds, poll_s;
	bool everywhere; /* the bot is on all platforms at once */
};

struct measure {
	const char *name;
	void (*run)(const struct bench_options *o);
};

extern const struct measure measure_acks, measure_burst, measure_disk, measure_first, measure_idle,
    measure_latency, measure_limits, measure_start, measure_streams;

__attribute__((format(printf, 1, 2), noreturn)) void bench_die(const char *fmt, ...);
__attribute__((format(printf, 3, 4))) void bench_figure(
    const struct bench_options *o, double value, const char *fmt, ...);

double bench_now_ms(void); /* monotonic */
void bench_sleep_ms(double ms);
/* Of a process: CPU time that all its threads used. */
double bench_cpu_ms(pid_t pid);
/* A line of /proc/PID/status in KiB, such as "VmRSS". */
double bench_memory_kib(pid_t pid, const char *name);
/* Context switches of all its threads so far: "voluntary_ctxt_switches" or "nonvoluntary_ctxt_switches". */
double bench_switches(pid_t pid, const char *kind);

/* Descriptors that it has open. */
double bench_files(pid_t pid);

/* Listens on loopback, at a port that is free. */
int bench_listen(unsigned *port);

struct samples { /* zeroed before first use */
	double *value;
	size_t count, room;
};

void samples_add(struct samples *s, double value);
/* The value that a share of them (0 to 1) does not exceed; 0.5 is the median. There must be one. */
double samples_at(struct samples *s, double share);
void samples_clear(struct samples *s);

#endif
