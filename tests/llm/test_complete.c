/* The policy of tries, waits and fallbacks, against providers that play scripts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <uv.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/metric.h"
#include "base/task.h"
#include "llm/llm_internal.h"
#include "llm/provider_alerts.h"

#define PROVIDERS 3
#define DAY_MS    (24 * 3600 * 1000)

/* What a provider does when it is asked. */
struct step {
	enum llm_error_class class; /* NONE: it answers */
	const char *text;           /* of the error */
	uint64_t retry_ms;
	uint64_t takes_ms;
	bool says;           /* something at once */
	int code;            /* of the error */
	int retry_helps;     /* the provider says of trying again */
	bool silent;         /* it answers without a word */
	int64_t read, wrote; /* tokens, as it says */
	bool begun;          /* it fails in the middle */
};

static struct {
	struct llm llm;
	struct llm_provider providers[PROVIDERS];
	struct llm_candidate order[PROVIDERS];
	struct llm_history history;
	struct llm_request req;
	struct step script[16];
	size_t steps;
	/* What happened. */
	struct buf asked; /* the providers' names, one letter each */
	uint64_t asked_at[16];
	struct buf tools; /* those of the last request */
	unsigned restarts, progress;
	struct llm_answer answer;
	struct error err;
	int rc;
	bool done;
	struct task *task;
	struct buf log;
	struct buf told;
} now;

static int play(struct task *t, const struct llm_provider *p, const struct llm_request *req,
    const struct llm_sink *sink, struct llm_answer *answer, struct error *err)
{
	size_t n = now.asked.len;
	const struct step *step = &now.script[n < now.steps ? n : now.steps - 1];

	assert_null(answer->message);
	assert_int_equal(answer->error_class, LLM_ERROR_NONE);
	assert_int_equal(err->kind, ERROR_NONE);
	assert_true(n < ARRAY_LEN(now.asked_at));
	now.asked_at[n] = clock_now();
	buf_addstr(&now.asked, p->name);
	buf_reset(&now.tools);
	for (size_t i = 0; i < req->tool_count; i++)
		buf_addf(&now.tools, "%s ", req->tools[i].name);
	if (step->says)
		sink->text(sink->arg, "Hm", 2);
	answer->usage = (struct llm_usage){.input_tokens = step->read, .output_tokens = step->wrote};
	answer->begun = step->begun;
	if (step->takes_ms > 0 && task_sleep(t, step->takes_ms, err) != 0) {
		answer->error_class = LLM_ERROR_CANCELLED;
		return -1;
	}
	if (step->class == LLM_ERROR_NONE) {
		answer->message = llm_message_new(LLM_ASSISTANT, step->silent ? " \n" : p->name);
		answer->usage.output_tokens += 3;
		return 0;
	}
	answer->error_class = step->class;
	error_set(err, ERROR_NETWORK, "%s", step->text ? step->text : "no");
	err->retry_ms = step->retry_ms;
	err->code = step->code;
	answer->retry_helps = step->retry_helps;
	return -1;
}

static const struct llm_ops scripted = {.complete = play};

static void note_restart(void *arg)
{
	(void)arg;
	now.restarts++;
}

static void note_slow(void *arg, const char *line)
{
	(void)arg;
	assert_true(*line != '\0');
	now.progress++;
}

static void note_line(const char *line, void *arg)
{
	(void)arg;
	buf_addf(&now.log, "%s\n", line);
}

static int set_up(void **state)
{
	static char names[PROVIDERS][2] = {"a", "b", "c"};

	(void)state;
	memset(&now, 0, sizeof(now));
	buf_init(&now.asked);
	buf_init(&now.tools);
	buf_init(&now.log);
	buf_init(&now.told);
	log_capture(note_line, NULL);
	for (size_t i = 0; i < PROVIDERS; i++) {
		now.providers[i] = (struct llm_provider){.name = names[i], .ops = &scripted};
		now.order[i].provider = &now.providers[i];
	}
	now.llm = (struct llm){
	    .providers = now.providers, .count = PROVIDERS, .order = now.order, .order_count = 1};
	outage_init(&now.llm.outage);
	llm_history_init(&now.history);
	llm_history_add(&now.history, llm_message_new(LLM_USER, "Hi"));
	now.req = (struct llm_request){.system = "", .history = &now.history};
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	outage_clear(&now.llm.outage);
	llm_history_clear(&now.history);
	llm_answer_clear(&now.answer);
	log_capture(NULL, NULL);
	buf_clear(&now.asked);
	buf_clear(&now.tools);
	buf_clear(&now.log);
	buf_clear(&now.told);
	return task_count() == 0 ? 0 : -1;
}

