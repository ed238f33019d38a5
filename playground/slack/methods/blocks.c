#include "playground/slack/methods/blocks.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/slack/http/method.h"

#define BLOCKS_MAX   50
#define MARKDOWN_MAX 12000 /* characters of all markdown blocks of a message */
#define PAYLOAD_MAX  13200 /* characters of all blocks of a message (slackapi/bolt-js#2509) */

/* The position of the check, for error messages: a JSON pointer that grows and shrinks. */
struct check {
	struct slk_call *call;
	char at[128];
	size_t markdown;
};

static int wrong(struct check *ck, const char *member, const char *what)
{
	return slk_refuse(ck->call, "invalid_blocks", "%s [json-pointer:%s%s%s]", what, ck->at,
	    member ? "/" : "", member ? member : "");
}

static size_t enter(struct check *ck, const char *member, size_t i)
{
	size_t len = strlen(ck->at);

	snprintf(ck->at + len, sizeof(ck->at) - len, "/%s/%zu", member, i);
	return len;
}

static int check_string(
    struct check *ck, struct json_object *o, const char *member, size_t max, bool required)
{
	struct json_object *v = json_get(o, member);
	const char *s = json_get_str(o, member);
	char text[64];

	if (!v)
		return required ? wrong(ck, NULL, "missing required field") : 0;
	if (!s)
		return wrong(ck, member, "must be a string");
	if (s[0] == '\0' && required)
		return wrong(ck, member, "must be more than 0 characters");
	snprintf(text, sizeof(text), "must be less than %zu characters", max + 1);
	return utf8_count(s, strlen(s), UTF8_CHARS) > max ? wrong(ck, member, text) : 0;
}

/* Checks a text object; plain: only plain_text is allowed. */
static int check_text(struct check *ck, struct json_object *o, const char *member, size_t max, bool plain)
{
	struct json_object *text = json_get_object(o, member);
	const char *type = json_get_str(text, "type");
	size_t len = strlen(ck->at);
	int ret;

	if (!text)
		return wrong(ck, NULL, "missing required field: text object");
	if (!type || (strcmp(type, "plain_text") != 0 && (plain || strcmp(type, "mrkdwn") != 0)))
		return wrong(ck, member, "unsupported type of text object");
	snprintf(ck->at + len, sizeof(ck->at) - len, "/%s", member);
	ret = check_string(ck, text, "text", max, true);
	ck->at[len] = '\0';
	return ret;
}

static int check_button(struct check *ck, struct json_object *o)
{
	const char *style = json_get_str(o, "style");

	if (check_text(ck, o, "text", 75, true) != 0 || check_string(ck, o, "action_id", 255, false) != 0 ||
	    check_string(ck, o, "value", 2000, false) != 0 || check_string(ck, o, "url", 3000, false) != 0)
		return -1;
	if (json_get(o, "style") &&
	    (!style || (strcmp(style, "primary") != 0 && strcmp(style, "danger") != 0)))
		return wrong(ck, "style", "must be primary or danger");
	return 0;
}

static const char *const element_types[] = {
    "channels_select",
    "checkboxes",
    "conversations_select",
    "datepicker",
    "external_select",
    "feedback_buttons",
    "icon_button",
    "image",
    "multi_static_select",
    "multi_users_select",
    "overflow",
    "radio_buttons",
    "static_select",
    "timepicker",
    "users_select",
    "workflow_button",
};

static int check_element(struct check *ck, struct json_object *o)
{
	const char *type = json_get_str(o, "type");

	if (!type)
		return wrong(ck, NULL, "missing required field: type");
	if (strcmp(type, "button") == 0)
		return check_button(ck, o);
	for (size_t i = 0; i < ARRAY_LEN(element_types); i++)
		if (strcmp(element_types[i], type) == 0)
			return 0;
	return wrong(ck, "type", "unsupported type of element");
}

