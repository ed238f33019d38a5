#include "bus/message.h"

#include "base/mem.h"

#define EDIT_MAX_MS (24 * 60 * 60 * INT64_C(1000))

static const char *const message_kinds[] = {
    [MESSAGE_TEXT] = "text",
    [MESSAGE_EDIT] = "edit",
    [MESSAGE_PRESS] = "press",
    [MESSAGE_JOINED] = "joined",
    [MESSAGE_MOVED] = "moved",
    [MESSAGE_SCHEDULE] = "schedule",
};

static const char *const chat_kinds[] = {
    [CHAT_PRIVATE] = "private",
    [CHAT_GROUP] = "group",
    [CHAT_CHANNEL] = "channel",
};

static const char *const outbound_states[] = {
    [OUTBOUND_QUEUED] = "queued",
    [OUTBOUND_SENDING] = "sending",
    [OUTBOUND_SENT] = "sent",
    [OUTBOUND_UNCERTAIN] = "uncertain",
    [OUTBOUND_FAILED] = "failed",
};

struct message *message_new(void)
{
	struct message *m = xcalloc(1, sizeof(*m));

	m->text = xstrdup("");
	return m;
}

void message_edited(struct message *m, int64_t edited_ms)
{
	m->kind = MESSAGE_EDIT;
	m->continues = false;
	if (edited_ms <= 0)
		return;
	if (m->chat_kind != CHAT_PRIVATE && edited_ms - m->sent_ms > EDIT_MAX_MS)
		m->addressed = false;
	m->sent_ms = edited_ms;
}

bool message_is_of(const struct message *m, const char *person)
{
	return m->sender_id && person && strcmp(m->sender_id, person) == 0;
}

void message_free(struct message *m)
{
	if (!m)
		return;
	free(m->account);
	free(m->event_id);
	free(m->chat_title);
	free(m->sender_id);
	free(m->sender_name);
	free(m->message_id);
	free(m->reply_to);
	free(m->reply_text);
	free(m->reply_sender_id);
	free(m->reply_sender_name);
	free(m->press_id);
	free(m->text);
	attachments_free(m->attachments, m->attachment_count);
	free(m);
}

struct message *message_copy(const struct message *m)
{
	struct message *copy = xmemdup(m, sizeof(*m));

	copy->account = xstrdup(m->account);
	copy->event_id = xstrdup(m->event_id);
	copy->chat_title = xstrdup(m->chat_title);
	copy->sender_id = xstrdup(m->sender_id);
	copy->sender_name = xstrdup(m->sender_name);
	copy->message_id = xstrdup(m->message_id);
	copy->reply_to = xstrdup(m->reply_to);
	copy->reply_text = xstrdup(m->reply_text);
	copy->reply_sender_id = xstrdup(m->reply_sender_id);
	copy->reply_sender_name = xstrdup(m->reply_sender_name);
	copy->press_id = xstrdup(m->press_id);
	copy->text = xstrdup(m->text);
	copy->attachments = attachments_copy(m->attachments, m->attachment_count);
	return copy;
}

struct outbound *outbound_new(const struct address *to, enum outbound_kind kind, const char *text)
{
	struct outbound *o = xcalloc(1, sizeof(*o));

	o->kind = kind;
	o->to = *to;
	o->text = xstrdup(text);
	o->part = o->parts = 1;
	return o;
}

void outbound_free(struct outbound *o)
{
	if (!o)
		return;
	free(o->text);
	attachments_free(o->file, o->file != NULL);
	free(o->reply_to);
	free(o->edit_of);
	free(o->buttons);
	free(o->key);
	free(o->platform_id);
	free(o->reason);
	free(o);
}

struct outbound *outbound_copy(const struct outbound *o)
{
	struct outbound *copy = xmemdup(o, sizeof(*o));

	copy->text = xstrdup(o->text);
	copy->file = attachments_copy(o->file, o->file != NULL);
	copy->reply_to = xstrdup(o->reply_to);
	copy->edit_of = xstrdup(o->edit_of);
	copy->buttons = xstrdup(o->buttons);
	copy->key = xstrdup(o->key);
	copy->platform_id = xstrdup(o->platform_id);
	copy->reason = xstrdup(o->reason);
	return copy;
}

static const char *name_of(const char *const *names, size_t count, size_t value)
{
	return value < count ? names[value] : "unknown";
}

const char *outbound_state_name(enum outbound_state state)
{
	return name_of(outbound_states, ARRAY_LEN(outbound_states), state);
}

const char *message_kind_name(enum message_kind kind)
{
	return name_of(message_kinds, ARRAY_LEN(message_kinds), kind);
}

const char *chat_kind_name(enum chat_kind kind)
{
	return name_of(chat_kinds, ARRAY_LEN(chat_kinds), kind);
}
