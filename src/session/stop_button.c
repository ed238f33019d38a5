#include "session/session_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bus/buttons.h"
#include "session/turn/turn.h"

#define PREFIX "s:"

char *stop_button_new(struct session *s)
{
	struct buttons b = {0};

	question_token(s->stop_token);
	char *id = xasprintf(PREFIX "%s", s->stop_token);
	buttons_add(&b, id, "Stop", BUTTON_DANGER, false);
	char *text = buttons_write(&b);
	buttons_clear(&b);
	free(id);
	return text;
}

bool stop_button_pressed(
    struct sessions *all, const struct message *m, enum access_role role, const char **notice)
{
	struct session *s = session_find(all, &m->from);

	if (strncmp(m->text, PREFIX, strlen(PREFIX)) != 0)
		return false;
	*notice = NULL;
	if (!s || !s->runner.turn || strcmp(s->stop_token, m->text + strlen(PREFIX)) != 0)
		*notice = "This has ended already.";
	else if (role < ACCESS_ADMIN && strcmp(s->runner.turn->row.asked->sender_id, m->sender_id) != 0)
		*notice = "Only the person who asked, or an admin, can stop this.";
	else
		session_stop(s);
	return true;
}
