#include "crash/judge.h"

#include <ctype.h>
#include <ftw.h>
#include <glob.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "bus/journal.h"
#include "crash/scenario.h"
#include "crash/world.h"

#define MARK "(may be a repeat)"
/* At the end of an answer that was shown before it was done. */
#define UNFINISHED_MARK " …"
#define TEXTS_MAX       32

/* A text that the bot wrote in a chat, and how often. */
struct said {
	char *text; /* without the mark */
	unsigned plain, marked;
};

struct chat_record {
	struct said texts[TEXTS_MAX];
	size_t count;
	unsigned unfinished; /* left behind by a crash before it was written down that they are there */
};

/* Everything that the judgement looks at. */
struct matter {
	struct world *w;
	const struct scenario *scenario;
	const struct witness *s;
	struct findings *f;
	struct json_object *model; /* requests */
	char **held;               /* texts that stand in the outbox as uncertain */
	size_t held_count;
};

/* What a reader reads: the ledger has Markdown, with its marks and escapes, and the platform what became of
 * it. */
static bool same_words(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a != '\0' && !isalnum((unsigned char)*a))
			a++;
		while (*b != '\0' && !isalnum((unsigned char)*b))
			b++;
		if (*a != *b || *a == '\0')
			return *a == *b;
	}
}

static bool one_is(char *const *list, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (same_words(list[i], text))
			return true;
	return false;
}

static bool one_has(char *const *list, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strstr(list[i], key))
			return true;
	return false;
}

#define WELCOME "Hello, I am Myna, an AI agent."

static void record_text(struct chat_record *r, const char *said)
{
	char *text = xstrdup(said), *mark = strstr(text, MARK);
	size_t i = 0;

	if (mark)
		while (mark > text && (mark[-1] == '\n' || mark[-1] == ' '))
			mark--;
	if (mark)
		*mark = '\0';
	while (i < r->count && strcmp(r->texts[i].text, text) != 0)
		i++;
	if (i == TEXTS_MAX) {
		free(text);
		return;
	}
	if (i == r->count)
		r->texts[r->count++] = (struct said){.text = xstrdup(text)};
	if (mark)
		r->texts[i].marked++;
	else
		r->texts[i].plain++;
	free(text);
}

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

static void record_chat(struct matter *m, const char *chat, struct chat_record *r)
{
	struct json_object *o = world_transcript(m->w, chat), *messages = json_get_array(o, "messages");

	for (size_t i = 0; messages && i < json_object_array_length(messages); i++) {
		struct json_object *message = json_object_array_get_idx(messages, i);
		const char *text = json_get_str(message, "text");
		/* The welcome, and the word of an answer in doubt, are no answers. */
		if (!json_get_bool(message, "bot", false) || strncmp(text, WELCOME, strlen(WELCOME)) == 0 ||
		    strcmp(text, JOURNAL_ANSWER_MISSING) == 0)
			continue;
		if (ends_in(text, UNFINISHED_MARK))
			r->unfinished++;
		else
			record_text(r, text);
	}
	json_object_put(o);
}

/* Calls fn for every message of every request to the model. */
static void each_model_message(
    struct matter *m, void (*fn)(struct matter *m, struct json_object *message, void *arg), void *arg)
{
	struct json_object *requests = json_get_array(m->model, "requests");

	for (size_t i = 0; requests && i < json_object_array_length(requests); i++) {
		struct json_object *body = json_get_object(json_object_array_get_idx(requests, i), "body");
		struct json_object *messages = json_get_array(body, "messages");
		for (size_t k = 0; messages && k < json_object_array_length(messages); k++)
			fn(m, json_object_array_get_idx(messages, k), arg);
	}
}

static void see_interrupted(struct matter *m, struct json_object *message, void *arg)
{
	const char *role = json_get_str(message, "role"), *content = json_get_str(message, "content");

	(void)m;
	if (role && content && strcmp(role, "tool") == 0 && strstr(content, "INTERRUPTED"))
		*(bool *)arg = true;
}

