#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/slack/methods/compose.h"
#include "playground/spec/judge.h"

#define BLOCKS_MAX   50
#define MARKDOWN_MAX 12000  /* characters of all markdown blocks of a message */
#define PAYLOAD_MAX  13200  /* characters of all blocks of a message. Undocumented: slackapi/bolt-js#2509 */
#define VIEW_MAX     256000 /* bytes of JSON: "250kb" */

/* The first fault is the error. */
struct check {
	struct judge judge;
	const char *root;         /* JSON pointer of what is judged */
	const char *code, *error; /* of a fault; found, NULL: none */
	struct buf *why;          /* the sentence */
	size_t markdown;          /* characters */
};

__attribute__((format(printf, 3, 4))) static void found(
    struct check *ck, const char *error, const char *fmt, ...)
{
	va_list ap;

	if (ck->error)
		return;
	ck->error = error;
	va_start(ap, fmt);
	buf_vaddf(ck->why, fmt, ap);
	va_end(ap);
}

/* Refuses in Slack's words; without the last member, the place is that of the object. */
static void refuse(struct check *ck, bool object, const char *what, const char *more)
{
	struct buf place = BUF_INIT;

	if (object)
		judge_leave(&ck->judge);
	judge_place(&ck->judge, &place);
	if (object)
		ck->judge.depth++;
	found(ck, ck->code, "%s%.60s [json-pointer:%s%s]", what, more, ck->root, place.data);
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
	const char *name =
	    j->depth == 0 ? "" : j->place[j->depth <= JUDGE_DEPTH ? j->depth - 1 : JUDGE_DEPTH - 1].name;
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
	if (ck->markdown > MARKDOWN_MAX)
		found(
		    ck, "msg_blocks_too_long", "markdown blocks hold more than %d characters", MARKDOWN_MAX);
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

/* It fetches the image from a server. */
static void check_image(struct check *ck, struct json_object *o)
{
	const char *url = json_get_str(o, "image_url");

	if (!url && !json_get(o, "slack_file"))
		refuse(ck, false, "missing required field: ", "image_url");
	else if (url && strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0)
		refuse(ck, false, "downloading image failed", "");
}

/* What depends on several members of an object. */
static void check_object(struct judge *j, const struct spec_record *r, struct json_object *o)
{
	struct check *ck = (struct check *)j;

	if (strcmp(r->name, "block.section") == 0 && !json_get(o, "text") && !json_get(o, "fields"))
		refuse(ck, false, "must provide either text or fields", "");
	else if (str_ends_with(r->name, ".image"))
		check_image(ck, o);
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
	for (size_t i = 0; i < json_count(array); i++) {
		const char *id = json_get_str(json_at(array, i), member);

		for (size_t j = 0; id && j < i; j++) {
			const char *other = json_get_str(json_at(array, j), member);

			if (other && strcmp(id, other) == 0)
				refuse(ck, false, member, " must be unique");
		}
	}
}

static void check_all_ids(struct check *ck, struct json_object *blocks)
{
	check_ids(ck, blocks, "block_id");
	for (size_t i = 0; i < json_count(blocks); i++) {
		judge_enter(&ck->judge, NULL, i);
		check_ids(ck, json_get_array(json_at(blocks, i), "elements"), "action_id");
		judge_leave(&ck->judge);
	}
}

const char *slk_blocks_judge(struct json_object *blocks, struct buf *why)
{
	const struct spec_type block = {.kind = SPEC_NAMED, .record = spec_type(spec_of("slack"), "block")},
			       all = {.kind = SPEC_LIST, .of = &block, .has_max = true, .max = BLOCKS_MAX};
	struct check ck = {.judge = {.rules = JUDGE_LIMITS, .fault = on_fault, .object = check_object},
	    .root = "/blocks",
	    .code = "invalid_blocks",
	    .why = why};
	struct buf text = BUF_INIT;
	size_t size;

	judge_value(&ck.judge, NULL, &all, blocks);
	check_all_ids(&ck, blocks);
	json_write(&text, blocks);
	size = utf8_count(text.data, text.len, UTF8_CHARS);
	buf_clear(&text);
	if (ck.markdown > 0 && size > PAYLOAD_MAX)
		found(&ck, "msg_blocks_too_long", "the blocks are longer than %d characters", PAYLOAD_MAX);
	return ck.error;
}

/* Only modals are submitted. */
static void check_inputs(struct check *ck, struct json_object *view)
{
	struct json_object *blocks = json_get_array(view, "blocks");
	const char *type = json_get_str(view, "type");

	if (!type || strcmp(type, "modal") != 0 || json_get(view, "submit"))
		return;
	for (size_t i = 0; i < json_count(blocks); i++) {
		const char *kind = json_get_str(json_at(blocks, i), "type");

		if (kind && strcmp(kind, "input") == 0)
			found(ck, ck->code,
			    "must define `submit` to use `input` block [json-pointer:/view/blocks/%zu/input]",
			    i);
	}
}

const char *slk_view_judge(struct json_object *view, struct buf *why)
{
	struct check ck = {.judge = {.rules = JUDGE_LIMITS, .fault = on_fault, .object = check_object},
	    .root = "/view",
	    .code = "invalid_arguments",
	    .why = why};
	struct buf text = BUF_INIT;

	json_write(&text, view);
	if (text.len > VIEW_MAX)
		found(&ck, "view_too_large", "the view is larger than 250 kB");
	buf_clear(&text);
	judge_value(&ck.judge, NULL, spec_type(spec_of("slack"), "view")->type, view);
	judge_enter(&ck.judge, "blocks", 0);
	check_all_ids(&ck, json_get_array(view, "blocks"));
	judge_leave(&ck.judge);
	check_inputs(&ck, view);
	return ck.error;
}

const char *slk_suggestions_judge(struct json_object *answer, struct buf *why)
{
	const struct spec_type type = {
	    .kind = SPEC_NAMED, .record = spec_type(spec_of("slack"), "suggestions")};
	struct check ck = {.judge = {.rules = JUDGE_LIMITS, .fault = on_fault, .object = check_object},
	    .root = "",
	    .code = "invalid_options",
	    .why = why};

	judge_value(&ck.judge, NULL, &type, answer);
	return ck.error;
}

static int check_by(struct slk_call *call, struct json_object *o,
    const char *(*judge)(struct json_object *o, struct buf *why))
{
	struct buf why = BUF_INIT;
	const char *error = judge(o, &why);

	if (error)
		slk_refuse(call, error, "%s", why.data);
	buf_clear(&why);
	return error ? -1 : 0;
}

int slk_blocks_check(struct slk_call *call, struct json_object *blocks)
{
	return check_by(call, blocks, slk_blocks_judge);
}

int slk_view_check(struct slk_call *call, struct json_object *view)
{
	return check_by(call, view, slk_view_judge);
}

void slk_blocks_write_text(struct json_object *blocks, struct buf *out)
{
	size_t count = json_count(blocks);

	for (size_t i = 0; i < count; i++) {
		struct json_object *block = json_at(blocks, i);
		const char *text = json_get_str(block, "text");

		if (!text)
			text = json_get_str(json_get_object(block, "text"), "text");
		if (text)
			buf_addf(out, "%s%s", out->len > 0 ? "\n" : "", text);
	}
}
