#include <string.h>

#include "base/list.h"
#include "base/mem.h"
#include "base/task.h"
#include "playground/flow/run.h"
#include "playground/playground.h"

static int go_to_chat(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	struct platform_instance *platform_instance = playground_platform(run->pg, step->person);
	struct flow_chat *p;

	(void)t;
	(void)err;
	list_each_entry(&run->chats, struct flow_chat, entry, link) {
		p = entry;
		if (p->platform_instance == platform_instance && strcmp(p->chat, step->text) == 0) {
			run->current = p;
			return 0;
		}
	}
	p = xcalloc(1, sizeof(*p));
	*p = (struct flow_chat){
	    .platform_instance = platform_instance, .kind = step->kind, .chat = step->text};
	list_append(&run->chats, &p->link);
	run->current = p;
	return 0;
}

static int pause_for(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	(void)run;
	return task_sleep(t, step->ms, err);
}

static int set_within(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	(void)t;
	(void)err;
	run->within_ms = step->ms;
	return 0;
}

static int start_bot(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	flow_bot_stop(t, run);
	if (step->text)
		run->command = step->text;
	return flow_bot_start(run, err);
}

static int kill_bot(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	(void)step;
	(void)err;
	flow_bot_kill(t, run);
	return 0;
}

static int stop_bot(struct task *t, struct flow_run *run, const struct flow_step *step, struct error *err)
{
	(void)step;
	(void)err;
	flow_bot_stop(t, run);
	return 0;
}

const struct flow_verb flow_verbs[] = {
    {"accepted", "", FLOW_NOTHING, false, false, flow_accepted},
    {"bot", "COMMAND", FLOW_TEXT, false, false, start_bot},
    {"chat", "PLATFORM KIND NAME", FLOW_CHAT, false, false, go_to_chat},
    {"clean", "", FLOW_NOTHING, false, false, flow_clean},
    {"command", "PERSON /NAME TEXT", FLOW_PERSON_TEXT, true, false, flow_command},
    {"expect", "TEXT or /PATTERN/", FLOW_EXPECTED, true, false, flow_expect},
    {"kill", "", FLOW_NOTHING, false, true, kill_bot},
    {"pause", "SECONDS", FLOW_SECONDS, false, false, pause_for},
    {"press", "PERSON BUTTON", FLOW_PERSON_TEXT, true, false, flow_press},
    {"react", "PERSON EMOJI", FLOW_PERSON_TEXT, true, false, flow_react},
    {"ready", "", FLOW_NOTHING, true, false, flow_ready},
    {"say", "PERSON TEXT", FLOW_PERSON_TEXT, true, false, flow_say},
    {"shows", "TEXT or /PATTERN/", FLOW_EXPECTED, true, false, flow_shows},
    {"silence", "SECONDS", FLOW_SECONDS, true, false, flow_silence},
    {"start", "", FLOW_NOTHING, false, true, start_bot},
    {"stop", "", FLOW_NOTHING, false, true, stop_bot},
    {"within", "SECONDS", FLOW_SECONDS, false, false, set_within},
    {NULL, NULL, FLOW_NOTHING, false, false, NULL},
};
