/*
 * The gateway with all its channels, the simulated platforms and the model in one process, on one loop and
 * one clock that skips the time in which nothing happens. For hours people talk to it while its connections
 * end in every way that platforms know. In the end every message has been answered exactly once.
 * MYNA_HOURS: how many hours, in place of 6.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "config/gateway_config.h"
#include "crash/random.h"
#include "flow/flow.h"
#include "flow/time_skip.h"
#include "gateway/gateway.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "net/server/server.h"
#include "playground/playground.h"

#define MINUTE_MS     60000ULL
#define HOUR_MS       (60 * MINUTE_MS)
#define HOURS_DEFAULT 6
#define SEED          20261121
/* One message to each platform and one trouble on each in so long, on average. */
#define SAY_MS     (4 * MINUTE_MS)
#define TROUBLE_MS (6 * MINUTE_MS)
#define WHILE_MS   5000
/* Without troubles at the end. */
#define CALM_MS (20 * MINUTE_MS)
/* Is looked at when the clock skips. */
#define STEP_MS 10000
#define WALL_MS 1795262400000LL

static const char script[] = "{\"skip\":\"^(\\\\[[^]\\n]*\\\\]\\n(> "
			     "[^\\n]*\\n)*)+\",\"delay_ms\":400,\"chunk\":8,\"chunk_ms\":20,\"rules\":[{"
			     "\"when\":\"word ([a-z]+[0-9]+)\",\"steps\":[{\"text\":\"You said "
			     "{{1}}.\"}]}],\"else\":{\"steps\":[{\"text\":\"What?\"}]}}";

struct trouble {
	const char *deed; /* POST /control/DEED */
	const char *body;
};

struct land {
	const char *name;
	const char *chat, *user, *allow;
	const char *settings; /* of the channel; %s: the playground's address */
	const struct trouble *troubles;
	size_t trouble_count;
	/* Methods in the playground's records that tell of a new connection. */
	const char *opens[3];
};

/* action: of POST /control/socket, with more members. */
#define SOCKET(platform, action)                                                  \
	{                                                                         \
		"socket", "{\"platform\":\"" platform "\",\"action\":" action "}" \
	}
#define FAULT(platform, method, kind)                                                                  \
	{                                                                                              \
		"fault", "{\"platform\":\"" platform "\",\"method\":\"" method "\",\"kind\":" kind "}" \
	}

static const struct trouble telegram_troubles[] = {
    FAULT("telegram", "getUpdates", "\"close\""),
    FAULT("telegram", "getUpdates", "\"cut\",\"at_byte\":20"),
    FAULT("telegram", "getUpdates", "\"garbage\""),
    FAULT("telegram", "getUpdates", "\"retry_after\",\"seconds\":5"),
    FAULT("telegram", "getUpdates", "\"stall\",\"seconds\":100"),
    FAULT("telegram", "getUpdates", "\"status\",\"status\":502,\"count\":5"),
    FAULT("telegram", "sendMessage", "\"retry_after\",\"seconds\":3"),
};

static const struct trouble slack_troubles[] = {
    SOCKET("slack", "\"abort\""),
    SOCKET("slack", "\"close\""),
    SOCKET("slack", "\"refresh\""),
    SOCKET("slack", "\"silence\""),
    SOCKET("slack", "\"too_many_websockets\""),
    SOCKET("slack", "\"warning\""),
    SOCKET("slack", "\"warning\",\"next\":true"),
    SOCKET("slack", "\"close\",\"code\":1001"),
    FAULT("slack", "apps.connections.open", "\"status\",\"status\":503,\"count\":3"),
    FAULT("slack", "apps.connections.open", "\"retry_after\",\"seconds\":7"),
    FAULT("slack", "event", "\"cut\",\"at_byte\":1"),
    FAULT("slack", "event", "\"cut\",\"at_byte\":200"),
    FAULT("slack", "event", "\"garbage\""),
    FAULT("slack", "chat.postMessage", "\"retry_after\",\"seconds\":4"),
};

