#include "base/buf.h"
#include "bus/escape.h"
#include "llm/llm.h"
#include "llm/providers.h"
#include "base/time/duration.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "bus/command_menu.h"

enum { ACTION };

static void describe(struct buf *out, const struct llm_provider_state *s)
{
	struct buf line = BUF_INIT;

	buf_addf(&line, "%s: %s, ", s->provider->name,
	    s->provider->settings.model ? s->provider->settings.model : "");
	if (s->position == LLM_POSITION_NONE)
		buf_addstr(&line, "used where it is chosen");
	else if (s->position == 0)
		buf_addstr(&line, "the default");
	else
		buf_addf(&line, "fallback %zu", s->position);
	if (s->cooldown_ms > 0) {
		buf_addstr(&line, "; it failed, and rests for ");
		duration_add(&line, (int64_t)s->cooldown_ms);
	}
	buf_addstr(out, "- ");
	escape_markdown(out, line.data);
	buf_addch(out, '\n');
	buf_clear(&line);
}

static void add_next_try(struct buf *text, const struct llm_health *health)
{
	buf_addstr(text, "The next try is ");
	if (health->next_try_ms < 1000) {
		buf_addstr(text, "due now.");
		return;
	}
	buf_addstr(text, "in ");
	duration_add(text, (int64_t)health->next_try_ms);
	buf_addch(text, '.');
}

static void describe_outage(const struct command_call *call)
{
	struct llm_health health;
	struct buf text = BUF_INIT;

	llm_health(call->all->options.agent->llm, &health);
	if (health.down) {
		buf_addstr(
		    &text, health.outage ? "None has answered for " : "Some requests have failed for ");
		duration_add(&text, (int64_t)health.for_ms);
		buf_addf(&text, " (%s", llm_error_class_name(health.class));
		if (call->channel_role >= ACCESS_ADMIN)
			buf_addf(&text, ": %s", health.reason);
		buf_addf(&text, "); %zu message%s waiting. ", health.waiting,
		    health.waiting == 1 ? " is" : "s are");
		add_next_try(&text, &health);
		if (call->channel_role >= ACCESS_ADMIN)
			buf_addstr(&text, " /models retry does so now.");
	}
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

static void retry(struct command_call *call)
{
	if (call->channel_role < ACCESS_ADMIN) {
		command_explain_role("models retry", ACCESS_ADMIN, call->role, call->reply);
		return;
	}
	size_t waiting = llm_retry_now(call->all->options.agent->llm);
	buf_addf(
	    call->reply, "I try again now. %zu message%s waiting.", waiting, waiting == 1 ? " is" : "s are");
}

static void run(struct task *t, struct command_call *call)
{
	struct llm_provider_state s;
	size_t i = 0;

	(void)t;
	if (call->values[ACTION]) {
		retry(call);
		return;
	}
	for (; llm_state(call->all->options.agent->llm, i, &s); i++)
		describe(call->reply, &s);
	if (i == 0)
		buf_addstr(
		    call->reply, "No model is configured: the operator has to add llm to the configuration.");
	else
		describe_outage(call);
}

static const char *const actions[] = {"retry", NULL};

static const struct channel_argument takes[] = {
    {.name = "action", .choices = actions, .help = "retry: ask again now the ones that failed (admins)"},
    {.name = NULL},
};

const struct command command_models = {
    .name = "models",
    .role = ACCESS_USER,
    .takes = takes,
    .help = "list the models and their state",
    .run = run,
};
