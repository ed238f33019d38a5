# The simulated platforms and the scripted model: a program of its own, which sees net and base alone.
bin_PROGRAMS += myna-playground
myna_playground_SOURCES = %D%/main.c
myna_playground_LDADD = libplayground.a libnet.a libbase.a $(DEPS_LIBS) $(ZSTD_LIBS) -lz
libplayground_a_SOURCES = \
	%D%/embedded.h %D%/platform.h %D%/platforms.c %D%/playground.c %D%/playground.h \
	%D%/control/control.c %D%/control/control.h %D%/control/events.c %D%/control/events.h \
	%D%/control/clock.c %D%/control/faults.c %D%/control/gateway.c %D%/control/gateway.h \
	%D%/control/report.c %D%/control/report.h %D%/control/report_ask.c %D%/control/report_write.c \
	%D%/control/side_world.c %D%/control/side_world.h %D%/control/snapshot.c \
	%D%/control/verbs.c %D%/control/verbs.h %D%/control/wait.c \
	%D%/discord/methods/methods.h %D%/discord/discord.c %D%/discord/discord.h \
	%D%/discord/control/about.c \
	%D%/discord/control/actions.c \
	%D%/discord/control/command.c \
	%D%/discord/control/context.c %D%/discord/control/control.h %D%/discord/control/member.c \
	%D%/discord/control/operate.c %D%/discord/control/options.c %D%/discord/control/press.c \
	%D%/discord/control/resolve.c \
	%D%/discord/control/say.c %D%/discord/control/show.c \
	%D%/discord/control/socket_actions.c %D%/discord/control/transcript.c \
	%D%/discord/gateway/etf.c %D%/discord/gateway/etf.h \
	%D%/discord/gateway/event.c %D%/discord/gateway/event.h \
	%D%/discord/gateway/gateway.c %D%/discord/gateway/gateway.h \
	%D%/discord/gateway/identify.c \
	%D%/discord/gateway/opcode.c \
	%D%/discord/gateway/requests.c \
	%D%/discord/gateway/session.c \
	%D%/discord/gateway/socket.c \
	%D%/discord/http/answer.c %D%/discord/http/api.c %D%/discord/http/api.h \
	%D%/discord/http/call.c %D%/discord/http/call.h %D%/discord/http/endpoint.h \
	%D%/discord/http/errors.c %D%/discord/http/errors.h %D%/discord/http/handlers.h \
	%D%/discord/http/rate_limit.c %D%/discord/http/rate_limit.h \
	%D%/discord/http/request.c %D%/discord/http/route.c %D%/discord/http/upload.c \
	%D%/discord/methods/account.c %D%/discord/methods/application.c %D%/discord/methods/callback.c %D%/discord/methods/channels.c \
	%D%/discord/methods/command_check.c %D%/discord/methods/commands.c \
	%D%/discord/methods/component.c \
	%D%/discord/methods/compose.c \
	%D%/discord/methods/mention.c %D%/discord/methods/messages.c \
	%D%/discord/methods/expressions.c \
	%D%/discord/methods/guild_channels.c \
	%D%/discord/methods/guild_settings.c %D%/discord/methods/hooks.c \
	%D%/discord/methods/invites.c %D%/discord/methods/members.c \
	%D%/discord/methods/polls.c %D%/discord/methods/reaction.c \
	%D%/discord/methods/resource.c %D%/discord/methods/roles.c \
	%D%/discord/methods/rules.c %D%/discord/methods/scheduled_events.c %D%/discord/methods/search.c \
	%D%/discord/methods/send.c %D%/discord/methods/templates.c %D%/discord/methods/threads.c \
	%D%/discord/methods/tidy.c \
	%D%/discord/methods/voice.c \
	%D%/discord/methods/webhook.c \
	%D%/discord/world/audit.c \
	%D%/discord/world/bot.c %D%/discord/world/bot.h %D%/discord/world/channel.c %D%/discord/world/channel.h \
	%D%/discord/world/command.c \
	%D%/discord/world/emoji.c %D%/discord/world/file.c \
	%D%/discord/world/guild.c %D%/discord/world/guild.h \
	%D%/discord/world/interaction.c \
	%D%/discord/world/member.c \
	%D%/discord/world/message.c %D%/discord/world/message.h %D%/discord/world/message_json.c \
	%D%/discord/world/permission.c \
	%D%/discord/world/persist.c \
	%D%/discord/world/persist_message.c \
	%D%/discord/world/poll.c \
	%D%/discord/world/record.c \
	%D%/discord/world/rule.c \
	%D%/discord/world/scheduled.c \
	%D%/discord/world/snowflake.c %D%/discord/world/thread.c \
	%D%/discord/world/world_internal.h %D%/discord/world/world.c %D%/discord/world/world.h \
	%D%/flow/bot.c %D%/flow/expect.c %D%/flow/flow.c %D%/flow/flow.h %D%/flow/people.c %D%/flow/report.c \
	%D%/flow/run.h %D%/flow/step.c %D%/flow/verbs.c \
	%D%/gateway/daemon.c %D%/gateway/daemon.h %D%/gateway/model_choice.c %D%/gateway/model_choice.h \
	%D%/gateway/provider.c %D%/gateway/provider.h \
	%D%/model/api.c %D%/model/api.h %D%/model/audit.c \
	%D%/server/failure.c %D%/model/images.c \
	%D%/model/model.c %D%/model/model.h %D%/model/ollama.c \
	%D%/model/offered_tools.c \
	%D%/model/refusal.c \
	%D%/model/stream.c %D%/model/transcribe.c \
	%D%/model/vendor.c \
	%D%/model/chat/answer.c %D%/model/chat/chat.c %D%/model/chat/chat.h \
	%D%/model/chat/check.c %D%/model/chat/messages.c %D%/model/chat/tools.c \
	%D%/model/messages/answer.c %D%/model/messages/blocks.c \
	%D%/model/messages/check.c %D%/model/messages/messages.c %D%/model/messages/messages.h \
	%D%/model/messages/pairs.c %D%/model/messages/signature.c \
	%D%/model/responses/answer.c \
	%D%/model/responses/check.c %D%/model/responses/items.c %D%/model/responses/responses.h \
	%D%/model/responses/responses.c \
	%D%/model/script/check.c \
	%D%/model/script/conversation.c \
	%D%/model/script/generate.c \
	%D%/model/script/injection.c %D%/model/script/play.c \
	%D%/model/script/script.c %D%/model/script/script.h %D%/model/script/script_internal.h \
	%D%/model/script/template.c \
	%D%/server/certificate.c %D%/server/certificate.h \
	%D%/server/delivery.c %D%/server/delivery.h \
	%D%/server/exchange.c %D%/server/exchange.h %D%/server/fault.c %D%/server/fault.h \
	%D%/server/failure.c \
	%D%/server/feed.c %D%/server/feed.h %D%/server/form.c %D%/server/form.h \
	%D%/server/origin.c %D%/server/origin.h %D%/server/page.c %D%/server/page.h \
	%D%/server/quirk.c \
	%D%/server/request_log.c %D%/server/request_log.h \
	%D%/server/strict.c %D%/server/strict.h %D%/server/websocket.c %D%/server/websocket.h \
	%D%/server/websocket_handshake.c \
	%D%/spec/choice.c %D%/spec/fill.c %D%/spec/judge.c %D%/spec/judge.h %D%/spec/sentence.c \
	%D%/spec/spec.c %D%/spec/spec.h %D%/spec/spec_internal.h %D%/spec/spec_type.c \
	%D%/slack/slack.c %D%/slack/slack.h \
	%D%/slack/control/about.c %D%/slack/control/control.h \
	%D%/slack/control/actions.c %D%/slack/control/assistant.c %D%/slack/control/command.c \
	%D%/slack/control/context.c %D%/slack/control/interaction.c \
	%D%/slack/control/marks.c %D%/slack/control/modal.c %D%/slack/control/press.c %D%/slack/control/say.c %D%/slack/control/show.c \
	%D%/slack/control/transcript.c \
	%D%/slack/http/api.c %D%/slack/http/arguments.c \
	%D%/slack/http/auth.c %D%/slack/http/call.c %D%/slack/http/method.h \
	%D%/slack/http/param.c \
	%D%/slack/http/rate_limit.c %D%/slack/http/rate_limit.h \
	%D%/slack/http/transfer.c \
	%D%/slack/methods/blocks.c \
	%D%/slack/methods/bookmarks.c %D%/slack/methods/calls.c %D%/slack/methods/channels.c \
	%D%/slack/methods/compose.c %D%/slack/methods/compose.h %D%/slack/methods/conversations.c \
	%D%/slack/methods/files.c %D%/slack/methods/history.c %D%/slack/methods/pins.c \
	%D%/slack/methods/post.c %D%/slack/methods/reaction.c %D%/slack/methods/remote_files.c \
	 %D%/slack/methods/schedule.c %D%/slack/methods/status.c \
	%D%/slack/methods/stream.c %D%/slack/methods/unfurl.c %D%/slack/methods/usergroups.c %D%/slack/methods/users.c \
	%D%/slack/methods/views.c %D%/slack/methods/workspace.c \
	%D%/slack/socket/envelope.c \
	%D%/slack/socket/event.c %D%/slack/socket/event.h \
	%D%/slack/socket/request_url.c %D%/slack/socket/socket.c %D%/slack/socket/socket.h \
	%D%/slack/world/app.c %D%/slack/world/app.h \
	%D%/slack/world/conversation.c %D%/slack/world/conversation.h \
	%D%/slack/world/element.c \
	%D%/slack/world/file.c %D%/slack/world/message.c %D%/slack/world/message.h \
	%D%/slack/world/persist.c \
	%D%/slack/world/response_url.c \
	%D%/slack/world/scheduled.c %D%/slack/world/session.c \
	%D%/slack/world/settings.c %D%/slack/world/share.c \
	%D%/slack/world/text.c \
	%D%/slack/world/view.c %D%/slack/world/world_internal.h %D%/slack/world/world.c %D%/slack/world/world.h \
	%D%/telegram/telegram.c %D%/telegram/telegram.h \
	%D%/telegram/control/about.c %D%/telegram/control/control.h \
	%D%/telegram/control/actions.c %D%/telegram/control/actions_group.c \
	%D%/telegram/control/business.c %D%/telegram/control/inline.c \
	%D%/telegram/control/context.c %D%/telegram/control/pay.c %D%/telegram/control/press.c %D%/telegram/control/press_key.c %D%/telegram/control/say.c \
	%D%/telegram/control/say_extra.c \
	%D%/telegram/control/show.c \
	%D%/telegram/control/transcript.c \
	%D%/telegram/http/api.c %D%/telegram/http/api.h %D%/telegram/http/call.c %D%/telegram/http/method.h \
	%D%/telegram/http/param.c \
	%D%/telegram/http/rate_limit.c %D%/telegram/http/rate_limit.h \
	%D%/telegram/http/upload.c \
	 %D%/telegram/methods/business.c \
	%D%/telegram/methods/commands.c %D%/telegram/methods/compose.c %D%/telegram/methods/compose.h \
	%D%/telegram/methods/compose_rich.c \
	%D%/telegram/methods/draft.c %D%/telegram/methods/edit.c \
	%D%/telegram/methods/file.c %D%/telegram/methods/forward.c %D%/telegram/methods/games.c %D%/telegram/methods/get_chat.c \
	%D%/telegram/methods/inline.c %D%/telegram/methods/invites.c \
	 %D%/telegram/methods/members.c %D%/telegram/methods/payments.c \
	%D%/telegram/methods/pins.c %D%/telegram/methods/poll.c \
	%D%/telegram/methods/post.c \
	%D%/telegram/methods/profile.c %D%/telegram/methods/quote.c \
	%D%/telegram/methods/reactions.c \
	%D%/telegram/methods/rights.c %D%/telegram/methods/send.c \
	%D%/telegram/methods/send_album.c %D%/telegram/methods/send_media.c %D%/telegram/methods/send_parts.c %D%/telegram/methods/send_poll.c \
	%D%/telegram/methods/settings.c %D%/telegram/methods/stickers.c %D%/telegram/methods/topics.c %D%/telegram/methods/webhook.c \
	%D%/telegram/text/entities.c \
	%D%/telegram/text/formatted.c %D%/telegram/text/formatted.h %D%/telegram/text/formatted_finish.c \
	%D%/telegram/text/html.c %D%/telegram/text/link.c \
	%D%/telegram/text/markdown.c %D%/telegram/text/markdown_legacy.c \
	%D%/telegram/text/rich.c %D%/telegram/text/rich.h %D%/telegram/text/rich_inline.c \
	%D%/telegram/text/rich_internal.h %D%/telegram/text/rich_line.c %D%/telegram/text/rich_list.c \
	%D%/telegram/text/rich_markdown.c %D%/telegram/text/rich_plain.c %D%/telegram/text/rich_tree.c \
	%D%/telegram/world/bot.c %D%/telegram/world/bot.h \
	%D%/telegram/world/business.c \
	%D%/telegram/world/chat.c %D%/telegram/world/chat.h \
	 \
	%D%/telegram/world/draft.c \
	%D%/telegram/world/inline.c \
	%D%/telegram/world/invite.c \
	%D%/telegram/world/keyboard.c \
	%D%/telegram/world/media.c \
	%D%/telegram/world/message.c %D%/telegram/world/message.h \
	%D%/telegram/world/payment.c \
	%D%/telegram/world/people.c %D%/telegram/world/people.h \
	%D%/telegram/world/persist.c \
	%D%/telegram/world/persist_message.c \
	%D%/telegram/world/service.c \
	%D%/telegram/world/topic.c \
	%D%/telegram/world/update.c %D%/telegram/world/update.h \
	%D%/telegram/world/vote.c \
	%D%/telegram/world/webhook.c \
	%D%/telegram/world/world_internal.h %D%/telegram/world/world.c %D%/telegram/world/world.h \
	%D%/world/file.c %D%/world/file.h %D%/world/given.c %D%/world/given.h %D%/world/image.c %D%/world/image.h \
	%D%/world/json_format.c %D%/world/json_format.h %D%/world/json_members.c %D%/world/json_members.h \
	%D%/world/map.c %D%/world/map.h %D%/world/pattern.c %D%/world/pattern.h %D%/world/settings.c %D%/world/settings.h %D%/world/state.c %D%/world/state.h \
	%D%/world/timer.c %D%/world/timer.h
