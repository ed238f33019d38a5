libsession_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libsession_a_SOURCES = \
	%D%/chat_settings.c %D%/chat_settings.h %D%/direct_reply.c %D%/direct_reply.h \
	%D%/guest_limit.c %D%/guest_limit.h %D%/inbound.c %D%/inbound.h %D%/plan.c %D%/plan.h %D%/plan_text.c \
	%D%/prompt_preview.c %D%/prompt_preview.h %D%/queue.c %D%/queue.h %D%/queue_mode.c %D%/queue_mode.h \
	%D%/reminder_scheduler.c %D%/reminder_scheduler.h %D%/session.c %D%/session.h %D%/session_internal.h \
	%D%/session_settings.c %D%/session_settings.h %D%/sessions.c %D%/stop_button.c \
	%D%/stop_reaction.c %D%/turn_slots.c \
	%D%/access/access.c %D%/access/access.h %D%/access/admins.c %D%/access/admins.h \
	%D%/access/grant_change.c %D%/access/grant_change.h %D%/access/grants.c %D%/access/grants.h \
	%D%/access/pairing.c %D%/access/pairing.h %D%/access/pairing_request.c \
	%D%/approval/approval.c %D%/approval/approval.h %D%/approval/ask_user.c %D%/approval/ask_user.h \
	%D%/approval/ask_user_text.c %D%/approval/approval_internal.h \
	%D%/approval/question.c %D%/approval/question.h \
	%D%/approval/question_press.c \
	%D%/commands/allow.c %D%/commands/approval_decision.c %D%/commands/approve.c \
	%D%/commands/arguments.c %D%/commands/broadcast.c %D%/commands/broadcast.h %D%/commands/budget.c \
	%D%/commands/budget_parse.c %D%/commands/budget_parse.h %D%/commands/channels.c \
	%D%/commands/command.c %D%/commands/command.h \
	%D%/commands/compact.c %D%/commands/deny.c %D%/commands/doctor.c %D%/commands/grant.c %D%/commands/grant.h %D%/commands/help.c \
	%D%/commands/instructions.c %D%/commands/log.c %D%/commands/memory.c %D%/commands/model.c \
	%D%/commands/models.c %D%/commands/new.c %D%/commands/pair.c %D%/commands/prompt.c %D%/commands/queue.c \
	%D%/commands/reject.c %D%/commands/reload.c %D%/commands/remind.c %D%/commands/restart.c \
	%D%/commands/retry.c %D%/commands/role.c %D%/commands/send.c %D%/commands/sessions.c \
	%D%/commands/skills.c %D%/commands/status.c %D%/commands/stop.c %D%/commands/tools.c %D%/commands/undo.c \
	%D%/commands/usage.c %D%/commands/version.c %D%/commands/whoami.c \
	%D%/turn/attachments.c %D%/turn/attachments.h %D%/turn/coalesce.c %D%/turn/coalesce.h \
	%D%/turn/join_turn.c %D%/turn/outage_wait.c \
	%D%/turn/turn.c %D%/turn/turn.h %D%/turn/turn_input.c %D%/turn/turn_input.h
