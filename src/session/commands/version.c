#include "config.h"

#include <json-c/json.h>
#include <sqlite3.h>
#include <uv.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "bus/escape.h"
#include "base/time/duration.h"
#include "session/commands/command.h"
#include "session/session_internal.h"

#if defined(__x86_64__)
#define MACHINE "x86_64"
#elif defined(__aarch64__)
#define MACHINE "aarch64"
#else
#define MACHINE "another machine"
#endif

#ifdef __clang__
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

static void run(struct task *t, struct command_call *call)
{
	struct buf text = BUF_INIT;

	(void)t;
	buf_addstr(&text, "Myna " PACKAGE_VERSION ", up for ");
	duration_add(&text, (int64_t)(clock_now() - call->all->started_ms));
	buf_addf(&text, ".\nBuilt by %s for " MACHINE ", with libuv %s, SQLite %s and json-c %s.", COMPILER,
	    uv_version_string(), sqlite3_libversion(), json_c_version());
	escape_markdown(call->reply, text.data);
	buf_clear(&text);
}

const struct command command_version = {
    .name = "version",
    .role = ACCESS_USER,
    .help = "show my version and build, and since when I run",
    .run = run,
};
