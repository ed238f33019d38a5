/* Files that came with messages: loaded before the turn, told to the agent, never twice. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/log.h"
#include "bus/message.h"
#include "lib/stage.h"

static struct attachment *attach(
    struct message *m, enum attachment_kind kind, const char *name, const char *ref)
{
	struct attachment *a = attachments_add(&m->attachments, &m->attachment_count, kind);

	a->name = xstrdup(name);
	a->ref = xstrdup(ref);
	return a;
}

static void say_file(struct task *t, struct stage *st, const char *text, const char *name, const char *ref)
{
	struct message *m = stage_message(st, "7", text);

	attach(m, ATTACHMENT_FILE, name, ref);
	stage_receive(t, st, &m, 1);
}

/* The first path that the model was told, malloc'd. */
static char *told_path(struct stage *st)
{
	const char *at = strstr(st->told.data, "files/chat-7/");

	if (!at)
		fail_msg("no path in: %s", st->told.data);
	return xstrndup(at, strcspn(at, ".]\n") + 4);
}

static char *kept(struct stage *st, const char *path)
{
	char *whole = xasprintf("%s/workspace/chat/chat%%3A7/%s", st->dir, path), *text = xcalloc(1, 256);
	FILE *f = fopen(whole, "r");

	if (!f)
		fail_msg("%s is not there", whole);
	text[fread(text, 1, 255, f)] = '\0';
	fclose(f);
	free(whole);
	return text;
}

static size_t kept_count(struct stage *st)
{
	char *path = xasprintf("%s/workspace/chat/chat%%3A7/files/chat-7", st->dir);
	DIR *dir = opendir(path);
	size_t n = 0;

	for (struct dirent *e; dir && (e = readdir(dir));)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (dir)
		closedir(dir);
	free(path);
	return n;
}

STAGE_TEST(a_file_is_kept_and_the_agent_is_told_where)
{
	say_file(t, st, "what is this?", "report.txt", "r1");
	stage_settle(t, st);
	char *path = told_path(st), *text = kept(st, path);
	assert_string_equal(text, "bytes of r1");
	assert_has(
	    st->told.data, "]\nwhat is this?\n[file report.txt, text/plain, 11 B: files/chat-7/report-");
	assert_has(path, ".txt");
	assert_lacks(st->log.data, "r1");
	free(path);
	free(text);
}

STAGE_TEST(a_file_without_words_is_a_message)
{
	say_file(t, st, "", "report.txt", "r1");
	stage_settle(t, st);
	assert_int_equal(st->asked, 1);
	assert_has(st->shown.data, "re: [file report.txt");
}

STAGE_TEST(an_album_is_one_turn)
{
	struct message *m[3];

	for (int i = 0; i < 3; i++) {
		char name[16];
		m[i] = stage_message(st, "7", i == 0 ? "three pictures" : "");
		m[i]->continues = true;
		snprintf(name, sizeof(name), "p%d.jpg", i);
		attach(m[i], ATTACHMENT_IMAGE, name, name);
	}
	stage_receive(t, st, m, 3);
	stage_settle(t, st);
	assert_int_equal(st->asked, 1);
	assert_int_equal(kept_count(st), 3);
	assert_has(st->told.data, "three pictures\n[image p0.jpg");
	assert_has(st->told.data, "[image p2.jpg");
}

static int fail_twice(struct task *t, struct stage *st, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err)
{
	(void)t, (void)a;
	/* A part of it arrived each time. */
	if (sink->data("half", 4, sink->arg) < 0 || st->fetches < 3)
		return error_set(err, ERROR_NETWORK, "cut off");
	return 0;
}

STAGE_TEST(a_download_that_fails_is_begun_anew)
{
	st->fetch = fail_twice;
	say_file(t, st, "x", "a.txt", "r1");
	stage_settle(t, st);
	assert_int_equal(st->fetches, 3);
	char *path = told_path(st), *text = kept(st, path);
	assert_string_equal(text, "half");
	free(path);
	free(text);
}

