/*
 * Kills the gateway at every point where it matters, cuts its power, and looks at what the person, the
 * platform and the model see of it afterwards.
 *
 *   MYNA_BUILD=DIR tests/crash/crash     MYNA_KILL_POINTS (1000) kills and MYNA_POWER_CUTS (500) power cuts
 *   --scenario NAME                      only of this conversation
 *   --scenario NAME --point N --mode MODE [--cut SEED] [--again N]
 *                                        only this one; its folder is kept
 */
#include <getopt.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "crash/random.h"
#include "crash/run.h"
#include "crash/scenario.h"
#include "crash/world.h"

#define WORKERS       4
#define TEXT_MAX      600
#define SCENARIOS_MAX 24
/* While it recovers it comes past about so many points. */
#define AGAIN_POINTS 60

/* Ways to die, each a row in the report of each conversation. */
enum family { KILL_BEFORE, KILL_HALF, KILL_AFTER, KILL_TWICE, POWER_CUT, POWER_TORN, FAMILY_COUNT };

static const char *const family_names[FAMILY_COUNT] = {
    [KILL_BEFORE] = "killed before a call",
    [KILL_HALF] = "killed in the middle of a call",
    [KILL_AFTER] = "killed after a call",
    [KILL_TWICE] = "killed again while it recovers",
    [POWER_CUT] = "power cut",
    [POWER_TORN] = "power cut, unsynced writes survive in part",
};

static const char *const mode_names[] = SHIM_MODE_NAMES;

struct job {
	struct run_plan plan;
	enum family family;
};

/* What a worker found; in memory that all share. */
struct outcome {
	unsigned count[FINDING_COUNT];
	unsigned in_doubt, marked, held, starts;
	bool done, died;
	char text[TEXT_MAX];
};

struct points {
	uint64_t count;
	unsigned char *kinds;
};

static struct {
	struct job *jobs;
	size_t job_count;
	struct outcome *outcomes; /* shared */
	atomic_size_t *next;      /* shared */
	uint64_t seed;
	const struct scenario *only; /* NULL: all conversations */
} all;

static uint64_t size_from(const char *name, uint64_t fallback)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : fallback;
}

/* A point of a conversation. */
struct spot {
	size_t scenario;
	uint64_t point;
};

struct spots {
	struct spot *list;
	size_t count;
};

static void spots_add(struct spots *s, size_t scenario, uint64_t point)
{
	s->list = xrealloc(s->list, (s->count + 1) * sizeof(*s->list));
	s->list[s->count++] = (struct spot){scenario, point};
}

/* Sends and syncs are where responsibility passes; the writes between them, ten times as many, are much
 * alike. All conversations but the first two begin to count at their first send: before, every start is like
 * the other. */
static void sort_points(const struct points *points, struct spots *handovers, struct spots *writes)
{
	for (size_t t = 0; t < talk_count; t++) {
		bool counts = t < 2;
		if (all.only && all.only != &scenarios[t])
			continue;
		for (uint64_t i = 0; i < points[t].count; i++) {
			unsigned char kind = points[t].kinds[i];
			counts = counts || kind == SHIM_SEND;
			if (counts)
				spots_add(
				    kind == SHIM_SEND || kind == SHIM_SYNC ? handovers : writes, t, i + 1);
		}
		spots_add(handovers, t, points[t].count + 1); /* at rest */
	}
}

static void add_job(enum family family, const struct spot *at, uint64_t *seed)
{
	struct run_plan plan = {
	    .scenario = &scenarios[at->scenario], .point = at->point, .mode = (enum shim_mode)family};

	if (family > KILL_AFTER)
		plan.mode = (enum shim_mode)random_below(seed, ARRAY_LEN(mode_names));
	if (family == KILL_TWICE)
		plan.again = 1 + random_below(seed, AGAIN_POINTS);
	plan.cut = family == POWER_CUT || family == POWER_TORN;
	plan.seed = family == POWER_TORN ? random_next(seed) | 1 : 0;
	all.jobs = xrealloc(all.jobs, (all.job_count + 1) * sizeof(*all.jobs));
	all.jobs[all.job_count++] = (struct job){plan, family};
}

/* count jobs, half of them at handovers, spread evenly over the points. */
static void add_jobs(enum family family, uint64_t count, const struct spots kinds[2], uint64_t *seed)
{
	for (size_t k = 0; k < 2; k++) {
		uint64_t n = k == 0 ? (count + 1) / 2 : count / 2, shift = random_next(seed);
		for (uint64_t i = 0; i < n && kinds[k].count > 0; i++)
			add_job(
			    family, &kinds[k].list[(i * kinds[k].count / n + shift) % kinds[k].count], seed);
	}
}

