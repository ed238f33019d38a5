/* The guard of the web client: nothing but public hosts is reached, however an address is written or come
 * by. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/loop.h"
#include "net/fake_dns.h"
#include "net/resolve.h"
#include "net/web/web.h"
#include "net/web/address.h"
#include "net/web/guard.h"
#include "net/web/web_host.h"

static struct web_host *host;
static struct web_guard guard;
static unsigned port;

/* /to?URL leads there, /again?N leads to itself N times; everything else is "reached". */
static void answer(struct buf *out, const char *request, void *arg)
{
	const char *to = strstr(request, "/to?"), *again = strstr(request, "/again?"),
		   *end = strchr(request, '\n');

	(void)arg;
	if (to && to < end)
		buf_addf(out, "HTTP/1.1 302 Found\r\nLocation: %.*s\r\nContent-Length: 0\r\n\r\n",
		    (int)(strstr(to, " HTTP/") - to - 4), to + 4);
	else if (again && again < end && again[7] != '0')
		buf_addf(out, "HTTP/1.1 302 Found\r\nLocation: /again?%d\r\nContent-Length: 0\r\n\r\n",
		    again[7] - '1');
	else
		web_host_say(out, "text/plain", "reached", 7);
}

struct fetch {
	struct web_request req;
	struct web_response res;
	struct error err;
	int rc;
};

static void fetch_task(struct task *t, void *arg)
{
	struct fetch *f = arg;

	f->rc = web_perform(t, &f->req, &f->res, &f->err);
}

static void fetch(struct fetch *f, const char *url)
{
	struct web_request req = {.method = "GET",
	    .url = url,
	    .total_ms = 20000,
	    .max_body = 1024,
	    .redirects = 5,
	    .guard = &guard};

	f->err = (struct error){0};
	f->req = f->req.url ? f->req : req;
	f->req.url = url;
	task_run("fetch", fetch_task, f);
}

/* It is not fetched, for one of the reasons of the guard. */
static void refused(const char *url)
{
	struct fetch f = {0};

	fetch(&f, url);
	/* Without IPv6 curl takes no such address at all. */
	bool fine = f.res.failure == WEB_REFUSED || f.res.failure == WEB_BAD_URL ||
	    (strchr(url, '[') && f.res.failure == WEB_NO_NAME);
	if (f.rc == 0 || !fine)
		fail_msg("%s: status %d, failure %d: %s", url, f.res.status, f.res.failure, f.err.text);
	web_response_clear(&f.res);
}

static const char *const loopback_hosts[] = {
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.0.0.3",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7F000001",
    "0x7f.1",
    "0x7f.0.0.1",
    "0x7f.0x0.0x0.0x1",
    "0177.0.0.1",
    "0177.1",
    "0177.0.0.01",
    "017700000001",
    "127.000.000.001",
    "127.0x1",
    "127.0.0.1.",
    "127.1.",
    "0",
    "0.0.0.0",
    "0x0",
    "00",
    "000.000.000.000",
    "0.1",
    "localhost",
    "LOCALHOST",
    "LocalHost",
    "localhost.",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "127.0.0.%31",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[0000::0001]",
    "[::ffff:127.0.0.1]",
    "[::FFFF:7F00:1]",
    "[0:0:0:0:0:ffff:7f00:0001]",
    "[::ffff:127.0.0.3]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::]",
    "[::0.0.0.0]",
    "[::ffff:0.0.0.0]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:7f00:0001::1]",
    "[::ffff:0:127.0.0.1]",
};

static const char *const other_hosts[] = {
    "10.0.0.1",
    "10.255.255.255",
    "0xa000001",
    "012.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "3232235521",
    "0300.0250.0.1",
    "192.168.1",
    "100.64.0.1",
    "100.127.255.255",
    "100.100.100.200",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0xA9.254.0251.254",
    "0251.0376.0251.0376",
    "169.254.43518",
    "169.16689662",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "4294967295",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::ffff:10.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b::10.0.0.1]",
    "[2002:a9fe:a9fe::]",
    "[2002:c0a8:1::1]",
    "[fd00:ec2::254]",
    "[fd20:ce::254]",
    "[fd00::1]",
    "[fc00::1]",
    "[fe80::1]",
    "[fe80::1%25lo]",
    "[fec0::1]",
    "[ff02::1]",
    "[ff05::2]",
    "[2001::1]",
    "[2001:0:7f00:1::]",
    "[2001:10::1]",
    "[2001:db8::1]",
    "[3fff::1]",
    "[100::1]",
    "[::a9fe:a9fe]",
};

