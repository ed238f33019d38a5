#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "session/commands/command.h"
#include "session/queue_mode.h"
#include "session/session_internal.h"
#include "store/chats.h"

enum { MODE };

static const char *const meanings[] = {
    [QUEUE_COLLECT] = "what you write while I answer waits, and then I answer all of it at once",
    [QUEUE_INTERRUPT] = "what you write while I answer ends that answer, and I answer it next",
    [QUEUE_QUEUE] = "what you write while I answer waits, and I answer one message after another",
    [QUEUE_STEER] = "what you write while I work on an answer is taken into account at my next step",
};

static void show_mode(const struct command_call *call)
{
	const struct address *where = &call->asked->from;
	enum queue_mode mode = queue_mode(call->all, where);
	bool own = queue_mode_of_chat(call->all, where) != QUEUE_DEFAULT;
	size_t waiting = sessions_waiting(call->all, where);

	buf_addf(call->reply, "Mode %s%s: %s. ", queue_mode_name(mode), own ? ", set for this chat" : "",
	    meanings[mode]);
	if (waiting == 0)
		buf_addstr(call->reply, "Nothing waits.");
	else
		buf_addf(call->reply, "%zu message%s.", waiting, waiting == 1 ? " waits" : "s wait");
}

static int commit(
    struct task *t, void *arg, int64_t inbound, struct outbound *const *rows, size_t count, struct error *err)
{
	struct command_call *call = arg;
	struct store_chat chat = {.where = call->asked->from};
	enum queue_mode mode = QUEUE_DEFAULT;

	queue_mode_parse(call->values[MODE], &mode);
	chat.queue = (int)mode;
	return store_chat_set_queue(t, call->all->options.agent->store, &chat, inbound, rows, count, err);
}

static void set(struct task *t, struct command_call *call, enum queue_mode mode)
{
	struct address where = call->asked->from;
	enum queue_mode counts = mode != QUEUE_DEFAULT ? mode : queue_mode_configured(call->all);
	char *text = xasprintf("Mode %s: %s.", queue_mode_name(counts), meanings[counts]);
	struct error err = {0};

	if (command_commit(t, call, text, &(struct command_change){commit, call}, &err) == 0)
		queue_mode_note(call->all, &where, mode);
	free(text);
}

static void run(struct task *t, struct command_call *call)
{
	enum queue_mode mode;

	if (!call->values[MODE])
		show_mode(call);
	else if (call->asked->chat_kind != CHAT_PRIVATE && call->role < ACCESS_ADMIN)
		buf_addstr(call->reply, "In a group only admins can set this. Ask one of them.");
	else if (queue_mode_parse(call->values[MODE], &mode))
		set(t, call, mode);
}

static const char *const modes[] = {"steer", "queue", "collect", "interrupt", "default", NULL};

static const struct channel_argument takes[] = {
    {.name = "mode", .choices = modes, .help = "what is set for this chat; in a group by admins only"},
    {.name = NULL},
};

const struct command command_queue = {
    .name = "queue",
    .role = ACCESS_USER,
    .takes = takes,
    .help = "choose what happens to messages while I answer",
    .run = run,
};
