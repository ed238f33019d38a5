#ifndef CRASH_JUDGE_H
#define CRASH_JUDGE_H
/* Judges a conversation by the platform's record, the model's record, and the gateway's database. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct scenario;
struct world;

/* Violations. All must be 0, except marked repeats. */
enum finding {
	FINDING_LOST,           /* no answer, a missing part or notice, or less stored than confirmed */
	FINDING_TWO_TURNS,      /* answered by two turns */
	FINDING_DOUBLED,        /* the same text twice, the second without a repeat mark */
	FINDING_EFFECTS,        /* a tool that ran twice, or a notice sent twice */
	FINDING_MARKED_WRONGLY, /* marked as a repeat although the first send was certain */
	FINDING_BROKEN,         /* damage, no end, a refused request, or an unexpected answer */
	FINDING_COUNT
};

extern const char *const finding_names[FINDING_COUNT];

struct findings { /* zeroed, with text BUF_INIT */
	unsigned count[FINDING_COUNT];
	unsigned in_doubt; /* sends that a crash interrupted */
	unsigned marked;   /* correctly marked repeats */
	unsigned held;     /* messages that stayed uncertain */
	struct buf text;   /* one sentence per violation */
};

__attribute__((format(printf, 3, 4))) void findings_add(
    struct findings *f, enum finding what, const char *fmt, ...);
bool findings_any(const struct findings *f);

/* Observations while the gateway ran and died. */
struct witness {         /* zero-initialised */
	char **in_doubt; /* texts in state sending when the gateway restarted */
	size_t in_doubt_count;
	char **read; /* files opened by tools, once per open */
	size_t read_count;
	int64_t confirmed; /* highest offset confirmed to the platform before the last start */
	unsigned deaths;
	bool crashed_again;
	bool cut;                /* of the power */
	int64_t shown_uncertain; /* from the status at the end */
	char *send_state;        /* state of the message as shown to the operator; NULL: none */
};

void witness_clear(struct witness *s);
/* Adds the shim's events since the last start. */
void witness_events(struct witness *s, const char *side);
/* Before a start: checks a copy of the database. */
void witness_database(struct witness *s, struct world *w, struct findings *f);

/* Call at the end, after the gateway has exited. */
void judge(struct world *w, const struct scenario *scenario, const struct witness *s, struct findings *f);

#endif
