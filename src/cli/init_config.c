#include "cli/init_config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/secret/source.h"
#include "base/text/utf8.h"
#include "config/gateway_config.h"
#include "llm/profile.h"
#include "net/http/http.h"

static int check_platforms(const char *answer, struct error *err)
{
	static const char *const known[] = {"telegram", "slack", "discord"};

	for (const char *p = answer + strspn(answer, ", "); *p; p += strspn(p, ", ")) {
		size_t len = strcspn(p, ", "), i = 0;
		while (i < ARRAY_LEN(known) && (strlen(known[i]) != len || strncmp(known[i], p, len) != 0))
			i++;
		if (i == ARRAY_LEN(known))
			return error_set(err, ERROR_OURS,
			    "there is no platform \"%.*s\": telegram, slack or discord", (int)len, p);
		p += len;
	}
	return 0;
}

static bool is_reference(const char *answer)
{
	return strncmp(answer, "file:", 5) == 0 || strncmp(answer, "cred:", 5) == 0;
}

static int check_telegram(const char *answer, struct error *err)
{
	size_t digits = strspn(answer, "0123456789");

	if (is_reference(answer) || (digits > 0 && answer[digits] == ':' && strlen(answer) > digits + 20))
		return 0;
	return error_set(err, ERROR_OURS, "a bot's token looks like 123456:ABC..., as @BotFather gives it");
}

static int check_begins(const char *answer, const char *with, struct error *err)
{
	if (is_reference(answer) || strncmp(answer, with, strlen(with)) == 0)
		return 0;
	return error_set(err, ERROR_OURS, "this token begins with %s", with);
}

static int check_slack_bot(const char *answer, struct error *err)
{
	return check_begins(answer, "xoxb-", err);
}

static int check_slack_app(const char *answer, struct error *err)
{
	return check_begins(answer, "xapp-", err);
}

static int check_discord(const char *answer, struct error *err)
{
	const char *dot = strchr(answer, '.');

	if (is_reference(answer) || (dot && strchr(dot + 1, '.')))
		return 0;
	return error_set(err, ERROR_OURS, "a bot's token has three parts with dots between them");
}

static int check_ids(const char *answer, struct error *err)
{
	for (const char *p = answer; *p; p++)
		if (!isupper((unsigned char)*p) && !isdigit((unsigned char)*p) && !strchr(", ", *p))
			return error_set(err, ERROR_OURS,
			    "an id, not a name: digits, on Slack such as U012AB3CD; several with commas");
	return 0;
}

static int check_url(const char *answer, struct error *err)
{
	return http_url_allowed(answer, err) ? 0 : -1;
}

static bool is_url(const char *answer)
{
	return strstr(answer, "://");
}

static int check_provider(const char *answer, struct error *err)
{
	struct buf names = BUF_INIT;

	if (is_url(answer))
		return check_url(answer, err);
	if (llm_profile_find(answer))
		return 0;
	for (unsigned i = 0; llm_profile_at(i); i++)
		buf_addf(&names, "%s%s", i > 0 ? ", " : "", llm_profile_at(i)->name);
	error_set(err, ERROR_OURS, "it is the URL of an endpoint, or one of %s", names.data);
	buf_clear(&names);
	return -1;
}

