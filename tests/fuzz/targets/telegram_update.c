/* An answer of getUpdates on its way to the journal: whatever Telegram, or somebody who writes to the bot,
 * puts into it, the messages that arrive are whole, and the offset moves behind all of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "bus/bus_internal.h"
#include "channels/telegram/receive.h"
#include "channels/telegram/telegram_internal.h"
#include "fuzz/fuzz.h"

#define ID_MAX (INT64_C(1) << 52)

/* The updates of the answer that is read, and what has come of them. */
static struct json_object *updates;
static size_t received;
static int64_t highest;

static bool is_id(const char *text)
{
	return text && text[0] != '\0' && text[strspn(text, "-0123456789")] == '\0';
}

static void hold_text(const char *text)
{
	HOLDS(!text || utf8_valid(text, strlen(text)));
}

/* A name in one line, without the brackets of our own remarks. */
static void hold_name(const char *text)
{
	HOLDS(!text || text[strcspn(text, "[]{}\r\n")] == '\0');
	hold_text(text);
}

static void check_message(const struct message *m)
{
	char text[ADDRESS_TEXT_MAX];
	struct address again;

	HOLDS(strcmp(m->account, "telegram:999") == 0 && strcmp(m->from.channel, "main") == 0);
	HOLDS(is_id(m->event_id) && is_id(m->sender_id));
	/* What Telegram tells by itself names no message. */
	HOLDS(m->message_id ?
		is_id(m->message_id) :
		m->kind == MESSAGE_JOINED || m->kind == MESSAGE_MOVED || strcmp(m->text, "/stop") == 0);
	HOLDS(m->kind != MESSAGE_MOVED || (is_id(m->text) && m->chat_kind == CHAT_GROUP));
	HOLDS(strcmp(m->sender_id, "0") != 0);
	HOLDS(!m->reply_to || is_id(m->reply_to));
	HOLDS(address_parse(address_format(&m->from, text), &again, NULL) == 0 &&
	    address_equal(&again, &m->from));
	HOLDS(m->kind == MESSAGE_PRESS || m->text[0] != '\0');
	HOLDS(strlen(m->text) < TELEGRAM_TEXT_MAX + 64);
	HOLDS(m->sent_ms > 0 && m->received_ms > 0);
	HOLDS(!m->sender_is_chat || !m->sender_is_bot);
	HOLDS(m->chat_kind != CHAT_PRIVATE || m->addressed);
	hold_text(m->text);
	hold_text(m->reply_text);
	hold_text(m->reply_sender_name);
	hold_name(m->chat_title);
	hold_name(m->sender_name);
}

static int put_inbound(struct task *t, void *self, struct message *const *messages, size_t count,
    const struct journal_cursor *cursor, struct error *err)
{
	(void)t;
	(void)self;
	(void)err;
	HOLDS(count <= json_object_array_length(updates));
	for (size_t i = 0; i < count; i++) {
		int64_t id = strtoll(messages[i]->event_id, NULL, 10);

		check_message(messages[i]);
		highest = id > highest ? id : highest;
		messages[i]->id = (int64_t)i + 1;
	}
	HOLDS(cursor && strcmp(cursor->account, "telegram:999") == 0 && strcmp(cursor->name, "offset") == 0);
	HOLDS(strtoll(cursor->value, NULL, 10) > highest);
	return 0;
}

static void take(void *arg, struct message *m)
{
	(void)arg;
	received++;
	message_free(m);
}

static const struct journal_ops journal = {.put_inbound = put_inbound};

/* Is the highest id of all updates, messages or not; 0 when none has one. */
static int64_t highest_id(void)
{
	int64_t most = 0;

	for (size_t i = 0; i < json_object_array_length(updates); i++) {
		int64_t id = json_get_int(json_object_array_get_idx(updates, i), "update_id", 0);

		most = id < ID_MAX && id > most ? id : most;
	}
	return most;
}

static void receive(struct task *t, void *arg)
{
	static const struct telegram_limits limits = {.presses = 0};
	struct bus bus = {.journal = {.ops = &journal}, .handler = {.received = take}};
	struct channel ch = {.name = "main", .bus = &bus};
	struct telegram tg = {.ch = &ch,
	    .limits = &limits,
	    .offset = 5,
	    .self = {.id = 999, .username = "myna_bot", .account = "telegram:999", .channel = "main"}};
	struct error err = {0};
	int64_t most = highest_id();

	(void)arg;
	received = 0;
	highest = 0;
	if (telegram_receive_batch(t, &tg, updates, &err) != 0) {
		fuzz_hold_sentence(err.text);
		HOLDS(most == 0 && received == 0 && tg.offset == 5);
		return;
	}
	HOLDS(tg.offset == (json_object_array_length(updates) > 0 ? most + 1 : 5));
	HOLDS(received + tg.skipped + tg.unknown <= json_object_array_length(updates));
}

void fuzz_telegram_update(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct buf clean = BUF_INIT;
	struct json_object *o;
	size_t len;
	char *text = fuzz_rest(&in, &len);
	int64_t scanned = telegram_update_scan_id(text, len);

	fuzz_quiet_log();
	clock_fake(1700000000000, 1);
	HOLDS(scanned >= 0 && scanned < ID_MAX);
	utf8_sanitize(&clean, text, len);
	o = json_parse_object(clean.data, clean.len, NULL);
	updates = json_get_array(o, "result");
	if (updates)
		task_run("receive", receive, NULL);
	json_object_put(o);
	buf_clear(&clean);
	free(text);
}

FUZZ_PROGRAM(fuzz_telegram_update)
