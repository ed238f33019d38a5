#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/discord/http/api.h"
#include "playground/discord/methods/methods.h"

#define EMBED_CHARS_MAX 6000

/* Discord trims white space at both ends. */
static void set_content(struct cord_message *m, const char *text)
{
	size_t len = strlen(text);

	while (len > 0 && isspace((unsigned char)text[len - 1]))
		len--;
	while (len > 0 && isspace((unsigned char)*text)) {
		text++;
		len--;
	}
	cord_message_set_content(m, text, len);
}

static size_t chars(struct json_object *o, const char *key)
{
	const char *s = json_get_str(o, key);

	return s ? utf8_count(s, strlen(s), UTF8_CHARS) : 0;
}

static size_t embed_chars(struct json_object *o)
{
	struct json_object *fields = json_get_array(o, "fields");
	size_t n = chars(o, "title") + chars(o, "description") + chars(json_get_object(o, "footer"), "text") +
	    chars(json_get_object(o, "author"), "name");

	json_each(fields, f)
		n += chars(f, "name") + chars(f, "value");
	return n;
}

static int check_embeds(struct cord_call *call, struct json_object *embeds)
{
	size_t n = 0;

	json_each(embeds, item)
		n += embed_chars(item);
	if (n <= EMBED_CHARS_MAX)
		return 0;
	return cord_refuse_field(call, "embeds", "MAX_EMBED_SIZE_EXCEEDED",
	    "Embed size exceeds maximum size of %d", EMBED_CHARS_MAX);
}

static int check_flags(struct cord_call *call, int64_t flags, int64_t may)
{
	if ((flags & ~may) == 0)
		return 0;
	return cord_refuse_field(call, "flags", "BASE_TYPE_CHOICES", "These flags cannot be set here: %lld.",
	    (long long)(flags & ~may));
}

static int check_components(struct cord_call *call, struct json_object *components, int64_t flags)
{
	if (!components)
		return 0;
	cord_components_check(components, flags, &call->errors);
	return !call->errors.tree ? 0 : cord_refuse(call);
}

static bool has_any(struct json_object *array)
{
	return array && json_count(array) > 0;
}

/* Discord: components/reference, Legacy Message Component Behavior. */
static int check_v2(struct cord_call *call, const struct cord_message *m)
{
	if (!(m->flags & CORD_FLAG_COMPONENTS_V2))
		return 0;
	const char *field = m->content[0] != '\0'        ? "content" :
	    has_any(m->embeds)                           ? "embeds" :
	    m->poll                                      ? "poll" :
	    has_any(json_get(m->extra, "sticker_items")) ? "sticker_ids" :
							   NULL;
	if (!field)
		return 0;
	return cord_refuse_field(call, field, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
	    "The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2", field);
}

static int check_voice(struct cord_call *call, const struct cord_message *m)
{
	if (!(m->flags & CORD_FLAG_VOICE))
		return 0;
	if (m->content[0] != '\0' || has_any(m->embeds) || has_any(m->components))
		return cord_fail(call, "Voice messages do not support additional content.");
	return cord_upload_check_voice(call, m);
}

static int check_everything(struct cord_call *call, struct cord_message *m)
{
	uint64_t may = cord_channel_may(m->channel, cord_message_writer(m));

	if (m->file_count > 0 && m->webhook_id == 0 && !(may & CORD_MAY_ATTACH))
		return cord_fail(call, "Missing Permissions");
	if (check_v2(call, m) != 0 || check_voice(call, m) != 0)
		return -1;
	if (m->content[0] == '\0' && !has_any(m->embeds) && !has_any(m->components) && m->file_count == 0 &&
	    !m->poll && !m->extra)
		return cord_fail(call, "Cannot send an empty message");
	return cord_rules_block(m) ? cord_fail(call, "Message was blocked by automatic moderation") : 0;
}

static void replace(struct json_object **into, struct json_object *value)
{
	json_object_put(*into);
	*into = json_object_get(value);
}

static void find_mentions(struct cord_message *m, struct json_object *body)
{
	cord_mentions_find(m, json_get_object(body, "allowed_mentions"), m->webhook_id != 0,
	    (cord_channel_app_may(m->channel, cord_message_writer(m)) & CORD_MAY_MENTION_ALL) != 0);
}

static int check_parts(struct cord_call *call, struct json_object *body, int64_t flags)
{
	if (check_embeds(call, json_get_array(body, "embeds")) != 0)
		return -1;
	return check_components(call, json_get_array(body, "components"), flags);
}

