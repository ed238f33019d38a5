#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "bus/escape.h"
#include "llm/llm.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "tools/source.h"
#include "tools/tools.h"

/* Ends the part of a summary that is useful to people. */
#define RESULT " Returns:"

static void describe(struct buf *out, const struct llm_tool *tool)
{
	const char *end = strstr(tool->summary, RESULT);
	int len = (int)(end ? (size_t)(end - tool->summary) : strlen(tool->summary));
	struct buf line = BUF_INIT;

	buf_addf(&line, "%s: %.*s", tool->name, len, tool->summary);
	buf_addstr(out, "- ");
	escape_markdown(out, line.data);
	buf_addch(out, '\n');
	buf_clear(&line);
}

/* Appends the tools that are configured but not available, with the reason. */
static void describe_absent(struct buf *out, const struct tool_call *context)
{
	size_t count;
	struct tool_absent *absent = tools_absent(context->tools, context, &count);
	struct buf line = BUF_INIT;

	if (count > 0)
		buf_addf(out, "%sNot offered:\n", out->len ? "\n" : "");
	for (size_t i = 0; i < count; i++) {
		buf_reset(&line);
		buf_addf(&line, "%s%s%s: %s", absent[i].name ? absent[i].name : "",
		    absent[i].name ? " of " : "", absent[i].source, absent[i].reason);
		buf_addstr(out, "- ");
		escape_markdown(out, line.data);
		buf_addch(out, '\n');
	}
	buf_clear(&line);
	free(absent);
}

static void run(struct task *t, struct command_call *call)
{
	const struct agent *agent = call->all->options.agent;
	const struct tool_call context = {.tools = agent->tools,
	    .chat = &call->asked->from,
	    .person = call->asked->sender_id,
	    .admin = call->role >= ACCESS_ADMIN,
	    .guest = call->role <= ACCESS_GUEST,
	    .bus = agent->bus,
	    .store = agent->store};
	size_t count = 0;

	tools_refresh(t, agent->tools);
	struct llm_tool *offer = tools_offer(agent->tools, &context, &count);

	if (count == 0)
		buf_addstr(call->reply, "I have no tools here.");
	for (size_t i = 0; i < count; i++)
		describe(call->reply, &offer[i]);
	describe_absent(call->reply, &context);
	free(offer);
}

const struct command command_tools = {
    .name = "tools",
    .role = ACCESS_USER,
    .help = "list the tools that I can use here",
    .run = run,
};
