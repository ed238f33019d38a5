/* Budget warnings: at 50, 80 and 100 % of a limit, once each, even over a crash. */
#include <stdlib.h>
#include <string.h>

#include "agent/budget_internal.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "bus/escape.h"

#define NOTIFIED_MAX 20

static const int64_t levels[] = {100, 80, 50};

static int64_t level_of(int64_t used, int64_t most)
{
	for (size_t i = 0; i < ARRAY_LEN(levels) && most > 0; i++)
		if ((__int128)used * 100 >= (__int128)most * levels[i])
			return levels[i];
	return 0;
}

static void describe(
    struct buf *out, const struct budget *b, const struct store_warning *w, const struct budget_state *s)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, w->level >= 100 ? "%s is used up: " : "%s is used to %lld %%: ",
	    budget_scope_whose[w->account.scope], (long long)w->level);
	budget_add_use(&text, s, w->measure, b->currency);
	buf_addf(&text, " %s. ", budget_window_now[w->window]);
	budget_add_reset(&text, w->window, budget_day(b), b->settings->zone_name);
	buf_addstr(
	    &text, w->account.scope == STORE_ALL ? " /budget shows and changes it." : " /budget shows it.");
	escape_markdown(out, text.data);
	buf_clear(&text);
}

static size_t find_recipients(
    const struct budget *b, enum store_scope scope, const struct address *chat, struct address *to)
{
	if (scope == STORE_ALL)
		return b->admins ? b->admins(b->admins_arg, to, NOTIFIED_MAX) : 0;
	to[0] = *chat;
	return 1;
}

/* Returns the deliveries for all recipients as one array. */
static struct outbound **rows_of(const struct budget *b, const struct store_warning *w,
    const struct address *chat, const char *text, size_t *count)
{
	struct address to[NOTIFIED_MAX];
	size_t n = find_recipients(b, w->account.scope, chat, to);
	struct outbound **rows = xcalloc(n + 1, sizeof(*rows));

	*count = n;
	for (size_t i = 0; i < n; i++) {
		char *own = bus_own_text(b->bus, &to[i], text);
		rows[i] = outbound_new(
		    &to[i], w->account.scope == STORE_ALL ? OUTBOUND_NOTIFICATION : OUTBOUND_REPLY, own);
		free(own);
		rows[i]->key = xasprintf("budget:%d:%s:%s:%d:%d:%lld:%lld:%lld/%zu", (int)w->account.scope,
		    w->account.channel, w->account.who, (int)w->window, (int)w->measure, (long long)w->period,
		    (long long)w->limit, (long long)w->level, i);
	}
	return rows;
}

static int give(struct task *t, struct budget *b, const struct store_warning *w, const struct budget_state *s,
    const struct address *chat, struct error *err)
{
	struct buf text = BUF_INIT;
	bool fresh = false;
	size_t count;

	describe(&text, b, w, s);
	struct outbound **rows = rows_of(b, w, chat, text.data, &count);
	int rc = store_budget_warn(t, b->store, w, rows, count, &fresh, err);
	for (size_t i = 0; i < count && rc == 0 && fresh; i++)
		bus_wake(b->bus, &rows[i]->to);
	if (rc == 0 && fresh)
		log_warn("budget", "%s", text.data);
	bus_rows_free(rows, count);
	buf_clear(&text);
	return rc;
}

/* 1: it suspended. */
static int warn_one(struct task *t, struct budget *b, struct budget_account *a, enum store_window window,
    const struct budget_state *s, const struct address *chat, struct error *err)
{
	struct budget_window *w = &a->windows[window];

	for (size_t m = 0; m < STORE_MEASURES; m++) {
		struct store_warning due = {.account = a->key,
		    .window = window,
		    .measure = (enum store_measure)m,
		    .period = w->period,
		    .limit = s->most[m],
		    .level = s->most[m] != STORE_NO_LIMIT ? level_of(s->used[m], s->most[m]) : 0};
		if (due.level == 0 || (w->warned_limit[m] == due.limit && w->warned_level[m] >= due.level))
			continue;
		/* Set before the wait, so that each warning is tried only once at a time. */
		int64_t warned_limit = w->warned_limit[m], warned_level = w->warned_level[m];
		w->warned_limit[m] = due.limit;
		w->warned_level[m] = due.level;
		if (give(t, b, &due, s, chat, err) == 0)
			return 1;
		w->warned_limit[m] = warned_limit;
		w->warned_level[m] = warned_level;
		return -1;
	}
	return 0;
}

int budget_account_warn(struct task *t, struct budget *b, struct budget_account *a,
    const struct budget_spender *who, struct error *err)
{
	int rc = 0;

	if (!b->settings || budget_is_lifted(b, &a->key))
		return 0;
	for (size_t w = 0; w < STORE_WINDOWS && rc == 0; w++) {
		struct budget_state s = {0};
		budget_limits(b, &a->key, who->role, (enum store_window)w, &s);
		for (size_t m = 0; m < STORE_MEASURES; m++)
			s.used[m] = budget_used(&a->windows[w], (enum store_measure)m);
		rc = warn_one(t, b, a, (enum store_window)w, &s, who->chat, err);
	}
	return rc;
}
