#include "session/commands/grant.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "session/access/grant_change.h"
#include "session/access/grants.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/grants.h"

/* Length of an id; the platforms' ids have some twenty characters. */
#define PERSON_MAX 64
/* Bytes shown of a name, which people choose themselves. */
#define NAME_SHOWN 40

static const struct access_settings *settings_of(const struct sessions *all, const char *channel)
{
	return all->options.access(all->options.arg, channel);
}

enum access_role grant_role(const struct sessions *all, const struct message *m, const char *channel)
{
	enum access_role own = sessions_channel_role(all, m);

	return own == ACCESS_OWNER || strcmp(channel, m->from.channel) == 0 ? own : ACCESS_NONE;
}

enum access_role grant_sender_role(const struct command_call *call, const char *channel)
{
	return grant_role(call->all, call->asked, channel);
}

void grant_subject_clear(struct grant_subject *who)
{
	free(who->person);
	free(who->name);
	who->person = who->name = NULL;
}

bool grant_answers_person(const struct command_call *call)
{
	const struct message *m = call->asked;

	return m->reply_sender_id && strcmp(m->reply_sender_id, m->sender_id) != 0;
}

void grant_move_role(const struct command_call *call, char **who, char **role)
{
	enum access_role any;

	if (!*who || *role || !grant_answers_person(call) || access_role_parse(*who, &any) < 0)
		return;
	*role = *who;
	*who = NULL;
}

/* Accepts a mention: "<@U07|Ann>", "<@U07>" and "@U07" are "U07". */
static void read_person(struct grant_subject *who, const char *word)
{
	word += *word == '<';
	word += *word == '@';
	word += *word == '!';
	size_t len = strcspn(word, "|>");

	who->person = xstrndup(word, len);
	if (word[len] == '|')
		who->name = xstrndup(word + len + 1, strcspn(word + len + 1, ">"));
}

static bool is_person_id(const char *id)
{
	size_t len = strlen(id);

	return len > 0 && len <= PERSON_MAX && strcspn(id, "*:/\"\\ \t\r\n") == len && *id != '-';
}

static void read_subject(const struct command_call *call, const char *word, struct grant_subject *who)
{
	const struct message *m = call->asked;
	const char *colon = word && *word != '<' ? strchr(word, ':') : NULL;
	char *channel = colon ? xstrndup(word, (size_t)(colon - word)) : xstrdup(m->from.channel);

	str_copy(who->channel, sizeof(who->channel), channel);
	free(channel);
	if (word) {
		read_person(who, colon ? colon + 1 : word);
	} else {
		who->person = xstrdup(m->reply_sender_id);
		who->name = xstrdup(m->reply_sender_name);
	}
	who->sender_role = grant_sender_role(call, who->channel);
}

static void explain_id(struct buf *reply, const struct channel *ch, const char *why)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s%s%s", why, ch && ch->ops->person_mention_help ? " " : "",
	    ch && ch->ops->person_mention_help ? ch->ops->person_mention_help : "");
	escape_markdown(reply, text.data);
	buf_clear(&text);
}

bool grant_subject_read(const struct command_call *call, const char *word, struct grant_subject *who)
{
	struct error err = {0};

	read_subject(call, word, who);
	const struct access_settings *s = settings_of(call->all, who->channel);
	const struct channel *ch = bus_channel(call->all->options.agent->bus, who->channel);
	if (!s)
		buf_addstr(call->reply, "There is no such channel. /status lists them.");
	else if (s->operator)
		buf_addstr(call->reply,
		    "Whoever is at this terminal is the operator. Write CHANNEL:ID for a person elsewhere.");
	else if (ch && channel_check_person(ch->ops, who->person, &err) < 0)
		explain_id(call->reply, ch, err.text);
	else if (!is_person_id(who->person))
		explain_id(
		    call->reply, ch, "That is not a person's id. Ids are what /whoami shows, not names.");
	else if (who->sender_role < ACCESS_ADMIN)
		buf_addstr(call->reply,
		    "You may decide about that channel only if the settings of yours name you in owners, or "
		    "in its admins.");
	else
		return true;
	return false;
}

enum access_role grant_subject_role(const struct sessions *all, const char *channel, const char *person)
{
	const struct access_settings *s = settings_of(all, channel);
	enum access_role role = s ? access_role_configured(s, person) : ACCESS_NONE;