int cord_compose(struct cord_call *call, struct json_object *body, struct cord_message *m, int64_t flags)
{
	const char *content = json_get_str(body, "content");

	m->flags |= json_get_int(body, "flags", 0);
	m->tts = json_get_bool(body, "tts", false);
	if (content)
		set_content(m, content);
	if (check_flags(call, json_get_int(body, "flags", 0), flags) != 0 ||
	    check_parts(call, body, m->flags) != 0 || cord_upload_read(call, body, m) != 0)
		return -1;
	replace(&m->embeds, cord_embeds_finish(json_get_array(body, "embeds")));
	replace(&m->components, cord_components_finish(json_get_array(body, "components")));
	find_mentions(m, body);
	if ((json_get(body, "poll") && cord_poll_read(call, json_get(body, "poll"), m) != 0) ||
	    cord_stickers_read(call, json_get_array(body, "sticker_ids"), m) != 0)
		return -1;
	return check_everything(call, m);
}

/* Returns a copy to change, so that a failure leaves the message unchanged. */
static struct cord_message *copy_of(const struct cord_message *m)
{
	struct cord_message *copy = cord_message_new(m->channel);

	copy->user = m->user;
	copy->bot = m->bot;
	copy->flags = m->flags;
	copy->webhook_id = m->webhook_id;
	copy->reply_to = m->reply_to;
	cord_message_set_content(copy, m->content, strlen(m->content));
	replace(&copy->poll, m->poll);
	replace(&copy->extra, m->extra);
	replace(&copy->embeds, m->embeds);
	replace(&copy->components, m->components);
	for (size_t i = 0; i < m->file_count; i++)
		cord_message_add_file(copy, m->files[i]);
	return copy;
}

static void take_changes(struct cord_message *m, struct cord_message *from)
{
	struct cord_message old = *m;

	m->content = from->content;
	m->embeds = from->embeds;
	m->components = from->components;
	m->files = from->files;
	m->file_count = from->file_count;
	m->mentions = from->mentions;
	m->mention_roles = from->mention_roles;
	m->mention_everyone = from->mention_everyone;
	m->flags = from->flags;
	from->content = old.content;
	from->embeds = old.embeds;
	from->components = old.components;
	from->files = old.files;
	from->mentions = old.mentions;
	from->mention_roles = old.mention_roles;
}

static int change(struct cord_call *call, struct json_object *body, struct cord_message *m)
{
	const char *content = json_get_str(body, "content");
	int64_t settable = CORD_FLAG_SUPPRESS_EMBEDS | CORD_FLAG_COMPONENTS_V2;

	if (cord_given(body, "flags")) {
		if (check_flags(call, json_get_int(body, "flags", 0), settable | m->flags) != 0)
			return -1;
		m->flags = (m->flags & ~(int64_t)CORD_FLAG_SUPPRESS_EMBEDS) |
		    (json_get_int(body, "flags", 0) & settable);
	}
	if (cord_given(body, "content"))
		set_content(m, content ? content : "");
	if (check_parts(call, body, m->flags) != 0 || cord_upload_read_edit(call, body, m) != 0)
		return -1;
	if (cord_given(body, "embeds"))
		replace(&m->embeds, cord_embeds_finish(json_get_array(body, "embeds")));
	if (cord_given(body, "components"))
		replace(&m->components, cord_components_finish(json_get_array(body, "components")));
	if (cord_given(body, "content") || cord_given(body, "allowed_mentions"))
		find_mentions(m, body);
	return check_everything(call, m);
}

int cord_compose_edit(struct cord_call *call, struct json_object *body, struct cord_message *m)
{
	struct cord_message *fresh;
	int ret;

	if (m->flags & CORD_FLAG_VOICE)
		return cord_fail(call, "Voice messages cannot be edited.");
	fresh = copy_of(m);
	fresh->flags &= ~(int64_t)CORD_FLAG_LOADING;
	for (size_t i = 0; i < m->mentions.count; i++)
		cord_ids_add(&fresh->mentions, m->mentions.list[i]);
	ret = change(call, body, fresh);
	if (ret == 0) {
		take_changes(m, fresh);
		m->edited_ms = clock_wall();
		m->edits++;
		cord_show_message(m, "edited");
		cord_event_message(m, "MESSAGE_UPDATE");
	}
	cord_message_free(fresh);
	return ret;
}
