#include "tools/mcp/elicit.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "bus/message.h"
#include "net/http/url.h"
#include "tools/sanitize.h"
#include "tools/services.h"
#include "tools/tools_internal.h"

/* Characters of the server's texts that are shown. */
#define MESSAGE_MAX 1500
#define TITLE_MAX   100
#define VALUE_MAX   200
#define LABEL_MAX   200
#define URL_SIZE    1800
#define FIELDS_MAX  16
/* How often a person is asked during one call, and for one answer. */
#define ASKED_MAX   40
#define TRIES_MAX   2
#define OPTIONS_MAX (MCP_FIELD_BUTTONS_MAX + 2)

enum action { ACCEPT, DECLINE, CANCEL };

static const char *const action_names[] = {[ACCEPT] = "accept", [DECLINE] = "decline", [CANCEL] = "cancel"};

/* One elicitation/create. */
struct asking {
	struct task *task;
	struct mcp_elicit *e;
	const char *message;
	const bool *over;
	uint64_t due; /* for all its questions together */
};

bool mcp_elicit_is_possible(const struct tool_call *call)
{
	const struct message *m = call->asked;

	return call->services && call->services->ask_person && !call->guest && call->call_id && m &&
	    m->sender_id && !m->sender_is_chat;
}

/* The server's words, sanitized and cut; inline: on one line. */
static void add_words(struct buf *out, const char *text, size_t max, bool is_inline)
{
	struct buf clean = BUF_INIT;

	sanitize_text(&clean, text, strlen(text));
	size_t len = utf8_cut(clean.data, clean.len, max, UTF8_CHARS);
	for (size_t i = 0; i < len; i++)
		buf_addch(out,
		    clean.data[i] == '`'                           ? '\'' :
			is_inline && strchr("\r\n", clean.data[i]) ? ' ' :
								     clean.data[i]);
	if (len < clean.len)
		buf_addstr(out, "…");
	buf_clear(&clean);
}

/* As code, so that nothing in the server's words is a link or Markdown. */
static void add_box(struct buf *out, const char *text)
{
	buf_addstr(out, "\n\n```\n");
	add_words(out, text, MESSAGE_MAX, false);
	buf_addstr(out, "\n```\n\n");
}

static void add_code(struct buf *out, const char *text, size_t max)
{
	buf_addch(out, '`');
	add_words(out, text, max, true);
	buf_addch(out, '`');
}

static void add_head(struct buf *out, const struct asking *a, const char *asks)
{
	buf_addf(out, "The MCP server **%s** %s (what is in boxes are its own words):", a->e->server, asks);
	add_box(out, a->message);
}

/* Asks once. ACCEPT: there is an answer, whose option is *which, -1 for words. */
static enum action ask(const struct asking *a, const struct buf *text, const char *const *options,
    size_t count, bool words, char **answer, int *which)
{
	const struct tool_services *services = a->e->call->services;
	struct tool_call call = *a->e->call;
	struct tool_reply reply = {.kind = TOOL_REPLY_NOBODY};
	uint64_t now = clock_now();
	struct tool_question q = {.text = text->data,
	    .options = options,
	    .option_count = count,
	    .ms = a->due - now,
	    .free_text = words,
	    .once = true,
	    .over = a->over};
	struct error err = {0};

	if (a->due <= now || a->e->question_count >= ASKED_MAX || (a->over && *a->over) ||
	    task_check(a->task, NULL) < 0)
		return CANCEL;
	/* The call's own id is that of its approval. */
	char *id = xasprintf("%s#%u", a->e->call->call_id, ++a->e->question_count);
	call.call_id = id;
	int rc = services->ask_person(a->task, services->turn_owner, &call, &q, &reply, &err);
	free(id);
	if (rc < 0 || reply.kind != TOOL_REPLY_GIVEN) {
		free(reply.text);
		return rc == 0 && reply.kind == TOOL_REPLY_NOBODY ? DECLINE : CANCEL;
	}
	*answer = reply.text ? reply.text : xstrdup("");
	*which = (int)reply.choice - 1;
	for (size_t i = 0; *which < 0 && i < count; i++)
		if (strcasecmp(*answer, options[i]) == 0)
			*which = (int)i;
	return ACCEPT;
}

/* Asks until one of the options is chosen; the last one declines. */
static enum action choose(
    const struct asking *a, const struct buf *text, const char *const *options, size_t count, int *which)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		char *answer;
		enum action action = ask(a, text, options, count, false, &answer, which);
		if (action != ACCEPT)
			return action;
		free(answer);
		if (*which >= 0)
			return *which == (int)count - 1 ? DECLINE : ACCEPT;
	}
	return CANCEL;
}

static enum action choose_text(
    const struct asking *a, struct buf *text, const char *const *options, size_t count, int *which)
{
	enum action action = choose(a, text, options, count, which);

	buf_clear(text);
	return action;
}

