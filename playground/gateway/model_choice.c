#include "playground/gateway/model_choice.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "net/http/http.h"
#include "playground/gateway/daemon.h"
#include "playground/world/file.h"
#include "playground/gateway/provider.h"

#define SCRIPTED_MODEL "scripted"
#define SCRIPTED_KEY   "any-key-will-do-here"
#define TEXT_MAX       400

/* The contents of the two files. */
struct settings {
	char *url, *model, *api, *key;
};

struct model_choice {
	const char *file;
	char *key_file;
	bool scripted, busy;
	struct settings now, own; /* own: the scripted model */
};

static struct settings settings_of(const char *url, const char *model, const char *api, const char *key)
{
	return (struct settings){xstrdup(url), xstrdup(model), xstrdup(api), xstrdup(key)};
}

static void clear(struct settings *s)
{
	free(s->url);
	free(s->model);
	free(s->api);
	free(s->key);
	*s = (struct settings){0};
}

struct model_choice *model_choice_new(const char *file)
{
	struct model_choice *c = xcalloc(1, sizeof(*c));

	c->file = file;
	c->key_file = xasprintf("%s.key", file);
	return c;
}

void model_choice_free(struct model_choice *c)
{
	if (!c)
		return;
	clear(&c->now);
	clear(&c->own);
	free(c->key_file);
	free(c);
}

/* The key first, because the other file refers to it. */
static int write_files(
    struct task *t, const struct model_choice *c, const struct settings *s, struct error *err)
{
	struct buf out = BUF_INIT;
	int ret = file_replace(t, c->key_file, s->key ? s->key : "", err);

	buf_addf(&out, "model: { api = \"%s\"; base_url = \"%s\"; model = \"%s\";", s->api, s->url, s->model);
	if (s->key)
		buf_addf(&out, " key = \"file:%s\";", c->key_file);
	buf_addstr(&out, " };\n");
	if (ret == 0)
		ret = file_replace(t, c->file, out.data, err);
	buf_clear(&out);
	return ret;
}

int model_choice_begin(struct task *t, struct model_choice *c, const char *own_url, struct error *err)
{
	char *url = xasprintf("%s/v1", own_url);

	c->own = settings_of(url, SCRIPTED_MODEL, "openai-chat", SCRIPTED_KEY);
	c->now = settings_of(url, SCRIPTED_MODEL, "openai-chat", SCRIPTED_KEY);
	c->scripted = true;
	free(url);
	return write_files(t, c, &c->own, err);
}

void model_choice_write(const struct model_choice *c, struct buf *out)
{
	buf_addf(out, "{\"scripted\":%s,\"url\":", c->scripted ? "true" : "false");
	json_quote(out, c->now.url, strlen(c->now.url));
	buf_addstr(out, ",\"model\":");
	json_quote(out, c->now.model, strlen(c->now.model));
	buf_addf(out, ",\"api\":\"%s\",\"key\":%s}", c->now.api, c->now.key ? "true" : "false");
}

/* The text goes into a quoted string of the configuration and into a header. */
static int check_text(const char *what, const char *text, struct error *err)
{
	size_t len = text ? strlen(text) : 0;

	if (len == 0 || len > TEXT_MAX)
		return error_set(err, ERROR_OURS, "%s must have 1 to %d characters", what, TEXT_MAX);
	for (size_t i = 0; i < len; i++)
		if (!isgraph((unsigned char)text[i]) || text[i] == '"' || text[i] == '\\')
			return error_set(err, ERROR_OURS, "%s must be one word without quotes", what);
	return 0;
}

static int read_settings(struct json_object *in, struct settings *s, struct error *err)
{
	const char *url = json_get_str(in, "url"), *model = json_get_str(in, "model"),
		   *key = json_get_str(in, "key"), *api = json_get_str(in, "api");
	size_t len;

	if (key && key[0] == '\0')
		key = NULL;
	if (check_text("url", url, err) != 0 || check_text("model", model, err) != 0 ||
	    (key && check_text("key", key, err) != 0) || !http_url_allowed(url, err))
		return -1;
	if (!api || api[0] == '\0')
		api = provider_guess_api(url);
	if (!provider_knows_api(api))
		return error_set(err, ERROR_OURS, "api is anthropic, openai-chat or openai-responses");
	if (key)
		secret_register(key);
	*s = settings_of(url, model, api, key);
	for (len = strlen(s->url); len > 0 && s->url[len - 1] == '/'; len--)
		s->url[len - 1] = '\0';
	return 0;
}

/* Returns 1 when the gateway has reloaded its configuration, or will read it at its next start; 0 when it
 * refuses it. */
static int reload(struct task *t, const struct daemon *g, struct buf *out, struct error *err)
{
	struct error why = {0};
	struct json_object *o = daemon_ask(t, g, "/v1/reload", "{}", &why);
	bool ok = json_get_bool(o, "ok", false);
	const char *text = json_get_str(o, "text");

	if (!o && why.kind == ERROR_CANCELLED)
		return error_cancelled(err);
	if (!o)
		buf_addstr(out, " The gateway is down, and asks it from its next start on.");
	else if (!ok)
		buf_addf(out, " The gateway does not take it: %s", text ? text : "it gave no reason");
	json_object_put(o);
	return !o || ok;
}

static void take(struct model_choice *c, struct settings *s, bool scripted)
{
	clear(&c->now);
	c->now = *s;
	*s = (struct settings){0};
	c->scripted = scripted;
}

static int apply(struct task *t, struct model_choice *c, const struct daemon *g, struct settings *s,
    bool scripted, bool *works, struct buf *out, struct error *err)
{
	int ret;

	if (write_files(t, c, s, err) != 0)
		return -1;
	ret = reload(t, g, out, err);
	*works = ret > 0;
	if (ret > 0)
		take(c, s, scripted);
	else
		ret = write_files(t, c, &c->now, err);
	return ret < 0 ? -1 : 0;
}

static int set_other(struct task *t, struct model_choice *c, const struct daemon *g, struct json_object *in,
    bool *works, struct buf *out, struct error *err)
{
	struct settings s = {0};
	int ret;

	if (read_settings(in, &s, err) != 0)
		return -1;
	ret = provider_probe(t, &(struct provider){s.url, s.model, s.api, s.key}, works, out, err);
	if (ret == 0 && *works)
		ret = apply(t, c, g, &s, false, works, out, err);
	clear(&s);
	return ret;
}

static int set_scripted(struct task *t, struct model_choice *c, const struct daemon *g, bool *works,
    struct buf *out, struct error *err)
{
	struct settings s = settings_of(c->own.url, c->own.model, c->own.api, c->own.key);
	int ret;

	buf_addstr(out, "The scripted model answers.");
	ret = apply(t, c, g, &s, true, works, out, err);
	clear(&s);
	return ret;
}

int model_choice_set(struct task *t, struct model_choice *c, const struct daemon *g, struct json_object *in,
    bool *works, struct buf *out, struct error *err)
{
	int ret;

	if (c->busy) {
		error_set(err, ERROR_OURS, "another model is being tried");
		err->code = 409;
		return -1;
	}
	c->busy = true;
	/* The client may disconnect; the files and the gateway must agree nevertheless. */
	task_shield(t);
	ret = json_get_bool(in, "scripted", false) ? set_scripted(t, c, g, works, out, err) :
						     set_other(t, c, g, in, works, out, err);
	task_unshield(t);
	c->busy = false;
	return ret;
}