static void complete_task(struct task *t, void *arg)
{
	const struct llm_sink sink = {.restart = note_restart, .progress = note_slow};

	(void)arg;
	now.rc = llm_complete(t, &now.llm, &now.req, &sink, &now.answer, &now.err);
	now.done = true;
}

static void start(void)
{
	/* What the last one found out must not refuse this one. */
	outage_clear(&now.llm.outage);
	outage_init(&now.llm.outage);
	llm_answer_clear(&now.answer);
	buf_reset(&now.asked);
	now.done = false;
	now.task = task_start(NULL, "complete", complete_task, NULL);
	uv_run(uv_default_loop(), UV_RUN_NOWAIT);
}

static void finish(void)
{
	while (!now.done) {
		clock_advance(10);
		uv_run(uv_default_loop(), UV_RUN_NOWAIT);
	}
}

static void run(const struct step *script, size_t steps)
{
	memcpy(now.script, script, steps * sizeof(*script));
	now.steps = steps;
	start();
	finish();
}

#define RUN(...)                                            \
	do {                                                \
		const struct step steps_[] = {__VA_ARGS__}; \
		run(steps_, ARRAY_LEN(steps_));             \
	} while (0)
/* The same in a chat of its own. */
#define RUN_AS(chat, ...)                   \
	do {                                \
		now.req.session_key = chat; \
		RUN(__VA_ARGS__);           \
		now.req.session_key = NULL; \
	} while (0)
#define OK                              \
	{                               \
		.class = LLM_ERROR_NONE \
	}
#define NO(c)                          \
	{                              \
		.class = LLM_ERROR_##c \
	}

/* asked: the providers in the order in which they were asked. */
static void assert_answered(const char *asked)
{
	assert_string_equal(now.asked.data, asked);
	assert_int_equal(now.rc, 0);
	assert_non_null(now.answer.message);
	assert_int_equal(now.restarts, strlen(asked) - 1);
}

static void assert_failed(const char *asked, enum llm_error_class class)
{
	assert_string_equal(now.asked.data, asked);
	assert_int_equal(now.rc, -1);
	assert_null(now.answer.message);
	assert_int_equal(now.answer.error_class, class);
	assert_true(now.err.text[0] != '\0');
}

/* The wait before the nth try, with the 10 ms of the clock's steps. */
static void assert_waited(size_t n, uint64_t least, uint64_t most)
{
	uint64_t waited = now.asked_at[n] - now.asked_at[n - 1];

	if (waited < least || waited > most + 10)
		print_message("waited %u ms\n", (unsigned)waited);
	assert_true(waited >= least && waited <= most + 10);
}

static void what_passes_is_tried_three_times(void **state)
{
	(void)state;
	RUN(NO(TRANSIENT), NO(OVERLOADED), OK);
	assert_answered("aaa");
	RUN(NO(TRANSIENT));
	assert_failed("aaa", LLM_ERROR_TRANSIENT);
	RUN(NO(OVERLOADED));
	assert_failed("aaa", LLM_ERROR_OVERLOADED);
	RUN(NO(RATE_LIMIT));
	assert_failed("aaa", LLM_ERROR_RATE_LIMIT);
}

static void waits_double_and_an_overloaded_provider_gets_longer_ones(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		RUN(NO(TRANSIENT));
		assert_waited(1, 250, 500);
		assert_waited(2, 500, 1000);
		RUN(NO(OVERLOADED));
		assert_waited(1, 2000, 4000);
		assert_waited(2, 4000, 8000);
		RUN(NO(RATE_LIMIT));
		assert_waited(1, 2000, 4000);
	}
}

static void what_does_not_pass_is_not_tried_again(void **state)
{
	static const enum llm_error_class classes[] = {LLM_ERROR_BILLING, LLM_ERROR_AUTH, LLM_ERROR_OVERFLOW,
	    LLM_ERROR_BAD_HISTORY, LLM_ERROR_BAD_TOOLS, LLM_ERROR_REFUSAL, LLM_ERROR_FATAL};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
		RUN({.class = classes[i]});
		assert_failed("a", classes[i]);
	}
}

static void an_unusable_answer_is_asked_for_once_more_at_once(void **state)
{
	(void)state;
	RUN(NO(MODEL_OUTPUT), OK);
	assert_answered("aa");
	assert_waited(1, 0, 0);
	RUN(NO(MODEL_OUTPUT));
	assert_failed("aa", LLM_ERROR_MODEL_OUTPUT);
}

