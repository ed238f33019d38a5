/*
 * What a model costs the gateway, beside what nobody can do without.
 *   bench_models requests KIB RUNS	the body of a request for a history of so many KiB, and the same from
 * json-c objects bench_models streams MIB RUNS	reading a streamed answer, and the same bytes through the HTTP
 * client alone Figures are lines "NAME<TAB>NUMBER", medians of the runs.
 */
#include <json-c/json.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "bench/bench.h"
#include "llm/formats/anthropic/request.h"
#include "llm/formats/formats.h"
#include "llm/llm.h"
#include "llm/formats/openai/request.h"
#include "llm/formats/responses/request.h"
#include "net/http/http.h"
#include "net/loop.h"

#define PROSE                                                                                             \
	"The release goes out on Friday, once \"Ann\" has signed the tag:\nboth machines are green, and " \
	"the changelog names it. "
#define SYSTEM  "You are Myna."
#define MOST_MS 60000

/* --- Requests --- */

static void build_chat(struct buf *out, const struct llm_provider *p, const struct llm_request *req)
{
	openai_request(out, p, req, OPENAI_AS_IS);
}

static void build_messages(struct buf *out, const struct llm_provider *p, const struct llm_request *req)
{
	anthropic_request(out, p, req, false);
}

static void build_responses(struct buf *out, const struct llm_provider *p, const struct llm_request *req)
{
	responses_request(out, p, req, false, true);
}

/* Of one wire format: how it writes what a model thought, said and called (%1$s: prose, %2$zu: the call's
 * number), and one piece of a stream (%s). */
struct format {
	const char *name, *list, *said, *called;
	void (*build)(struct buf *out, const struct llm_provider *p, const struct llm_request *req);
	const char *api;
	const char *head, *piece, *tail;
};

static const struct format formats[] = {
    {
	.name = "chat",
	.list = "messages",
	.build = build_chat,
	.api = "openai-chat",
	.said = "{\"role\":\"assistant\",\"content\":%1$s}",
	.called = "{\"role\":\"assistant\",\"content\":%1$s,\"tool_calls\":[{\"id\":\"call_%2$zu\",\"type\":"
		  "\"function\",\"function\":{\"name\":\"read_file\",\"arguments\":\"{\\\"path\\\":\\\"notes/"
		  "%2$zu.txt\\\"}\"}}]}",
	.head = "",
	.piece = "data: "
		 "{\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1790000000,\"model\":\"m\","
		 "\"choices\":[{\"index\":0,\"delta\":{\"content\":%s},\"finish_reason\":null}]}\n\n",
	.tail = "data: "
		"{\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1790000000,\"model\":\"m\","
		"\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    },
    {
	.name = "messages",
	.list = "messages",
	.build = build_messages,
	.api = "anthropic",
	.said = "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":%1$s}]}",
	.called = "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":%1$s,"
		  "\"signature\":\"c2lnbmF0dXJl%2$zu\"},{\"type\":\"tool_use\",\"id\":\"call_%2$zu\","
		  "\"name\":\"read_file\",\"input\":{\"path\":\"notes/%2$zu.txt\"}}]}",
	.head = "event: message_start\ndata: "
		"{\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"type\":\"message\",\"role\":"
		"\"assistant\",\"model\":\"m\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,"
		"\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}\n\n"
		"event: content_block_start\ndata: "
		"{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":"
		"\"\"}}\n\n",
	.piece = "event: content_block_delta\ndata: "
		 "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":%"
		 "s}}\n\n",
	.tail =
	    "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
	    "event: message_delta\ndata: "
	    "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},"
	    "\"usage\":{\"output_tokens\":9}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
    },
    {
	.name = "responses",
	.list = "input",
	.build = build_responses,
	.api = "openai-responses",
	.said = "[{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\","
		"\"text\":%1$s,\"annotations\":[]}]}]",
	.called = "[{\"type\":\"reasoning\",\"id\":\"rs_%2$zu\",\"summary\":[],\"encrypted_content\":%1$s},{"
		  "\"type\":\"function_call\",\"call_id\":\"call_%2$zu\",\"name\":\"read_file\","
		  "\"arguments\":\"{\\\"path\\\":\\\"notes/%2$zu.txt\\\"}\"}]",
	.head = "event: response.created\ndata: "
		"{\"type\":\"response.created\",\"sequence_number\":0,\"response\":{\"id\":\"r1\",\"object\":"
		"\"response\",\"status\":\"in_progress\",\"output\":[]}}\n\n",
	.piece = "event: response.output_text.delta\ndata: "
		 "{\"type\":\"response.output_text.delta\",\"sequence_number\":1,\"item_id\":\"i1\",\"output_"
		 "index\":0,\"content_index\":0,\"delta\":%s}\n\n",
	.tail = "event: response.output_item.done\ndata: "
		"{\"type\":\"response.output_item.done\",\"sequence_number\":2,\"output_index\":0,\"item\":{"
		"\"type\":\"message\",\"id\":\"i1\",\"role\":\"assistant\",\"status\":\"completed\","
		"\"content\":[{\"type\":\"output_text\",\"text\":\"Done.\",\"annotations\":[]}]}}\n\n"
		"event: response.completed\ndata: "
		"{\"type\":\"response.completed\",\"sequence_number\":3,\"response\":{\"id\":\"r1\","
		"\"object\":\"response\",\"status\":\"completed\",\"output\":[],\"usage\":{\"input_tokens\":"
		"9,\"output_tokens\":9,\"total_tokens\":18}}}\n\n",
    },
};

