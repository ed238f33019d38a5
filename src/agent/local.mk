libagent_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libagent_a_SOURCES = \
	%D%/agent.c %D%/agent.h %D%/ask_model.c %D%/ask_model.h %D%/background_agent.c %D%/background_agent.h \
	%D%/budget.c %D%/budget.h %D%/budget_account.c %D%/budget_internal.h \
	%D%/budget_settings.c %D%/budget_settings.h %D%/budget_text.c %D%/budget_warn.c \
	%D%/call_approval.c %D%/compact.c %D%/compact.h %D%/images.c %D%/images.h \
	%D%/prompt.c %D%/prompt.h %D%/subagent.c %D%/subagent.h %D%/summary.c %D%/system_prompt.c \
	%D%/tool_calls.c %D%/tool_calls.h %D%/turn_state.c %D%/turn_state.h \
	%D%/untrusted_text.c %D%/untrusted_text.h
