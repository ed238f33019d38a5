/*
 * Requests to the scripted model, a line each: "METHOD PATH|HEADER: VALUE|{body}". Each answer has the form
 * of its provider, whole or as a stream, and an error is one with a sentence. Of a transcription, the members
 * of the body are the fields of its form. Between requests, "fault {…}", "settings {…}" and "script {…}"
 * change the model.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "fuzz/request.h"
#include "fuzz/fuzz.h"
#include "playground/model/api.h"
#include "playground/playground.h"

#define WALL_MS   1700000000000
#define LINES_MAX 8
#define FORMS     "/v1/audio/transcriptions"
/* What the script says unless the input brings one. */
static const char first_script[] =
    "{\"chunk_ms\":5,\"rules\":[{\"when\":\"^use ([a-z_]+) (.*)\",\"steps\":[{\"calls\":[{\"name\":\"f\","
    "\"arguments\":{\"a\":\"{{1}}\",\"b\":[\"{{2}}\"]}}]},{\"text\":\"{{result}}\"}]},{\"when\":\"^tell "
    "(.*)\",\"steps\":[{\"thinking\":\"hm {{1}}\",\"text\":\"{{1|user}} {{story "
    "300}}\"}]},{\"when\":\"obey\","
    "\"steps\":[{\"text\":\"nothing\",\"obey\":true}]}],\"else\":{\"steps\":[{\"text\":\"{{user}} {{images}} "
    "{{result}} {{count}} {{steps}}\"}]}}";

struct stage {
	struct playground pg;
	struct model *model;
	struct offered_tools tools;
};

static void serve(struct task *t, struct server_request *req, void *arg)
{
	struct stage *s = arg;

	if (ollama_serves(server_path(req)))
		ollama_serve(s->model, req);
	else
		model_serve(t, s->model, req);
}

static bool is(struct json_object *o, const char *member, const char *value)
{
	const char *text = json_get_str(o, member);

	return text && strcmp(text, value) == 0;
}

static struct json_object *first(struct json_object *list)
{
	return json_count(list) > 0 ? json_at(list, 0) : NULL;
}

/* Of a list of parts, the one of that type. */
static struct json_object *find(struct json_object *list, const char *type)
{
	json_each(list, item)
		if (is(item, "type", type))
			return item;
	return NULL;
}

/* What the formats differ in. whole and piece return the text in an answer and in an event of a stream, NULL
 * for none. */

static const char *chat_whole(struct json_object *o)
{
	struct json_object *choice = first(json_get_array(o, "choices")),
			   *message = json_get_object(choice, "message"),
			   *calls = json_get_array(message, "tool_calls");

	HOLDS(is(o, "object", "chat.completion") && is(message, "role", "assistant"));
	HOLDS(json_get_str(choice, "finish_reason") && json_get_str(o, "model"));
	HOLDS(json_get_str(message, "content") || json_count(calls) > 0 || !json_get(message, "content"));
	json_each(calls, call) {
		struct json_object *function = json_get_object(call, "function");

		HOLDS(json_get_str(call, "id") && json_get_str(function, "name"));
		HOLDS(json_get_str(function, "arguments"));
	}
	return json_get_str(message, "content");
}

static const char *chat_piece(struct json_object *o)
{
	HOLDS(is(o, "object", "chat.completion.chunk") && json_get_array(o, "choices"));
	return json_get_str(json_get_object(first(json_get_array(o, "choices")), "delta"), "content");
}

static const char *messages_whole(struct json_object *o)
{
	struct json_object *content = json_get_array(o, "content");

	HOLDS(is(o, "type", "message") && is(o, "role", "assistant") && content);
	HOLDS(json_get_str(o, "stop_reason") && json_get_object(o, "usage"));
	json_each(content, block)
		HOLDS(!is(block, "type", "tool_use") || json_get_object(block, "input"));
	return json_get_str(find(content, "text"), "text");
}

static const char *messages_piece(struct json_object *o)
{
	HOLDS(json_get_str(o, "type"));
	return json_get_str(json_get_object(o, "delta"), "text");
}

static const char *responses_whole(struct json_object *o)
{
	struct json_object *output = json_get_array(o, "output");

	HOLDS(is(o, "object", "response") && json_get_str(o, "status") && output);
	return json_get_str(first(json_get_array(find(output, "message"), "content")), "text");
}

static const char *responses_piece(struct json_object *o)
{
	HOLDS(json_get_str(o, "type"));
	return is(o, "type", "response.output_text.delta") ? json_get_str(o, "delta") : NULL;
}