/* Also what another program would take for an address, or another host. */
static const char *const forms[] = {
    "ftp://127.0.0.1:%u/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:%u/_x",
    "dict://127.0.0.1:%u/d",
    "ws://127.0.0.1:%u/",
    "unix:///tmp/x",
    "javascript:alert(1)",
    "//127.0.0.1:%u/",
    "/etc/passwd",
    "http://",
    "http:///",
    "",
    "http://user@127.0.0.1:%u/",
    "http://127.0.0.2:1@127.0.0.1:%u/",
    "http://user:pass@127.0.0.1:%u/",
    "http://127.0.0.1%%2f@127.0.0.2:%u/",
    "http://127.0.0.1\\@127.0.0.2:%u/",
    "http://127.0.0.2@127.0.0.1:%u/",
    "HTTP://127.0.0.1:%u/",
    "http://127.0.0.1:%u",
    "http://127.0.0.1:%u?x",
    "http://127.0.0.1:%u#127.0.0.2",
    "http:127.0.0.1:%u/",
    "http:/127.0.0.1:%u/",
    "http:////127.0.0.1:%u/",
    "http://127.0.0.1:22/",
    "http://127.0.0.2:22/",
    "http://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1:%u/",
    "http://\xe2\x91\xa0\xe2\x91\xa1\xe2\x91\xa6.0.0.1:%u/",
    "http://127\xe3\x80\x82"
    "0\xe3\x80\x82"
    "0\xe3\x80\x82"
    "1:%u/",
    "https://127.0.0.1:%u/",
    "http://127.0.0.1:0/",
    "http://[127.0.0.1]:%u/",
    "http://[::1:%u/",
    "http://[::ffff:127.0.0.1%%25lo]:%u/",
    "http://127.0.0.1\r\nHost: x/",
};

static size_t cases;

static void refused_host(const char *name)
{
	char *direct = xasprintf("http://%s:%u/x", name, port);
	char *redirect = xasprintf("http://" WEB_HOST_PUBLIC ":%u/to?%s", port, direct);

	refused(direct);
	refused(redirect);
	cases += 2;
	free(direct);
	free(redirect);
}

static void an_address_that_is_not_public_is_not_reached_however_it_is_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(loopback_hosts); i++)
		refused_host(loopback_hosts[i]);
	for (size_t i = 0; i < ARRAY_LEN(other_hosts); i++)
		refused_host(other_hosts[i]);
	assert_int_equal(web_host_strays(host), 0);
	assert_true(cases >= 200);
}

static void other_kinds_and_forms_of_urls_reach_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		char *url = xasprintf(forms[i], port);
		refused(url);
		free(url);
	}
	assert_int_equal(web_host_strays(host), 0);
}

static void a_redirect_leads_only_to_what_could_be_fetched_itself(void **state)
{
	static const char *const targets[] = {"ftp://127.0.0.1:%u/", "file:///etc/passwd",
	    "gopher://127.0.0.1:%u/", "//127.0.0.1:%u/", "http://user@127.0.0.2:%u/", "http://127.0.0.2:22/",
	    "https://127.0.0.1:%u/", "http:127.1:%u/",
	    "http://127.0.0.2:%u/to?http://127.0.0.2:%u/to?http://127.0.0.1:%u/", "\\\\127.0.0.1:%u\\",
	    "dict://127.0.0.1:%u/x"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(targets); i++) {
		char *target = xasprintf(targets[i], port, port, port);
		char *url = xasprintf("http://" WEB_HOST_PUBLIC ":%u/to?%s", port, target);
		struct fetch f = {0};
		fetch(&f, url);
		/* What is no URL for curl stays a path of the host that said it. */
		if (f.rc == 0)
			assert_non_null(strstr(f.res.url, "http://" WEB_HOST_PUBLIC));
		web_response_clear(&f.res);
		free(target);
		free(url);
	}
	assert_int_equal(web_host_strays(host), 0);
}

/* What this machine is called from outside is this machine, too. */
static void own_addresses_are_not_public(void **state)
{
	struct ifaddrs *all = NULL;
	char text[INET6_ADDRSTRLEN];

	(void)state;
	assert_int_equal(getifaddrs(&all), 0);
	for (struct ifaddrs *i = all; i; i = i->ifa_next) {
		if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET)
			continue;
		inet_ntop(AF_INET, &((struct sockaddr_in *)i->ifa_addr)->sin_addr, text, sizeof(text));
		assert_false(web_guard_permits_text(&guard, text, port, text));
		refused_host(text);
	}
	freeifaddrs(all);
	assert_int_equal(web_host_strays(host), 0);
}

