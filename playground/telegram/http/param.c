#include <string.h>

#include "playground/spec/judge.h"
#include "playground/telegram/http/method.h"

struct params {
	struct judge judge;
	struct call *call;
	const char *late; /* the platform looks for the chat and the message when it has read the rest */
};

/* Does v contain a value attach://name? */
static bool mentions_part(struct json_object *v, const char *name)
{
	size_t len = strlen("attach://");

	if (json_object_is_type(v, json_type_array)) {
		json_each(v, item)
			if (mentions_part(item, name))
				return true;
	} else if (json_object_is_type(v, json_type_object)) {
		json_object_object_foreach(v, key, member) {
			(void)key;
			if (mentions_part(member, name))
				return true;
		}
	} else if (json_object_is_type(v, json_type_string)) {
		const char *s = json_object_get_string(v);

		return strncmp(s, "attach://", len) == 0 && strcmp(s + len, name) == 0;
	}
	return false;
}

static void say_unknown(struct call *call, const char *name)
{
	exchange_remark(call->ex, "%s has no parameter \"%.60s\": it is ignored", call->spec->name, name);
}

static bool is_part(const struct call *call, struct json_object *v)
{
	return call->multipart && json_object_is_type(v, json_type_object);
}

/* Files that no parameter names are ignored like other unknown parameters. */
static void look_at_parts(struct call *call)
{
	json_object_object_foreach(call->params, name, v) {
		if (is_part(call, v) && !spec_member(call->spec, name) && !mentions_part(call->params, name))
			say_unknown(call, name);
	}
}

/* Ignores what the platform does not read. */
static void ignore(struct params *p, struct json_object *v)
{
	struct buf place = BUF_INIT;

	judge_place(&p->judge, &place);
	if (p->judge.depth > 1)
		exchange_remark(p->call->ex, "the platform does not read %.200s: it is ignored", place.data);
	else if (!is_part(p->call, v))
		say_unknown(p->call, place.data + 1);
	buf_clear(&place);
}

/* The first refusal is the answer. */
static void refuse(struct params *p, const char *words)
{
	if (p->call->error_code == 0)
		call_refuse(p->call, "%s", words);
}

static void say_missing(struct params *p, const struct spec_member *m)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "parameter \"%s\" is required", m->name);
	if (strcmp(m->name, "chat_id") != 0 && strcmp(m->name, "message_id") != 0)
		refuse(p, m->error_text ? m->error_text : text.data);
	else if (!p->late)
		p->late = m->error_text ? m->error_text : "message identifier is not specified";
	buf_clear(&text);
}

/* The platform has an error for some values of a wrong type, and does as if the others were not there. */
static void say_type(struct params *p, const struct spec_member *m, const struct spec_type *t)
{
	struct buf text = BUF_INIT;

	judge_type_name(t, &text);
	if (m->error_text)
		refuse(p, m->error_text);
	else if (m->flags & SPEC_REQUIRED)
		say_missing(p, m);
	else
		exchange_remark(
		    p->call->ex, "parameter \"%s\" is not %s: it counts as absent", m->name, text.data);
	buf_clear(&text);
}

static void say_left_out(struct params *p, const struct spec_member *m, struct json_object *v)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "parameter \"%s\" is not simulated by the playground", m->name);
	if (judge_is_nothing(v))
		;
	else if (m->flags & SPEC_NO_EFFECT)
		exchange_remark(p->call->ex, "%s: it has no effect", text.data);
	else
		refuse(p, text.data);
	buf_clear(&text);
}