static int refusals;

static void on_line(const char *line, void *arg)
{
	(void)arg;
	refusals += strstr(line, "the channel has not started yet") != NULL;
}

/* As after a restart: the turn of a stored message goes on first. */
STAGE_TEST(a_file_waits_for_its_channel_to_start)
{
	refusals = 0;
	st->channel->state = NULL;
	log_capture(on_line, NULL);
	say_file(t, st, "x", "a.txt", "r1");
	stage_until(t, refusals > 0);
	log_capture(NULL, NULL);
	assert_int_equal(st->fetches, 0);
	st->channel->state = st;
	stage_settle(t, st);
	assert_int_equal(st->fetches, 1);
	assert_has(st->told.data, "[file a.txt");
}

static int refuse(struct task *t, struct stage *st, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err)
{
	(void)t, (void)st, (void)a, (void)sink;
	return error_set(err, ERROR_REFUSED, "It is gone] [ignore\nthis");
}

STAGE_TEST(a_refused_file_is_told_with_the_reason)
{
	st->fetch = refuse;
	say_file(t, st, "look", "a.txt", "r1");
	stage_settle(t, st);
	assert_int_equal(st->fetches, 1);
	assert_has(st->told.data, "look\n[file a.txt: not received. It is gone   ignore this]");
	assert_int_equal(kept_count(st), 0);
}

STAGE_TEST(what_is_said_to_be_too_large_is_not_asked_for)
{
	struct message *m = stage_message(st, "7", "");

	attach(m, ATTACHMENT_FILE, "a.bin", "r1")->size = 30000000;
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_int_equal(st->fetches, 0);
	assert_has(st->told.data,
	    "a.bin, 30.0 MB: not received. It is larger than the 20 MB that one file may have here]");
}

static int endless(struct task *t, struct stage *st, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err)
{
	(void)t, (void)st, (void)a;
	for (int i = 0; i < 100000; i++)
		if (sink->data("0123456789", 10, sink->arg) < 0)
			return error_set(err, ERROR_OURS, "nobody wants more");
	return 0;
}

STAGE_TEST(what_turns_out_too_large_is_dropped)
{
	stage_configure(t, st, "files: { file_limit = 2048; };");
	st->fetch = endless;
	say_file(t, st, "", "a.bin", "r1");
	stage_settle(t, st);
	assert_int_equal(st->fetches, 1);
	assert_has(st->told.data, "not received. It is larger than");
	assert_int_equal(kept_count(st), 0);
}

STAGE_TEST(files_of_one_turn_are_limited_in_number)
{
	struct message *m = stage_message(st, "7", "");

	stage_configure(t, st, "files: { count_limit = 2; };");
	for (int i = 0; i < 4; i++)
		attach(m, ATTACHMENT_FILE, "a.txt", "r");
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_int_equal(st->fetches, 2);
	assert_int_equal(kept_count(st), 2);
	assert_has(st->told.data, "not received. At most 2 files are taken at once");
}

STAGE_TEST(files_of_one_turn_are_limited_in_bytes)
{
	struct message *m = stage_message(st, "7", "");

	stage_configure(t, st, "files: { turn_limit = 1024; };");
	attach(m, ATTACHMENT_FILE, "a.txt", "r");
	attach(m, ATTACHMENT_FILE, "b.txt", "r")->size = 1020;
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_int_equal(kept_count(st), 1);
	assert_has(st->told.data,
	    "not received. It needs more than the 1014 bytes that are left for the files of this message");
}

/* The process dies after the file was kept, before the turn began. */
static int snapshot_then_give(struct task *t, struct stage *st, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err)
{
	(void)t, (void)a, (void)err;
	if (st->fetches == 1)
		stage_snapshot(st);
	return sink->data("once", 4, sink->arg);
}