/* What the model was told of a call stays as it is. */
static void compare_result(struct matter *m, struct json_object *message, void *arg)
{
	struct json_object *known = arg;
	const char *id = json_get_str(message, "tool_call_id"), *content = json_get_str(message, "content");
	const char *before = id ? json_get_str(known, id) : NULL;

	if (id && content && !before)
		json_set_str(known, id, content);
	else if (id && content && strcmp(before, content) != 0)
		findings_add(
		    m->f, FINDING_LOST, "the model was told of a call: %s, and later: %s", before, content);
}

static unsigned count_user_messages(struct json_object *request, const char *text)
{
	struct json_object *messages = json_get_array(json_get_object(request, "body"), "messages");
	unsigned n = 0;

	for (size_t i = 0; messages && i < json_object_array_length(messages); i++) {
		struct json_object *message = json_object_array_get_idx(messages, i);
		const char *role = json_get_str(message, "role"), *content = json_get_str(message, "content");
		n += role && content && strcmp(role, "user") == 0 && strstr(content, text);
	}
	return n;
}

static void judge_turns(struct matter *m)
{
	struct json_object *requests = json_get_array(m->model, "requests"),
			   *known = json_object_new_object();

	for (size_t i = 0; i < TALK_LINES && m->scenario->lines[i].chat; i++) {
		const struct talk_line *line = &m->scenario->lines[i];
		unsigned most = 0;
		for (size_t k = 0; requests && k < json_object_array_length(requests); k++) {
			unsigned n = count_user_messages(json_object_array_get_idx(requests, k), line->text);
			most = n > most ? n : most;
		}
		if (most > 1)
			findings_add(
			    m->f, FINDING_TWO_TURNS, "the model was given %u times: %s", most, line->text);
	}
	each_model_message(m, compare_result, known);
	json_object_put(known);
}

/* Slack can be asked whether a message came, and Discord shows one once that has the same nonce: no send
 * stays in doubt there. Telegram offers neither. */
static bool leaves_doubts(const char *chat)
{
	return strcmp(world_place(chat).platform, "telegram") == 0;
}

/* A text that came more than once, or with a mark. */
static void judge_repeats(struct matter *m, const struct talk_chat *c, const struct said *t)
{
	bool doubt = leaves_doubts(c->chat) &&
	    (m->scenario->fault || one_is(m->s->in_doubt, m->s->in_doubt_count, t->text));
	enum finding twice = c->notices ? FINDING_EFFECTS : FINDING_DOUBLED;

	if (t->plain > 1)
		findings_add(m->f, twice, "chat %s has %u times: %.60s", c->chat, t->plain, t->text);
	if (t->marked > 1 || (t->marked > 0 && c->notices))
		findings_add(
		    m->f, twice, "chat %s has %u marked repeats of: %.60s", c->chat, t->marked, t->text);
	else if (t->marked > 0 && !doubt)
		findings_add(
		    m->f, FINDING_MARKED_WRONGLY, "chat %s has a needless repeat: %.60s", c->chat, t->text);
	else
		m->f->marked += t->marked;
}

/* May this text be missing? */
static bool is_excused(struct matter *m, const struct talk_chat *c, const char *key)
{
	bool interrupted = false;

	if (leaves_doubts(c->chat) && (c->notices || m->scenario->fault || m->s->crashed_again) &&
	    one_has(m->held, m->held_count, key))
		return true; /* held, and shown in the status */
	each_model_message(m, see_interrupted, &interrupted);
	return c->notices && interrupted;
}

