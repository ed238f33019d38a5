#include "session/commands/broadcast.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "bus/command_menu.h"
#include "bus/escape.h"
#include "bus/post.h"
#include "session/approval/question.h"
#include "session/commands/command.h"
#include "session/session_internal.h"
#include "store/questions.h"
#include "tools/tools.h"

/* How long a dry run offers to send. */
#define ASK_MS (10 * 60 * 1000)
/* Wait for all outcomes; later ones are in the log and the status. */
#define WAIT_MS 10000
/* Lines shown of one kind; the others are counted. */
#define LINES_MAX 30

enum { DRY_RUN, TARGET, TEXT };

static void add_line(struct buf *out, const struct post_recipient *item)
{
	enum outbound_state state = post_state(item);
	const char *reason = item->row ? item->row->reason : item->why;
	const char *id = state == OUTBOUND_SENT ? item->row->platform_id : NULL;
	struct buf line = BUF_INIT;
	char to[ADDRESS_TEXT_MAX];

	buf_addf(&line, "%s: %s", address_format(&item->to, to), outbound_state_name(state));
	if (id)
		buf_addf(&line, ", message %s", id);
	if (reason)
		buf_addf(&line, ", %s", reason);
	buf_addstr(out, "\n- ");
	escape_markdown(out, line.data);
	buf_clear(&line);
}

/* Failures first. */
static void add_results(struct buf *out, const struct post *p)
{
	static const enum outbound_state order[] = {
	    OUTBOUND_FAILED, OUTBOUND_UNCERTAIN, OUTBOUND_QUEUED, OUTBOUND_SENT};
	size_t sent = 0, listed = 0;

	for (size_t i = 0; i < p->count; i++)
		sent += post_state(&p->items[i]) == OUTBOUND_SENT;
	buf_addf(out, "Sent to %zu of %zu.\n", sent, p->count);
	for (size_t k = 0; k < ARRAY_LEN(order); k++)
		for (size_t i = 0; i < p->count; i++)
			if (post_state(&p->items[i]) == order[k] && listed++ < LINES_MAX)
				add_line(out, &p->items[i]);
	if (listed > LINES_MAX)
		buf_addf(out, "\n- and %zu more", listed - LINES_MAX);
}

bool broadcast_has_reported(const struct outbound *row)
{
	bool ours =
	    row->key && (strncmp(row->key, "command:", 8) == 0 || strncmp(row->key, "prompt:", 7) == 0);

	return ours && clock_wall() - row->created_ms < WAIT_MS;
}

void broadcast_send(struct task *t, struct post *p, struct buf *reply)
{
	struct error err = {0};

	/* A failed commit shows in the results. */
	if (post_commit(t, p, &err) == 0)
		post_await(t, p, WAIT_MS);
	add_results(reply, p);
}

/* Appends the recipients, a line each. */
static void list(const struct post *p, struct buf *out)
{
	char to[ADDRESS_TEXT_MAX];

	for (size_t i = 0; i < p->count && i < LINES_MAX; i++) {
		buf_addstr(out, "\n- ");
		escape_markdown(out, address_format(&p->items[i].to, to));
	}
	if (p->count > LINES_MAX)
		buf_addf(out, "\n- and %zu more", p->count - LINES_MAX);
}

/* A post as the data of a question, malloc'd. */
static char *encode(const struct post *p)
{
	struct json_object *o = json_object_new_object(), *to = json_object_new_array();
	char where[ADDRESS_TEXT_MAX];

	for (size_t i = 0; i < p->count; i++)
		json_object_array_add(to, json_object_new_string(address_format(&p->items[i].to, where)));
	json_set_str(o, "text", p->text);
	json_set(o, "to", to);
	char *text = json_text(o);
	json_object_put(o);
	return text;
}

static int read_address(struct post *p, const char *text, struct error *err)
{
	struct address a;

	return address_parse(text, &a, err) < 0 ? -1 : post_add(p, &a, err);
}

