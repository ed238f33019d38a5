#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "bus/message.h"
#include "session/approval/question.h"
#include "session/commands/command.h"
#include "session/commands/grant.h"
#include "session/access/pairing.h"
#include "session/session_internal.h"
#include "store/grants.h"
#include "store/questions.h"

#define NAME_SIZE_MAX 40
/* Of more requests it lists the newest. */
#define LISTED_MAX 20

#define EXPIRED_TEXT "This code has expired."

enum { CODE, ROLE };

static const struct store_pairing *next_own(const struct command_call *call, const struct store_pairing *p)
{
	while ((p = pairing_next(call->all, p)) && grant_sender_role(call, p->where.channel) < ACCESS_ADMIN)
		;
	return p;
}

static void list(const struct command_call *call)
{
	struct buf text = BUF_INIT;
	size_t count = 0;

	for (const struct store_pairing *p = NULL; (p = next_own(call, p));)
		count++;
	if (count > LISTED_MAX)
		buf_addf(&text, "%zu strangers ask. The newest:\n", count);
	for (const struct store_pairing *p = NULL; (p = next_own(call, p));) {
		const char *name = p->name ? p->name : "";
		if (count-- > LISTED_MAX)
			continue;
		buf_addf(&text, "- %s: id %s on %s, who calls themselves \"%.*s\", for %lld more minutes\n",
		    p->code, p->person, p->where.channel,
		    (int)utf8_cut(name, strlen(name), NAME_SIZE_MAX, UTF8_BYTES), name,
		    (long long)((p->expires_ms - clock_wall()) / 60000));
	}
	escape_markdown(call->reply, text.len > 0 ? text.data : "Nobody asks to be let in.");
	buf_clear(&text);
}

static void admit(struct task *t, struct command_call *call, const char *code, enum access_role role)
{
	const struct store_pairing *p = pairing_find(call->all, code);
	enum access_role sender_role = p ? grant_sender_role(call, p->where.channel) : ACCESS_NONE;
	char *by = xasprintf("%s:%s", call->asked->from.channel, call->asked->sender_id);

	if (!pairing_may_guess(call->all, call->asked)) {
		buf_addstr(
		    call->reply, "Too many wrong codes. Wait ten minutes; /pair lists the right ones.");
	} else if (sender_role < ACCESS_ADMIN) {
		pairing_guess_failed(call->all, call->asked);
		buf_addstr(
		    call->reply, "There is no such code, or it has expired. /pair lists the valid ones.");
	} else if (role > sender_role) {
		buf_addstr(call->reply, "You cannot give a role above your own.");
	} else if (pairing_decide(t, call->all, p, role, by, call->asked, call->reply) <= 0) {
		message_free(call->asked);
		call->asked = NULL;
	}
	free(by);
}

static void run(struct task *t, struct command_call *call)
{
	enum access_role role = ACCESS_USER;

	if (call->values[ROLE])
		access_role_parse(call->values[ROLE], &role);
	if (!call->values[CODE])
		list(call);
	else
		admit(t, call, call->values[CODE], role);
}

static const struct channel_argument takes[] = {
    {.name = "code", .help = "which the stranger was given; none: lists who asks to be let in"},
    {.name = "role", .choices = access_roles, .help = "what they may do: user, when left out"},
    {.name = NULL},
};

const struct command command_pair = {
    .name = "pair",
    .role = ACCESS_ADMIN,
    .takes = takes,
    .help = "let in a stranger by the code that I gave them",
    .run = run,
};

/* An admin of one group alone admits nobody. The notice may be on another channel than the stranger. */
static const char *refuse(const struct sessions *all, const struct store_question *q, const struct message *m,
    enum access_role role)
{
	const struct store_pairing *p = pairing_find(all, q->data);

	(void)role;
	if (!p)
		return EXPIRED_TEXT;
	return grant_role(all, m, p->where.channel) >= ACCESS_ADMIN ?
	    NULL :
	    "Only an admin of the stranger's whole channel, or an owner, decides that.";
}

static void press(struct task *t, struct sessions *all, const struct store_question *q, struct buf *reply)
{
	static const struct {
		const char *choice;
		enum access_role role;
	} roles[] = {{"guest", ACCESS_GUEST}, {"user", ACCESS_USER}};
	const struct store_pairing *p = pairing_find(all, q->data);
	enum access_role role = ACCESS_NONE;

	for (size_t i = 0; i < ARRAY_LEN(roles); i++)
		if (strcmp(roles[i].choice, q->choice) == 0)
			role = roles[i].role;
	if (!p) {
		buf_addstr(reply, EXPIRED_TEXT);
		return;
	}
	char *by = xasprintf("%s:%s", q->where.channel, q->decider);
	pairing_decide(t, all, p, role, by, NULL, reply);
	free(by);
}

static const struct question_choice choices[] = {
    {"user", "Let in", BUTTON_PRIMARY},
    {"guest", "As a guest", BUTTON_PLAIN},
    {"refuse", "Refuse", BUTTON_DANGER},
    {0},
};

const struct question_kind question_pair = {
    .name = STORE_PAIRING_ACTION, .role = ACCESS_ADMIN, .choices = choices, .refuse = refuse, .run = press};