static void judge_keys(struct matter *m, const struct talk_chat *c, const struct chat_record *r)
{
	for (size_t i = 0; i < ARRAY_LEN(c->keys) && c->keys[i]; i++) {
		unsigned n = 0;
		for (size_t k = 0; k < r->count; k++)
			n += strstr(r->texts[k].text, c->keys[i]) != NULL;
		if (n == 0 && !is_excused(m, c, c->keys[i]))
			findings_add(m->f, FINDING_LOST, "chat %s never got: %s", c->chat, c->keys[i]);
		if (n > 1)
			findings_add(
			    m->f, FINDING_TWO_TURNS, "chat %s got %u texts with: %s", c->chat, n, c->keys[i]);
	}
	if (r->count > c->texts)
		findings_add(
		    m->f, FINDING_BROKEN, "chat %s has %zu texts, not %zu", c->chat, r->count, c->texts);
	else if (r->count < c->texts && !m->scenario->fewer && !is_excused(m, c, ""))
		findings_add(
		    m->f, FINDING_LOST, "chat %s has %zu texts, not %zu", c->chat, r->count, c->texts);
}

static void judge_chat(struct matter *m, const struct talk_chat *c)
{
	struct chat_record r = {.count = 0};

	record_chat(m, c->chat, &r);
	for (size_t i = 0; i < r.count; i++)
		judge_repeats(m, c, &r.texts[i]);
	judge_keys(m, c, &r);
	if (r.unfinished > m->s->deaths)
		findings_add(
		    m->f, FINDING_BROKEN, "chat %s has %u unfinished answers", c->chat, r.unfinished);
	if (m->s->send_state && strcmp(m->s->send_state, "sent") == 0 && c->notices && r.count == 0)
		findings_add(m->f, FINDING_LOST, "the operator was told of a message that was never sent");
	for (size_t i = 0; i < r.count; i++)
		free(r.texts[i].text);
}

/* Each file is read by one call of one turn. */
static void judge_tools(struct matter *m)
{
	for (size_t i = 0; i < talk_file_count; i++) {
		unsigned n = 0;
		for (size_t k = 0; k < m->s->read_count; k++)
			n += strstr(m->s->read[k], talk_files[i].name) != NULL;
		if (n > 1)
			findings_add(
			    m->f, FINDING_EFFECTS, "%s was read %u times by one call", talk_files[i].name, n);
	}
}

/* What a file below the state directory holds; NULL: there is none. */
static char *read_state(struct matter *m, const char *name)
{
	char *path = xasprintf("%s/%s", m->w->state, name), text[4096];
	FILE *in = fopen(path, "r");

	free(path);
	if (!in)
		return NULL;
	size_t n = fread(text, 1, sizeof(text) - 1, in);
	text[n] = '\0';
	fclose(in);
	return xstrdup(text);
}

/* Each note is there once, or its call was reported as interrupted; a file is whole or not there. */
static void judge_notes(struct matter *m)
{
	char *name = xasprintf("workspace/chat/telegram%%3A77/notes/%s.txt", m->scenario->note);
	char *want = xasprintf("Note of %s.\n", m->scenario->note);
	char *key = xasprintf("Remember %s.", m->scenario->note);
	char *file = read_state(m, name), *memory = read_state(m, "memory/chat/telegram%3A77/MEMORY.md");
	bool interrupted = false;
	unsigned n = 0;

	each_model_message(m, see_interrupted, &interrupted);
	for (const char *at = memory; at && (at = strstr(at, key)); at++)
		n++;
	if (n > 1)
		findings_add(m->f, FINDING_EFFECTS, "noted %u times by one call: %s", n, key);
	if (n == 0 && !interrupted)
		findings_add(m->f, FINDING_LOST, "a note that the model was told of: %s", key);
	if (memory && n == 0)
		findings_add(m->f, FINDING_BROKEN, "the memory is not whole: %s", memory);
	if (!file && !interrupted)
		findings_add(m->f, FINDING_LOST, "a file that the model was told of: %s", name);
	if (file && strcmp(file, want) != 0)
		findings_add(m->f, FINDING_BROKEN, "%s is not whole: %s", name, file);
	free(name);
	free(want);
	free(key);
	free(file);
	free(memory);
}

static void see_command(struct matter *m, struct json_object *message, void *arg)
{
	const char *role = json_get_str(message, "role"), *content = json_get_str(message, "content");

	(void)m;
	if (role && content && strcmp(role, "tool") == 0 && strstr(content, "\"exit_code\":0"))
		*(bool *)arg = true;
}

