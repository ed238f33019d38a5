#include "playground/flow/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "playground/control/control.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/world/json_format.h"

static int is_ready(struct flow_run *run, const struct flow_step *step)
{
	(void)step;
	return control_has_bot(run->pg, run->current->platform_instance);
}

int flow_ready(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	const struct platform *platform = run->current->platform_instance->platform;
	int ret = flow_await(t, run, is_ready, step, err);

	return ret == 1 ?
	    error_set(err, ERROR_OURS, "no bot has come to %s within %g s: give it the address %s%s",
		platform->name, (double)run->within_ms / 1000, run->url, platform->address) :
	    ret;
}

/* Performs a person's action. Waits first until the flow's bot is connected, unless it was stopped. */
static int act(struct task *t, struct flow_run *run, const struct flow_step *step, const char *action,
    struct json_object *in, struct error *err)
{
	struct buf out = BUF_INIT;
	int ret = run->bot ? flow_ready(t, run, step, err) : 0;

	json_set_str(in, "platform", run->current->platform_instance->platform->name);
	if (!json_get(in, "chat"))
		json_set_str(in, "chat", run->current->chat);
	if (step->person)
		json_set_str(in, "user", step->person);
	if (ret == 0)
		ret = control_call(t, run->pg, action, in, &out, err);
	json_object_put(in);
	buf_clear(&out);
	return ret;
}

/* An action of people is for the chat, another call for its platform, unless it names others. */
static int call(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	const struct platform *here = run->current ? run->current->platform_instance->platform : NULL;
	const char *named = json_get_str(step->body, "platform");
	struct buf out = BUF_INIT;
	int ret;

	if (here && (!named || strcmp(named, here->name) == 0) && control_takes(here, step->name, "chat")) {
		if (!json_get(step->body, "kind"))
			json_set_str(step->body, "kind", run->current->kind);
		return act(t, run, step, step->name, json_object_get(step->body), err);
	}
	if (here && !named && strcmp(step->name, "settings") != 0)
		json_set_str(step->body, "platform", here->name);
	if (step->person)
		json_set_str(step->body, "user", step->person);
	ret = control_call(t, run->pg, step->name, step->body, &out, err);
	buf_clear(&out);
	return ret;
}

/* A form may open a moment after what people did: it is waited for. */
int flow_call(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	uint64_t due = clock_now() + (strcmp(step->name, "submit") == 0 ? run->within_ms : 0);

	while (call(t, run, step, err) != 0) {
		if (err->kind != ERROR_OURS || clock_now() >= due || task_sleep(t, FLOW_POLL_MS, err) != 0)
			return -1;
	}
	return 0;
}

int flow_say(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	return act(
	    t, run, step, "say", json_newf("{text: %s, kind: %s}", step->text, run->current->kind), err);
}

int flow_command(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	struct json_object *in = json_object_new_object();
	const char *rest = step->text + strcspn(step->text, " \t");
	char *name = xstrndup(step->text, (size_t)(rest - step->text));

	json_setf(
	    in, "command: %s, text: %s, kind: %s", name, *rest != '\0' ? rest + 1 : NULL, run->current->kind);
	free(name);
	return act(t, run, step, "command", in, err);
}

/* Returns the newest matching message of the bot, borrowed from the transcript; NULL for none. */
static struct json_object *newest(
    struct json_object *transcript, bool (*fits)(struct json_object *m, const char *what), const char *what)
{
	struct json_object *messages = json_get_array(transcript, "messages");

	for (size_t i = json_count(messages); i > 0; i--) {
		struct json_object *m = json_at(messages, i - 1);

		if (json_get_bool(m, "bot", false) && !json_get_bool(m, "deleted", false) && fits(m, what))
			return m;
	}
	return NULL;
}

static bool has_button(struct json_object *m, const char *what)
{
	static const char *const names[] = {"label", "id", "value"};
	struct json_object *buttons = json_get_array(m, "buttons");

	json_each(buttons, item) {
		for (size_t k = 0; k < ARRAY_LEN(names); k++) {
			const char *s = json_get_str(item, names[k]);

			if (s && strcmp(s, what) == 0)
				return true;
		}
	}
	return false;
}

static bool is_any(struct json_object *m, const char *what)
{
	(void)m;
	(void)what;
	return true;
}

/* Acts on the newest matching message of the bot, once there is one. */
static int act_on_newest(struct task *t, struct flow_run *run, const struct flow_step *step,
    const char *action, const char *member, bool (*fits)(struct json_object *m, const char *what),
    struct error *err)
{
	struct json_object *in = json_object_new_object(), *transcript = flow_transcript(run),
			   *m = newest(transcript, fits, step->text), *id = json_get(m, "id");

	if (id)
		json_set(in, "message_id", json_object_get(id));
	json_set_str(in, member, step->text);
	json_object_put(transcript);
	return act(t, run, step, action, in, err);
}

static int shows(
    struct flow_run *run, const struct flow_step *step, bool (*fits)(struct json_object *m, const char *what))
{
	struct json_object *transcript = flow_transcript(run);
	int ret = newest(transcript, fits, step->text) != NULL;

	json_object_put(transcript);
	return ret;
}

static int button_shows(struct flow_run *run, const struct flow_step *step)
{
	return shows(run, step, has_button);
}

int flow_press(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	int ret = flow_await(t, run, button_shows, step, err);

	if (ret == 1)
		return error_set(err, ERROR_OURS, "no message of the bot has a button \"%.80s\"", step->text);
	return ret == 0 ? act_on_newest(t, run, step, "press", "button", has_button, err) : -1;
}

static int message_shows(struct flow_run *run, const struct flow_step *step)
{
	return shows(run, step, is_any);
}

int flow_react(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	int ret = flow_await(t, run, message_shows, step, err);

	if (ret == 1)
		return error_set(err, ERROR_OURS, "the bot has written nothing to react to");
	return ret == 0 ? act_on_newest(t, run, step, "react", "emoji", is_any, err) : -1;
}
