#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/worker.h"
#include "store/search.h"
#include "tools/memory/memory.h"
#include "tools/memory/paragraph.h"
#include "tools/files/path_error.h"
#include "tools/tools_internal.h"

#define MATCHES_DEFAULT 10
#define BLANKS          " \t\r\n"

static const char *const scopes[] = {"chat", "person", "shared"};

struct search_job {
	struct worker_job job;
	struct memory memories[ARRAY_LEN(scopes)]; /* those to search have a path */
	char *query;
	size_t most;
	/* Results. */
	struct path_error why;
	struct json_object *matches; /* created on the worker thread, which alone uses it while it runs */
};

static void job_free(struct worker_job *job)
{
	struct search_job *s = (struct search_job *)job;

	for (size_t i = 0; i < ARRAY_LEN(scopes); i++)
		memory_clear(&s->memories[i]);
	json_object_put(s->matches);
	free(s->query);
	free(s);
}

static void add_match(struct json_object *matches, const char *text, size_t len, const char *origin,
    int64_t ms, const char *scope)
{
	struct json_object *o = json_object_new_object();
	char *copy = xstrndup(text, len), date[32] = "";
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm;

	if (ms > 0 && gmtime_r(&seconds, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	json_set_str(o, "text", copy);
	json_set_str(o, "origin", origin);
	json_set_str(o, "date", date);
	json_set_str(o, "scope", scope);
	json_object_array_add(matches, o);
	free(copy);
}

/* Does the paragraph contain each word of the query? */
static bool holds_all(const char *paragraph, size_t len, const char *query)
{
	struct buf folded = BUF_INIT;
	bool all = true;

	for (query += strspn(query, BLANKS); *query && all; query += strspn(query, BLANKS)) {
		size_t n = strcspn(query, BLANKS);
		buf_reset(&folded);
		paragraph_fold(&folded, query, n);
		all = paragraph_holds(paragraph, len, &folded);
		query += n;
	}
	buf_clear(&folded);
	return all;
}

static int search_one(struct search_job *s, size_t scope)
{
	const struct memory *m = &s->memories[scope];
	struct buf content = BUF_INIT;
	const char *text, *paragraph;
	size_t len;
	int rc = memory_load(m, &content, &s->why);

	text = content.data;
	while (rc > 0 && json_object_array_length(s->matches) < s->most &&
	    (paragraph = paragraph_next(&text, &len)))
		if (holds_all(paragraph, len, s->query))
			add_match(s->matches, paragraph, len, m->shown, memory_written_ms(m), scopes[scope]);
	buf_clear(&content);
	return rc < 0 ? -1 : 0;
}

static void job_run(struct worker_job *job)
{
	struct search_job *s = (struct search_job *)job;

	for (size_t i = 0; i < ARRAY_LEN(scopes); i++)
		if (s->memories[i].path && search_one(s, i) < 0)
			return;
}

/* Chooses the memories to search: the one that the call names, or all that it may read. Returns NULL, or the
 * failure. */
static struct json_object *choose(struct search_job *s, const struct tool_call *call, const char *scope)
{
	for (size_t i = 0; i < ARRAY_LEN(scopes); i++) {
		if (scope && strcmp(scope, scopes[i]) != 0)
			continue;
		struct json_object *o =
		    memory_find(&s->memories[i], call, "memory_search", scopes[i], MEMORY_READS);
		if (o && (scope || !s->memories[i].root))
			return o;
		if (o)
			memory_clear(&s->memories[i]);
		json_object_put(o);
	}
	return NULL;
}

/* Adds messages of this chat while there is room. Returns NULL, or the failure. */
static struct json_object *add_said(struct task *t, const struct tool_call *call, const struct search_job *s)
{
	size_t have = json_object_array_length(s->matches);
	struct store_search_hit *said;
	struct error err = {0};

	if (!call->store || !call->chat || have >= s->most)
		return NULL;
	int n = store_search(t, call->store, call->chat, s->query, call->turn, s->most - have, &said, &err);
	if (n < 0 && err.kind == ERROR_CANCELLED)
		return tool_failure("memory_search", "INTERRUPTED", "STOPPED",
		    "The turn was stopped while the memory was searched.");
	if (n < 0)
		return tool_failure("memory_search", "IO_ERROR", "READ_FAILED",
		    "What was said cannot be searched: %s", err.text);
	for (int i = 0; i < n; i++) {
		char where[ADDRESS_TEXT_MAX],
		    *origin = xasprintf("%s in %s", said[i].by_agent ? "said by you" : "said by a person",
			address_format(&said[i].where, where));
		add_match(s->matches, said[i].text, strlen(said[i].text), origin, said[i].sent_ms, "chat");
		free(origin);
	}
	store_search_free(said, (size_t)n);
	return NULL;
}

static struct json_object *result_of(const struct search_job *s)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "query", s->query);
	json_set(o, "matches", json_object_get(s->matches));
	json_set_int(o, "count", (int64_t)json_object_array_length(s->matches));
	return o;
}

static struct json_object *run(struct task *t, const struct tool_call *call, struct json_object *args)
{
	const char *query = json_get_str(args, "query"), *scope = json_get_str(args, "scope");
	struct error err = {0};

	if (query[strspn(query, BLANKS)] == '\0')
		return tool_failure("memory_search", "INVALID_ARGUMENT", "RANGE",
		    "query is blank. Give the words to look for.");
	struct search_job *s = xcalloc(1, sizeof(*s));
	s->job = (struct worker_job){.run = job_run, .free = job_free};
	s->query = xstrdup(query);
	s->most = (size_t)json_get_int(args, "limit", MATCHES_DEFAULT);
	s->matches = json_object_new_array();
	struct json_object *o = choose(s, call, scope);
	if (!o && tool_worker_await(t, call, &s->job, &err) < 0)
		return tool_failure("memory_search", "INTERRUPTED", "STOPPED",
		    "The turn was stopped while the memory was searched.");
	if (!o && s->why.code)
		o = tool_path_failure("memory_search", &s->why);
	if (!o && (!scope || strcmp(scope, "chat") == 0))
		o = add_said(t, call, s);
	if (!o)
		o = result_of(s);
	job_free(&s->job);
	return o;
}

const struct tool tool_memory_search = {
    .name = "memory_search",
    .flags = TOOL_DAEMON,
    .summary = "Search the memories and the messages of this chat, also those of ended conversations. A "
	       "match contains all the words and has text, origin, date and scope. "
	       "Returns: {query, matches, count}",
    .schema =
	"{\"type\":\"object\",\"properties\":{"
	"\"query\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":500,\"description\":\"Words to "
	"search for; case is ignored\"},"
	"\"scope\":{\"type\":\"string\",\"enum\":[\"chat\",\"person\",\"shared\"],\"description\":"
	"\"Only this chat's memory and messages, only the memory of the person who asks, or only the one "
	"that everybody shares (default: all of "
	"them)\"},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":50,\"description\":"
	"\"Maximum number of matches (default: 10)\"}},\"required\":[\"query\"]}",
    .errors = "ACCESS_DENIED, IO_ERROR, UNAVAILABLE",
    .run = run,
};
