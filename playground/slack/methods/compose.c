#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/slack/methods/compose.h"

#define METADATA_MAX    16384 /* bytes of JSON */
#define ATTACHMENTS_MAX 100

int slk_metadata_check(struct slk_call *call, struct json_object *metadata)
{
	const char *type = json_get_str(metadata, "event_type");
	struct buf text = BUF_INIT;
	size_t len;

	if (!metadata || json_get(metadata, "entities"))
		return 0;
	if (!type || type[0] == '\0' || !json_get_object(metadata, "event_payload"))
		return slk_refuse(call, "invalid_metadata_schema",
		    "metadata has event_type and the object event_payload [json-pointer:/metadata]");
	json_write(&text, metadata);
	len = text.len;
	buf_clear(&text);
	return len > METADATA_MAX ? slk_refuse(call, "metadata_too_large", "metadata is larger than 16 KB") :
				    0;
}

static int read_text(struct slk_call *call, struct slk_content *content, size_t max)
{
	const char *text = json_get_str(call->params, "text"),
		   *markdown = json_get_str(call->params, "markdown_text");
	size_t count;

	if (markdown && (text || content->blocks))
		return slk_refuse(
		    call, "markdown_text_conflict", "markdown_text goes without text and blocks");
	content->markdown = markdown;
	if (content->markdown) {
		text = markdown;
		max = SLK_MARKDOWN_MAX;
	}
	if (!text)
		return 0;
	count = utf8_count(text, strlen(text), UTF8_CHARS);
	if (count > max && max != SLK_TEXT_MAX)
		return slk_refuse(
		    call, "msg_too_long", "the text has %zu characters, %zu are allowed", count, max);
	content->text = xstrdup(text);
	if (count > max) {
		content->text[utf8_cut(text, strlen(text), max, UTF8_CHARS)] = '\0';
		slk_warn(call, "message_truncated");
	}
	return 0;
}

static bool has_items(struct json_object *array)
{
	return array && json_count(array) > 0;
}

int slk_compose(struct slk_call *call, struct slk_content *content, size_t text_max, bool empty)
{
	*content = (struct slk_content){
	    .blocks = json_get_array(call->params, "blocks"),
	    .attachments = json_get_array(call->params, "attachments"),
	    .metadata = json_get_object(call->params, "metadata"),
	};
	if (content->blocks && slk_blocks_check(call, content->blocks) != 0)
		return -1;
	if (content->attachments && json_count(content->attachments) > ATTACHMENTS_MAX)
		return slk_refuse(
		    call, "too_many_attachments", "no more than %d attachments", ATTACHMENTS_MAX);
	if (slk_metadata_check(call, content->metadata) != 0 || read_text(call, content, text_max) != 0)
		return -1;
	if (!empty && (!content->text || content->text[0] == '\0') && !has_items(content->blocks) &&
	    !has_items(content->attachments)) {
		slk_content_clear(content);
		return slk_refuse(call, "no_text", "the message says nothing");
	}
	return 0;
}

void slk_content_clear(struct slk_content *content)
{
	free(content->text);
	content->text = NULL;
}

/* An empty list removes the old one. */
static void set_list(struct slk_message *m, const char *key, struct json_object *list)
{
	json_object_object_del(m->o, key);
	if (has_items(list))
		json_set(m->o, key, slk_copy(list));
}

void slk_content_set(const struct slk_content *content, struct slk_message *m)
{
	if (content->text)
		json_set_str(m->o, "text", content->text);
	else if (!json_get(m->o, "text"))
		json_set_str(m->o, "text", "");
	if (content->blocks) {
		set_list(m, "blocks", content->blocks);
		if (has_items(content->blocks))
			slk_blocks_complete(json_get_array(m->o, "blocks"));
	} else if (content->markdown) {
		json_object_object_del(m->o, "blocks");
	}
	if (content->attachments)
		set_list(m, "attachments", content->attachments);
	if (content->metadata) {
		json_object_put(m->metadata);
		m->metadata = slk_copy(content->metadata);
	}
}
