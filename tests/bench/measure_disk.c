/* What the disk itself needs to make 4 KiB durable. */
#include <fcntl.h>
#include <unistd.h>

#include "base/mem.h"
#include "bench/bench.h"

#define BLOCK 4096
#define SYNCS 300

static void run(const struct bench_options *o)
{
	char *path = xasprintf("%s.disk", o->dir), block[BLOCK] = {1};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct samples ms = {0};

	for (size_t i = 0; i < SYNCS; i++) {
		double began = bench_now_ms();

		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block) || fdatasync(fd) != 0)
			bench_die("cannot write %s", path);
		samples_add(&ms, bench_now_ms() - began);
	}
	bench_figure(o, samples_at(&ms, 0.5), "sync_p50");
	bench_figure(o, samples_at(&ms, 0.99), "sync_p99");
	samples_clear(&ms);
	close(fd);
	unlink(path);
	free(path);
}

const struct measure measure_disk = {"disk", run};
