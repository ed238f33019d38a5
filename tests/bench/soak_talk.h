#ifndef BENCH_SOAK_TALK_H
#define BENCH_SOAK_TALK_H
/* What people say in the soak, what goes wrong meanwhile, and whether each got the answer, once. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stage;

#define TALK_MAX   400 /* messages of a round */
#define TALK_PARTS 8   /* of an answer */

struct talk_line {
	const struct talk_kind *kind;
	int64_t chat;
	char tag[24];
	bool whole;                 /* its end has come */
	uint64_t parts[TALK_PARTS]; /* hashes of what came */
	size_t part_count;
};

struct talk { /* zeroed before first use */
	struct talk_line lines[TALK_MAX];
	size_t count;
	uint64_t random;
	size_t rounds, messages, sends, repeats;
	size_t lost, doubled,
	    stray; /* no whole answer; the same text twice, and not marked; to a chat that asked nothing */
};

/* Everybody says something in a chat of their own; until each has the whole answer, or a minute has passed.
 * Now and then something goes wrong on the way. */
void talk_round(struct talk *talk, struct stage *s, size_t messages);
bool talk_is_well(const struct talk *talk);
/* A line of TAP; was all well? */
bool talk_report(const struct talk *talk, int number);

#endif
