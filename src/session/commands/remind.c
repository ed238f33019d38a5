#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/zone.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "bus/command_menu.h"
#include "session/direct_reply.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/schedules.h"
#include "tools/reminders/reminders.h"
#include "tools/reminders/schedule.h"

#define SHOWN_CHARS 80
#define LINES_MAX   30
#define HOW_TEXT                                                                                         \
	"Write /remind add in 20 min TEXT, /remind add at 18:00 TEXT, /remind add at 2026-12-24T18:00 "  \
	"TEXT, /remind add every 2 h TEXT, /remind add every monday at 9 TEXT "                          \
	"or /remind add cron 30 8 * * mon-fri TEXT. Before TEXT, zone Europe/Berlin names another time " \
	"zone."

enum { ACTION, REST };

static struct reminders_user user_of(const struct command_call *call)
{
	const struct message *m = call->asked;
	const struct agent *agent = call->all->options.agent;

	return (struct reminders_user){.store = agent->store,
	    .settings = tools_reminders(agent->tools),
	    .where = &m->from,
	    .chat_kind = m->chat_kind,
	    .chat_title = m->chat_title,
	    .name = m->sender_name,
	    .person = m->sender_is_chat ? NULL : m->sender_id,
	    .admin = call->role >= ACCESS_ADMIN};
}

/* Replies with an error text as a sentence, escaped since it may quote others. */
static void say(struct command_call *call, const char *text)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "%c%s.", toupper((unsigned char)text[0]), text + 1);
	escape_markdown(call->reply, out.data);
	buf_clear(&out);
}

static void add_next(struct task *t, struct buf *out, const struct store_schedule *e)
{
	struct zone *z = schedule_zone(t, e->zone, NULL);

	if (e->paused)
		buf_addstr(out, "paused");
	else if (z)
		schedule_add_time(out, e->next_ms, z);
	zone_free(z);
}

/* Commits the change together with its answer and the end of the command. */
static void commit(struct task *t, struct command_call *call, const struct store_schedule *before,
    const struct store_schedule *after, const char *plain)
{
	const struct agent *agent = call->all->options.agent;
	struct error err = {0};
	struct buf text = BUF_INIT;
	size_t count = 0;

	escape_markdown(&text, plain);
	struct outbound **rows = direct_reply_outbound(call->all, call->asked, text.data, &count, &err);
	const struct store_schedule_step step = {.before = before,
	    .after = after,
	    .max_per_chat = tools_reminders(agent->tools)->most,
	    .inbound = call->asked->id,
	    .why = "command",
	    .rows = rows,
	    .row_count = count};
	if (rows && store_schedule_commit(t, agent->store, &step, NULL, &err) == 0) {
		bus_wake(agent->bus, &call->asked->from);
		message_free(call->asked);
		call->asked = NULL;
	} else {
		say(call, err.text);
	}
	bus_rows_free(rows, count);
	buf_clear(&text);
}

/* Takes this many words from *at, malloc'd. */
static char *take_words(const char **at, int count)
{
	const char *begin = *at += strspn(*at, " \t\n"), *end = begin;

	for (; count > 0 && **at; count--) {
		end = *at + strcspn(*at, " \t\n");
		*at = end + strspn(end, " \t\n");
	}
	return xstrndup(begin, (size_t)(end - begin));
}

/* Takes the longest run of words that is a duration: "20 min", "2h30m", "1 h 30 min". */
static char *take_duration(const char **at)
{
	for (int words = 4; words > 0; words--) {
		const char *rest = *at;
		char *text = take_words(&rest, words);
		int64_t ms;
		/* In "20 people" the number is no duration, as more text follows. */
		bool is_one = schedule_duration(text, &ms) &&
		    (*rest == '\0' || text[strspn(text, "0123456789")] != '\0');
		if (is_one) {
			*at = rest;
			return text;
		}
		free(text);
	}
	return take_words(at, 1);
}

static bool is_date(const char *text)
{
	return strlen(text) == 10 && text[4] == '-' && text[7] == '-';
}

/* "18:00", "2026-12-24T18:00", "2026-12-24 18:00" */
static char *take_moment(const char **at)
{
	const char *rest = *at;
	char *text = take_words(&rest, 1);

	if (!is_date(text)) {
		*at = rest;
		return text;
	}
	free(text);
	return take_words(at, 2);
}

