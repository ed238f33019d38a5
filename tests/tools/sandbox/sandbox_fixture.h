#ifndef TESTS_TOOLS_SANDBOX_SANDBOX_FIXTURE_H
#define TESTS_TOOLS_SANDBOX_SANDBOX_FIXTURE_H
/* A temporary folder for tests of the sandbox: granted and other paths, and programs to run. */
#include "base/buf.h"
#include "base/task_body.h"
#include "tools/sandbox/sandbox_internal.h"

#define LONG_MS 60000

struct sandbox_fixture {
	char *dir;                    /* the whole folder; anyone can traverse it */
	char *workspace;              /* granted */
	char *helpers;                /* the folder of the sandbox program and of hostile */
	char *victim, *disk, *marker; /* not granted, but accessible to everybody */
	char *bin;                    /* programs that write into marker; readable */
};

struct sandbox_fixture *sandbox_fixture_new(void);
void sandbox_fixture_free(struct sandbox_fixture *p);
/* Replaces the sandbox program by another one; name is in the folder of the test. */
void sandbox_fixture_use(const struct sandbox_fixture *p, const char *name);
/* The same, with arguments beside it that say which features it must not use. */
void sandbox_fixture_refuse(const struct sandbox_fixture *p, const char *name, const char *what);
extern const char sandbox_fixture_real[]; /* the name of the real sandbox program */
/* Undoes that. */
void sandbox_fixture_restore(const struct sandbox_fixture *p);
/* Is everything that is not granted unchanged? */
bool sandbox_fixture_is_untouched(const struct sandbox_fixture *p);

/* The kernel counts processes per user: FEW for a test that reaches its limit, MANY for those that run
 * beside it. */
#define FEW  40
#define MANY 2000
struct sandbox *sandbox_fixture_sandbox(
    const struct sandbox_fixture *p, enum sandbox_level required, int processes);
/* Do namespaces, as S3 needs them, and Landlock work on this machine? Found by trying. */
bool machine_has_namespaces(void);
bool machine_has_landlock(void);
/* Returns the number of processes with word in their command line. */
int processes_with(const char *word);
/* How many of them the kernel does not end first when memory runs out. */
int processes_spared(const char *word);

struct run {
	struct buf out; /* stdout and stderr */
	struct sandbox_end end;
	struct error err;
	int rc;
};

/* Runs a shell command at a level. adjust, unless NULL, changes run before. */
void run_at(struct task *t, const struct sandbox *s, enum sandbox_level level, const char *command,
    const struct sandbox_run *with, struct run *run);
void run_clear(struct run *run);

#endif
