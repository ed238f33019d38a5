#include "ops/reports.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fnv.h"
#include "base/time/clock.h"
#include "base/epoch.h"
#include "base/error.h"
#include "base/list.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "bus/bus.h"
#include "bus/escape.h"
#include "bus/post.h"
#include "bus/targets.h"
#include "ops/gateway_view.h"
#include "config/gateway_config.h"
#include "llm/provider_alerts.h"
#include "session/commands/broadcast.h"
#include "store/store.h"
#include "tools/prompt/files.h"

/* The message tool itself reports earlier outcomes. */
#define LATE_MS 4900
/* How far back a start looks for unreported failures. */
#define RESUME_MS (24 * 3600 * 1000)
/* Failures within this time share one report. */
#define GATHER_MS 1000
#define DAY_MS    (24 * 3600 * 1000)
/* Lines in one report; the others are counted. */
#define LINES_MAX 10
/* Maximum kept at a time; further ones appear in the log and the status alone. */
#define WAITING_MAX 1000
/* Characters of a text, to identify the message. */
#define BEGINNING_CHARS 60
/* Bytes shown of a configuration's errors; the log has all. */
#define MISTAKES_BYTES 1500
/* Reports are not reported on, which would never end. */
#define KEY_PREFIX "report:"

struct item {
	struct list link;
	struct outbound *row;
};

struct reports {
	struct gateway *gateway;
	struct list items;
	size_t count;
	struct task_group tasks;
	struct task *teller; /* NULL: nothing to report */
};

static bool has_failed(const struct outbound *row)
{
	return row->state == OUTBOUND_FAILED || row->state == OUTBOUND_UNCERTAIN;
}

/* Returns whether the outcome differs from what the agent was told. */
static bool is_news_for_agent(const struct outbound *row)
{
	if (row->turn == 0)
		return false;
	if (row->kind == OUTBOUND_REPLY)
		return has_failed(row);
	return clock_wall() - row->created_ms >= LATE_MS;
}

/* One delivery stands for a text in parts: the first that failed, or the last. */
static bool tells_the_whole(const struct outbound *row)
{
	if (row->state == OUTBOUND_SENT)
		return row->part == row->parts;
	return !row->reason || strcmp(row->reason, BUS_PART_LOST) != 0;
}

/* "telegram:5: failed, chat not found. It began: …" */
static void describe(struct buf *out, const struct outbound *row)
{
	size_t len = strlen(row->text), cut = utf8_cut(row->text, len, BEGINNING_CHARS, UTF8_CHARS);
	char to[ADDRESS_TEXT_MAX];

	buf_addf(out, "%s: %s", address_format(&row->to, to), outbound_state_name(row->state));
	if (has_failed(row) && row->reason)
		buf_addf(out, ", %s", row->reason);
	if (cut > 0)
		buf_addf(out, " (it began: %.*s%s)", (int)cut, row->text, cut < len ? " …" : "");
}

static void notify_agent(struct task *t, struct reports *r, const struct outbound *row)
{
	char *event = xasprintf("row:%lld", (long long)row->id);
	struct buf text = BUF_INIT;
	struct error err = {0};

	buf_addf(&text,
	    "What became of %s: ", row->kind == OUTBOUND_REPLY ? "your answer" : "a message that you sent");
	describe(&text, row);
	if (store_note_delivery(t, gateway_store(r->gateway), row->turn, event, text.data, &err) < 0 &&
	    !task_is_cancelled(t))
		log_error("reports", "cannot tell the agent what became of a message: %s row=%lld", err.text,
		    (long long)row->id);
	buf_clear(&text);
	free(event);
}

static void add_admin(struct post *p, const struct channel *ch, const char *id)
{
	char *chat = xasprintf("%s%s", ch->ops->person_chat, id);
	struct address a;

	if (strcmp(id, "*") != 0 && address_set(&a, ch->name, chat, NULL, NULL) == 0)
		post_add(p, &a, NULL);
	free(chat);
}

static void add_admins(struct post *p, struct gateway *g)
{
	for (struct channel *ch = NULL; (ch = bus_next_channel(gateway_bus(g), ch));) {
		for (size_t i = 0; i < ch->admin_count && ch->ops->person_chat; i++)
			add_admin(p, ch, ch->admins[i]);
	}
}

/* own: it quotes no text of a chat, in which a command stays as it was written. */
static void send_report(struct task *t, struct reports *r, const char *text, bool own, int64_t number)
{
	const struct gateway_config *config = gateway_config(r->gateway);
	char *key = xasprintf(KEY_PREFIX "%lld", (long long)number);
	struct post p = {.bus = gateway_bus(r->gateway), .text = text, .key = key, .own = own};
	struct error err = {0};

	if (config->top.reports && *config->top.reports)
		post_add_named(&p, &config->targets, config->top.reports, NULL);
	else if (!config->top.reports)
		add_admins(&p, r->gateway);
	if (p.count > 0 && post_commit(t, &p, &err) < 0)
		log_error("reports", "cannot tell the admins: %s", err.text);
	post_clear(&p);
	free(key);
}

static void notify_admins(struct task *t, struct reports *r, const struct list *items)
{
	struct buf text = BUF_INIT, line = BUF_INIT;
	int64_t first = 0;
	size_t n = 0;

	buf_addstr(&text, "Not delivered, or not known to be:\n");
	list_each(items, it, tmp) {
		const struct outbound *row = list_entry(it, struct item, link)->row;
		if (!has_failed(row))
			continue;
		first = n == 0 ? row->id : first;
		if (n++ >= LINES_MAX)
			continue;
		buf_reset(&line);
		describe(&line, row);
		buf_addstr(&text, "\n- ");
		escape_markdown(&text, line.data);
	}
	if (n > LINES_MAX)
		buf_addf(&text, "\n- and %zu more: see the log", n - LINES_MAX);
	if (n > 0)
		send_report(t, r, text.data, false, first);
	buf_clear(&line);
	buf_clear(&text);
}

