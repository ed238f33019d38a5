#include "tools/web/fake_web.h"

#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "net/fake_dns.h"
#include "net/web/web.h"

static struct fake_web world;
/* What the engine answers, and with which status. */
static const char *said;
static int status;

static const char found[] =
    "{\"results\":["
    "{\"title\":\"Tokio <b>runtime</b> &amp; more\",\"url\":\"https://docs.rs/tokio\",\"content\":\"A "
    "&quot;runtime&quot; where a < b\"},{\"title\":\"Tokio on "
    "GitHub\",\"url\":\"https://github.com/"
    "tokio-rs\",\"content\":\"code\"},{\"title\":\"Again\",\"url\":\"https://docs.rs/"
    "tokio\",\"content\":\"twice\"},"
    "{\"title\":\"Reddit\",\"url\":\"https://old.reddit.com/r/rust\",\"content\":\"talk\"},{\"title\":\"Not "
    "docs\",\"url\":\"https://evildocs.rs/\",\"content\":\"x\"},"
    "{\"title\":\"No link\",\"content\":\"x\"},"
    "{\"title\":\"Overflow\",\"url\":\"https://stackoverflow.com/q/"
    "1\",\"content\":\"q\"},{\"title\":\"Last\",\"url\":\"http://last.example.com/\"}]}";

static void answer(struct buf *out, const char *request, void *arg)
{
	(void)request, (void)arg;
	if (status == 0)
		return;
	buf_addf(out, "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
	    status, strlen(said), said);
}

static void open_engine(const char *settings, const char *web)
{
	fake_web_open(&world, answer, settings, web);
}

#define SEARXNG "search: { api = \"searxng\"; url = \"https://api.example.com/\"; };"

static int begin(void **state)
{
	(void)state;
	said = found;
	status = 200;
	open_engine(SEARXNG, "");
	return 0;
}

static int end(void **state)
{
	(void)state;
	fake_web_clear(&world);
	secret_forget_all();
	return 0;
}

static void nothing(void) {}

/* The URLs of the results, a line each: the caller's to free(). */
static char *urls_of(const char *arguments)
{
	struct json_object *o = tools_fixture_run_each(&world.w, "web_search", arguments, nothing);
	struct json_object *results = json_get_array(o, "results");
	struct buf urls = BUF_INIT;

	assert_null(json_get(o, "error_code"));
	assert_non_null(results);
	for (size_t i = 0; i < json_object_array_length(results); i++)
		buf_addf(&urls, "%s\n", json_get_str(json_object_array_get_idx(results, i), "url"));
	json_object_put(o);
	return buf_take(&urls);
}

static void assert_urls(const char *arguments, const char *want)
{
	char *urls = urls_of(arguments);

	assert_string_equal(urls, want);
	free(urls);
}

static void results_have_title_url_and_snippet(void **state)
{
	struct json_object *o = tools_fixture_run(
	    &world.w, "web_search", "{\"query\":\"rust async programming tutorial\",\"num_results\":1}");
	char *last = web_host_last(world.tls);

	(void)state;
	assert_json(o,
	    "{\"query\":\"rust async programming tutorial\",\"results\":[{\"title\":\"Tokio runtime & "
	    "more\",\"url\":\"https://docs.rs/tokio\",\"snippet\":\"A \\\"runtime\\\" where a < b\"}]}");
	assert_int_equal(
	    strncmp(last, "GET /search?q=rust%20async%20programming%20tutorial&format=json HTTP/", 68), 0);
	free(last);
	json_object_put(o);
}

static void no_more_come_than_are_wanted_and_none_twice(void **state)
{
	(void)state;
	assert_urls("{\"query\":\"tokio runtime tutorial\",\"num_results\":3}",
	    "https://docs.rs/tokio\nhttps://github.com/tokio-rs\nhttps://old.reddit.com/r/rust\n");
	assert_urls("{\"query\":\"rust async programming tutorial\"}",
	    "https://docs.rs/tokio\nhttps://github.com/tokio-rs\nhttps://old.reddit.com/r/rust\nhttps://"
	    "evildocs.rs/\n"
	    "https://stackoverflow.com/q/1\n");
	struct json_object *o =
	    tools_fixture_run(&world.w, "web_search", "{\"query\":\"x\",\"num_results\":50}");
	assert_int(json_get_object(o, "clamped"), "num_results", 20);
	json_object_put(o);
	tools_fixture_refused(
	    &world.w, "web_search", "{\"query\":\"x\",\"num_results\":0}", "INVALID_ARGUMENT", "RANGE");
}

