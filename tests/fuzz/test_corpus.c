/* The targets of a table, each over its corpus, without libFuzzer: what a fuzzer found once stays mended. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"

static int read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "re");
	char piece[4096];
	size_t n;
	int rc;

	if (!f)
		return -1;
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(out, piece, n);
	rc = ferror(f) ? -1 : 0;
	fclose(f);
	return rc;
}

static int is_input(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void run_inputs(const struct fuzz_target *target, char *const *paths, size_t count)
{
	struct buf input = BUF_INIT;

	for (size_t i = 0; i < count; i++) {
		buf_reset(&input);
		if (read_file(paths[i], &input) != 0) {
			printf("# cannot read %s\n", paths[i]);
			exit(1);
		}
		target->run((const uint8_t *)input.data, input.len);
	}
	buf_clear(&input);
}

/* In a process of its own: a target ends it where something does not hold. */
static bool holds(const struct fuzz_target *target, char *const *paths, size_t count)
{
	int status = -1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		run_inputs(target, paths, count);
		exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool run_target(const struct fuzz_target *target, char *const *paths, size_t count)
{
	if (count > 0 && holds(target, paths, count))
		return true;
	for (size_t i = 0; i < count; i++)
		if (!holds(target, paths + i, 1))
			printf("# %s\n", paths[i]);
	return false;
}

static bool test(const struct fuzz_target *target, unsigned number)
{
	char *dir = xasprintf("%s/%s", SOURCE_DIR "/tests/fuzz/corpus", target->name), **paths;
	struct dirent **entries = NULL;
	int count = scandir(dir, &entries, is_input, alphasort);
	bool ok;

	paths = xcalloc((size_t)(count > 0 ? count : 1), sizeof(*paths));
	for (int i = 0; i < count; i++) {
		paths[i] = xasprintf("%s/%s", dir, entries[i]->d_name);
		free(entries[i]);
	}
	ok = run_target(target, paths, (size_t)(count > 0 ? count : 0));
	printf("%s %u - %s holds over its corpus: %d inputs\n", ok ? "ok" : "not ok", number, target->name,
	    count);
	for (int i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	free(entries);
	free(dir);
	return ok;
}

int main(void)
{
	unsigned number = 0, failed = 0;

	for (const struct fuzz_target *target = fuzz_targets; target->name; target++)
		failed += !test(target, ++number);
	printf("1..%u\n", number);
	return failed > 0;
}