static void an_empty_answer_is_asked_for_once_more_and_then_taken(void **state)
{
	(void)state;
	RUN({.silent = true}, OK);
	assert_answered("aa");
	assert_string_equal(now.answer.message->text, "a");
	/* Both were paid. */
	assert_int_equal(now.answer.bill.sum.output_tokens, 6);
	RUN({.silent = true}, {.silent = true}, OK);
	assert_string_equal(now.asked.data, "aa");
	assert_int_equal(now.rc, 0);
	assert_string_equal(now.answer.message->text, " \n");
	/* What fails meanwhile is tried as ever, and the answer that comes then is taken. */
	RUN({.silent = true}, NO(TRANSIENT), {.silent = true}, OK);
	assert_string_equal(now.asked.data, "aaa");
	assert_int_equal(now.rc, 0);
}

static void what_a_provider_says_of_trying_again_counts_before_the_class(void **state)
{
	(void)state;
	RUN({.class = LLM_ERROR_OVERLOADED, .retry_helps = -1});
	assert_failed("a", LLM_ERROR_OVERLOADED);
	now.restarts = 0;
	RUN({.class = LLM_ERROR_FATAL, .retry_helps = 1}, {.class = LLM_ERROR_FATAL, .retry_helps = 1}, OK);
	assert_answered("aaa");
	assert_waited(1, 250, 500);
	RUN({.class = LLM_ERROR_FATAL, .retry_helps = 1});
	assert_failed("aaa", LLM_ERROR_FATAL);
	RUN({.class = LLM_ERROR_RATE_LIMIT, .retry_helps = 1, .retry_ms = 60000});
	assert_failed("a", LLM_ERROR_RATE_LIMIT);
	now.llm.order_count = 2;
	now.restarts = 0;
	fallback_end_cooldown(&now.order[0]);
	RUN({.class = LLM_ERROR_OVERLOADED, .retry_helps = -1}, OK);
	assert_answered("ab");
}

static void the_wait_that_a_provider_asks_for_is_the_least(void **state)
{
	(void)state;
	RUN({.class = LLM_ERROR_RATE_LIMIT, .retry_ms = 7000},
	    {.class = LLM_ERROR_OVERLOADED, .retry_ms = 20000}, OK);
	assert_answered("aaa");
	assert_waited(1, 7000, 8000);
	assert_waited(2, 20000, 21000);
}

static void too_long_a_wait_is_not_waited_for(void **state)
{
	(void)state;
	RUN({.class = LLM_ERROR_RATE_LIMIT, .retry_ms = 20001});
	assert_failed("a", LLM_ERROR_RATE_LIMIT);
	assert_int_equal(now.err.retry_ms, 20001);
}

static void nothing_is_tried_after_the_budget_of_time(void **state)
{
	(void)state;
	RUN({.class = LLM_ERROR_TRANSIENT, .takes_ms = 200 * 1000});
	assert_failed("aa", LLM_ERROR_TRANSIENT);
	fallback_end_cooldown(&now.order[0]);
	now.llm.order_count = 3;
	RUN({.class = LLM_ERROR_AUTH, .takes_ms = 301 * 1000});
	assert_failed("a", LLM_ERROR_AUTH);
}

static void who_was_chosen_is_asked_before_the_others(void **state)
{
	(void)state;
	now.llm.order_count = 2;
	now.req.provider = "c";
	RUN({.class = LLM_ERROR_AUTH}, {.class = LLM_ERROR_AUTH}, {.class = LLM_ERROR_AUTH});
	assert_failed("cab", LLM_ERROR_AUTH);
	for (size_t i = 0; i < PROVIDERS; i++)
		fallback_end_cooldown(&now.order[i]);
	now.req.provider = "b";
	RUN({.class = LLM_ERROR_AUTH}, {.class = LLM_ERROR_AUTH});
	assert_failed("ba", LLM_ERROR_AUTH);
	for (size_t i = 0; i < PROVIDERS; i++)
		fallback_end_cooldown(&now.order[i]);
	now.req.provider = "gone";
	RUN({.class = LLM_ERROR_AUTH}, {.class = LLM_ERROR_AUTH});
	assert_failed("ab", LLM_ERROR_AUTH);
}

static void without_a_model_it_fails_at_once(void **state)
{
	(void)state;
	now.llm.order_count = 0;
	RUN({.class = LLM_ERROR_AUTH});
	assert_failed("", LLM_ERROR_NO_MODEL);
}

static void a_failure_that_another_provider_may_not_have_goes_to_the_next(void **state)
{
	static const struct {
		enum llm_error_class class;
		const char *asked;
	} table[] = {
	    {LLM_ERROR_TRANSIENT, "aab"},
	    {LLM_ERROR_OVERLOADED, "aab"},
	    {LLM_ERROR_RATE_LIMIT, "aab"},
	    {LLM_ERROR_BILLING, "ab"},
	    {LLM_ERROR_AUTH, "ab"},
	    {LLM_ERROR_MODEL_OUTPUT, "aab"},
	    {LLM_ERROR_FATAL, "ab"},
	};

	(void)state;
	now.llm.order_count = 2;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct step steps[4];
		size_t tries = strlen(table[i].asked) - 1;
		for (size_t k = 0; k < tries; k++)
			steps[k] = (struct step){.class = table[i].class};
		steps[tries] = (struct step)OK;
		now.restarts = 0;
		fallback_end_cooldown(&now.order[0]);
		run(steps, tries + 1);
		assert_answered(table[i].asked);
		assert_string_equal(now.answer.message->text, "b");
	}
}