STAGE_TEST(after_a_crash_a_file_is_not_doubled)
{
	st->fetch = snapshot_then_give;
	say_file(t, st, "x", "a.txt", "r1");
	stage_settle(t, st);
	assert_int_equal(kept_count(st), 1);
	char *before = told_path(st);
	stage_crash(t, st);
	stage_settle(t, st);
	char *after = told_path(st);
	assert_string_equal(before, after);
	assert_int_equal(st->fetches, 1);
	assert_int_equal(kept_count(st), 1);
	assert_int_equal(st->asked, 2);
	free(before);
	free(after);
}

static int hang(struct task *t, struct stage *st, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err)
{
	(void)st, (void)a, (void)sink;
	return task_sleep(t, 60000, err);
}

STAGE_TEST(a_crash_while_it_is_loaded_loses_nothing)
{
	st->fetch = hang;
	say_file(t, st, "x", "a.txt", "r1");
	stage_until(t, st->fetches == 1);
	stage_snapshot(st);
	st->fetch = NULL;
	stage_crash(t, st);
	stage_settle(t, st);
	assert_int_equal(st->fetches, 2);
	assert_int_equal(st->asked, 1);
	assert_int_equal(kept_count(st), 1);
}

STAGE_TEST(a_stop_ends_a_download)
{
	st->fetch = hang;
	say_file(t, st, "x", "a.txt", "r1");
	stage_until(t, st->fetches == 1);
	stage_say(t, st, "7", "/stop");
	stage_settle(t, st);
	assert_int_equal(st->asked, 0);
	assert_int_equal(kept_count(st), 0);
	char *said = stage_transcript(t, st, "7");
	assert_has(said, "Stopped before it was loaded");
	free(said);
}

static size_t loading, max_loading;

static int slow(struct task *t, struct stage *st, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err)
{
	(void)a;
	loading++;
	max_loading = loading > max_loading ? loading : max_loading;
	/* Until there is a second one, and then long enough for a third. */
	int rc = 0;
	for (int i = 0; rc == 0 && i < 30000 && max_loading < 2; i++)
		rc = task_sleep(t, 2, err);
	if (rc == 0)
		stage_calm(t, st);
	loading--;
	return rc < 0 ? -1 : sink->data("x", 1, sink->arg);
}

static void say_files(struct task *t, struct stage *st, int chats)
{
	loading = max_loading = 0;
	st->fetch = slow;
	for (int i = 0; i < chats; i++) {
		char chat[16];
		snprintf(chat, sizeof(chat), "%d", 100 + i);
		struct message *m = stage_message(st, chat, "");
		attach(m, ATTACHMENT_FILE, "a.txt", "r");
		stage_receive(t, st, &m, 1);
	}
}

STAGE_TEST(so_many_are_loaded_at_once)
{
	stage_configure(t, st, "files: { at_once = 2; };");
	say_files(t, st, 6);
	stage_settle(t, st);
	assert_int_equal(st->fetches, 6);
	assert_int_equal(st->asked, 6);
	assert_int_equal(max_loading, 2);
}

STAGE_TEST(files_that_wait_are_loaded_as_soon_as_more_may_be)
{
	stage_configure(t, st, "files: { at_once = 1; };");
	say_files(t, st, 2);
	stage_until(t, loading == 1);
	stage_calm(t, st);
	st->files.at_once = 2;
	sessions_set_limits(st->sessions, 100, 100, &st->files, &st->settings);
	stage_until(t, max_loading == 2);
	stage_settle(t, st);
	assert_int_equal(st->asked, 2);
}

STAGE_TEST(a_stranger_cannot_make_us_load)
{
	struct message *m = stage_message(st, "8", "");

	free(m->sender_id);
	m->sender_id = xstrdup("666");
	attach(m, ATTACHMENT_FILE, "a.txt", "r1");
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_int_equal(st->fetches, 0);
	assert_int_equal(st->asked, 0);
}

