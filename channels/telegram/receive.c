#include "channels/telegram/receive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/wrong.h"
#include "bus/channel.h"
#include "bus/journal.h"
#include "channels/telegram/telegram_internal.h"

struct batch {
	struct message **messages;
	size_t count;
	int64_t next; /* offset after it; 0: no update had an id */
	size_t skipped, unknown;
};

static int commit(struct task *t, struct telegram *tg, struct message **messages, size_t count, int64_t next,
    struct error *err)
{
	char value[24];
	struct journal_cursor cursor = {.account = tg->self.account, .name = "offset", .value = value};

	snprintf(value, sizeof(value), "%" PRId64, next);
	if (WRONG("ack-before-store")) {
		tg->offset = next;
		telegram_poll_confirm(t, tg);
	}
	if (channel_received(t, tg->ch, messages, count, &cursor, err) < 0)
		return error_prefix(err, "messages cannot be stored, and stay with Telegram");
	tg->offset = next;
	return 0;
}

/* Reports membership changes that the operator should know. */
static void note_update(struct telegram *tg, struct json_object *update)
{
	struct json_object *member = json_get_object(update, "my_chat_member");
	const char *status = json_get_str(json_get_object(member, "new_chat_member"), "status");

	bool gone = status && (strcmp(status, "kicked") == 0 || strcmp(status, "left") == 0);

	if (status)
		log_write(gone ? LOG_LEVEL_WARN : LOG_LEVEL_INFO, tg->self.channel,
		    "%s: status=\"%.32s\" chat=%" PRId64,
		    gone ? "the bot was removed from a chat or blocked, and cannot write there" :
			   "the bot's membership in a chat has changed",
		    status, json_get_int(json_get_object(member, "chat"), "id", 0));
}

static void add_update(struct telegram *tg, struct batch *b, struct json_object *update)
{
	struct message *m;
	int64_t id = telegram_update_id(update);
	enum telegram_update kind = telegram_update_parse(update, &tg->self, &m);

	/* The highest of this batch, also when it is below the old offset: after a quiet week
	 * Telegram goes on with a random id (Bot API: Update). */
	if (id != 0 && id >= b->next)
		b->next = id + 1;
	b->skipped += kind == TELEGRAM_UPDATE_BAD;
	b->unknown += kind == TELEGRAM_UPDATE_UNKNOWN;
	note_update(tg, update);
	if (kind != TELEGRAM_UPDATE_MESSAGE)
		return;
	if (m->sent_ms == 0)
		m->sent_ms = clock_wall();
	b->messages[b->count++] = m;
}

static void report_losses(struct telegram *tg, const struct batch *b)
{
	tg->skipped += b->skipped;
	tg->unknown += b->unknown;
	if (b->skipped != 0)
		log_warn(tg->self.channel,
		    "skipped malformed updates: count=%zu total=%" PRIu64 " before=%" PRId64, b->skipped,
		    tg->skipped, b->next);
	if (b->unknown != 0)
		log_info(tg->self.channel,
		    "ignored updates of unknown kinds: count=%zu total=%" PRIu64 " before=%" PRId64,
		    b->unknown, tg->unknown, b->next);
}

int telegram_receive_batch(
    struct task *t, struct telegram *tg, struct json_object *updates, struct error *err)
{
	size_t count = json_object_array_length(updates);
	struct batch b = {.messages = NULL};
	int rc;

	tg->self.stop_reaction = tg->ch->stop_reaction;
	tg->self.menu = tg->ch->menu;
	if (count == 0)
		return 0;
	b.messages = xcalloc(count, sizeof(*b.messages));
	for (size_t i = 0; i < count; i++)
		add_update(tg, &b, json_object_array_get_idx(updates, i));
	if (b.next != 0)
		rc = commit(t, tg, b.messages, b.count, b.next, err);
	else
		rc = error_set(err, ERROR_NETWORK, "Telegram sent %zu updates without an update_id", count);
	free(b.messages);
	if (rc < 0)
		return -1;
	report_losses(tg, &b);
	return 0;
}

int telegram_receive_skip(struct task *t, struct telegram *tg, int64_t update_id, struct error *err)
{
	if (commit(t, tg, NULL, 0, update_id + 1, err) < 0)
		return -1;
	tg->skipped++;
	log_error(tg->self.channel,
	    "skipped an unreadable update, its content is lost: update=%" PRId64 " total=%" PRIu64, update_id,
	    tg->skipped);
	return 0;
}