	if (role == ACCESS_NONE)
		grants_role(all->grants, channel, person, true, &role);
	return role;
}

/* Returns why the change is not allowed; NULL: it is. */
static const char *refusal(const struct sessions *all, const struct grant_subject *who, enum access_role role)
{
	const struct access_settings *s = settings_of(all, who->channel);

	if (access_role_configured(s, who->person) != ACCESS_NONE)
		return "The settings of the channel name that id, and they take precedence over commands. "
		       "Change it there.";
	if (role > who->sender_role || grant_subject_role(all, who->channel, who->person) > who->sender_role)
		return "You cannot give or take a role above your own.";
	return NULL;
}

void grant_subject_add(struct buf *out, const struct grant_subject *who)
{
	if (who->name && *who->name)
		buf_addf(out, "%.*s (%s)",
		    (int)utf8_cut(who->name, strlen(who->name), NAME_SHOWN, UTF8_BYTES), who->name,
		    who->person);
	else
		buf_addstr(out, who->person);
}

static void describe(struct buf *out, const struct grant_subject *who, enum access_role role)
{
	struct buf text = BUF_INIT;

	grant_subject_add(&text, who);
	if (role == ACCESS_NONE)
		buf_addf(&text, " may not talk to me on %s any more.", who->channel);
	else
		buf_addf(&text, " is %s %s on %s now.", role == ACCESS_ADMIN ? "an" : "a",
		    access_role_name(role), who->channel);
	escape_markdown(out, text.data);
	buf_clear(&text);
}

void grant_change_apply(
    struct task *t, struct command_call *call, const struct grant_subject *who, enum access_role role)
{
	const char *why = refusal(call->all, who, role);
	char *by = xasprintf("%s:%s", call->asked->from.channel, call->asked->sender_id);
	struct store_grant grant = {.person = who->person, .role = role, .by = by};
	struct buf reply = BUF_INIT;

	if (why) {
		escape_markdown(call->reply, why);
	} else {
		str_copy(grant.channel, sizeof(grant.channel), who->channel);
		describe(&reply, who, role);
		grant_change_commit(t, call->all,
		    &(struct grant_change){.asked = call->asked, .reply = reply.data, .grant = &grant});
		message_free(call->asked);
		call->asked = NULL;
	}
	buf_clear(&reply);
	free(by);
}

static void list_ids(struct buf *out, const struct config_strings *ids, const char *role)
{
	for (size_t i = 0; i < ids->count; i++)
		buf_addf(out, "- %s: %s, by the settings\n",
		    strcmp(ids->items[i], "*") == 0 ? "everybody" : ids->items[i], role);
}

/* Adds nothing for a channel without people. */
static void list_channel(
    const struct command_call *call, const char *channel, bool only_denied, struct buf *out)
{
	const struct access_settings *s = settings_of(call->all, channel);
	const struct grants *g = call->all->grants;
	struct buf lines = BUF_INIT;

	if (s && !only_denied) {
		list_ids(&lines, &s->owners, "owner");
		list_ids(&lines, &s->admins, "admin");
		list_ids(&lines, &s->allow, "user");
		list_ids(&lines, &s->guests, "guest");
	}
	for (size_t i = 0; i < g->count; i++) {
		const struct store_grant *it = g->items[i];
		if (strcmp(it->channel, channel) == 0 && (it->role == ACCESS_NONE) == only_denied)
			buf_addf(&lines, "- %s: %s%s, by %s\n", it->person,
			    it->role == ACCESS_NONE ? "denied" : access_role_name((enum access_role)it->role),
			    it->private_only ? " in private" : "", it->by);
	}
	if (lines.len > 0)
		buf_addf(out, "%s:\n%s", channel, lines.data);
	buf_clear(&lines);
}

void grant_list(const struct command_call *call, bool only_denied)
{
	struct bus *bus = call->all->options.agent->bus;
	struct buf text = BUF_INIT;

	for (struct channel *ch = NULL; (ch = bus_next_channel(bus, ch));) {
		const struct access_settings *s = settings_of(call->all, ch->name);
		if (s && !s->operator&& grant_sender_role(call, ch->name) >= ACCESS_ADMIN)
			list_channel(call, ch->name, only_denied, &text);
	}
	if (text.len == 0)
		buf_addstr(&text, only_denied ? "Nobody is denied." : "Nobody has a role.");
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}
