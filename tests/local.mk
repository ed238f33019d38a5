# A test is one word in this list: its source has its name, its fixtures are in libtests.a.
test_programs = \
	%D%/agent/test_agent %D%/agent/test_budget %D%/agent/test_budget_paths %D%/agent/test_compact \
	%D%/agent/test_prompt %D%/agent/test_subagent %D%/agent/test_tool_calls \
	%D%/base/test_buf %D%/base/test_coroutine %D%/base/test_epoch %D%/base/test_error %D%/base/test_format %D%/base/test_list \
	%D%/base/test_library %D%/base/test_log %D%/base/test_mem %D%/base/test_metric %D%/base/test_money %D%/base/test_sha256 \
	%D%/base/test_task %D%/base/test_task_cond %D%/base/test_trace %D%/base/test_worker \
	%D%/base/config/test_config %D%/base/config/test_errors %D%/base/config/test_grammar \
	%D%/base/config/test_keep \
	%D%/base/json/test_ascii %D%/base/json/test_flat %D%/base/json/test_json \
	%D%/base/secret/test_secret \
	%D%/base/text/test_base64 %D%/base/text/test_quote %D%/base/text/test_suggest %D%/base/text/test_utf8 \
	%D%/base/time/test_clock %D%/base/time/test_cron %D%/base/time/test_zone \
	%D%/bus/test_address %D%/bus/test_attachment %D%/bus/test_bus %D%/bus/test_buttons \
	%D%/bus/test_outbox_file %D%/bus/test_outbox_sender_clock %D%/bus/test_outbox_sender_handover \
	%D%/bus/test_outbox_sender_settle \
	%D%/bus/test_quiet_hours %D%/bus/test_targets %D%/bus/test_unit \
	%D%/channels/test_channels \
	%D%/channels/console/test_console \
	%D%/channels/discord/test_event %D%/channels/discord/test_gateway %D%/channels/discord/test_gateway_session \
	%D%/channels/discord/test_outcome %D%/channels/discord/test_rate_limit %D%/channels/discord/test_receive \
	%D%/channels/discord/test_render %D%/channels/discord/test_send %D%/channels/discord/test_shards \
	%D%/channels/markdown/test_markdown \
	%D%/channels/shared/test_rate_limit %D%/channels/shared/test_rendering_cache \
	%D%/channels/slack/test_backfill %D%/channels/slack/test_event %D%/channels/slack/test_outcome \
	%D%/channels/slack/test_render %D%/channels/slack/test_send %D%/channels/slack/test_socket \
	%D%/channels/telegram/test_bus %D%/channels/telegram/test_commands %D%/channels/telegram/test_files \
	%D%/channels/telegram/test_outcome %D%/channels/telegram/test_poll %D%/channels/telegram/test_preview \
	%D%/channels/telegram/test_render %D%/channels/telegram/test_send %D%/channels/telegram/test_split \
	%D%/channels/telegram/test_update \
	%D%/chat/test_history %D%/chat/test_text \
	%D%/cluster/test_balance %D%/cluster/test_database %D%/cluster/test_kill %D%/cluster/test_lost_answer %D%/cluster/test_partition %D%/cluster/test_pause %D%/cluster/test_race \
	%D%/cluster/test_shards %D%/cluster/test_standby %D%/cluster/test_units %D%/cluster/test_upgrade \
	%D%/config/test_config_check \
	%D%/fault/test_model %D%/fault/test_proxy %D%/fault/test_receive %D%/fault/test_send \
	%D%/fault/test_uncertain_send \
	%D%/flow/agent/test_approval_kill %D%/flow/agent/test_approvals %D%/flow/agent/test_ask_user \
	%D%/flow/agent/test_budget %D%/flow/agent/test_commands %D%/flow/agent/test_files \
	%D%/flow/agent/test_images %D%/flow/agent/test_model_failover %D%/flow/agent/test_model_faults \
	%D%/flow/agent/test_models %D%/flow/agent/test_one_failure %D%/flow/agent/test_outage %D%/flow/agent/test_outage_kill %D%/flow/agent/test_platforms \
	%D%/flow/agent/test_prompt %D%/flow/agent/test_reminders %D%/flow/agent/test_send \
	%D%/flow/agent/test_stop %D%/flow/agent/test_stream \
	%D%/flow/cli/test_chat %D%/flow/cli/test_command_line %D%/flow/cli/test_first_run \
	%D%/flow/discord/test_conversation \
	%D%/flow/ops/test_backup %D%/flow/ops/test_clock %D%/flow/ops/test_damage %D%/flow/ops/test_disk \
	%D%/flow/ops/test_doctor %D%/flow/ops/test_health %D%/flow/ops/test_hours %D%/flow/ops/test_http \
	%D%/flow/ops/test_cluster %D%/flow/ops/test_init %D%/flow/ops/test_metrics %D%/flow/ops/test_name_server %D%/flow/ops/test_poison %D%/flow/ops/test_postgres %D%/flow/ops/test_reload \
	%D%/flow/ops/test_service %D%/flow/ops/test_store_copy %D%/flow/ops/test_trace %D%/flow/ops/test_upgrade \
	%D%/flow/security/test_access %D%/flow/security/test_injection %D%/flow/security/test_secrets \
	%D%/flow/slack/test_conversation %D%/flow/slack/test_kill \
	%D%/flow/telegram/test_buttons %D%/flow/telegram/test_conversation %D%/flow/telegram/test_groups \
	%D%/flow/tools/test_dead_child %D%/flow/tools/test_exec %D%/flow/tools/test_external \
	%D%/flow/tools/test_mcp %D%/flow/tools/test_tools %D%/flow/tools/test_workspace \
	%D%/flow/tools/test_workspace_kill %D%/flow/tools/test_web \
	%D%/fuzz/test_corpus \
	%D%/helpers/image/test_picture \
	%D%/helpers/reader/test_html \
	%D%/llm/test_classify %D%/llm/test_complete %D%/llm/test_history %D%/llm/test_history_judged \
	%D%/llm/test_image_input %D%/llm/test_llm %D%/llm/test_local_server %D%/llm/test_price \
	%D%/llm/test_profile %D%/llm/test_request_rate %D%/llm/test_transcribe \
	%D%/llm/formats/test_arguments %D%/llm/formats/test_pieces %D%/llm/formats/test_schema \
	%D%/llm/formats/test_sse %D%/llm/formats/test_surrogate %D%/llm/formats/test_tool_list \
	%D%/llm/formats/anthropic/test_anthropic %D%/llm/formats/anthropic/test_request \
	%D%/llm/formats/openai/test_answer %D%/llm/formats/openai/test_calls %D%/llm/formats/openai/test_chat \
	%D%/llm/formats/openai/test_request \
	%D%/llm/formats/responses/test_request %D%/llm/formats/responses/test_responses \
	%D%/net/test_backoff %D%/net/test_loop %D%/net/test_resolve \
	%D%/net/child/test_child \
	%D%/net/http/test_broken %D%/net/http/test_http %D%/net/http/test_https %D%/net/http/test_library \
	%D%/net/http/test_limits %D%/net/http/test_many \
	%D%/net/server/test_limits %D%/net/server/test_listen %D%/net/server/test_parse \
	%D%/net/server/test_response %D%/net/server/test_server \
	%D%/net/web/test_hostile %D%/net/web/test_web \
	%D%/net/websocket/test_frame %D%/net/websocket/test_open %D%/net/websocket/test_websocket \
	%D%/ops/test_metrics %D%/ops/test_status_page \
	%D%/playground/control/test_control %D%/playground/control/test_events \
	%D%/playground/control/test_report %D%/playground/control/test_time \
	%D%/playground/control/test_worlds \
	%D%/playground/discord/test_calls %D%/playground/discord/test_channels %D%/playground/discord/test_endpoints \
	%D%/playground/discord/test_etf \
	%D%/playground/discord/test_gateway %D%/playground/discord/test_guild \
	%D%/playground/discord/test_interactions %D%/playground/discord/test_operate \
	%D%/playground/discord/test_server \
	%D%/playground/flow/test_flow \
	%D%/playground/gateway/test_supervised \
	%D%/playground/model/test_chat_check %D%/playground/model/test_faults \
	%D%/playground/model/test_messages_check %D%/playground/model/test_offered_tools \
	%D%/playground/model/test_program \
	%D%/playground/model/test_responses_check %D%/playground/model/test_script \
	%D%/playground/server/test_feed %D%/playground/server/test_outside %D%/playground/server/test_parts \
	%D%/playground/server/test_strict \
	%D%/playground/server/test_tls %D%/playground/server/test_websocket \
	%D%/playground/spec/test_spec \
	%D%/playground/slack/test_calls %D%/playground/slack/test_channels %D%/playground/slack/test_elements \
	%D%/playground/slack/test_methods %D%/playground/slack/test_request_url %D%/playground/slack/test_socket \
	%D%/playground/slack/test_sessions %D%/playground/slack/test_views %D%/playground/slack/test_workspace \
	%D%/playground/telegram/test_business %D%/playground/telegram/test_formatted %D%/playground/telegram/test_groups \
	%D%/playground/telegram/test_image %D%/playground/telegram/test_inline %D%/playground/telegram/test_media \
	%D%/playground/telegram/test_methods %D%/playground/telegram/test_program \
	%D%/playground/telegram/test_payments \
	%D%/playground/telegram/test_profile %D%/playground/telegram/test_rich %D%/playground/telegram/test_rights \
	%D%/playground/telegram/test_sending \
	%D%/playground/telegram/test_stickers %D%/playground/telegram/test_updates %D%/playground/telegram/test_webhook \
	%D%/playground/world/test_json_format \
	%D%/session/test_expiry %D%/session/test_flood %D%/session/test_group %D%/session/test_plan \
	%D%/session/test_queue_mode %D%/session/test_recall %D%/session/test_reminder_scheduler \
	%D%/session/test_session %D%/session/test_stop_reaction \
	%D%/session/access/test_access %D%/session/access/test_others %D%/session/access/test_pairing \
	%D%/session/approval/test_approval %D%/session/approval/test_ask_user %D%/session/approval/test_question \
	%D%/session/commands/test_budget %D%/session/commands/test_command %D%/session/commands/test_commands \
	%D%/session/commands/test_compact %D%/session/commands/test_undo \
	%D%/session/turn/test_attachments %D%/session/turn/test_coalesce %D%/session/turn/test_outage_wait \
	%D%/store/test_copy %D%/store/test_crash %D%/store/test_files %D%/store/test_job_queue \
	%D%/store/test_message_trace %D%/store/test_repeated_writes %D%/store/test_schedules %D%/store/test_search \
	%D%/store/test_slices %D%/store/test_store \
	%D%/store/journal/test_context %D%/store/journal/test_inbox %D%/store/journal/test_outbox \
	%D%/store/sqlite/test_backup %D%/store/sqlite/test_damage %D%/store/sqlite/test_db %D%/store/sqlite/test_failing_calls \
	%D%/store/sqlite/test_failing_reads %D%/store/sqlite/test_full %D%/store/sqlite/test_memory %D%/store/sqlite/test_query_plans \
	%D%/store/sqlite/test_schema %D%/store/sqlite/test_upgrade \
	%D%/store/postgres/test_away %D%/store/postgres/test_cluster %D%/store/postgres/test_lost_connection %D%/store/postgres/test_statements \
	%D%/store/retention/test_retention \
	%D%/store/turn/test_opening \
	%D%/store/turn/test_turn \
	%D%/store/turn/test_warm_history \
	%D%/tools/test_approval %D%/tools/test_document %D%/tools/test_examples %D%/tools/test_output \
	%D%/tools/test_policy %D%/tools/test_result_limit %D%/tools/test_schema %D%/tools/test_source \
	%D%/tools/test_todo_write %D%/tools/test_tools \
	%D%/tools/external/test_external \
	%D%/tools/files/test_disk_usage %D%/tools/files/test_edit_file %D%/tools/files/test_escape %D%/tools/files/test_glob \
	%D%/tools/files/test_glob_pattern %D%/tools/files/test_grep %D%/tools/files/test_incoming_files \
	%D%/tools/files/test_list_directory %D%/tools/files/test_read_file %D%/tools/files/test_roots \
	%D%/tools/files/test_write_file %D%/tools/files/test_write_target \
	%D%/tools/mcp/test_elicit %D%/tools/mcp/test_http %D%/tools/mcp/test_mcp %D%/tools/mcp/test_stdio_sandbox \
	%D%/tools/memory/test_memory \
	%D%/tools/messages/test_ask_user %D%/tools/messages/test_message %D%/tools/messages/test_send_file \
	%D%/tools/prompt/test_files %D%/tools/prompt/test_skill \
	%D%/tools/reminders/test_schedule \
	%D%/tools/rules/test_rules %D%/tools/rules/test_shell_parse \
	%D%/tools/sandbox/test_canary %D%/tools/sandbox/test_sandbox \
	%D%/tools/shell/test_exec_shell %D%/tools/shell/test_spawn \
	%D%/tools/web/test_fetch %D%/tools/web/test_search

