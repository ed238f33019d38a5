#include <stdio.h>

#include "base/buf.h"
#include "cli/cli.h"
#include "session/commands/command.h"

int cli_help_chat(void)
{
	for (size_t i = 0; commands[i]; i++) {
		struct buf usage = BUF_INIT;
		command_usage(commands[i], &usage);
		printf("  %s\n      %s%s\n", usage.data, commands[i]->help,
		    commands[i]->role >= ACCESS_ADMIN ? " (admins)" : "");
		buf_clear(&usage);
	}
	return CLI_OK;
}
