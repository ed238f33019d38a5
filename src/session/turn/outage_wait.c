#include "session/session_internal.h"

#include "base/time/clock.h"
#include "base/epoch.h"
#include "base/wrong.h"
#include "llm/llm.h"

/* Minimum waits of one turn between its tries; llm_await decides when an outage is over. */
#define ASK_AGAIN_FIRST_MS 2000
#define ASK_AGAIN_LAST_MS  60000
/* Number of conversations that waited at the last stop to report: so many show that no model answers. */
#define EXPECT_MAX 10

static struct llm *model_of(const struct session *s)
{
	return s->all->options.agent->llm;
}

/* Counted on the monotonic clock; only the wall clock knows the time before the last start. */
void outage_wait_begin(struct session *s, int64_t session, int64_t since_ms)
{
	int64_t patience = (int64_t)llm_patience(model_of(s)), waited = clock_wall() - since_ms;

	agent_session_key(s->outage.session_key, session);
	if (s->outage.until > 0)
		return;
	if (waited < 0)
		waited = 0;
	s->outage.until = clock_now() + (uint64_t)(waited < patience ? patience - waited : 0);
	s->outage.ask_again = (struct backoff){.base_ms = ASK_AGAIN_FIRST_MS, .max_ms = ASK_AGAIN_LAST_MS};
}

int outage_wait_expect(struct task *t, struct sessions *all, struct error *err)
{
	const struct agent *a = all->options.agent;
	char key[AGENT_SESSION_KEY_MAX];
	int64_t waiting[EXPECT_MAX];
	int n = store_turns_waiting(t, a->store, waiting, EXPECT_MAX, err);

	for (int i = 0; i < n && !WRONG("rest-forgotten"); i++) {
		agent_session_key(key, waiting[i]);
		llm_expect_outage(a->llm, key);
	}
	return n < 0 ? -1 : 0;
}

void outage_wait_end(struct session *s)
{
	s->outage.until = 0;
}

bool outage_is_overdue(const struct session *s)
{
	return s->outage.until > 0 && clock_now() >= s->outage.until;
}

int outage_wait(struct task *t, struct session *s, struct error *err)
{
	uint64_t not_before = clock_now() + backoff_next(&s->outage.ask_again);

	if (not_before > s->outage.until)
		not_before = s->outage.until;
	struct epoch *epoch = epoch_enter();
	const struct llm_wait wait = {.session_key = s->outage.session_key,
	    .not_before = not_before,
	    .until = s->outage.until,
	    .stop_waiting = &s->runner.stop_requested};
	int rc = llm_await(t, model_of(s), &wait, err);

	epoch_leave(epoch);
	if (rc < 0)
		return -1;
	return 1;
}
