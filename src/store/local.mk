# Runs for every byte of a message: built to be fast, the rest to be small.
libstore_fast_a_SOURCES = \
	%D%/db.c %D%/db.h %D%/db_engine.h %D%/db_ids.c %D%/db_ids.h %D%/sqlite/db_sqlite.c %D%/sqlite/db_sqlite.h \
	%D%/sqlite/memory.c %D%/sqlite/memory.h
libstore_a_LIBADD = $(libstore_fast_a_OBJECTS)
libstore_a_DEPENDENCIES = $(libstore_fast_a_OBJECTS)
libstore_a_CPPFLAGS = $(AM_CPPFLAGS) $(POSTGRES_CFLAGS)
libstore_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libstore_a_SOURCES = \
	%D%/background_jobs.c %D%/background_jobs.h %D%/budgets.c %D%/budgets.h \
	%D%/chats.c %D%/chats.h %D%/cluster.h %D%/conversations.c %D%/conversations.h %D%/copy.c %D%/copy.h %D%/copy_internal.h %D%/dead_turns.c \
	%D%/files.c %D%/files.h %D%/grants.c %D%/grants.h %D%/job_queue.c %D%/job_queue.h %D%/lock.c %D%/lock.h \
	%D%/message_trace.c %D%/moved.c %D%/moved.h %D%/offline.c %D%/offline.h %D%/open.c \
	%D%/plans.c %D%/plans.h %D%/questions.c %D%/questions.h %D%/schedules.c %D%/schedules.h \
	%D%/schema.c %D%/schema.h %D%/schema_new.c %D%/settings.c %D%/settings.h %D%/search.c %D%/search.h %D%/search_index.c %D%/search_index.h \
	%D%/search_internal.h %D%/store.c %D%/store.h %D%/store_internal.h %D%/usage.c %D%/usage.h \
	%D%/journal/addresses.c %D%/journal/addresses.h %D%/journal/chat_move.c %D%/journal/chat_move.h \
	%D%/journal/context.c %D%/journal/context.h %D%/journal/cursor.c %D%/journal/cursor.h \
	%D%/journal/delivery.c %D%/journal/inbox.c %D%/journal/inbox.h %D%/journal/outbox.c %D%/journal/outbox.h \
	%D%/journal/outbox_files.c %D%/journal/outbox_files.h \
	%D%/retention/conversations.c %D%/retention/conversations.h \
	%D%/retention/messages.c %D%/retention/messages.h %D%/retention/retention.c %D%/retention/retention.h \
	%D%/sqlite/backup.c %D%/sqlite/backup.h %D%/sqlite/check.c %D%/sqlite/check.h %D%/sqlite/copy.c \
	%D%/sqlite/free_pages.c %D%/sqlite/free_pages.h %D%/sqlite/open.c %D%/sqlite/page.c %D%/sqlite/page.h \
	%D%/sqlite/recover.c %D%/sqlite/recover.h %D%/sqlite/search.c %D%/sqlite/upgrade.c %D%/sqlite/upgrade.h \
	%D%/sqlite/wal.c %D%/sqlite/wal.h \
	%D%/turn/find.c %D%/turn/find.h %D%/turn/images.c %D%/turn/images.h \
	%D%/turn/session.c %D%/turn/session.h %D%/turn/summaries.c %D%/turn/summaries.h \
	%D%/turn/transcript.c %D%/turn/transcript.h %D%/turn/turn.c %D%/turn/turn.h %D%/turn/turns.h \
	%D%/turn/undo.c %D%/turn/undo.h %D%/turn/waiting.c %D%/turn/warm_history.c %D%/turn/warm_history.h
# An engine of its own, whose library is loaded when it is needed.
store_postgres = \
	%D%/postgres/cluster.c %D%/postgres/cluster_silence.c %D%/postgres/cluster_units.c %D%/postgres/cluster_sql.c %D%/postgres/cluster_internal.h %D%/postgres/connection.c %D%/postgres/copy.c \
	%D%/postgres/db_postgres.c %D%/postgres/db_postgres.h %D%/postgres/libpq.c \
	%D%/postgres/libpq.h %D%/postgres/lock.c %D%/postgres/open.c %D%/postgres/postgres_internal.h \
	%D%/postgres/pipeline.c %D%/postgres/schema.c %D%/postgres/search.c %D%/postgres/sql.c %D%/postgres/sql.h %D%/postgres/batch.c
if POSTGRES
libstore_a_SOURCES += $(store_postgres)
else
libstore_a_SOURCES += %D%/postgres/absent.c
endif