static const struct trouble discord_troubles[] = {
    SOCKET("discord", "\"abort\""),
    SOCKET("discord", "\"abort\",\"resumable\":false"),
    SOCKET("discord", "\"close\",\"code\":1001"),
    SOCKET("discord", "\"close\",\"code\":4000"),
    SOCKET("discord", "\"close\",\"code\":4007"),
    SOCKET("discord", "\"close\",\"code\":4009"),
    SOCKET("discord", "\"drop_acks\""),
    SOCKET("discord", "\"heartbeat\""),
    SOCKET("discord", "\"invalid_session\",\"resumable\":true"),
    SOCKET("discord", "\"invalid_session\""),
    SOCKET("discord", "\"reconnect\""),
    SOCKET("discord", "\"silence\""),
    FAULT("discord", "event", "\"cut\",\"at_byte\":1"),
    FAULT("discord", "event", "\"cut\",\"at_byte\":200"),
    FAULT("discord", "event", "\"garbage\""),
    FAULT("discord", "POST /channels/messages", "\"retry_after\",\"seconds\":3"),
};

static const struct land lands[] = {
    {
	.name = "discord",
	.chat = "77",
	.user = "77",
	.allow = "77",
	.settings = "token = \"MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.hoursTestTokenOfTheHoursTest0123456\"; "
		    "api_base = \"%s/discord/api/v10\";",
	.troubles = discord_troubles,
	.trouble_count = ARRAY_LEN(discord_troubles),
	.opens = {"gateway%20IDENTIFY", "gateway%20RESUME"},
    },
    {
	.name = "slack",
	.chat = "D0ANN00001",
	.user = "U0ANN00001",
	.allow = "U0ANN00001",
	.settings =
	    "bot_token = \"xoxb-1-2-hours\"; app_token = \"xapp-1-A1-2-hours\"; api_base = \"%s/slack/api\";",
	.troubles = slack_troubles,
	.trouble_count = ARRAY_LEN(slack_troubles),
	.opens = {"apps.connections.open"},
    },
    {
	.name = "telegram",
	.chat = "77",
	.user = "77",
	.allow = "77",
	.settings =
	    "token = \"4242424242:AAEflowTestTokenOfTheFlowTests0123456\"; api_base = \"%s/telegram\";",
	.troubles = telegram_troubles,
	.trouble_count = ARRAY_LEN(telegram_troubles),
    },
};

static struct hours {
	char dir[64], url[64];
	struct playground *pg;
	struct server *server;
	uint64_t random;
	uint64_t began_ms, length_ms;
	struct tally {
		size_t said, troubles, missed, doubled;
		char chat[32];
	} lands[ARRAY_LEN(lands)];
} h;

/* Inside a task no assertion of cmocka's may fail: it would jump out of the task's stack. */
#define must(condition, ...)                      \
	do {                                      \
		if (!(condition)) {               \
			printf("# " __VA_ARGS__); \
			printf("\n");             \
			fflush(stdout);           \
			_exit(1);                 \
		}                                 \
	} while (0)

/* The answer of the playground's control, NULL when it refuses; put it. */
static struct json_object *control(struct task *t, const char *method, const char *path, const char *body)
{
	char *url = xasprintf("%s/control/%s", h.url, path);
	const struct http_header type = {"Content-Type", "application/json"};
	struct http_request req = {.method = method, .url = url, .headers = &type, .fresh = true};
	struct http_response res;
	struct json_object *o = NULL;
	struct error err = {0};

	req.header_count = body != NULL;
	req.body = body;
	req.body_len = body ? strlen(body) : 0;
	req.max_body = 64 * 1024 * 1024;
	must(http_perform(t, &req, &res, &err) == 0, "%s: %s", path, err.text);
	if (res.status == 200)
		o = json_parse(res.body.data, res.body.len, NULL);
	http_response_clear(&res);
	free(url);
	return o;
}

static void say(struct task *t, size_t i)
{
	const struct land *land = &lands[i];
	char *body = xasprintf("{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"kind\":\"private\","
			       "\"text\":\"word %s%zu\"}",
	    land->name, land->chat, land->user, land->name, h.lands[i].said++);
	struct json_object *o = control(t, "POST", "say", body);

	must(o && json_get_str(o, "chat_id"), "%s cannot be said", body);
	str_copy(h.lands[i].chat, sizeof(h.lands[i].chat), json_get_str(o, "chat_id"));
	json_object_put(o);
	free(body);
}

/* One that finds nothing to disturb, no connection for example, is none. */
static void trouble(struct task *t, size_t i)
{
	const struct land *land = &lands[i];
	const struct trouble *tr = &land->troubles[random_below(&h.random, land->trouble_count)];
	struct json_object *o = control(t, "POST", tr->deed, tr->body);

	h.lands[i].troubles += o != NULL;
	json_object_put(o);
}

