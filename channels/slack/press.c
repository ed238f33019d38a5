#include "channels/slack/slack_internal.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/slack/api.h"
#include "channels/slack/params.h"

/* Answers to presses must not delay other answers: they take what the rate limiter has left over, with so
 * many tries. */
#define PRESSES_MAX 20
#define TRIES       20
#define TRY_MS      500

struct press {
	struct slack *sk;
	struct message *m;
	char *text;
};

/* Returns false to give up. */
static bool wait_for_share(struct task *t, const struct press *p)
{
	for (int i = 0; i < TRIES; i++) {
		if (rate_limit_try(&p->sk->rate_limiter, p->m->from.chat))
			return true;
		if (task_sleep(t, TRY_MS, NULL) < 0)
			return false;
	}
	return false;
}

static void say(struct task *t, const struct press *p)
{
	const struct address *where = &p->m->from;
	struct slack_call call = {.method = "chat.postEphemeral",
	    .params = json_object_new_object(),
	    .total_ms = p->sk->limits->call_ms,
	    .once = true,
	    .chat = where->chat};
	struct slack_answer a;
	struct error err;

	json_set_str(call.params, "channel", where->chat);
	json_set_str(call.params, "user", p->m->sender_id);
	json_set_str(call.params, "thread_ts", where->thread[0] != '\0' ? where->thread : NULL);
	slack_params_text(call.params, p->text, NULL);
	if (slack_api_call(t, p->sk, &call, &a, &err) < 0)
		log_debug(p->sk->ch->name, "a button press was not answered: %s", err.text);
	slack_api_clear(&a);
}

static void answer(struct task *t, void *arg)
{
	struct press *p = arg;

	if (wait_for_share(t, p))
		say(t, p);
	p->sk->presses--;
	message_free(p->m);
	free(p->text);
	free(p);
}

void slack_press_answer(struct channel *ch, const struct message *m, const char *text)
{
	struct slack *sk = ch->state;
	struct press *p;

	if (!text || sk->refused || sk->stopping || sk->presses == PRESSES_MAX)
		return;
	p = xcalloc(1, sizeof(*p));
	p->sk = sk;
	sk->presses++;
	p->m = message_copy(m);
	p->text = xstrdup(text);
	task_start(&sk->tasks, "slack.press", answer, p);
}
