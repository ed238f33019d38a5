#include "tests/fault/points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "channels/telegram/split.h"

#define METHOD "sendMessage"
/* Wrong points that are described. */
#define TOLD_MAX 10

static size_t wrong_found;

struct point *points_last(struct points *ps)
{
	return &ps->list[ps->count - 1];
}

/* "P12.1 hello|P12.2 hello" */
static char *text_of(size_t number, size_t parts, const char *prefix)
{
	struct buf text = BUF_INIT;

	for (size_t i = 1; i <= parts; i++)
		buf_addf(&text, "%sP%05zu.%zu%s", i > 1 ? "|" : "", number, i, prefix);
	return buf_take(&text);
}

static void note_end(struct point *p, struct point_part *part, const struct outbound *row)
{
	part->state = row->state;
	part->has_reason = row->reason && *row->reason != '\0';
	part->repeat = row->repeat;
	part->attempts = row->attempts;
	part->platform_id = row->platform_id ? strtol(row->platform_id, NULL, 10) : 0;
	p->attempts += row->attempts;
}

void points_send(struct task *t, struct rig *r, struct points *ps, enum outbound_kind kind, size_t parts,
    const char *prefix, const char *what, ...)
{
	struct point p = {.kind = kind, .parts = parts};
	size_t seen = proxy_count(r->proxy, METHOD);
	char *text = text_of(ps->count, parts, prefix);
	int64_t ids[POINT_PARTS_MAX];
	va_list ap;

	va_start(ap, what);
	vsnprintf(p.what, sizeof(p.what), what, ap);
	va_end(ap);
	rig_send(t, r, kind, text, ids, parts);
	for (size_t i = 0; i < parts; i++) {
		struct outbound *row = rig_end_of(t, r, ids[i]);

		note_end(&p, &p.part[i], row);
		outbound_free(row);
	}
	p.seen = proxy_count(r->proxy, METHOD) - seen;
	ps->list = xrealloc(ps->list, (ps->count + 1) * sizeof(p));
	ps->list[ps->count++] = p;
	free(text);
}

/* What the platform has executed. */
static void read_message(struct points *ps, struct json_object *m, size_t place)
{
	const char *text = json_get_str(m, "text");
	struct point_part *part;
	size_t number, nth;
	long id = strtol(json_get_str(m, "id"), NULL, 10);

	if (!json_get_bool(m, "bot", false) || sscanf(text, "P%5zu.%1zu", &number, &nth) != 2)
		return;
	assert_true(number < ps->count && nth >= 1 && nth <= ps->list[number].parts);
	part = &ps->list[number].part[nth - 1];
	if (part->plain + part->marked == 0)
		part->first = place;
	part->last = place;
	if (strstr(text, "(may be a repeat)"))
		part->marked++;
	else
		part->plain++;
	part->confirmed |= id == part->platform_id;
}

static void read_transcript(struct rig *r, struct points *ps)
{
	struct json_object *o = rig_get(r, "transcript?platform=telegram&chat=" RIG_CHAT);
	struct json_object *list = json_get_array(o, "messages");

	for (size_t i = 0; i < json_object_array_length(list); i++)
		read_message(ps, json_object_array_get_idx(list, i), i);
	json_object_put(o);
}

static bool is_lost(const struct point *p, size_t i)
{
	const struct point_part *part = &p->part[i];

	switch (part->state) {
	case OUTBOUND_SENT:
		return part->plain + part->marked == 0;
	case OUTBOUND_UNCERTAIN:
		return !part->has_reason;
	case OUTBOUND_FAILED:
		/* Nothing here refuses a message for good. */
		return !part->has_reason || i == 0 || p->part[i - 1].state == OUTBOUND_SENT;
	default:
		return true;
	}
}

static bool is_needless(const struct point *p, const struct point_part *part)
{
	bool doubted = part->repeat || part->state == OUTBOUND_UNCERTAIN;

	if (p->kind == OUTBOUND_REPLY && part->state == OUTBOUND_UNCERTAIN && part->attempts < 2)
		return true;
	return doubted && !p->unseen && p->seen < p->attempts;
}

static bool is_untrue(const struct point_part *part)
{
	if (part->state == OUTBOUND_SENT)
		return !part->confirmed;
	return part->state == OUTBOUND_FAILED && part->plain + part->marked > 0;
}

static bool is_disordered(const struct point *p, size_t i)
{
	const struct point_part *part = &p->part[i], *before = part - 1;

	if (i == 0 || part->plain + part->marked == 0)
		return false;
	return before->state != OUTBOUND_SENT || before->plain + before->marked == 0 ||
	    before->last > part->first;
}

static size_t judge_part(struct points *ps, const struct point *p, size_t i)
{
	const struct point_part *part = &p->part[i];
	bool notification = p->kind == OUTBOUND_NOTIFICATION;
	size_t unmarked = part->plain > 1 || part->marked > 1,
	       twice = notification && part->plain + part->marked > 1;
	size_t needless = is_needless(p, part), lost = is_lost(p, i), disorder = is_disordered(p, i);
	size_t untrue = is_untrue(part);

	ps->unmarked += unmarked;
	ps->notified_twice += twice;
	ps->needless += needless;
	ps->lost += lost;
	ps->disorder += disorder;
	ps->untrue += untrue;
	return unmarked + twice + needless + lost + disorder + untrue;
}

static void tell(const struct point *p)
{
	printf("# wrong: %s, a %s\n", p->what, p->kind == OUTBOUND_REPLY ? "reply" : "notification");
	for (size_t i = 0; i < p->parts; i++) {
		const struct point_part *part = &p->part[i];

		printf(
		    "#   part %zu is %s%s after %u attempts; the platform has %zu, and %zu with the mark\n",
		    i + 1, outbound_state_name(part->state), part->repeat ? " and marked" : "",
		    part->attempts, part->plain, part->marked);
	}
	printf("#   the proxy saw %zu requests\n", p->seen);
}

void points_judge(struct rig *r, struct points *ps, const char *name)
{
	size_t wrong = 0, told = 0;

	read_transcript(r, ps);
	for (size_t i = 0; i < ps->count; i++) {
		size_t before = wrong;

		for (size_t k = 0; k < ps->list[i].parts; k++)
			wrong += judge_part(ps, &ps->list[i], k);
		if (wrong > before && told++ < TOLD_MAX)
			tell(&ps->list[i]);
	}
	printf("# %s: points %zu, faults %zu, wrong retries %zu (repeated without the mark %zu, notified "
	       "twice %zu, held or marked needlessly %zu, lost %zu, out of order %zu, ledger untrue %zu)\n",
	    name, ps->count, proxy_struck(r->proxy), wrong, ps->unmarked, ps->notified_twice, ps->needless,
	    ps->lost, ps->disorder, ps->untrue);
	free(ps->list);
	*ps = (struct points){.list = NULL};
	wrong_found += wrong;
}

void points_expect_none_wrong(void)
{
	size_t wrong = wrong_found;

	wrong_found = 0;
	assert_int_equal(wrong, 0);
}