static void hosts_are_kept_to_and_kept_out(void **state)
{
	(void)state;
	assert_urls("{\"query\":\"tokio runtime\",\"allowed_domains\":[\"docs.rs\",\"github.com\"]}",
	    "https://docs.rs/tokio\nhttps://github.com/tokio-rs\n");
	char *last = web_host_last(world.tls);
	assert_holds(last, "tokio%20runtime%20%28site%3Adocs.rs%20OR%20site%3Agithub.com%29");
	free(last);
	assert_urls(
	    "{\"query\":\"rust error handling\",\"blocked_domains\":[\"reddit.com\",\"stackoverflow.com\"]}",
	    "https://docs.rs/tokio\nhttps://github.com/tokio-rs\nhttps://evildocs.rs/\nhttp://"
	    "last.example.com/\n");
	assert_urls("{\"query\":\"x\",\"allowed_domains\":[\"example.com\",\"docs.rs\"],\"blocked_domains\":["
		    "\"docs.rs\"]}",
	    "http://last.example.com/\n");
	assert_urls(
	    "{\"query\":\"x\",\"allowed_domains\":[\"https://DOCS.rs/tokio\"]}", "https://docs.rs/tokio\n");
	assert_urls(
	    "{\"query\":\"x\",\"allowed_domains\":[],\"blocked_domains\":[\"*.rs\"],\"num_results\":1}",
	    "https://github.com/tokio-rs\n");
}

static void nothing_found_is_an_empty_list(void **state)
{
	(void)state;
	said = "{\"results\":[]}";
	struct json_object *o =
	    tools_fixture_run_each(&world.w, "web_search", "{\"query\":\"xyzzy123nonexistent\"}", nothing);
	assert_json(o, "{\"query\":\"xyzzy123nonexistent\",\"results\":[]}");
	json_object_put(o);
}

static void without_an_engine_it_says_what_to_set(void **state)
{
	(void)state;
	fake_web_clear(&world);
	open_engine("", "");
	struct json_object *o = tools_fixture_run_each(
	    &world.w, "web_search", "{\"query\":\"tokio runtime tutorial\",\"num_results\":3}", nothing);
	assert_str(o, "error", "web search not configured");
	assert_str(o, "query", "tokio runtime tutorial");
	assert_holds(json_get_str(o, "message"), "tools.search");
	assert_int_equal(json_object_object_length(o), 3);
	json_object_put(o);
}

