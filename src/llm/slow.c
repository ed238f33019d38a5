#include "llm/slow.h"

/* Who waits shorter than this wonders about nothing. */
#define SLOW_MS 8000

static void tell(struct llm_slow *s)
{
	if (s->told || s->speaking || !s->why || clock_timer_running(&s->timer) || !s->own || !s->own->slow)
		return;
	s->told = true;
	s->own->slow(s->own->arg, s->why);
}

static void on_late(struct clock_timer *timer, void *arg)
{
	(void)timer;
	tell(arg);
}

static void hear(void *arg, const char *piece, size_t len)
{
	struct llm_slow *s = arg;

	s->speaking = true;
	if (s->own && s->own->text)
		s->own->text(s->own->arg, piece, len);
}

void slow_begin(struct llm_slow *s, const struct llm_sink *own)
{
	*s = (struct llm_slow){.sink = {.text = hear, .arg = s}, .own = own};
	clock_timer_start(&s->timer, SLOW_MS, on_late, s);
}

void slow_end(struct llm_slow *s)
{
	clock_timer_stop(&s->timer);
}

void slow_because(struct llm_slow *s, const char *why)
{
	s->why = why;
	tell(s);
}

void slow_restart(struct llm_slow *s)
{
	s->speaking = false;
	if (s->own && s->own->restart)
		s->own->restart(s->own->arg);
}
