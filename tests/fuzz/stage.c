#include "fuzz/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/task.h"
#include "base/time/clock.h"

#define WALL_MS   1700000000000
#define LINES_MAX 24

void fuzz_stage_open(struct fuzz_stage *s, const struct platform *platform)
{
	*s = (struct fuzz_stage){.platform = platform};
	fuzz_quiet_log();
	clock_fake(WALL_MS, 1);
	task_cond_init(&s->pg.changed);
	task_group_init(&s->pg.tasks);
	list_init(&s->pg.exchanges);
	list_init(&s->pg.worlds);
	faults_init(&s->pg.faults);
	feed_init(&s->pg.feed);
	s->pg.feed.keep_until_ms = UINT64_MAX;
	s->pg.strict.on = true;
	s->world = platform->create(&s->pg, &s->log);
}

static void play_action(struct fuzz_stage *s, const struct platform_action *action, struct json_object *in)
{
	struct json_object *out = json_object_new_object();
	struct error err = {0};
	char *text;

	if (action->act(s->world, in, out, &err) != 0)
		fuzz_hold_sentence(err.text);
	text = json_text(out);
	json_object_put(fuzz_hold_json(text));
	free(text);
	json_object_put(out);
}

static void play_line(struct fuzz_stage *s, struct fuzz_input *line, fuzz_call_fn *call)
{
	size_t len;
	char *name = fuzz_until(line, ' ', &len), *json = fuzz_until(line, '\n', &len);
	struct json_object *o = json_parse_object(json, len, NULL);
	const struct platform_action *action = s->platform->people_actions;

	while (action->name && strcmp(action->name, name) != 0)
		action++;
	if (o && action->name)
		play_action(s, action, o);
	else if (o)
		call(s, name, o);
	if (s->after)
		s->after(s, action->name ? action : NULL);
	json_object_put(o);
	free(name);
	free(json);
}

void fuzz_stage_play(struct fuzz_stage *s, const uint8_t *data, size_t size, fuzz_call_fn *call)
{
	struct fuzz_input in = fuzz_open(data, size);

	for (size_t i = 0; i < LINES_MAX && in.at < in.end; i++) {
		size_t len;
		char *line = fuzz_until(&in, '\n', &len);
		struct fuzz_input one = {line, line + len};

		play_line(s, &one, call);
		free(line);
	}
}

static void check_transcripts(struct fuzz_stage *s)
{
	struct json_object *chats = json_object_new_array();
	struct buf out = BUF_INIT;

	s->platform->chats(s->world, chats);
	json_each(chats, chat) {
		struct json_object *in = json_object_new_object();

		json_set_str(in, "chat", json_get_str(chat, "chat"));
		json_set_str(in, "bot", json_get_str(chat, "bot"));
		buf_reset(&out);
		if (s->platform->transcript(s->world, in, &out, NULL) == 0)
			json_object_put(fuzz_hold_json(out.data));
		json_object_put(in);
	}
	buf_clear(&out);
	json_object_put(chats);
}

/* What a page that listened would have been shown. */
static void check_marks(struct fuzz_stage *s)
{
	struct feed_reader reader = {.next = 1};
	const struct feed_mark *mark;
	struct buf out = BUF_INIT;
	bool lost;

	while ((mark = feed_take(&s->pg.feed, &reader, &lost))) {
		buf_reset(&out);
		buf_addstr(&out, "{\"type\":\"any\"");
		s->platform->show(s->world, mark, &out);
		buf_addch(&out, '}');
		json_object_put(fuzz_hold_json(out.data));
	}
	buf_clear(&out);
}

struct ending {
	struct fuzz_stage *stage;
	void *world;
};

static void finish(struct task *t, void *arg)
{
	const struct ending *e = arg;

	if (e->stage->platform->stop)
		e->stage->platform->stop(e->world);
	task_group_finish(t, &e->stage->pg.tasks);
}

/* As the playground stops. */
static void stop(struct fuzz_stage *s, void *world)
{
	struct ending e = {s, world};

	if (!task_group_is_empty(&s->pg.tasks))
		task_run("fuzz", finish, &e);
}

bool fuzz_stage_load(struct fuzz_stage *s, struct json_object *state)
{
	struct record_log log = {0};
	void *copy = s->platform->create(&s->pg, &log);
	struct error err = {0};
	bool loaded = s->platform->load(copy, state, &err) == 0;

	if (loaded) {
		struct json_object *kept = s->platform->save(copy);
		char *text = json_text(state), *again = json_text(kept);

		if (strcmp(text, again) != 0)
			fprintf(stderr, "saved:  %s\nloaded: %s\n", text, again);
		HOLDS(strcmp(text, again) == 0);
		free(text);
		free(again);
		json_object_put(kept);
	} else {
		fuzz_hold_sentence(err.text);
	}
	stop(s, copy);
	s->platform->destroy(copy);
	record_log_clear(&log);
	return loaded;
}

void fuzz_stage_close(struct fuzz_stage *s)
{
	struct json_object *state;

	stop(s, s->world);
	check_transcripts(s);
	check_marks(s);
	state = s->platform->save(s->world);
	HOLDS(fuzz_stage_load(s, state));
	json_object_put(state);
	HOLDS(!s->pg.strict.violations); /* each was printed */
	strict_clear(&s->pg.strict);
	s->platform->destroy(s->world);
	feed_clear(&s->pg.feed);
	record_log_clear(&s->log);
}