const struct init_row init_rows[INIT_QUESTIONS] = {
    [INIT_PLATFORMS] = {"platforms", "Platforms (telegram, slack, discord; several with commas)", NULL,
	"telegram", false, check_platforms},
    [INIT_TELEGRAM_TOKEN] = {"telegram-token", "Telegram: token of the bot, from @BotFather", "telegram",
	NULL, true, check_telegram},
    [INIT_TELEGRAM_ALLOW] = {"telegram-allow", "Telegram: your user id, a number", "telegram", NULL, false,
	check_ids},
    [INIT_TELEGRAM_API] = {"telegram-api-base", NULL, "telegram", "", false, check_url},
    [INIT_SLACK_BOT_TOKEN] = {"slack-bot-token", "Slack: bot token (xoxb-...)", "slack", NULL, true,
	check_slack_bot},
    [INIT_SLACK_APP_TOKEN] = {"slack-app-token", "Slack: app-level token (xapp-...)", "slack", NULL, true,
	check_slack_app},
    [INIT_SLACK_ALLOW] = {"slack-allow", "Slack: your member id (U...)", "slack", NULL, false, check_ids},
    [INIT_SLACK_API] = {"slack-api-base", NULL, "slack", "", false, check_url},
    [INIT_DISCORD_TOKEN] = {"discord-token", "Discord: token of the bot", "discord", NULL, true,
	check_discord},
    [INIT_DISCORD_ALLOW] = {"discord-allow", "Discord: your user id, a number", "discord", NULL, false,
	check_ids},
    [INIT_DISCORD_API] = {"discord-api-base", NULL, "discord", "", false, check_url},
    [INIT_BASE_URL] = {"base-url",
	"Model: provider (anthropic, groq, ollama, openrouter, ...) or base URL of an endpoint", NULL,
	"https://api.openai.com/v1", false, check_provider},
    [INIT_MODEL] = {"model", "Model: its name", NULL, NULL, false, NULL},
    [INIT_KEY] = {"key", "Model: API key (empty for a local server without)", NULL, "", true, NULL},
    [INIT_STATE] = {"state", "Folder for the database", NULL, NULL, false, NULL},
};

bool init_wants(char *const *answers, enum init_question q)
{
	const char *platform = init_rows[q].platform;

	return !platform || (answers[INIT_PLATFORMS] && strstr(answers[INIT_PLATFORMS], platform));
}

int init_check(enum init_question q, const char *answer, struct error *err)
{
	if (!*answer)
		return init_rows[q].fallback ? 0 : error_set(err, ERROR_OURS, "an answer is needed");
	for (const char *p = answer; *p; p++)
		if (strchr("\"\\", *p) || (unsigned char)*p < ' ' || *p == 0x7f)
			return error_set(
			    err, ERROR_OURS, "it cannot have quotes, backslashes or control characters");
	if (!utf8_valid(answer, strlen(answer)))
		return error_set(err, ERROR_OURS, "it is not UTF-8");
	return init_rows[q].check ? init_rows[q].check(answer, err) : 0;
}

/* In a folder that hands its group on, such as /etc/myna, what root writes is for the service to read. */
static void let_service_read(int fd)
{
	struct stat st;

	if (geteuid() != 0 || fstat(fd, &st) < 0)
		return;
	st.st_mode = (st.st_mode & ~(mode_t)0777) | 0640;
	if (secret_source_is_private(&st))
		fchmod(fd, 0640);
}

