#include "session/turn/turn_input.h"

#include <stdlib.h>
#include <string.h>

#include "agent/prompt.h"
#include "base/buf.h"
#include "base/time/clock.h"
#include "base/mem.h"
#include "bus/message.h"
#include "llm/history.h"
#include "session/access/access.h"
#include "session/queue.h"
#include "session/turn/turn.h"
#include "session/turn/coalesce.h"

static size_t count_edits(const struct coalesced *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->count; i++)
		n += b->items[i]->edit_count;
	return n;
}

/* The rows of merged edits come with the messages that they changed. */
static void collect_rows(struct turn_input *k)
{
	const struct coalesced *b = k->coalesced;
	size_t edits = count_edits(b);

	k->rows = xcalloc(k->context_count + edits + b->count, sizeof(struct message *));
	k->edits = xcalloc(edits + 1, sizeof(*k->edits));
	for (size_t i = 0; i < k->context_count; i++)
		k->rows[k->count++] = k->context[i];
	for (size_t i = 0, n = 0; i < b->count; i++)
		for (size_t e = 0; e < b->items[i]->edit_count; e++, n++) {
			k->edits[n].id = b->items[i]->edits[e];
			k->rows[k->count++] = &k->edits[n];
		}
	for (size_t i = 0; i < b->count; i++)
		k->rows[k->count++] = b->items[i]->m;
}

void turn_input_init(struct turn_input *k, const struct coalesced *b)
{
	turn_input_init_context(k, b, NULL, 0);
}

void turn_input_init_context(
    struct turn_input *k, const struct coalesced *b, struct message *const *context, size_t count)
{
	*k = (struct turn_input){.coalesced = b, .context_count = count};
	for (size_t i = 0; i < count; i++)
		k->context[i] = context[i];
	collect_rows(k);
}

void turn_input_clear(struct turn_input *k)
{
	for (size_t i = 0; i < k->context_count; i++)
		message_free(k->context[i]);
	free(k->rows);
	free(k->edits);
}

static void add_images(struct llm_message *user, const struct message *m)
{
	for (size_t i = 0; i < m->attachment_count; i++)
		llm_images_parse(m->attachments[i].model_view, &user->images, &user->image_count);
}

struct llm_message *turn_input_message(const struct turn_input *k, const struct session *s)
{
	const struct coalesced *b = k->coalesced;
	const struct message *first = b->items[0]->m;
	/* Guests and others do not share a turn. */
	bool guest = first->chat_kind != CHAT_PRIVATE && session_role(s, first) <= ACCESS_GUEST;
	struct buf text = BUF_INIT;

	prompt_context(&text, k->context, k->context_count);
	prompt_user(&text, first, guest);
	for (size_t i = 1; i < b->count; i++) {
		if (coalesce_same_sender(b->items[i - 1]->m, b->items[i]->m)) {
			prompt_user_more(&text, b->items[i]->m);
			continue;
		}
		buf_addch(&text, '\n');
		prompt_user(&text, b->items[i]->m, guest);
	}
	struct llm_message *user = llm_message_new(LLM_USER, text.data);
	for (size_t i = 0; i < b->count; i++)
		add_images(user, b->items[i]->m);
	user->created_ms = clock_wall();
	buf_clear(&text);
	return user;
}

const char *turn_input_person(const struct turn_input *k, const char *so_far)
{
	const char *person = coalesced_person(k->coalesced);

	return so_far && (!person || strcmp(so_far, person) != 0) ? "" : person;
}