/* Checks each element of an array member with one; the array has min to max elements. */
static int check_each(struct check *ck, struct json_object *o, const char *member, size_t min, size_t max,
    int (*one)(struct check *ck, struct json_object *o))
{
	struct json_object *array = json_get_array(o, member);
	size_t count = array ? json_object_array_length(array) : 0;
	char text[64];

	if (count < min)
		return wrong(ck, NULL, "missing required field: elements");
	snprintf(text, sizeof(text), "no more than %zu items allowed", max);
	if (count > max)
		return wrong(ck, member, text);
	for (size_t i = 0; i < count; i++) {
		size_t len = enter(ck, member, i);
		int ret = one(ck, json_object_array_get_idx(array, i));

		ck->at[len] = '\0';
		if (ret != 0)
			return -1;
	}
	return 0;
}

static int check_actions(struct check *ck, struct json_object *o)
{
	return check_each(ck, o, "elements", 1, 25, check_element);
}

static int check_image(struct check *ck, struct json_object *o)
{
	if (!json_get(o, "slack_file") && check_string(ck, o, "image_url", 3000, true) != 0)
		return -1;
	return check_string(ck, o, "alt_text", 2000, true);
}

static int check_context_element(struct check *ck, struct json_object *o)
{
	const char *type = json_get_str(o, "type");

	if (type && strcmp(type, "image") == 0)
		return check_image(ck, o);
	if (!type || (strcmp(type, "plain_text") != 0 && strcmp(type, "mrkdwn") != 0))
		return wrong(ck, "type", "unsupported type of element");
	return check_string(ck, o, "text", 2000, true);
}

static int check_context(struct check *ck, struct json_object *o)
{
	return check_each(ck, o, "elements", 1, 10, check_context_element);
}

static int check_divider(struct check *ck, struct json_object *o)
{
	(void)ck;
	(void)o;
	return 0;
}

static int check_header(struct check *ck, struct json_object *o)
{
	return check_text(ck, o, "text", 150, true);
}

static int check_markdown(struct check *ck, struct json_object *o)
{
	const char *text = json_get_str(o, "text");

	if (!text || text[0] == '\0')
		return wrong(ck, "text", "must be more than 0 characters");
	ck->markdown += utf8_count(text, strlen(text), UTF8_CHARS);
	return ck->markdown > MARKDOWN_MAX ?
	    slk_refuse(ck->call, "msg_blocks_too_long", "markdown blocks hold more than %d characters",
		MARKDOWN_MAX) :
	    0;
}

static int check_rich_text_part(struct check *ck, struct json_object *o)
{
	const char *type = json_get_str(o, "type");

	return type && strncmp(type, "rich_text_", 10) == 0 && json_get_array(o, "elements") ?
	    0 :
	    wrong(ck, NULL, "must be a part of rich text");
}

static int check_rich_text(struct check *ck, struct json_object *o)
{
	return check_each(ck, o, "elements", 0, 1000, check_rich_text_part);
}

static int check_field(struct check *ck, struct json_object *o)
{
	const char *type = json_get_str(o, "type");

	if (!type || (strcmp(type, "plain_text") != 0 && strcmp(type, "mrkdwn") != 0))
		return wrong(ck, "type", "unsupported type of text object");
	return check_string(ck, o, "text", 2000, true);
}

static int check_section(struct check *ck, struct json_object *o)
{
	struct json_object *accessory = json_get_object(o, "accessory");

	if (!json_get(o, "text") && !json_get(o, "fields"))
		return wrong(ck, NULL, "must provide either text or fields");
	if (json_get(o, "text") && check_text(ck, o, "text", 3000, false) != 0)
		return -1;
	if (json_get(o, "fields") && check_each(ck, o, "fields", 1, 10, check_field) != 0)
		return -1;
	return accessory ? check_element(ck, accessory) : 0;
}

static int check_row(struct check *ck, struct json_object *o)
{
	if (!json_object_is_type(o, json_type_array))
		return wrong(ck, NULL, "must be an array");
	return json_object_array_length(o) > 20 ? wrong(ck, NULL, "no more than 20 items allowed") : 0;
}

static int check_table(struct check *ck, struct json_object *o)
{
	return check_each(ck, o, "rows", 1, 100, check_row);
}

