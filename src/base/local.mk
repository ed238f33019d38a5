# Runs for every byte of a message: built to be fast, the rest to be small.
libbase_fast_a_SOURCES = \
	%D%/buf.c %D%/buf.h %D%/coroutine.c %D%/coroutine.h %D%/epoch.c %D%/epoch.h %D%/fnv.h %D%/format.c %D%/format.h %D%/list.h %D%/stack_switch.c %D%/stack_switch.h \
	%D%/mem.c %D%/mem.h %D%/metric.c %D%/metric.h %D%/task.c %D%/task.h %D%/task_cond.c %D%/task_cond.h \
	%D%/json/flat.c %D%/json/flat.h %D%/json/json.c %D%/json/json.h %D%/json/scan.c %D%/json/scan.h %D%/json/tree.c %D%/json/tree.h \
	%D%/secret/secret_internal.h %D%/secret/secret.c %D%/secret/secret.h \
	%D%/text/base64.c %D%/text/base64.h %D%/text/hex.h %D%/text/simd.h %D%/text/utf8.c %D%/text/utf8.h \
	%D%/time/clock.c %D%/time/clock.h
libbase_a_LIBADD = $(libbase_fast_a_OBJECTS)
libbase_a_DEPENDENCIES = $(libbase_fast_a_OBJECTS)
libbase_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libbase_a_SOURCES = \
	%D%/banned.h %D%/cli_status.c %D%/cli_status.h %D%/disk_free.c %D%/disk_free.h %D%/error.c %D%/error.h %D%/io_full.c %D%/io_full.h %D%/library.c %D%/library.h %D%/log.c %D%/log.h %D%/pcre.c %D%/pcre.h \
	%D%/log_tail.c %D%/log_tail.h %D%/money.c %D%/money.h %D%/open_files.c %D%/open_files.h %D%/read_error.c %D%/read_error.h %D%/sha256.c %D%/sha256.h %D%/trace.c %D%/trace.h %D%/worker.c %D%/worker.h \
	%D%/wrong.h \
	%D%/config/config.c %D%/config/config.h %D%/config/config_internal.h %D%/config/document.c \
	%D%/config/grammar.c %D%/config/grammar.h %D%/config/keep.c %D%/config/peek.c \
	%D%/config/quantity.c %D%/config/quantity.h %D%/config/read.c %D%/config/revision.c %D%/config/report.c %D%/config/report.h \
	%D%/config/scan.c %D%/config/scan.h %D%/config/text.c %D%/config/text.h \
	%D%/config/value.c %D%/config/value.h \
	%D%/secret/encodings.c %D%/secret/source.c %D%/secret/source.h \
	%D%/secret/token_shape.c \
	%D%/text/html.c %D%/text/html.h %D%/text/invisible.c %D%/text/invisible.h %D%/text/quote.c %D%/text/quote.h %D%/text/suggest.c %D%/text/suggest.h \
	%D%/time/civil.c %D%/time/civil.h %D%/time/clock_jump.c %D%/time/clock_jump.h \
	%D%/time/clock_skip.h \
	%D%/time/cron.c %D%/time/cron.h %D%/time/duration.c %D%/time/duration.h %D%/time/zone.c %D%/time/zone.h \
	%D%/time/zone_rule.c %D%/time/zone_rule.h
