#include "cli/init_internal.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/io_full.h"
#include "base/mem.h"
#include "base/secret/source.h"
#include "base/text/utf8.h"
#include "bus/channel.h"
#include "channels/channels.h"
#include "config/gateway_config.h"
#include "llm/profile.h"
#include "net/http/http.h"

/* Returns the n-th channel type that can be set up, counted from the end of the table; NULL after the
 * last. */
static const struct channel_ops *platform_at(size_t n)
{
	size_t i = 0;

	while (channel_types[i])
		i++;
	while (i-- > 0)
		if (channel_types[i]->setup && n-- == 0)
			return channel_types[i];
	return NULL;
}

static void add_names(struct buf *out, const char *before_last)
{
	for (size_t i = 0; platform_at(i); i++) {
		const char *before = platform_at(i + 1) ? ", " : before_last;
		buf_addf(out, "%s%s", i > 0 ? before : "", platform_at(i)->type);
	}
}

/* Returns whether a list, separated by commas or blanks, contains the name. */
static bool has_word(const char *list, const char *name)
{
	for (const char *p = list + strspn(list, ", "); *p; p += strspn(p, ", ")) {
		size_t len = strcspn(p, ", ");
		if (strlen(name) == len && strncmp(name, p, len) == 0)
			return true;
		p += len;
	}
	return false;
}

static int check_platforms(const char *answer, struct error *err)
{
	struct buf names = BUF_INIT;
	int rc = 0;

	for (const char *p = answer + strspn(answer, ", "); *p && rc == 0; p += strspn(p, ", ")) {
		size_t len = strcspn(p, ", ");
		char *name = xstrndup(p, len);
		const struct channel_ops *ops = channels_find(name);
		if (!ops || !ops->setup) {
			add_names(&names, " or ");
			rc = error_set(err, ERROR_OURS, "there is no platform \"%s\": %s", name, names.data);
		}
		free(name);
		p += len;
	}
	buf_clear(&names);
	return rc;
}

static bool is_reference(const char *answer)
{
	return strncmp(answer, "file:", 5) == 0 || strncmp(answer, "cred:", 5) == 0;
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

static struct init_question *add_question(
    struct init_form *f, const char *option, const char *text, const char *fallback)
{
	struct init_question *q = &f->questions[f->count++];

	*q = (struct init_question){.option = xstrdup(option), .text = text, .fallback = fallback};
	return q;
}

static void add_platform(struct init_form *f, const struct channel_ops *ops)
{
	for (const struct channel_question *row = ops->setup; row->option; row++) {
		struct init_question *q = &f->questions[f->count++];
		*q = (struct init_question){.option = xasprintf("%s-%s", ops->type, row->option),
		    .text = row->text,
		    .platform = ops,
		    .row = row,
		    .fallback = row->kind == CHANNEL_ASK_URL ? "" : NULL,
		    .secret = row->kind == CHANNEL_ASK_SECRET,
		    .probed = row->kind == CHANNEL_ASK_SECRET,
		    .check = row->kind == CHANNEL_ASK_PEOPLE ? check_ids :
			row->kind == CHANNEL_ASK_URL         ? check_url :
							       row->check};
	}
}

void init_form_init(struct init_form *f)
{
	struct buf names = BUF_INIT;
	size_t most = 5;

	for (size_t i = 0; platform_at(i); i++)
		for (const struct channel_question *row = platform_at(i)->setup; row->option; row++)
			most++;
	*f = (struct init_form){.questions = xcalloc(most, sizeof(*f->questions))};
	buf_addstr(&names, "Platforms (");
	add_names(&names, ", ");
	buf_addstr(&names, "; several with commas)");
	f->platforms_text = buf_take(&names);
	f->platforms = add_question(f, "platforms", f->platforms_text, platform_at(0)->type);
	f->platforms->check = check_platforms;
	for (size_t i = 0; platform_at(i); i++)
		add_platform(f, platform_at(i));
	f->base_url = add_question(f, "base-url",
	    "Model: provider (anthropic, groq, ollama, openrouter, ...) or base URL of an endpoint",
	    "https://api.openai.com/v1");
	f->base_url->check = check_provider;
	f->model = add_question(f, "model", "Model: its name", NULL);
	f->key = add_question(f, "key", "Model: API key (empty for a local server without)", "");
	f->key->secret = true;
	f->base_url->probed = f->model->probed = f->key->probed = true;
	f->state = add_question(f, "state", "Folder for the database", NULL);
}

void init_form_clear(struct init_form *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct init_question *q = &f->questions[i];
		if (q->answer)
			explicit_bzero(q->answer, strlen(q->answer));
		free(q->answer);
		free(q->option);
		free(q->bot);
	}
	free(f->questions);
	free(f->platforms_text);
	*f = (struct init_form){0};
}

