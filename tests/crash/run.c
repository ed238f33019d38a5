#include "crash/run.h"

#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "crash/disk.h"
#include "crash/events.h"
#include "crash/scenario.h"
#include "crash/world.h"

/* All is done long before; a gateway that is not stands still. */
#define QUIET_MS 30000
/* Between two looks: at first, as most is done at once, and in the end. Each is work for all three programs.
 */
#define LOOK_MIN_MS 2
#define LOOK_MAX_MS 20
/* Quiet for so long is done, and without all answers for so long. */
#define SETTLED_MS  30
#define PATIENCE_MS 3000

struct run {
	struct world *w;
	const struct scenario *scenario;
	bool said[TALK_LINES];
	struct witness seen;
	struct run_result *result;
};

static bool chat_has(struct world *w, const char *chat, const char *key)
{
	struct json_object *o = world_transcript(w, chat), *messages = json_get_array(o, "messages");
	bool found = false;

	for (size_t i = 0; messages && i < json_object_array_length(messages) && !found; i++) {
		struct json_object *m = json_object_array_get_idx(messages, i);
		found = json_get_bool(m, "bot", false) && strstr(json_get_str(m, "text"), key);
	}
	json_object_put(o);
	return found;
}

static bool is_ready(struct world *w)
{
	struct json_object *status = world_status(w);
	bool ready = json_get_bool(status, "ready", false);

	json_object_put(status);
	return ready;
}

/* An operator sends; with a key, so that it may be tried again when no answer came. */
static bool operate(struct run *r, const struct talk_line *line)
{
	struct json_object *o, *results;
	const char *state = NULL;

	if (!is_ready(r->w))
		return false;
	o = world_send(r->w, line->chat, line->text, "key-of-the-operator");
	results = json_get_array(o, "results");
	if (results)
		state = json_get_str(json_object_array_get_idx(results, 0), "state");
	if (state) {
		free(r->seen.send_state);
		r->seen.send_state = xstrdup(state);
	}
	bool answered = results;
	json_object_put(o);
	return answered;
}

/* An answer that two crashes have left in doubt is held, and nobody waits for it any longer. */
static bool is_time(struct run *r, const struct talk_line *line, bool running)
{
	if (!line->after)
		return true;
	if (!running || (r->w->everywhere && !is_ready(r->w)))
		return false;
	return *line->after == '\0' || r->seen.shown_uncertain > 0 || chat_has(r->w, line->chat, line->after);
}

/* Says what is to be said by now: true when all is. */
static bool say(struct run *r, bool running)
{
	bool all = true;

	for (size_t i = 0; i < TALK_LINES && r->scenario->lines[i].chat; i++) {
		const struct talk_line *line = &r->scenario->lines[i];
		if (!r->said[i] && !line->user) {
			r->said[i] = running && operate(r, line);
		} else if (!r->said[i] && is_time(r, line, running)) {
			world_say(r->w, line->chat, line->user, line->text,
			    strcmp(line->chat, "telegram:77") == 0 ? r->scenario->file : NULL);
			r->said[i] = true;
		}
		all = all && r->said[i];
	}
	return all;
}

/* Nothing waits any more: neither at the platform nor here. */
static bool is_quiet(struct run *r)
{
	struct json_object *status, *queue;
	bool quiet;

	if (world_unconfirmed(r->w) != 0)
		return false;
	status = world_status(r->w);
	queue = json_get_object(status, "queue");
	quiet = json_get_bool(status, "ready", false) && json_get_int(queue, "inbox_pending", 1) == 0 &&
	    json_get_int(queue, "outbox_queued", 1) == 0 && json_get_int(queue, "turns_open", 1) == 0 &&
	    json_get_int(status, "turns_running", 1) == 0;
	r->seen.shown_uncertain = json_get_int(queue, "outbox_uncertain", 0);
	json_object_put(status);
	return quiet;
}

/* A notice that is held will not be shown. */
static bool all_is_shown(struct run *r)
{
	for (size_t i = 0; i < TALK_CHATS && r->scenario->chats[i].chat; i++) {
		const struct talk_chat *c = &r->scenario->chats[i];
		if (c->notices && r->seen.shown_uncertain > 0)
			continue;
		for (size_t k = 0; k < ARRAY_LEN(c->keys) && c->keys[k]; k++)
			if (!chat_has(r->w, c->chat, c->keys[k]))
				return false;
	}
	return true;
}

