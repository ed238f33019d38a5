#include "session/commands/broadcast_send.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/escape.h"
#include "bus/post.h"
#include "session/approval/question.h"
#include "session/session_internal.h"
#include "store/questions.h"

/* Wait for all outcomes; later ones are in the log and the status. */
#define WAIT_MS 10000
/* Lines shown of one kind; the others are counted. */
#define LINES_MAX 30

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
	else if (reason)
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
	size_t sent = 0, told = 0;

	for (size_t i = 0; i < p->count; i++)
		sent += post_state(&p->items[i]) == OUTBOUND_SENT;
	buf_addf(out, "Sent to %zu of %zu.\n", sent, p->count);
	for (size_t k = 0; k < ARRAY_LEN(order); k++)
		for (size_t i = 0; i < p->count; i++)
			if (post_state(&p->items[i]) == order[k] && told++ < LINES_MAX)
				add_line(out, &p->items[i]);
	if (told > LINES_MAX)
		buf_addf(out, "\n- and %zu more", told - LINES_MAX);
}

void broadcast_send(struct task *t, struct post *p, struct buf *reply)
{
	struct error err = {0};

	/* A failed commit shows in the results. */
	if (post_commit(t, p, &err) == 0)
		post_await(t, p, WAIT_MS);
	add_results(reply, p);
}

void broadcast_list(const struct post *p, struct buf *out)
{
	char to[ADDRESS_TEXT_MAX];

	for (size_t i = 0; i < p->count && i < LINES_MAX; i++) {
		buf_addstr(out, "\n- ");
		escape_markdown(out, address_format(&p->items[i].to, to));
	}
	if (p->count > LINES_MAX)
		buf_addf(out, "\n- and %zu more", p->count - LINES_MAX);
}

char *broadcast_encode(const struct post *p)
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

int broadcast_decode(struct post *p, const char *data, char **text, struct error *err)
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
static void run(struct task *t, struct sessions *all, const struct store_question *prompt, struct buf *reply)
{
	char *key = xasprintf("prompt:%lld", (long long)prompt->id), *text = NULL;
	struct post p = {.bus = all->options.agent->bus, .key = key};
	struct error err = {0};

	if (strcmp(prompt->choice, "send") != 0)
		buf_addstr(reply, "Nothing was sent.");
	else if (broadcast_decode(&p, prompt->data, &text, &err) == 0)
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
    .choices = choices,
    .run = run,
};
