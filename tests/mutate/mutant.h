/* Included first by the files that tests/mutate/run changes. All mutants are compiled into one build;
 * MYNA_MUTANT in the environment names the one that is on. MYNA_MUTANTS_REACHED names a file with a byte for
 * each mutant: it becomes 1 where the code came by, also in a process that is killed. Weak symbols, so that
 * each program has one of each without a library. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((weak)) int mutant_on;
__attribute__((weak)) volatile unsigned char *mutants_reached;

__attribute__((weak, constructor)) void mutant_start(void)
{
	const char *on = getenv("MYNA_MUTANT"), *file = getenv("MYNA_MUTANTS_REACHED");
	struct stat st;
	void *map;
	int fd;

	if (on != NULL)
		mutant_on = (int)strtol(on, NULL, 10);
	if (file == NULL || mutants_reached != NULL || (fd = open(file, O_RDWR | O_CLOEXEC)) < 0)
		return;
	if (fstat(fd, &st) == 0) {
		map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (map != MAP_FAILED)
			mutants_reached = map;
	}
	close(fd);
}

static inline bool mutant(int number)
{
	if (mutants_reached != NULL)
		mutants_reached[number] = 1;
	return number == mutant_on;
}

/* What the changes are. Each is put around the text as it is, so that one can stand inside another. */
#define MUTANT_NOT(n, ...)         (mutant(n) ? !(__VA_ARGS__) : !!(__VA_ARGS__))
#define MUTANT_TRUE(n, ...)        (mutant(n) || (__VA_ARGS__))
#define MUTANT_FALSE(n, ...)       (!mutant(n) && (__VA_ARGS__))
#define MUTANT_LESS(n, a, b)       (mutant(n) ? (a) <= (b) : (a) < (b))
#define MUTANT_LESS_EQUAL(n, a, b) (mutant(n) ? (a) < (b) : (a) <= (b))
#define MUTANT_MORE(n, a, b)       (mutant(n) ? (a) >= (b) : (a) > (b))
#define MUTANT_MORE_EQUAL(n, a, b) (mutant(n) ? (a) > (b) : (a) >= (b))
