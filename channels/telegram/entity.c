#include "channels/telegram/update_internal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/command_menu.h"
#include "channels/telegram/update.h"

struct reader {
	const struct telegram_self *self;
	const char *text;
	size_t len;
	size_t scan;                 /* entities are looked for up to here */
	size_t start;                /* start of the text for the bot */
	size_t name_at, name_end;    /* the @name in a leading command, to be left out */
	bool command;                /* a command is at the start */
	struct telegram_span person; /* the first text mention of somebody else; its user_id is 0: none */
	unsigned flags;
};

static bool is_our_name(const struct reader *r, const char *name, size_t len)
{
	const char *ours = r->self->username;

	return ours[0] != '\0' && len == strlen(ours) && strncasecmp(name, ours, len) == 0;
}

static size_t skip_any(const struct reader *r, size_t at, const char *set)
{
	return at + strspn(r->text + at, set);
}

static void read_mention(struct reader *r, const struct telegram_span *span)
{
	if (r->text[span->at] != '@' || !is_our_name(r, r->text + span->at + 1, span->end - span->at - 1))
		return;
	r->flags |= TELEGRAM_ENTITY_TO_US;
	if (span->at == r->start)
		r->start = skip_any(r, span->end, " \t\r\n,:");
}

static void read_text_mention(struct reader *r, const struct telegram_span *span)
{
	if (span->user_id == r->self->id)
		r->flags |= TELEGRAM_ENTITY_TO_US;
	else if (r->person.user_id == 0 && span->user_id > 0)
		r->person = *span;
}

static void read_command(struct reader *r, const struct telegram_span *span)
{
	size_t at = span->at, end = span->end;
	const char *name = memchr(r->text + at, '@', end - at);

	if (r->text[at] != '/')
		return;
	r->command |= at == r->start;
	if (!name) {
		r->flags |= at == r->start ? TELEGRAM_ENTITY_TO_US : 0;
		return;
	}
	if (!is_our_name(r, name + 1, (size_t)(r->text + end - name) - 1)) {
		if (at == r->start)
			r->flags |= TELEGRAM_ENTITY_TO_ANOTHER;
		return;
	}
	r->flags |= TELEGRAM_ENTITY_TO_US;
	if (at == r->start) {
		r->name_at = (size_t)(name - r->text);
		r->name_end = end;
	}
}

static const struct {
	const char *type;
	void (*read)(struct reader *r, const struct telegram_span *span);
} readers[] = {
    [TELEGRAM_SPAN_COMMAND] = {"bot_command", read_command},
    [TELEGRAM_SPAN_MENTION] = {"mention", read_mention},
    [TELEGRAM_SPAN_TEXT_MENTION] = {"text_mention", read_text_mention},
};

static void read_entity(struct reader *r, struct json_object *entity)
{
	int64_t offset = json_get_int(entity, "offset", -1), length = json_get_int(entity, "length", 0);
	const char *type = json_get_str(entity, "type");
	struct telegram_span span;

	if (!type || offset < 0 || length <= 0 || offset > INT32_MAX || length > INT32_MAX)
		return;
	for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
		if (strcmp(readers[i].type, type) != 0)
			continue;
		span.at = utf8_cut(r->text, r->scan, (size_t)offset, UTF8_UTF16);
		span.end =
		    span.at + utf8_cut(r->text + span.at, r->scan - span.at, (size_t)length, UTF8_UTF16);
		span.user_id = json_get_int(json_get_object(entity, "user"), "id", 0);
		if (span.end > span.at)
			readers[i].read(r, &span);
		return;
	}
}

/* A command gets the id of the person whom it mentions. Telegram tells no id behind an @name. */
static void add_text(struct buf *out, const struct reader *r)
{
	const struct telegram_span *who = &r->person;
	size_t at = r->start;

	if (r->name_end != 0) {
		buf_add(out, r->text + at, r->name_at - at);
		at = r->name_end;
	}
	if (who->user_id != 0 && who->at >= at &&
	    command_menu_names_person(r->self->menu, r->text + r->start)) {
		char *id = telegram_update_id_text(who->user_id),
		     *name = xstrndup(r->text + who->at, who->end - who->at);

		buf_add(out, r->text + at, who->at - at);
		command_menu_add_person(out, id, name);
		at = who->end;
		free(id);
		free(name);
	}
	buf_add(out, r->text + at, r->len - at);
}

unsigned telegram_entity_read(
    struct buf *out, const char *text, struct json_object *entities, const struct telegram_self *self)
{
	struct reader r = {.self = self, .text = text, .len = strlen(text)};
	size_t count = entities ? json_object_array_length(entities) : 0;

	r.scan = utf8_cut(text, r.len, TELEGRAM_TEXT_MAX, UTF8_BYTES);
	r.start = skip_any(&r, 0, " \t\r\n");
	for (size_t i = 0; i < count && i < TELEGRAM_SPANS_MAX; i++)
		read_entity(&r, json_object_array_get_idx(entities, i));
	add_text(out, &r);
	return r.flags;
}

unsigned telegram_entity_read_rich(
    struct buf *out, const struct telegram_rich *rich, const struct telegram_self *self)
{
	struct reader r = {.self = self, .text = rich->text.data, .len = rich->text.len};
	size_t lead = rich->lead < r.len ? rich->lead : 0;

	r.start = lead;
	for (size_t i = 0; i < rich->span_count; i++)
		if (rich->spans[i].end <= r.len)
			readers[rich->spans[i].kind].read(&r, &rich->spans[i]);
	/* The marks before the first word stay, unless the word was for us. */
	if (r.start == lead && !r.command)
		r.start = 0;
	add_text(out, &r);
	return r.flags;
}
