/*
 * Secrets stay where they belong: every secret of a gateway on three platforms is said, echoed, quoted, sent
 * as a name and as a file, and thrown back by platforms and models that fail; then all that was written and
 * sent is searched for it.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/security/leak.h"
#include "flow/security/wire.h"
#include "tests/lib/client.h"

static const char *const relays[] = {"telegram", "slack", "discord", "model", "fallback", "voice"};

/* A private chat with an admin on each platform. */
static const struct side {
	const char *platform, *chat, *user;
} sides[] = {
    {"telegram", "77", "77"},
    {"slack", "U0ANN", "U0ANN"},
    {"discord", "377", "377"},
};

static struct flow f;
static struct wire wire;
static unsigned said;

/* --- the stage */

static char *read_file(const char *name)
{
	char *path = xasprintf("%s/%s", f.dir, name), chunk[65536];
	struct buf b = BUF_INIT;
	FILE *in = fopen(path, "r");
	size_t n;

	while (in && (n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		buf_add(&b, chunk, n);
	if (in)
		fclose(in);
	free(path);
	return buf_take(&b);
}

static void write_file(const char *name, const char *text)
{
	char *path = xasprintf("%s/%s", f.dir, name);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
	chmod(path, 0600);
	free(path);
}

static void write_secret(const char *file, const char *canary)
{
	char *value = canary_value(canary);

	write_file(file, value);
	free(value);
}

/* As it stands in the configuration. */
static char *quoted(const char *canary)
{
	char *value = canary_value(canary);
	struct buf b = BUF_INIT;

	buf_addch(&b, '"');
	for (const char *p = value; *p; p++)
		buf_addf(&b, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
	buf_addch(&b, '"');
	free(value);
	return buf_take(&b);
}

/* A URL of the relay, under another scheme where one is given. */
static char *url(const char *scheme, const char *relay, const char *path)
{
	const char *at = wire_url(&wire, relay);

	return xasprintf("%s%s%s", scheme ? scheme : "http", strstr(at, "://"), path);
}

static void add_channels(struct buf *out, const char *scheme)
{
	char *telegram = url(scheme, "telegram", "/telegram"), *slack = url(scheme, "slack", "/slack/api");
	char *discord = url(scheme, "discord", "/discord/api/v10"), *bot = quoted("slack bot"),
	     *token = quoted("discord");

	buf_addf(out,
	    "channels: {\n"
	    "  telegram: { type = \"telegram\"; token = \"file:%s/keys/telegram\"; api_base = \"%s\"; "
	    "poll_timeout = \"1 s\";\n"
	    "    rate_private = 0; rate_global = 0; admins = [\"77\"]; allow = [\"78\"]; };\n"
	    "  slack: { type = \"slack\"; bot_token = %s; app_token = \"cred:slack\"; api_base = \"%s\";\n"
	    "    rate_chat = 0; rate_global = 0; admins = [\"U0ANN\"]; };\n"
	    "  discord: { type = \"discord\"; token = %s; api_base = \"%s\";\n"
	    "    rate_channel = 0; rate_global = 0; admins = [\"377\"]; };\n"
	    "};\n",
	    f.dir, telegram, bot, slack, token, discord);
	free(telegram);
	free(slack);
	free(discord);
	free(bot);
	free(token);
}

static void add_models(struct buf *out, const char *scheme)
{
	char *model = url(scheme, "model", "/v1"), *fallback = url(scheme, "fallback", "/v1"),
	     *voice = url(scheme, "voice", "/v1");
	char *key = quoted("model"), *second = quoted("fallback"), *third = quoted("voice");

	buf_addf(out,
	    "llm: { default = \"one\"; fallbacks = [\"two\"]; providers: {\n"
	    "  one: { api = \"openai-chat\"; base_url = \"%s\"; key = %s; model = \"scripted\"; };\n"
	    "  two: { api = \"openai-chat\"; base_url = \"%s\"; key = %s; model = \"scripted\"; }; };\n"
	    "  transcribe: { base_url = \"%s\"; key = %s; model = \"whisper-1\"; }; };\n",
	    model, key, fallback, second, voice, third);
	free(model);
	free(fallback);
	free(voice);
	free(key);
	free(second);
	free(third);
}

static void write_config(const char *scheme)
{
	struct buf out = BUF_INIT;

	buf_addf(&out,
	    "state = \"%s/state\"; log_level = \"debug\";\n"
	    "http: { listen = \"127.0.0.1:0\"; token = \"cred:http\"; };\n"
	    "targets: { all = [\"telegram:77\", \"slack:D0ANN\", \"discord:377\"]; };\n",
	    f.dir);
	add_channels(&out, scheme);
	add_models(&out, scheme);
	write_file("myna.conf", out.data);
	buf_clear(&out);
}

static int begin(void **state)
{
	char path[128];

	(void)state;
	flow_start(&f);
	snprintf(path, sizeof(path), "%s/keys", f.dir);
	mkdir(path, 0700);
	setenv("CREDENTIALS_DIRECTORY", path, 1);
	write_secret("keys/telegram", "telegram");
	write_secret("keys/slack", "slack app");
	write_secret("keys/http", "http");
	wire_start(&wire, f.dir, f.url, relays, ARRAY_LEN(relays));
	write_config(NULL);
	json_object_put(flow_control(&f, "settings",
	    "{\"telegram\":{\"limits\":false},\"slack\":{\"limits\":false},\"discord\":{\"limits\":false}}"));
	flow_gateway(&f, true);
	return 0;
}

static int end(void **state)
{
	(void)state;
	wire_stop(&wire);
	flow_stop(&f);
	return 0;
}

/* --- what is said */

/* Has the bot, or a person, a message with the text? */
static bool is_there(const struct side *s, bool bot, const char *text)
{
	struct json_object *o = flow_transcript(&f, s->platform, s->chat),
			   *all = json_get_array(o, "messages");
	bool found = false;

	for (size_t i = 0; all && i < json_object_array_length(all); i++) {
		struct json_object *m = json_object_array_get_idx(all, i);
		found |= json_get_bool(m, "bot", false) == bot && strstr(json_get_str(m, "text"), text);
	}
	json_object_put(o);
	return found;
}

static bool comes(const struct side *s, const char *text, uint64_t ms)
{
	for (uint64_t until = flow_now_ms() + ms; flow_now_ms() < until; usleep(30000))
		if (is_there(s, true, text))
			return true;
	return false;
}

static void await_text(const struct side *s, const char *text)
{
	if (!comes(s, text, FLOW_WAIT_MS)) {
		struct json_object *o = flow_transcript(&f, s->platform, s->chat);
		char *log = flow_log(&f);
		size_t len = strlen(log);
		fail_msg("nobody said \"%s\" on %s: %s\n%s", text, s->platform, json_object_to_json_string(o),
		    log + (len > 4000 ? len - 4000 : 0));
	}
}

/* Says the text; more: further members of the message, with a comma before. */
static void say_more(const struct side *s, const char *text, const char *more)
{
	struct buf json = BUF_INIT;

	json_quote(&json, text, strlen(text));
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"kind\":\"private\",\"text\":%s%s}",
	    s->platform, s->chat, s->user, json.data, more));
	buf_clear(&json);
}

/* Says the text behind a word that is used once, and waits until the bot says that word. */
static void say(const struct side *s, const char *text, const char *more)
{
	char *word = xasprintf("Nr%uo", ++said), *all = xasprintf("%s %s", word, text);

	say_more(s, all, more);
	await_text(s, word);
	free(word);
	free(all);
}

static void say_all_forms(void)
{
	for (enum leak_form form = LEAK_RAW; form < LEAK_FORMS; form++) {
		struct buf text = BUF_INIT;
		leak_say(&text, form);
		for (size_t i = 0; i < ARRAY_LEN(sides); i++)
			say(&sides[i], text.data, "");
		buf_clear(&text);
	}
}

/* Writes until the bot answers: what was wrong is over. */
static void await_recovery(const struct side *s)
{
	char *word = xasprintf("Nr%uo", ++said);
	bool answered = false;

	for (uint64_t until = flow_now_ms() + 2 * FLOW_WAIT_MS; !answered && flow_now_ms() < until;) {
		say_more(s, word, "");
		answered = comes(s, word, 5000);
	}
	if (!answered)
		fail_msg("%s does not recover", s->platform);
	free(word);
}

/* Secrets where a person gives a name: of a file, of its text, of a group. */
static void say_in_names(void)
{
	struct buf text = BUF_INIT, base64 = BUF_INIT;
	char *token = canary_value("slack bot");

	leak_say(&text, LEAK_RAW);
	base64_encode(&base64, text.data, text.len);
	char *files =
	    xasprintf(",\"files\":[{\"name\":\"%s-%s.txt\",\"kind\":\"document\",\"base64\":\"%s\"}]",
		leak_mark, token, base64.data);
	say(&sides[0], "look at this", files);
	/* Long enough to be cut in the middle of it. */
	char *title = xasprintf("%s and some more %s", leak_mark, token);
	json_object_put(flow_control(&f, "chat",
	    "{\"platform\":\"telegram\",\"chat\":\"-1001\",\"user\":\"77\",\"kind\":\"group\",\"title\":\"%"
	    "s\"}",
	    title));
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"-1001\",\"user\":\"77\",\"kind\":\"group\",\"text\":\"@"
	    "myna_bot Nr0o %s\"}",
	    title));
	await_text(&(struct side){"telegram", "-1001", "77"}, "Nr0o");
	free(files);
	free(title);
	free(token);
	buf_clear(&text);
	buf_clear(&base64);
}

