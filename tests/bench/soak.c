/*
 * One gateway under mixed traffic for long: many chats, tools, long answers, commands, a model that refuses,
 * and disconnects. Nothing may be lost or doubled, and memory and descriptors must stay level after the
 * warm-up.
 *
 *   MYNA_BUILD=DIR tests/bench/soak	100,000 messages, or as many as MYNA_SOAK_S seconds allow
 *
 * It prints TAP; figures stand in lines that begin with "#".
 */
#include <sys/stat.h>

#include "config.h"
#include "base/mem.h"
#include "bench/soak_talk.h"
#include "bench/bench_stage.h"

#define MESSAGES 100000
#define ROUND    200 /* messages at once, each in another chat */
/* What grows until caches are full has grown by this share of the run; levels are medians of a tenth of
 * it. */
#define WARM_UP 0.3
#define LEVEL   0.1
/* A shorter run cannot tell growth from warming up, and sees only whether a great deal is lost with each
 * message. */
#define LEVEL_ROUNDS 100

struct limit {
	const char *what, *unit;
	double growth; /* after the warm-up */
	double in_all; /* of a short run */
};

static const struct limit rss = {"RSS", " KiB", 1024, 64 * 1024};
static const struct limit files = {"descriptors", "", 16, 320};

struct trace {
	double *rss_kib, *files; /* after each round */
	size_t count;
};

static double level(const double *values, double from, double to, size_t count)
{
	struct samples s = {0};
	double median;

	for (size_t i = (size_t)(from * (double)count); i < (size_t)(to * (double)count); i++)
		samples_add(&s, values[i]);
	median = samples_at(&s, 0.5);
	samples_clear(&s);
	return median;
}

static bool say_level(const struct limit *limit, const double *values, size_t count, int number)
{
	double before, after;
	bool good;

	if (count < LEVEL_ROUNDS) {
		good = values[count - 1] < limit->in_all;
		printf("%s %d - %s at the end of a short run: %.0f%s\n", good ? "ok" : "not ok", number,
		    limit->what, values[count - 1], limit->unit);
		return good;
	}
	before = level(values, WARM_UP, WARM_UP + LEVEL, count);
	after = level(values, 1 - LEVEL, 1, count);
	good = after - before < limit->growth;
	printf("%s %d - %s after the warm-up: %.0f%s, at the end: %.0f%s\n", good ? "ok" : "not ok", number,
	    limit->what, before, limit->unit, after, limit->unit);
	return good;
}

static void write_file(const struct stage *s, const char *name, const char *text)
{
	char *path = xasprintf("%s/workspace/%s", s->o->dir, name);
	FILE *f = fopen(path, "we");

	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		bench_die("cannot write %s", path);
	free(path);
}

static void run(struct stage *s, struct talk *talk, struct trace *trace, double until)
{
	size_t rounds = MESSAGES / ROUND;

	trace->rss_kib = xcalloc(rounds, sizeof(*trace->rss_kib));
	trace->files = xcalloc(rounds, sizeof(*trace->files));
	while (trace->count < rounds && bench_now_ms() < until && talk_is_well(talk)) {
		size_t i = trace->count++;

		talk_round(talk, s, ROUND);
		trace->rss_kib[i] = bench_memory_kib(s->bot, "VmRSS");
		trace->files[i] = bench_files(s->bot);
		if (i % 25 == 24)
			printf("# %zu messages, RSS %.0f KiB, %.0f descriptors\n", (i + 1) * ROUND,
			    trace->rss_kib[i], trace->files[i]);
		fflush(stdout);
	}
}

int main(void)
{
	const char *build = getenv("MYNA_BUILD"), *seconds = getenv("MYNA_SOAK_S");
	char *dir = xasprintf("%s/soak", build ? build : ".");
	struct bench_options o = {
	    .name = "soak", .dir = dir, .script = SOURCE_DIR "/tests/bench/soak.json", .poll_s = 30};
	double began = bench_now_ms(), limit_s = seconds ? strtod(seconds, NULL) : 24 * 3600;
	struct trace trace = {0};
	struct talk talk = {0};
	struct stage s;
	bool good;

	stage_open(&s, &o, false);
	write_file(&s, "one.txt", "This is the first of the files.\n");
	stage_start(&s);
	puts("1..3");
	run(&s, &talk, &trace, began + limit_s * 1e3);
	good = talk_report(&talk, 1);
	printf("# %.0f messages/s\n", (double)(trace.count * ROUND) * 1e3 / (bench_now_ms() - began));
	good &= say_level(&rss, trace.rss_kib, trace.count, 2);
	good &= say_level(&files, trace.files, trace.count, 3);
	stage_close(&s);
	free(trace.rss_kib);
	free(trace.files);
	free(dir);
	return good ? 0 : 1;
}
