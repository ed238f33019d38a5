#include "base/buf.h"
#include "bus/escape.h"
#include "bus/message.h"
#include "session/commands/command.h"

static const char *role_phrase(enum access_role role)
{
	static const char *const phrases[] = {[ACCESS_NONE] = "nobody",
	    [ACCESS_GUEST] = "a guest",
	    [ACCESS_USER] = "a user",
	    [ACCESS_ADMIN] = "an admin",
	    [ACCESS_OWNER] = "an owner and an admin"};

	return phrases[role];
}

static void run(struct task *t, struct command_call *call)
{
	const struct message *m = call->asked;
	char where[ADDRESS_TEXT_MAX];
	struct buf text = BUF_INIT;

	(void)t;
	if (m->sender_name)
		buf_addf(&text, "You are %s, id", m->sender_name);
	else
		buf_addstr(&text, "Your id is");
	buf_addf(&text, " \"%s\" on channel %s, and %s%s here.\nThis chat is %s (%s).", m->sender_id,
	    m->from.channel, m->sender_name ? "" : "you are ", role_phrase(call->role),
	    address_format(&m->from, where), chat_kind_name(m->chat_kind));
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

const struct command command_whoami = {
    .name = "whoami",
    .role = ACCESS_GUEST,
    .help = "show your id and your role",
    .run = run,
};
