/* 'myna workspace move' is killed at each point of its system calls: no file is lost, replaced or with
 * another chat, and a second run completes it. */
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"
#include "flow/flow.h"
#include "flow/kill.h"

/* Each has its own text. */
static const struct place {
	const char *before, *after;
} places[] = {
    {"files/telegram-77/plan.txt", "chat/telegram%3A77/files/telegram-77/plan.txt"},
    {"files/telegram-77/house.jpg", "chat/telegram%3A77/files/telegram-77/house.jpg"},
    {"files/telegram-78/sums.csv", "chat/telegram%3A78/files/telegram-78/sums.csv"},
    {"files/telegram--1001/rules.txt", "chat/telegram%3A-1001/files/telegram--1001/rules.txt"},
    {"notes/list.txt", "chat/telegram%3A78/notes/list.txt"},
    {"draft.txt", "chat/telegram%3A78/draft.txt"},
    {"AGENTS.md", "AGENTS.md"},
    /* There already when the move begins. */
    {"chat/telegram%3A77/own.txt", "chat/telegram%3A77/own.txt"},
    /* One of that name is there already, and so it stays. */
    {"files/telegram-79/same.txt", "files/telegram-79/same.txt"},
    {"chat/telegram%3A79/files/telegram-79/same.txt", "chat/telegram%3A79/files/telegram-79/same.txt"},
};

static struct flow f;
static size_t files;

static char *path_of(const char *name)
{
	return xasprintf("%s/state/workspace/%s", f.dir, name);
}

static void put(size_t i)
{
	char *name = xasprintf("state/workspace/%s", places[i].before), *text = xasprintf("text %zu", i);

	flow_put(&f, name, text);
	free(name);
	free(text);
}

static void put_all(void)
{
	char *remove = xasprintf("rm -rf '%s/state/workspace'", f.dir);

	assert_int_equal(system(remove), 0);
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		put(i);
	free(remove);
}

static bool is_at(const char *name, size_t i)
{
	char *path = path_of(name), text[32] = "", want[32];
	FILE *in = fopen(path, "r");

	free(path);
	if (!in)
		return false;
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	snprintf(want, sizeof(want), "text %zu", i);
	return strcmp(text, want) == 0;
}

static int count(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)path;
	(void)st;
	(void)at;
	files += kind == FTW_F;
	return 0;
}

static size_t count_files(void)
{
	char *path = path_of("");

	files = 0;
	nftw(path, count, 8, FTW_PHYS);
	free(path);
	return files;
}

/* done: nothing is where it was. */
static void check(bool done, uint64_t at, const char *mode)
{
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (!is_at(places[i].after, i) && (done || !is_at(places[i].before, i)))
			fail_msg("%s is not where it was or is to be, killed %s point %llu", places[i].before,
			    mode, (unsigned long long)at);
	if (count_files() != ARRAY_LEN(places))
		fail_msg("%zu files became %zu", ARRAY_LEN(places), files);
}

static int move(void)
{
	return flow_myna(&f, NULL, "workspace", "move", "--to", "telegram:78", "--yes", NULL);
}

static void a_move_that_is_killed_anywhere_is_completed_by_the_next(void **state)
{
	static const char *const modes[] = SHIM_MODE_NAMES;
	size_t deaths = 0;

	(void)state;
	put_all();
	kill_next(&f, 0, SHIM_BEFORE);
	assert_int_equal(move(), 1); /* same.txt */
	kill_none();
	check(true, 0, "at no");
	uint64_t last = kill_last_point(&f);
	assert_true(last >= ARRAY_LEN(places));
	for (uint64_t at = 1; at <= last; at++)
		for (enum shim_mode mode = SHIM_BEFORE; mode <= SHIM_AFTER; mode++) {
			put_all();
			kill_next(&f, at, mode);
			deaths += move() == -SIGKILL;
			kill_none();
			check(false, at, modes[mode]);
			assert_int_equal(move(), 1);
			check(true, at, modes[mode]);
		}
	printf("# points %zu\n", deaths);
	assert_int_equal(deaths, last * 3);
}

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "", "allow = [\"77\"];");
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(a_move_that_is_killed_anywhere_is_completed_by_the_next, begin, &f),
	};

	return cmocka_run_group_tests_name("workspace_kill", tests, NULL, NULL);
}