/* What is answered is quoted to the model, and cut in the middle of a secret. */
static void quote(void)
{
	struct buf text = BUF_INIT, json = BUF_INIT;

	for (size_t i = 0; i < 440; i++)
		buf_addch(&text, 'x');
	leak_say(&text, LEAK_RAW);
	json_quote(&json, text.data, text.len);
	struct json_object *o = flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"kind\":\"private\",\"text\":%s}",
	    json.data);
	char *more = xasprintf(",\"reply_to\":\"%s\"", json_get_str(o, "message_id"));
	say(&sides[0], "and that?", more);
	json_object_put(o);
	free(more);
	buf_clear(&text);
	buf_clear(&json);
}

/* Its transcript is what stands in it. */
static void say_by_voice(void)
{
	struct buf base64 = BUF_INIT;
	char *key = canary_value("voice"), *words = xasprintf("OggSNr00o %s %s", leak_mark, key);

	base64_encode(&base64, words, strlen(words));
	char *files =
	    xasprintf(",\"files\":[{\"name\":\"a.ogg\",\"kind\":\"voice\",\"duration\":2,\"base64\":\"%s\"}]",
		base64.data);
	say_more(&sides[0], "", files);
	await_text(&sides[0], "Nr00o");
	free(key);
	free(words);
	free(files);
	buf_clear(&base64);
}