static const struct format {
	const char *method; /* of a record */
	const char *(*whole)(struct json_object *answer);
	const char *(*piece)(struct json_object *event);
	const char *ends[2]; /* how a stream may end */
} formats[] = {
    {"chat.completions", chat_whole, chat_piece, {"[DONE]", "[DONE]"}},
    {"messages", messages_whole, messages_piece, {"message_stop", "message_stop"}},
    {"responses", responses_whole, responses_piece, {"response.completed", "response.incomplete"}},
};

static void check_error(const struct record *r, struct json_object *o)
{
	struct json_object *error = json_get_object(o, "error");

	HOLDS(strcmp(r->method, "messages") != 0 || is(o, "type", "error"));
	HOLDS(json_get_str(error, "type") && json_get_str(error, "message"));
	if (r->refused) /* else the script says it */
		fuzz_hold_sentence(json_get_str(error, "message"));
}

/* Returns whether it is how a stream ends. */
static bool check_event(const struct format *f, const char *data, struct buf *said)
{
	struct json_object *o = strcmp(data, "[DONE]") != 0 ? fuzz_hold_json(data) : NULL;
	const char *piece = o ? f->piece(o) : NULL, *type = o ? json_get_str(o, "type") : data;
	bool over = type && (strcmp(type, f->ends[0]) == 0 || strcmp(type, f->ends[1]) == 0);

	buf_addstr(said, piece ? piece : "");
	json_object_put(o);
	return over;
}

static void check_stream(const struct format *f, const struct buf *body, struct buf *said)
{
	struct fuzz_input in = {body->data, body->data + body->len};
	bool over = false;

	while (in.at < in.end) {
		size_t len;
		char *line = fuzz_until(&in, '\n', &len);

		HOLDS(strlen(line) == len);
		if (strncmp(line, "data: ", 6) == 0) {
			HOLDS(!over);
			over = check_event(f, line + 6, said);
		}
		free(line);
	}
	HOLDS(over);
}

static int64_t tokens_max(struct json_object *request)
{
	static const char *const names[] = {"max_tokens", "max_completion_tokens", "max_output_tokens"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (json_get(request, names[i]))
			return json_get_int(request, names[i], 0);
	return INT64_MAX;
}

/* What it says is the script's text, as far as the tokens reach. */
static void check_said(const struct record *r, const char *said, size_t len)
{
	struct json_object *o = fuzz_hold_json(r->answer), *request = fuzz_hold_json(r->body);
	const char *text = json_get_str(o, "text");

	HOLDS(strlen(text) >= len && memcmp(text, said, len) == 0);
	HOLDS(strlen(text) == len || tokens_max(request) <= (int64_t)len / 4 + 1);
	json_object_put(request);
	json_object_put(o);
}

/* An answer of the model without a fault. */
static void check_good(const struct record *r, const struct fuzz_answer *a)
{
	struct buf said = BUF_INIT;
	struct json_object *o = NULL;

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		const struct format *f = &formats[i];

		if (strcmp(f->method, r->method) != 0)
			continue;
		if (strncmp(a->type, "text/event-stream", 17) == 0) {
			check_stream(f, &a->body, &said);
		} else {
			o = fuzz_hold_json(a->body.data);
			const char *text = f->whole(o);
			buf_addstr(&said, text ? text : "");
		}
		check_said(r, said.data, said.len);
	}
	json_object_put(o);
	buf_clear(&said);
}

static void check_log(const struct model *m)
{
	struct buf out = BUF_INIT;

	record_log_write(model_log(m), &out, 0, NULL);
	json_object_put(fuzz_hold_json(out.data));
	buf_clear(&out);
}

static void check_problems(const struct record *r)
{
	char *problems = xasprintf("[%s]", r->problems);
	struct json_object *list = fuzz_hold_json(problems);

	json_each(list, item)
		fuzz_hold_sentence(json_object_get_string(item));
	json_object_put(list);
	free(problems);
}

static void check_answer(struct model *m, const struct fuzz_answer *a)
{
	const struct record_log *log = model_log(m);
	const struct record *r = &log->ring[(log->first + log->count - 1) % RECORD_MAX];
	struct json_object *o;

	check_problems(r);
	if (r->fault || !a->whole)
		return;
	HOLDS(a->status == r->status);
	HOLDS(!r->refused || r->status >= 400);
	if (a->status == 200) {
		check_good(r, a);
	} else {
		o = fuzz_hold_json(a->body.data);
		check_error(r, o);
		json_object_put(o);
	}
}

