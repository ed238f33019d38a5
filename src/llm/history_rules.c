#include "llm/history.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#define NAME_MAX_LEN 64

static const char *const role_names[] = {
    [LLM_USER] = "user",
    [LLM_ASSISTANT] = "assistant",
    [LLM_TOOL] = "tool",
};

/* Replaces a text that must not be empty. An empty answer without calls is dropped instead. */
static const char *const empty_texts[] = {
    [LLM_USER] = "(empty message)",
    [LLM_TOOL] = "(no output)",
};

static bool is_blank(const char *text)
{
	return text[strspn(text, " \t\r\n\v\f")] == '\0';
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	    c == '-';
}

static bool name_is_good(const char *name)
{
	size_t len = 0;

	while (is_name_char(name[len]))
		len++;
	return len > 0 && len <= NAME_MAX_LEN && name[len] == '\0';
}

static bool arguments_are_good(const char *arguments)
{
	struct json_object *o;

	if (strcmp(arguments, "{}") == 0)
		return true;
	o = json_parse_object(arguments, strlen(arguments), NULL);
	json_object_put(o);
	return o;
}

static bool text_is_valid(const char *text)
{
	return !text || utf8_valid(text, strlen(text));
}

static const char *call_id(const struct llm_message *m)
{
	return m->call_id ? m->call_id : "";
}

__attribute__((format(printf, 4, 5))) static int refuse(
    const struct llm_history *h, size_t at, struct error *err, const char *fmt, ...)
{
	struct buf why = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&why, fmt, ap);
	va_end(ap);
	error_set(err, ERROR_OURS, "message %zu of %zu (%s) %s", at + 1, h->count,
	    role_names[h->messages[at]->role], why.data);
	buf_clear(&why);
	return -1;
}

static int check_call(const struct llm_history *h, size_t at, const struct llm_call *c, struct error *err)
{
	if (*c->id == '\0')
		return refuse(h, at, err, "holds a call without an id");
	if (!name_is_good(c->name))
		return refuse(
		    h, at, err, "calls a tool whose name is not 1 to %d of [A-Za-z0-9_-]", NAME_MAX_LEN);
	if (!arguments_are_good(c->arguments))
		return refuse(h, at, err, "calls %s with arguments that are not a JSON object", c->name);
	if (!text_is_valid(c->id))
		return refuse(h, at, err, "holds bytes that are not UTF-8");
	return 0;
}

static int check_message(const struct llm_history *h, size_t at, struct error *err)
{
	struct llm_message *m = h->messages[at];

	if (m->call_count == 0 && is_blank(m->text))
		return refuse(h, at, err, "has an empty text");
	if (m->call_count > 0 && m->role != LLM_ASSISTANT)
		return refuse(h, at, err, "holds calls, which only an assistant makes");
	if (!llm_message_text_count(m)->is_utf8 || (m->raw && !llm_message_raw_count(m)->is_utf8) ||
	    !text_is_valid(m->call_id))
		return refuse(h, at, err, "holds bytes that are not UTF-8");
	for (size_t i = 0; i < m->call_count; i++)
		if (check_call(h, at, &m->calls[i], err) != 0)
			return -1;
	return 0;
}

static bool calls_include(const struct llm_message *m, const char *id)
{
	for (size_t i = 0; i < m->call_count; i++)
		if (strcmp(m->calls[i].id, id) == 0)
			return true;
	return false;
}

/* Checks the results that follow the assistant message at; ids are unique by now, so equal counts mean that
 * each occurs once. */
