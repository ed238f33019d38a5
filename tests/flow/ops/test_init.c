/* From nothing to a configuration that the platforms and the model accept: myna init and myna check
 * --probe. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/cli/terminal.h"
#include "flow/flow.h"

#define TELEGRAM  "4242424242:AAEflowTestTokenOfTheFlowTests0123456"
#define SLACK_BOT "xoxb-1-2-init"
#define SLACK_APP "xapp-1-A1-2-init"
#define DISCORD   "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.flowTestTokenOfTheFlowTests0123456"
#define KEY       "a-key-for-tests"

#define assert_has(text, part)                                  \
	do {                                                    \
		if (!strstr(text, part))                        \
			fail_msg("no '%s' in: %s", part, text); \
	} while (0)

static unsigned mode_of(struct flow *f, const char *name)
{
	char *path = xasprintf("%s/%s", f->dir, name);
	struct stat st;
	unsigned mode = stat(path, &st) == 0 ? st.st_mode & 0777 : 0;

	free(path);
	return mode;
}

static void assert_no_secret(const char *text)
{
	static const char *const secrets[] = {TELEGRAM, SLACK_BOT, SLACK_APP, DISCORD, KEY};

	for (size_t i = 0; i < ARRAY_LEN(secrets); i++)
		if (strstr(text, secrets[i]))
			fail_msg("a secret is shown: %s", text);
}

static char *text_of(struct flow *f, const char *name)
{
	char *path = xasprintf("%s/%s", f->dir, name), piece[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, piece, sizeof(piece) - 1) : 0;

	if (fd >= 0)
		close(fd);
	free(path);
	return xstrndup(piece, n > 0 ? (size_t)n : 0);
}

static void options_make_a_configuration_that_all_accept(void **state)
{
	struct flow *f = *state;
	char *telegram = xasprintf("%s/telegram", f->url), *model = xasprintf("%s/v1", f->url), *out;
	char *folder = xasprintf("%s/state", f->dir);

	assert_int_equal(flow_myna(f, &out, "init", "--telegram-token", TELEGRAM, NULL), 64);
	assert_has(out, "init needs --telegram-allow");
	free(out);
	assert_int_equal(flow_myna(f, &out, "init", "--telegram-token", "hello", NULL), 64);
	assert_has(out, "--telegram-token: a bot's token looks like");
	free(out);
	setenv("HOME", f->dir, 1);
	char *conf = xasprintf("%s/myna.conf", f->dir);
	/* More than flow_myna takes. */
	char *command = xasprintf(
	    "%s/myna -c %s init --probe --telegram-token %s --telegram-allow 77,78 --telegram-api-base %s "
	    "--base-url %s --model scripted --key %s --state %s >%s/init.out 2>&1 </dev/null",
	    getenv("MYNA_BUILD") ? getenv("MYNA_BUILD") : ".", conf, TELEGRAM, telegram, model, KEY, folder,
	    f->dir);
	int status = system(command);
	out = text_of(f, "init.out");
	if (WEXITSTATUS(status) != 0)
		fail_msg("%s", out);
	assert_has(out, "channel telegram (telegram): ok, @");
	assert_has(out, "model main (scripted): ok");
	/* Nobody is told to give it to a group that is not there. */
	assert_int_equal(strstr(out, "chgrp myna ") != NULL, geteuid() == 0 && getgrnam("myna"));
	assert_no_secret(out);
	free(out);
	assert_int_equal(mode_of(f, "myna.conf"), 0600);
	assert_int_equal(mode_of(f, "myna.telegram-token"), 0600);
	assert_int_equal(mode_of(f, "myna.key"), 0600);
	out = text_of(f, "myna.conf");
	assert_has(out, "allow = [\"77\", \"78\"];");
	assert_no_secret(out);
	free(out);
	assert_int_equal(WEXITSTATUS(system(command)), 1);
	out = text_of(f, "init.out");
	assert_has(out, "is there already");
	free(out);
	free(command);
	command = xasprintf("%s/myna -c %s init --force --telegram-token %s --telegram-allow 79 --model "
			    "other --state %s >%s/init.out 2>&1 </dev/null",
	    getenv("MYNA_BUILD") ? getenv("MYNA_BUILD") : ".", conf, TELEGRAM, folder, f->dir);
	assert_int_equal(WEXITSTATUS(system(command)), 0);
	out = text_of(f, "myna.conf");
	assert_has(out, "allow = [\"79\"];");
	free(out);
	free(command);
	free(conf);
	free(folder);
	free(telegram);
	free(model);
}

