#include "session/access/pairing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/escape.h"
#include "bus/message.h"
#include "session/access/grant_change.h"
#include "session/access/grants.h"
#include "session/session_internal.h"
#include "store/grants.h"

/* Wrong codes that one person may try within TRY_MS. */
#define ATTEMPTS_MAX 5
#define TRY_MS       (10 * 60 * 1000)
/* For this long after listing the requests, the operator counts as present. */
#define WATCH_MS (60 * 1000)
/* Without characters that look alike: 0 and O, 1, I and L. */
static const char letters[] = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/* Wrong codes that were tried, the latest last. */
struct wrong {
	char *who;   /* CHANNEL:ID */
	uint64_t at; /* clock_now() */
};

struct pairings {
	struct store_pairing **items; /* owned; oldest first */
	size_t count;
	struct wrong *wrong;
	size_t wrong_count;
	int64_t watched_ms; /* by the operator; clock_wall() */
};

struct pairings *pairings_new(void)
{
	return xcalloc(1, sizeof(struct pairings));
}

void pairings_free(struct pairings *p)
{
	for (size_t i = 0; i < p->count; i++)
		store_pairing_free(p->items[i]);
	for (size_t i = 0; i < p->wrong_count; i++)
		free(p->wrong[i].who);
	free(p->items);
	free(p->wrong);
	free(p);
}

static void add(struct pairings *p, struct store_pairing *one)
{
	p->items = xrealloc(p->items, (p->count + 1) * sizeof(*p->items));
	p->items[p->count++] = one;
}

static void forget_expired(struct pairings *p)
{
	int64_t now_ms = clock_wall();
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct store_pairing *one = p->items[i];
		/* The clock may have been set back. */
		if (one->expires_ms > now_ms && one->created_ms <= now_ms + PAIRING_MS)
			p->items[kept++] = one;
		else
			store_pairing_free(one);
	}
	p->count = kept;
}

static struct store_pairing *find(const struct sessions *all, const char *code)
{
	struct pairings *p = all->pairings;

	forget_expired(p);
	for (size_t i = 0; i < p->count; i++)
		if (strcasecmp(p->items[i]->code, code) == 0)
			return p->items[i];
	return NULL;
}

static void note_decision(struct sessions *all, const struct store_pairing *decided)
{
	struct store_pairing *mine = find(all, decided->code);

	if (!mine)
		return;
	mine->state = decided->state;
	free(mine->by);
	mine->by = xstrdup(decided->by);
}

/* Takes over a request from the store that another node has added or decided. */
static void update(struct sessions *all, struct store_pairing *p)
{
	const struct store_pairing *mine = find(all, p->code);

	if (!mine) {
		add(all->pairings, p);
		return;
	}
	if (mine->state == STORE_PAIRING_OPEN)
		note_decision(all, p);
	store_pairing_free(p);
}

int pairing_load(struct task *t, struct sessions *all, struct error *err)
{
	struct store_pairing **items = NULL;
	int n = store_pairings(t, all->options.agent->store, &items, err);

	for (int i = 0; i < n; i++)
		update(all, items[i]);
	free(items);
	return n < 0 ? -1 : 0;
}

void pairing_forget(struct sessions *all, const char *code)
{
	struct pairings *p = all->pairings;
	size_t i = 0;

	while (i < p->count && strcmp(p->items[i]->code, code) != 0)
		i++;
	if (i == p->count)
		return;
	store_pairing_free(p->items[i]);
	p->count--;
	memmove(&p->items[i], &p->items[i + 1], (p->count - i) * sizeof(struct store_pairing *));
}

/* oldest may be NULL. */
static size_t count_open(const struct pairings *p, const char *channel, const struct store_pairing **oldest)
{
	size_t open = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct store_pairing *one = p->items[i];
		if (one->state != STORE_PAIRING_OPEN || strcmp(one->where.channel, channel) != 0)
			continue;
		if (open++ == 0 && oldest)
			*oldest = one;
	}
	return open;
}

