#include "channels/slack/event.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/format.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/quote.h"
#include "base/text/utf8.h"
#include "bus/attachment.h"
#include "channels/slack/event_internal.h"
#include "channels/slack/users.h"
#include "channels/slack/recent_map.h"
#include "channels/slack/text.h"

/* Of one message. */
#define FILES_MAX    20
#define DELETED_TEXT "[I deleted this message.]"

bool slack_event_is_ts(const char *s)
{
	size_t whole = s ? strspn(s, "0123456789") : 0, rest;

	if (whole == 0 || whole > 12 || s[whole] != '.')
		return false;
	rest = strspn(s + whole + 1, "0123456789");
	return rest > 0 && rest <= 9 && s[whole + 1 + rest] == '\0';
}

int64_t slack_event_ts_ms(const char *ts)
{
	int64_t ms = 0;

	if (!slack_event_is_ts(ts))
		return 0;
	for (; *ts != '.'; ts++)
		ms = ms * 10 + (*ts - '0');
	ms *= 1000;
	ts++;
	for (int64_t unit = 100; unit > 0 && *ts != '\0'; unit /= 10, ts++)
		ms += (*ts - '0') * unit;
	return ms;
}

/* Conversations and people: a letter, then letters and digits. */
bool slack_event_is_id(const char *s)
{
	size_t len = s ? strlen(s) : 0;

	if (len < 2 || len > 31)
		return false;
	for (; *s != '\0'; s++)
		if (!isupper((unsigned char)*s) && !isdigit((unsigned char)*s))
			return false;
	return true;
}

bool slack_event_set_chat(struct message *out, const char *channel, const char *type, const char *thread,
    const struct slack_event_context *context)
{
	bool private = type ? strcmp(type, "im") == 0 : channel && channel[0] == 'D';

	if (!slack_event_is_id(channel) || (*thread != '\0' && !slack_event_is_ts(thread)))
		return false;
	out->chat_kind = private ? CHAT_PRIVATE : CHAT_GROUP;
	return address_set(&out->from, context->self->channel, channel, thread, NULL) == 0;
}

void slack_event_set_sender(
    struct message *out, const char *id, const char *name, const struct slack_event_context *context)
{
	const char *known = context->people ? slack_users_name(context->people, id) : NULL;

	out->sender_id = xstrdup(id);
	if (!known && name && *name == '\0')
		name = NULL;
	out->sender_name = known ? xstrdup(known) : name ? slack_text_name(name) : NULL;
}

void slack_event_set_text(struct message *out, struct buf *text)
{
	struct buf clean = BUF_INIT;

	utf8_sanitize(&clean, text->data, text->len);
	if (clean.len > SLACK_TEXT_MAX) {
		size_t cut = utf8_cut(clean.data, clean.len, SLACK_TEXT_MAX, UTF8_BYTES),
		       rest = clean.len - cut;

		buf_truncate(&clean, cut);
		buf_addf(&clean, "\n[cut here: %zu bytes more]", rest);
	}
	free(out->text);
	out->text = buf_take(&clean);
}

static bool equal(const char *a, const char *b)
{
	return a && b && *b != '\0' && strcmp(a, b) == 0;
}

bool slack_event_is_own(struct json_object *m, const struct slack_self *self)
{
	const char *user = json_get_str(m, "user"), *app = json_get_str(m, "app_id"),
		   *bot = json_get_str(m, "bot_id");

	if (!app)
		app = json_get_str(json_get_object(m, "bot_profile"), "app_id");
	return equal(user, self->user) || equal(bot, self->bot) || equal(bot, self->user) ||
	    equal(app, self->app) || equal(user, "USLACKBOT") || equal(user, "USLACK");
}

