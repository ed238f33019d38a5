/*
 * What people and pages ask of the playground, a line each: "METHOD PATH|HEADER: VALUE|{body}". Each answer
 * is JSON, an error is one with a sentence, and at the end the playground tells of itself, and takes its own
 * state back.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "fuzz/request.h"
#include "fuzz/fuzz.h"
#include "playground/playground.h"

#define WALL_MS   1700000000000
#define LINES_MAX 16

static void check_answer(const struct fuzz_answer *a)
{
	struct json_object *o;

	HOLDS(a->status >= 200 && a->status < 600);
	if (!a->whole || strcmp(a->type, "application/json") != 0)
		return;
	o = fuzz_hold_json(a->body.data);
	HOLDS(json_object_is_type(o, json_type_object));
	if (a->status >= 400) {
		HOLDS(!json_get_bool(o, "ok", true));
		fuzz_hold_sentence(json_get_str(o, "error"));
	}
	json_object_put(o);
}

static void ask(struct playground *pg, const char *head, const char *body, struct fuzz_answer *a)
{
	struct buf request = BUF_INIT;

	fuzz_request_build(&request, head, body, strlen(body));
	fuzz_request(a, &request, playground_serve, pg);
	buf_clear(&request);
}

/* Worlds have sockets of their own, and events are sent to what has an address. */
static bool reaches_out(const char *head, const char *body)
{
	struct json_object *o = json_parse_object(body, strlen(body), NULL);
	char *plain = json_text(o);
	bool found = strstr(head, "/world") || strstr(plain, "http");

	json_object_put(o);
	free(plain);
	return found;
}

static void play_line(struct playground *pg, const char *line)
{
	const char *body = line + strcspn(line, "{");
	char *head = xstrndup(line, (size_t)(body - line));
	struct fuzz_answer a;

	if (strstr(head, " /control/") && !reaches_out(head, body)) {
		ask(pg, head, body, &a);
		check_answer(&a);
		fuzz_answer_clear(&a);
	}
	free(head);
}

static void check_takes_back(struct playground *pg, const struct fuzz_answer *snapshot)
{
	struct fuzz_answer a;

	ask(pg, "POST /control/snapshot", snapshot->body.data, &a);
	HOLDS(a.status == 200);
	fuzz_answer_clear(&a);
}

static void check_end(struct playground *pg)
{
	static const char *const heads[] = {"GET /control/chats", "GET /control/report",
	    "GET /control/report?format=junit", "GET /control/settings", "GET /control/snapshot"};
	struct fuzz_answer a;

	for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
		ask(pg, heads[i], "", &a);
		HOLDS(a.status == 200 && a.whole && utf8_valid(a.body.data, a.body.len));
		check_answer(&a);
		if (i + 1 == ARRAY_LEN(heads))
			check_takes_back(pg, &a);
		fuzz_answer_clear(&a);
	}
}

static void stop(struct task *t, void *pg)
{
	playground_stop(t, pg);
}

void fuzz_control(const uint8_t *data, size_t size)
{
	static const char script[] = "{\"else\":{\"steps\":[{\"text\":\"{{user}}\"}]}}";
	struct fuzz_input in = fuzz_open(data, size);
	struct playground *pg;

	fuzz_quiet_log();
	clock_fake(WALL_MS, 1);
	pg = playground_new(fuzz_file(0, script, strlen(script)), NULL, NULL);
	for (size_t i = 0; i < LINES_MAX && in.at < in.end; i++) {
		size_t len;
		char *line = fuzz_until(&in, '\n', &len);

		play_line(pg, line);
		free(line);
	}
	check_end(pg);
	task_run("playground stop", stop, pg);
	playground_free(pg);
}

FUZZ_PROGRAM(fuzz_control)
