#ifndef BENCH_SOAK_TALK_H
#define BENCH_SOAK_TALK_H
/* The conversations of the soak test: messages, faults, and the check that each got exactly one answer. */
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
	bool whole;                 /* its end has arrived */
	uint64_t parts[TALK_PARTS]; /* hashes of the parts received */
	size_t part_count;
};

struct talk { /* zeroed before first use */
	struct talk_line lines[TALK_MAX];
	size_t count;
	uint64_t random;
	size_t rounds, messages, sends, repeats;
	size_t lost, doubled, stray; /* without a complete answer; the same text twice and not marked; to a
					chat that asked nothing */
};

/* Sends a message in every chat and waits until each has its complete answer, at most a minute. Injects
 * faults now and then. */
void talk_round(struct talk *talk, struct stage *s, size_t messages);
bool talk_is_well(const struct talk *talk);
/* Prints a line of TAP. Returns whether every check passed. */
bool talk_report(const struct talk *talk, int number);

#endif