static void a_failure_that_is_the_requests_own_goes_to_nobody(void **state)
{
	static const enum llm_error_class classes[] = {
	    LLM_ERROR_OVERFLOW, LLM_ERROR_BAD_HISTORY, LLM_ERROR_BAD_TOOLS, LLM_ERROR_REFUSAL};

	(void)state;
	now.llm.order_count = 3;
	for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
		RUN({.class = classes[i]});
		assert_failed("a", classes[i]);
	}
}

static void all_tries_together_are_six(void **state)
{
	(void)state;
	now.llm.order_count = 3;
	RUN(NO(TRANSIENT));
	assert_failed("aabbcc", LLM_ERROR_TRANSIENT);
}

static void a_provider_that_failed_is_left_alone_for_a_while(void **state)
{
	(void)state;
	now.llm.order_count = 2;
	RUN(NO(AUTH), OK);
	assert_string_equal(now.asked.data, "ab");
	RUN(OK);
	assert_string_equal(now.asked.data, "b");
	clock_advance(59 * 60 * 1000);
	RUN(OK);
	assert_string_equal(now.asked.data, "b");
	clock_advance(60 * 1000);
	RUN(OK);
	assert_string_equal(now.asked.data, "a");
	/* At least as long as it asked for. */
	RUN({.class = LLM_ERROR_RATE_LIMIT, .retry_ms = 600 * 1000}, OK);
	assert_string_equal(now.asked.data, "ab");
	clock_advance(599 * 1000);
	RUN(OK);
	assert_string_equal(now.asked.data, "b");
	clock_advance(1000);
	RUN(OK);
	assert_string_equal(now.asked.data, "a");
}

/* Long before anybody wonders; only an answer that takes long itself delays it. */
static void the_switch_to_another_provider_is_quick(void **state)
{
	static const enum llm_error_class classes[] = {LLM_ERROR_TRANSIENT, LLM_ERROR_OVERLOADED,
	    LLM_ERROR_RATE_LIMIT, LLM_ERROR_MODEL_OUTPUT, LLM_ERROR_BILLING, LLM_ERROR_AUTH, LLM_ERROR_FATAL};

	(void)state;
	now.llm.order_count = 2;
	for (size_t i = 0; i < 10 * ARRAY_LEN(classes); i++) {
		const struct step steps[] = {
		    {.class = classes[i / 10], .takes_ms = 500}, {.class = classes[i / 10], .takes_ms = 500}};
		fallback_end_cooldown(&now.order[0]);
		fallback_end_cooldown(&now.order[1]);
		memcpy(now.script, steps, sizeof(steps));
		now.script[2] = (struct step)OK;
		now.steps = 3;
		uint64_t began = clock_now();
		start();
		while (!strchr(now.asked.data, 'b')) {
			clock_advance(10);
			uv_run(uv_default_loop(), UV_RUN_NOWAIT);
		}
		assert_true(clock_now() - began < 4000);
		finish();
	}
	/* One that holds the line is not asked again; nor is one that asks for patience. */
	fallback_end_cooldown(&now.order[0]);
	fallback_end_cooldown(&now.order[1]);
	RUN({.class = LLM_ERROR_TRANSIENT, .takes_ms = 90 * 1000}, OK);
	assert_string_equal(now.asked.data, "ab");
	fallback_end_cooldown(&now.order[0]);
	RUN({.class = LLM_ERROR_RATE_LIMIT, .retry_ms = 5000}, OK);
	assert_string_equal(now.asked.data, "ab");
	assert_waited(1, 0, 0);
}

/* The default fails in so many chats, and the fallback answers. */
static void fail_in_chats(int count)
{
	char key[16];

	for (int i = 0; i < count; i++) {
		snprintf(key, sizeof(key), "chat-%d", i);
		RUN_AS(key, NO(OVERLOADED), NO(OVERLOADED), OK);
	}
}

/* For how long the default is not asked after it failed so. */
static uint64_t left_alone(void)
{
	uint64_t since = clock_now();

	while (now.order[0].cooldown_until > clock_now())
		clock_advance(1000);
	return (clock_now() - since) / 1000;
}