# What tests share, compiled once.
libtests_a_SOURCES = \
	%D%/base/task_body.h \
	%D%/base/config/config_sample.h %D%/base/text/utf8_table.h \
	%D%/channels/discord/discord_stage.c %D%/channels/discord/discord_stage.h \
	%D%/channels/slack/slack_stage.c %D%/channels/slack/slack_stage.h \
	%D%/channels/telegram/bot_api_server.c %D%/channels/telegram/bot_api_server.h \
	%D%/cluster/guilds.c %D%/cluster/guilds.h %D%/cluster/ledger.c %D%/cluster/ledger.h %D%/cluster/nodes.c %D%/cluster/nodes.h \
	%D%/crash/events.c %D%/crash/events.h %D%/crash/random.h %D%/crash/shim.h \
	%D%/fault/points.c %D%/fault/points.h %D%/fault/proxy.c %D%/fault/proxy.h %D%/fault/proxy_conn.c \
	%D%/fault/proxy_internal.h %D%/fault/rig.c %D%/fault/rig.h \
	%D%/flow/flow.c %D%/flow/flow.h %D%/flow/kill.c %D%/flow/kill.h \
	%D%/flow/time_skip.c %D%/flow/time_skip.h %D%/flow/weather.c %D%/flow/weather.h \
	%D%/flow/web_site.c %D%/flow/web_site.h %D%/flow/world.c %D%/flow/world.h \
	%D%/flow/cli/terminal.c %D%/flow/cli/terminal.h \
	%D%/flow/ops/exposition.c %D%/flow/ops/exposition.h \
	%D%/flow/security/injections.c %D%/flow/security/injections.h \
	%D%/flow/security/leak.c %D%/flow/security/leak.h %D%/flow/security/wire.c %D%/flow/security/wire.h \
	%D%/helpers/image/samples.c %D%/helpers/image/samples.h \
	%D%/lib/client.c %D%/lib/client.h %D%/lib/fake_channel.c %D%/lib/fake_channel.h %D%/lib/old_state.c %D%/lib/old_state.h %D%/lib/journal_memory.c %D%/lib/journal_memory.h %D%/lib/postgres.c %D%/lib/postgres.h %D%/lib/postgres_proxy.c %D%/lib/postgres_proxy.h %D%/lib/sample.h %D%/lib/until.h %D%/lib/sql_tap.c %D%/lib/sql_tap.h %D%/lib/stage.c %D%/lib/stage.h %D%/lib/stage_press.c %D%/lib/stage_press.h \
	%D%/llm/exchange.c %D%/llm/exchange.h %D%/llm/sample.c %D%/llm/sample.h \
	%D%/llm/formats/openai/openai_fixture.c %D%/llm/formats/openai/openai_fixture.h \
	%D%/net/fake_dns.c %D%/net/fake_dns.h %D%/net/raw_server.c %D%/net/raw_server.h \
	%D%/net/tls_server.c %D%/net/tls_server.h \
	%D%/net/http/http_call.c %D%/net/http/http_call.h \
	%D%/net/server/peer.c %D%/net/server/peer.h \
	%D%/net/web/web_certificate.h %D%/net/web/web_host.c %D%/net/web/web_host.h \
	%D%/net/websocket/random_frames.h \
	%D%/net/websocket/websocket_fixture.c %D%/net/websocket/websocket_fixture.h \
	%D%/playground/fixture.c %D%/playground/fixture.h \
	%D%/playground/discord/discord_rig.c %D%/playground/discord/discord_rig.h \
	%D%/playground/slack/slack_rig.c %D%/playground/slack/slack_rig.h \
	%D%/store/scene.c %D%/store/scene.h %D%/store/scene_writes.c %D%/store/store_fixture.c %D%/store/store_fixture.h \
	%D%/tools/tools_fixture.c %D%/tools/tools_fixture.h \
	%D%/tools/files/outside_files.c %D%/tools/files/outside_files.h \
	%D%/tools/mcp/mcp_fixture.c %D%/tools/mcp/mcp_fixture.h \
	%D%/tools/sandbox/bypass_commands.h \
	%D%/tools/sandbox/sandbox_fixture.c %D%/tools/sandbox/sandbox_fixture.h \
	%D%/tools/shell/shell_fixture.c %D%/tools/shell/shell_fixture.h \
	%D%/tools/web/fake_web.c %D%/tools/web/fake_web.h