static void what_goes_wrong_is_said(void **state)
{
	static const struct {
		int status;
		const char *said, *code, *cause;
	} rows[] = {
	    {500, "", "IO_ERROR", "PROTOCOL"},
	    {401, "", "IO_ERROR", "PROTOCOL"},
	    {302, "", "IO_ERROR", "PROTOCOL"},
	    {429, "", "LIMIT_REACHED", "RATE"},
	    {200, "<html>", "IO_ERROR", "PROTOCOL"},
	    {200, "{}", "IO_ERROR", "PROTOCOL"},
	    {200, "{\"results\":5}", "IO_ERROR", "PROTOCOL"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		status = rows[i].status;
		said = rows[i].said;
		struct json_object *o = tools_fixture_run(&world.w, "web_search", "{\"query\":\"x\"}");
		assert_failure(o, rows[i].code, rows[i].cause);
		assert_begins(o, "error", "Search failed: ");
		json_object_put(o);
	}
	fake_dns_set(NULL, EAI_NONAME, false);
	web_finish();
	tools_fixture_refused(&world.w, "web_search", "{\"query\":\"x\"}", "IO_ERROR", "RESOLVE");
	tools_fixture_refused(&world.w, "web_search", "{\"query\":\"\"}", "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(&world.w, "web_search", "{}", "INVALID_ARGUMENT", "MISSING");
}

static void an_answer_of_more_values_than_fit_is_not_read(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	buf_addstr(&text, "{\"results\":[],\"x\":[{}");
	for (int i = 0; i < JSON_CONTAINERS_MAX; i++)
		buf_addstr(&text, ",{}");
	buf_addstr(&text, "]}");
	said = text.data;
	tools_fixture_refused(&world.w, "web_search", "{\"query\":\"x\"}", "IO_ERROR", "PROTOCOL");
	said = found;
	buf_clear(&text);
}

static void an_engine_that_does_not_answer_is_not_waited_for(void **state)
{
	(void)state;
	fake_web_clear(&world);
	open_engine(SEARXNG, "time_limit = \"300 ms\";");
	status = 0;
	struct json_object *o = tools_fixture_run(&world.w, "web_search", "{\"query\":\"x\"}");
	assert_failure(o, "TIMEOUT", NULL);
	assert_begins(o, "error", "Search failed: ");
	json_object_put(o);
}

static void brave_is_asked_in_its_own_way(void **state)
{
	(void)state;
	fake_web_clear(&world);
	open_engine("search: { api = \"brave\"; key = \"brave-key-123456\"; url = "
		    "\"https://api.example.com/res/v1/web/search\"; };",
	    "");
	said = "{\"web\":{\"results\":[{\"title\":\"<strong>T</strong>\",\"url\":\"https://docs.rs/"
	       "\",\"description\":\"d&#x27;s\"}]}}";
	struct json_object *o =
	    tools_fixture_run(&world.w, "web_search", "{\"query\":\"a&b\",\"num_results\":2}");
	char *last = web_host_last(world.tls);
	assert_json(o,
	    "{\"query\":\"a&b\",\"results\":[{\"title\":\"T\",\"url\":\"https://docs.rs/"
	    "\",\"snippet\":\"d's\"}]}");
	assert_holds(last, "GET /res/v1/web/search?q=a%26b&count=2 HTTP/");
	assert_holds(last, "X-Subscription-Token: brave-key-123456");
	free(last);
	json_object_put(o);
}

/* Half a minute of the processor when each is read to the end of the title. */
static void tags_without_an_end_take_no_time(void **state)
{
	struct buf text = BUF_INIT;
	clock_t began = clock();

	(void)state;
	buf_addstr(&text, "{\"results\":[{\"url\":\"https://docs.rs/\",\"title\":\"a<b>c</b>");
	while (text.len < 1800000)
		buf_addstr(&text, "<a ");
	buf_addstr(&text, "\"}]}");
	said = text.data;
	struct json_object *o =
	    tools_fixture_run(&world.w, "web_search", "{\"query\":\"a\",\"num_results\":1}");
	assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
	assert_int_equal(
	    strncmp(json_get_str(json_object_array_get_idx(json_get_array(o, "results"), 0), "title"),
		"ac<a <a ", 8),
	    0);
	json_object_put(o);
	buf_clear(&text);
}

static void any_endpoint_that_answers_json_will_do(void **state)
{
	(void)state;
	fake_web_clear(&world);
	open_engine("search: { api = \"json\"; key = \"geheim-123456\"; url = "
		    "\"https://api.example.com/s?n={count}&text={query}\"; results_path = \"data.items\"; "
		    "title_path = \"name\"; link_path = \"link.href\"; snippet_path = \"meta.text\"; };",
	    "");
	said = "{\"data\":{\"items\":[{\"name\":\"N\",\"link\":{\"href\":\"https://docs.rs/"
	       "\"},\"meta\":{\"text\":\"key geheim-123456\"}}]}}";
	struct json_object *o = tools_fixture_run(&world.w, "web_search", "{\"query\":\"a b\"}");
	char *last = web_host_last(world.tls);
	assert_json(o,
	    "{\"query\":\"a b\",\"results\":[{\"title\":\"N\",\"url\":\"https://docs.rs/\",\"snippet\":\"key "
	    "[redacted]\"}]}");
	assert_holds(last, "GET /s?n=5&text=a%20b HTTP/");
	assert_holds(last, "Authorization: Bearer geheim-123456");
	free(last);
	json_object_put(o);
}

/* The engine that is set may be anywhere; that opens nothing for web_fetch, nor another port. */
static void only_the_engine_itself_may_be_private(void **state)
{
	unsigned port = web_host_port(world.plain);
	char *settings = xasprintf("search: { api = \"searxng\"; url = \"http://127.0.0.1:%u\"; };", port);
	char *same = xasprintf("{\"url\":\"http://127.0.0.1:%u/\"}", port);

	(void)state;
	tools_fixture_clear(&world.w);
	tools_fixture_init(&world.w);
	tools_fixture_open(&world.w, "", settings, NULL);
	struct json_object *o = tools_fixture_run(&world.w, "web_search", "{\"query\":\"x\"}");
	assert_non_null(json_get_array(o, "results"));
	json_object_put(o);
	/* Although a connection to it is open. */
	tools_fixture_refused(&world.w, "web_fetch", same, "ACCESS_DENIED", "ADDRESS_REFUSED");
	assert_int_equal(web_host_strays(world.plain), 1);
	status = 302;
	o = tools_fixture_run(&world.w, "web_search", "{\"query\":\"x\"}");
	assert_failure(o, "IO_ERROR", "PROTOCOL");
	json_object_put(o);
	free(settings);
	free(same);
}

static void settings_that_cannot_work_are_refused(void **state)
{
	static const char *const wrong[] = {
	    "search: { api = \"searxng\"; };",
	    "search: { api = \"json\"; };",
	    "search: { api = \"brave\"; };",
	    "search: { api = \"json\"; url = \"https://x.example.com/\"; };",
	    "search: { api = \"searxng\"; url = \"ftp://x\"; };",
	    "search: { api = \"searxng\"; url = \"http://x.example.com\"; key = \"geheim-123456\"; };",
	    "search: { api = \"bing\"; };",
	    "web: { allow = [\"127.1\"]; };",
	    "web: { ports = [\"x\"]; };",
	    "web: { body_limit = \"6 MiB\"; };",
	    "search: { color = 1; };",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char *text = xasprintf("tools: { %s };", wrong[i]);
		struct config *cfg = config_parse("test.conf", text, NULL);
		struct targets targets = {0};
		struct tools *ts = tools_new(cfg, &targets);
		if (config_error_count(cfg) == 0)
			fail_msg("%s was taken", wrong[i]);
		tools_free(ts);
		config_free(cfg);
		free(text);
	}
}

/* Whoever checks the settings sees it. */
static void what_is_opened_is_warned_of(void **state)
{
	const char *text = "tools: { web: { allow = [\"10.0.0.0/8\"]; }; };";
	struct config *cfg = config_parse("test.conf", text, NULL);
	struct targets targets = {0};
	struct tools *ts = tools_new(cfg, &targets);
	struct buf warnings = BUF_INIT;

	(void)state;
	config_warnings(cfg, &warnings);
	assert_holds(warnings.data, "10.0.0.0/8, which is not public, can be reached with web_fetch.");
	buf_clear(&warnings);
	tools_free(ts);
	config_free(cfg);
}

#define T(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(results_have_title_url_and_snippet),
	    T(no_more_come_than_are_wanted_and_none_twice),
	    T(hosts_are_kept_to_and_kept_out),
	    T(nothing_found_is_an_empty_list),
	    T(without_an_engine_it_says_what_to_set),
	    T(what_goes_wrong_is_said),
	    T(an_answer_of_more_values_than_fit_is_not_read),
	    T(an_engine_that_does_not_answer_is_not_waited_for),
	    T(brave_is_asked_in_its_own_way),
	    T(tags_without_an_end_take_no_time),
	    T(any_endpoint_that_answers_json_will_do),
	    T(only_the_engine_itself_may_be_private),
	    cmocka_unit_test(settings_that_cannot_work_are_refused),
	    cmocka_unit_test(what_is_opened_is_warned_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
