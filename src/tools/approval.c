#include "tools/approval.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/targets.h"
#include "tools/canonical_json.h"
#include "tools/guard.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"
#include "tools/source_internal.h"

static const struct config_key keys[] = {
    {.name = "approvers",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct approval_settings, approvers),
	.help = "Who may approve, as CHANNEL:ID with the platform's id of the person, who must also be "
		"allowed on that channel. Absent: the admins of the channel where the request appears."},
    {.name = "ask",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct approval_settings, ask),
	.help = "The tools that need approval for each call, by name; * and ? are wildcards, as in "
		"\"mcp__*\". Empty: only calls for which a tool itself asks."},
    {.name = "chat",
	.type = CONFIG_STRING,
	.offset = offsetof(struct approval_settings, chat),
	.help = "The chat where the request appears: an address, or a target of one address. Absent: the "
		"chat of the conversation."},
    {.name = "timeout",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct approval_settings, timeout_ms),
	.fallback = "10 min",
	.min = 5000,
	.max = 86400 * 1000,
	.help = "How long to wait for a decision. No decision in this time is a rejection."},
};

const struct config_section approval_section = {
    .path = "approvals",
    .keys = keys,
    .key_count = ARRAY_LEN(keys),
    .help = "Tool calls that need a person's approval.",
};

#define COMMAND_TEXT                                                                               \
	"Command requires confirmation. Ask a person in the chat; an operator can re-run it with " \
	"confirmed=true."

static const struct {
	const char *code, *cause, *text;
} refusals[] = {
    [APPROVAL_DENIED] = {"BLOCKED", "DECLINED",
	"A person said no. Do not try it another way; ask what to do."},
    [APPROVAL_NO_ANSWER] = {"BLOCKED", "NO_ANSWER",
	"Nobody allowed it in time, which is a no. Do not try it another way; say that it waits for a "
	"person's yes."},
    [APPROVAL_CHANGED] = {"BLOCKED", "CHANGED",
	"What a person was asked about is not what would run now, so nothing was run. Call it again if it is "
	"still wanted."},
    [APPROVAL_WITHDRAWN] = {"INTERRUPTED", "NOT_RUN",
	"The turn was stopped while a person was asked. Nothing was run."},
    [APPROVAL_NOBODY] = {"NEEDS_CONFIRMATION", NULL,
	"This needs a person's yes, and nobody who may give it can be asked here. Say so; an operator can "
	"name a chat for approvals in the configuration."},
    [APPROVAL_TOO_LONG] = {"LIMIT_REACHED", "TOO_LARGE",
	"This needs a person's yes, and is too long to be shown to one whole. Nothing was run; do it in "
	"smaller parts."},
};

static void check_where(struct approval_settings *s, struct config *cfg, const struct targets *targets)
{
	struct error err = {0};
	size_t count = 0;
	struct address *found = targets_expand(targets, s->chat, &count, &err);
	char *channel = found ? xasprintf("channels.%s", found[0].channel) : NULL;

	if (!found)
		config_error(cfg, "approvals.chat", "chat: %s", err.text);
	else if (count != 1)
		config_error(cfg, "approvals.chat", "\"%s\" is %zu addresses. Name a target of one address.",
		    s->chat, count);
	else if (!config_has(cfg, channel))
		config_error(cfg, "approvals.chat",
		    "\"%s\" names the channel \"%s\", which is not configured.", s->chat, found[0].channel);
	else
		s->where = found[0];
	free(channel);
	free(found);
}

static void check_approver(struct config *cfg, const char *path, const char *text)
{
	struct error err = {0};
	struct address a;

	if (address_parse(text, &a, &err) < 0) {
		config_error(
		    cfg, path, "\"%s\" is no person: write CHANNEL:ID, as in \"telegram:77\".", text);
		return;
	}
	char *channel = xasprintf("channels.%s", a.channel);
	if (*a.thread || !config_has(cfg, channel))
		config_error(cfg, path,
		    "\"%s\" names the channel \"%s\" and no person there. Write CHANNEL:ID with the name of "
		    "a channel that is configured.",
		    text, a.channel);
	free(channel);
}

void approval_read(struct approval_settings *s, struct config *cfg, const struct targets *targets)
{
	config_read(cfg, "approvals", &approval_section, s);
	s->elsewhere = s->chat && *s->chat;
	if (s->elsewhere)
		check_where(s, cfg, targets);
	tool_names_check(&s->ask, cfg, "approvals", "ask");
	for (size_t i = 0; i < s->approvers.count; i++) {
		char *path = xasprintf("approvals.approvers[%zu]", i);
		check_approver(cfg, path, s->approvers.items[i]);
		free(path);
	}
}

