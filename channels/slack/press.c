#include "channels/slack/press.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/slack/api.h"
#include "channels/slack/params.h"
#include "channels/slack/state.h"

struct press {
	struct slack *sk;
	struct message *m;
	char *text;
};

static void answer(struct task *t, void *arg)
{
	struct press *p = arg;
	const struct address *where = &p->m->from;
	struct slack_call call = { .method = "chat.postEphemeral", .params = json_object_new_object(),
		.total_ms = p->sk->limits->call_ms, .once = true, .chat = where->chat };
	struct slack_answer a;
	struct error err;

	json_set_str(call.params, "channel", where->chat);
	json_set_str(call.params, "user", p->m->sender_id);
	json_set_str(call.params, "thread_ts", where->thread[0] != '\0' ? where->thread : NULL);
	slack_params_text(call.params, p->text, NULL);
	if (slack_api_call(t, p->sk, &call, &a, &err) == -1)
		log_debug(p->sk->ch->name, "a button press was not answered: %s", err.text);
	slack_api_clear(&a);
	message_free(p->m);
	free(p->text);
	free(p);
}

void slack_press_answer(struct channel *ch, const struct message *m, const char *text)
{
	struct slack *sk = ch->state;
	struct press *p;

	if (text == NULL || sk->refused || sk->stopping || !budget_try(&sk->budget, m->from.chat))
		return;
	p = xcalloc(1, sizeof(*p));
	p->sk = sk;
	p->m = message_copy(m);
	p->text = xstrdup(text);
	task_start(&sk->tasks, "slack.press", answer, p);
}