# These talk to a stand-in for the bus, which must not come into any other program.
%C%_channels_telegram_test_commands_SOURCES = %D%/channels/telegram/test_commands.c $(channel_double)
%C%_channels_telegram_test_files_SOURCES = %D%/channels/telegram/test_files.c $(channel_double)
%C%_channels_telegram_test_poll_SOURCES = %D%/channels/telegram/test_poll.c $(channel_double)
%C%_channels_telegram_test_preview_SOURCES = %D%/channels/telegram/test_preview.c $(channel_double)
%C%_channels_telegram_test_send_SOURCES = %D%/channels/telegram/test_send.c $(channel_double)
channel_double = %D%/channels/channel_double.c %D%/channels/channel_double.h \
	%D%/channels/telegram/telegram_stage.c %D%/channels/telegram/telegram_stage.h

# They make the jobs of the store their own.
%C%_store_postgres_test_lost_connection_SOURCES = %D%/store/postgres/test_lost_connection.c $(wrapped_jobs)
%C%_store_test_repeated_writes_SOURCES = %D%/store/test_repeated_writes.c $(wrapped_jobs)
wrapped_jobs = %D%/store/wrapped_jobs.c %D%/store/wrapped_jobs.h
%C%_store_postgres_test_lost_connection_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=job_new
%C%_store_test_repeated_writes_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=job_new