static bool read_sender(struct message *out, struct json_object *m, const struct slack_event_context *context)
{
	const char *user = json_get_str(m, "user"), *bot = json_get_str(m, "bot_id"),
		   *name = json_get_str(m, "username");
	struct json_object *profile = json_get_object(m, "user_profile");

	if (!name)
		name = json_get_str(profile, "display_name");
	if (!name || *name == '\0')
		name = json_get_str(profile, "real_name");
	/* An app that writes as a person has no bot_id. */
	out->sender_is_bot = bot || json_get_str(m, "app_id") || json_get_object(m, "bot_profile") ||
	    equal(json_get_str(m, "subtype"), "bot_message");
	if (!user)
		user = bot;
	if (!slack_event_is_id(user))
		return false;
	slack_event_set_sender(out, user, name, context);
	return true;
}

static void add_forwarded(struct buf *text, struct json_object *a, const char *content)
{
	const char *author = json_get_str(a, "author_name");
	char *name = slack_text_name(author ? author : "somebody");

	buf_addf(text, "[forwarded from %s: what follows is not the sender's own text]\n", name);
	quote_text(text, NULL, content, strlen(content));
	buf_truncate(text, text->len - 1);
	free(name);
}

/* The text of a shared message; else the blocks or attachments that a bot sent instead of text. */
static void add_attachments(
    struct buf *text, struct json_object *list, bool alone, const struct slack_event_context *context)
{
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *a = json_object_array_get_idx(list, i);
		const char *content = json_get_str(a, "text");
		bool shared = json_get_bool(a, "is_share", false);
		struct buf read = BUF_INIT;
		struct slack_text_flags ignored; /* mentions in quoted text do not count */

		if (!content)
			content = json_get_str(a, "fallback");
		if (!content || (!alone && !shared))
			continue;
		slack_text_read(&read, content, context->self->user, context->people, NULL, &ignored);
		buf_addstr(text, text->len > 0 ? "\n" : "");
		if (shared)
			add_forwarded(text, a, read.data);
		else
			buf_addstr(text, read.data);
		buf_clear(&read);
	}
}

/* Slack: "slack_audio" is a recorded clip. */
static enum attachment_kind kind_of(struct json_object *f)
{
	const char *mime = json_get_str(f, "mimetype");

	if (equal(json_get_str(f, "subtype"), "slack_audio"))
		return ATTACHMENT_VOICE;
	return mime ? attachment_kind_of(mime) : ATTACHMENT_FILE;
}

static void read_file(struct message *out, struct json_object *f)
{
	const char *id = json_get_str(f, "id"), *mode = json_get_str(f, "mode");
	struct attachment *a = attachments_add(&out->attachments, &out->attachment_count, kind_of(f));
	int64_t ms = json_get_int(f, "duration_ms", -1);

	a->name = xstrdup(json_get_str(f, "name"));
	a->mime = xstrdup(json_get_str(f, "mimetype"));
	a->size = json_get_int(f, "size", -1);
	a->seconds = ms >= 0 ? ms / 1000 : -1;
	/* What was deleted, or is hidden because the plan is free, has no bytes. */
	if (slack_event_is_id(id) && !equal(mode, "tombstone") && !equal(mode, "hidden_by_limit"))
		a->ref = xstrdup(id);
}

static void read_files(struct message *out, struct json_object *files)
{
	for (size_t i = 0; files && i < json_object_array_length(files) && i < FILES_MAX; i++) {
		struct json_object *f = json_object_array_get_idx(files, i);

		if (json_object_is_type(f, json_type_object))
			read_file(out, f);
	}
}

/* Appends all content of the message; words: its mentions. */
static void read_words(struct buf *text, struct json_object *m, const struct slack_event_context *context,
    struct slack_text_flags *words)
{
	const char *content = json_get_str(m, "text");
	struct buf raw = BUF_INIT;