static int check_https(struct check *ck, struct json_object *o, const char *member)
{
	const char *url = json_get_str(o, member);

	if (check_string(ck, o, member, 3000, false) != 0)
		return -1;
	return !url || strncmp(url, "https://", 8) == 0 ? 0 : wrong(ck, member, "must be an HTTPS URL");
}

/* block-kit/blocks/video-block */
static int check_video(struct check *ck, struct json_object *o)
{
	if (check_text(ck, o, "title", 199, true) != 0 || check_string(ck, o, "alt_text", 2000, true) != 0 ||
	    check_string(ck, o, "thumbnail_url", 3000, true) != 0 ||
	    check_string(ck, o, "video_url", 3000, true) != 0 || check_https(ck, o, "video_url") != 0 ||
	    check_https(ck, o, "title_url") != 0 || check_string(ck, o, "author_name", 49, false) != 0)
		return -1;
	return json_get(o, "description") ? check_text(ck, o, "description", 199, true) : 0;
}

static const char *const input_types[] = {
    "channels_select",
    "checkboxes",
    "conversations_select",
    "datepicker",
    "datetimepicker",
    "email_text_input",
    "external_select",
    "file_input",
    "multi_channels_select",
    "multi_conversations_select",
    "multi_external_select",
    "multi_static_select",
    "multi_users_select",
    "number_input",
    "plain_text_input",
    "radio_buttons",
    "rich_text_input",
    "static_select",
    "timepicker",
    "url_text_input",
    "users_select",
};

/* block-kit/blocks/input-block: also in messages; the values come with the next press, as its state. */
static int check_input(struct check *ck, struct json_object *o)
{
	const char *type = json_get_str(json_get_object(o, "element"), "type");

	if (check_text(ck, o, "label", 2000, true) != 0)
		return -1;
	if (json_get(o, "hint") && check_text(ck, o, "hint", 2000, true) != 0)
		return -1;
	if (!json_get_object(o, "element"))
		return wrong(ck, NULL, "missing required field: element");
	for (size_t i = 0; type && i < ARRAY_LEN(input_types); i++)
		if (strcmp(input_types[i], type) == 0)
			return 0;
	return wrong(ck, "element", "unsupported type of element");
}

static const struct {
	const char *type;
	int (*check)(struct check *ck, struct json_object *o);
} types[] = {
    {"actions", check_actions},
    {"context", check_context},
    {"context_actions", check_actions},
    {"divider", check_divider},
    {"file", check_divider},
    {"header", check_header},
    {"image", check_image},
    {"input", check_input},
    {"markdown", check_markdown},
    {"plan", check_divider},
    {"rich_text", check_rich_text},
    {"section", check_section},
    {"table", check_table},
    {"task_card", check_divider},
    {"video", check_video},
};

static int check_block(struct check *ck, struct json_object *o)
{
	const char *type = json_get_str(o, "type");
	char text[80];

	if (!json_object_is_type(o, json_type_object))
		return wrong(ck, NULL, "must be an object");
	if (!type)
		return wrong(ck, NULL, "missing required field: type");
	if (check_string(ck, o, "block_id", 255, false) != 0)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].type, type) == 0)
			return types[i].check(ck, o);
	snprintf(text, sizeof(text), "unsupported type: %.40s", type);
	return wrong(ck, "type", text);
}

static int check_ids(struct check *ck, struct json_object *blocks)
{
	for (size_t i = 0; i < json_object_array_length(blocks); i++) {
		const char *id = json_get_str(json_object_array_get_idx(blocks, i), "block_id");

		for (size_t j = 0; id && j < i; j++) {
			const char *other = json_get_str(json_object_array_get_idx(blocks, j), "block_id");

			if (other && strcmp(id, other) == 0)
				return wrong(ck, NULL, "`block_id` must be unique");
		}
	}
	return 0;
}