static void who_fails_again_is_left_alone_for_longer(void **state)
{
	static const uint64_t seconds[] = {60, 120, 240, 480, 900, 900};

	(void)state;
	now.llm.order_count = 2;
	fail_in_chats(3);
	left_alone();
	for (size_t i = 0; i < ARRAY_LEN(seconds); i++) {
		/* One that was left alone is tried once. */
		RUN(NO(OVERLOADED), OK);
		assert_string_equal(now.asked.data, "ab");
		uint64_t alone = left_alone();
		assert_true(alone >= seconds[i] - 1 && alone <= seconds[i]);
	}
	/* Until it answers. */
	RUN(OK);
	assert_string_equal(now.asked.data, "a");
	fail_in_chats(3);
	assert_true(left_alone() <= 30);
}

static void a_failure_of_one_chat_leaves_the_provider_to_the_others(void **state)
{
	(void)state;
	now.llm.order_count = 2;
	for (int i = 0; i < 5; i++) {
		RUN_AS("poison", NO(OVERLOADED), NO(OVERLOADED), OK);
		/* It is left alone by that chat. */
		RUN_AS("poison", OK);
		assert_string_equal(now.asked.data, "b");
		clock_advance(31 * 1000);
	}
	assert_int_equal(now.order[0].cooldown_until, 0);
	RUN_AS("other", OK);
	assert_string_equal(now.asked.data, "a");
	/* Two fail, and an answer clears both: the next two are two again. */
	fail_in_chats(2);
	RUN_AS("other", OK);
	assert_string_equal(now.asked.data, "a");
	fail_in_chats(2);
	RUN_AS("other", OK);
	assert_string_equal(now.asked.data, "a");
	fail_in_chats(3);
	RUN_AS("other", OK);
	assert_string_equal(now.asked.data, "b");
}

static void one_request_at_a_time_tests_who_was_left_alone(void **state)
{
	(void)state;
	now.llm.order_count = 2;
	fail_in_chats(3);
	clock_advance(31 * 1000);
	now.order[0].trying = llm_requester("tester");
	RUN_AS("other", OK);
	assert_string_equal(now.asked.data, "b");
	now.order[0].trying = 0;
	RUN_AS("other", {.class = LLM_ERROR_OVERLOADED}, OK);
	assert_string_equal(now.asked.data, "ab");
	assert_int_equal(now.order[0].trying, 0);
	/* It is left alone again, by all. */
	RUN_AS("third", OK);
	assert_string_equal(now.asked.data, "b");
	clock_advance(61 * 1000);
	RUN_AS("third", OK);
	assert_string_equal(now.asked.data, "a");
	RUN_AS("other", OK);
	assert_string_equal(now.asked.data, "a");
}

/* All models rest when three chats have failed, or when one failure is about the account. */
static void an_outage_takes_several_chats(void **state)
{
	static const struct {
		struct error why;
		enum llm_error_class class;
		unsigned chats;
	} rows[] = {
	    {{.code = 500}, LLM_ERROR_OVERLOADED, 3},
	    {{.code = 0}, LLM_ERROR_TRANSIENT, 3},
	    {{.code = 429}, LLM_ERROR_RATE_LIMIT, 3},
	    {{.code = 429, .retry_ms = 2000}, LLM_ERROR_RATE_LIMIT, 1},
	    {{.code = 503, .retry_ms = 2000}, LLM_ERROR_OVERLOADED, 1},
	    {{.code = 402}, LLM_ERROR_BILLING, 1},
	};
	struct llm_outage o;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		outage_init(&o);
		for (uint64_t chat = 1; chat <= rows[i].chats; chat++) {
			assert_false(outage_is_on(&o));
			/* The same one again and again is one. */
			for (int k = 0; k < (rows[i].chats > 1 && chat == 1 ? 20 : 1); k++)
				outage_note(&o, NULL, chat, rows[i].class, &rows[i].why);
		}
		assert_true(outage_is_on(&o));
		outage_note(&o, NULL, 1, LLM_ERROR_NONE, &rows[i].why);
		assert_false(outage_is_on(&o));
		outage_clear(&o);
	}
}

static void a_bad_key_is_bad_for_all_who_use_it(void **state)
{
	char url[] = "https://api.example/v1";

	(void)state;
	now.llm.order_count = 3;
	for (size_t i = 0; i < PROVIDERS; i++) {
		now.providers[i].settings.base_url = url;
		now.providers[i].settings.key = i == 2 ? "sk-other" : "sk-same";
	}
	RUN(NO(BILLING), OK);
	assert_string_equal(now.asked.data, "ac");
	RUN(OK);
	assert_string_equal(now.asked.data, "c");
	/* One that is not let to this model may be let to the next. */
	for (size_t i = 0; i < PROVIDERS; i++)
		fallback_end_cooldown(&now.order[i]);
	RUN({.class = LLM_ERROR_AUTH, .code = 403}, OK);
	assert_string_equal(now.asked.data, "ab");
	/* What is no fault of the key is not. */
	fallback_end_cooldown(&now.order[0]);
	fallback_end_cooldown(&now.order[1]);
	RUN(NO(TRANSIENT), NO(TRANSIENT), OK);
	assert_string_equal(now.asked.data, "aab");
}