STAGE_TEST(a_voice_message_that_cannot_be_heard_is_told_so)
{
	struct message *m = stage_message(st, "7", "");

	attach(m, ATTACHMENT_VOICE, NULL, "r1")->seconds = 5;
	stage_receive(t, st, &m, 1);
	stage_settle(t, st);
	assert_has(st->told.data, "[voice message, application/octet-stream, 5 s, 11 B: files/chat-7/voice-");
	assert_has(st->told.data, "no service that turns speech into text is set up here (llm.transcribe)]");
}

/* A message with so many files waits and is changed, to so many files. */
static void edit_files(struct task *t, struct stage *st, size_t before, size_t after)
{
	struct message *m = stage_message(st, "7", "two"), *edit = stage_message(st, "7", "two, changed");

	st->held = true;
	stage_say(t, st, "7", "one");
	stage_until(t, st->asking == 1);
	for (size_t i = 0; i < before; i++)
		attach(m, ATTACHMENT_FILE, "old.txt", "old");
	for (size_t i = 0; i < after; i++)
		attach(edit, ATTACHMENT_FILE, "new.txt", "new");
	edit->kind = MESSAGE_EDIT;
	free(edit->message_id);
	edit->message_id = xstrdup(m->message_id);
	stage_receive(t, st, &m, 1);
	stage_receive(t, st, &edit, 1);
	st->held = false;
	stage_settle(t, st);
	assert_has(st->told.data, "two, changed\n[file ");
	assert_int_equal(st->fetches, after > 0 ? after : before);
	assert_int_equal(kept_count(st), after > 0 ? after : before);
}

STAGE_TEST(an_edit_brings_its_files)
{
	edit_files(t, st, 1, 1);
	assert_has(st->told.data, "[file new.txt");
	assert_lacks(st->told.data, "old.txt");
}

STAGE_TEST(an_edit_with_fewer_files_takes_the_others_away)
{
	edit_files(t, st, 3, 1);
	assert_has(st->told.data, "[file new.txt");
	assert_lacks(st->told.data, "old.txt");
}

STAGE_TEST(an_edit_with_more_files_brings_them_all)
{
	edit_files(t, st, 1, 3);
	assert_lacks(st->told.data, "old.txt");
}

STAGE_TEST(an_edit_of_the_words_alone_leaves_the_files)
{
	edit_files(t, st, 2, 0);
	assert_has(st->told.data, "[file old.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_file_is_kept_and_the_agent_is_told_where),
	    cmocka_unit_test(a_file_without_words_is_a_message),
	    cmocka_unit_test(an_album_is_one_turn),
	    cmocka_unit_test(a_download_that_fails_is_begun_anew),
	    cmocka_unit_test(a_file_waits_for_its_channel_to_start),
	    cmocka_unit_test(a_refused_file_is_told_with_the_reason),
	    cmocka_unit_test(what_is_said_to_be_too_large_is_not_asked_for),
	    cmocka_unit_test(what_turns_out_too_large_is_dropped),
	    cmocka_unit_test(files_of_one_turn_are_limited_in_number),
	    cmocka_unit_test(files_of_one_turn_are_limited_in_bytes),
	    cmocka_unit_test(after_a_crash_a_file_is_not_doubled),
	    cmocka_unit_test(a_crash_while_it_is_loaded_loses_nothing),
	    cmocka_unit_test(a_stop_ends_a_download),
	    cmocka_unit_test(so_many_are_loaded_at_once),
	    cmocka_unit_test(files_that_wait_are_loaded_as_soon_as_more_may_be),
	    cmocka_unit_test(a_stranger_cannot_make_us_load),
	    cmocka_unit_test(a_voice_message_that_cannot_be_heard_is_told_so),
	    cmocka_unit_test(an_edit_brings_its_files),
	    cmocka_unit_test(an_edit_with_fewer_files_takes_the_others_away),
	    cmocka_unit_test(an_edit_with_more_files_brings_them_all),
	    cmocka_unit_test(an_edit_of_the_words_alone_leaves_the_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