static void a_name_is_judged_by_what_it_resolves_to(void **state)
{
	static const char *const answers[] = {"127.0.0.1", "127.0.0.3", "::1", "::ffff:127.0.0.1", "0.0.0.0",
	    "10.0.0.1", "169.254.169.254", "fd00:ec2::254", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1",
	    "fe80::1"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		const char *const one[] = {answers[i], NULL};
		char *url = xasprintf("http://host%zu.example.com:%u/", i, port);
		fake_dns_set(one, 0, false);
		refused(url);
		free(url);
	}
	assert_int_equal(web_host_strays(host), 0);
}

static void a_name_with_one_good_address_is_fetched_there_and_nowhere_else(void **state)
{
	static const char *const both[] = {"127.0.0.1", "10.0.0.1", WEB_HOST_PUBLIC, NULL};
	char *url = xasprintf("http://mixed.example.com:%u/", port);
	struct fetch f = {0};

	(void)state;
	fake_dns_set(both, 0, false);
	fetch(&f, url);
	assert_int_equal(f.rc, 0);
	assert_string_equal(f.res.body.data, "reached");
	assert_int_equal(web_host_strays(host), 0);
	web_response_clear(&f.res);
	free(url);
}

/* The first answer is fine; what comes later, for another request or another redirect, is not. */
static void a_name_that_moves_is_judged_again(void **state)
{
	static const char *const good[] = {WEB_HOST_PUBLIC, NULL}, *const bad[] = {"127.0.0.1", NULL};
	char *url = xasprintf("http://moves.example.com:%u/", port);
	struct fetch f = {0};

	(void)state;
	fake_dns_set(good, 0, false);
	fetch(&f, url);
	assert_int_equal(f.rc, 0);
	web_response_clear(&f.res);
	web_finish(); /* and with it curl's own memory of names and connections */
	fake_dns_set(bad, 0, false);
	refused(url);
	assert_int_equal(web_host_strays(host), 0);
	free(url);
}

static void a_connection_that_is_open_is_judged_before_it_is_used(void **state)
{
	struct web_guard wide = {0};
	char *allowed = xasprintf("127.0.0.1:%u", port), *url = xasprintf("http://127.0.0.1:%u/", port);
	struct fetch f = {
	    .req = {.method = "GET", .url = url, .total_ms = 20000, .max_body = 1024, .guard = &wide}};

	(void)state;
	assert_int_equal(web_guard_allow(&wide, allowed, NULL), 0);
	fetch(&f, url);
	assert_int_equal(f.rc, 0);
	web_response_clear(&f.res);
	fetch(&f, url);
	assert_int_equal(f.rc, 0);
	web_response_clear(&f.res);
	assert_int_equal(web_host_strays(host), 1); /* so it is one that is kept and used */
	refused(url);
	assert_int_equal(web_host_strays(host), 1);
	web_guard_clear(&wide);
	free(allowed);
	free(url);
}