/* A file of the workspace with the secrets: the agent reads it, repeats it, and is asked to send it. */
static void use_a_file(void)
{
	struct buf text = BUF_INIT;

	leak_say(&text, LEAK_RAW);
	flow_put_file(&f, "telegram:77", "keys.txt", text.data, text.len);
	say_more(&sides[0], "read keys.txt", "");
	await_text(&sides[0], "keys.txt says");
	say_more(&sides[0], "send me the file keys.txt", "");
	await_text(&sides[0], "keys.txt: ");
	buf_clear(&text);
}

/* The next requests to the platform end like this. */
static void fault(const char *platform, const char *method, const char *kind, const char *more)
{
	json_object_put(flow_control(&f, "fault", "{\"platform\":\"%s\",\"method\":\"%s\",\"kind\":\"%s\"%s}",
	    platform, method, kind, more));
}

/* What failures say holds the secret that was used. */
static void fail_and_echo(void)
{
	static const struct {
		const char *platform, *method, *canary;
		int status;
	} echoes[] = {
	    {"telegram", "getUpdates", "telegram", 500},
	    {"telegram", "sendMessage", "telegram", 400},
	    {"slack", "chat.postMessage", "slack bot", 200},
	    {"slack", "apps.connections.open", "slack app", 500},
	    {"discord", "POST /channels/messages", "discord", 400},
	    {"model", "*", "model", 401},
	    {"model", "*", "model", 500},
	};

	for (size_t i = 0; i < ARRAY_LEN(echoes); i++) {
		char *value = canary_value(echoes[i].canary);
		struct buf json = BUF_INIT;
		char *words = xasprintf("%s %s", leak_mark, value);
		json_quote(&json, words, strlen(words));
		char *more = xasprintf(",\"status\":%d,\"text\":%s", echoes[i].status, json.data);
		fault(echoes[i].platform, echoes[i].method, "status", more);
		free(words);
		free(value);
		free(more);
		buf_clear(&json);
	}
}