static void plan_jobs(const struct points *points)
{
	uint64_t kills = size_from("MYNA_KILL_POINTS", 1000), cuts = size_from("MYNA_POWER_CUTS", 500);
	uint64_t seed = all.seed;
	struct spots kinds[2] = {0};

	sort_points(points, &kinds[0], &kinds[1]);
	printf(
	    "# %zu points where something is sent or synced, %zu others\n", kinds[0].count, kinds[1].count);
	for (enum family f = 0; f < FAMILY_COUNT; f++) {
		bool is_kill = f < POWER_CUT;
		uint64_t whole = is_kill ? kills : cuts,
			 parts = is_kill ? POWER_CUT : FAMILY_COUNT - POWER_CUT;
		uint64_t at = is_kill ? f : f - POWER_CUT;
		add_jobs(f, whole * (at + 1) / parts - whole * at / parts, kinds, &seed);
	}
	free(kinds[0].list);
	free(kinds[1].list);
}

static void take_findings(struct outcome *o, const struct run_result *r)
{
	for (size_t i = 0; i < FINDING_COUNT; i++)
		o->count[i] = r->findings.count[i];
	o->in_doubt = r->findings.in_doubt;
	o->marked = r->findings.marked;
	o->held = r->findings.held;
	o->starts = r->starts;
	o->died = r->died;
	o->done = true;
	str_copy(o->text, sizeof(o->text), r->findings.text.data);
}

/* Before anything is killed: without a crash nothing may be wrong either. */
static bool dry_runs(struct world *w, struct points *points)
{
	bool ok = true;

	for (size_t t = 0; t < talk_count; t++) {
		struct run_result r = {.findings = {.text = BUF_INIT}};
		if (all.only && all.only != &scenarios[t])
			continue;
		points[t].kinds = run_dry(w, &scenarios[t], &r, &points[t].count);
		printf("# %s: %llu points\n", scenarios[t].name, (unsigned long long)points[t].count);
		if (findings_any(&r.findings))
			printf("# without a crash: %s\n", r.findings.text.data);
		ok = ok && !findings_any(&r.findings);
		buf_clear(&r.findings.text);
	}
	return ok;
}

static void work(void)
{
	struct world w;
	size_t i;

	world_open(&w);
	run_template(&w);
	while ((i = atomic_fetch_add(all.next, 1)) < all.job_count) {
		struct run_result r = {.findings = {.text = BUF_INIT}};
		run_crash(&w, &all.jobs[i].plan, &r);
		take_findings(&all.outcomes[i], &r);
		buf_clear(&r.findings.text);
	}
	world_close(&w, false);
}

/* False when a worker could not do its work. */
static bool run_workers(void)
{
	pid_t workers[WORKERS];
	bool ok = true;

	fflush(stdout);
	for (size_t i = 0; i < WORKERS; i++) {
		workers[i] = fork();
		if (workers[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			work();
			exit(0);
		}
	}
	for (size_t i = 0; i < WORKERS; i++) {
		int status;
		waitpid(workers[i], &status, 0);
		ok = ok && status == 0;
	}
	return ok;
}

static bool is_bad(const struct outcome *o)
{
	for (size_t i = 0; i < FINDING_COUNT; i++)
		if (o->count[i] > 0)
			return true;
	return !o->done;
}

static void print_failure(const struct job *j, const struct outcome *o)
{
	char text[TEXT_MAX], *save, *line;

	str_copy(text, sizeof(text), o->text);
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		printf("#   %s\n", line);
	printf("#   again: tests/crash/crash --scenario '%s' --point %llu --mode %s", j->plan.scenario->name,
	    (unsigned long long)j->plan.point, mode_names[j->plan.mode]);
	if (j->plan.cut)
		printf(" --cut %llu", (unsigned long long)j->plan.seed);
	if (j->plan.again)
		printf(" --again %llu", (unsigned long long)j->plan.again);
	printf("\n");
}

/* One line for a conversation and a way to die, if it was tried: true if all went well. */
static bool report(size_t *number, const struct scenario *scenario, enum family family)
{
	size_t points = 0, bad = 0;

	for (size_t i = 0; i < all.job_count; i++) {
		if (all.jobs[i].plan.scenario != scenario || all.jobs[i].family != family)
			continue;
		points++;
		bad += is_bad(&all.outcomes[i]);
	}
	if (points == 0)
		return true;
	printf("%sok %zu - %s, %s: %zu points\n", bad ? "not " : "", ++*number, scenario->name,
	    family_names[family], points);
	for (size_t i = 0, shown = 0; i < all.job_count && shown < 5; i++) {
		if (all.jobs[i].plan.scenario != scenario || all.jobs[i].family != family ||
		    !is_bad(&all.outcomes[i]))
			continue;
		print_failure(&all.jobs[i], &all.outcomes[i]);
		shown++;
	}
	return bad == 0;
}

/* At how many points something was lost, doubled and so on. */
static void summarize(uint64_t ms)
{
	unsigned sum[FINDING_COUNT] = {0}, in_doubt = 0, marked = 0, held = 0, starts = 0, died = 0;

	for (size_t i = 0; i < all.job_count; i++) {
		for (size_t k = 0; k < FINDING_COUNT; k++)
			sum[k] += all.outcomes[i].count[k] > 0;
		in_doubt += all.outcomes[i].in_doubt;
		marked += all.outcomes[i].marked;
		held += all.outcomes[i].held;
		starts += all.outcomes[i].starts;
		died += all.outcomes[i].died;
	}
	printf("# summary: points %zu, died there %u", all.job_count, died);
	for (size_t k = 0; k < FINDING_COUNT; k++)
		printf(", %s %u", finding_names[k], sum[k]);
	printf(", sends cut off %u, marked repeats %u, held %u, starts %u, %.1f points/s, seed %llu\n",
	    in_doubt, marked, held, starts, (double)all.job_count * 1000 / (double)(ms + 1),
	    (unsigned long long)all.seed);
}

static bool report_all(bool dry, uint64_t ms)
{
	size_t number = 1, died = 0;
	bool ok = dry;

	printf("%sok %zu - every conversation, without a crash\n", dry ? "" : "not ", number);
	for (size_t t = 0; t < talk_count; t++)
		for (enum family f = 0; f < FAMILY_COUNT; f++)
			ok = report(&number, &scenarios[t], f) && ok;
	for (size_t i = 0; i < all.job_count; i++)
		died += all.outcomes[i].died;
	bool enough = died >= all.job_count * 8 / 10;
	printf("%sok %zu - the gateway died where it was to die\n", enough ? "" : "not ", ++number);
	printf("1..%zu\n", number);
	summarize(ms);
	return ok && enough;
}

static int campaign(struct world *w)
{
	struct points points[SCENARIOS_MAX] = {0};
	uint64_t began = world_now_ms();
	bool ok = dry_runs(w, points);

	plan_jobs(points);
	size_t size = all.job_count * sizeof(struct outcome) + sizeof(*all.next);
	all.outcomes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all.outcomes == MAP_FAILED)
		mem_exhausted(size);
	all.next = (atomic_size_t *)&all.outcomes[all.job_count];
	bool worked = run_workers();
	ok = report_all(ok, world_now_ms() - began) && worked;
	for (size_t t = 0; t < talk_count; t++)
		free(points[t].kinds);
	free(all.jobs);
	munmap(all.outcomes, size);
	return ok ? 0 : 1;
}

