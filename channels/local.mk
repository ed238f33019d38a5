libchannels_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libchannels_a_SOURCES = \
	%D%/channels.c %D%/channels.h \
	%D%/console/chat.c %D%/console/chat.h %D%/console/console.c %D%/console/console.h %D%/console/events.c \
	%D%/console/receive.c %D%/console/send.c \
	%D%/discord/account.c %D%/discord/api.c %D%/discord/api.h \
	%D%/discord/backfill.c %D%/discord/cache.c %D%/discord/cache.h \
	%D%/discord/cache_lookup.c %D%/discord/close_code.c %D%/discord/close_code.h \
	%D%/discord/commands.c %D%/discord/discord.c %D%/discord/discord.h \
	%D%/discord/discord_internal.h %D%/discord/dispatch.c %D%/discord/dispatch.h \
	%D%/discord/dm.c %D%/discord/dm.h %D%/discord/download.c %D%/discord/download.h \
	%D%/discord/event.c %D%/discord/event.h %D%/discord/event_queue.c %D%/discord/event_queue.h \
	%D%/discord/gateway.c %D%/discord/gateway_connection.c \
	%D%/discord/gateway_payload.c %D%/discord/gateway_payload.h \
	%D%/discord/gateway_session.c %D%/discord/gateway_session.h \
	%D%/discord/greeting.c %D%/discord/greeting.h %D%/discord/identify_limit.c %D%/discord/identify_limit.h \
	%D%/discord/interaction.c %D%/discord/interaction.h %D%/discord/outcome.c %D%/discord/outcome.h \
	%D%/discord/params.c %D%/discord/params.h %D%/discord/preview.c \
	%D%/discord/probe.c %D%/discord/rate_limit.c %D%/discord/rate_limit.h \
	%D%/discord/react.c %D%/discord/receive.c %D%/discord/receive.h \
	%D%/discord/render.c %D%/discord/render.h \
	%D%/discord/render_text.c %D%/discord/render_text.h %D%/discord/send.c %D%/discord/send.h \
	%D%/discord/settings.c %D%/discord/settings.h %D%/discord/shard.c %D%/discord/shard.h %D%/discord/shard_state.c \
	%D%/discord/split.c %D%/discord/split.h \
	%D%/discord/text.c %D%/discord/text.h %D%/discord/typing.c \
	%D%/markdown/build.c %D%/markdown/markdown_internal.h %D%/markdown/entity.c \
	%D%/markdown/markdown.c %D%/markdown/markdown.h %D%/markdown/pieces.c \
	%D%/markdown/repair.c %D%/markdown/repair.h %D%/markdown/repair_inline.c \
	%D%/markdown/section.c %D%/markdown/split.c %D%/markdown/split.h \
	%D%/markdown/spoiler.c %D%/markdown/table.c %D%/markdown/table.h \
	%D%/markdown/width.c %D%/markdown/width.h %D%/markdown/write.c %D%/markdown/write.h \
	%D%/markdown/write_span.c \
	%D%/shared/base_url.c %D%/shared/base_url.h %D%/shared/blank.c %D%/shared/blank.h \
	%D%/shared/preview.c %D%/shared/preview.h %D%/shared/probe.c %D%/shared/probe.h %D%/shared/rate_limit.c %D%/shared/rate_limit.h \
	%D%/shared/rendering_cache.c %D%/shared/rendering_cache.h \
	%D%/slack/account.c %D%/slack/account.h %D%/slack/api.c %D%/slack/api.h \
	%D%/slack/backfill.c \
	%D%/slack/download.c %D%/slack/download.h %D%/slack/emoji.c %D%/slack/emoji.h \
	%D%/slack/event.c %D%/slack/event.h %D%/slack/event_action.c %D%/slack/event_internal.h \
	%D%/slack/file_share.c %D%/slack/file_share.h %D%/slack/outcome.c %D%/slack/outcome.h \
	%D%/slack/params.c %D%/slack/params.h %D%/slack/press.c %D%/slack/preview.c \
	%D%/slack/probe.c %D%/slack/receive.c %D%/slack/recent_map.c %D%/slack/recent_map.h \
	%D%/slack/render.c %D%/slack/render.h %D%/slack/response_url.c %D%/slack/send.c \
	%D%/slack/settings.c %D%/slack/settings.h %D%/slack/settle.c %D%/slack/slack.c %D%/slack/slack.h \
	%D%/slack/slack_internal.h %D%/slack/socket.c %D%/slack/socket.h %D%/slack/stream.c %D%/slack/stream.h \
	%D%/slack/sync_state.c %D%/slack/sync_state.h %D%/slack/text.c %D%/slack/text.h \
	%D%/slack/typing.c %D%/slack/upload.c %D%/slack/users.c %D%/slack/users.h \
	%D%/telegram/account.c %D%/telegram/api.c %D%/telegram/api.h \
	%D%/telegram/attachment.c %D%/telegram/commands.c %D%/telegram/commands.h \
	%D%/telegram/describe.c %D%/telegram/download.c %D%/telegram/download.h \
	%D%/telegram/entity.c %D%/telegram/outcome.c %D%/telegram/outcome.h \
	%D%/telegram/params.c %D%/telegram/params.h %D%/telegram/poll.c \
	%D%/telegram/press.c %D%/telegram/preview.c \
	%D%/telegram/probe.c %D%/telegram/react.c \
	%D%/telegram/receive.c %D%/telegram/receive.h %D%/telegram/render.c %D%/telegram/render.h \
	%D%/telegram/render_html.c %D%/telegram/render_internal.h %D%/telegram/render_link.c \
	%D%/telegram/render_text.c %D%/telegram/retry.c %D%/telegram/rich.c \
	%D%/telegram/send.c %D%/telegram/service.c \
	%D%/telegram/settings.c %D%/telegram/settings.h %D%/telegram/split.c %D%/telegram/split.h \
	%D%/telegram/telegram.c %D%/telegram/telegram.h %D%/telegram/telegram_internal.h \
	%D%/telegram/typing.c %D%/telegram/update.c %D%/telegram/update.h %D%/telegram/update_internal.h \
	%D%/telegram/upload.c %D%/telegram/upload.h