int slk_blocks_check(struct slk_call *call, struct json_object *blocks)
{
	struct check ck = {.call = call};
	struct buf text = BUF_INIT;
	size_t size;

	if (json_object_array_length(blocks) > BLOCKS_MAX)
		return slk_refuse(call, "invalid_blocks",
		    "no more than %d items allowed [json-pointer:/blocks]", BLOCKS_MAX);
	for (size_t i = 0; i < json_object_array_length(blocks); i++) {
		ck.at[0] = '\0';
		enter(&ck, "blocks", i);
		if (check_block(&ck, json_object_array_get_idx(blocks, i)) != 0)
			return -1;
	}
	str_copy(ck.at, sizeof(ck.at), "/blocks");
	if (check_ids(&ck, blocks) != 0)
		return -1;
	json_write(&text, blocks);
	size = utf8_count(text.data, text.len, UTF8_CHARS);
	buf_clear(&text);
	if (ck.markdown > 0 && size > PAYLOAD_MAX)
		return slk_refuse(
		    call, "msg_blocks_too_long", "the blocks are longer than %d characters", PAYLOAD_MAX);
	return 0;
}

static bool is_button(struct json_object *o)
{
	const char *type = json_get_str(o, "type");

	return type && strcmp(type, "button") == 0;
}

static bool is_called(struct json_object *button, const char *what)
{
	const char *names[] = {json_get_str(button, "action_id"), json_get_str(button, "value"),
	    json_get_str(json_get_object(button, "text"), "text")};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i] && strcmp(names[i], what) == 0)
			return true;
	return false;
}

/* Buttons occur in the elements of actions, and as accessories of sections. */
typedef bool button_fn(struct json_object *button, struct json_object *block, void *arg);

static void each_button(struct json_object *blocks, button_fn *fn, void *arg)
{
	size_t count = blocks ? json_object_array_length(blocks) : 0;

	for (size_t i = 0; i < count; i++) {
		struct json_object *block = json_object_array_get_idx(blocks, i),
				   *list = json_get_array(block, "elements"),
				   *accessory = json_get_object(block, "accessory");

		if (is_button(accessory) && fn(accessory, block, arg))
			return;
		for (size_t j = 0; list && j < json_object_array_length(list); j++) {
			struct json_object *o = json_object_array_get_idx(list, j);

			if (is_button(o) && fn(o, block, arg))
				return;
		}
	}
}

struct search {
	const char *what;
	struct json_object *button, *block;
};

static bool match(struct json_object *button, struct json_object *block, void *arg)
{
	struct search *s = arg;

	if (!is_called(button, s->what))
		return false;
	s->button = button;
	s->block = block;
	return true;
}

struct json_object *slk_blocks_find_button(
    struct json_object *blocks, const char *what, struct json_object **block)
{
	struct search s = {.what = what};

	each_button(blocks, match, &s);
	*block = s.block;
	return s.button;
}

static bool write_button(struct json_object *button, struct json_object *block, void *arg)
{
	struct json_object *o = json_object_new_object();
	struct buf *out = arg;

	(void)block;
	if (out->len > 0 && out->data[out->len - 1] != '[')
		buf_addch(out, ',');
	json_set_str(o, "id", json_get_str(button, "action_id"));
	json_set_str(o, "label", json_get_str(json_get_object(button, "text"), "text"));
	json_set_str(o, "style", json_get_str(button, "style"));
	json_set_str(o, "value", json_get_str(button, "value"));
	json_set_str(o, "url", json_get_str(button, "url"));
	json_write(out, o);
	json_object_put(o);
	return false;
}

void slk_blocks_write_buttons(struct json_object *blocks, struct buf *out)
{
	each_button(blocks, write_button, out);
}

void slk_blocks_write_text(struct json_object *blocks, struct buf *out)
{
	size_t count = blocks ? json_object_array_length(blocks) : 0;

	for (size_t i = 0; i < count; i++) {
		struct json_object *block = json_object_array_get_idx(blocks, i);
		const char *text = json_get_str(block, "text");

		if (!text)
			text = json_get_str(json_get_object(block, "text"), "text");
		if (text)
			buf_addf(out, "%s%s", out->len > 0 ? "\n" : "", text);
	}
}
