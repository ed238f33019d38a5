#include <stdlib.h>
#include <string.h>

#include "playground/model/script/script_internal.h"
#include "playground/world/file.h"

static int compile(struct pattern **p, const char *text, struct error *err)
{
	*p = pattern_new(text, PATTERN_ANY_CASE, err);
	return *p ? 0 : error_prefix(err, "the pattern \"%.60s\" is wrong", text);
}

static int add_recalls(struct rule *rule, struct error *err)
{
	struct json_object *recall = json_get_object(rule->json, "recall");

	if (!recall)
		return 0;
	rule->recalls = xcalloc((size_t)json_object_object_length(recall), sizeof(*rule->recalls));
	json_object_object_foreach(recall, name, pattern) {
		if (compile(&rule->recalls[rule->recall_count].pattern, json_object_get_string(pattern),
			err) != 0)
			return -1;
		rule->recalls[rule->recall_count++].name = name;
	}
	return 0;
}

static int add_rule(struct script *s, struct json_object *json, struct error *err)
{
	struct rule *rule = &s->rules[s->rule_count];
	const char *when = json_get_str(json, "when");

	rule->json = json;
	rule->steps = json_get_array(json, "steps");
	if (when && compile(&rule->when, when, err) != 0)
		return -1;
	s->rule_count++;
	return add_recalls(rule, err);
}

static int build(struct script *s, struct error *err)
{
	struct json_object *rules = json_get_array(s->json, "rules");
	size_t count = json_count(rules);
	const char *skip = json_get_str(s->json, "skip");

	if (skip && compile(&s->skip, skip, err) != 0)
		return -1;
	s->rules = xcalloc(count + 1, sizeof(*s->rules));
	for (size_t i = 0; i < count; i++)
		if (add_rule(s, json_at(rules, i), err) != 0)
			return error_prefix(err, "rule %zu", i + 1);
	return add_rule(s, json_get_object(s->json, "else"), err);
}

struct script *script_parse(const char *text, size_t len, struct error *err)
{
	struct script *s = xcalloc(1, sizeof(*s));

	s->json = json_parse_object(text, len, err);
	if (!s->json || script_check(s->json, err) != 0 || build(s, err) != 0) {
		script_free(s);
		return NULL;
	}
	return s;
}

struct script *script_load(const char *file, struct error *err)
{
	struct buf text = BUF_INIT;
	struct script *s = NULL;

	if (file_read(file, &text, err) == 0) {
		s = script_parse(text.data, text.len, err);
		if (!s)
			error_prefix(err, "%s", file);
	}
	buf_clear(&text);
	return s;
}

static void clear_rule(struct rule *rule)
{
	pattern_free(rule->when);
	for (size_t i = 0; i < rule->recall_count; i++)
		pattern_free(rule->recalls[i].pattern);
	free(rule->recalls);
}

void script_free(struct script *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->rule_count; i++)
		clear_rule(&s->rules[i]);
	pattern_free(s->skip);
	free(s->rules);
	json_object_put(s->json);
	free(s);
}