static int check_results(const struct llm_history *h, size_t at, struct error *err)
{
	const struct llm_message *m = h->messages[at];
	size_t next = at + 1, before;

	for (; next < h->count && h->messages[next]->role == LLM_TOOL; next++) {
		if (!calls_include(m, call_id(h->messages[next])))
			return refuse(h, next, err, "answers no call of the message before");
		for (before = at + 1; before < next; before++)
			if (strcmp(call_id(h->messages[before]), call_id(h->messages[next])) == 0)
				return refuse(h, next, err, "answers a call a second time");
	}
	if (next - at - 1 != m->call_count)
		return refuse(h, at, err, "has %zu calls, of which %zu are answered directly after it",
		    m->call_count, next - at - 1);
	return 0;
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns an id that two calls share, borrowed; NULL when all differ. */
static const char *duplicate_id(const struct llm_history *h)
{
	const char **ids, *found = NULL;
	size_t count = 0, n = 0;

	for (size_t i = 0; i < h->count; i++)
		count += h->messages[i]->call_count;
	if (count < 2)
		return NULL;
	ids = xcalloc(count, sizeof(*ids));
	for (size_t i = 0; i < h->count; i++)
		for (size_t k = 0; k < h->messages[i]->call_count; k++)
			ids[n++] = h->messages[i]->calls[k].id;
	qsort(ids, count, sizeof(*ids), compare_ids);
	for (size_t i = 1; i < count && !found; i++)
		if (strcmp(ids[i - 1], ids[i]) == 0)
			found = ids[i];
	free(ids);
	return found;
}

int llm_history_validate(const struct llm_history *h, size_t max_bytes, struct error *err)
{
	const char *duplicate = duplicate_id(h);
	size_t bytes = 0;

	if (h->count == 0)
		return error_set(err, ERROR_OURS, "the conversation holds no message");
	if (h->messages[0]->role != LLM_USER)
		return refuse(h, 0, err, "stands first, where a user message must stand");
	if (duplicate)
		return error_set(err, ERROR_OURS, "two calls of the conversation have the id %s", duplicate);
	for (size_t i = 0; i < h->count; i++) {
		if (check_message(h, i, err) != 0)
			return -1;
		if (h->messages[i]->role == LLM_ASSISTANT && check_results(h, i, err) != 0)
			return -1;
		if (h->messages[i]->role == LLM_TOOL && h->messages[i - 1]->role == LLM_USER)
			return refuse(h, i, err, "answers no call of the message before");
		bytes += llm_message_bytes(h->messages[i]);
	}
	if (h->messages[h->count - 1]->role == LLM_ASSISTANT)
		return refuse(h, h->count - 1, err, "stands last: there is nothing to answer");
	if (bytes > max_bytes)
		return error_set(
		    err, ERROR_OURS, "the conversation has %zu bytes, more than %zu", bytes, max_bytes);
	return 0;
}

/* A repair: messages move from the old list to the new one and are repaired on the way. */
struct repair {
	struct llm_message **old; /* entries that were moved or dropped are NULL */
	size_t old_count;
	struct llm_history *out;
	bool rename; /* some id occurs twice: compare ids with all earlier ones */
	size_t changes;
};

static void replace_text(struct repair *r, struct llm_message *m, const char *with)
{
	llm_message_set_text(m, xstrdup(with));
	r->changes++;
}

static void replace(struct repair *r, char **field, const char *with)
{
	free(*field);
	*field = xstrdup(with);
	r->changes++;
}

static void repair_utf8(struct repair *r, char **field)
{
	struct buf clean = BUF_INIT;

	if (text_is_valid(*field))
		return;
	utf8_sanitize(&clean, *field, strlen(*field));
	replace(r, field, clean.data);
	buf_clear(&clean);
}

static void repair_text(struct repair *r, struct llm_message *m)
{
	struct buf clean = BUF_INIT;

	if (llm_message_text_count(m)->is_utf8)
		return;
	utf8_sanitize(&clean, m->text, strlen(m->text));
	replace_text(r, m, clean.data);
	buf_clear(&clean);
}

static void repair_name(struct repair *r, char **name)
{
	char good[NAME_MAX_LEN + 1] = "unknown";
	size_t len = 0;

	if (name_is_good(*name))
		return;
	for (; (*name)[len] != '\0' && len < NAME_MAX_LEN; len++)
		good[len] = is_name_char((*name)[len]) ? (*name)[len] : '_';
	if (len > 0)
		good[len] = '\0';
	replace(r, name, good);
}

static void repair_contents(struct repair *r, struct llm_message *m)
{
	size_t before = r->changes;

	if (m->role != LLM_ASSISTANT && m->call_count > 0) {
		while (m->call_count > 0) {
			m->call_count--;
			free(m->calls[m->call_count].id);
			free(m->calls[m->call_count].name);
			free(m->calls[m->call_count].arguments);
		}
		r->changes++;
	}
	repair_text(r, m);
	repair_utf8(r, &m->call_id);
	for (size_t i = 0; i < m->call_count; i++) {
		if (!text_is_valid(m->calls[i].id)) {
			repair_utf8(r, &m->calls[i].id);
			r->rename = true;
		}
		repair_name(r, &m->calls[i].name);
		if (!arguments_are_good(m->calls[i].arguments)) {
			replace(r, &m->calls[i].arguments, "{}");
			m->calls[i].hash = 0;
		}
	}
	if (m->role != LLM_ASSISTANT && is_blank(m->text))
		replace_text(r, m, empty_texts[m->role]);
	m->differs |= r->changes != before;
	/* The provider's own message still has the state before the repair. */
	if (m->raw && (r->changes != before || !llm_message_raw_count(m)->is_utf8)) {
		llm_message_set_raw(m, NULL);
		r->changes++;
	}
}

static bool id_is_used(const struct repair *r, const struct llm_message *m, size_t calls, const char *id)
{
	for (size_t i = 0; i < r->out->count; i++)
		if (r->out->messages[i] != m && calls_include(r->out->messages[i], id))
			return true;
	for (size_t i = 0; i < calls; i++)
		if (strcmp(m->calls[i].id, id) == 0)
			return true;
	return false;
}

/* Gives the call, and its result, an id that no earlier call has. */
static void rename_call(struct repair *r, struct llm_message *m, size_t call, struct llm_message *result)
{
	char *base = xstrdup(*m->calls[call].id != '\0' ? m->calls[call].id : "call"), *id;

	for (unsigned n = 2;; n++) {
		id = xasprintf("%s_%u", base, n);
		if (!id_is_used(r, m, call, id))
			break;
		free(id);
	}
	replace(r, &m->calls[call].id, id);
	replace(r, &result->call_id, id);
	m->differs = result->differs = r->rename = true;
	llm_message_set_raw(m, NULL);
	free(id);
	free(base);
}

/* Returns the first call with this id that has no result yet, or call_count. */
static size_t open_call(const struct llm_message *m, struct llm_message *const *results, const char *id)
{
	size_t k = 0;

	while (k < m->call_count && (results[k] || strcmp(m->calls[k].id, id) != 0))
		k++;
	return k;
}

static struct llm_message *missing_result(const struct llm_message *m, size_t call)
{
	struct llm_message *result = llm_message_new(LLM_TOOL, "interrupted, outcome unknown");

	result->call_id = xstrdup(m->calls[call].id);
	result->is_error = true;
	result->turn = m->turn;
	result->created_ms = m->created_ms;
	return result;
}

/* Collects the results of m, the message at, up to the next assistant message, even if other messages
 * precede them. */
static void gather_results(struct repair *r, size_t at, struct llm_message *m)
{
	struct llm_message **results = xcalloc(m->call_count, sizeof(*results)), *next;
	bool apart = false;
	size_t call;

	for (size_t i = at + 1; i < r->old_count && (!r->old[i] || r->old[i]->role != LLM_ASSISTANT); i++) {
		next = r->old[i];
		if (!next || next->role != LLM_TOOL) {
			apart = true;
			continue;
		}
		repair_utf8(r, &next->call_id);
		call = open_call(m, results, call_id(next));
		if (call == m->call_count)
			continue;
		repair_contents(r, next);
		results[call] = next;
		llm_history_add(r->out, next);
		r->old[i] = NULL;
		r->changes += apart;
	}
	for (size_t i = 0; i < m->call_count; i++) {
		if (!results[i]) {
			results[i] = missing_result(m, i);
			llm_history_add(r->out, results[i]);
			r->changes++;
		}
		if (*m->calls[i].id == '\0' || (r->rename && id_is_used(r, m, i, m->calls[i].id)))
			rename_call(r, m, i, results[i]);
	}
	free(results);
}

static void repair_message(struct repair *r, size_t at)
{
	struct llm_message *m = r->old[at];

	r->old[at] = NULL;
	if (!m)
		return;
	repair_contents(r, m);
	if (m->role == LLM_TOOL || (m->role == LLM_ASSISTANT && m->call_count == 0 && is_blank(m->text)) ||
	    (m->role == LLM_ASSISTANT && r->out->count == 0)) {
		llm_message_free(m);
		r->changes++;
		return;
	}
	llm_history_add(r->out, m);
	if (m->call_count > 0)
		gather_results(r, at, m);
}

static bool has_user(const struct llm_history *h)
{
	for (size_t i = 0; i < h->count; i++)
		if (h->messages[i]->role == LLM_USER)
			return true;
	return false;
}

size_t llm_history_repair(struct llm_history *h)
{
	struct llm_history out;
	struct repair r = {.old = h->messages, .old_count = h->count, .out = &out};

	if (!has_user(h))
		return 0;
	r.rename = duplicate_id(h);
	llm_history_init(&out);
	for (size_t i = 0; i < h->count; i++)
		repair_message(&r, i);
	while (out.messages[out.count - 1]->role == LLM_ASSISTANT) {
		llm_message_free(out.messages[--out.count]);
		r.changes++;
	}
	free(h->messages);
	*h = out;
	return r.changes;
}