if TESTS_WANTED
check_LIBRARIES += libtests.a
check_PROGRAMS += $(test_programs) $(test_helpers)
TESTS = $(test_programs)
endif

# Programs that tests start. The sandboxes without one of their parts show that the canary would notice.
test_helpers = %D%/lib/mcp_stub %D%/tools/sandbox/hostile_program %D%/tools/sandbox/refusing_helper \
	%D%/tools/sandbox/without_landlock %D%/tools/sandbox/without_namespaces %D%/tools/sandbox/without_seccomp \
	%D%/tools/sandbox/without_sweep %D%/tools/sandbox/without_scopes %D%/tools/sandbox/older_kernel
sandbox_seccomp = src/helpers/sandbox/seccomp.c
sandbox_landlock = src/helpers/sandbox/landlock.c
sandbox_namespaces = src/helpers/sandbox/namespaces.c
# It runs in the sandbox, too.
%C%_lib_mcp_stub_SOURCES = %D%/lib/mcp_stub.c src/base/buf.c src/base/error.c src/base/format.c src/base/mem.c src/base/read_error.c \
	src/base/json/flat.c src/base/json/json.c src/base/json/scan.c src/base/json/tree.c src/base/secret/encodings.c \
	src/base/secret/secret.c src/base/secret/source.c src/base/secret/token_shape.c src/base/text/base64.c \
	src/base/text/utf8.c
