#include <stdlib.h>
#include <string.h>

#include "playground/model/script/script_internal.h"

#define MATCH_MAX 4096 /* bytes of a message that patterns are matched against */
#define CHUNK     24

static bool match(struct pattern *p, const char *text, struct template_values *v)
{
	return pattern_match(p, text, strnlen(text, MATCH_MAX), v->groups, TEMPLATE_GROUPS);
}

/* Finds the newest earlier message that the pattern matches. */
static bool recall_one(const struct recall *r, const struct conversation *d, struct json_object *recalled)
{
	struct template_values v = {0};
	size_t group;
	char *text;

	for (size_t i = d->user_count; i-- > 1;) {
		if (!match(r->pattern, d->users[i - 1], &v))
			continue;
		for (group = TEMPLATE_GROUPS - 1; !v.groups[group].text; group--)
			; /* group 0 matched */
		text = xstrndup(v.groups[group].text, v.groups[group].len);
		json_set_str(recalled, r->name, text);
		free(text);
		return true;
	}
	return false;
}

static bool tools_fit(const struct rule *rule, const struct conversation *d)
{
	struct json_object *tools = json_get_array(rule->json, "tools");

	json_each(tools, item)
		if (!conversation_offers(d, json_object_get_string(item)))
			return false;
	return true;
}

static bool rule_fits(const struct rule *rule, const struct conversation *d, struct template_values *v)
{
	if (rule->when && !match(rule->when, conversation_user(d), v))
		return false;
	if (!tools_fit(rule, d))
		return false;
	for (size_t i = 0; i < rule->recall_count; i++)
		if (!recall_one(&rule->recalls[i], d, v->recalled))
			return false;
	return true;
}

static struct json_object *choose_step(const struct rule *rule, const struct conversation *d)
{
	size_t count = json_count(rule->steps), i = d->steps;

	if (i >= count)
		i = json_get_bool(rule->json, "repeat", false) ? i % count : count - 1;
	return json_at(rule->steps, i);
}

static char *expand(const char *text, const struct template_values *v)
{
	struct buf out = BUF_INIT;

	if (!text)
		return NULL;
	template_expand(text, v, &out);
	return buf_take(&out);
}

static char *expand_arguments(struct json_object *call, const struct template_values *v)
{
	const char *raw = json_get_str(call, "arguments_text");
	struct json_object *o;
	char *text;

	if (raw)
		return expand(raw, v);
	o = json_get(call, "arguments");
	if (!o)
		return xstrdup("{}");
	o = template_expand_json(o, v);
	text = json_text(o);
	json_object_put(o);
	return text;
}

/* Returns the first called tool that is not offered; NULL when all are. */
static const char *missing_tool(struct json_object *calls, const struct conversation *d)
{
	json_each(calls, item) {
		const char *name = json_get_str(item, "name");

		if (!conversation_offers(d, name))
			return name;
	}
	return NULL;
}

static void add_calls(
    struct script_answer *answer, struct json_object *calls, const struct template_values *v)
{
	const char *missing = missing_tool(calls, v->conversation);
	size_t count = json_count(calls);

	if (missing) {
		free(answer->text);
		answer->text = conversation_tool_count(v->conversation) == 0 ?
		    xstrdup("I would call a tool now, but none is offered to me here.") :
		    xasprintf("I would call the tool %s now, but it is not offered to me here.", missing);
		return;
	}
	answer->calls = xcalloc(count, sizeof(*answer->calls));
	for (size_t i = 0; i < count; i++) {
		struct json_object *call = json_at(calls, i);

		answer->calls[i].name = xstrdup(json_get_str(call, "name"));
		answer->calls[i].arguments = expand_arguments(call, v);
	}
	answer->call_count = count;
}

static void obey(struct script_answer *answer, const struct template_values *v)
{
	free(answer->calls);
	answer->call_count = injection_find_calls(v->conversation, &answer->calls);
	if (answer->call_count == 0)
		return;
	free(answer->text);
	answer->text = NULL;
}

static uint64_t pace(const struct script *s, struct json_object *step, const char *key, int64_t fallback)
{
	return (uint64_t)json_get_int(step, key, json_get_int(s->json, key, fallback));
}