/* What the platform says before the mistake in an object that stands there. */
static const char *prefix_of(const struct judge *j)
{
	static const struct {
		const char *param, *member, *says;
	} prefixes[] = {
	    {"checklist", NULL, "can't parse InputChecklist: "},
	    {"commands", NULL, "can't parse BotCommand: "},
	    {"mask_position", NULL, "can't parse mask position: "},
	    {"media", NULL, "can't parse InputMedia: "},
	    {"menu_button", NULL, "can't parse menu button: "},
	    {"prices", NULL, "can't parse labeled price: "},
	    {"reaction", NULL, "can't parse ReactionType: "},
	    {"reply_markup", "inline_keyboard", "can't parse inline keyboard button: "},
	    {"reply_markup", "keyboard", "can't parse keyboard button: "},
	    {"results", NULL, "can't parse inline query result: "},
	    {"rights", NULL, "can't parse ChatAdministratorRights: "},
	    {"scope", NULL, "can't parse BotCommandScope: "},
	    {"shipping_options", NULL, "can't parse shipping option: "},
	    {"sticker", NULL, "can't parse sticker: "},
	    {"stickers", NULL, "can't parse InputSticker: "},
	};
	const char *param = j->place[0].name, *member = j->place[1].name;

	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
		if (strcmp(prefixes[i].param, param) == 0 &&
		    (!prefixes[i].member || (j->depth > 2 && strcmp(prefixes[i].member, member) == 0)))
			return prefixes[i].says;
	return strstr(param, "entities") ? "can't parse MessageEntity: " : "";
}

/* A member of an object that is of another type than its own. */
static void say_member(
    struct params *p, const struct spec_member *m, const struct spec_type *t, struct json_object *v)
{
	static const char *const types[] = {
	    [SPEC_BOOL] = "of type Boolean",
	    [SPEC_INT] = "a Number",
	    [SPEC_LIST] = "of type Array",
	    [SPEC_MAP] = "of type Object",
	    [SPEC_NAMED] = "of type Object",
	    [SPEC_NUMBER] = "of type Number",
	    [SPEC_TRUE] = "of type Boolean",
	};
	const char *type = t->kind < ARRAY_LEN(types) ? types[t->kind] : NULL;
	const char *prefix = prefix_of(&p->judge);
	struct buf text = BUF_INIT;

	if (t->kind == SPEC_INT && json_object_is_type(v, json_type_string))
		type = "a valid Number";
	/* A sentence of the platform begins with a small letter after "Bad Request". */
	buf_addf(&text, "%s%cield \"%s\" must be %s", prefix, prefix[0] != '\0' ? 'F' : 'f', m->name,
	    type ? type : "of type String");
	refuse(p, text.data);
	buf_clear(&text);
}

/* Undocumented: what becomes of a member that is too long; it is accepted with a remark, unless its method
 * knows better. */
static void note_length(struct params *p, enum judge_fault fault, const struct spec_type *t)
{
	struct buf text = BUF_INIT;

	judge_sentence(&p->judge, fault, t, &text);
	exchange_remark(p->call->ex, "%s", text.data);
	buf_clear(&text);
}

/* Other faults inside of objects the methods refuse themselves, in words that name them. */
static void on_fault(struct judge *j, enum judge_fault fault, const struct spec_member *m,
    const struct spec_type *t, struct json_object *v)
{
	struct params *p = (struct params *)j;

	if (fault == JUDGE_UNKNOWN)
		ignore(p, v);
	else if (j->depth > 1 && fault == JUDGE_LONG)
		note_length(p, fault, t);
	else if (fault == JUDGE_LONG || fault == JUDGE_SHORT) /* methods have words for theirs */
		return;
	else if (j->depth > 1 && fault == JUDGE_TYPE && m)
		say_member(p, m, t, v);
	else if (j->depth > 1)
		return;
	else if (fault == JUDGE_MISSING)
		say_missing(p, m);
	else if (fault == JUDGE_LEFT_OUT)
		say_left_out(p, m, v);
	else if (fault != JUDGE_CHOICE || !json_object_is_type(v, json_type_object))
		say_type(p, m, t);
}

int params_judge(struct call *call)
{
	struct params p = {
	    .judge = {.rules = JUDGE_TEXTS | JUDGE_FORM | JUDGE_BOOLS | JUDGE_JSON_IN_TEXT |
		    JUDGE_EMPTY_IS_MISSING | JUDGE_LIMITS | (call->multipart ? JUDGE_PARTS : 0),
		.fault = on_fault},
	    .call = call,
	};

	judge_members(&p.judge, call->spec, call->params);
	if (call->multipart)
		look_at_parts(call);
	if (p.late)
		refuse(&p, p.late);
	return call->error_code != 0 ? -1 : 0;
}