/* Answers that make a configuration, if allow names an id of Telegram. */
static int init(struct flow *f, char **out, const char *force, const char *token, const char *allow)
{
	char *folder = xasprintf("%s/state", f->dir);
	int status = flow_myna(f, out, "init", "--telegram-token", token, "--telegram-allow", allow,
	    "--model", "m", "--state", folder, force, NULL);

	free(folder);
	return status;
}

static void what_works_is_replaced_only_by_what_has_no_mistakes(void **state)
{
	struct flow *f = *state;
	char *out;

	assert_int_equal(init(f, NULL, NULL, TELEGRAM, "77"), 0);
	assert_int_equal(
	    init(f, &out, "--force", "4242424243:AAEanother" KEY "0123456789012345", "U0ANN"), 1);
	assert_has(out, "the configuration has mistakes, and was not written");
	assert_null(strstr(out, "AAEanother"));
	free(out);
	out = text_of(f, "myna.telegram-token");
	assert_string_equal(out, TELEGRAM "\n");
	free(out);
	out = text_of(f, "myna.conf");
	assert_has(out, "allow = [\"77\"];");
	free(out);
}

static void mistakes_name_the_file_that_was_asked_for(void **state)
{
	struct flow *f = *state;
	char *out;

	assert_int_equal(init(f, &out, NULL, "file:/nonexistent/token", "77"), 1);
	assert_has(out, "/myna.conf:");
	assert_has(out, "/nonexistent/token");
	assert_null(strstr(out, ".draft"));
	free(out);
	assert_int_equal(flow_myna(f, &out, "init", "--slack-bot-token", "xapp-1", NULL), 64);
	assert_has(out, "--slack-bot-token: a bot token begins with xoxb-\n");
	free(out);
	char *command = xasprintf("%s/myna -c %s/none/myna.conf init --telegram-token %s --telegram-allow 77 "
				  "--model m --state %s/state >%s/init.out 2>&1 </dev/null",
	    getenv("MYNA_BUILD") ? getenv("MYNA_BUILD") : ".", f->dir, TELEGRAM, f->dir, f->dir);
	assert_int_equal(WEXITSTATUS(system(command)), 1);
	free(command);
	out = text_of(f, "init.out");
	assert_has(
	    out, "/none/myna.conf cannot be written: No such file or directory. Make its folder first\n");
	free(out);
}

static void a_file_that_has_no_room_is_told_with_the_reason(void **state)
{
	struct flow *f = *state;
	struct rlimit before, few;
	char *out;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	few = before;
	few.rlim_cur = 200;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
	int status = init(f, &out, NULL, TELEGRAM, "77");
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(status, 1);
	assert_has(out, " cannot be written: File too large\n");
	free(out);
}

static struct terminal term;

/* Waits for the question the n-th time it is asked. */
static void answer(const char *question, size_t times, const char *text)
{
	terminal_await(&term, question, times);
	terminal_type(&term, text);
	terminal_type(&term, "\n");
}

