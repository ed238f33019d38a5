#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/literal.h"
#include "bus/post.h"
#include "session/broadcast.h"
#include "session/command.h"
#include "session/prompt.h"
#include "session/session_private.h"
#include "tools/tools.h"

#define USAGE "Write /broadcast TARGET TEXT, or /broadcast --dry-run TARGET TEXT to see first who would get it."
/* How long a dry run may still be sent. */
#define ASK_MS (10 * 60 * 1000)

/* The next word of the arguments, malloc'd; *rest is behind the blanks after it. */
static char *next_word(const char **rest)
{
	size_t len = strcspn(*rest, " \t\r\n");
	char *word = xstrndup(*rest, len);

	*rest += len;
	*rest += strspn(*rest, " \t\r\n");
	return word;
}

static void say(struct buf *reply, const char *text)
{
	literal_add(reply, text);
}

/* Shows who would get it, with a button to send it then. */
static void ask(struct task *t, struct command_call *call, const struct post *p)
{
	struct buf text = BUF_INIT;
	struct error err = {0};
	char *data = broadcast_write(p);

	buf_addf(&text, "This would go to %zu address%s:\n", p->count, p->count == 1 ? "" : "es");
	broadcast_list(p, &text);
	struct prompt_question q = {.action = &prompt_broadcast, .asked = call->asked, .data = data, .text = text.data, .ms = ASK_MS};
	if (!prompt_possible(call->all, call->asked)) {
		buf_addstr(call->reply, text.data);
	} else if (prompt_ask(t, call->all, &q, &err) < 0) {
		say(call->reply, err.text);
	} else {
		message_free(call->asked);
		call->asked = NULL;
	}
	buf_clear(&text);
	free(data);
}

static void run(struct task *t, struct command_call *call)
{
	const struct agent *agent = call->all->options.agent;
	/* A command that a crash cut off is given again, and finds what it has sent. */
	char *key = xasprintf("command:%lld", (long long)call->asked->id), *word = next_word(&call->args);
	bool dry_run = strcmp(word, "--dry-run") == 0;
	struct post p = {.bus = agent->bus, .key = key};
	struct error err = {0};

	if (dry_run) {
		free(word);
		word = next_word(&call->args);
	}
	p.text = call->args;
	if (*word == '\0' || *call->args == '\0')
		say(call->reply, USAGE);
	else if (post_add_named(&p, tools_targets(agent->tools), word, &err) < 0)
		say(call->reply, err.text);
	else if (dry_run)
		ask(t, call, &p);
	else
		broadcast_send(t, &p, call->reply);
	post_clear(&p);
	free(word);
	free(key);
}

const struct command command_broadcast = {
    .name = "broadcast",
    .role = ACCESS_ADMIN,
    .arguments = "[--dry-run] TARGET TEXT",
    .help = "send a text to all chats of a target",
    .run = run,
};