void approval_settings_clear(struct approval_settings *s)
{
	config_settings_clear(keys, ARRAY_LEN(keys), s);
}

static void describe(struct approval *a, const struct tool_call *call, const struct tool *tool,
    struct json_object *args, struct json_object *facts)
{
	struct json_object *o = json_object_new_object();
	struct buf text = BUF_INIT;

	json_set_str(o, "tool", tool->name);
	json_set(o, "arguments", json_object_get(args));
	json_set_str(o, "workspace",
	    call->tools->roots ? roots_workspace(call->tools->roots) : call->tools->settings.workspace);
	if (json_object_object_length(facts) > 0)
		json_set(o, "facts", json_object_get(facts));
	canonical_json_write(&text, o);
	json_object_put(o);
	a->tool = tool->name;
	sha256_text(text.data, text.len, a->hash);
	a->action = buf_take(&text);
}

/* The operator approves by typing the call at a terminal, if only the settings ask for approval. */
static bool make(struct task *t, const struct tool_call *call, const struct tool *tool,
    struct json_object *args, struct approval *out)
{
	struct json_object *facts = json_object_new_object();
	bool needed = tool->confirm && tool->confirm(call, args, facts);

	out->rule = xstrdup(guard_asks(call, tool, args));
	out->command = tool->guard == GUARD_SHELL || tool->guard == GUARD_PROGRAM;
	json_set_str(facts, "rule", out->rule);
	needed = needed || out->rule;
	if (!needed && !call->operator)
		needed = tool_is_among(tool, &call->tools->approvals.ask);
	if (needed && tool->measure)
		tool->measure(t, call, args, facts);
	if (needed)
		describe(out, call, tool, args, facts);
	out->facts = facts;
	return needed;
}

bool tools_approval(struct task *t, const struct tool_call *call, const char *name, const char *arguments,
    struct approval *out)
{
	const struct tool *tool = tools_find(call->tools, name);
	struct json_object *args = NULL, *clamped = NULL, *failure;

	*out = (struct approval){0};
	if (!tool || tool_is_gone(tool))
		return false;
	failure = tools_prepare(call, tool, arguments, &args, &clamped);
	bool needed = !failure && make(t, call, tool, args, out);
	if (!needed)
		approval_clear(out);
	json_object_put(failure);
	json_object_put(clamped);
	json_object_put(args);
	return needed;
}

void approval_clear(struct approval *a)
{
	free(a->action);
	free(a->rule);
	json_object_put(a->facts);
	*a = (struct approval){0};
}

const struct approval_settings *tools_approvals(const struct tools *ts)
{
	return &ts->approvals;
}

static struct json_object *failure_of(
    const char *tool, const struct approval *a, const struct approval_answer *answer)
{
	enum approval_verdict v = answer->verdict;
	const char *text = v == APPROVAL_NOBODY && a->rule && a->command ? COMMAND_TEXT : refusals[v].text;
	struct json_object *o = tool_failure(tool, refusals[v].code, refusals[v].cause, "%s", text);

	if (v == APPROVAL_NOBODY)
		json_set_bool(o, "needs_confirmation", true);
	json_set_str(json_get_object(o, "context"), "rule", a->rule);
	if (answer->reason && *answer->reason)
		json_set_str(json_get_object(o, "context"), "reason", answer->reason);
	return o;
}

char *approval_failure_text(const struct approval *a, const struct approval_answer *answer)
{
	struct json_object *o = failure_of(a->tool, a, answer);
	char *text = json_text(o);

	json_object_put(o);
	return text;
}

struct json_object *approval_changed(const struct tool *tool)
{
	return failure_of(tool->name, &(struct approval){.tool = tool->name},
	    &(struct approval_answer){.verdict = APPROVAL_CHANGED});
}

struct json_object *approval_missing(struct task *t, const struct tool_call *call, const struct tool *tool,
    struct json_object *args, struct json_object **facts)
{
	struct approval a = {0};
	struct json_object *failure = NULL;

	*facts = NULL;
	bool needed = make(t, call, tool, args, &a);
	if (needed && (!call->approved || strcmp(call->approved, a.hash) != 0))
		failure = failure_of(tool->name, &a,
		    &(struct approval_answer){
			.verdict = call->approved ? APPROVAL_CHANGED : APPROVAL_NOBODY});
	else if (needed)
		*facts = json_object_get(a.facts);
	approval_clear(&a);
	return failure;
}