/* And back: text and recipients into p, whose bus is set. The text is *text then, malloc'd. */
static int decode(struct post *p, const char *data, char **text, struct error *err)
{
	struct json_object *o = json_parse_object(data, strlen(data), err), *to = json_get_array(o, "to");
	int rc = o && to && json_get_str(o, "text") ? 0 : -1;

	*text = NULL;
	for (size_t i = 0; rc == 0 && i < json_object_array_length(to); i++)
		rc = read_address(p, json_object_get_string(json_object_array_get_idx(to, i)), err);
	if (rc == 0)
		p->text = *text = xstrdup(json_get_str(o, "text"));
	json_object_put(o);
	return rc;
}

static const struct question_choice choices[] = {
    {.name = "send", .label = "Send", .style = BUTTON_PRIMARY},
    {.name = "cancel", .label = "Cancel"},
    {.name = NULL},
};

/* The key is the same when a crash makes the action run again, which then finds what was sent. */
static void run_choice(
    struct task *t, struct sessions *all, const struct store_question *prompt, struct buf *reply)
{
	char *key = xasprintf("prompt:%lld", (long long)prompt->id), *text = NULL;
	struct post p = {.bus = all->options.agent->bus, .key = key};
	struct error err = {0};

	if (strcmp(prompt->choice, "send") != 0)
		buf_addstr(reply, "Nothing was sent.");
	else if (decode(&p, prompt->data, &text, &err) == 0)
		broadcast_send(t, &p, reply);
	else
		buf_addf(reply, "Nothing was sent: %s", err.text);
	post_clear(&p);
	free(text);
	free(key);
}

const struct question_kind question_broadcast = {
    .name = "broadcast",
    .role = ACCESS_ADMIN,
    .channel_wide = true,
    .choices = choices,
    .run = run_choice,
};

static void reply_escaped(struct buf *reply, const char *text)
{
	escape_markdown(reply, text);
}

/* Shows the recipients, with a button that sends. */
static void ask(struct task *t, struct command_call *call, const struct post *p)
{
	struct buf text = BUF_INIT;
	struct error err = {0};
	char *data = encode(p);

	buf_addf(&text, "This would go to %zu address%s:\n", p->count, p->count == 1 ? "" : "es");
	list(p, &text);
	struct question_request q = {.action = &question_broadcast,
	    .asked = call->asked,
	    .data = data,
	    .text = text.data,
	    .ms = ASK_MS};
	if (!question_is_possible(call->all, call->asked)) {
		buf_addstr(call->reply, text.data);
	} else if (question_ask(t, call->all, &q, &err) < 0) {
		reply_escaped(call->reply, err.text);
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
	/* The key is the same when a crash makes the command run again, which then finds what was sent. */
	char *key = xasprintf("command:%lld", (long long)call->asked->id);
	struct post p = {.bus = agent->bus, .key = key, .text = call->values[TEXT]};
	struct error err = {0};

	if (post_add_named(&p, tools_targets(agent->tools), call->values[TARGET], &err) < 0)
		reply_escaped(call->reply, err.text);
	else if (call->values[DRY_RUN])
		ask(t, call, &p);
	else
		broadcast_send(t, &p, call->reply);
	post_clear(&p);
	free(key);
}

static const struct channel_argument takes[] = {
    {.name = "dry-run", .kind = CHANNEL_ARGUMENT_FLAG, .help = "show first who would get it, and ask"},
    {.name = "target", .required = true, .help = "the name of a target, or an address"},
    {.name = "text", .kind = CHANNEL_ARGUMENT_TEXT, .required = true, .help = "what to say"},
    {.name = NULL},
};

const struct command command_broadcast = {
    .name = "broadcast",
    .role = ACCESS_ADMIN,
    .channel_wide = true,
    .takes = takes,
    .help = "send a text to all chats of a target",
    .run = run,
};
