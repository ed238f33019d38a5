#include "agent/tool_calls.h"

#include <stdlib.h>

#include "agent/agent.h"
#include "base/log.h"
#include "tools/approval.h"

static const char *const verdicts[] = {
    [APPROVAL_ALLOWED] = "allowed",
    [APPROVAL_DENIED] = "denied",
    [APPROVAL_NO_ANSWER] = "no answer",
    [APPROVAL_CHANGED] = "changed",
    [APPROVAL_WITHDRAWN] = "withdrawn",
    [APPROVAL_NOBODY] = "nobody to ask",
    [APPROVAL_TOO_LONG] = "too long to show",
};

int approve_call(struct task *t, const struct turn *turn, const char *call_id, const struct approval *a,
    char **failure, struct error *err)
{
	struct approval_answer answer = {.verdict = APPROVAL_NOBODY};
	int rc = turn->approve ? turn->approve(t, turn->approve_arg, turn, call_id, a, &answer, err) : 0;

	if (rc < 0)
		return -1;
	log_info("agent", "approval: %s tool=%s hash=%.16s turn=%lld", verdicts[answer.verdict], a->tool,
	    a->hash, (long long)turn->row.id);
	if (answer.verdict != APPROVAL_ALLOWED)
		*failure = approval_failure_text(a, &answer);
	free(answer.reason);
	return answer.verdict == APPROVAL_ALLOWED;
}
