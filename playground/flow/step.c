#include "playground/flow/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/suggest.h"
#include "playground/control/control.h"
#include "playground/platform.h"
#include "playground/world/json_members.h"
#include "playground/world/pattern.h"

#define BLANKS      " \t"
#define SECONDS_MAX 3600
#define STEPS_MAX   32 /* names of steps */

/* Cuts the next word off *rest: malloc'd, NULL for none. */
static char *take_word(const char **rest)
{
	const char *begin = *rest + strspn(*rest, BLANKS);
	size_t len = strcspn(begin, BLANKS);

	*rest = begin + len + strspn(begin + len, BLANKS);
	return len > 0 ? xstrndup(begin, len) : NULL;
}

/* "\n" becomes a new line, "\\" a backslash. */
static char *unescape(const char *s)
{
	char *out = xstrdup(s), *to = out;

	for (; *s != '\0'; s++) {
		if (s[0] == '\\' && (s[1] == 'n' || s[1] == '\\'))
			*to++ = *++s == 'n' ? '\n' : '\\';
		else
			*to++ = *s;
	}
	*to = '\0';
	return out;
}

static int want_usage(const struct flow_step *step, struct error *err)
{
	return error_set(err, ERROR_OURS, "%s wants: %s%s%s", step->name, step->name,
	    step->verb->usage[0] != '\0' ? " " : "", step->verb->usage);
}

static int read_text(struct flow_step *step, const char *rest, struct error *err)
{
	if (*rest == '\0')
		return want_usage(step, err);
	step->text = unescape(rest);
	return 0;
}

static int read_expected(struct flow_step *step, const char *rest, struct error *err)
{
	size_t len = strlen(rest);

	if (len < 3 || rest[0] != '/' || rest[len - 1] != '/')
		return read_text(step, rest, err);
	step->text = xstrndup(rest + 1, len - 2);
	step->pattern = pattern_new(step->text, 0, err);
	return step->pattern ? 0 : error_prefix(err, "the pattern /%.60s/ cannot be read", step->text);
}

static int read_seconds(struct flow_step *step, const char *rest, struct error *err)
{
	char *end;
	double seconds = strtod(rest, &end);

	if (*rest < '0' || *rest > '9' || *end != '\0' || !(seconds > 0 && seconds <= SECONDS_MAX))
		return error_set(err, ERROR_OURS, "%s wants seconds, up to %d", step->name, SECONDS_MAX);
	step->ms = (uint64_t)(seconds * 1000);
	return 0;
}

/* An object says more than a text can: the step is the call of that name then. */
static int read_person(struct flow_step *step, const char *rest, struct error *err)
{
	step->person = take_word(&rest);
	if (!step->person)
		return want_usage(step, err);
	step->body = *rest == '{' ? json_parse_object(rest, strlen(rest), NULL) : NULL;
	if (!step->body)
		return read_text(step, rest, err);
	step->verb = NULL;
	return 0;
}

static int check_kind(const struct platform *p, const char *kind, struct error *err)
{
	return members_has_word(p->chat_kinds, kind) ?
	    0 :
	    error_set(err, ERROR_OURS, "%s has no kind of chat \"%.40s\", only these: %s", p->name, kind,
		p->chat_kinds);
}

static int read_chat(struct flow_step *step, const char *rest, struct error *err)
{
	step->person = take_word(&rest);
	step->kind = take_word(&rest);
	if (!step->kind || read_text(step, rest, NULL) != 0)
		return want_usage(step, err);
	for (size_t i = 0; platforms[i]; i++)
		if (strcmp(platforms[i]->name, step->person) == 0)
			return check_kind(platforms[i], step->kind, err);
	return error_set(
	    err, ERROR_OURS, "there is no platform \"%.40s\": telegram, slack or discord", step->person);
}

static int read_nothing(struct flow_step *step, const char *rest, struct error *err)
{
	return *rest == '\0' ? 0 : error_set(err, ERROR_OURS, "nothing may stand behind %s", step->name);
}

static int (*const readers[])(struct flow_step *step, const char *rest, struct error *err) = {
    [FLOW_NOTHING] = read_nothing,
    [FLOW_TEXT] = read_text,
    [FLOW_EXPECTED] = read_expected,
    [FLOW_SECONDS] = read_seconds,
    [FLOW_PERSON_TEXT] = read_person,
    [FLOW_CHAT] = read_chat,
};

static int refuse_call(const struct flow_step *step, struct error *err)
{
	char *why = control_unknown(step->name);

	error_set(err, ERROR_OURS, "%s", why);
	free(why);
	return -1;
}

static int read_call(struct flow_step *step, const char *rest, struct error *err)
{
	if (!control_knows(step->name))
		return refuse_call(step, err);
	step->body = json_parse_object(rest, strlen(rest), err);
	return step->body ? 0 : -1;
}

static int refuse_step(const struct flow_step *step, struct error *err)
{
	const char *names[STEPS_MAX], *near;
	size_t n = 0;

	for (const struct flow_verb *v = flow_verbs; v->name && n < STEPS_MAX; v++)
		names[n++] = v->name;
	near = suggest_name(step->name, names, n);
	return near ?
	    error_set(err, ERROR_OURS, "there is no step \"%.40s\". Did you mean \"%s\"?", step->name, near) :
	    error_set(err, ERROR_OURS, "there is no step \"%.40s\"", step->name);
}

int flow_step_read(struct flow_step *step, const char *line, struct error *err)
{
	step->name = take_word(&line);
	if (*line == '{')
		return read_call(step, line, err);
	for (const struct flow_verb *v = flow_verbs; v->name; v++) {
		if (strcmp(v->name, step->name) != 0)
			continue;
		step->verb = v;
		return readers[v->shape](step, line, err);
	}
	if (control_knows(step->name)) {
		step->person = take_word(&line);
		return *line == '{' ?
		    read_call(step, line, err) :
		    error_set(err, ERROR_OURS,
			"%s is a call of the control interface, and wants an object: %s {…}", step->name,
			step->name);
	}
	return refuse_step(step, err);
}

void flow_step_clear(struct flow_step *step)
{
	pattern_free(step->pattern);
	json_object_put(step->body);
	free(step->source);
	free(step->name);
	free(step->person);
	free(step->kind);
	free(step->text);
}
