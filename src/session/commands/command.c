#include "session/commands/command.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "agent/budget.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "net/backoff.h"
#include "session/direct_reply.h"
#include "session/session_internal.h"

/* Characters shown of an unknown name, which anyone can make up. */
#define COMMAND_NAME_SHOWN 32

extern const struct command command_allow, command_approve, command_broadcast, command_budget,
    command_channels, command_compact, command_deny, command_doctor, command_help, command_instructions,
    command_log, command_memory, command_model, command_models, command_new, command_pair, command_prompt,
    command_queue, command_reject, command_reload, command_remind, command_restart, command_retry,
    command_role, command_send, command_sessions, command_skills, command_start, command_status, command_stop,
    command_tools, command_undo, command_usage_tokens, command_version, command_whoami;

const struct command *const commands[] = {
    &command_allow,
    &command_approve,
    &command_broadcast,
    &command_budget,
    &command_channels,
    &command_compact,
    &command_deny,
    &command_doctor,
    &command_help,
    &command_instructions,
    &command_log,
    &command_memory,
    &command_model,
    &command_models,
    &command_new,
    &command_pair,
    &command_prompt,
    &command_queue,
    &command_reject,
    &command_reload,
    &command_remind,
    &command_restart,
    &command_retry,
    &command_role,
    &command_send,
    &command_sessions,
    &command_skills,
    &command_start,
    &command_status,
    &command_stop,
    &command_tools,
    &command_undo,
    &command_usage_tokens,
    &command_version,
    &command_whoami,
    NULL,
};

static const struct channel_argument nothing[] = {{.name = NULL}};

static const struct channel_argument *menu_arguments(const struct command *c)
{
	return c->takes || c->arguments ? c->takes : nothing;
}

struct channel_command *command_menu(void)
{
	struct channel_command *menu = xcalloc(ARRAY_LEN(commands), sizeof(*menu));

	for (size_t i = 0; commands[i]; i++)
		menu[i] = (struct channel_command){.name = commands[i]->name,
		    .help = commands[i]->help,
		    .admin = commands[i]->role >= ACCESS_ADMIN,
		    .arguments = menu_arguments(commands[i])};
	return menu;
}

bool command_is(const char *text)
{
	return text[0] == '/' && isalpha((unsigned char)text[1]);
}

/* "/stop@my_bot now": returns the length of "stop", and where the arguments begin. */
static size_t command_name(const char *text, const char **args)
{
	size_t len = strcspn(text + 1, "@ \t\r\n");

	*args = text + 1 + strcspn(text + 1, " \t\r\n");
	*args += strspn(*args, " \t\r\n");
	return len;
}

const struct command *command_find(const char *name, size_t len)
{
	for (size_t i = 0; commands[i]; i++)
		if (strlen(commands[i]->name) == len && strncasecmp(commands[i]->name, name, len) == 0)
			return commands[i];
	return NULL;
}

bool command_is_stop(const char *text)
{
	const char *args;

	return command_find(text + 1, command_name(text, &args)) == &command_stop;
}

void command_usage(const struct command *c, struct buf *out)
{
	buf_addf(out, "/%s", c->name);
	if (c->takes)
		arguments_usage(c->takes, out);
	else if (c->arguments)
		buf_addf(out, " %s", c->arguments);
}

static bool read_arguments(const struct command *c, struct command_call *call)
{
	if (!c->takes) {
		bool fits = c->arguments || c->ignores_words || !*call->args;
		if (!fits)
			buf_addf(call->reply, "/%s takes no arguments.", c->name);
		return fits;
	}
	if (arguments_read(c->takes, call->args, call->values, call->reply) == 0)
		return true;
	buf_addstr(call->reply, " Write ");
	command_usage(c, call->reply);
	return false;
}

static void unknown_command(struct buf *out, const char *name, int len)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "There is no command /%.*s. /help lists them.", len, name);
	escape_markdown(out, text.data);
	buf_clear(&text);
}

struct budget_spender command_spender(const struct command_call *call, struct store_usage *spent)
{
	const struct message *asked = call->asked;

	return (struct budget_spender){.agent = call->all->options.agent,
	    .chat = &asked->from,
	    .person = asked->sender_is_chat ? NULL : asked->sender_id,
	    .spent = spent,
	    .role = call->role >= ACCESS_ADMIN ? BUDGET_ADMIN :
		call->role <= ACCESS_GUEST     ? BUDGET_GUEST :
						 BUDGET_USER};
}

void command_explain_role(const char *name, enum access_role need, enum access_role role, struct buf *out)
{
	if (role >= need)
		buf_addf(out,
		    "/%s reaches beyond this chat: it is for admins of the channel, not of one group.", name);
	else if (need >= ACCESS_ADMIN)
		buf_addf(out, "/%s is for admins. Ask one of them.", name);
	else
		buf_addf(out, "/%s is not for guests. An admin can make you a user.", name);
}

void command_dispatch(struct task *t, struct command_call *call)
{
	const char *name = call->asked->text + 1;
	size_t len = command_name(call->asked->text, &call->args);
	int shown = (int)utf8_cut(name, len, COMMAND_NAME_SHOWN, UTF8_BYTES);
	const struct command *c = command_find(name, len);

	call->channel_role = sessions_channel_role(call->all, call->asked);
	log_info("command", "name=%.*s known=%s by=\"%s\" inbound=%lld", shown, name, c ? "yes" : "no",
	    call->asked->sender_id, (long long)call->asked->id);
	if (!c)
		unknown_command(call->reply, name, shown);
	else if (call->role < c->role || (c->channel_wide && call->channel_role < c->role))
		command_explain_role(c->name, c->role, call->role, call->reply);
	else if (read_arguments(c, call))
		c->run(t, call);
	arguments_clear(call->values);
}

static int commit_until_stored(struct task *t, const struct message *asked, struct outbound *const *rows,
    size_t count, const struct command_change *effect, struct error *err)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	int rc;

	while ((rc = effect->commit(t, effect->arg, asked->id, rows, count, err)) < 0 &&
	    err->kind != ERROR_REFUSED) {
		if (task_check(t, NULL) < 0)
			break;
		log_error("command", "cannot record what a command does, trying again: %s inbound=%lld",
		    err->text, (long long)asked->id);
		if (task_sleep(t, backoff_next(&wait), NULL) < 0)
			break;
	}
	return rc;
}

int command_commit(struct task *t, struct command_call *call, const char *text,
    const struct command_change *effect, struct error *err)
{
	struct bus *bus = call->all->options.agent->bus;
	struct message *asked = call->asked;
	size_t count = 0;
	struct outbound **rows = direct_reply_outbound(call->all, asked, text, &count, err);
	int rc = rows ? commit_until_stored(t, asked, rows, count, effect, err) : -1;

	bus_rows_free(rows, count);
	if (rc < 0)
		return -1;
	bus_wake(bus, &asked->from);
	message_free(asked);
	call->asked = NULL;
	return 0;
}