bool init_question_applies(const struct init_form *f, const struct init_question *q)
{
	return !q->platform || (f->platforms->answer && has_word(f->platforms->answer, q->platform->type));
}

int init_check(const struct init_question *q, const char *answer, struct error *err)
{
	if (!*answer)
		return q->fallback ? 0 : error_set(err, ERROR_OURS, "an answer is needed");
	for (const char *p = answer; *p; p++)
		if (strchr("\"\\", *p) || (unsigned char)*p < ' ' || *p == 0x7f)
			return error_set(
			    err, ERROR_OURS, "it cannot have quotes, backslashes or control characters");
	if (!utf8_valid(answer, strlen(answer)))
		return error_set(err, ERROR_OURS, "it is not UTF-8");
	return q->check && !(q->secret && is_reference(answer)) ? q->check(answer, err) : 0;
}

/* Makes a file of root readable for the service, in a directory that passes on its group, such as
 * /etc/myna. */
static void let_service_read(int fd)
{
	struct stat st;

	if (geteuid() != 0 || fstat(fd, &st) < 0)
		return;
	st.st_mode = (st.st_mode & ~(mode_t)0777) | 0640;
	if (secret_source_is_private(&st))
		fchmod(fd, 0640);
}

static const char *remedy(int why)
{
	return why == EEXIST ? ". Remove it, or write over it with --force" :
	    why == ENOENT    ? ". Make its folder first" :
			       "";
}

/* Writes a new file atomically; replaces an existing one only with force. name: of the file that people know.
 */