static const struct scenario *find_scenario(const char *name)
{
	for (size_t i = 0; i < talk_count; i++)
		if (strcmp(scenarios[i].name, name) == 0)
			return &scenarios[i];
	return NULL;
}

static int run_one(struct world *w, const struct run_plan *plan)
{
	struct run_result r = {.findings = {.text = BUF_INIT}};

	run_crash(w, plan, &r);
	bool bad = findings_any(&r.findings);
	printf("%s%s, %u marked repeats\n", r.findings.text.data,
	    r.died ? "died at the point" : "did not come to the point", r.findings.marked);
	printf("%sok 1 - %s, point %llu\n1..1\n", bad ? "not " : "", plan->scenario->name,
	    (unsigned long long)plan->point);
	buf_clear(&r.findings.text);
	return bad;
}

static bool read_plan(int argc, char **argv, struct run_plan *plan)
{
	static const struct option rows[] = {
	    {"scenario", required_argument, NULL, 't'},
	    {"point", required_argument, NULL, 'p'},
	    {"mode", required_argument, NULL, 'm'},
	    {"cut", required_argument, NULL, 'c'},
	    {"again", required_argument, NULL, 'a'},
	    {NULL, 0, NULL, 0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "", rows, NULL)) >= 0) {
		if (c == 't')
			plan->scenario = find_scenario(optarg);
		else if (c == 'p')
			plan->point = strtoull(optarg, NULL, 10);
		else if (c == 'a')
			plan->again = strtoull(optarg, NULL, 10);
		else if (c == 'c') {
			plan->cut = true;
			plan->seed = strtoull(optarg, NULL, 10);
		} else if (c == 'm') {
			while (plan->mode < SHIM_AFTER && strcmp(mode_names[plan->mode], optarg) != 0)
				plan->mode++;
		} else
			return false;
	}
	return optind == argc && (argc == 1 || plan->scenario);
}

int main(int argc, char **argv)
{
	struct run_plan plan = {0};
	struct world w;

	if (!read_plan(argc, argv, &plan)) {
		fputs(
		    "usage: crash [--scenario NAME [--point N --mode before|half|after [--cut SEED] [--again "
		    "N]]]\n",
		    stderr);
		return 64;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	all.only = plan.scenario;
	all.seed = size_from("MYNA_CRASH_SEED", (uint64_t)time(NULL));
	world_open(&w);
	run_template(&w);
	int rc = plan.point ? run_one(&w, &plan) : campaign(&w);
	world_close(&w, plan.point > 0);
	return rc;
}
