# Runs for every byte of a message: built to be fast, the rest to be small.
libllm_fast_a_SOURCES = \
	%D%/history.c %D%/history.h %D%/history_rules.c %D%/image_input.c %D%/image_input.h \
	%D%/tokens.c %D%/tokens.h \
	%D%/formats/image_input_text.c %D%/formats/request.c %D%/formats/request.h %D%/formats/sse.c %D%/formats/sse.h \
	%D%/formats/surrogate.c %D%/formats/surrogate.h %D%/formats/tool_list.c %D%/formats/tool_list.h \
	%D%/formats/anthropic/answer.c %D%/formats/anthropic/answer.h \
	%D%/formats/anthropic/blocks.c \
	%D%/formats/anthropic/request.c %D%/formats/anthropic/request.h \
	%D%/formats/openai/answer.c %D%/formats/openai/answer.h \
	%D%/formats/openai/calls.c \
	%D%/formats/openai/request.c %D%/formats/openai/request.h \
	%D%/formats/responses/answer.c %D%/formats/responses/answer.h \
	%D%/formats/responses/request.c %D%/formats/responses/request.h
libllm_a_LIBADD = $(libllm_fast_a_OBJECTS)
libllm_a_DEPENDENCIES = $(libllm_fast_a_OBJECTS)
libllm_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libllm_a_SOURCES = \
	%D%/audio.c %D%/audio.h %D%/classify.c %D%/classify.h %D%/complete.c %D%/fallback.c \
	%D%/image.c %D%/image.h %D%/llm.c %D%/llm.h %D%/llm_internal.h %D%/local_server.c %D%/local_server.h \
	%D%/outage.c %D%/price.c %D%/price.h %D%/probe.c %D%/profile.c %D%/profile.h \
	%D%/profile_defaults.c %D%/progress_notice.c %D%/provider.h \
	%D%/provider_alerts.c %D%/provider_alerts.h %D%/providers.h %D%/request_rate.c %D%/request_rate.h \
	%D%/retry_policy.c %D%/suspects.c %D%/transcribe.c %D%/transcribe.h \
	%D%/usage_stats.c %D%/usage_stats.h %D%/vision.c %D%/vision.h \
	%D%/formats/arguments.c %D%/formats/arguments.h \
	%D%/formats/assistant_message.c %D%/formats/assistant_message.h \
	%D%/formats/exchange.c %D%/formats/exchange.h %D%/formats/formats.c %D%/formats/formats.h \
	%D%/formats/schema.c %D%/formats/schema.h \
	%D%/formats/anthropic/anthropic.c \
	%D%/formats/openai/chat.c %D%/formats/openai/extras.c \
	%D%/formats/openai/finish.c \
	%D%/formats/responses/finish.c %D%/formats/responses/responses.c