	buf_addstr(&raw, content ? content : "");
	if (raw.len == 0)
		slack_text_blocks(&raw, json_get_array(m, "blocks"));
	slack_text_read(text, raw.data, context->self->user, context->people, context->menu, words);
	add_attachments(text, json_get_array(m, "attachments"), raw.len == 0, context);
	/* A person types text: what stands elsewhere is not taken for a command. */
	if ((!content || *content == '\0') && text->len > 0 && text->data[0] == '/') {
		char *shown = buf_take(text);
		buf_init(text);
		buf_addf(text, "[attached] %s", shown);
		free(shown);
	}
	buf_clear(&raw);
}

/* Is a reply in this thread for us, although it does not say so? */
static bool is_our_thread(
    const struct message *out, struct json_object *m, const struct slack_event_context *context)
{
	char key[ADDRESS_TEXT_MAX];

	if (!context->thread_replies || out->from.thread[0] == '\0')
		return false;
	if (equal(json_get_str(m, "parent_user_id"), context->self->user))
		return true;
	str_format(key, sizeof(key), "%s:%s", out->from.chat, out->from.thread);
	return context->threads && slack_recent_map_get(context->threads, key);
}

/* A message in a thread replies to the thread's first message. */
static void read_reply(struct message *out, struct json_object *m, const struct slack_event_context *context)
{
	const char *parent = json_get_str(m, "parent_user_id");
	const char *name = context->people && parent ? slack_users_name(context->people, parent) : NULL;

	if (!slack_event_is_id(parent) || strcmp(parent, context->self->user) == 0)
		return;
	out->reply_sender_id = xstrdup(parent);
	out->reply_sender_name = xstrdup(name);
}

/* The thread that an answer belongs to: a mention outside of threads opens one. */
static const char *thread_of(struct json_object *m, const char *ts, bool opens)
{
	const char *thread = json_get_str(m, "thread_ts");

	if (thread && strcmp(thread, ts) != 0)
		return thread;
	return opens ? ts : "";
}

/* event has the conversation, m the message. They are the same object except for edits. */
static enum slack_event read_said(struct message *out, struct json_object *event, struct json_object *m,
    const struct slack_event_context *context)
{
	const char *channel = json_get_str(event, "channel"), *type = json_get_str(event, "channel_type");
	const char *ts = json_get_str(m, "ts"), *kind = json_get_str(event, "type");
	bool mention = equal(kind, "app_mention"),
	     private = type ? equal(type, "im") : channel && *channel == 'D';
	struct slack_text_flags words;
	struct buf text = BUF_INIT;
	enum slack_event rc = SLACK_EVENT_IGNORED;

	if (!ts)
		ts = json_get_str(event, "event_ts");
	if (!slack_event_is_ts(ts))
		return SLACK_EVENT_BAD;
	if (slack_event_is_own(m, context->self) || (mention && private))
		return SLACK_EVENT_IGNORED;
	read_words(&text, m, context, &words);
	mention |= words.to_us;
	if (!slack_event_set_chat(out, channel, type, thread_of(m, ts, mention && !private), context) ||
	    !read_sender(out, m, context)) {
		rc = SLACK_EVENT_BAD;
	} else if (text.len > 0 || mention || json_get_array(m, "files")) {
		/* The bot may have come to the thread after a message that is edited now. */
		out->addressed =
		    private || mention || (m == event && !words.to_others && is_our_thread(out, m, context));
		out->message_id = xstrdup(ts);
		out->sent_ms = slack_event_ts_ms(ts);
		out->event_id = xasprintf("message:%s:%s", channel, ts);
		read_files(out, json_get_array(m, "files"));
		read_reply(out, m, context);
		if (mention && text.len == 0 && out->attachment_count == 0)
			buf_addstr(&text, MESSAGE_MENTION_ONLY);
		slack_event_set_text(out, &text);
		rc = SLACK_EVENT_MESSAGE;
	}
	buf_clear(&text);
	return rc;
}

static enum slack_event read_message(
    struct message *out, struct json_object *event, const struct slack_event_context *context)
{
	return read_said(out, event, event, context);
}

