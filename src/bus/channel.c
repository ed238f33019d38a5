#include "bus/channel.h"

#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/metric.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "base/trace.h"
#include "bus/bus_internal.h"
#include "bus/outbox_sender.h"

/* Redacts on arrival, so that no later code can split, quote or forward a secret that a person sent. */
static void redact(struct message *m)
{
	secret_redact_in_place(&m->text);
	secret_redact_in_place(&m->reply_text);
	secret_redact_in_place(&m->reply_sender_name);
	secret_redact_in_place(&m->chat_title);
	secret_redact_in_place(&m->sender_name);
	for (size_t i = 0; i < m->attachment_count; i++)
		secret_redact_in_place(&m->attachments[i].name);
}

struct counter bus_arrivals = {.name = "myna_messages_received_total",
    .label = "result",
    .help = "Messages received: new, already known, or refused because they could not be stored.",
    .outcomes = {"new", "known", "refused"}};

static void count_arrivals(struct message *const *messages, size_t count, bool stored)
{
	for (size_t i = 0; i < count; i++)
		counter_add(&bus_arrivals, !stored ? 2 : messages[i]->id == 0, 1);
}

int channel_received(struct task *t, struct channel *ch, struct message **messages, size_t count,
    const struct journal_cursor *cursor, struct error *err)
{
	struct bus *b = ch->bus;

	for (size_t i = 0; i < count; i++) {
		messages[i]->received_ms = clock_wall();
		redact(messages[i]);
	}
	/* Routed even if t is cancelled: a repeat by the platform would be dropped as a duplicate. */
	task_shield(t);
	int rc = 0;
	for (size_t i = 0; i < count && ch->units > 1 && rc == 0; i++)
		rc = unit_note(t, b, messages[i], err);
	if (rc == 0)
		rc = b->journal.ops->put_inbound(t, b->journal.self, messages, count, cursor, err);
	task_unshield(t);
	count_arrivals(messages, count, rc == 0);
	for (size_t i = 0; i < count; i++) {
		if (rc == 0 && messages[i]->id != 0) {
			trace_step(.step = "committed", .inbound = messages[i]->id,
			    .channel = messages[i]->from.channel, .chat = messages[i]->from.chat,
			    .thread = messages[i]->from.thread, .message = messages[i]->message_id);
			b->handler.received(b->handler.arg, messages[i]);
		} else {
			message_free(messages[i]);
		}
		messages[i] = NULL;
	}
	return rc;
}

/* A text that did not fit ends after a word, with a mark that there is more. */
static void cut_sentence(char *text, size_t size, int wanted)
{
	static const char more[] = " ...";
	size_t len;

	if (wanted < 0 || (size_t)wanted < size)
		return;
	len = utf8_cut(text, strlen(text), size - sizeof(more), UTF8_BYTES);
	for (size_t i = len; i > len / 2; i--) {
		if (text[i] == ' ') {
			len = i;
			break;
		}
	}
	memcpy(text + len, more, sizeof(more));
}

void channel_set_status(struct channel *ch, enum channel_status status, const char *fmt, ...)
{
	char text[sizeof(ch->status_text)];
	va_list ap;

	/* Its adapter stops, and may not know yet that it must not send any more. */
	if (ch->leaving && ch->status == CHANNEL_ELSEWHERE)
		return;
	va_start(ap, fmt);
	cut_sentence(text, sizeof(text), vsnprintf(text, sizeof(text), fmt, ap));
	va_end(ap);
	bool changed = ch->status != status;
	if (!changed && strcmp(text, ch->status_text) == 0)
		return;
	memcpy(ch->status_text, text, sizeof(text));
	if (changed) {
		ch->status = status;
		ch->status_since_ms = clock_wall();
	}
	enum log_level level =
	    status == CHANNEL_DEGRADED || status == CHANNEL_STOPPED ? LOG_LEVEL_WARN : LOG_LEVEL_INFO;
	log_write(level, ch->name, "channel %s: %s", channel_status_name(status), text);
	if (changed && ch->bus)
		outbox_sender_wake_channel(ch->bus, ch->channel);
}

void channel_describe(const struct channel *ch, struct buf *out)
{
	if (ch->shards > 0)
		buf_addf(out, "%u of %u shards ready; ", ch->shards_ready, ch->shards);
	buf_addstr(out, ch->status_text);
}

int channel_moved(
    struct task *t, struct channel *ch, const char *old_chat, const char *new_chat, struct error *err)
{
	struct journal_move move = {0};

	str_copy(move.channel, sizeof(move.channel), ch->channel);
	if (str_copy(move.old_chat, sizeof(move.old_chat), old_chat) < 0 ||
	    str_copy(move.new_chat, sizeof(move.new_chat), new_chat) < 0)
		return error_set(err, ERROR_OURS, "the id of a chat is too long: %.80s", new_chat);
	return bus_move_chat(t, ch->bus, &move, err);
}

int channel_read_cursor(struct task *t, struct channel *ch, const char *account, const char *name,
    char **value, struct error *err)
{
	return ch->bus->journal.ops->read_cursor(t, ch->bus->journal.self, account, name, value, err);
}

const char *channel_status_name(enum channel_status status)
{
	static const char *const names[] = {
	    [CHANNEL_STARTING] = "starting",
	    [CHANNEL_READY] = "ready",
	    [CHANNEL_DEGRADED] = "degraded",
	    [CHANNEL_STOPPED] = "stopped",
	    [CHANNEL_ELSEWHERE] = "elsewhere",
	};

	return names[status];
}

static bool is_like(const char *pattern, const char *id)
{
	regex_t re;

	if (!pattern || regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return true;
	bool is = regexec(&re, id, 0, NULL, 0) == 0;
	regfree(&re);
	return is;
}

int channel_check_person(const struct channel_ops *ops, const char *id, struct error *err)
{
	if (is_like(ops->person_ids, id))
		return 0;
	return error_set(
	    err, ERROR_OURS, "\"%.64s\" cannot be the id of a person. %s", id, ops->person_id_help);
}

int channel_check_group(const struct channel_ops *ops, const char *id, struct error *err)
{
	if (is_like(ops->group_ids, id))
		return 0;
	return error_set(
	    err, ERROR_OURS, "\"%.64s\" cannot be the id of a group. %s", id, ops->group_id_help);
}

int channel_check_chat(const struct channel_ops *ops, const char *id, struct error *err)
{
	size_t len = ops->person_chat ? strlen(ops->person_chat) : 0;

	if (is_like(ops->group_ids, id) || (ops->public_names && is_like(ops->public_names, id)) ||
	    (ops->person_chat && strncmp(id, ops->person_chat, len) == 0 &&
		is_like(ops->person_ids, id + len)))
		return 0;
	return error_set(err, ERROR_OURS, "\"%.64s\" cannot be the id of a chat. %s", id, ops->group_id_help);
}
