#include "session/access/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "bus/quiet_hours.h"
#include "net/backoff.h"
#include "session/access/admins.h"
#include "session/session_internal.h"
#include "store/grants.h"
#include "store/questions.h"

/* Characters shown of a name, which strangers choose. */
#define NAME_SIZE_MAX 40
/* Admins notified of one request. */
#define NOTICES_MAX 20

struct request {
	struct sessions *all;
	struct message *m;
	struct store_pairing *p;
	struct outbound **rows;
	size_t row_count, questions_from;
	struct store_question prompts[NOTICES_MAX];
	size_t question_count;
	char tokens[NOTICES_MAX][QUESTION_TOKEN_SIZE];
};

static void add_row(struct request *r, struct outbound *row)
{
	r->rows = xrealloc(r->rows, (r->row_count + 1) * sizeof(*r->rows));
	r->rows[r->row_count++] = row;
}

static void add_answer(struct request *r)
{
	struct buf text = BUF_INIT, id = BUF_INIT;

	escape_markdown(&id, r->p->person);
	buf_addf(&text,
	    "Hello, I am %s, an AI agent. I do not know you, so I cannot answer. Your id here is %s. If you "
	    "know who runs me, tell them this code: `%s`. It is good for an hour, or less while very many "
	    "ask: an admin who "
	    "writes `/pair %s` lets you in.",
	    r->all->options.agent->name, id.data, r->p->code, r->p->code);
	char *own = bus_own_text(r->all->options.agent->bus, &r->m->from, text.data);
	struct outbound *row = outbound_new(&r->m->from, OUTBOUND_REPLY, own);
	row->key = xasprintf("inbound:%lld", (long long)r->m->id);
	row->reply_to = xstrdup(r->m->message_id);
	add_row(r, row);
	free(own);
	buf_clear(&id);
	buf_clear(&text);
}

static char *notice_text(const struct store_pairing *p)
{
	const char *name = p->name ? p->name : "";
	size_t len = strlen(name), cut = utf8_cut(name, len, NAME_SIZE_MAX, UTF8_BYTES);
	struct buf plain = BUF_INIT, text = BUF_INIT;

	buf_addf(&plain, "Someone I do not know wrote to me on %s: id %s, who calls themselves \"%.*s%s\".",
	    p->where.channel, p->person, (int)cut, name, cut < len ? "…" : "");
	escape_markdown(&text, plain.data);
	buf_addf(&text,
	    " Their code is `%s`: ask them for it, names can be copied. It is good for an hour, or less "
	    "while "
	    "very many ask; `/pair %s` lets them in, too.",
	    p->code, p->code);
	buf_clear(&plain);
	return buf_take(&text);
}

/* One for each address, but none during quiet hours: the code would expire before anyone reads it. */
static void add_notice(struct request *r, const struct address *to, const char *text)
{
	struct bus *bus = r->all->options.agent->bus;
	const struct channel *ch = bus_channel(bus, to->channel);
	size_t i = r->question_count;

	if (!ch || !(ch->ops->caps & CHANNEL_BUTTONS) || i == NOTICES_MAX ||
	    quiet_hours_ask(bus, to) > clock_wall())
		return;
	char *own = bus_own_text(bus, to, text);
	struct outbound *row = outbound_new(to, OUTBOUND_NOTIFICATION, own);
	free(own);
	row->key = xasprintf("report:pairing:%lld/%zu", (long long)r->m->id, i);
	question_token(r->tokens[i]);
	row->buttons = question_buttons(&question_pair, r->tokens[i]);
	add_row(r, row);
	r->prompts[r->question_count++] = (struct store_question){.where = row->to,
	    .expires_ms = r->p->expires_ms,
	    .token = r->tokens[i],
	    .person = (char *)(uintptr_t) "",
	    .action = (char *)(uintptr_t)question_pair.name,
	    .data = r->p->code};
}

static void add_notices(struct request *r)
{
	struct address to[NOTICES_MAX];
	const char *channel = r->m->from.channel;
	size_t count =
	    pairing_is_crowded(r->all, channel) ? 0 : admins_find(r->all, channel, to, NOTICES_MAX);
	char *text = notice_text(r->p);

	r->questions_from = r->row_count;
	for (size_t i = 0; i < count; i++)
		add_notice(r, &to[i], text);
	free(text);
}

static int commit(struct task *t, struct request *r, struct error *err)
{
	struct store_access_change c = {.inbound = r->m->id,
	    .why = "a stranger, who got a code",
	    .new_request = r->p,
	    .rows = r->rows,
	    .row_count = r->row_count,
	    .questions = r->prompts,
	    .question_count = r->question_count,
	    .questions_from = r->questions_from};

	return store_access_commit(t, r->all->options.agent->store, &c, err);
}

static void committed(struct request *r)
{
	for (size_t i = 0; i < r->row_count; i++)
		bus_wake(r->all->options.agent->bus, &r->rows[i]->to);
	if (r->all->watch)
		task_wake(r->all->watch);
	log_info("access", "a stranger got a code id=\"%s\" channel=%s told=%zu", r->p->person,
	    r->p->where.channel, r->question_count);
}

static void ask_task(struct task *t, void *arg)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct request *r = arg;
	struct error err = {0};
	int rc;

	add_answer(r);
	add_notices(r);
	while ((rc = commit(t, r, &err)) < 0 && err.kind != ERROR_REFUSED && task_check(t, NULL) == 0) {
		log_error("access", "cannot record that a stranger asks, trying again: %s", err.text);
		task_sleep(t, backoff_next(&wait), NULL);
	}
	if (rc == 0)
		committed(r);
	else
		pairing_forget(r->all, r->p->code);
	bus_rows_free(r->rows, r->row_count);
	store_pairing_free(r->p);
	message_free(r->m);
	free(r);
}

void pairing_request(struct sessions *all, struct message *m)
{
	struct request *r = xcalloc(1, sizeof(*r));

	r->all = all;
	r->m = m;
	r->p = store_pairing_copy(pairing_reserve(all, m));
	task_start(&all->tasks, "pairing", ask_task, r);
}