/* Around the mean, from nearly nothing to twice as much. */
static uint64_t soon(uint64_t mean_ms)
{
	return 1 + random_below(&h.random, 2 * mean_ms);
}

/* What happens next on each platform. */
struct plan {
	uint64_t say_due, trouble_due;
};

static void live(struct task *t, struct plan *plans, uint64_t end)
{
	while (clock_now() < end) {
		uint64_t next = end;

		for (size_t i = 0; i < ARRAY_LEN(lands); i++) {
			struct plan *p = &plans[i];

			if (clock_now() >= p->say_due) {
				say(t, i);
				p->say_due = clock_now() + soon(SAY_MS);
			}
			if (clock_now() >= p->trouble_due) {
				trouble(t, i);
				p->trouble_due = clock_now() + soon(TROUBLE_MS);
				/* As often as not somebody writes while it lasts. */
				if (random_below(&h.random, 2) == 0)
					p->say_due = clock_now() + soon(WHILE_MS);
			}
			next = p->say_due < next ? p->say_due : next;
			next = p->trouble_due < next ? p->trouble_due : next;
		}
		if (next > clock_now())
			task_sleep(t, next - clock_now(), NULL);
	}
}

static void judge(struct task *t, size_t i)
{
	const struct land *land = &lands[i];
	char *path = xasprintf("transcript?platform=%s&chat=%s", land->name, h.lands[i].chat);
	struct json_object *o = control(t, "GET", path, NULL);
	struct json_object *messages = json_get_array(o, "messages");
	char word[64];

	must(messages, "%s has nothing", path);
	for (size_t k = 0; k < h.lands[i].said; k++) {
		snprintf(word, sizeof(word), "You said %s%zu.", land->name, k);
		size_t n = flow_count_said(messages, word);

		h.lands[i].missed += n == 0;
		h.lands[i].doubled += n > 1;
		if (n != 1)
			printf("# %s was said %zu times\n", word, n);
	}
	json_object_put(o);
	free(path);
}

static void count_opens(struct task *t, size_t i)
{
	for (size_t k = 0; k < ARRAY_LEN(lands[i].opens) && lands[i].opens[k]; k++) {
		char *path = xasprintf("requests?platform=%s&method=%s", lands[i].name, lands[i].opens[k]);
		struct json_object *o = control(t, "GET", path, NULL);

		printf("# %s: %s %zu\n", lands[i].name, lands[i].opens[k],
		    json_object_array_length(json_get_array(o, "requests")));
		json_object_put(o);
		free(path);
	}
}

/* Asks the gateway itself, as myna status does. */
static bool is_ready(struct task *t)
{
	char *path = xasprintf("%s/state/control.sock", h.dir);
	struct http_request req = {
	    .method = "GET", .url = "http://localhost/v1/status", .unix_socket = path, .fresh = true};
	struct http_response res;
	struct json_object *o = NULL;
	bool ready;

	if (http_perform(t, &req, &res, NULL) == 0 && res.status == 200)
		o = json_parse(res.body.data, res.body.len, NULL);
	ready = o && json_get_bool(o, "ready", false);
	json_object_put(o);
	http_response_clear(&res);
	free(path);
	return ready;
}

static void people(struct task *t, void *arg)
{
	struct plan plans[ARRAY_LEN(lands)];

	(void)arg;
	while (!is_ready(t)) {
		must(clock_now() < h.began_ms + HOUR_MS, "the gateway was not ready within an hour");
		task_sleep(t, 1000, NULL);
	}
	for (size_t i = 0; i < ARRAY_LEN(lands); i++)
		plans[i] =
		    (struct plan){.say_due = clock_now(), .trouble_due = clock_now() + soon(TROUBLE_MS)};
	live(t, plans, clock_now() + h.length_ms);
	for (size_t i = 0; i < ARRAY_LEN(lands); i++)
		plans[i].trouble_due = UINT64_MAX;
	live(t, plans, clock_now() + CALM_MS / 2);
	task_sleep(t, CALM_MS / 2, NULL);
	for (size_t i = 0; i < ARRAY_LEN(lands); i++) {
		judge(t, i);
		count_opens(t, i);
	}
	kill(getpid(), SIGTERM);
}

static void write_file(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", h.dir, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, 0600), 0);
	free(path);
}