/* How the field is answered. */
static void add_hint(struct buf *out, const struct mcp_field *f)
{
	static const char *const hints[] = {
	    [MCP_FIELD_TEXT] = "Answer in words. Never give it a password or a key.",
	    [MCP_FIELD_NUMBER] = "Answer with a number.",
	    [MCP_FIELD_INTEGER] = "Answer with a whole number.",
	    [MCP_FIELD_CHOICE] = "Answer with one of these, or its number:",
	    [MCP_FIELD_CHOICES] = "Answer with some of these, or their numbers, with commas between them:",
	};

	if (f->count == 0 || mcp_field_is_listed(f))
		buf_addf(out, "\n%s", hints[f->kind]);
	for (size_t i = 0; mcp_field_is_listed(f) && i < f->count; i++) {
		buf_addf(out, "\n%zu. ", i + 1);
		add_code(out, mcp_field_label(f, i), TITLE_MAX);
	}
	if (f->fallback) {
		buf_addstr(out, "\nThe default is ");
		add_code(out, json_object_get_string(f->fallback), VALUE_MAX);
		buf_addch(out, '.');
	}
}

static void add_field(struct buf *out, const struct mcp_field *f)
{
	const char *title = json_get_str(f->schema, "title"),
		   *description = json_get_str(f->schema, "description");

	add_code(out, title ? title : f->name, TITLE_MAX);
	if (description)
		add_box(out, description);
	add_hint(out, f);
}

/* What a field may be answered with: its choices, then how to leave it out, then how to decline. */
struct options {
	char *labels[OPTIONS_MAX];
	size_t choices, count; /* choices: of the field */
	bool skip;
};

static void options_init(struct options *o, const struct mcp_field *f)
{
	*o = (struct options){.skip = f->fallback || !f->required};
	for (size_t i = 0; !mcp_field_is_listed(f) && i < f->count; i++) {
		struct buf label = BUF_INIT;
		add_words(&label, mcp_field_label(f, i), LABEL_MAX, true);
		o->labels[o->count++] = buf_take(&label);
	}
	o->choices = o->count;
	if (o->skip)
		o->labels[o->count++] = xstrdup(f->fallback ? "Use the default" : "Skip");
	o->labels[o->count++] = xstrdup("Decline");
}

static void options_clear(struct options *o)
{
	for (size_t i = 0; i < o->count; i++)
		free(o->labels[i]);
}

static enum action take_answer(const struct mcp_field *f, const struct options *o, const char *answer,
    int which, struct json_object **value, struct buf *problem)
{
	if (which == (int)o->count - 1)
		return DECLINE;
	if (which >= (int)o->choices)
		*value = json_object_get(f->fallback);
	else if (which >= 0)
		*value = mcp_field_choose(f, (size_t)which);
	else
		*value = mcp_field_read(f, answer, problem);
	return ACCEPT;
}

/* Asks for a field, once more when the answer does not fit, and adds it to content. */
static enum action ask_field(
    const struct asking *a, const struct mcp_field *f, const struct buf *head, struct json_object *content)
{
	struct options options;
	struct buf text = BUF_INIT, problem = BUF_INIT;
	enum action action = CANCEL;
	bool done = false;

	options_init(&options, f);
	for (int i = 0; i < TRIES_MAX && !done; i++) {
		struct json_object *value = NULL;
		char *answer;
		int which;
		buf_reset(&text);
		buf_addf(&text, "%s%s%s", problem.data, problem.len > 0 ? "\n\n" : "", head->data);
		add_field(&text, f);
		buf_reset(&problem);
		action = ask(a, &text, (const char *const *)options.labels, options.count,
		    options.choices == 0, &answer, &which);
		if (action != ACCEPT)
			break;
		action = take_answer(f, &options, answer, which, &value, &problem);
		free(answer);
		done = problem.len == 0;
		if (value)
			json_set(content, f->name, value);
	}
	options_clear(&options);
	buf_clear(&text);
	buf_clear(&problem);
	return action == ACCEPT && !done ? CANCEL : action;
}

struct form {
	struct mcp_field fields[FIELDS_MAX];
	size_t count;
};

static int form_init(struct form *form, struct json_object *schema)
{
	struct json_object *properties = json_get_object(schema, "properties");

	form->count = 0;
	if (!schema)
		return -1;
	if (!properties)
		return 0;
	json_object_object_foreach(properties, name, property) {
		if (form->count == FIELDS_MAX ||
		    mcp_field_init(&form->fields[form->count++], name, property,
			json_array_has(json_get_array(schema, "required"), name)) < 0)
			return -1;
	}
	return 0;
}

static enum action ask_fields(const struct asking *a, const struct form *form, struct json_object *content)
{
	enum action action = ACCEPT;

