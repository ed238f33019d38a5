bin_PROGRAMS += myna
myna_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
myna_CPPFLAGS = $(AM_CPPFLAGS) $(EDIT_CFLAGS) -DSYSCONFDIR='"$(sysconfdir)"'
# At a start the loader looks for each name in one library after another: half of the names are in these.
myna_LDADD = $(MYNA_LIBS) -lcrypto -lc $(DEPS_LIBS)
myna_SOURCES = \
	src/main.c \
	src/chat/answer.c src/chat/answer.h src/chat/input.c src/chat/input.h \
	src/chat/interactive.c src/chat/interactive.h src/chat/screen.c src/chat/screen.h \
	src/chat/script.c \
	%D%/ask.c %D%/backup.c %D%/chat.c %D%/check.c %D%/cli.h %D%/compact.c %D%/complete.c %D%/dead.c %D%/doctor.c %D%/help_chat.c \
	%D%/init.c %D%/init_config.c %D%/init_gateway.c %D%/init_internal.h %D%/init_ollama.c %D%/init_terminal.c %D%/options.c %D%/print.c %D%/progress.c %D%/prompt.c \
	%D%/reload.c %D%/run.c %D%/send.c %D%/settings.c %D%/state_owner.c %D%/status.c %D%/store.c %D%/time.c %D%/time.h %D%/tool.c \
	%D%/trace.c %D%/workspace.c