static void a_person_is_asked_and_wrong_answers_again(void **state)
{
	struct flow *f = *state;
	char *folder = xasprintf("%s/state", f->dir), *model = xasprintf("%s/v1", f->url),
	     *telegram = xasprintf("%s/telegram", f->url), *slack = xasprintf("%s/slack/api", f->url);

	terminal_run(
	    &term, f, NULL, "init", "--telegram-api-base", telegram, "--slack-api-base", slack, NULL);
	answer("Platforms", 1, "telegram, fax");
	terminal_await(&term, "there is no platform \"fax\"", 1);
	answer("Platforms", 2, "telegram, slack");
	answer("Telegram: token", 1, "hello");
	terminal_await(&term, "a bot's token looks like 123456:ABC...", 1);
	answer("Telegram: token", 2, TELEGRAM);
	terminal_await(&term, "@myna_bot: ok, sees only group messages for it", 1);
	answer("Telegram: your user id", 1, "Ann");
	terminal_await(&term, "an id, not a name", 1);
	answer("Telegram: your user id", 2, "77");
	answer("Slack: bot token", 1, "xoxb-1-2-revoked");
	answer("Slack: app-level token", 1, SLACK_APP);
	terminal_await(&term, "FAILED, auth.test: ", 1);
	answer("Slack: bot token (xoxb-...) [the same]", 1, SLACK_BOT);
	answer("Slack: app-level token (xapp-...) [the same]", 1, "");
	terminal_await(&term, "@myna in Playground: ok", 1);
	answer("Slack: your member id", 1, "U0ANN");
	answer("base URL", 1, "http://127.0.0.1:1/v1");
	answer("its name", 1, "scripted");
	answer("API key", 1, "revoked-key");
	/* No network is no refusal. */
	terminal_await(&term, "an empty answer goes on without this test", 1);
	answer("base URL", 2, model);
	answer("its name [scripted]", 1, "");
	answer("API key (empty for a local server without) [the same]", 1, "");
	terminal_await(&term, "an empty answer tests the same once more", 2);
	answer("base URL", 3, "");
	answer("its name", 3, "");
	answer("API key", 3, KEY);
	terminal_await(&term, "model main (scripted): ok", 1);
	answer("Folder for the database", 1, folder);
	answer("Start it now? [Y/n]", 1, "n");
	terminal_await(&term, "run' starts it.", 1);
	assert_no_secret(term.raw.data);
	assert_int_equal(terminal_end(&term), 0);
	char *text = text_of(f, "myna.conf");
	assert_has(text, "slack: {");
	assert_has(text, "admins = [\"U0ANN\"];");
	assert_no_secret(text);
	free(text);
	assert_int_equal(flow_myna(f, &text, "check", NULL), 0);
	assert_has(text, "OK, 2 channels");
	free(text);
	free(telegram);
	free(slack);
	free(model);
	free(folder);
}

static void what_is_not_reached_can_be_left_untested(void **state)
{
	struct flow *f = *state;

	terminal_run(&term, f, NULL, "init", "--telegram-api-base", "http://127.0.0.1:1", "--base-url",
	    "http://127.0.0.1:1/v1", "--model", "m", NULL);
	answer("Platforms", 1, "telegram");
	answer("Telegram: token", 1, TELEGRAM);
	terminal_await(&term, "an empty answer goes on without this test", 1);
	answer("Telegram: token", 2, "");
	answer("Telegram: your user id", 1, "77");
	answer("API key", 1, "");
	answer("base URL", 1, "");
	answer("its name", 1, "");
	answer("API key", 2, "");
	/* Ctrl-C. */
	terminal_await(&term, "Folder for the database", 1);
	terminal_type(&term, "\003");
	terminal_await(&term, "Nothing was written.", 1);
	assert_int_equal(terminal_end(&term), 1);
	assert_int_equal(mode_of(f, "myna.conf"), 0);
	assert_int_equal(mode_of(f, "myna.telegram-token"), 0);
}

static void an_ollama_on_this_machine_is_suggested(void **state)
{
	struct flow *f = *state;
	char *folder = xasprintf("%s/state", f->dir), *telegram = xasprintf("%s/telegram", f->url);
	char *host = xasprintf("OLLAMA_HOST=%s", strstr(f->url, "://") + 3), *text;

	terminal_run(&term, f, host, "init", "--telegram-api-base", telegram, "--telegram-token", TELEGRAM,
	    "--state", folder, NULL);
	answer("Platforms", 1, "");
	answer("Telegram: your user id", 1, "77");
	terminal_await(&term, "An Ollama runs on this machine, and has 2 models.", 1);
	answer("base URL", 1, "grok");
	terminal_await(&term, "one of anthropic, deepseek", 1);
	answer("base URL", 2, "");
	terminal_await(&term, "\n  1  scripted:latest\n  2  scripted-blind:latest\n", 1);
	answer("its name or number [scripted:latest]", 1, "2");
	answer("API key", 1, KEY);
	answer("Start it now?", 1, "n");
	assert_int_equal(terminal_end(&term), 0);
	text = text_of(f, "myna.conf");
	char *url = xasprintf("base_url = \"%s/v1\";", f->url);
	assert_has(text, url);
	assert_has(text, "model = \"scripted-blind:latest\";");
	free(text);
	free(url);
	/* One that is known by name needs no more than its name. */
	assert_int_equal(
	    flow_myna(f, &text, "init", "--force", "--telegram-token", TELEGRAM, "--telegram-allow", "77",
		"--base-url", "groq", "--key", KEY, "--model", "m", NULL),
	    0);
	free(text);
	text = text_of(f, "myna.conf");
	assert_has(text, "profile = \"groq\";");
	assert_null(strstr(text, "base_url"));
	free(text);
	free(telegram);
	free(host);
	free(folder);
}