bool pairing_is_crowded(const struct sessions *all, const char *channel)
{
	return count_open(all->pairings, channel, NULL) > PAIRING_NOTICES_MAX;
}

/* One code for each person. Someone with many accounts could keep others from getting one, so a new request
 * replaces the oldest, once that has been open long enough to be used. */
static bool has_room(struct pairings *p, const struct message *m)
{
	const struct store_pairing *oldest = NULL;

	forget_expired(p);
	for (size_t i = 0; i < p->count; i++)
		if (strcmp(p->items[i]->where.channel, m->from.channel) == 0 &&
		    strcmp(p->items[i]->person, m->sender_id) == 0)
			return false;
	size_t open = count_open(p, m->from.channel, &oldest);
	if (open < PAIRING_OPEN_MAX || oldest->created_ms + PAIRING_KEEP_MS <= clock_wall())
		return true;
	log_warn("access", "too many strangers ask to be let in, this one gets no code channel=%s open=%zu",
	    m->from.channel, open);
	return false;
}

void pairing_watch(struct sessions *all)
{
	all->pairings->watched_ms = clock_wall();
}

/* The clock may have been set. */
static bool is_watched(const struct pairings *p)
{
	int64_t ago_ms = clock_wall() - p->watched_ms;

	return ago_ms >= 0 && ago_ms < WATCH_MS;
}

bool pairing_lacks_admin(const struct sessions *all, const char *channel)
{
	const struct access_settings *s = all->options.access(all->options.arg, channel);

	if (!s || s->operator|| !s->pairing || access_has_admin(s))
		return false;
	for (size_t i = 0; i < all->grants->count; i++) {
		const struct store_grant *g = all->grants->items[i];
		if (g->role >= ACCESS_ADMIN && strcmp(g->channel, channel) == 0)
			return false;
	}
	return true;
}

bool pairing_is_offered(struct sessions *all, const struct message *m, enum access_verdict verdict)
{
	const struct access_settings *s = all->options.access(all->options.arg, m->from.channel);
	enum access_role only_denied;

	if (!s || !s->pairing || verdict != ACCESS_STRANGER)
		return false;
	if (pairing_lacks_admin(all, m->from.channel) && !is_watched(all->pairings))
		return false;
	if (m->kind != MESSAGE_TEXT || m->chat_kind != CHAT_PRIVATE || !m->addressed)
		return false;
	if (m->sender_is_bot || m->sender_is_chat || !m->sender_id || !*m->sender_id)
		return false;
	return !grants_role(all->grants, m->from.channel, m->sender_id, true, &only_denied) &&
	    has_room(all->pairings, m);
}

static char *new_code(void)
{
	char *code = xcalloc(1, PAIRING_CODE_LEN + 1);

	for (size_t i = 0; i < PAIRING_CODE_LEN; i++)
		code[i] = letters[clock_random_below(sizeof(letters) - 1)];
	return code;
}

const struct store_pairing *pairing_reserve(struct sessions *all, const struct message *m)
{
	struct store_pairing *p = xcalloc(1, sizeof(*p));
	const struct store_pairing *oldest = NULL;

	while (count_open(all->pairings, m->from.channel, &oldest) >= PAIRING_OPEN_MAX)
		pairing_forget(all, oldest->code);
	p->where = m->from;
	p->created_ms = clock_wall();
	p->expires_ms = p->created_ms + PAIRING_MS;
	do {
		free(p->code);
		p->code = new_code();
	} while (pairing_find(all, p->code));
	p->person = xstrdup(m->sender_id);
	p->name = xstrdup(m->sender_name);
	add(all->pairings, p);
	return p;
}

const struct store_pairing *pairing_next(struct sessions *all, const struct store_pairing *after)
{
	struct pairings *p = all->pairings;
	size_t i = 0;

	if (!after)
		forget_expired(p);
	while (after && p->items[i++] != after)
		;
	while (i < p->count && p->items[i]->state != STORE_PAIRING_OPEN)
		i++;
	return i < p->count ? p->items[i] : NULL;
}