nodist_libplayground_a_SOURCES = %D%/embedded.c %D%/methods.c
playground_methods = %D%/telegram/methods.table %D%/slack/methods.table %D%/discord/operations.table
playground_embedded = \
	%D%/default-script.json %D%/page/api.js %D%/page/chatlist.js %D%/page/composer.js \
	%D%/page/discord.css %D%/page/discord_commands.js %D%/page/discord_modal.js %D%/page/discord_parts.js %D%/page/dom.js %D%/page/emoji.js \
	%D%/page/feed.js %D%/page/inline.js %D%/page/inside.css %D%/page/inside.js \
	%D%/page/inside_faults.js %D%/page/inside_gateway.js %D%/page/inside_ledger.js \
	%D%/page/inside_model.js %D%/page/inside_report.js %D%/page/inside_requests.js %D%/page/inside_people.js %D%/page/inside_rows.js %D%/page/inside_world.js %D%/page/json.js \
	%D%/page/kill.js %D%/page/log.js %D%/page/main.js %D%/page/markdown.js %D%/page/message.css \
	%D%/page/message.js %D%/page/myna.svg %D%/page/page.css %D%/page/page.html %D%/page/pane.css \
	%D%/page/pane.js %D%/page/phone.css %D%/page/platforms.js %D%/page/prompt.js %D%/page/room.js \
	%D%/page/saved.js %D%/page/seed.js %D%/page/slack.css %D%/page/slack_blocks.js \
	%D%/page/slack_input.js %D%/page/slack_menu.js %D%/page/slack_text.js %D%/page/slack_views.js \
	%D%/page/steps.js %D%/page/telegram.css %D%/page/telegram_rich.js %D%/page/telegram_text.js %D%/page/turns.js %D%/page/world.js \
	%D%/discord/errors.table %D%/discord/gateway.table %D%/discord/operations.table %D%/discord/schemas.table \
	%D%/model/failures.table %D%/model/requests.table %D%/model/script.table \
	%D%/slack/blocks.table %D%/slack/methods.table %D%/slack/types.table \
	%D%/telegram/methods.table %D%/telegram/types.table
EXTRA_DIST += %D%/clients/javascript/package.json %D%/clients/javascript/playground.d.ts \
	%D%/clients/javascript/playground.js %D%/clients/javascript/playground.test.js \
	%D%/clients/python/myna_playground.py %D%/clients/python/pyproject.toml %D%/clients/python/test_myna_playground.py
EXTRA_DIST += %D%/cluster.sh %D%/embed.sh %D%/methods.awk %D%/supervise.sh %D%/spec/generate.py %D%/spec/table.py $(playground_embedded)
CLEANFILES += %D%/embedded.c %D%/methods.c
%D%/embedded.c: %D%/embed.sh $(playground_embedded)
	$(AM_V_GEN)$(MKDIR_P) %D% && cd $(srcdir) && sh %D%/embed.sh $(playground_embedded) \
	    >$(abs_builddir)/$@.new && mv $(abs_builddir)/$@.new $(abs_builddir)/$@
%D%/methods.c: %D%/methods.awk $(playground_methods)
	$(AM_V_GEN)$(MKDIR_P) %D% && cd $(srcdir) && $(AWK) -f %D%/methods.awk $(playground_methods) \
	    >$(abs_builddir)/$@.new && mv $(abs_builddir)/$@.new $(abs_builddir)/$@