static void fail_in_every_way(void)
{
	static const char *const kinds[] = {"cut", "garbage", "retry_after"};
	static const char *const targets[][2] = {{"telegram", "getUpdates"}, {"telegram", "sendMessage"},
	    {"slack", "chat.postMessage"}, {"slack", "apps.connections.open"},
	    {"discord", "POST /channels/messages"}, {"model", "*"}};

	fail_and_echo();
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		say_more(&sides[i], "what is 6*7", "");
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		for (size_t i = 0; i < ARRAY_LEN(targets); i++)
			fault(targets[i][0], targets[i][1], kinds[k], ",\"seconds\":1,\"at_byte\":60");
	json_object_put(flow_control(&f, "socket", "{\"platform\":\"slack\",\"action\":\"abort\"}"));
	json_object_put(flow_control(
	    &f, "socket", "{\"platform\":\"discord\",\"action\":\"abort\",\"resumable\":false}"));
	for (size_t i = 0; i < ARRAY_LEN(sides); i++)
		await_recovery(&sides[i]);
}

/* --- other ways in and out */

static void give_commands(void)
{
	static const char *const commands[] = {"/help", "/whoami", "/channels", "/sessions", "/tools",
	    "/models", "/log", "/doctor", "/usage", "/version", "/queue", "/role", "/reload", "/status"};
	char *token = canary_value("discord");

	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		say_more(&sides[i % ARRAY_LEN(sides)], commands[i], "");
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		char *text = xasprintf("/broadcast telegram:77 Nr%uo %s %s", ++said, leak_mark, token);
		char *word = xasprintf("Nr%uo", said);
		say_more(&sides[i], text, "");
		await_text(&sides[0], word);
		free(text);
		free(word);
	}
	free(token);
}

static void use_the_command_line(void)
{
	static const char *const lines[][3] = {{"status", NULL}, {"status", "--json"}, {"check", NULL},
	    {"check", "--probe"}, {"doctor", NULL}, {"tool", "list"}, {"settings", NULL}, {"dead", "list"},
	    {"trace", "telegram:77/1"}, {"trace", "1"}};
	struct buf text = BUF_INIT;

	leak_say(&text, LEAK_RAW);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		char *out;
		flow_myna(&f, &out, lines[i][0], lines[i][1], NULL);
		struct buf found = BUF_INIT;
		if (leak_find(lines[i][0], NULL, out, strlen(out), &found) > 0)
			fail_msg("%s", found.data);
		buf_clear(&found);
		free(out);
	}
	flow_myna(&f, NULL, "send", "telegram:77", text.data, NULL);
	flow_myna(&f, NULL, "chat", "--one", text.data, NULL);
	char *copy = xasprintf("%s/copy-of-the-database", f.dir);
	flow_myna(&f, NULL, "backup", copy, NULL);
	free(copy);
	buf_clear(&text);
}

static int http_port(void)
{
	static const char line[] = "listening on 127.0.0.1:0 port=";
	char *log, *at;

	flow_await_log(&f, line);
	log = flow_log(&f);
	for (char *next = at = strstr(log, line); next; next = strstr(next + 1, line))
		at = next;
	int port = (int)strtol(at + strlen(line), NULL, 10);
	free(log);
	return port;
}

static void use_http(void)
{
	char *token = canary_value("http"), *bearer = xasprintf("Authorization: Bearer %s", token);
	char *wrong = xasprintf("Authorization: Bearer x%s", token),
	     *to = xasprintf("http://127.0.0.1:%d/v1/messages", http_port());
	char *body =
	    xasprintf("{\"to\":[\"telegram:77\",\"%s\"],\"text\":\"%s %s\"}", token, leak_mark, token);
	char *good = xasprintf("{\"to\":[\"telegram:77\"],\"text\":\"%s %s\"}", leak_mark, token);
	const struct {
		const char *header, *body;
		int status;
	} calls[] = {{bearer, good, 200}, {bearer, body, 400}, {wrong, good, 401}};

	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		struct client_request req = {
		    .method = "POST", .url = to, .header = calls[i].header, .body = calls[i].body};
		struct client_reply reply;
		struct buf found = BUF_INIT;
		client_send(&req, &reply);
		assert_int_equal(reply.status, calls[i].status);
		if (leak_find("an answer over HTTP", NULL, reply.body, reply.len, &found) > 0)
			fail_msg("%s", found.data);
		buf_clear(&found);
		client_reply_clear(&reply);
	}
	free(token);
	free(bearer);
	free(wrong);
	free(to);
	free(body);
	free(good);
}

static void break_tls(void)
{
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	write_config("https");
	flow_gateway(&f, false);
	flow_myna(&f, NULL, "chat", "--one", "what is 6*7", NULL);
	flow_await_log(&f, "telegram");
	flow_gateway_end(&f, SIGTERM);
	write_config(NULL);
}

/* --- where it is looked for */