void slack_event_set_id(struct message *out, char *made)
{
	struct buf clean = BUF_INIT;

	utf8_sanitize(&clean, made, strlen(made));
	free(made);
	free(out->event_id);
	out->event_id = buf_take(&clean);
}

/* Unfurled links and the bot's own edits also arrive as changes, with unchanged text. */
static enum slack_event read_changed(
    struct message *out, struct json_object *event, const struct slack_event_context *context)
{
	struct json_object *m = json_get_object(event, "message"),
			   *before = json_get_object(event, "previous_message");
	const char *at = json_get_str(json_get_object(m, "edited"), "ts"), *text = json_get_str(m, "text");
	enum slack_event rc;

	if (!m)
		return SLACK_EVENT_BAD;
	if (!at || equal(json_get_str(m, "subtype"), "tombstone") ||
	    (text && before && equal(json_get_str(before, "text"), text)))
		return SLACK_EVENT_IGNORED;
	rc = read_said(out, event, m, context);
	if (rc != SLACK_EVENT_MESSAGE)
		return rc;
	message_edited(out, slack_event_ts_ms(at));
	slack_event_set_id(out, xasprintf("edit:%s:%s:%.32s", out->from.chat, out->message_id, at));
	return rc;
}

static enum slack_event read_deleted(
    struct message *out, struct json_object *event, const struct slack_event_context *context)
{
	struct json_object *m = json_get_object(event, "previous_message");
	enum slack_event rc = m ? read_said(out, event, m, context) : SLACK_EVENT_IGNORED;

	if (rc != SLACK_EVENT_MESSAGE)
		return rc;
	out->kind = MESSAGE_EDIT;
	free(out->text);
	out->text = xstrdup(DELETED_TEXT);
	attachments_free(out->attachments, out->attachment_count);
	out->attachments = NULL;
	out->attachment_count = 0;
	slack_event_set_id(out, xasprintf("delete:%s:%s", out->from.chat, out->message_id));
	if (slack_event_ts_ms(json_get_str(event, "event_ts")) > 0)
		out->sent_ms = slack_event_ts_ms(json_get_str(event, "event_ts"));
	return rc;
}

typedef enum slack_event read_fn(
    struct message *out, struct json_object *event, const struct slack_event_context *context);

/* Subtypes of "message" written by people; all others are notices of Slack. */
static const struct {
	const char *subtype;
	read_fn *read;
} subtypes[] = {
    {"bot_message", read_message},
    {"file_share", read_message},
    {"me_message", read_message},
    {"message_changed", read_changed},
    {"message_deleted", read_deleted},
    {"thread_broadcast", read_message},
};

static enum slack_event read_any_message(
    struct message *out, struct json_object *event, const struct slack_event_context *context)
{
	const char *subtype = json_get_str(event, "subtype");

	if (!subtype)
		return read_message(out, event, context);
	for (size_t i = 0; i < ARRAY_LEN(subtypes); i++)
		if (strcmp(subtypes[i].subtype, subtype) == 0)
			return subtypes[i].read(out, event, context);
	return SLACK_EVENT_IGNORED;
}

/* The bot itself joined: somebody invited the app. */
static enum slack_event read_joined(
    struct message *out, struct json_object *event, const struct slack_event_context *context)
{
	const char *by = json_get_str(event, "inviter");

	if (!equal(json_get_str(event, "user"), context->self->user) || !slack_event_is_id(by))
		return SLACK_EVENT_IGNORED;
	if (!slack_event_set_chat(out, json_get_str(event, "channel"), "channel", "", context))
		return SLACK_EVENT_BAD;
	out->kind = MESSAGE_JOINED;
	out->addressed = true;
	out->sent_ms = slack_event_ts_ms(json_get_str(event, "event_ts"));
	slack_event_set_sender(out, by, NULL, context);
	free(out->text);
	out->text = xasprintf("`@%s`", context->self->name[0] != '\0' ? context->self->name : "me");
	return SLACK_EVENT_MESSAGE;
}

