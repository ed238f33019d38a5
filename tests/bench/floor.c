/*
 * The floor of what a message costs: a bot with Myna's libraries and durability and nothing else. It polls
 * Telegram, commits each message before the next poll confirms it, asks the model, commits the answer, and
 * sends it. One group commit carries all messages of a poll, and one all answers of an iteration of the loop.
 *
 *   BOT_API, BOT_MODEL: base URLs; BOT_TOKEN; BOT_DIR: folder of the database
 */
#include <curl/curl.h>
#include <json-c/json.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#define REPLY_MAX (1u << 20)
#define TEXT_MAX  4096

enum kind { POLL, ASK, SEND, KINDS };

/* A request and its reply. Its handle and its room are used again. */
struct call {
	CURL *easy;
	enum kind kind;
	char *reply;
	size_t len, room;
	char body[2 * TEXT_MAX], chat[24], answer[TEXT_MAX];
	sqlite3_int64 id; /* of the message */
	struct call *next;
};

struct watch {
	uv_poll_t poll;
	curl_socket_t fd;
};

static CURLM *multi;
static struct curl_slist *headers;
static uv_timer_t timer;
static uv_prepare_t group;
static struct call *unused[KINDS], *answered;
static char *urls[KINDS];
static sqlite3 *db;
static sqlite3_stmt *begin, *commit, *insert, *finish, *move;
static long long offset;

static void die(const char *what)
{
	fprintf(stderr, "floor: %s\n", what);
	exit(2);
}

/* The store. */

static sqlite3_stmt *prepare(const char *sql)
{
	sqlite3_stmt *st;

	if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &st, NULL) != SQLITE_OK)
		die(sqlite3_errmsg(db));
	return st;
}

static void run(sqlite3_stmt *st)
{
	if (sqlite3_step(st) != SQLITE_DONE)
		die(sqlite3_errmsg(db));
	sqlite3_reset(st);
}

static void open_store(const char *dir)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/floor.db", dir);
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
		NULL) != SQLITE_OK ||
	    sqlite3_exec(db,
		"PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
		"CREATE TABLE message (id INTEGER PRIMARY KEY, event INTEGER UNIQUE, chat TEXT, text TEXT, "
		"answer TEXT);"
		"CREATE TABLE cursor (id INTEGER PRIMARY KEY, value INTEGER);"
		"INSERT INTO cursor VALUES (1, 0)",
		NULL, NULL, NULL) != SQLITE_OK)
		die(sqlite3_errmsg(db));
	begin = prepare("BEGIN IMMEDIATE");
	commit = prepare("COMMIT");
	insert = prepare("INSERT INTO message (event, chat, text) VALUES (?1, ?2, ?3)");
	finish = prepare("UPDATE message SET answer = ?1 WHERE id = ?2");
	move = prepare("UPDATE cursor SET value = ?1 WHERE id = 1");
}

/* Requests. */

static size_t collect(char *data, size_t size, size_t count, void *arg)
{
	struct call *c = arg;
	size_t n = size * count;

	if (c->len + n >= c->room) {
		c->room = 2 * (c->len + n);
		if (c->room > REPLY_MAX || !(c->reply = realloc(c->reply, c->room)))
			return 0;
	}
	memcpy(c->reply + c->len, data, n);
	c->len += n;
	c->reply[c->len] = '\0';
	return n;
}

static struct call *call_new(enum kind kind)
{
	struct call *c = unused[kind];

	if (c) {
		unused[kind] = c->next;
		c->len = 0;
		return c;
	}
	c = calloc(1, sizeof(*c));
	if (!c || !(c->easy = curl_easy_init()))
		die("out of memory");
	c->kind = kind;
	curl_easy_setopt(c->easy, CURLOPT_URL, urls[kind]);
	curl_easy_setopt(c->easy, CURLOPT_PRIVATE, c);
	curl_easy_setopt(c->easy, CURLOPT_WRITEFUNCTION, collect);
	curl_easy_setopt(c->easy, CURLOPT_WRITEDATA, c);
	curl_easy_setopt(c->easy, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(c->easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c->easy, CURLOPT_PROXY, "");
	return c;
}

static void call_done(struct call *c)
{
	c->next = unused[c->kind];
	unused[c->kind] = c;
}

/* takes o. */
static void call_start(struct call *c, struct json_object *o)
{
	snprintf(c->body, sizeof(c->body), "%s", json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN));
	json_object_put(o);
	curl_easy_setopt(c->easy, CURLOPT_POSTFIELDS, c->body);
	curl_multi_add_handle(multi, c->easy);
}

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(o, key, &value);
	return value;
}