static int write_file(const char *path, const char *name, const char *text, bool force, struct error *err)
{
	char *made = xasprintf("%s.new", path);
	int rc = -1;

	unlink(made);
	int fd = open(made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		let_service_read(fd);
	if (fd >= 0 && io_write_full(fd, text, strlen(text)) == 0 && fsync(fd) == 0)
		rc = force ? rename(made, path) : link(made, path);
	if (rc < 0)
		error_set(
		    err, ERROR_OURS, "%s cannot be written: %s%s", name, strerror(errno), remedy(errno));
	if (fd >= 0)
		close(fd);
	unlink(made);
	free(made);
	return rc;
}

char *init_beside(const char *path, const char *name)
{
	char *slash = strrchr(path, '/'), *whole = slash == path ? xstrdup("/") : NULL;

	if (!whole && slash) {
		char *dir = xstrndup(path, (size_t)(slash - path));
		whole = realpath(dir, NULL);
		free(dir);
	} else if (!whole) {
		whole = realpath(".", NULL);
	}
	char *found = xasprintf("%s/myna.%s", whole ? whole : ".", name);
	free(whole);
	return found;
}

static int write_secrets(const char *path, const struct init_form *f, bool force, struct error *err)
{
	int rc = 0;

	for (const struct init_question *q = f->questions; q < f->questions + f->count && rc == 0; q++) {
		if (!q->secret || !q->answer || !*q->answer || is_reference(q->answer))
			continue;
		char *file = init_beside(path, q->option), *line = xasprintf("%s\n", q->answer);
		rc = write_file(file, file, line, force, err);
		explicit_bzero(line, strlen(line));
		free(line);
		free(file);
	}
	return rc;
}

/* What is composed: the configuration at path or, with path NULL, a draft that has the secrets themselves. */
static void add_secret(struct buf *out, const char *key, const char *path, const struct init_question *q)
{
	char *file = path && !is_reference(q->answer) ? init_beside(path, q->option) : NULL;

	buf_addf(out, "    %s = \"%s%s\";\n", key, file ? "file:" : "", file ? file : q->answer);
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

static void add_setting(struct buf *out, const char *path, const struct init_question *q)
{
	switch (q->row->kind) {
	case CHANNEL_ASK_SECRET:
		add_secret(out, q->row->key, path, q);
		break;
	case CHANNEL_ASK_PEOPLE:
		if (q->answer[strspn(q->answer, ", ")] == '\0') {
			buf_addstr(out, "    # Who may talk is let in with a code, see /pair and /allow.\n");
			break;
		}
		add_ids(out, "allow", q->answer);
		add_ids(out, "admins", q->answer);
		break;
	case CHANNEL_ASK_URL:
		if (*q->answer)
			buf_addf(out, "    %s = \"%s\";\n", q->row->key, q->answer);
		break;
	}
}

static void add_channel(
    struct buf *out, const struct channel_ops *platform, const char *path, const struct init_form *f)
{
	buf_addf(out, "  %s: {\n    type = \"%s\";\n", platform->type, platform->type);
	for (const struct init_question *q = f->questions; q < f->questions + f->count; q++)
		if (q->platform == platform && q->answer)
			add_setting(out, path, q);
	buf_addstr(out, "  };\n");
}

static void add_model(struct buf *out, const char *path, const struct init_form *f)
{
	buf_addstr(out, "llm: {\n  default = \"main\";\n  providers: { main: {\n");
	if (is_url(f->base_url->answer))
		buf_addf(out, "    api = \"openai-chat\";\n    base_url = \"%s\";\n", f->base_url->answer);
	else
		buf_addf(out, "    profile = \"%s\";\n", f->base_url->answer);
	if (*f->key->answer)
		add_secret(out, "key", path, f->key);
	buf_addf(out, "    model = \"%s\";\n  }; };\n};\n", f->model->answer);
}

static void compose(struct buf *out, const char *path, const struct init_form *f)
{
	buf_addf(out, "# Made by myna init. All settings: man myna.conf\nstate = \"%s\";\n\nchannels: {\n",
	    f->state->answer);
	for (size_t i = 0; platform_at(i); i++)
		if (has_word(f->platforms->answer, platform_at(i)->type))
			add_channel(out, platform_at(i), path, f);
	buf_addstr(out, "};\n\n");
	add_model(out, path, f);
}

/* Appends the lines about the draft as those of the file that it would become. */
static void add_lines(struct buf *report, const char *lines, const char *draft, const char *path)
{
	size_t len = strlen(draft);

	for (const char *p = lines; *p;) {
		size_t line = strcspn(p, "\n");
		line += p[line] == '\n';
		bool named = strncmp(p, draft, len) == 0 && p[len] == ':';
		if (named)
			buf_addstr(report, path);
		buf_add(report, named ? p + len : p, named ? line - len : line);
		p += line;
	}
}

/* Reads the text as a configuration that would be at path. */
static int load_text(
    struct gateway_config *gc, const char *path, const char *text, struct buf *report, struct error *err)
{
	char *draft = xasprintf("%s.draft", path);
	struct buf lines = BUF_INIT;
	int rc = write_file(draft, path, text, true, err);

	*gc = (struct gateway_config){0};
	if (rc == 0 && (rc = gateway_config_load(gc, draft, &lines)) < 0)
		error_set(err, ERROR_OURS, "the configuration has mistakes, and was not written");
	add_lines(report, lines.data, draft, path);
	buf_clear(&lines);
	unlink(draft);
	free(draft);
	return rc;
}

int init_draft(const char *path, const struct init_form *f, const struct channel_ops *platform,
    struct gateway_config *gc, struct buf *report, struct error *err)
{
	struct buf text = BUF_INIT;

	buf_addstr(&text, "state = \"/var/lib/myna\";\n");
	if (platform) {
		buf_addstr(&text, "channels: {\n");
		add_channel(&text, platform, NULL, f);
		buf_addstr(&text, "};\n");
	} else {
		add_model(&text, NULL, f);
	}
	int rc = load_text(gc, path, text.data, report, err);
	explicit_bzero(text.data, text.len);
	buf_clear(&text);
	return rc;
}

/* Checks the new configuration before it is installed. */
static int try_text(const char *path, const char *text, struct buf *report, struct error *err)
{
	struct gateway_config gc;
	int rc = load_text(&gc, path, text, report, err);

	gateway_config_clear(&gc);
	return rc;
}

int init_write(const char *path, const struct init_form *f, bool force, struct buf *report, struct error *err)
{
	struct buf draft = BUF_INIT, text = BUF_INIT;

	/* The secrets of before stay when there is a mistake. */
	compose(&draft, NULL, f);
	int rc = try_text(path, draft.data, report, err);
	if (rc == 0)
		rc = write_secrets(path, f, force, err);
	compose(&text, path, f);
	if (rc == 0) {
		buf_reset(report);
		rc = try_text(path, text.data, report, err);
	}
	if (rc == 0)
		rc = write_file(path, path, text.data, force, err);
	explicit_bzero(draft.data, draft.len);
	buf_clear(&draft);
	buf_clear(&text);
	return rc;
}