	for (size_t i = 0; i < form->count && action == ACCEPT; i++) {
		struct buf head = BUF_INIT;
		if (i == 0)
			add_head(&head, a, "asks");
		else
			buf_addf(&head, "The MCP server **%s** asks further, %zu of %zu:\n\n", a->e->server,
			    i + 1, form->count);
		action = ask_field(a, &form->fields[i], &head, content);
		buf_clear(&head);
	}
	return action;
}

/* The person reviews several answers before they are sent. */
static enum action review(
    const struct asking *a, const struct form *form, struct json_object *content, bool *change)
{
	static const char *const options[] = {"Send", "Change", "Decline"};
	struct buf text = BUF_INIT;
	int which = 0;

	*change = false;
	if (form->count < 2)
		return ACCEPT;
	buf_addf(&text, "Send these answers to the MCP server **%s**?\n", a->e->server);
	for (size_t i = 0; i < form->count; i++) {
		struct json_object *value = json_get(content, form->fields[i].name);
		buf_addstr(&text, "\n- ");
		add_code(&text, form->fields[i].name, TITLE_MAX);
		buf_addstr(&text, ": ");
		if (value)
			add_code(&text, json_object_get_string(value), VALUE_MAX);
		else
			buf_addstr(&text, "nothing");
	}
	enum action action = choose_text(a, &text, options, ARRAY_LEN(options), &which);
	*change = action == ACCEPT && which == 1;
	return action;
}

static enum action ask_form(const struct asking *a, const struct form *form, struct json_object **content)
{
	static const char *const options[] = {"Accept", "Decline"};
	struct buf text = BUF_INIT;
	enum action action;
	bool change;
	int which;

	*content = json_object_new_object();
	if (form->count == 0) {
		add_head(&text, a, "asks");
		return choose_text(a, &text, options, ARRAY_LEN(options), &which);
	}
	do {
		json_object_put(*content);
		*content = json_object_new_object();
		action = ask_fields(a, form, *content);
		change = false;
		if (action == ACCEPT)
			action = review(a, form, *content, &change);
	} while (change);
	return action;
}

/* Printable ASCII without what ends code: such a URL is what it looks like. */
static int read_url(struct http_url *parts, const char *url)
{
	if (!url || strlen(url) >= URL_SIZE)
		return -1;
	for (const char *c = url; *c; c++)
		if (*c <= ' ' || *c > '~' || *c == '`')
			return -1;
	return http_url_parse(url, parts, NULL);
}

static enum action ask_url(const struct asking *a, const char *url, const struct http_url *parts)
{
	static const char *const options[] = {"Done", "Decline"};
	struct buf text = BUF_INIT;
	int which;

	add_head(&text, a, "asks you to visit a page");
	buf_addf(&text, "The page is on **`%s`**:\n\n`%s`\n\n", parts->host, url);
	if (!parts->https)
		buf_addstr(&text, "The connection to it is not encrypted. ");
	if (strstr(parts->host, "xn--"))
		buf_addstr(&text, "The name of the host has letters that may look like others. ");
	buf_addstr(&text,
	    "Visit it only if you know this host and expected this. Choose Done when you are finished "
	    "there.");
	return choose_text(a, &text, options, ARRAY_LEN(options), &which);
}

static struct json_object *result_new(enum action action, struct json_object *content)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "action", action_names[action]);
	if (action == ACCEPT && content)
		json_set(o, "content", json_object_get(content));
	json_object_put(content);
	return o;
}

struct json_object *mcp_elicit_run(
    struct task *t, struct mcp_elicit *e, struct json_object *params, const bool *over)
{
	const char *mode = json_get_str(params, "mode"), *url = json_get_str(params, "url");
	struct asking a = {.task = t, .e = e, .message = json_get_str(params, "message"), .over = over};
	struct json_object *content = NULL;
	bool is_url = mode && strcmp(mode, "url") == 0;
	enum action action = DECLINE;
	struct http_url parts;
	struct form form;

	if (!a.message || (mode && !is_url && strcmp(mode, "form") != 0) ||
	    (is_url ? read_url(&parts, url) : form_init(&form, json_get_object(params, "requestedSchema"))) <
		0) {
		log_warn(e->log, "asks what cannot be asked: turn=%lld", (long long)e->call->turn);
		return NULL;
	}
	if (mcp_elicit_is_possible(e->call)) {
		a.due = clock_now() + (uint64_t)e->call->tools->settings.question_ms;
		action = is_url ? ask_url(&a, url, &parts) : ask_form(&a, &form, &content);
	}
	log_info(e->log, "asked a person: %s mode=%s turn=%lld", action_names[action],
	    is_url ? "url" : "form", (long long)e->call->turn);
	return result_new(action, content);
}