%C%_lib_mcp_stub_CPPFLAGS = $(AM_CPPFLAGS)
%C%_lib_mcp_stub_CFLAGS = -std=gnu11 $(WARN_CFLAGS) $(SANDBOX_CFLAGS)
%C%_lib_mcp_stub_LDFLAGS = $(SANDBOX_LDFLAGS) -Wl,--as-needed
%C%_lib_mcp_stub_LDADD = $(DEPS_LIBS) -lm
%C%_tools_sandbox_hostile_program_SOURCES = %D%/tools/sandbox/hostile_program.c
%C%_tools_sandbox_hostile_program_CPPFLAGS = $(myna_sandbox_CPPFLAGS)
%C%_tools_sandbox_hostile_program_CFLAGS = $(myna_sandbox_CFLAGS)
%C%_tools_sandbox_hostile_program_LDFLAGS = $(SANDBOX_LDFLAGS)
%C%_tools_sandbox_hostile_program_LDADD = $(SECCOMP_LIBS)
%C%_tools_sandbox_refusing_helper_SOURCES = %D%/tools/sandbox/refusing_helper.c
%C%_tools_sandbox_refusing_helper_CPPFLAGS = $(myna_sandbox_CPPFLAGS)
%C%_tools_sandbox_refusing_helper_CFLAGS = $(myna_sandbox_CFLAGS)
%C%_tools_sandbox_refusing_helper_LDFLAGS = $(SANDBOX_LDFLAGS)
%C%_tools_sandbox_refusing_helper_LDADD = $(SECCOMP_LIBS)
%C%_tools_sandbox_without_landlock_SOURCES = $(sandbox_sources) $(sandbox_seccomp) $(sandbox_supervise) $(sandbox_namespaces) %D%/tools/sandbox/without_landlock.c
%C%_tools_sandbox_without_landlock_CPPFLAGS = $(myna_sandbox_CPPFLAGS)
%C%_tools_sandbox_without_landlock_CFLAGS = $(myna_sandbox_CFLAGS)
%C%_tools_sandbox_without_landlock_LDFLAGS = $(SANDBOX_LDFLAGS)
%C%_tools_sandbox_without_landlock_LDADD = $(SECCOMP_LIBS)
%C%_tools_sandbox_without_scopes_SOURCES = $(sandbox_sources) $(sandbox_seccomp) $(sandbox_supervise) $(sandbox_namespaces) %D%/tools/sandbox/without_scopes.c
%C%_tools_sandbox_without_scopes_CPPFLAGS = $(myna_sandbox_CPPFLAGS)
%C%_tools_sandbox_without_scopes_CFLAGS = $(myna_sandbox_CFLAGS)
%C%_tools_sandbox_without_scopes_LDFLAGS = $(SANDBOX_LDFLAGS)
%C%_tools_sandbox_without_scopes_LDADD = $(SECCOMP_LIBS)
%C%_tools_sandbox_older_kernel_SOURCES = $(sandbox_sources) $(sandbox_seccomp) $(sandbox_supervise) $(sandbox_namespaces) %D%/tools/sandbox/older_kernel.c
%C%_tools_sandbox_older_kernel_CPPFLAGS = $(myna_sandbox_CPPFLAGS)
%C%_tools_sandbox_older_kernel_CFLAGS = $(myna_sandbox_CFLAGS)
%C%_tools_sandbox_older_kernel_LDFLAGS = $(SANDBOX_LDFLAGS)
%C%_tools_sandbox_older_kernel_LDADD = $(SECCOMP_LIBS)
%C%_tools_sandbox_without_namespaces_SOURCES = $(sandbox_sources) $(sandbox_seccomp) $(sandbox_landlock) $(sandbox_supervise) %D%/tools/sandbox/without_namespaces.c
%C%_tools_sandbox_without_namespaces_CPPFLAGS = $(myna_sandbox_CPPFLAGS)
%C%_tools_sandbox_without_namespaces_CFLAGS = $(myna_sandbox_CFLAGS)
%C%_tools_sandbox_without_namespaces_LDFLAGS = $(SANDBOX_LDFLAGS)
%C%_tools_sandbox_without_namespaces_LDADD = $(SECCOMP_LIBS)
%C%_tools_sandbox_without_seccomp_SOURCES = $(sandbox_sources) $(sandbox_landlock) $(sandbox_supervise) $(sandbox_namespaces) %D%/tools/sandbox/without_seccomp.c
%C%_tools_sandbox_without_seccomp_CPPFLAGS = $(myna_sandbox_CPPFLAGS)
%C%_tools_sandbox_without_seccomp_CFLAGS = $(myna_sandbox_CFLAGS)
%C%_tools_sandbox_without_seccomp_LDFLAGS = $(SANDBOX_LDFLAGS)
%C%_tools_sandbox_without_seccomp_LDADD = $(SECCOMP_LIBS)
%C%_tools_sandbox_without_sweep_SOURCES = $(sandbox_sources) $(sandbox_seccomp) $(sandbox_landlock) $(sandbox_namespaces) %D%/tools/sandbox/without_sweep.c
%C%_tools_sandbox_without_sweep_CPPFLAGS = $(myna_sandbox_CPPFLAGS)
%C%_tools_sandbox_without_sweep_CFLAGS = $(myna_sandbox_CFLAGS)
%C%_tools_sandbox_without_sweep_LDFLAGS = $(SANDBOX_LDFLAGS)
%C%_tools_sandbox_without_sweep_LDADD = $(SECCOMP_LIBS)
EXTRA_DIST += %D%/lib/postgres-cluster.sh %D%/channels/render %D%/helpers/reader/pages %D%/playground/clients.sh %D%/playground/flow/flow_bot.py \
	%D%/playground/flow/socket_bot.py \
	%D%/playground/spec/wrong_rows.py