/* Takes "9", "9:30", "18:00", "9am" or "9:30 pm". */
static bool take_time_of_day(const char **at, int *hour, int *minute)
{
	const char *p = *at + strspn(*at, " \t\n");
	char *end;

	if (!isdigit((unsigned char)*p))
		return false;
	*hour = (int)strtol(p, &end, 10);
	*minute = 0;
	p = end;
	if (*p == ':' && isdigit((unsigned char)p[1])) {
		*minute = (int)strtol(p + 1, &end, 10);
		p = end;
	}
	const char *half = p + strspn(p, " ");
	if ((strncasecmp(half, "am", 2) == 0 || strncasecmp(half, "pm", 2) == 0) &&
	    !isalnum((unsigned char)half[2])) {
		if (*hour < 1 || *hour > 12)
			return false;
		*hour = *hour % 12 + (tolower((unsigned char)*half) == 'p' ? 12 : 0);
		p = half + 2;
	}
	*at = p + strspn(p, " \t\n");
	return *hour < 24 && *minute < 60 && (*p == '\0' || isspace((unsigned char)*p));
}

/* Takes "monday at 9", "weekday at 8:30", "day at 18:00" as a cron rule, malloc'd. NULL: it is none of these.
 */
static char *take_days(const char **at)
{
	static const struct {
		const char *name, *rule;
	} days[] = {{"day", "*"}, {"weekday", "1-5"}, {"weekend", "0,6"}, {"sunday", "0"}, {"monday", "1"},
	    {"tuesday", "2"}, {"wednesday", "3"}, {"thursday", "4"}, {"friday", "5"}, {"saturday", "6"}};
	const char *rest = *at, *rule = NULL;
	char *word = take_words(&rest, 1), *cron = NULL;
	int hour, minute;

	for (size_t i = 0; i < ARRAY_LEN(days); i++)
		if (strcasecmp(word, days[i].name) == 0 ||
		    (i >= 3 && strlen(word) == 3 && strncasecmp(word, days[i].name, 3) == 0))
			rule = days[i].rule;
	free(word);
	if (strncasecmp(rest, "at ", 3) == 0)
		rest += 3;
	if (rule && take_time_of_day(&rest, &hour, &minute)) {
		cron = xasprintf("%d %d * * %s", minute, hour, rule);
		*at = rest;
	}
	return cron;
}

/* Parses the text after "add": the kind of time, the time, maybe a zone. *text is the rest. */
static bool parse_request(
    const char *rest, struct schedule_request *request, char *values[2], const char **text)
{
	char *kind = take_words(&rest, 1);
	bool known = true;

	if (strcasecmp(kind, "in") == 0) {
		char *wait = take_duration(&rest);
		request->at = values[0] = xasprintf("in %s", wait);
		free(wait);
	} else if (strcasecmp(kind, "at") == 0) {
		request->at = values[0] = take_moment(&rest);
	} else if (strcasecmp(kind, "every") == 0) {
		values[0] = take_days(&rest);
		if (values[0])
			request->cron = values[0];
		else
			request->every = values[0] = take_duration(&rest);
	} else if (strcasecmp(kind, "cron") == 0) {
		request->cron = values[0] = take_words(&rest, rest[strspn(rest, " \t\n")] == '@' ? 1 : 5);
	} else {
		known = false;
	}
	free(kind);
	if (strncasecmp(rest, "zone ", 5) == 0) {
		rest += 5;
		request->zone = values[1] = take_words(&rest, 1);
	}
	*text = rest;
	return known;
}

static void add(struct task *t, struct command_call *call)
{
	const struct reminders_user u = user_of(call);
	struct schedule_request request = {0};
	char *values[2] = {NULL, NULL};
	struct error err = {0};
	struct buf plain = BUF_INIT;
	const char *text;

	if (!call->values[REST] || !parse_request(call->values[REST], &request, values, &text)) {
		escape_markdown(call->reply, HOW_TEXT);
	} else {
		struct store_schedule *e = reminder_new(t, &u, &request, text, &err);
		if (!e || store_schedule_reserve(t, u.store, &e->id, &err) < 0) {
			say(call, err.text);
			escape_markdown(call->reply, " " HOW_TEXT);
		} else {
			buf_addf(&plain, "Reminder %lld is set, next: ", (long long)e->id);
			add_next(t, &plain, e);
			buf_addch(&plain, '.');
			commit(t, call, NULL, e, plain.data);
		}
		store_schedule_free(e);
	}
	buf_clear(&plain);
	free(values[0]);
	free(values[1]);
}