/* A sentence so many times, as text and as JSON. */
static char *prose(size_t times)
{
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < times; i++)
		buf_addstr(&text, PROSE);
	return buf_take(&text);
}

static char *quoted(const char *text)
{
	struct buf out = BUF_INIT;

	json_quote(&out, text, strlen(text));
	return buf_take(&out);
}

static void add_user(struct llm_history *h, const char *text)
{
	llm_history_add(h, llm_message_new(LLM_USER, text));
}

static struct llm_message *add_assistant(
    struct llm_history *h, const char *text, const char *shape, size_t call)
{
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, text);
	char *json = quoted(text);

	m->provider = xstrdup("p");
	m->model = xstrdup("m");
	llm_message_set_raw(m, xasprintf(shape, json, call));
	free(json);
	llm_history_add(h, m);
	return m;
}

/* A question, a call, what a file holds, an answer: until it is as large. */
static void fill(struct llm_history *h, const struct format *f, size_t bytes)
{
	char *short_text = prose(1), *answer = prose(8), *file = prose(32), *arguments, *id;

	for (size_t total = 0, n = 0; total < bytes; n++) {
		add_user(h, short_text);
		struct llm_message *m = add_assistant(h, short_text, f->called, n);
		id = xasprintf("call_%zu", n);
		arguments = xasprintf("{\"path\":\"notes/%zu.txt\"}", n);
		llm_message_add_call(m, id, "read_file", arguments);
		struct llm_message *result = llm_message_new(LLM_TOOL, file);
		result->call_id = id;
		llm_history_add(h, result);
		add_assistant(h, answer, f->said, n);
		free(arguments);
		total += 4 * strlen(short_text) + strlen(file) + strlen(answer);
	}
	add_user(h, short_text);
	free(short_text);
	free(answer);
	free(file);
}

/* The same body as who keeps json-c objects would build it: what a model said is parsed, the rest made, all
 * written. */
static size_t build_objects(
    const struct llm_history *h, struct json_object *body, const char *list, struct json_object **made)
{
	struct json_object *root = json_object_new_object(), *all = json_object_new_array();
	struct json_object *given = json_get_array(body, list);
	size_t at = 0, len;

	json_object_object_foreach(body, key, value)
		json_object_object_add(root, key, strcmp(key, list) == 0 ? all : json_object_get(value));
	if (json_object_array_length(given) > 0 &&
	    json_get_str(json_object_array_get_idx(given, 0), "role") &&
	    strcmp(json_get_str(json_object_array_get_idx(given, 0), "role"), "system") == 0)
		json_object_array_add(all, json_object_get(json_object_array_get_idx(given, at++)));
	for (size_t i = 0; i < h->count; i++) {
		struct json_object *o = NULL;

		if (h->messages[i]->role == LLM_ASSISTANT) {
			o = json_tokener_parse(h->messages[i]->raw);
			if (!json_object_is_type(o, json_type_array)) {
				json_object_array_add(all, o);
				at++;
				continue;
			}
			for (size_t k = 0; k < json_object_array_length(o); k++, at++)
				json_object_array_add(all, json_object_get(json_object_array_get_idx(o, k)));
			json_object_put(o);
		} else if (json_object_deep_copy(json_object_array_get_idx(given, at++), &o, NULL) == 0) {
			json_object_array_add(all, o);
		}
	}
	json_object_to_json_string_length(
	    root, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len);
	*made = root;
	return len;
}