/* Returns the error of this step, unless it has occurred as often as it says. */
static struct json_object *step_error(struct rule *rule, struct json_object *step)
{
	struct json_object *error = json_get_object(step, "error");
	int64_t times = json_get_int(error, "times", 0);

	if (times > 0 && rule->failed++ == times) {
		rule->failed = 0;
		return NULL;
	}
	return error;
}

static void fill(const struct script *s, struct rule *rule, struct json_object *step,
    const struct template_values *v, struct script_answer *answer)
{
	struct json_object *calls = json_get_array(step, "calls");

	answer->text = expand(json_get_str(step, "text"), v);
	answer->thinking = expand(json_get_str(step, "thinking"), v);
	answer->error = step_error(rule, step);
	answer->fault = json_get_object(step, "fault");
	answer->finish_reason = xstrdup(json_get_str(step, "finish_reason"));
	answer->delay_ms = pace(s, step, "delay_ms", 0);
	answer->chunk_ms = pace(s, step, "chunk_ms", 0);
	answer->chunk = pace(s, step, "chunk", CHUNK);
	if (calls && json_count(calls) > 0)
		add_calls(answer, calls, v);
	if (json_get_bool(step, "obey", false))
		obey(answer, v);
}

/* The person's text begins after what the skip pattern matches at its start. */
static char *skipped(const struct script *s, char *text)
{
	struct pattern_group all;

	if (s->skip && pattern_match(s->skip, text, strlen(text), &all, 1) && all.text == text)
		return text + all.len;
	return text;
}

static void play(const struct script *s, const struct conversation *d, struct script_answer *answer)
{
	for (size_t i = 0; i < s->rule_count; i++) {
		struct rule *rule = &s->rules[i];
		struct template_values v = {.conversation = d, .recalled = json_object_new_object()};
		bool fits = i + 1 == s->rule_count || rule_fits(rule, d, &v);

		if (fits)
			fill(s, rule, choose_step(rule, d), &v, answer);
		json_object_put(v.recalled);
		if (fits)
			return;
	}
}

void script_play(const struct script *s, const struct conversation *d, struct script_answer *answer)
{
	struct conversation view = *d; /* borrows everything except the list of users */

	*answer = (struct script_answer){0};
	view.users = xcalloc(d->user_count + 1, sizeof(*view.users));
	for (size_t i = 0; i < d->user_count; i++)
		view.users[i] = skipped(s, d->users[i]);
	play(s, &view, answer);
	free(view.users);
}

static void replace(char **field, char *with)
{
	free(*field);
	*field = with;
}

static void drop_calls(struct script_answer *answer)
{
	for (size_t i = 0; i < answer->call_count; i++) {
		free(answer->calls[i].name);
		free(answer->calls[i].arguments);
	}
	free(answer->calls);
	answer->calls = NULL;
	answer->call_count = 0;
}

/* Writes calls as text, as a server does that does not know its model's call format. */
static void write_calls(struct script_answer *answer)
{
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < answer->call_count; i++)
		buf_addf(&text, "<tool_call>\n{\"name\": \"%s\", \"arguments\": %s}\n</tool_call>\n",
		    answer->calls[i].name, answer->calls[i].arguments);
	if (answer->call_count > 0)
		replace(&answer->text, xstrdup(text.data));
	drop_calls(answer);
	buf_clear(&text);
}

void script_answer_apply_quirks(struct script_answer *answer, unsigned quirks)
{
	if (quirks & QUIRK_TEXT_CALLS)
		write_calls(answer);
	if (quirks & QUIRK_EMPTY) {
		drop_calls(answer);
		replace(&answer->text, xstrdup(""));
	}
	for (size_t i = 0; i < answer->call_count; i++) {
		char *arguments = answer->calls[i].arguments;

		if (quirks & QUIRK_CUT_ARGUMENTS)
			arguments[strlen(arguments) / 2] = '\0';
		if (quirks & QUIRK_BAD_ARGUMENTS)
			replace(&answer->calls[i].arguments, xasprintf("%s, what?}", arguments));
	}
	if ((quirks & QUIRK_CUT_ARGUMENTS) && answer->call_count > 0)
		replace(&answer->finish_reason, xstrdup("length"));
}

void script_answer_clear(struct script_answer *answer)
{
	drop_calls(answer);
	free(answer->text);
	free(answer->thinking);
	free(answer->finish_reason);
	*answer = (struct script_answer){0};
}