/* The command ran once, in the folder of its chat, if the model was told that it did; else once at most. What
 * it did not sync does not outlive a power cut. */
static void judge_command(struct matter *m)
{
	char *file = read_state(m, "workspace/chat/telegram%3A77/made.txt");
	bool done = false;

	each_model_message(m, see_command, &done);
	if (done && !file && !m->s->cut)
		findings_add(m->f, FINDING_LOST, "what a command wrote is not in the folder of its chat");
	if (file && strcmp(file, "made\n") != 0 && strcmp(file, "") != 0)
		findings_add(m->f, FINDING_EFFECTS, "a command ran more than once: %s", file);
	free(file);
}

/* A file that came in is kept once, whole. */
static void judge_kept(struct matter *m, const char *text)
{
	char *pattern = xasprintf("%s/workspace/chat/telegram%%3A77/files/telegram-77/plan-*", m->w->state),
	     *kept = NULL;
	glob_t found = {0};

	glob(pattern, 0, NULL, &found);
	if (found.gl_pathc == 1)
		kept = read_state(m, found.gl_pathv[0] + strlen(m->w->state) + 1);
	if (found.gl_pathc == 0)
		findings_add(m->f, FINDING_LOST, "a file that came in is not there");
	else if (found.gl_pathc > 1)
		findings_add(m->f, FINDING_EFFECTS, "a file that came in is there %zu times", found.gl_pathc);
	else if (!kept || strcmp(kept, text) != 0)
		findings_add(m->f, FINDING_BROKEN, "a file that came in is not whole: %s", kept ? kept : "");
	globfree(&found);
	free(kept);
	free(pattern);
}

/* nftw passes nothing along. */
static struct {
	struct findings *f;
	size_t skip; /* bytes of the path of the workspace and a slash */
} scope;

static int judge_place(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	static const char own[] = "chat/telegram%3A77/", hidden[] = ".myna-";

	(void)st;
	(void)at;
	/* No chat sees what the proof of the sandbox leaves when it is killed. */
	if (kind != FTW_D && strncmp(path + scope.skip, own, sizeof(own) - 1) != 0 &&
	    strncmp(path + scope.skip, hidden, sizeof(hidden) - 1) != 0)
		findings_add(
		    scope.f, FINDING_LOST, "a file is not where its chat sees it: %s", path + scope.skip);
	return 0;
}

/* The files that people send and turns write are all of this one chat. */
static void judge_scope(struct matter *m)
{
	char *workspace = xasprintf("%s/workspace", m->w->state);

	scope.f = m->f;
	scope.skip = strlen(workspace) + 1;
	nftw(workspace, judge_place, 8, FTW_PHYS);
	free(workspace);
}

/* Removes the acknowledgement, which the killed gateway may not have set yet. */
static bool is_removal(struct json_object *request)
{
	const char *problems = json_object_to_json_string(json_get(request, "problems"));

	return strcmp(json_get_str(request, "method"), "DELETE /channels/messages/reactions") == 0 &&
	    strstr(problems, "10014");
}

static void judge_requests(struct matter *m, struct json_object *o, const char *who)
{
	struct json_object *requests = json_get_array(o, "requests");

	for (size_t i = 0; requests && i < json_object_array_length(requests); i++) {
		struct json_object *r = json_object_array_get_idx(requests, i);
		if (strcmp(json_get_str(r, "verdict"), "ok") != 0 && !is_removal(r))
			findings_add(m->f, FINDING_BROKEN, "%s refused %s: %s", who,
			    json_get_str(r, "method"), json_object_to_json_string(json_get(r, "problems")));
	}
}

static int take_held(void *arg, int columns, char **values, char **names)
{
	struct matter *m = arg;

	(void)columns;
	(void)names;
	m->held = xrealloc(m->held, (m->held_count + 1) * sizeof(*m->held));
	m->held[m->held_count++] = xstrdup(values[0]);
	return 0;
}

