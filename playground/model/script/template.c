#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "playground/model/script/script_internal.h"

#define EXPRESSION_MAX 256

/* Appends the value of an expression; false when it has none. arg follows the name. */
typedef bool value_fn(const char *arg, const struct template_values *v, struct buf *out);

static char *group_text(const struct template_values *v, size_t n)
{
	if (n >= TEMPLATE_GROUPS || !v->groups[n].text)
		return NULL;
	return xstrndup(v->groups[n].text, v->groups[n].len);
}

static bool value_user(const char *arg, const struct template_values *v, struct buf *out)
{
	(void)arg;
	buf_addstr(out, conversation_user(v->conversation));
	return true;
}

static bool value_count(const char *arg, const struct template_values *v, struct buf *out)
{
	(void)arg;
	buf_addf(out, "%zu", v->conversation->user_count);
	return true;
}

static bool value_steps(const char *arg, const struct template_values *v, struct buf *out)
{
	(void)arg;
	buf_addf(out, "%zu", v->conversation->steps);
	return true;
}

/* Follows .a.0.b in o; NULL when the path does not exist. */
static struct json_object *follow(struct json_object *o, char *path)
{
	char *save, *end;

	for (char *key = strtok_r(path, ".", &save); key && o; key = strtok_r(NULL, ".", &save)) {
		if (json_object_is_type(o, json_type_array))
			o = json_at(o, strtoul(key, &end, 10));
		else
			o = json_get(o, key);
	}
	return o;
}

static bool add_member(const char *result, const char *path, struct buf *out)
{
	struct json_object *root = json_parse(result, strlen(result), NULL), *o;
	char *copy = xstrdup(path);
	bool found = false;

	o = root ? follow(root, copy) : NULL;
	if (o) {
		found = true;
		if (json_object_is_type(o, json_type_string))
			buf_addstr(out, json_object_get_string(o));
		else
			json_write(out, o);
	}
	free(copy);
	json_object_put(root);
	return found;
}

static bool value_result(const char *arg, const struct template_values *v, struct buf *out)
{
	const struct conversation *d = v->conversation;
	unsigned long n;
	char *rest;

	if (*arg == '\0') {
		for (size_t i = 0; i < d->result_count; i++)
			buf_addf(out, "%s%s", i > 0 ? "\n" : "", d->results[i]);
		return d->result_count > 0;
	}
	n = strtoul(arg + 1, &rest, 10);
	if (rest == arg + 1 || n >= d->result_count)
		return false;
	if (*rest == '.')
		return add_member(d->results[n], rest + 1, out);
	buf_addstr(out, d->results[n]);
	return true;
}

static bool value_images(const char *arg, const struct template_values *v, struct buf *out)
{
	const struct conversation *d = v->conversation;

	(void)arg;
	for (size_t i = 0; i < d->image_count; i++)
		buf_addf(out, "%s%s", i > 0 ? ", " : "", d->images[i]);
	return d->image_count > 0;
}

static bool value_recall(const char *arg, const struct template_values *v, struct buf *out)
{
	const char *text = *arg == '.' ? json_get_str(v->recalled, arg + 1) : NULL;

	if (text)
		buf_addstr(out, text);
	return text;
}

static bool value_calc(const char *arg, const struct template_values *v, struct buf *out)
{
	size_t first = strtoul(arg, NULL, 10);
	char *a = group_text(v, first), *op = group_text(v, first + 1), *b = group_text(v, first + 2);
	bool ok = a && op && b && strlen(op) == 1 && strchr("+-*xX/", op[0]);

	if (ok)
		generate_calculation(a, op[0], b, out);
	free(a);
	free(op);
	free(b);
	return ok;
}

static bool value_numbers(const char *arg, const struct template_values *v, struct buf *out)
{
	char *text = group_text(v, strtoul(arg, NULL, 10));

	if (!text)
		return false;
	generate_numbers(strtoul(text, NULL, 10), out);
	free(text);
	return true;
}

static bool value_story(const char *arg, const struct template_values *v, struct buf *out)
{
	(void)v;
	generate_story(strtoul(arg, NULL, 10), out);
	return true;
}

static const struct {
	const char *name;
	value_fn *fn;
} values[] = {
    {"calc", value_calc},
    {"count", value_count},
    {"images", value_images},
    {"numbers", value_numbers},
    {"recall", value_recall},
    {"result", value_result},
    {"steps", value_steps},
    {"story", value_story},
    {"user", value_user},
};

static bool add_group(const char *expr, const struct template_values *v, struct buf *out)
{
	size_t n = (size_t)(expr[0] - '0');

	if (!v->groups[n].text)
		return false;
	buf_add(out, v->groups[n].text, v->groups[n].len);
	return true;
}

static bool add_value(const char *expr, const struct template_values *v, struct buf *out)
{
	size_t len = strcspn(expr, ". ");

	if (isdigit((unsigned char)expr[0]) && expr[1] == '\0')
		return add_group(expr, v, out);
	if (expr[0] == '\'') {
		buf_add(out, expr + 1, strcspn(expr + 1, "'"));
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		if (strlen(values[i].name) == len && memcmp(values[i].name, expr, len) == 0)
			return values[i].fn(expr + len, v, out);
	return false;
}

/* Expands the alternatives between the braces. */
static void expand_one(const char *s, size_t len, const struct template_values *v, struct buf *out)
{
	char copy[EXPRESSION_MAX], *save;

	if (len >= sizeof(copy))
		return;
	memcpy(copy, s, len);
	copy[len] = '\0';
	for (char *expr = strtok_r(copy, "|", &save); expr; expr = strtok_r(NULL, "|", &save))
		if (add_value(expr, v, out))
			return;
}

void template_expand(const char *text, const struct template_values *v, struct buf *out)
{
	const char *open, *close;

	while ((open = strstr(text, "{{")) && (close = strstr(open, "}}"))) {
		buf_add(out, text, (size_t)(open - text));
		expand_one(open + 2, (size_t)(close - open - 2), v, out);
		text = close + 2;
	}
	buf_addstr(out, text);
}

static struct json_object *expand_string(struct json_object *o, const struct template_values *v)
{
	struct json_object *copy;
	struct buf out = BUF_INIT;

	template_expand(json_object_get_string(o), v, &out);
	copy = json_object_new_string_len(out.data, (int)out.len);
	buf_clear(&out);
	return copy;
}

struct json_object *template_expand_json(struct json_object *o, const struct template_values *v)
{
	struct json_object *copy;

	if (json_object_is_type(o, json_type_string))
		return expand_string(o, v);
	if (json_object_is_type(o, json_type_array)) {
		copy = json_object_new_array();
		json_each(o, item)
			json_object_array_add(copy, template_expand_json(item, v));
		return copy;
	}
	if (json_object_is_type(o, json_type_object)) {
		copy = json_object_new_object();
		json_object_object_foreach(o, key, value) {
			json_object_object_add(copy, key, template_expand_json(value, v));
		}
		return copy;
	}
	return json_object_get(o);
}