static void poll_updates(void)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "offset", json_object_new_int64(offset));
	json_object_object_add(o, "timeout", json_object_new_int(30));
	call_start(call_new(POLL), o);
}

static void ask(struct call *c, const char *text)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array(),
			   *m = json_object_new_object();

	json_object_object_add(m, "role", json_object_new_string("user"));
	json_object_object_add(m, "content", json_object_new_string(text));
	json_object_array_add(list, m);
	json_object_object_add(o, "model", json_object_new_string("scripted"));
	json_object_object_add(o, "stream", json_object_new_boolean(1));
	json_object_object_add(o, "messages", list);
	call_start(c, o);
}

static void send_answer(const struct call *c)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "chat_id", json_object_new_int64(strtoll(c->chat, NULL, 10)));
	json_object_object_add(o, "text", json_object_new_string(c->answer));
	call_start(call_new(SEND), o);
}

/* A message: committed with the others of its poll. */
static struct call *receive(struct json_object *update)
{
	struct json_object *m = member(update, "message"), *text = member(m, "text");
	long long event = json_object_get_int64(member(update, "update_id"));
	struct call *c;

	if (event >= offset)
		offset = event + 1;
	if (!text)
		return NULL;
	c = call_new(ASK);
	snprintf(c->chat, sizeof(c->chat), "%s", json_object_get_string(member(member(m, "chat"), "id")));
	snprintf(c->answer, sizeof(c->answer), "%s", json_object_get_string(text));
	sqlite3_bind_int64(insert, 1, event);
	sqlite3_bind_text(insert, 2, c->chat, -1, SQLITE_STATIC);
	sqlite3_bind_text(insert, 3, c->answer, -1, SQLITE_STATIC);
	run(insert);
	c->id = sqlite3_last_insert_rowid(db);
	return c;
}

static void on_updates(struct call *poll)
{
	struct json_object *o = json_tokener_parse(poll->reply), *updates = member(o, "result");
	size_t count = updates ? json_object_array_length(updates) : 0;
	struct call *first = NULL, *c;

	if (count > 0) {
		run(begin);
		for (size_t i = 0; i < count; i++)
			if ((c = receive(json_object_array_get_idx(updates, i)))) {
				c->next = first;
				first = c;
			}
		sqlite3_bind_int64(move, 1, offset);
		run(move);
		run(commit);
	}
	json_object_put(o);
	call_done(poll);
	while ((c = first)) {
		char text[TEXT_MAX];

		first = c->next;
		snprintf(text, sizeof(text), "%s", c->answer);
		ask(c, text);
	}
	poll_updates();
}

/* Puts the stream's pieces together. */
static void on_reply(struct call *c)
{
	size_t len = 0;
	char *save = NULL;

	c->answer[0] = '\0';
	for (char *line = strtok_r(c->reply, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct json_object *o =
		    strncmp(line, "data: {", 7) == 0 ? json_tokener_parse(line + 6) : NULL;
		struct json_object *choices = member(o, "choices");
		struct json_object *choice = choices && json_object_array_length(choices) > 0 ?
		    json_object_array_get_idx(choices, 0) :
		    NULL;
		const char *piece = json_object_get_string(member(member(choice, "delta"), "content"));

		if (piece && len < sizeof(c->answer))
			len += (size_t)snprintf(c->answer + len, sizeof(c->answer) - len, "%s", piece);
		json_object_put(o);
	}
	c->next = answered;
	answered = c;
}

static void before_waiting(uv_prepare_t *handle)
{
	struct call *list = answered;

	(void)handle;
	if (!list)
		return;
	answered = NULL;
	run(begin);
	for (struct call *c = list; c; c = c->next) {
		sqlite3_bind_text(finish, 1, c->answer, -1, SQLITE_STATIC);
		sqlite3_bind_int64(finish, 2, c->id);
		run(finish);
	}
	run(commit);
	while (list) {
		struct call *c = list;

		list = c->next;
		send_answer(c);
		call_done(c);
	}
}

/* The loop. */

static void advance(curl_socket_t fd, int events)
{
	CURLMsg *m;
	int running, left;

	curl_multi_socket_action(multi, fd, events, &running);
	while ((m = curl_multi_info_read(multi, &left))) {
		struct call *c;

		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&c);
		if (m->data.result != CURLE_OK)
			die(curl_easy_strerror(m->data.result));
		curl_multi_remove_handle(multi, c->easy);
		if (c->kind == POLL)
			on_updates(c);
		else if (c->kind == ASK)
			on_reply(c);
		else
			call_done(c);
	}
}