static void add_line(struct task *t, struct buf *out, const struct store_schedule *e)
{
	size_t len = strlen(e->content), cut = utf8_cut(e->content, len, SHOWN_CHARS, UTF8_CHARS);
	struct zone *z = schedule_zone(t, e->zone, NULL);
	struct buf line = BUF_INIT;

	buf_addf(&line, "%lld: ", (long long)e->id);
	add_next(t, &line, e);
	if (z && e->at_ms == 0) {
		buf_addstr(&line, ", ");
		schedule_add_rule(&line, e, z);
	}
	if (e->missed > 0)
		buf_addf(&line, ", missed %lld", (long long)e->missed);
	if (e->note)
		buf_addf(&line, " (%s)", e->note);
	buf_addf(&line, " – %.*s%s", (int)cut, e->content, cut < len ? " …" : "");
	for (size_t i = 0; i < line.len; i++)
		line.data[i] = line.data[i] == '\n' ? ' ' : line.data[i];
	buf_addstr(out, "\n- ");
	escape_markdown(out, line.data);
	buf_clear(&line);
	zone_free(z);
}

static void list(struct task *t, struct command_call *call)
{
	struct store_schedule **entries;
	struct error err = {0};
	int count = store_schedules(t, call->all->options.agent->store, &call->asked->from, &entries, &err);

	if (count < 0) {
		say(call, err.text);
		return;
	}
	if (count == 0)
		escape_markdown(call->reply, "There are no reminders in this chat. " HOW_TEXT);
	else
		buf_addf(call->reply, "%d reminder%s in this chat:\n", count, count == 1 ? "" : "s");
	for (int i = 0; i < count && i < LINES_MAX; i++)
		add_line(t, call->reply, entries[i]);
	if (count > LINES_MAX)
		buf_addf(call->reply, "\n- and %d more", count - LINES_MAX);
	store_schedules_free(entries, count);
}

/* change -1 removes the reminder. */
static void change(struct task *t, struct command_call *call, int change)
{
	const struct reminders_user u = user_of(call);
	char *end, *text = call->values[REST];
	long long id = text ? strtoll(text, &end, 10) : 0;
	struct store_schedule *before = NULL, *after = NULL;
	struct error err = {0};
	struct buf plain = BUF_INIT;

	if (id <= 0 || *end != '\0') {
		escape_markdown(call->reply, "Say which one by its number: /remind lists them.");
		return;
	}
	before = reminder_find(t, &u, id, &err);
	if (before && change >= 0)
		after = reminder_changed(t, before, (enum reminder_change)change, &err);
	if (!before || (change >= 0 && !after)) {
		say(call, err.text);
	} else {
		buf_addf(&plain, "Reminder %lld is %s", id,
		    change < 0                   ? "removed" :
			change == REMINDER_PAUSE ? "paused" :
						   "set again, next: ");
		if (change == REMINDER_RESUME)
			add_next(t, &plain, after);
		buf_addch(&plain, '.');
		commit(t, call, before, after, plain.data);
	}
	store_schedule_free(before);
	store_schedule_free(after);
	buf_clear(&plain);
}

static void run(struct task *t, struct command_call *call)
{
	const char *action = call->values[ACTION];

	if (!action || strcmp(action, "list") == 0)
		list(t, call);
	else if (strcmp(action, "add") == 0)
		add(t, call);
	else if (strcmp(action, "pause") == 0)
		change(t, call, REMINDER_PAUSE);
	else if (strcmp(action, "resume") == 0)
		change(t, call, REMINDER_RESUME);
	else
		change(t, call, -1);
}

static const char *const actions[] = {"add", "list", "pause", "resume", "remove", NULL};

static const struct channel_argument takes[] = {
    {.name = "action",
	.choices = actions,
	.help = "what to do; without it the reminders of this chat are listed"},
    {.name = "what",
	.kind = CHANNEL_ARGUMENT_TEXT,
	.help = "in 20 min TEXT, at 18:00 TEXT, every 2 h TEXT, every monday at 9 TEXT; or a number"},
    {.name = NULL},
};

const struct command command_remind = {
    .name = "remind",
    .role = ACCESS_USER,
    .takes = takes,
    .help = "set, list and remove reminders",
    .run = run,
};
