#ifndef TESTS_TOOLS_SANDBOX_SANDBOX_FIXTURE_H
#define TESTS_TOOLS_SANDBOX_SANDBOX_FIXTURE_H
/* A throw-away place for tests of the sandbox: what is granted, what is not, and programs to run. */
#include "base/buf.h"
#include "base/task_body.h"
#include "tools/sandbox/sandbox_internal.h"

#define LONG_MS 60000

struct sandbox_fixture {
	char *dir;                    /* all of it; everybody may pass through */
	char *workspace;              /* granted */
	char *helpers;                /* where the sandbox program lies, and hostile */
	char *victim, *disk, *marker; /* not granted, open to everybody */
	char *bin;                    /* programs that write into marker; readable */
};

struct sandbox_fixture *sandbox_fixture_new(void);
void sandbox_fixture_free(struct sandbox_fixture *p);
/* Puts another program in place of the sandbox program; name is in the folder of the test. */
void sandbox_fixture_use(const struct sandbox_fixture *p, const char *name);
/* The same, with words beside it that tell what is kept from the machine for it. */
void sandbox_fixture_refuse(const struct sandbox_fixture *p, const char *name, const char *what);
extern const char sandbox_fixture_real[]; /* the sandbox program itself, as such a name */
/* The way it was when made. */
void sandbox_fixture_restore(const struct sandbox_fixture *p);
/* Is everything that is not granted as it was? */
bool sandbox_fixture_is_untouched(const struct sandbox_fixture *p);

/* The kernel counts processes by user: FEW for what fills its limit, MANY for what must run beside that. */
#define FEW  40
#define MANY 200
struct sandbox *sandbox_fixture_sandbox(
    const struct sandbox_fixture *p, enum sandbox_level required, int processes);
/* Can this machine make what S3 is made of; does it have Landlock? Tried out, not asked. */
bool machine_has_namespaces(void);
bool machine_has_landlock(void);
/* How many processes have word in their command line. */
int processes_with(const char *word);
/* How many of them the kernel does not end first when memory runs out. */
int processes_spared(const char *word);

struct run {
	struct buf out; /* stdout and stderr */
	struct sandbox_end end;
	struct error err;
	int rc;
};

/* Runs a command with a shell at a level. Adjust run before; NULL for none of it. */
void run_at(struct task *t, const struct sandbox *s, enum sandbox_level level, const char *command,
    const struct sandbox_run *with, struct run *run);
void run_clear(struct run *run);

#endif
