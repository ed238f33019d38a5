#include "tools/subagent_tools.h"

#include "tools/background.h"
#include "tools/tools_internal.h"
#include "tools/files/roots.h"
#include "tools/source_internal.h"

int64_t tools_task_ms(const struct tools *ts)
{
	return ts->settings.task_ms;
}

int64_t tools_task_tokens(const struct tools *ts)
{
	return ts->settings.task_tokens;
}

/* The sandbox was proved with all roots; if there are more than the workspace, commands are left out. */
static void leave_out_commands(struct tools *view)
{
	size_t n = 0;

	for (size_t i = 0; i < view->count; i++) {
		if (view->entries[i].tool->flags & TOOL_SANDBOX)
			tool_release(view->entries[i].tool);
		else
			view->entries[n++] = view->entries[i];
	}
	view->count = n;
}

struct tools *subagent_tools_new(const struct tools *ts)
{
	struct tools *view = tools_pin(ts);

	view->roots = ts->roots ? roots_workspace_only(ts->roots) : NULL;
	roots_unref(ts->roots);
	if (ts->settings.roots.count > 0)
		leave_out_commands(view);
	return view;
}

void subagent_tools_free(struct tools *view)
{
	tools_unpin(view);
}

struct background_limits tools_task_limits(const struct tools *ts)
{
	const struct tools_settings *s = &ts->settings;

	return (struct background_limits){.in_chat = (size_t)s->commands_in_chat,
	    .in_all = (size_t)s->commands_max,
	    .output_bytes = (size_t)s->output_bytes};
}
