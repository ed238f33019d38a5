#include "base/buf.h"
#include "base/error.h"
#include "bus/escape.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "session/turn/turn.h"
#include "tools/prompt/files.h"
#include "tools/tools.h"

static void add_all(struct buf *out, const struct skill_list *skills, bool good)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; i < skills->count; i++) {
		const struct skill *s = &skills->items[i];
		if (!s->problem != good)
			continue;
		buf_reset(&line);
		buf_addf(&line, "%.64s%s: %s", s->name, s->workspace ? " (from the workspace)" : "",
		    good ? s->description : s->problem);
		buf_addstr(out, "- ");
		escape_markdown(out, line.data);
		buf_addch(out, '\n');
	}
	buf_clear(&line);
}

static void run(struct task *t, struct command_call *call)
{
	struct buf absent = BUF_INIT;
	struct prompt_files files;
	struct error err = {0};

	struct tools *tools = session_tools_pin(call->all, &call->asked->from, call->asked->sender_id);
	int rc = prompt_files_read(t, tools, &files, &err);

	tools_unpin(tools);
	if (rc < 0)
		return;
	add_all(call->reply, &files.skills, true);
	add_all(&absent, &files.skills, false);
	if (call->reply->len == 0)
		buf_addstr(call->reply, "I have no skills.\n");
	if (absent.len > 0 && call->role >= ACCESS_ADMIN)
		buf_addf(call->reply, "\nNot used:\n%s", absent.data);
	buf_clear(&absent);
	prompt_files_clear(&files);
}

const struct command command_skills = {
    .name = "skills",
    .role = ACCESS_USER,
    .help = "list the skills that I know",
    .run = run,
};