static void search_processes(struct buf *found)
{
	static const char *const names[] = {"cmdline", "environ"};
	char *command = xasprintf("ps -o pid= --ppid %d; echo %d", f.gateway, f.gateway), line[64];
	FILE *pids = popen(command, "r");

	assert_non_null(pids);
	while (fgets(line, sizeof(line), pids))
		for (size_t i = 0; i < ARRAY_LEN(names); i++) {
			char path[64], data[65536];
			snprintf(path, sizeof(path), "/proc/%ld/%s", strtol(line, NULL, 10), names[i]);
			int fd = open(path, O_RDONLY | O_CLOEXEC);
			ssize_t n = fd >= 0 ? read(fd, data, sizeof(data)) : 0;
			leak_find(path, NULL, data, n > 0 ? (size_t)n : 0, found);
			if (fd >= 0)
				close(fd);
		}
	pclose(pids);
	free(command);
}

static void search_wires(struct buf *found)
{
	for (size_t i = 0; i < wire.count; i++) {
		char *name = xasprintf("wire/%s", wire.names[i]), *path = xasprintf("%s/%s", f.dir, name);
		struct stat st;
		assert_int_equal(stat(path, &st), 0);
		char *data = read_file(name);
		assert_true(st.st_size > 0);
		leak_find(name, wire.names[i], data, (size_t)st.st_size, found);
		free(data);
		free(name);
		free(path);
	}
}

/* What people wrote is in what the platform answered. */
static void drop_answers(struct json_object *o)
{
	struct json_object *requests = json_get_array(o, "requests");

	for (size_t i = 0; i < json_object_array_length(requests); i++)
		json_object_object_del(json_object_array_get_idx(requests, i), "answer");
}

/* What bots wrote and models were asked. */
static void search_requests(struct buf *found)
{
	static const char *const paths[][2] = {{"/control/requests?platform=telegram", "telegram"},
	    {"/control/requests?platform=slack", "slack"}, {"/control/requests?platform=discord", "discord"},
	    {"/control/model", NULL}};

	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct json_object *o = flow_get(&f, paths[i][0]);
		drop_answers(o);
		const char *text = json_object_to_json_string(o);
		assert_true(leak_has_mark(text, strlen(text)));
		leak_find(paths[i][0], paths[i][1], text, strlen(text), found);
		json_object_put(o);
	}
}

static void search_chat(
    const char *platform, const char *chat, struct buf *found, size_t *bot, size_t *people)
{
	struct side s = {platform, chat, NULL};
	struct json_object *o = flow_transcript(&f, s.platform, s.chat), *all = json_get_array(o, "messages");

	for (size_t i = 0; all && i < json_object_array_length(all); i++) {
		struct json_object *m = json_object_array_get_idx(all, i);
		const char *text = json_object_to_json_string(m);
		struct buf theirs = BUF_INIT;
		if (json_get_bool(m, "bot", false)) {
			*bot += leak_has_mark(text, strlen(text));
			leak_find(platform, NULL, text, strlen(text), found);
		} else
			*people += leak_find(platform, NULL, text, strlen(text), &theirs) > 0;
		buf_clear(&theirs);
	}
	json_object_put(o);
}

static void search_chats(struct buf *found)
{
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		size_t bot = 0, people = 0;
		search_chat(sides[i].platform, sides[i].chat, found, &bot, &people);
		/* The same search finds what people wrote themselves. */
		assert_true(bot >= LEAK_FORMS && people >= LEAK_FORMS);
	}
}

static void search_files(struct buf *found)
{
	/* Secrets of ours, and the configuration with its last good copy; what people sent as a file, which
	 * is kept as it is; what the other side wrote. */
	static const char *const except[] = {"keys", "myna.conf", "config.good", "config.good.new", "wire",
	    "workspace", "playground.log", "playground.out", NULL};
	size_t marks = 0;

	leak_find_files(f.dir, except, found, &marks);
	/* The log, and the database or its WAL. */
	assert_true(marks >= 2);
}

static void expect_nothing(struct buf *found)
{
	if (found->len > 0) {
		fputs(found->data, stderr);
		fail_msg("secrets were found");
	}
	buf_clear(found);
}

static void nothing_that_is_written_or_sent_holds_a_secret(void **state)
{
	struct buf found = BUF_INIT;

	(void)state;
	say_all_forms();
	say_in_names();
	say_by_voice();
	quote();
	use_a_file();
	use_http();
	use_the_command_line();
	give_commands();
	fail_in_every_way();
	search_processes(&found);
	search_files(&found);
	break_tls();
	search_requests(&found);
	search_chats(&found);
	search_wires(&found);
	search_files(&found);
	expect_nothing(&found);
}

