# Runs for every byte of a message: built to be fast, the rest to be small.
libstore_fast_a_SOURCES = \
	%D%/db.c %D%/db.h
libstore_a_LIBADD = $(libstore_fast_a_OBJECTS)
libstore_a_DEPENDENCIES = $(libstore_fast_a_OBJECTS)
libstore_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libstore_a_SOURCES = \
	%D%/background_jobs.c %D%/background_jobs.h %D%/backup.c %D%/backup.h %D%/budgets.c %D%/budgets.h \
	%D%/chats.c %D%/chats.h %D%/conversations.c %D%/conversations.h %D%/dead_turns.c \
	%D%/files.c %D%/files.h %D%/grants.c %D%/grants.h %D%/job_queue.c %D%/job_queue.h %D%/lock.c %D%/lock.h \
	%D%/message_trace.c %D%/offline.c %D%/offline.h %D%/open.c \
	%D%/plans.c %D%/plans.h %D%/questions.c %D%/questions.h %D%/schedules.c %D%/schedules.h \
	%D%/schema.c %D%/schema.h %D%/schema_new.c %D%/search.c %D%/search.h %D%/search_index.c %D%/search_index.h %D%/store.c %D%/store.h %D%/store_internal.h \
	%D%/upgrade.c %D%/upgrade.h %D%/usage.c %D%/usage.h \
	%D%/journal/addresses.c %D%/journal/addresses.h %D%/journal/chat_move.c %D%/journal/chat_move.h \
	%D%/journal/context.c %D%/journal/context.h %D%/journal/cursor.c %D%/journal/cursor.h \
	%D%/journal/delivery.c %D%/journal/inbox.c %D%/journal/inbox.h %D%/journal/outbox.c %D%/journal/outbox.h \
	%D%/journal/outbox_files.c %D%/journal/outbox_files.h \
	%D%/recover/check.c %D%/recover/check.h %D%/recover/page.c %D%/recover/page.h \
	%D%/recover/recover.c %D%/recover/recover.h %D%/recover/wal.c %D%/recover/wal.h \
	%D%/retention/conversations.c %D%/retention/conversations.h \
	%D%/retention/free_pages.c %D%/retention/free_pages.h \
	%D%/retention/messages.c %D%/retention/messages.h %D%/retention/retention.c %D%/retention/retention.h \
	%D%/turn/find.c %D%/turn/find.h %D%/turn/images.c %D%/turn/images.h \
	%D%/turn/session.c %D%/turn/session.h %D%/turn/summaries.c %D%/turn/summaries.h \
	%D%/turn/transcript.c %D%/turn/transcript.h %D%/turn/turn.c %D%/turn/turn.h %D%/turn/turns.h \
	%D%/turn/undo.c %D%/turn/undo.h %D%/turn/waiting.c %D%/turn/warm_history.c %D%/turn/warm_history.h
