#ifndef CRASH_JUDGE_H
#define CRASH_JUDGE_H
/* What came of a conversation, by the platform's record, the model's, and the gateway's database. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct scenario;
struct world;

/* What may be wrong. All are 0 in a program that keeps its promises, but for the marked repeats. */
enum finding {
	FINDING_LOST,           /* no answer, a part or notice that never came, less stored than confirmed */
	FINDING_TWO_TURNS,      /* answered by two turns */
	FINDING_DOUBLED,        /* the same text twice, and the second one not marked as a repeat */
	FINDING_EFFECTS,        /* a tool that ran twice, or a notice that was sent twice */
	FINDING_MARKED_WRONGLY, /* marked as a repeat although the first one was not in doubt */
	FINDING_BROKEN, /* damage, no end, a request that was refused, an answer that nobody expected */
	FINDING_COUNT
};

extern const char *const finding_names[FINDING_COUNT];

struct findings { /* zeroed, with text BUF_INIT */
	unsigned count[FINDING_COUNT];
	unsigned in_doubt; /* sends that a crash cut off */
	unsigned marked;   /* repeats that were marked, with reason */
	unsigned held;     /* messages that stayed uncertain */
	struct buf text;   /* a sentence for each finding */
};

__attribute__((format(printf, 3, 4))) void findings_add(
    struct findings *f, enum finding what, const char *fmt, ...);
bool findings_any(const struct findings *f);

/* What was seen of the gateway while it ran and died. */
struct witness {         /* zeroed before first use */
	char **in_doubt; /* texts that stood in the outbox as sending when it was started again */
	size_t in_doubt_count;
	char **read; /* files that tools opened, once for each time */
	size_t read_count;
	int64_t confirmed; /* the highest offset that was given to the platform, before the last start */
	unsigned deaths;
	bool crashed_again;
	int64_t shown_uncertain; /* in the status at the end */
	char *send_state;        /* what an operator was told of the message: "sent", …; NULL: nothing */
};

void witness_clear(struct witness *s);
/* Adds what the shim noted since the last start. */
void witness_events(struct witness *s, const char *side);
/* Before a start: opens a copy of the database, and says what is wrong with it. */
void witness_database(struct witness *s, struct world *w, struct findings *f);

/* At the end, with the gateway gone. */
void judge(struct world *w, const struct scenario *scenario, const struct witness *s, struct findings *f);

#endif
