#ifndef TESTS_FAULT_POINTS_H
#define TESTS_FAULT_POINTS_H
/* Texts sent under faults ("points"), judged by the outbox, by the platform, and by the proxy. */
#include "tests/fault/rig.h"

#define POINT_PARTS_MAX 3

struct point_part {
	enum outbound_state state;
	bool has_reason;
	bool repeat;
	unsigned attempts;
	long platform_id;
	/* On the platform. */
	size_t plain, marked; /* copies without and with the mark */
	size_t first, last;   /* positions in the transcript */
	bool confirmed;       /* platform_id is one of them */
};

struct point {
	enum outbound_kind kind;
	size_t parts;
	struct point_part part[POINT_PARTS_MAX];
	unsigned attempts;
	size_t seen;   /* requests that the proxy saw */
	bool unseen;   /* bytes may have been sent that the proxy did not see */
	char what[96]; /* was done */
};

struct points {
	struct point *list;
	size_t count;
	/* Violations. */
	size_t unmarked; /* sent again without a mark */
	size_t notified_twice;
	size_t needless; /* held or marked although no byte was sent, or held after one attempt at a reply */
	size_t lost;     /* neither delivered nor reported as uncertain or failed with a reason */
	size_t disorder; /* a part came before the previous part was confirmed */
	size_t untrue;   /* the outbox contradicts the platform */
};

/* Sends a text of that many parts and waits for its end. prefix precedes the unique part. */
void points_send(struct task *t, struct rig *r, struct points *ps, enum outbound_kind kind, size_t parts,
    const char *prefix, const char *what, ...) __attribute__((format(printf, 7, 8)));
/* Returns the last point. */
struct point *points_last(struct points *ps);
/* Judges all points, reports violations and a summary, and frees. */
void points_judge(struct rig *r, struct points *ps, const char *name);
/* Fails the test on violations since the last call; call it after the rig has ended. */
void points_expect_none_wrong(void);

#endif
