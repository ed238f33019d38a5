/*
 * Many people write at once. The bot is held with SIGSTOP while the messages are put in, and
 * the time runs from the SIGCONT, on the wall clock of the playground's records.
 */
#include <signal.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bench/bench_stage.h"

#define LOOK_MS 200
#define MOST_MS 60000

/* A bot that takes its turns, with a playground of its own. */
struct contestant {
	struct bench_options o;
	struct stage stage;
	struct samples rate, p50, p95, last, cpu;
	struct samples ratio; /* of Myna's rate to its own, just before */
};

/* Each chat has its answers of so many bursts, and none has another's. */
static void check_chats(struct stage *s, struct json_object *array, int64_t first, size_t bursts)
{
	size_t each = s->o->messages / s->o->chats * bursts;

	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *r = json_object_array_get_idx(array, i);

		if (json_get_int(r, "status", 0) != 200)
			bench_die("the platform refused a message: %s", json_object_get_string(r));
	}
	for (size_t i = 0; i < s->o->chats; i++) {
		size_t n = stage_answers(s, first + (int64_t)i);

		if (n != each)
			bench_die(
			    "chat %lld has %zu answers, not %zu", (long long)first + (long long)i, n, each);
	}
}

static void note(struct contestant *c, struct json_object *array, int64_t began_us, double cpu_ms)
{
	size_t n = json_object_array_length(array);
	struct samples ms = {0};

	for (size_t i = 0; i < n; i++) {
		struct json_object *r = json_object_array_get_idx(array, i);

		samples_add(&ms, (double)(json_get_int(r, "began_us", 0) - began_us) / 1e3);
	}
	samples_add(&c->p50, samples_at(&ms, 0.5));
	samples_add(&c->p95, samples_at(&ms, 0.95));
	samples_add(&c->last, samples_at(&ms, 1));
	samples_add(&c->rate, (double)n * 1e3 / samples_at(&ms, 1));
	samples_add(&c->cpu, cpu_ms / (double)n);
	samples_clear(&ms);
}

/* The same people write each time; with the first burst the bot meets them, and it does not count. */
static void burst(struct contestant *c, size_t before)
{
	struct stage *s = &c->stage;
	const struct bench_options *o = s->o;
	struct json_object *records, *array;
	int64_t began_us;
	double cpu;

	kill(s->bot, SIGSTOP);
	if (s->clock)
		stage_slow_down(s);
	stage_mark(s);
	for (size_t i = 0; i < o->messages; i++)
		stage_say(s, s->next_chat + (int64_t)(i % o->chats), o->text);
	cpu = bench_cpu_ms(s->bot);
	began_us = stage_now_us();
	kill(s->bot, SIGCONT);
	bench_sleep_ms(LOOK_MS);
	records = stage_await_sent(s, o->messages, LOOK_MS, o->under ? 10 * MOST_MS : MOST_MS);
	array = json_get_array(records, "requests");
	if (before > 0)
		note(c, array, began_us, bench_cpu_ms(s->bot) - cpu);
	check_chats(s, array, s->next_chat, before + 1);
	json_object_put(records);
}

/* Each before the next, in turns, so that what else the machine does disturbs all of them. */
static void run_round(struct contestant *all, size_t count, size_t before)
{
	for (size_t i = 0; i < count; i++) {
		burst(&all[i], before);
		if (count > 1)
			stage_await_quiet(&all[i].stage);
		if (i > 0 && before > 0)
			samples_add(
			    &all[i].ratio, all[0].rate.value[before - 1] / all[i].rate.value[before - 1]);
	}
}

static void report_one(const struct bench_options *o, const char *figure, struct samples *s)
{
	if (s->count > 0) {
		bench_figure(o, samples_at(s, 0.5), "%s", figure);
		bench_figure(o, samples_at(s, 0.25), "%s.q1", figure);
		bench_figure(o, samples_at(s, 0.75), "%s.q3", figure);
	}
	samples_clear(s);
}

/* The size of the last request to the model, of one for each message. */
static double asked_kib(struct contestant *c)
{
	struct json_object *record;
	struct buf text = BUF_INIT;
	size_t len;

	c->stage.asked = (int64_t)(c->o.messages * (c->o.runs + 1));
	record = stage_last_asked(&c->stage);
	if (json_object_array_length(json_get_array(record, "problems")) > 0)
		bench_die("the model finds fault with a request: %s",
		    json_object_get_string(json_get_array(record, "problems")));
	json_write(&text, json_get_object(record, "body"));
	len = text.len;
	buf_clear(&text);
	json_object_put(record);
	return (double)len / 1024;
}

static void report(struct contestant *c)
{
	report_one(&c->o, "rate", &c->rate);
	report_one(&c->o, "p50", &c->p50);
	report_one(&c->o, "p95", &c->p95);
	report_one(&c->o, "last", &c->last);
	report_one(&c->o, "cpu", &c->cpu);
	report_one(&c->o, "ratio", &c->ratio);
	bench_figure(&c->o, asked_kib(c), "asked_kib");
	bench_figure(&c->o, bench_memory_kib(c->stage.bot, "VmHWM") / 1024, "peak_mib");
}

static void start(struct contestant *c)
{
	stage_open(&c->stage, &c->o, false);
	stage_start(&c->stage);
}

/* For bots that ask as Myna does: what it asked in the beginning is in a file. */
static void lend_request(struct contestant *myna)
{
	char *path = xasprintf("%s/asked.json", myna->o.dir);
	struct json_object *record = stage_last_asked(&myna->stage);
	struct buf text = BUF_INIT;
	FILE *f = fopen(path, "we");

	json_write(&text, json_get_object(record, "body"));
	if (!f || fputs(text.data, f) == EOF || fclose(f) != 0)
		bench_die("cannot write %s", path);
	setenv("BOT_ASKED", path, 1);
	json_object_put(record);
	buf_clear(&text);
	free(path);
}

/* "NAME=COMMAND": its figures are NAME's, and its files in a folder of that name. */
static void add_peer(struct contestant *c, const struct bench_options *o, const char *peer)
{
	const char *command = strchr(peer, '=');

	if (!command)
		bench_die("--peer wants NAME=COMMAND, not %s", peer);
	c->o = *o;
	c->o.bot = command + 1;
	c->o.name = xasprintf("%s.%.*s", o->name, (int)(command - peer), peer);
	c->o.dir = xasprintf("%s/%.*s", o->dir, (int)(command - peer), peer);
}

static void run(const struct bench_options *o)
{
	struct contestant all[1 + BENCH_PEERS_MAX] = {{.o = *o}};
	size_t count = 1 + o->peer_count;

	start(&all[0]);
	if (count > 1)
		lend_request(&all[0]);
	for (size_t i = 1; i < count; i++) {
		add_peer(&all[i], o, o->peers[i - 1]);
		start(&all[i]);
	}
	for (size_t i = 0; i <= o->runs; i++)
		run_round(all, count, i);
	for (size_t i = 0; i < count; i++)
		report(&all[i]);
	for (size_t i = count; i-- > 0;)
		stage_close(&all[i].stage);
}

const struct measure measure_burst = {"burst", run};