/* The CPU time of one body, which has no memory at first. */
static double time_build(
    const struct format *f, const struct llm_provider *p, const struct llm_request *req, size_t *len)
{
	struct buf body = BUF_INIT;
	double began = bench_cpu_ms(getpid());

	f->build(&body, p, req);
	double took = bench_cpu_ms(getpid()) - began;
	if (len)
		*len = body.len;
	buf_clear(&body);
	return took;
}

/* The body as a tree. The history was written down twice then, as it was before the third step of a turn. */
static struct json_object *read_body(
    const struct format *f, const struct llm_provider *p, const struct llm_request *req)
{
	struct buf body = BUF_INIT;
	struct json_object *parsed;

	time_build(f, p, req, NULL);
	f->build(&body, p, req);
	parsed = json_parse(body.data, body.len, NULL);
	if (!parsed)
		bench_die("%s: the body is no JSON", f->name);
	buf_clear(&body);
	return parsed;
}

/* The first body of a turn, which loads the history anew. */
static double time_first(const struct format *f, const struct llm_provider *p, const struct llm_history *h)
{
	struct llm_history loaded;

	llm_history_init(&loaded);
	for (size_t i = 0; i < h->count; i++)
		llm_history_add(&loaded, llm_message_copy(h->messages[i]));
	double took = time_build(f, p, &(struct llm_request){.system = SYSTEM, .history = &loaded}, NULL);
	llm_history_clear(&loaded);
	return took;
}

/* What is made is looked at only when the time was taken. */
static double time_objects(const struct format *f, const struct llm_history *h, struct json_object *parsed)
{
	struct json_object *made = NULL;
	double began = bench_cpu_ms(getpid());

	build_objects(h, parsed, f->list, &made);
	double took = bench_cpu_ms(getpid()) - began;
	if (!json_object_equal(parsed, made))
		bench_die("%s: the two bodies are not the same", f->name);
	json_object_put(made);
	return took;
}

static void measure_request(const struct format *f, size_t bytes, size_t runs)
{
	struct bench_options o = {.name = f->name};
	char model[] = "m", name[] = "p", url[] = "http://127.0.0.1:1/v1";
	struct llm_provider p = {.name = name,
	    .ops = llm_format_find(f->api),
	    .settings = {.base_url = url, .model = model, .max_tokens = 4096}};
	struct llm_history h;
	struct llm_request req = {.system = SYSTEM, .history = &h};
	struct samples first = {0}, splice = {0}, objects = {0};
	size_t len = 0;

	llm_history_init(&h);
	fill(&h, f, bytes);
	struct json_object *parsed = read_body(f, &p, &req);
	/* In turn, so that noise meets all; the second time of each, so that none pays for what the one
	 * before left behind. */
	for (size_t i = 0; i < runs; i++) {
		time_first(f, &p, &h);
		samples_add(&first, time_first(f, &p, &h));
		time_build(f, &p, &req, NULL);
		samples_add(&splice, time_build(f, &p, &req, &len));
		time_objects(f, &h, parsed);
		samples_add(&objects, time_objects(f, &h, parsed));
	}
	bench_figure(&o, (double)len / 1024, "request_kib");
	bench_figure(&o, samples_at(&first, 0.5), "request_first");
	bench_figure(&o, samples_at(&splice, 0.5), "request_splice");
	bench_figure(&o, samples_at(&objects, 0.5), "request_objects");
	bench_figure(&o, samples_at(&objects, 0.5) / samples_at(&splice, 0.5), "request_ratio");
	json_object_put(parsed);
	samples_clear(&splice);
	samples_clear(&objects);
	samples_clear(&first);
	llm_history_clear(&h);
}

/* --- Streams --- */

struct stream {
	const struct format *format;
	size_t mib, runs;
	struct buf body;
	char base[64], url[96];
	pid_t server;
};

/* In a process of its own: answers each connection with the body, and closes it. */
static void serve(int listener, const struct buf *body)
{
	char request[65536];

	for (;;) {
		int fd = accept(listener, NULL, NULL);

		if (read(fd, request, sizeof(request)) > 0)
			for (size_t at = 0; at < body->len;) {
				ssize_t n = write(fd, body->data + at, body->len - at);
				if (n <= 0)
					break;
				at += (size_t)n;
			}
		close(fd);
	}
}

