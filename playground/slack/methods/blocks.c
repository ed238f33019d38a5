#include "playground/slack/methods/blocks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/slack/http/method.h"
#include "playground/spec/judge.h"

#define BLOCKS_MAX   50
#define MARKDOWN_MAX 12000 /* characters of all markdown blocks of a message */
#define PAYLOAD_MAX  13200 /* characters of all blocks of a message (slackapi/bolt-js#2509) */

struct check {
	struct judge judge;
	struct slk_call *call;
	size_t markdown; /* characters */
};

/* Refuses in Slack's words; without the last member, the place is that of the object. */
static void refuse(struct check *ck, bool object, const char *what, const char *more)
{
	struct buf place = BUF_INIT;

	if (ck->call->error)
		return;
	if (object)
		judge_leave(&ck->judge);
	judge_place(&ck->judge, &place);
	if (object)
		ck->judge.depth++;
	slk_refuse(ck->call, "invalid_blocks", "%s%.60s [json-pointer:/blocks%s]", what, more, place.data);
	buf_clear(&place);
}

static void say_limit(struct check *ck, bool too_long, const struct spec_type *t)
{
	char text[64];

	if (t->kind == SPEC_LIST)
		snprintf(text, sizeof(text), "no %s than %" PRId64 " items allowed",
		    too_long ? "more" : "fewer", too_long ? t->max : t->min);
	else if (t->kind == SPEC_STRING)
		snprintf(text, sizeof(text), "must be %s than %" PRId64 " characters",
		    too_long ? "less" : "more", too_long ? t->max + 1 : t->min - 1);
	else
		snprintf(text, sizeof(text), "must be %s than %" PRId64, too_long ? "less" : "greater",
		    too_long ? t->max + 1 : t->min - 1);
	refuse(ck, false, text, "");
}

static void say_type(struct check *ck, const struct spec_type *t)
{
	struct buf text = BUF_INIT;

	if (t->kind == SPEC_NAMED)
		buf_addstr(&text, "an object");
	else
		judge_type_name(t, &text);
	refuse(ck, false, "must be ", text.data);
	buf_clear(&text);
}

static void on_fault(struct judge *j, enum judge_fault fault, const struct spec_member *m,
    const struct spec_type *t, struct json_object *v)
{
	const char *name = j->place[j->depth <= JUDGE_DEPTH ? j->depth - 1 : JUDGE_DEPTH - 1].name;
	struct check *ck = (struct check *)j;

	(void)m;
	if (fault == JUDGE_UNKNOWN)
		refuse(ck, true, "invalid additional property: ", name);
	else if (fault == JUDGE_MISSING)
		refuse(ck, true, "missing required field: ", name);
	else if (fault == JUDGE_LONG || fault == JUDGE_SHORT)
		say_limit(ck, fault == JUDGE_LONG, t);
	else if (fault == JUDGE_CHOICE && json_object_is_type(v, json_type_object))
		refuse(
		    ck, false, "unsupported type: ", json_get_str(v, "type") ? json_get_str(v, "type") : "");
	else if (fault == JUDGE_CHOICE)
		refuse(ck, false, "must be a valid enum value", "");
	else
		say_type(ck, t);
}

static void check_markdown(struct check *ck, struct json_object *o)
{
	const char *text = json_get_str(o, "text");

	ck->markdown += utf8_count(text, strlen(text), UTF8_CHARS);
	if (ck->markdown > MARKDOWN_MAX && !ck->call->error)
		slk_refuse(ck->call, "msg_blocks_too_long", "markdown blocks hold more than %d characters",
		    MARKDOWN_MAX);
}

static void check_date(struct check *ck, struct json_object *o)
{
	const char *date = json_get_str(o, "initial_date");
	int year, month, day;
	char rest;

	if (date && sscanf(date, "%4d-%2d-%2d%c", &year, &month, &day, &rest) != 3)
		refuse(ck, false, "must be a date: ", "initial_date");
}

static void check_https(struct check *ck, struct json_object *o, const char *member)
{
	const char *url = json_get_str(o, member);

	if (url && strncmp(url, "https://", 8) != 0)
		refuse(ck, false, "must be an HTTPS URL: ", member);
}

/* What depends on several members of an object. */
static void check_object(struct judge *j, const struct spec_record *r, struct json_object *o)
{
	struct check *ck = (struct check *)j;

	if (strcmp(r->name, "block.section") == 0 && !json_get(o, "text") && !json_get(o, "fields"))
		refuse(ck, false, "must provide either text or fields", "");
	else if (str_ends_with(r->name, ".image") && !json_get(o, "image_url") && !json_get(o, "slack_file"))
		refuse(ck, false, "missing required field: ", "image_url");
	else if (strcmp(r->name, "block.markdown") == 0)
		check_markdown(ck, o);
	else if (strcmp(r->name, "element.datepicker") == 0)
		check_date(ck, o);
	check_https(ck, o, "video_url");
	check_https(ck, o, "title_url");
}

/* The ids of blocks, and of the elements of one, occur once. */
static void check_ids(struct check *ck, struct json_object *array, const char *member)
{
	for (size_t i = 0; array && i < json_object_array_length(array); i++) {
		const char *id = json_get_str(json_object_array_get_idx(array, i), member);

		for (size_t j = 0; id && j < i; j++) {
			const char *other = json_get_str(json_object_array_get_idx(array, j), member);

			if (other && strcmp(id, other) == 0)
				refuse(ck, false, member, " must be unique");
		}
	}
}

int slk_blocks_check(struct slk_call *call, struct json_object *blocks)
{
	const struct spec_type block = {.kind = SPEC_NAMED, .record = spec_type(spec_of("slack"), "block")},
			       all = {.kind = SPEC_LIST, .of = &block, .has_max = true, .max = BLOCKS_MAX};
	struct check ck = {
	    .judge = {.rules = JUDGE_LIMITS, .fault = on_fault, .object = check_object}, .call = call};
	struct buf text = BUF_INIT;
	size_t size;

	judge_value(&ck.judge, NULL, &all, blocks);
	check_ids(&ck, blocks, "block_id");
	for (size_t i = 0; i < json_object_array_length(blocks) && !call->error; i++) {
		judge_enter(&ck.judge, NULL, i);
		check_ids(&ck, json_get_array(json_object_array_get_idx(blocks, i), "elements"), "action_id");
		judge_leave(&ck.judge);
	}
	json_write(&text, blocks);
	size = utf8_count(text.data, text.len, UTF8_CHARS);
	buf_clear(&text);
	if (ck.markdown > 0 && size > PAYLOAD_MAX && !call->error)
		slk_refuse(
		    call, "msg_blocks_too_long", "the blocks are longer than %d characters", PAYLOAD_MAX);
	return call->error ? -1 : 0;
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