static int64_t hash(const char *text)
{
	return (int64_t)(fnv_text(text) >> 1);
}

void reports_safe_mode(struct task *t, struct reports *r, const char *mistakes)
{
	struct buf text = BUF_INIT, shown = BUF_INIT;

	buf_add(&shown, mistakes, utf8_cut(mistakes, strlen(mistakes), MISTAKES_BYTES, UTF8_BYTES));
	buf_addstr(&text,
	    "Safe mode: the configuration is broken, so I started with the last good one. Correct it, then "
	    "/reload.\n\n");
	escape_markdown(&text, shown.data);
	/* Negative, because message ids are positive. */
	send_report(t, r, text.data, true, -hash(mistakes));
	buf_clear(&shown);
	buf_clear(&text);
}

struct trouble {
	struct reports *reports;
	char *text;
	int64_t number;
};

static void trouble_task(struct task *t, void *arg)
{
	struct trouble *x = arg;
	struct epoch *epoch = epoch_enter();

	task_shield(t);
	send_report(t, x->reports, x->text, true, x->number);
	task_unshield(t);
	epoch_leave(epoch);
	free(x->text);
	free(x);
}

/* once: the same key is reported one time, even over a restart. */
static void report_trouble(struct reports *r, const char *text, const char *once)
{
	struct trouble *x = xcalloc(1, sizeof(*x));
	struct buf shown = BUF_INIT;

	escape_markdown(&shown, text);
	x->reports = r;
	x->text = buf_take(&shown);
	x->number = -hash(once);
	task_start(&r->tasks, "report trouble", trouble_task, x);
}

static void on_alert(void *arg, const struct llm_provider *p, enum llm_alert trouble)
{
	struct buf text = BUF_INIT;
	char *once = xasprintf(
	    "%s of %s on day %lld", llm_alert_name(trouble), p->name, (long long)(clock_wall() / DAY_MS));

	llm_alert_describe(p, trouble, &text);
	report_trouble(arg, text.data, once);
	free(once);
	buf_clear(&text);
}

static void on_prompt_file_lost(void *arg, const char *name)
{
	char *text =
		 xasprintf("%s is gone, or empty: I no longer follow these instructions. If nobody meant it, "
			   "restore the file.",
		     name),
	     *once = xasprintf("%s lost at %lld", name, (long long)clock_wall());

	report_trouble(arg, text, once);
	free(once);
	free(text);
}

static void items_clear(struct list *items)
{
	list_each(items, it, tmp) {
		struct item *item = list_entry(it, struct item, link);
		list_remove(&item->link);
		outbound_free(item->row);
		free(item);
	}
}

static void tell_all(struct task *t, struct reports *r)
{
	struct list items;

	list_init(&items);
	list_each(&r->items, it, tmp) {
		list_remove(it);
		list_append(&items, it);
	}
	r->count = 0;
	list_each(&items, it, tmp) {
		const struct outbound *row = list_entry(it, struct item, link)->row;
		if (is_news_for_agent(row))
			notify_agent(t, r, row);
	}
	notify_admins(t, r, &items);
	items_clear(&items);
}

static void teller_task(struct task *t, void *arg)
{
	struct reports *r = arg;

	while (r->count > 0) {
		/* When the process stops, the outcomes so far are still reported. */
		bool stopping = task_sleep(t, GATHER_MS, NULL) < 0;
		task_shield(t);
		struct epoch *epoch = epoch_enter();
		tell_all(t, r);
		epoch_leave(epoch);
		task_unshield(t);
		if (stopping)
			break;
	}
	r->teller = NULL;
}

void reports_delivered(struct reports *r, const struct outbound *row)
{
	if (row->key && strncmp(row->key, KEY_PREFIX, strlen(KEY_PREFIX)) == 0)
		return;
	if (broadcast_has_reported(row))
		return;
	if (!tells_the_whole(row) || !(has_failed(row) || is_news_for_agent(row)))
		return;
	if (r->count == WAITING_MAX) {
		log_warn("reports", "too many messages failed at once, this one is not reported row=%lld",
		    (long long)row->id);
		return;
	}
	struct item *item = xcalloc(1, sizeof(*item));
	item->row = outbound_copy(row);
	list_append(&r->items, &item->link);
	r->count++;
	if (!r->teller)
		r->teller = task_start(&r->tasks, "reports", teller_task, r);
}

int reports_resume(struct task *t, struct reports *r, struct error *err)
{
	return store_note_undelivered(t, gateway_store(r->gateway), clock_wall() - RESUME_MS, LATE_MS, err);
}

struct reports *reports_new(struct gateway *g)
{
	struct reports *r = xcalloc(1, sizeof(*r));

	r->gateway = g;
	list_init(&r->items);
	task_group_init(&r->tasks);
	llm_alert_listen(on_alert, r);
	prompt_files_listen(on_prompt_file_lost, r);
	return r;
}

void reports_free(struct task *t, struct reports *r)
{
	if (!r)
		return;
	llm_alert_listen(NULL, NULL);
	prompt_files_listen(NULL, NULL);
	task_group_finish(t, &r->tasks);
	items_clear(&r->items);
	free(r);
}
