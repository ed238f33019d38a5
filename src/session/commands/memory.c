#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/questions.h"
#include "tools/tools.h"

/* Characters shown of the notes. */
#define SHOWN_CHARS 3000
/* Time limit of the question. */
#define ASK_MS  (10 * 60 * 1000)
#define CLEARED "My notes about this chat are deleted."

enum { YES, WHAT };

/* Returns the result of a tool call on the chat's notes; the caller frees it. On an error returns NULL and
 * explains it in out. */
static struct json_object *use(struct task *t, const struct sessions *all, const struct address *chat,
    const char *tool, const char *arguments, struct buf *out)
{
	const struct agent *agent = all->options.agent;
	const struct tool_call call = {
	    .tools = agent->tools, .chat = chat, .bus = agent->bus, .store = agent->store};
	bool failed;
	char *text = tools_run(t, &call, tool, arguments, &failed);
	struct json_object *o = json_parse_object(text, strlen(text), NULL);

	free(text);
	if (o && !failed)
		return o;
	escape_markdown(
	    out, o && json_get_str(o, "error") ? json_get_str(o, "error") : "The notes cannot be reached.");
	json_object_put(o);
	return NULL;
}

static void show(struct task *t, struct command_call *call)
{
	struct json_object *o =
	    use(t, call->all, &call->asked->from, "memory_read", "{\"scope\":\"chat\"}", call->reply);
	const char *content = json_get_str(o, "content");
	size_t len = content ? strlen(content) : 0,
	       cut = utf8_cut(content ? content : "", len, SHOWN_CHARS, UTF8_CHARS);

	if (o && len == 0)
		buf_addstr(call->reply, "I have noted nothing about this chat.");
	buf_add(call->reply, content, cut);
	if (cut < len)
		buf_addf(call->reply, " …\n\n(and %zu bytes more)", len - cut);
	json_object_put(o);
}

static bool clear(struct task *t, const struct sessions *all, const struct address *chat, struct buf *out)
{
	struct json_object *o = use(t, all, chat, "memory_write",
	    "{\"scope\":\"chat\",\"mode\":\"overwrite\",\"content\":\"\"}", out);
	bool done = o;

	json_object_put(o);
	return done;
}

static void press(struct task *t, struct sessions *all, const struct store_question *p, struct buf *reply)
{
	if (strcmp(p->choice, "clear") != 0)
		buf_addstr(reply, "I keep what I noted.");
	else if (clear(t, all, &p->where, reply))
		buf_addstr(reply, CLEARED);
}

static const struct question_choice choices[] = {
    {.name = "clear", .label = "Forget it", .style = BUTTON_DANGER},
    {.name = "keep", .label = "Keep it"},
    {.name = NULL},
};

const struct question_kind question_memory = {
    .name = "memory",
    .role = ACCESS_USER,
    .group_role = ACCESS_ADMIN,
    .choices = choices,
    .run = press,
};

static void ask(struct task *t, struct command_call *call)
{
	const struct question_request q = {.action = &question_memory,
	    .asked = call->asked,
	    .data = "",
	    .text = "Shall I forget all my notes about this chat? This cannot be undone.",
	    .ms = ASK_MS};
	struct error err = {0};

	if (!question_is_possible(call->all, call->asked)) {
		buf_addstr(call->reply, "This cannot be undone. Write /memory --yes clear to do it.");
	} else if (question_ask(t, call->all, &q, &err) < 0) {
		escape_markdown(call->reply, err.text);
	} else {
		message_free(call->asked);
		call->asked = NULL;
	}
}

static void run(struct task *t, struct command_call *call)
{
	const struct message *m = call->asked;

	if (!call->values[WHAT])
		show(t, call);
	else if (m->chat_kind != CHAT_PRIVATE && call->role < ACCESS_ADMIN)
		buf_addstr(call->reply, "In a group, that is for admins. Ask one of them.");
	else if (!call->values[YES])
		ask(t, call);
	else if (clear(t, call->all, &m->from, call->reply))
		buf_addstr(call->reply, CLEARED);
}

static const char *const whats[] = {"clear", NULL};

static const struct channel_argument takes[] = {
    {.name = "yes", .kind = CHANNEL_ARGUMENT_FLAG, .help = "do not ask before they are cleared"},
    {.name = "what",
	.choices = whats,
	.help = "clear forgets the notes, after a question; without it they are shown"},
    {.name = NULL},
};

const struct command command_memory = {
    .name = "memory",
    .role = ACCESS_USER,
    .takes = takes,
    .help = "show or clear what I noted about this chat",
    .run = run,
};