static void on_timer(uv_timer_t *handle)
{
	(void)handle;
	advance(CURL_SOCKET_TIMEOUT, 0);
}

static int set_timer(CURLM *m, long ms, void *arg)
{
	(void)m;
	(void)arg;
	if (ms < 0)
		uv_timer_stop(&timer);
	else
		uv_timer_start(&timer, on_timer, (uint64_t)ms, 0);
	return 0;
}

static void on_socket(uv_poll_t *poll, int status, int events)
{
	struct watch *w = poll->data;
	int what =
	    (events & UV_READABLE ? CURL_CSELECT_IN : 0) | (events & UV_WRITABLE ? CURL_CSELECT_OUT : 0);

	advance(w->fd, status < 0 ? CURL_CSELECT_ERR : what);
}

static void free_watch(uv_handle_t *handle)
{
	free(handle->data);
}

static int set_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *data)
{
	struct watch *w = data;

	(void)easy;
	(void)arg;
	if (what == CURL_POLL_REMOVE) {
		if (w)
			uv_close((uv_handle_t *)&w->poll, free_watch);
		return 0;
	}
	if (!w) {
		if (!(w = calloc(1, sizeof(*w))))
			die("out of memory");
		w->fd = fd;
		uv_poll_init_socket(uv_default_loop(), &w->poll, fd);
		w->poll.data = w;
		curl_multi_assign(multi, fd, w);
	}
	uv_poll_start(&w->poll,
	    (what & CURL_POLL_IN ? UV_READABLE : 0) | (what & CURL_POLL_OUT ? UV_WRITABLE : 0), on_socket);
	return 0;
}

static void on_signal(uv_signal_t *handle, int number)
{
	(void)number;
	uv_stop(handle->loop);
}

static char *url(const char *base, const char *rest)
{
	char *text = NULL;

	if (!base || asprintf(&text, "%s%s", base, rest) < 0)
		die("BOT_API, BOT_MODEL, BOT_TOKEN and BOT_DIR must be set");
	return text;
}

int main(void)
{
	const char *token = getenv("BOT_TOKEN"), *dir = getenv("BOT_DIR");
	uv_signal_t term;
	char path[256];

	snprintf(path, sizeof(path), "/bot%s/getUpdates", token ? token : "");
	urls[POLL] = url(getenv("BOT_API"), path);
	snprintf(path, sizeof(path), "/bot%s/sendMessage", token ? token : "");
	urls[SEND] = url(getenv("BOT_API"), path);
	urls[ASK] = url(getenv("BOT_MODEL"), "/chat/completions");
	open_store(dir ? dir : ".");
	curl_global_init(CURL_GLOBAL_DEFAULT);
	multi = curl_multi_init();
	headers = curl_slist_append(NULL, "Content-Type: application/json");
	headers = curl_slist_append(headers, "Expect:");
	headers = curl_slist_append(headers, "Authorization: Bearer a-key-for-measurements");
	curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, set_socket);
	curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
	curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 1200L);
	uv_timer_init(uv_default_loop(), &timer);
	uv_prepare_init(uv_default_loop(), &group);
	uv_prepare_start(&group, before_waiting);
	uv_signal_init(uv_default_loop(), &term);
	uv_signal_start(&term, on_signal, SIGTERM);
	poll_updates();
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	return sqlite3_close_v2(db) == SQLITE_OK ? 0 : 1;
}
