#ifndef TESTS_FUZZ_STAGE_H
#define TESTS_FUZZ_STAGE_H
/*
 * A simulated platform under any calls of bots and any actions of people, a line each: "NAME {members}".
 * Every answer and event is JSON of the types that the platform publishes, or an error with a sentence; the
 * state that is kept over a restart says the same as before.
 */
#include "base/list.h"
#include "fuzz/fuzz.h"
#include "playground/platform.h"
#include "playground/playground.h"
#include "playground/server/exchange.h"

struct fuzz_stage {
	struct playground pg;
	struct record_log log;
	const struct platform *platform;
	void *world;
	/* Called after each line. action: what people did; NULL: the line is a bot's. */
	void (*after)(struct fuzz_stage *s, const struct platform_action *action);
};

/* Does what a bot calls; a name that it does not know it leaves alone. */
typedef void fuzz_call_fn(struct fuzz_stage *s, const char *name, struct json_object *members);

void fuzz_stage_open(struct fuzz_stage *s, const struct platform *platform);
void fuzz_stage_play(struct fuzz_stage *s, const uint8_t *data, size_t size, fuzz_call_fn *call);
/* Loads a state into another world of that platform, which must keep it unchanged. Returns false when it is
 * refused, with a sentence. */
bool fuzz_stage_load(struct fuzz_stage *s, struct json_object *state);
/* Checks what the world shows and keeps, and frees it. */
void fuzz_stage_close(struct fuzz_stage *s);

#endif
