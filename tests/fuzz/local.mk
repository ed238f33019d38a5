# Fuzzing: tests/fuzz/run configures a build of its own with clang and --enable-fuzzing, and runs what make fuzz builds there.
# A target is one file, and one word here. test_corpus runs all of them over what they once found.
FUZZERS = \
	%D%/targets/address %D%/targets/arguments %D%/targets/base64 %D%/targets/classify %D%/targets/command \
	%D%/targets/config %D%/targets/control %D%/targets/cron %D%/targets/discord_bot %D%/targets/discord_calls \
	%D%/targets/discord_event %D%/targets/discord_text %D%/targets/etf %D%/targets/flow %D%/targets/form \
	%D%/targets/formats %D%/targets/formatted %D%/targets/history %D%/targets/image %D%/targets/json \
	%D%/targets/mcp %D%/targets/model_requests %D%/targets/model_script %D%/targets/openai %D%/targets/path \
	%D%/targets/pattern %D%/targets/reader %D%/targets/rich %D%/targets/rules %D%/targets/salvage_page \
	%D%/targets/secret %D%/targets/server_body %D%/targets/server_head %D%/targets/slack_bot \
	%D%/targets/slack_calls %D%/targets/slack_event %D%/targets/slack_text %D%/targets/snapshot \
	%D%/targets/spec %D%/targets/sse %D%/targets/telegram_bot %D%/targets/telegram_calls \
	%D%/targets/telegram_render %D%/targets/telegram_split %D%/targets/telegram_update \
	%D%/targets/telegram_verdict %D%/targets/url %D%/targets/utf8 %D%/targets/wal %D%/targets/web
EXTRA_PROGRAMS += $(FUZZERS)
EXTRA_LIBRARIES += libfuzz.a
libfuzz_a_SOURCES = %D%/client.c %D%/client.h %D%/fuzz.c %D%/fuzz.h %D%/mutate_json.c %D%/recall.c %D%/request.c \
	%D%/request.h %D%/stage.c %D%/stage.h
%C%_test_corpus_SOURCES = %D%/test_corpus.c %D%/targets.c $(FUZZERS:=.c)
%C%_test_corpus_LDADD = libfuzz.a $(PARTS)
# Their bots have servers of their own (client.c).
%C%_targets_discord_bot_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=delivery_perform
%C%_targets_slack_bot_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=delivery_perform
%C%_targets_telegram_bot_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=delivery_perform
%C%_test_corpus_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=delivery_perform
EXTRA_DIST += %D%/corpus %D%/dict %D%/run
.PHONY: fuzz
if FUZZING
fuzz: $(FUZZERS)
else
fuzz:
	@echo "make fuzz wants a build that was configured with CC=clang --enable-fuzzing; tests/fuzz/run makes one" >&2
	@exit 1
endif