/* A new file, or over the old one when force is set: whole or not at all. */
static int write_file(const char *path, const char *text, bool force, struct error *err)
{
	char *made = xasprintf("%s.new", path);
	size_t len = strlen(text);
	int rc = -1;

	unlink(made);
	int fd = open(made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		let_service_read(fd);
	if (fd >= 0 && write(fd, text, len) == (ssize_t)len && fsync(fd) == 0)
		rc = force ? rename(made, path) : link(made, path);
	if (rc < 0)
		error_set(err, ERROR_OURS, "%s cannot be written: %s%s", path, strerror(errno),
		    errno == EEXIST ? ". Remove it, or write over it with --force" : "");
	if (fd >= 0)
		close(fd);
	unlink(made);
	free(made);
	return rc;
}

/* Where the secret is kept, malloc'd. */
static char *secret_path(const char *path, enum init_question q)
{
	char *slash = strrchr(path, '/'), *whole = slash == path ? xstrdup("/") : NULL;

	if (!whole && slash) {
		char *dir = xstrndup(path, (size_t)(slash - path));
		whole = realpath(dir, NULL);
		free(dir);
	} else if (!whole) {
		whole = realpath(".", NULL);
	}
	char *found = xasprintf("%s/myna.%s", whole ? whole : ".", init_rows[q].option);
	free(whole);
	return found;
}

static int write_secrets(const char *path, char *const *answers, bool force, struct error *err)
{
	int rc = 0;

	for (size_t q = 0; q < INIT_QUESTIONS && rc == 0; q++) {
		if (!init_rows[q].secret || !answers[q] || !*answers[q] || is_reference(answers[q]))
			continue;
		char *file = secret_path(path, (enum init_question)q), *line = xasprintf("%s\n", answers[q]);
		rc = write_file(file, line, force, err);
		explicit_bzero(line, strlen(line));
		free(line);
		free(file);
	}
	return rc;
}

static void add_secret(
    struct buf *out, const char *key, const char *path, char *const *answers, enum init_question q)
{
	char *file = secret_path(path, q);

	if (is_reference(answers[q]))
		buf_addf(out, "    %s = \"%s\";\n", key, answers[q]);
	else
		buf_addf(out, "    %s = \"file:%s\";\n", key, file);
	free(file);
}

static void add_ids(struct buf *out, const char *key, const char *ids)
{
	const char *before = "";

	buf_addf(out, "    %s = [", key);
	for (ids += strspn(ids, ", "); *ids; ids += strspn(ids, ", ")) {
		size_t len = strcspn(ids, ", ");
		buf_addf(out, "%s\"%.*s\"", before, (int)len, ids);
		before = ", ";
		ids += len;
	}
	buf_addstr(out, "];\n");
}

static const struct {
	const char *type;
	enum init_question tokens[2], allow, api;
	const char *keys[2];
} platforms[] = {
    {"telegram", {INIT_TELEGRAM_TOKEN, INIT_TELEGRAM_TOKEN}, INIT_TELEGRAM_ALLOW, INIT_TELEGRAM_API,
	{"token", NULL}},
    {"slack", {INIT_SLACK_BOT_TOKEN, INIT_SLACK_APP_TOKEN}, INIT_SLACK_ALLOW, INIT_SLACK_API,
	{"bot_token", "app_token"}},
    {"discord", {INIT_DISCORD_TOKEN, INIT_DISCORD_TOKEN}, INIT_DISCORD_ALLOW, INIT_DISCORD_API,
	{"token", NULL}},
};

static void add_channel(struct buf *out, size_t i, const char *path, char *const *answers)
{
	const char *api = answers[platforms[i].api];

	buf_addf(out, "  %s: {\n    type = \"%s\";\n", platforms[i].type, platforms[i].type);
	for (size_t k = 0; k < 2 && platforms[i].keys[k]; k++)
		add_secret(out, platforms[i].keys[k], path, answers, platforms[i].tokens[k]);
	if (api && *api)
		buf_addf(out, "    api_base = \"%s\";\n", api);
	add_ids(out, "allow", answers[platforms[i].allow]);
	add_ids(out, "admins", answers[platforms[i].allow]);
	buf_addstr(out, "  };\n");
}

static void compose(struct buf *out, const char *path, char *const *answers)
{
	buf_addf(out, "# Made by myna init. All settings: man myna.conf\nstate = \"%s\";\n\nchannels: {\n",
	    answers[INIT_STATE]);
	for (size_t i = 0; i < ARRAY_LEN(platforms); i++)
		if (init_wants(answers, platforms[i].allow))
			add_channel(out, i, path, answers);
	buf_addstr(out, "};\n\nllm: {\n  default = \"main\";\n  providers: { main: {\n");
	if (is_url(answers[INIT_BASE_URL]))
		buf_addf(out, "    api = \"openai-chat\";\n    base_url = \"%s\";\n", answers[INIT_BASE_URL]);
	else
		buf_addf(out, "    profile = \"%s\";\n", answers[INIT_BASE_URL]);
	if (*answers[INIT_KEY])
		add_secret(out, "key", path, answers, INIT_KEY);
	buf_addf(out, "    model = \"%s\";\n  }; };\n};\n", answers[INIT_MODEL]);
}

/* Before it takes its place, it has to be in order. */
static int try_text(const char *path, const char *text, struct buf *report, struct error *err)
{
	char *draft = xasprintf("%s.draft", path);
	struct gateway_config gc = {0};
	int rc = write_file(draft, text, true, err);

	if (rc == 0 && (rc = gateway_config_load(&gc, draft, report)) < 0)
		error_set(err, ERROR_OURS, "the configuration is not in order, and was not written");
	gateway_config_clear(&gc);
	unlink(draft);
	free(draft);
	return rc;
}

int init_write(const char *path, char *const *answers, bool force, struct buf *report, struct error *err)
{
	struct buf text = BUF_INIT;

	compose(&text, path, answers);
	int rc = write_secrets(path, answers, force, err);
	if (rc == 0)
		rc = try_text(path, text.data, report, err);
	if (rc == 0)
		rc = write_file(path, text.data, force, err);
	buf_clear(&text);
	return rc;
}