/* Discord does not learn what has arrived: after a start it repeats, or is asked, while nothing waits here
 * yet. */
static uint64_t quiet_enough_ms(struct run *r)
{
	if (!r->scenario->everywhere)
		return 0;
	return all_is_shown(r) ? SETTLED_MS : PATIENCE_MS;
}

/* Until all is said and done, or the gateway has died. */
static bool go_on(struct run *r)
{
	uint64_t until = world_now_ms() + QUIET_MS, quiet_since = 0, now;

	for (int look = LOOK_MIN_MS; !world_ended(r->w, look); look += look < LOOK_MAX_MS) {
		bool said = say(r, true), quiet = is_quiet(r) && said;
		now = world_now_ms();
		if (!quiet)
			quiet_since = 0;
		else if (quiet_since == 0)
			quiet_since = now;
		if (quiet && now - quiet_since >= quiet_enough_ms(r))
			return true;
		if (now > until) {
			findings_add(
			    &r->result->findings, FINDING_BROKEN, "it is not done after %d ms", QUIET_MS);
			return true;
		}
	}
	return false;
}

static void run_begin(struct run *r)
{
	world_reset(r->w, r->scenario->first_start, r->scenario->everywhere, r->scenario->queue);
	if (r->scenario->fault)
		json_object_put(world_ask(r->w, "/control/fault", r->scenario->fault));
	say(r, false);
}

static void start(struct run *r, uint64_t at, enum shim_mode mode)
{
	world_start(r->w, at, mode);
	r->result->starts++;
}

/* Ends the gateway if it lives, and looks at what it leaves. */
static void stop_and_look(struct run *r)
{
	world_end(r->w, SIGKILL);
	witness_events(&r->seen, r->w->side);
}

static bool has_died(const char *side)
{
	struct events ev = {0};
	struct event e;
	bool died = false;

	events_load(&ev, side);
	while (events_next(&ev, &e))
		died = died || e.op == SHIM_DIED;
	events_clear(&ev);
	return died;
}