EXTRA_DIST += %D%/browser %D%/chaos %D%/container %D%/docs %D%/helm %D%/mutate %D%/node.sh %D%/old-state %D%/package %D%/package-lock.json %D%/package.json %D%/third-party
EXTRA_DIST += %D%/arm64/init %D%/check-arm64.sh %D%/check-clang.sh %D%/check-curl.sh %D%/check-debian13.sh %D%/check-failures.sh %D%/check-install.sh \
	%D%/check-layers.sh %D%/check-completions.sh %D%/check-exit-status.py %D%/check-manual.sh %D%/gdb/tasks.py \
	%D%/check-service.sh %D%/check-settings.sh %D%/check-sizes.sh %D%/check-tables.sh %D%/curl-names.txt %D%/failures.md \
	%D%/model-journal.sh %D%/packages.sh %D%/report.sh %D%/service-calls.sh %D%/steady.sh %D%/steps.sh

# What is preloaded into other programs is built without sanitizers.
preloads = %D%/bench/slowclock.so %D%/bench/slowsync.so %D%/crash/shim.so %D%/flow/weather_shim.so
CLEANFILES += $(preloads)
EXTRA_DIST += %D%/bench/slowclock.c %D%/bench/slowclock.h %D%/bench/slowsync.c %D%/crash/shim.c %D%/flow/weather_shim.c
%D%/bench/slowclock.so: %D%/bench/slowclock.c %D%/bench/slowclock.h
%D%/bench/slowsync.so: %D%/bench/slowsync.c
%D%/crash/shim.so: %D%/crash/shim.c %D%/crash/shim.h
%D%/flow/weather_shim.so: %D%/flow/weather_shim.c %D%/flow/weather.h
$(preloads):
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) -std=gnu11 -D_GNU_SOURCE $(WARN_CFLAGS) -O2 -fPIC -shared -I$(top_srcdir)/tests \
	    -o $@ $(srcdir)/$(@:.so=.c)
check-am: $(preloads)

include tests/crash/local.mk
include tests/bench/local.mk
include tests/fuzz/local.mk

# For ./check: builds the test programs without running them, and names them.
.PHONY: tests test-helpers list-tests
tests: $(check_PROGRAMS) $(preloads)
test-helpers: $(test_helpers) $(preloads)
list-tests:
	@echo $(test_programs)