static void so_many_requests_a_minute_leave_and_no_more(void **state)
{
	struct llm_learned learned = {.no_reasoning = false};

	(void)state;
	llm_request_rate_init(&learned.request_rate, 3);
	now.providers[0].learned = &learned;
	uint64_t began = clock_now();
	for (int i = 0; i < 3; i++)
		RUN(OK);
	assert_true(clock_now() - began <= 100);
	RUN(OK);
	assert_answered("a");
	assert_true(now.asked_at[0] - began >= 60000 && now.asked_at[0] - began < 61000);
	assert_int_equal(now.progress, 1);
	/* Whoever is free is asked at once, and nobody cools down for it. */
	now.llm.order_count = 2;
	for (int i = 0; i < 2; i++)
		RUN(OK);
	assert_string_equal(now.asked.data, "a");
	RUN(OK);
	assert_string_equal(now.asked.data, "b");
	assert_int_equal(now.order[0].cooldown_until, 0);
	/* Longer than a turn may take is not waited for. */
	now.llm.order_count = 1;
	learned.request_rate.kinds[0].left = 0;
	learned.request_rate.kinds[0].until = clock_now() + 400 * 1000;
	RUN(OK);
	assert_failed("", LLM_ERROR_RATE_LIMIT);
	assert_true(now.err.retry_ms > 390 * 1000);
	llm_request_rate_clear(&learned.request_rate);
}

static void a_person_is_told_once_that_it_takes_long(void **state)
{
	(void)state;
	now.llm.order_count = 1;
	/* Slow, but in good order. */
	RUN({.class = LLM_ERROR_NONE, .takes_ms = 60000});
	assert_int_equal(now.progress, 0);
	RUN(NO(TRANSIENT), OK);
	assert_int_equal(now.progress, 0);
	RUN({.class = LLM_ERROR_TRANSIENT, .takes_ms = 9000},
	    {.class = LLM_ERROR_TRANSIENT, .takes_ms = 9000}, OK);
	assert_int_equal(now.progress, 1);
	/* Not in the middle of what it says. */
	now.progress = 0;
	RUN(NO(TRANSIENT), {.class = LLM_ERROR_NONE, .takes_ms = 20000, .says = true});
	assert_int_equal(now.progress, 0);
	RUN(NO(TRANSIENT), {.class = LLM_ERROR_NONE, .takes_ms = 20000});
	assert_int_equal(now.progress, 1);
}

static void what_was_done_is_counted(void **state)
{
	struct buf before = BUF_INIT, after = BUF_INIT;

	(void)state;
	counter_write(&before, &llm_failovers);
	now.llm.order_count = 2;
	RUN(NO(AUTH), OK);
	counter_write(&after, &llm_failovers);
	assert_string_not_equal(before.data, after.data);
	buf_reset(&after);
	counter_write(&after, &llm_cooldowns);
	assert_non_null(strstr(after.data, "myna_model_cooldowns_total{class=\"auth\"}"));
	assert_null(strstr(after.data, "{class=\"auth\"} 0"));
	buf_clear(&before);
	buf_clear(&after);
}

static void when_all_are_left_alone_the_default_is_asked(void **state)
{
	(void)state;
	now.llm.order_count = 2;
	RUN(NO(AUTH));
	assert_failed("ab", LLM_ERROR_AUTH);
	RUN(OK);
	assert_string_equal(now.asked.data, "a");
	/* The only one is asked always. */
	now.llm.order_count = 1;
	RUN(NO(AUTH));
	assert_failed("a", LLM_ERROR_AUTH);
	RUN(OK);
	assert_string_equal(now.asked.data, "a");
}

static void the_operator_hears_of_keys_and_money(void **state)
{
	(void)state;
	RUN({.class = LLM_ERROR_BILLING, .text = "main: answered 402: empty"});
	assert_non_null(strstr(now.log.data,
	    "error llm: needs the operator: class=billing main: "
	    "answered 402: empty"));
}

static void note_trouble(void *arg, const struct llm_provider *p, enum llm_alert trouble)
{
	(void)arg;
	buf_addf(&now.told, "%s:%s ", p->name, llm_alert_name(trouble));
}