static void stream_prepare(struct stream *s)
{
	char *text = quoted("Both machines are green. "), *piece = xasprintf(s->format->piece, text);
	unsigned port;
	int listener = bench_listen(&port);

	buf_init(&s->body);
	buf_addstr(
	    &s->body, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
	buf_addstr(&s->body, s->format->head);
	while (s->body.len < s->mib << 20)
		buf_addstr(&s->body, piece);
	buf_addstr(&s->body, s->format->tail);
	snprintf(s->base, sizeof(s->base), "http://127.0.0.1:%u/v1", port);
	snprintf(s->url, sizeof(s->url), "%s/alone", s->base);
	s->server = fork();
	if (s->server == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		serve(listener, &s->body);
	}
	close(listener);
	free(text);
	free(piece);
}

static int pass_over(const char *data, size_t len, void *arg)
{
	(void)data;
	*(size_t *)arg += len;
	return 0;
}

static void read_alone(struct task *t, struct stream *s)
{
	size_t got = 0;
	struct http_request req = {
	    .method = "POST",
	    .url = s->url,
	    .label = "bench",
	    .body = "{}",
	    .body_len = 2,
	    .connect_ms = MOST_MS,
	    .idle_ms = MOST_MS,
	    .max_body = (s->mib + 1) << 20,
	    .on_data = pass_over,
	    .arg = &got,
	};
	struct http_response res;
	struct error err = {0};

	if (http_perform(t, &req, &res, &err) != 0 || got < s->mib << 20)
		bench_die("the stream was not read: %s", err.text);
	http_response_clear(&res);
}

static void count_text(void *arg, const char *piece, size_t len)
{
	(void)piece;
	*(size_t *)arg += len;
}

static void read_answer(struct task *t, struct stream *s)
{
	char model[] = "m", name[] = "p";
	struct llm_provider p = {.name = name,
	    .ops = llm_format_find(s->format->api),
	    .settings = {.base_url = s->base, .model = model, .max_tokens = 4096, .idle_ms = MOST_MS}};
	struct llm_history h;
	size_t got = 0;
	struct llm_request req = {.system = SYSTEM, .history = &h};
	struct llm_sink sink = {.text = count_text, .arg = &got};
	struct llm_answer answer = {0};
	struct error err = {0};

	llm_history_init(&h);
	add_user(&h, "Are they green?");
	if (p.ops->complete(t, &p, &req, &sink, &answer, &err) != 0 || got == 0)
		bench_die("%s: the answer was not read: %s", s->format->name, err.text);
	llm_answer_clear(&answer);
	llm_history_clear(&h);
}

static double median_cpu(struct task *t, struct stream *s, void (*read_all)(struct task *t, struct stream *s))
{
	struct samples ms = {0};

	for (size_t i = 0; i < s->runs; i++) {
		double before = bench_cpu_ms(getpid());
		read_all(t, s);
		samples_add(&ms, (bench_cpu_ms(getpid()) - before) / (double)s->mib);
	}
	double median = samples_at(&ms, 0.5);
	samples_clear(&ms);
	return median;
}

static void measure_stream(struct task *t, void *arg)
{
	struct stream *s = arg;
	struct bench_options o = {.name = s->format->name};
	double alone, answer;

	read_alone(t, s);
	alone = median_cpu(t, s, read_alone);
	answer = median_cpu(t, s, read_answer);
	bench_figure(&o, answer, "stream_cpu");
	bench_figure(&o, alone, "stream_alone_cpu");
}

int main(int argc, char **argv)
{
	size_t size = argc == 4 ? strtoul(argv[2], NULL, 10) : 0,
	       runs = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;

	if (size == 0 || runs == 0 || (strcmp(argv[1], "requests") != 0 && strcmp(argv[1], "streams") != 0))
		bench_die("usage: bench_models requests KIB RUNS | bench_models streams MIB RUNS");
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		if (strcmp(argv[1], "requests") == 0) {
			measure_request(&formats[i], size << 10, runs);
			continue;
		}
		struct stream s = {.format = &formats[i], .mib = size, .runs = runs};
		stream_prepare(&s);
		loop_init();
		task_run("bench", measure_stream, &s);
		http_finish();
		loop_finish();
		kill(s.server, SIGTERM);
		waitpid(s.server, NULL, 0);
		buf_clear(&s.body);
	}
	return 0;
}