static int complain(void *arg, int columns, char **values, char **names)
{
	struct matter *m = arg;

	(void)columns;
	(void)names;
	if (strcmp(values[0], "ok") != 0)
		findings_add(m->f, FINDING_BROKEN, "the database at the end: %s", values[0]);
	return 0;
}

/* Whatever has not come to a good end. A part is not sent after one that is held, which takes two crashes. */
static void judge_database(struct matter *m)
{
	static const char unfinished[] =
	    "SELECT 'inbox row ' || id || ' is not done' FROM inbox WHERE state < 2 UNION ALL SELECT "
	    "'message of turn ' || turn || ' is dead' FROM inbox WHERE state = 3 UNION ALL SELECT 'outbox "
	    "row ' || id || ' has not ended' FROM outbox WHERE state < 2 UNION ALL SELECT 'outbox row ' || "
	    "id || ' failed: ' || reason FROM outbox AS o WHERE state = 4 AND NOT EXISTS  (SELECT 1 FROM "
	    "outbox WHERE turn = o.turn AND id < o.id AND state = 3) UNION ALL SELECT 'a message is held on "
	    "' || channel FROM outbox WHERE state = 3 AND channel <> 'telegram' UNION ALL SELECT 'turn ' || "
	    "id || ' has state ' || state FROM turns WHERE state <> 1";
	char *path = xasprintf("%s/myna.db", m->w->state);
	sqlite3 *db = NULL;

	if (sqlite3_open(path, &db) != SQLITE_OK ||
	    sqlite3_exec(db, "PRAGMA integrity_check", complain, m, NULL) != SQLITE_OK ||
	    sqlite3_exec(db, unfinished, complain, m, NULL) != SQLITE_OK ||
	    sqlite3_exec(db, "SELECT text FROM outbox WHERE state = 3", take_held, m, NULL) != SQLITE_OK)
		findings_add(
		    m->f, FINDING_BROKEN, "the database cannot be read at the end: %s", sqlite3_errmsg(db));
	sqlite3_close(db);
	if ((size_t)m->s->shown_uncertain != m->held_count)
		findings_add(m->f, FINDING_BROKEN, "the status shows %lld uncertain messages of %zu",
		    (long long)m->s->shown_uncertain, m->held_count);
	free(path);
}

/* A database that was set aside as damaged. */
static void judge_files(struct matter *m)
{
	char *pattern = xasprintf("%s/*.damaged*", m->w->state);
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0) {
		findings_add(
		    m->f, FINDING_BROKEN, "the database was taken for damaged: %s", found.gl_pathv[0]);
		globfree(&found);
	}
	free(pattern);
}

static void judge_platform(struct matter *m, const char *platform)
{
	char *path = xasprintf("/control/requests?platform=%s", platform);
	struct json_object *requests = world_ask(m->w, path, NULL);

	judge_requests(m, requests, platform);
	json_object_put(requests);
	free(path);
}

void judge(struct world *w, const struct scenario *scenario, const struct witness *s, struct findings *f)
{
	static const char *const platforms[] = {"telegram", "slack", "discord"};
	struct matter m = {.w = w, .scenario = scenario, .s = s, .f = f};

	m.model = world_ask(w, "/control/model", NULL);
	judge_database(&m);
	judge_files(&m);
	judge_scope(&m);
	for (size_t i = 0; i < (w->everywhere ? ARRAY_LEN(platforms) : 1); i++)
		judge_platform(&m, platforms[i]);
	judge_requests(&m, m.model, "the model");
	judge_turns(&m);
	judge_tools(&m);
	if (scenario->note)
		judge_notes(&m);
	if (scenario->command)
		judge_command(&m);
	if (scenario->file)
		judge_kept(&m, scenario->file);
	for (size_t i = 0; i < TALK_CHATS && scenario->chats[i].chat; i++)
		judge_chat(&m, &scenario->chats[i]);
	f->in_doubt = (unsigned)s->in_doubt_count;
	f->held = (unsigned)m.held_count;
	json_object_put(m.model);
	for (size_t i = 0; i < m.held_count; i++)
		free(m.held[i]);
	free(m.held);
}