static void what_only_the_operator_can_mend_is_told_once_a_day(void **state)
{
	struct llm_learned learned[PROVIDERS] = {0};

	(void)state;
	for (size_t i = 0; i < PROVIDERS; i++)
		now.providers[i].learned = &learned[i];
	llm_alert_listen(note_trouble, NULL);
	now.llm.order_count = 2;
	/* A day begins. */
	clock_advance(DAY_MS - (uint64_t)clock_wall() % DAY_MS);
	RUN({.class = LLM_ERROR_AUTH, .code = 401}, {.class = LLM_ERROR_FATAL, .code = 404});
	assert_string_equal(now.told.data, "a:key b:model ");
	assert_int_equal(llm_alert_of(&now.providers[0]), LLM_ALERT_KEY);
	clock_advance(2 * 3600 * 1000);
	RUN({.class = LLM_ERROR_AUTH, .code = 401}, OK);
	assert_string_equal(now.told.data, "a:key b:model ");
	assert_int_equal(llm_alert_of(&now.providers[1]), LLM_NO_ALERT);
	clock_advance(24 * 3600 * 1000);
	RUN({.class = LLM_ERROR_AUTH, .code = 403}, {.class = LLM_ERROR_BILLING, .code = 402});
	clock_advance(2 * 3600 * 1000);
	RUN({.class = LLM_ERROR_AUTH, .code = 401}, {.class = LLM_ERROR_FATAL, .code = 400});
	assert_string_equal(now.told.data, "a:key b:model a:access b:credit a:key ");
	llm_alert_listen(NULL, NULL);
	for (size_t i = 0; i < PROVIDERS; i++)
		now.providers[i].learned = NULL;
}

static const struct llm_tool tools[] = {
    {.name = "say", .summary = "Says.", .schema = "{}"},
    {.name = "web", .summary = "Searches.", .schema = "{}"},
    {.name = "web_search", .summary = "Searches.", .schema = "{}"},
};

#define BAD(name)                                                                            \
	{                                                                                    \
		.class = LLM_ERROR_BAD_TOOLS,                                                \
		.text = "main: answered 400: Invalid schema for function " name ": say 'no'" \
	}

static void a_tool_that_is_refused_by_name_is_left_out(void **state)
{
	(void)state;
	now.req.tools = tools;
	now.req.tool_count = ARRAY_LEN(tools);
	RUN(BAD("'web_search'"), OK);
	assert_answered("aa");
	assert_string_equal(now.tools.data, "say web ");
	assert_non_null(strstr(now.log.data, "refuses the tool web_search"));
	/* Not for ever: another provider, or a later version, may take it. */
	RUN(OK);
	assert_string_equal(now.tools.data, "say web web_search ");
	now.restarts = 0;
	RUN(BAD("'say' of 'web'"), OK);
	assert_string_equal(now.tools.data, "web web_search ");
	now.restarts = 0;
	RUN(BAD("\"web\""), BAD("`say`"), OK);
	assert_answered("aaa");
	assert_string_equal(now.tools.data, "web_search ");
}

static void a_refused_tool_that_is_not_named_stays(void **state)
{
	(void)state;
	now.req.tools = tools;
	now.req.tool_count = ARRAY_LEN(tools);
	RUN(BAD("web"));
	assert_failed("a", LLM_ERROR_BAD_TOOLS);
	RUN(BAD("'web_searches'"));
	assert_failed("a", LLM_ERROR_BAD_TOOLS);
}

static void a_cancel_ends_the_wait_at_once(void **state)
{
	uint64_t begun = clock_now();

	(void)state;
	now.script[0] = (struct step)NO(OVERLOADED);
	now.steps = 1;
	now.llm.order_count = 2;
	start();
	assert_false(now.done);
	task_cancel(now.task);
	finish();
	assert_failed("a", LLM_ERROR_CANCELLED);
	assert_int_equal(now.err.kind, ERROR_CANCELLED);
	assert_true(clock_now() - begun <= 10);
}

static void a_cancelled_request_is_not_tried_again(void **state)
{
	(void)state;
	now.script[0] = (struct step){.class = LLM_ERROR_TRANSIENT, .takes_ms = 1000};
	now.steps = 1;
	now.llm.order_count = 2;
	start();
	task_cancel(now.task);
	finish();
	assert_failed("a", LLM_ERROR_CANCELLED);
}

static void an_invalid_history_is_never_sent(void **state)
{
	struct llm_message *result = llm_message_new(LLM_TOOL, "orphan");

	(void)state;
	result->call_id = xstrdup("c1");
	llm_history_add(&now.history, result);
	RUN(OK);
	assert_failed("", LLM_ERROR_BAD_HISTORY);
}

static void complete_without_err(struct task *t, void *arg)
{
	(void)arg;
	now.rc = llm_complete(t, &now.llm, &now.req, NULL, &now.answer, NULL);
}