static void add_end(struct run *r, const char *when)
{
	int status = r->w->status;

	findings_add(&r->result->findings, FINDING_BROKEN, "the gateway ended by itself%s: %s %d", when,
	    WIFSIGNALED(status) ? "signal" : "exit status",
	    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Starts the gateway and lets it come as far as the point: true when it died there. */
static bool start_and_die(struct run *r, uint64_t at, enum shim_mode mode)
{
	start(r, at, mode);
	bool lived = go_on(r);
	stop_and_look(r);
	bool died = has_died(r->w->side);
	r->seen.deaths += died;
	if (!lived && !died)
		add_end(r, "");
	return died;
}

static void play(struct disk *d, const char *side)
{
	struct events ev = {0};
	struct event e;

	events_load(&ev, side);
	while (events_next(&ev, &e))
		disk_play(d, &e);
	events_clear(&ev);
}

static void run_end(struct run *r)
{
	judge(r->w, r->scenario, &r->seen, &r->result->findings);
	witness_clear(&r->seen);
}

/* The killed process polled with an offset, and its successor does with the same: the platform holds that
 * poll until something comes. A stranger writes, who is not answered. */
static void nudge(struct world *w)
{
	world_say(w, "telegram:99", "99", "is anybody there?", NULL);
}

void run_crash(struct world *w, const struct run_plan *plan, struct run_result *result)
{
	struct run r = {.w = w, .scenario = plan->scenario, .result = result};
	struct disk *disk;

	run_begin(&r);
	disk = plan->cut ? disk_new(w->state) : NULL;
	r.seen.cut = plan->cut;
	result->died = start_and_die(&r, plan->point, plan->mode);
	if (disk) {
		play(disk, w->side);
		disk_cut(disk, w->state, plan->seed);
	}
	witness_database(&r.seen, w, &result->findings);
	nudge(w);
	if (plan->again) {
		start_and_die(&r, plan->again, plan->mode);
		r.seen.crashed_again = true;
		witness_database(&r.seen, w, &result->findings);
		nudge(w);
	}
	start(&r, 0, SHIM_BEFORE);
	if (!go_on(&r))
		add_end(&r, " after the crash");
	stop_and_look(&r);
	run_end(&r);
	disk_free(disk);
}

static void write_files(const char *state)
{
	char *workspace = xasprintf("%s/workspace", state), *folder = xasprintf("%s/chat", workspace),
	     *own = xasprintf("%s/telegram%%3A77", folder);
	struct stat st;

	mkdir(folder, 0755);
	mkdir(own, 0755);
	if (stat(workspace, &st) != 0 || chown(folder, st.st_uid, st.st_gid) != 0 ||
	    chown(own, st.st_uid, st.st_gid) != 0) {
		printf("Bail out! %s cannot be given away\n", own);
		exit(99);
	}
	for (size_t i = 0; i < talk_file_count; i++) {
		char *path = xasprintf("%s/%s", own, talk_files[i].name);
		FILE *out = fopen(path, "w");
		if (out) {
			fputs(talk_files[i].text, out);
			fclose(out);
		}
		free(path);
	}
	free(workspace);
	free(own);
	free(folder);
}

/* The playground forgets what a session of Discord was told, so that the next run begins another one. */
static void forget_session(const char *state)
{
	static const char sql[] =
	    "UPDATE cursors SET value = json_remove(value, '$.session') WHERE name = 'gateway'";
	char *path = xasprintf("%s/myna.db", state);
	sqlite3 *db = NULL;

	if (sqlite3_open(path, &db) != SQLITE_OK || sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
		printf("Bail out! %s: %s\n", path, sqlite3_errmsg(db));
		exit(99);
	}
	sqlite3_close(db);
	free(path);
}

void run_template(struct world *w)
{
	/* Discord lists no private chats: where a session is lost, only those can be fetched that have
	 * written before. */
	static const struct scenario warm_up = {
	    .first_start = true,
	    .everywhere = true,
	    .lines = {{"telegram:77", "77", "ask omega", NULL}, {"slack:ann", "ann", "ask omega", ""},
		{"discord:ann", "ann", "ask omega", ""}, {"discord:bob", "bob", "ask omega", ""},
		{"discord:cy", "cy", "ask omega", ""}},
	    .chats = {{"telegram:77", 1, {"Answer to omega"}, false},
		{"slack:ann", 1, {"Answer to omega"}, false}, {"discord:ann", 1, {"Answer to omega"}, false},
		{"discord:bob", 1, {"Answer to omega"}, false},
		{"discord:cy", 1, {"Answer to omega"}, false}},
	};
	struct run_result result = {.findings = {.text = BUF_INIT}};
	struct run r = {.w = w, .scenario = &warm_up, .result = &result};

	run_begin(&r);
	start(&r, 0, SHIM_BEFORE);
	if (!go_on(&r) || !all_is_shown(&r) || findings_any(&result.findings) || world_end(w, SIGTERM) != 0) {
		char *log = world_log(w);
		printf(
		    "Bail out! a conversation does not work at all: %s%s\n", result.findings.text.data, log);
		exit(99);
	}
	forget_session(w->state);
	write_files(w->state);
	mkdir(w->template, 0700);
	world_copy(w->state, w->template);
	witness_clear(&r.seen);
}

/* The kinds of the points. Starts look alike: that of the first conversations is enough. */
static unsigned char *read_points(const char *side, uint64_t *points)
{
	unsigned char *kinds = NULL;
	struct events ev = {0};
	struct event e;

	*points = 0;
	events_load(&ev, side);
	while (events_next(&ev, &e)) {
		if (e.point == 0 || e.op == SHIM_DIED)
			continue;
		kinds = xrealloc(kinds, e.point);
		kinds[e.point - 1] = (unsigned char)e.op;
		*points = e.point;
	}
	events_clear(&ev);
	return kinds;
}

unsigned char *run_dry(
    struct world *w, const struct scenario *scenario, struct run_result *result, uint64_t *points)
{
	struct run r = {.w = w, .scenario = scenario, .result = result};
	unsigned char *kinds;
	struct disk *disk;
	char *differs;

	run_begin(&r);
	disk = disk_new(w->state);
	start(&r, 0, SHIM_BEFORE);
	if (!go_on(&r))
		add_end(&r, "");
	stop_and_look(&r);
	play(disk, w->side);
	differs = disk_differs(disk, w->state);
	if (differs)
		findings_add(
		    &result->findings, FINDING_BROKEN, "the shim did not see all writes to %s", differs);
	free(differs);
	disk_free(disk);
	kinds = read_points(w->side, points);
	run_end(&r);
	return kinds;
}