const struct store_pairing *pairing_find(const struct sessions *all, const char *code)
{
	return find(all, code);
}

static size_t failed_recently(struct pairings *p, const char *who)
{
	size_t kept = 0, n = 0;

	for (size_t i = 0; i < p->wrong_count; i++) {
		struct wrong *w = &p->wrong[i];
		if (clock_now() - w->at >= TRY_MS) {
			free(w->who);
			continue;
		}
		n += strcmp(w->who, who) == 0;
		p->wrong[kept++] = *w;
	}
	p->wrong_count = kept;
	return n;
}

static char *name_of(const struct message *m)
{
	return xasprintf("%s:%s", m->from.channel, m->sender_id);
}

bool pairing_may_guess(struct sessions *all, const struct message *asked)
{
	char *who = name_of(asked);
	bool may = failed_recently(all->pairings, who) < ATTEMPTS_MAX;

	free(who);
	return may;
}

void pairing_guess_failed(struct sessions *all, const struct message *asked)
{
	struct pairings *p = all->pairings;

	p->wrong = xrealloc(p->wrong, (p->wrong_count + 1) * sizeof(*p->wrong));
	p->wrong[p->wrong_count++] = (struct wrong){.who = name_of(asked), .at = clock_now()};
	log_warn(
	    "access", "a wrong pairing code by=\"%s\" channel=%s", asked->sender_id, asked->from.channel);
}

static void describe(struct buf *out, const struct store_pairing *p, enum access_role role)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s on %s ", p->person, p->where.channel);
	if (role == ACCESS_NONE)
		buf_addstr(&text, "was refused.");
	else if (role == ACCESS_ADMIN)
		buf_addstr(&text, "may talk to me now, as an admin.");
	else
		buf_addf(&text,
		    "may talk to me in private now, as a %s. /allow %s lets them do so in groups, too.",
		    access_role_name(role), p->person);
	escape_markdown(out, text.data);
	buf_clear(&text);
}

/* Answers an admin whose decision came second, or whose command runs again after a crash. */
static void describe_decided(struct buf *out, const struct store_pairing *p)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s on %s was %s", p->person, p->where.channel,
	    p->state == STORE_PAIRING_REFUSED ? "refused" : "admitted");
	buf_addf(&text, p->by ? " by %s." : ".", p->by);
	escape_markdown(out, text.data);
	buf_clear(&text);
}

int pairing_decide(struct task *t, struct sessions *all, const struct store_pairing *p, enum access_role role,
    const char *by, const struct message *asked, struct buf *reply)
{
	struct store_pairing *decided = store_pairing_copy(p);
	struct store_grant grant = {.person = decided->person,
	    .role = role,
	    .private_only = role != ACCESS_ADMIN,
	    .by = (char *)(uintptr_t)by};
	struct grant_change g = {.asked = asked,
	    .decided = decided,
	    .grant = role == ACCESS_NONE ? NULL : &grant,
	    .notice =
		role == ACCESS_NONE ? NULL : "You may talk to me now. /help lists what else I understand."};
	struct buf plain = BUF_INIT;
	int rc = 1;

	str_copy(grant.channel, sizeof(grant.channel), p->where.channel);
	if (p->state == STORE_PAIRING_OPEN) {
		decided->state = role == ACCESS_NONE ? STORE_PAIRING_REFUSED : STORE_PAIRING_ADMITTED;
		decided->by = xstrdup(by);
		describe(&plain, decided, role);
		g.reply = plain.data;
		rc = grant_change_commit(t, all, &g);
	}
	if (rc == 0)
		note_decision(all, decided);
	if (rc == 0 && !asked)
		buf_addstr(reply, plain.data);
	const struct store_pairing *now = rc > 0 ? find(all, decided->code) : NULL;
	if (now)
		describe_decided(reply, now);
	buf_clear(&plain);
	store_pairing_free(decided);
	return rc;
}
