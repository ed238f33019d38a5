libbus_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libbus_a_SOURCES = \
	%D%/ack_reaction.c %D%/address.c %D%/address.h %D%/attachment.c %D%/attachment.h %D%/bus.c %D%/bus.h %D%/bus_internal.h \
	%D%/buttons.c %D%/buttons.h %D%/channel.c %D%/channel.h %D%/chat_move.c \
	%D%/command_form.c %D%/command_menu.h %D%/escape.c %D%/escape.h %D%/journal.h \
	%D%/live_preview.c %D%/message.c %D%/message.h %D%/outbox_file.c %D%/outbox_file.h \
	%D%/outbox_sender.c %D%/outbox_sender.h %D%/outbox_sender_internal.h %D%/outbox_senders.c %D%/people.c %D%/people.h %D%/post.c %D%/post.h %D%/preview.h \
	%D%/quiet_hours.c %D%/quiet_hours.h %D%/reaction.c %D%/reaction.h %D%/targets.c %D%/targets.h %D%/unit.c
