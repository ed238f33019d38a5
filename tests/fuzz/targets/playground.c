/* The simulated Telegram under any calls and people_actions, a line each: "METHOD {parameters}". Every answer
 * is JSON or an error with a sentence, updates are numbered one after the other and say one thing each, and
 * the state that is kept over a restart says the same as before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"
#include "playground/server/exchange.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/telegram/world/bot.h"
#include "playground/spec/spec.h"
#include "playground/telegram/http/method.h"
#include "playground/telegram/telegram.h"
#include "playground/telegram/world/world.h"

#define BOT_ID    999
#define LINES_MAX 24

struct stage {
	struct playground pg;
	struct record_log log;
	struct world *world;
	struct bot *bot;
};

static void check_result(const struct call *call, int rc)
{
	if (rc == 0) {
		HOLDS(call->error_code == 0);
		json_object_put(fuzz_hold_json(call->result.data));
	} else {
		HOLDS(call->error_code >= 400 && call->error_code < 600);
		fuzz_hold_sentence(call->error.data);
	}
}

static void play_method(
    struct stage *s, const struct spec_record *spec, const struct method *m, struct json_object *params)
{
	struct exchange ex;
	struct call call = {.ex = &ex,
	    .world = s->world,
	    .bot = s->bot,
	    .spec = spec,
	    .params = json_object_get(params),
	    .result = BUF_INIT,
	    .error = BUF_INIT};
	int rc;

	exchange_begin(&ex, &s->pg, NULL, &s->log, "telegram", NULL);
	str_copy(ex.method, sizeof(ex.method), spec->name);
	rc = params_judge(&call);
	if (rc == 0)
		rc = m->run(&call);
	check_result(&call, rc);
	exchange_end(&ex);
	json_object_put(call.params);
	buf_clear(&call.result);
	buf_clear(&call.error);
}

static void play_action(struct stage *s, const struct platform_action *deed, struct json_object *in)
{
	struct json_object *out = json_object_new_object();
	struct error err = {0};
	char *text;

	if (deed->act(s->world, in, out, &err) != 0)
		fuzz_hold_sentence(err.text);
	text = json_text(out);
	json_object_put(fuzz_hold_json(text));
	free(text);
	json_object_put(out);
}

static void play_line(struct stage *s, struct fuzz_input *line)
{
	size_t len;
	char *name = fuzz_until(line, ' ', &len), *json = fuzz_until(line, '\n', &len);
	struct json_object *o = json_parse_object(json, len, NULL);
	const struct spec_record *spec = spec_method(spec_of("telegram"), name);
	const struct method *m = spec ? method_find(spec) : NULL;

	/* getUpdates waits. */
	if (o && m && m->run)
		play_method(s, spec, m, o);
	for (const struct platform_action *deed = telegram_platform.people_actions; o && deed->name; deed++)
		if (strcmp(deed->name, name) == 0)
			play_action(s, deed, o);
	json_object_put(o);
	free(name);
	free(json);
}

/* What the bot would get. */
static void check_updates(const struct stage *s)
{
	struct buf text = BUF_INIT;
	struct json_object *array;
	int64_t id = s->bot->updates.head_id;

	update_queue_write(&s->bot->updates, 100, &text);
	array = fuzz_hold_json(text.data);
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *update = json_object_array_get_idx(array, i);

		HOLDS(json_get_int(update, "update_id", -1) == id++);
		HOLDS(json_object_object_length(update) == 2);
	}
	json_object_put(array);
	buf_clear(&text);
}

static void check_transcripts(struct stage *s)
{
	struct json_object *chats = json_object_new_array();
	struct buf out = BUF_INIT;

	telegram_platform.chats(s->world, chats);
	for (size_t i = 0; i < json_object_array_length(chats); i++) {
		struct json_object *chat = json_object_array_get_idx(chats, i),
				   *in = json_object_new_object();

		json_set_str(in, "chat", json_get_str(chat, "chat"));
		json_set_str(in, "bot", json_get_str(chat, "bot"));
		buf_reset(&out);
		if (telegram_platform.transcript(s->world, in, &out, NULL) == 0)
			json_object_put(fuzz_hold_json(out.data));
		json_object_put(in);
	}
	buf_clear(&out);
	json_object_put(chats);
}

/* What a page that listened would have been shown. */
static void check_marks(struct stage *s)
{
	struct feed_reader reader = {.next = 1};
	const struct feed_mark *mark;
	struct buf out = BUF_INIT;
	bool lost;

	while ((mark = feed_take(&s->pg.feed, &reader, &lost))) {
		buf_reset(&out);
		buf_addstr(&out, "{\"type\":\"any\"");
		telegram_platform.show(s->world, mark, &out);
		buf_addch(&out, '}');
		json_object_put(fuzz_hold_json(out.data));
	}
	buf_clear(&out);
}

static void check_state(struct stage *s)
{
	struct json_object *state = telegram_platform.save(s->world), *again;
	struct record_log log = {0};
	struct world *copy = telegram_platform.create(&s->pg, &log);
	char *text = json_text(state), *copied;

	HOLDS(telegram_platform.load(copy, state, NULL) == 0);
	again = telegram_platform.save(copy);
	copied = json_text(again);
	if (strcmp(text, copied) != 0)
		fprintf(stderr, "saved:  %s\nloaded: %s\n", text, copied);
	HOLDS(strcmp(text, copied) == 0);
	free(text);
	free(copied);
	json_object_put(again);
	json_object_put(state);
	telegram_platform.destroy(copy);
	record_log_clear(&log);
}

void fuzz_playground(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct stage s = {.log = {0}};

	fuzz_quiet_log();
	clock_fake(1700000000000, 1);
	task_cond_init(&s.pg.changed);
	list_init(&s.pg.exchanges);
	faults_init(&s.pg.faults);
	feed_init(&s.pg.feed);
	s.pg.feed.keep_until_ms = UINT64_MAX;
	s.world = telegram_platform.create(&s.pg, &s.log);
	s.world->settings.limits = false;
	s.bot = world_get_bot(s.world, BOT_ID);
	for (size_t i = 0; i < LINES_MAX && in.at < in.end; i++) {
		size_t len;
		char *line = fuzz_until(&in, '\n', &len);
		struct fuzz_input one = {line, line + len};

		play_line(&s, &one);
		free(line);
	}
	check_updates(&s);
	check_transcripts(&s);
	check_marks(&s);
	check_state(&s);
	telegram_platform.destroy(s.world);
	feed_clear(&s.pg.feed);
	record_log_clear(&s.log);
}

FUZZ_PROGRAM(fuzz_playground)
