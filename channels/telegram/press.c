#include "channels/telegram/telegram_internal.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/telegram/api.h"

struct press {
	struct telegram *tg;
	char *query_id, *text;
};

static void answer(struct task *t, void *arg)
{
	struct press *p = arg;
	struct telegram *tg = p->tg;
	struct telegram_call call = {.method = "answerCallbackQuery", .total_ms = tg->limits->call_ms};
	struct telegram_answer a;
	struct error err;

	call.params = json_object_new_object();
	json_set_str(call.params, "callback_query_id", p->query_id);
	json_set_str(call.params, "text", p->text);
	/* An expired press is no error: the spinner ends by itself. */
	if (telegram_api_call(t, tg, &call, &a, &err) < 0 && a.outcome.class != TELEGRAM_PRESS_EXPIRED)
		log_debug(tg->self.channel, "a button press was not answered: %s", err.text);
	telegram_api_clear(&a);
	tg->presses--;
	free(p->query_id);
	free(p->text);
	free(p);
}

void telegram_press_answer(struct channel *ch, const struct message *m, const char *text)
{
	struct telegram *tg = ch->state;
	struct press *p;

	if (!m->press_id || tg->refused)
		return;
	if (tg->presses >= tg->limits->presses) {
		log_debug(tg->self.channel, "a button press is not answered: limit=%u", tg->limits->presses);
		return;
	}
	p = xcalloc(1, sizeof(*p));
	p->tg = tg;
	p->query_id = xstrdup(m->press_id);
	p->text = xstrdup(text);
	tg->presses++;
	task_start(&tg->tasks, "telegram.press", answer, p);
}