static void a_refused_token_is_not_told(void **state)
{
	struct buf found = BUF_INIT, conf = BUF_INIT;
	char *text = read_file("myna.conf");

	(void)state;
	flow_gateway_end(&f, SIGTERM);
	/* The playground refuses tokens that say so. */
	for (char *at = text; *at; at++)
		if (strncmp(at, "0123456\"; api_base", 18) == 0)
			buf_addstr(&conf, "revoked"), at += 6;
		else if (strncmp(at, "xoxb-1-2-", 9) == 0)
			buf_addstr(&conf, "xoxb-1-2-revoked-"), at += 8;
		else
			buf_addch(&conf, *at);
	write_file("myna.conf", conf.data);
	write_file("keys/telegram", "4242424242:AAErevokedKaNaRyTg7Q2xVb9LmZ4tWcRePu");
	flow_gateway(&f, false);
	flow_await_log(&f, "telegram: channel stopped");
	flow_await_log(&f, "slack: channel stopped");
	flow_await_log(&f, "discord: channel stopped");
	search_files(&found);
	char *out;
	flow_myna(&f, &out, "status", NULL);
	leak_find("status", NULL, out, strlen(out), &found);
	expect_nothing(&found);
	free(out);
	free(text);
	buf_clear(&conf);
}

static void mistakes_in_the_configuration_do_not_repeat_secrets(void **state)
{
	static const char *const wrong[] = {
	    "channels: { a: { type = \"telegram\"; tokn = %s; }; };",
	    "channels: { a: { type = \"telegram\"; token = [%s]; }; };",
	    "channels: { a: { type = \"slack\"; bot_token = %s; app_token = \"file:/nonexistent\"; }; };",
	    "channels: { a: { type = \"discord\"; token = %s }; nonsense; };",
	    "http: { listen = \"0:0\"; token = %s; tokens = %s; };",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		for (size_t c = 0; c < canary_count; c++) {
			char *value = quoted(canaries[c].name), *out;
			struct buf conf = BUF_INIT, found = BUF_INIT;
			const char *at = wrong[i];
			for (const char *next; (next = strstr(at, "%s")); at = next + 2) {
				buf_add(&conf, at, (size_t)(next - at));
				buf_addstr(&conf, value);
			}
			buf_addstr(&conf, at);
			write_file("myna.conf", conf.data);
			assert_int_not_equal(flow_myna(&f, &out, "check", NULL), 0);
			leak_find(wrong[i], NULL, out, strlen(out), &found);
			expect_nothing(&found);
			free(value);
			free(out);
			buf_clear(&conf);
		}
}

/* Ends it by a signal that writes a core file where one may be written. */
static bool dumps(pid_t pid)
{
	int status = 0;

	kill(pid, SIGABRT);
	flow_until(&f, waitpid(pid, &status, WNOHANG) != 0);
	assert_true(WIFSIGNALED(status));
	return WCOREDUMP(status);
}

static void a_crash_leaves_no_core_file(void **state)
{
	struct rlimit any;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_CORE, &any), 0);
	flow_gateway_end(&f, SIGTERM);
	any.rlim_cur = any.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_CORE, &any), 0);
	write_config(NULL);
	write_secret("keys/telegram", "telegram");
	flow_gateway(&f, true);
	assert_false(dumps(f.gateway));
	f.gateway = 0;
}

static void the_search_finds_every_form(void **state)
{
	(void)state;
	for (enum leak_form form = LEAK_RAW; form < LEAK_FORMS; form++) {
		struct buf text = BUF_INIT, found = BUF_INIT;
		leak_say(&text, form);
		assert_int_equal(leak_find("the text", NULL, text.data, text.len, &found), canary_count);
		/* A half is enough. */
		assert_true(
		    leak_find("the text", NULL, text.data, text.len - 12, &found) >= canary_count - 1);
		buf_clear(&text);
		buf_clear(&found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_search_finds_every_form),
	    cmocka_unit_test(nothing_that_is_written_or_sent_holds_a_secret),
	    cmocka_unit_test(mistakes_in_the_configuration_do_not_repeat_secrets),
	    cmocka_unit_test(a_crash_leaves_no_core_file),
	    cmocka_unit_test(a_refused_token_is_not_told),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests_name("secrets", tests, begin, end);
}
