#include "channels/telegram/telegram_internal.h"

#include "base/error.h"
#include "bus/channel.h"
#include "channels/telegram/telegram.h"
#include "channels/telegram/outcome.h"

int telegram_retry_wait_error(struct task *t, struct telegram *tg, const struct error *why, struct error *err)
{
	if (why->kind == ERROR_CANCELLED) {
		*err = *why;
		return -1;
	}
	channel_set_status(tg->ch, CHANNEL_DEGRADED, "%s; trying again", why->text);
	/* The old connection may be the cause: half-open after a sleep, or through a dead proxy. */
	tg->fresh = true;
	return task_sleep(t, backoff_after(&tg->retry, why), err);
}

int telegram_retry_wait(
    struct task *t, struct telegram *tg, const struct telegram_outcome *o, struct error *err)
{
	switch (o->class) {
	case TELEGRAM_BAD_TOKEN:
	case TELEGRAM_NO_METHOD:
		telegram_refused(tg, &o->why);
		*err = o->why;
		return -1;
	case TELEGRAM_RATE_LIMITED:
		channel_set_status(tg->ch, CHANNEL_DEGRADED, "%s", o->why.text);
		return task_sleep(t, o->retry_ms + tg->limits->limited_extra_ms, err);
	default:
		return telegram_retry_wait_error(t, tg, &o->why, err);
	}
}