static void write_all(
    struct flow *f, const char *telegram, const char *slack, const char *discord, const char *key)
{
	char *path = xasprintf("%s/myna.conf", f->dir);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fprintf(out,
	    "state = \"%s/state\";\nchannels: {\n"
	    "  telegram: { type = \"telegram\"; token = \"%s\"; api_base = \"%s/telegram\"; allow = "
	    "[\"77\"]; };\n"
	    "  slack: { type = \"slack\"; bot_token = \"%s\"; app_token = \"" SLACK_APP
	    "\"; api_base = \"%s/slack/api\"; allow = [\"U0ANN\"]; };\n"
	    "  discord: { type = \"discord\"; token = \"%s\"; api_base = \"%s/discord/api/v10\"; allow = "
	    "[\"377\"]; };\n};\n"
	    "llm: { default = \"script\"; providers: { script: { api = \"openai-chat\"; base_url = "
	    "\"%s/v1\"; key = \"%s\"; model = \"scripted\"; };\n"
	    "  gone: { api = \"openai-chat\"; base_url = \"http://127.0.0.1:1/v1\"; model = \"none\"; }; }; "
	    "};\n",
	    f->dir, telegram, f->url, slack, f->url, discord, f->url, f->url, key);
	fclose(out);
	chmod(path, 0600);
	free(path);
}

static void a_probe_asks_every_platform_and_every_model(void **state)
{
	struct flow *f = *state;
	char *out;

	write_all(f, TELEGRAM, SLACK_BOT, DISCORD, KEY);
	assert_int_equal(flow_myna(f, &out, "check", "--probe", NULL), 1);
	assert_has(out, "channel telegram (telegram): ok, @");
	assert_has(out, "channel slack (slack): ok, @");
	assert_has(out, "channel discord (discord): ok, @");
	assert_has(out, "model script (scripted): ok");
	assert_has(out, "model gone (none): FAILED, ");
	assert_no_secret(out);
	free(out);
	json_object_put(flow_control(
	    f, "settings", "{\"slack\":{\"missing_scopes\":[\"reactions:write\",\"im:history\"]}}"));
	assert_int_equal(flow_myna(f, &out, "check", "--probe", NULL), 1);
	assert_has(out,
	    "channel slack (slack): FAILED, auth.test: the app lacks scopes: im:history, reactions:write. "
	    "Add them");
	free(out);
	json_object_put(flow_control(f, "settings", "{\"slack\":{\"missing_scopes\":[]}}"));
	write_all(f, "4242424242:revokedTestTokenOfTheFlowTests0123456", "xoxb-1-2-revoked",
	    "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.revokedTokenOfTheFlowTests0123456", "revoked-key");
	assert_int_equal(flow_myna(f, &out, "check", "--probe", NULL), 1);
	assert_has(out, "channel telegram (telegram): FAILED, ");
	assert_has(out, "channel slack (slack): FAILED, auth.test: ");
	assert_has(out, "channel discord (discord): FAILED, /users/@me: ");
	assert_null(strstr(out, "revokedT"));
	free(out);
}

int main(void)
{
	static struct flow f;
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(options_make_a_configuration_that_all_accept, flow_begin, &f),
	    FLOW_TEST(what_works_is_replaced_only_by_what_has_no_mistakes, flow_begin, &f),
	    FLOW_TEST(mistakes_name_the_file_that_was_asked_for, flow_begin, &f),
	    FLOW_TEST(a_file_that_has_no_room_is_told_with_the_reason, flow_begin, &f),
	    FLOW_TEST(a_person_is_asked_and_wrong_answers_again, flow_begin, &f),
	    FLOW_TEST(what_is_not_reached_can_be_left_untested, flow_begin, &f),
	    FLOW_TEST(an_ollama_on_this_machine_is_suggested, flow_begin, &f),
	    FLOW_TEST(a_probe_asks_every_platform_and_every_model, flow_begin, &f),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