static void add_form(struct buf *out, struct json_object *o)
{
	const char *name = json_get_str(o, "filename");

	json_object_object_foreach(o, key, value) {
		if (strcmp(key, "filename") == 0)
			continue;
		buf_addf(out, "--b\r\nContent-Disposition: form-data; name=\"%s\"", key);
		if (name && strcmp(key, "file") == 0)
			buf_addf(out, "; filename=\"%s\"", name);
		buf_addf(out, "\r\n\r\n%s\r\n", json_object_get_string(value));
	}
	buf_addstr(out, "--b--\r\n");
}

/* With the lists of tools that were offered before, it is the same request as without. */
static void check_tools(struct stage *s, const char *body)
{
	struct json_object *plain = json_parse_object(body, strlen(body), NULL),
			   *shared = offered_tools_parse(&s->tools, body, strlen(body), NULL);
	char *want = json_text(plain), *text = json_text(shared);

	HOLDS(strcmp(text, want) == 0 || json_get_str(plain, "tools"));
	json_object_put(plain);
	json_object_put(shared);
	free(want);
	free(text);
}

/* The request that a line says. */
static void build(struct buf *out, const char *line)
{
	const char *body = line + strcspn(line, "{[");
	char *head = xstrndup(line, (size_t)(body - line));
	struct json_object *o = strstr(head, FORMS) ? json_parse_object(body, strlen(body), NULL) : NULL;
	struct buf form = BUF_INIT, typed = BUF_INIT;

	if (o) {
		add_form(&form, o);
		buf_addf(&typed, "%s|Content-Type: multipart/form-data; boundary=b", head);
		fuzz_request_build(out, typed.data, form.data, form.len);
	} else {
		fuzz_request_build(out, head, body, strlen(body));
	}
	json_object_put(o);
	buf_clear(&form);
	buf_clear(&typed);
	free(head);
}

static void ask(struct stage *s, char *line)
{
	uint64_t before = model_log(s->model)->last_n;
	struct buf request = BUF_INIT;
	struct fuzz_answer a;

	build(&request, line);
	check_tools(s, line + strcspn(line, "{"));
	fuzz_request(&a, &request, serve, s);
	HOLDS(a.status == 0 || (a.status >= 200 && a.status < 600));
	if (model_log(s->model)->last_n > before && strncmp(line, "HEAD", 4) != 0)
		check_answer(s->model, &a);
	fuzz_answer_clear(&a);
	buf_clear(&request);
}

static void take_script(struct stage *s, const char *text)
{
	struct error err = {0};
	struct model *fresh = model_new(&s->pg, fuzz_file(0, text, strlen(text)), &err);

	if (!fresh) {
		fuzz_hold_sentence(err.text);
		return;
	}
	model_free(s->model);
	s->model = fresh;
}

static void order_fault(struct stage *s, struct json_object *o)
{
	struct error err = {0};
	struct buf out = BUF_INIT;
	enum fault_kind kind;

	json_set_str(o, "platform", "model");
	if (fault_add(&s->pg.faults, o, &kind, &err) < 0)
		fuzz_hold_sentence(err.text);
	buf_addch(&out, '{');
	faults_write(&s->pg.faults, &out);
	buf_addch(&out, '}');
	json_object_put(fuzz_hold_json(out.data));
	buf_clear(&out);
}

static void set(struct stage *s, struct json_object *o)
{
	struct error err = {0};

	if (model_set(s->model, o, &err) != 0)
		fuzz_hold_sentence(err.text);
}

static void play_line(struct stage *s, char *line)
{
	const char *json = line + strcspn(line, "{");
	struct json_object *o = json_parse_object(json, strlen(json), NULL);

	if (strncmp(line, "script ", 7) == 0)
		take_script(s, json);
	else if (o && strncmp(line, "fault ", 6) == 0)
		order_fault(s, o);
	else if (o && strncmp(line, "settings ", 9) == 0)
		set(s, o);
	else
		ask(s, line);
	json_object_put(o);
}

void fuzz_model_requests(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct stage s = {0};

	fuzz_quiet_log();
	clock_fake(WALL_MS, 1);
	task_cond_init(&s.pg.changed);
	list_init(&s.pg.exchanges);
	faults_init(&s.pg.faults);
	feed_init(&s.pg.feed);
	take_script(&s, first_script);
	for (size_t i = 0; i < LINES_MAX && in.at < in.end; i++) {
		size_t len;
		char *line = fuzz_until(&in, '\n', &len);

		play_line(&s, line);
		free(line);
	}
	HOLDS(list_is_empty(&s.pg.exchanges));
	check_log(s.model);
	model_free(s.model);
	offered_tools_clear(&s.tools);
	faults_drop(&s.pg.faults, 0, NULL, NULL);
	feed_clear(&s.pg.feed);
	task_cond_clear(&s.pg.changed);
}

FUZZ_PROGRAM(fuzz_model_requests)
