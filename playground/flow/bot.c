#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "net/child/child.h"
#include "playground/flow/run.h"

extern char **environ;

/* Passes the bot's output on to the user. */
static void pass_on(void *arg, enum child_stream stream, const char *data, size_t len)
{
	(void)arg;
	(void)stream;
	fwrite(data, 1, len, stderr);
}

/* Returns our own environment with the playground's address, which is in place. */
static const char **make_environment(char *place)
{
	size_t count = 0, n = 0;
	const char **env;

	while (environ[count])
		count++;
	env = xcalloc(count + 2, sizeof(*env));
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "PLAYGROUND=", 11) != 0)
			env[n++] = environ[i];
	env[n] = place;
	return env;
}

int flow_bot_start(struct flow_run *run, struct error *err)
{
	const char *argv[] = {"/bin/sh", "-c", run->command, NULL};
	char *place = xasprintf("PLAYGROUND=%s", run->url);
	const char **env = make_environment(place);
	struct child_options o = {.argv = argv, .env = env, .merge = true, .sink = pass_on};

	run->bot = child_start(&o, err);
	free(env);
	free(place);
	return run->bot ? 0 : -1;
}

void flow_bot_stop(struct task *t, struct flow_run *run)
{
	child_free(t, run->bot);
	run->bot = NULL;
}

void flow_bot_kill(struct task *t, struct flow_run *run)
{
	if (run->bot && !child_ended(run->bot, NULL))
		kill(-child_pid(run->bot), SIGKILL);
	flow_bot_stop(t, run);
}