static void an_environment_with_proxies_changes_nothing(void **state)
{
	static const char *const names[] = {
	    "http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"};
	char *proxy = xasprintf("http://" WEB_HOST_PUBLIC ":%u", port);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		setenv(names[i], proxy, 1);
	refused("http://169.254.169.254/latest/meta-data/");
	refused("http://10.0.0.1/");
	assert_int_equal(web_host_visits(host) + web_host_strays(host), 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		unsetenv(names[i]);
	free(proxy);
}

/* The same URLs by the client without a guard: they do lead here. */
struct control {
	const char *url;
	int rc;
};

static void control_task(struct task *t, void *arg)
{
	struct control *c = arg;
	struct http_request req = {.method = "GET", .url = c->url, .total_ms = 20000, .fresh = true};
	struct http_response res;

	c->rc = http_perform(t, &req, &res, NULL);
	http_response_clear(&res);
}

static void control_without_a_guard_they_are_reached(void **state)
{
	static const char *const local[] = {"127.0.0.1", NULL};
	size_t reached = 0;

	(void)state;
	fake_dns_set(local, 0, false);
	for (size_t i = 0; i < ARRAY_LEN(loopback_hosts); i++) {
		char *url = xasprintf("http://%s:%u/x", loopback_hosts[i], port);
		struct control c = {.url = url};
		/* There may be no IPv6 here. */
		if (loopback_hosts[i][0] != '[') {
			task_run("control", control_task, &c);
			reached += c.rc == 0;
		}
		free(url);
	}
	assert_true(reached >= 20);
	assert_true((size_t)web_host_strays(host) >= reached);
}

static void redirects_are_followed_five_times(void **state)
{
	char *fine = xasprintf("http://" WEB_HOST_PUBLIC ":%u/again?5", port);
	char *more = xasprintf("http://" WEB_HOST_PUBLIC ":%u/again?6", port);
	struct fetch f = {0};

	(void)state;
	fetch(&f, fine);
	assert_int_equal(f.rc, 0);
	assert_true(f.res.redirected);
	assert_non_null(strstr(f.res.url, "/again?0"));
	web_response_clear(&f.res);
	fetch(&f, more);
	assert_int_equal(f.rc, -1);
	assert_int_equal(f.res.failure, WEB_NO_HTTP);
	assert_non_null(strstr(f.err.text, "more than 5"));
	web_response_clear(&f.res);
	free(fine);
	free(more);
}

/* A POST with a key, to url: what arrives last. */
static char *post(const char *url)
{
	static const struct http_header key = {"X-Key", "geheim"};
	struct fetch f = {.req = {.method = "POST",
			      .url = url,
			      .headers = &key,
			      .header_count = 1,
			      .body = "tell",
			      .body_len = 4,
			      .total_ms = 20000,
			      .max_body = 1024,
			      .redirects = 5,
			      .guard = &guard}};

	fetch(&f, url);
	assert_int_equal(f.rc, 0);
	web_response_clear(&f.res);
	return web_host_last(host);
}

static void a_header_that_would_be_another_one_is_refused(void **state)
{
	static const struct http_header bad[] = {
	    {"", "x"}, {"A:B", "x"}, {"A;", "x"}, {"A B", "x"}, {"A\nB", "x"}, {"A", "x\r\nB: y"}};
	char *url = xasprintf("http://" WEB_HOST_PUBLIC ":%u/there", port);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct fetch f = {.req = {.method = "GET",
				      .url = url,
				      .headers = &bad[i],
				      .header_count = 1,
				      .total_ms = 20000,
				      .max_body = 1024,
				      .guard = &guard}};
		fetch(&f, url);
		assert_int_equal(f.rc, -1);
		assert_int_equal(f.res.failure, WEB_BAD_URL);
		assert_non_null(strstr(f.err.text, "would begin another one"));
		web_response_clear(&f.res);
	}
	free(url);
}

static void headers_stay_with_the_host_and_a_body_with_its_url(void **state)
{
	static const char *const good[] = {WEB_HOST_PUBLIC, NULL};
	char *same = xasprintf("http://" WEB_HOST_PUBLIC ":%u/to?/there", port);
	char *other =
	    xasprintf("http://" WEB_HOST_PUBLIC ":%u/to?http://other.example.com:%u/there", port, port);
	char *last = post(same);

	(void)state;
	fake_dns_set(good, 0, false);
	assert_non_null(strstr(last, "GET /there"));
	assert_non_null(strstr(last, "X-Key: geheim"));
	assert_null(strstr(last, "tell"));
	free(last);
	last = post(other);
	assert_non_null(strstr(last, "GET /there"));
	assert_null(strstr(last, "geheim"));
	assert_null(strstr(last, "tell"));
	free(last);
	free(same);
	free(other);
}