/* A person opened the private chat with the bot, or the app's home; it comes each time, and counts once. */
static enum slack_event read_home(
    struct message *out, struct json_object *event, const struct slack_event_context *context)
{
	const char *user = json_get_str(event, "user"), *channel = json_get_str(event, "channel");

	if (!slack_event_is_id(user) || !slack_event_set_chat(out, channel, "im", "", context))
		return SLACK_EVENT_BAD;
	out->kind = MESSAGE_JOINED;
	out->addressed = true;
	out->sent_ms = slack_event_ts_ms(json_get_str(event, "event_ts"));
	slack_event_set_sender(out, user, NULL, context);
	slack_event_set_id(out, xasprintf("home:%s", channel));
	return SLACK_EVENT_MESSAGE;
}

/* Channels get another id when they are shared with another workspace, or moved to one. */
static enum slack_event read_id_changed(
    struct message *out, struct json_object *event, const struct slack_event_context *context)
{
	const char *to = json_get_str(event, "new_channel_id");

	if (!slack_event_is_id(to) ||
	    !slack_event_set_chat(out, json_get_str(event, "old_channel_id"), "channel", "", context))
		return SLACK_EVENT_BAD;
	out->kind = MESSAGE_MOVED;
	out->sent_ms = slack_event_ts_ms(json_get_str(event, "event_ts"));
	free(out->text);
	out->text = xstrdup(to);
	return SLACK_EVENT_MESSAGE;
}

static enum slack_event read_ignored(
    struct message *out, struct json_object *event, const struct slack_event_context *context)
{
	(void)out, (void)event, (void)context;
	return SLACK_EVENT_IGNORED;
}

static const struct {
	const char *type;
	read_fn *read;
} kinds[] = {
    {"app_home_opened", read_home},
    {"app_mention", read_message},
    {"assistant_thread_context_changed", read_ignored},
    {"assistant_thread_started", read_ignored},
    {"channel_id_changed", read_id_changed},
    {"channel_rename", read_ignored},
    {"member_joined_channel", read_joined},
    {"message", read_any_message},
    {"reaction_added", slack_event_reaction},
    {"reaction_removed", read_ignored},
};

static enum slack_event read_event(
    struct message *out, struct json_object *payload, const struct slack_event_context *context)
{
	struct json_object *event = json_get_object(payload, "event");
	const char *type = json_get_str(event, "type"), *id = json_get_str(payload, "event_id");
	enum slack_event rc = SLACK_EVENT_UNKNOWN;

	if (!type)
		return equal(json_get_str(payload, "type"), "event_callback") ? SLACK_EVENT_BAD :
										SLACK_EVENT_UNKNOWN;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i].type, type) == 0)
			rc = kinds[i].read(out, event, context);
	if (rc == SLACK_EVENT_MESSAGE && !out->event_id) {
		if (!id)
			return SLACK_EVENT_BAD;
		out->event_id = xasprintf("event:%s", id);
	}
	return rc;
}

enum slack_event slack_event_read(const char *type, struct json_object *payload,
    const struct slack_event_context *context, struct message **out)
{
	static const struct {
		const char *type;
		read_fn *read;
	} envelopes[] = {
	    {"events_api", read_event},
	    {"interactive", slack_event_action},
	    {"slash_commands", slack_event_command},
	};
	enum slack_event rc = SLACK_EVENT_UNKNOWN;
	struct message *m = message_new();

	*out = NULL;
	for (size_t i = 0; i < ARRAY_LEN(envelopes); i++)
		if (strcmp(envelopes[i].type, type) == 0)
			rc = payload ? envelopes[i].read(m, payload, context) : SLACK_EVENT_BAD;
	if (rc != SLACK_EVENT_MESSAGE) {
		message_free(m);
		return rc;
	}
	m->account = xstrdup(context->self->account);
	*out = m;
	return rc;
}