static void who_does_not_want_to_know_why_need_not(void **state)
{
	(void)state;
	now.script[0] = (struct step)NO(AUTH);
	now.steps = 1;
	task_run("complete", complete_without_err, NULL);
	assert_int_equal(now.rc, -1);
	assert_int_equal(now.answer.error_class, LLM_ERROR_AUTH);
}

static void all_tries_that_began_are_on_the_bill_each_at_its_price(void **state)
{
	const struct llm_bill *bill = &now.answer.bill;

	(void)state;
	now.llm.order_count = 2;
	now.providers[0].price = (struct llm_price){.known = true, .input = 1000000, .output = 2000000};
	RUN({.class = LLM_ERROR_AUTH, .read = 100, .wrote = 5, .begun = true},
	    {.class = LLM_ERROR_NONE, .read = 10, .wrote = 1});
	assert_answered("ab");
	assert_int_equal(bill->requests, 2);
	assert_int_equal(bill->unpriced, 1);
	assert_int_equal(bill->estimated, 0);
	assert_int_equal(bill->sum.input_tokens, 110);
	assert_int_equal(bill->sum.output_tokens, 9);
	assert_int_equal(bill->sum.cost, 110);
}

static void what_never_began_costs_nothing(void **state)
{
	(void)state;
	RUN(NO(FATAL));
	assert_int_equal(now.rc, -1);
	assert_int_equal(now.answer.bill.requests, 0);
}

static void what_a_provider_does_not_count_is_estimated(void **state)
{
	(void)state;
	now.req.system = "A sentence of some thirty-five letters.";
	RUN(OK);
	assert_answered("a");
	assert_int_equal(now.answer.bill.estimated, 1);
	assert_in_range(now.answer.bill.sum.input_tokens, 15, 40);
	assert_in_range(now.answer.bill.sum.output_tokens, 1, 20);
	RUN({.class = LLM_ERROR_FATAL, .begun = true, .wrote = 3});
	assert_int_equal(now.answer.bill.requests, 1);
	assert_int_equal(now.answer.bill.estimated, 1);
	assert_int_equal(now.answer.bill.sum.output_tokens, 3);
	assert_in_range(now.answer.bill.sum.input_tokens, 15, 40);
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		all_tries_that_began_are_on_the_bill_each_at_its_price, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_never_began_costs_nothing, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(what_a_provider_does_not_count_is_estimated, set_up, tear_down),
	    TEST(what_passes_is_tried_three_times),
	    TEST(waits_double_and_an_overloaded_provider_gets_longer_ones),
	    TEST(what_does_not_pass_is_not_tried_again),
	    TEST(an_unusable_answer_is_asked_for_once_more_at_once),
	    TEST(an_empty_answer_is_asked_for_once_more_and_then_taken),
	    TEST(what_a_provider_says_of_trying_again_counts_before_the_class),
	    TEST(the_wait_that_a_provider_asks_for_is_the_least),
	    TEST(too_long_a_wait_is_not_waited_for),
	    TEST(nothing_is_tried_after_the_budget_of_time),
	    TEST(who_was_chosen_is_asked_before_the_others),
	    TEST(without_a_model_it_fails_at_once),
	    TEST(a_failure_that_another_provider_may_not_have_goes_to_the_next),
	    TEST(a_failure_that_is_the_requests_own_goes_to_nobody),
	    TEST(all_tries_together_are_six),
	    TEST(a_provider_that_failed_is_left_alone_for_a_while),
	    TEST(the_switch_to_another_provider_is_quick),
	    TEST(who_fails_again_is_left_alone_for_longer),
	    TEST(a_failure_of_one_chat_leaves_the_provider_to_the_others),
	    TEST(one_request_at_a_time_tests_who_was_left_alone),
	    TEST(an_outage_takes_several_chats),
	    TEST(a_bad_key_is_bad_for_all_who_use_it),
	    TEST(so_many_requests_a_minute_leave_and_no_more),
	    TEST(a_person_is_told_once_that_it_takes_long),
	    TEST(what_was_done_is_counted),
	    TEST(when_all_are_left_alone_the_default_is_asked),
	    TEST(the_operator_hears_of_keys_and_money),
	    TEST(what_only_the_operator_can_mend_is_told_once_a_day),
	    TEST(a_tool_that_is_refused_by_name_is_left_out),
	    TEST(a_refused_tool_that_is_not_named_stays),
	    TEST(a_cancel_ends_the_wait_at_once),
	    TEST(a_cancelled_request_is_not_tried_again),
	    TEST(an_invalid_history_is_never_sent),
	    TEST(who_does_not_want_to_know_why_need_not),
	};

	clock_fake(1700000000000, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
