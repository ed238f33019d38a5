#include "lib/stage_press.h"

#include <stdlib.h>

#include "bus/buttons.h"

char *stage_button(const struct stage *st, size_t i, size_t of)
{
	struct buttons b;

	assert_non_null(st->buttons);
	assert_int_equal(buttons_read(&b, st->buttons, NULL), 0);
	assert_int_equal(b.count, of);
	char *id = xstrdup(b.items[i].id);
	buttons_clear(&b);
	return id;
}

struct message *stage_press(struct message *m, const char *message_id)
{
	m->kind = MESSAGE_PRESS;
	free(m->message_id);
	m->message_id = xstrdup(message_id);
	m->press_id = xstrdup("q");
	return m;
}