static void write_config(void)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "state = \"%s/state\";\nlog_level = \"%s\";\nchannels: {\n", h.dir,
	    getenv("MYNA_HOURS_LOG") ? "debug" : "error");
	for (size_t i = 0; i < ARRAY_LEN(lands); i++) {
		buf_addf(&b, "%s: { type = \"%s\"; allow = [\"%s\"]; ", lands[i].name, lands[i].name,
		    lands[i].allow);
		buf_addf(&b, lands[i].settings, h.url, h.url);
		buf_addstr(&b, " };\n");
	}
	buf_addf(&b,
	    "};\nllm: { default = \"script\"; providers: { script: { api = \"openai-chat\"; base_url = "
	    "\"%s/v1\"; key = \"a-key-for-tests\"; model = \"scripted\"; }; }; };\n",
	    h.url);
	write_file("myna.conf", b.data);
	buf_clear(&b);
}

/* In containers it may be small, and others use it too. */
static bool shm_is_roomy(void)
{
	struct statvfs v;

	return statvfs("/dev/shm", &v) == 0 && (uint64_t)v.f_bavail * v.f_frsize >= (uint64_t)256 << 20;
}

static void begin(void)
{
	struct server_options options = {
	    .listen = "127.0.0.1:0", .max_body = 64 * 1024 * 1024, .max_requests = 1000};
	struct error err = {0};
	char *path;

	str_copy(h.dir, sizeof(h.dir), "/dev/shm/myna-hours-XXXXXX");
	if (!shm_is_roomy() || !mkdtemp(h.dir)) {
		str_copy(h.dir, sizeof(h.dir), "/tmp/myna-hours-XXXXXX");
		assert_non_null(mkdtemp(h.dir));
	}
	write_file("script.json", script);
	path = xasprintf("%s/script.json", h.dir);
	h.pg = playground_new(path, NULL, &err);
	if (!h.pg)
		fail_msg("%s", err.text);
	options.handler = playground_serve;
	options.arg = h.pg;
	h.server = server_new(&options, &err);
	if (!h.server)
		fail_msg("%s", err.text);
	snprintf(h.url, sizeof(h.url), "http://127.0.0.1:%u", server_port(h.server));
	write_config();
	free(path);
}

static void end_server(struct task *t, void *arg)
{
	server_free(t, arg);
}

static void run_gateway(void)
{
	char *path = xasprintf("%s/myna.conf", h.dir);
	struct gateway_config gc;
	struct buf report = BUF_INIT;
	struct error err = {0};

	if (gateway_config_load(&gc, path, &report) != 0)
		fail_msg("%s", report.data);
	log_setup((enum log_level)gc.top.log_level, LOG_FORMAT_TEXT);
	task_start(NULL, "people", people, NULL);
	if (gateway_run(&gc, &err) != 0)
		fail_msg("%s", err.text);
	/* The limit of the stop, which is over. */
	alarm(0);
	gateway_config_clear(&gc);
	buf_clear(&report);
	free(path);
}

static void end(void)
{
	char *rm = xasprintf("rm -rf %s", h.dir);

	task_run("end of the playground", end_server, h.server);
	playground_free(h.pg);
	time_skip_stop();
	assert_int_equal(system(rm), 0);
	free(rm);
}

static void hours_of_disconnects_lose_nothing_and_double_nothing(void **state)
{
	const char *hours = getenv("MYNA_HOURS");
	time_t began = time(NULL);
	size_t wrong = 0;

	(void)state;
	h.length_ms = (hours ? strtoul(hours, NULL, 10) : HOURS_DEFAULT) * HOUR_MS;
	h.random = SEED;
	loop_init();
	time_skip_start(WALL_MS, SEED, STEP_MS);
	h.began_ms = clock_now();
	begin();
	run_gateway();
	end();
	for (size_t i = 0; i < ARRAY_LEN(lands); i++) {
		const struct tally *l = &h.lands[i];

		printf("# %s: %llu hours, %zu messages, %zu troubles, missed %zu, answered twice %zu\n",
		    lands[i].name, (unsigned long long)(h.length_ms / HOUR_MS), l->said, l->troubles,
		    l->missed, l->doubled);
		wrong += l->missed + l->doubled;
		assert_true(l->said > h.length_ms / SAY_MS / 2 && l->troubles > h.length_ms / TROUBLE_MS / 3);
	}
	printf("# took %ld s\n", (long)(time(NULL) - began));
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(hours_of_disconnects_lose_nothing_and_double_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
