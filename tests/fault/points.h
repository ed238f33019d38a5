#ifndef TESTS_FAULT_POINTS_H
#define TESTS_FAULT_POINTS_H
/*
 * Texts that were sent while something was broken, each a point, and their judgement: by what the ledger says
 * of their rows, by what the platform has executed, and by what the proxy saw.
 */
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
	size_t first, last;   /* their places in the transcript */
	bool confirmed;       /* platform_id is one of them */
};

struct point {
	enum outbound_kind kind;
	size_t parts;
	struct point_part part[POINT_PARTS_MAX];
	unsigned attempts;
	size_t seen;   /* requests that the proxy saw */
	bool unseen;   /* bytes may have left that the proxy did not see */
	char what[96]; /* was done */
};

struct points {
	struct point *list;
	size_t count;
	/* What is wrong. */
	size_t unmarked; /* executed again without the mark */
	size_t notified_twice;
	size_t needless; /* held or marked, although no byte had left, or held after one try of a reply */
	size_t lost;     /* neither delivered nor said to be uncertain or failed, with a reason */
	size_t disorder; /* a part came before the one before it was known to have arrived */
	size_t untrue;   /* the ledger says other than the platform */
};

/* Sends a text of so many parts and waits for its end. prefix stands before what tells the points apart. */
void points_send(struct task *t, struct rig *r, struct points *ps, enum outbound_kind kind, size_t parts,
    const char *prefix, const char *what, ...) __attribute__((format(printf, 7, 8)));
/* The last one. */
struct point *points_last(struct points *ps);
/* Judges all, says what is wrong and a line of figures, and frees. */
void points_judge(struct rig *r, struct points *ps, const char *name);
/* Fails the test if anything that was judged since the last call was wrong; when the rig has ended. */
void points_expect_none_wrong(void);

#endif