static void what_a_person_allows_is_reached_and_no_more(void **state)
{
	static const struct {
		const char *allow, *host, *address;
		unsigned port;
		bool taken;
	} rows[] = {
	    {"10.0.0.0/8", "x", "10.1.2.3", 80, true},
	    {"10.0.0.0/8", "x", "10.1.2.3", 443, true},
	    {"10.0.0.0/8", "x", "10.1.2.3", 8080, false},
	    {"10.0.0.0/8:8080", "x", "10.1.2.3", 8080, true},
	    {"10.0.0.0/8", "x", "11.1.2.3", 22, false},
	    {"10.0.0.0/8", "x", "192.168.1.1", 80, false},
	    {"10.0.0.0/8", "x", "::ffff:10.1.2.3", 80, true},
	    {"127.0.0.0/8", "x", "127.0.0.1", 80, false},
	    {"0.0.0.0/0", "x", "127.0.0.1", 80, false},
	    {"0.0.0.0/0", "x", "169.254.169.254", 80, false},
	    {"169.254.169.254", "x", "169.254.169.254", 80, false},
	    {"100.64.0.0/10", "x", "100.100.100.200", 80, false},
	    {"127.0.0.1:9", "x", "127.0.0.1", 9, true},
	    {"127.0.0.1:9", "x", "127.0.0.1", 80, false},
	    {"127.0.0.1:9", "x", "127.0.0.2", 9, false},
	    {"127.0.0.1:9", "x", "::1", 9, false},
	    {"[::1]:9", "x", "::1", 9, true},
	    {"::1", "x", "::1", 80, true},
	    {"fd00::/8", "x", "fd00::1", 443, true},
	    {"fd00::/8", "x", "fd00:ec2::254", 443, false},
	    {"wiki.lan", "wiki.lan", "10.0.0.1", 80, true},
	    {"wiki.lan", "WIKI.lan.", "127.0.0.1", 443, true},
	    {"wiki.lan", "wiki.lan", "169.254.169.254", 80, false},
	    {"wiki.lan", "x.wiki.lan", "10.0.0.1", 80, false},
	    {"wiki.lan:81", "wiki.lan", "10.0.0.1", 80, false},
	    {"wiki.lan:81", "wiki.lan", "10.0.0.1", 81, true},
	    {"wiki.lan", "x", "10.0.0.1", 80, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct web_guard g = {0};
		assert_int_equal(web_guard_allow(&g, rows[i].allow, NULL), 0);
		if (web_guard_permits_text(&g, rows[i].host, rows[i].port, rows[i].address) != rows[i].taken)
			fail_msg("row %zu: %s, %s at %s", i, rows[i].allow, rows[i].host, rows[i].address);
		web_guard_clear(&g);
	}
}

static void what_names_no_host_is_not_allowed(void **state)
{
	static const char *const wrong[] = {"", ":80", "127.1", "2130706433", "host:0", "host:70000",
	    "host:x", "10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/", "host/8", "::1/129", "[::1]:0", "a b",
	    "http://host", "*", "host:80:80", "10.0.0.0/8:0"};
	static const char *const no_ports[] = {"", "0", "65536", "x", "80-90", "-1", "999999"};
	struct web_guard g = {0};
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		if (web_guard_allow(&g, wrong[i], &err) == 0)
			fail_msg("%s was allowed", wrong[i]);
	for (size_t i = 0; i < ARRAY_LEN(no_ports); i++)
		assert_int_equal(web_guard_allow_port(&g, no_ports[i], &err), -1);
	assert_int_equal(g.count + g.port_count, 0);
}

static void public_addresses_are_taken(void **state)
{
	static const char *const fine[] = {"1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0",
	    "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255",
	    "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "223.255.255.255",
	    "2606:4700:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"};
	struct web_guard none = {0};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(fine); i++)
		if (!web_guard_permits_text(&none, "x", 443, fine[i]))
			fail_msg("%s is not taken", fine[i]);
	assert_false(web_guard_permits_text(&none, "x", 8080, "8.8.8.8"));
	assert_false(web_guard_permits_text(&none, "x", 443, "not an address"));
	assert_false(web_guard_permits_text(&none, "x", 443, "127.1"));
}

static int begin(void **state)
{
	static const char *const local[] = {"127.0.0.1", NULL};
	char *allowed;

	(void)state;
	loop_init();
	log_setup(LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	fake_dns_set(local, 0, false);
	host = web_host_new(false, answer, NULL);
	port = web_host_port(host);
	allowed = xasprintf("%u", port);
	web_guard_allow_port(&guard, allowed, NULL);
	free(allowed);
	allowed = xasprintf(WEB_HOST_PUBLIC ":%u", port);
	web_guard_allow(&guard, allowed, NULL);
	free(allowed);
	return 0;
}

static int end(void **state)
{
	(void)state;
	web_finish();
	http_finish();
	resolve_forget_all();
	loop_finish();
	web_host_free(host);
	web_guard_clear(&guard);
	return task_count() == 0 ? 0 : -1;
}

#define T(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(an_address_that_is_not_public_is_not_reached_however_it_is_written),
	    T(other_kinds_and_forms_of_urls_reach_nothing),
	    T(a_redirect_leads_only_to_what_could_be_fetched_itself),
	    T(own_addresses_are_not_public),
	    T(a_name_is_judged_by_what_it_resolves_to),
	    T(a_name_with_one_good_address_is_fetched_there_and_nowhere_else),
	    T(a_name_that_moves_is_judged_again),
	    T(a_connection_that_is_open_is_judged_before_it_is_used),
	    T(an_environment_with_proxies_changes_nothing),
	    T(control_without_a_guard_they_are_reached),
	    T(redirects_are_followed_five_times),
	    T(a_header_that_would_be_another_one_is_refused),
	    T(headers_stay_with_the_host_and_a_body_with_its_url),
	    cmocka_unit_test(what_a_person_allows_is_reached_and_no_more),
	    cmocka_unit_test(what_names_no_host_is_not_allowed),
	    cmocka_unit_test(public_addresses_are_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
