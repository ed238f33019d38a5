libtools_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libtools_a_SOURCES = \
	%D%/approval.c %D%/approval.h %D%/background.c %D%/background.h %D%/call.c \
	%D%/canonical_json.c %D%/canonical_json.h %D%/document.c %D%/exposed.c %D%/failure.c %D%/guard.c %D%/guard.h \
	%D%/lookup.c %D%/output.c %D%/output.h %D%/policy.c %D%/policy.h %D%/result_limit.c %D%/result_limit.h \
	%D%/sanitize.c %D%/sanitize.h %D%/schema.c %D%/schema.h %D%/settings.c %D%/scope.c %D%/scope.h %D%/services.h %D%/source.c %D%/source.h \
	%D%/source_internal.h %D%/subagent_tools.c %D%/subagent_tools.h %D%/task.c %D%/todo_write.c \
	%D%/tools.c %D%/tools.h %D%/tools_internal.h \
	%D%/external/call.c %D%/external/external.c %D%/external/external.h %D%/external/external_internal.h \
	%D%/external/program.c %D%/external/program.h %D%/external/scan.c %D%/external/schema.c \
	%D%/files/disk_usage.c %D%/files/disk_usage.h %D%/files/edit_file.c %D%/files/edit_match.c %D%/files/edit_match.h \
	%D%/files/file_hash.c %D%/files/file_hash.h %D%/files/file_search.c %D%/files/file_search.h \
	%D%/files/file_type.c %D%/files/glob.c \
	%D%/files/glob_pattern.c %D%/files/glob_pattern.h %D%/files/glob_pattern_name.c %D%/files/grep.c \
	%D%/files/grep_scan.c %D%/files/grep_scan.h %D%/files/image_copy.c %D%/files/image_copy.h \
	%D%/files/incoming_files.c %D%/files/incoming_files.h %D%/files/line_reader.c \
	%D%/files/list_directory.c %D%/files/path_error.c %D%/files/path_error.h \
	%D%/files/instruction_files.c %D%/files/path_open.c %D%/files/protected_files.c %D%/files/protected_files.h \
	%D%/files/read_file.c %D%/files/regex.c %D%/files/regex.h %D%/files/roots.c %D%/files/roots.h \
	%D%/files/roots_internal.h %D%/files/roots_part.c %D%/files/trusted_file.c %D%/files/trusted_file.h \
	%D%/files/walk.c %D%/files/workspace_move.c %D%/files/workspace_move.h %D%/files/workspace_owner.c %D%/files/workspace_owner.h \
	%D%/files/write_file.c %D%/files/write_target.c %D%/files/write_target.h \
	%D%/files/write_target_replace.c \
	%D%/mcp/call.c %D%/mcp/definition.c %D%/mcp/definition.h \
	%D%/mcp/elicit.c %D%/mcp/elicit.h %D%/mcp/elicit_field.c %D%/mcp/grants.c \
	%D%/mcp/handshake.c %D%/mcp/header.c %D%/mcp/header.h %D%/mcp/http.c \
	%D%/mcp/json_repair.c %D%/mcp/json_repair.h %D%/mcp/list.c %D%/mcp/mcp.c %D%/mcp/mcp.h \
	%D%/mcp/name.c %D%/mcp/peer.c %D%/mcp/peer.h %D%/mcp/process.c %D%/mcp/result.c %D%/mcp/result.h \
	%D%/mcp/server.c %D%/mcp/server.h %D%/mcp/settings.c %D%/mcp/settings.h %D%/mcp/stdio.c \
	%D%/mcp/transport.h \
	%D%/memory/forget.c %D%/memory/memory.c %D%/memory/memory.h \
	%D%/memory/paragraph.c %D%/memory/paragraph.h %D%/memory/read.c %D%/memory/search.c %D%/memory/write.c \
	%D%/messages/ask_user.c %D%/messages/message.c %D%/messages/react.c \
	%D%/messages/recipient.c %D%/messages/recipient.h %D%/messages/send_file.c \
	%D%/messages/send_result.c %D%/messages/send_result.h \
	%D%/prompt/files.c %D%/prompt/files.h %D%/prompt/folder_watch.c %D%/prompt/folder_watch.h %D%/prompt/front_matter.c %D%/prompt/front_matter.h \
	%D%/prompt/settings.c %D%/prompt/settings.h %D%/prompt/skill.c %D%/prompt/skills.c %D%/prompt/skills.h \
	%D%/reminders/remind.c %D%/reminders/reminders.c %D%/reminders/reminders.h \
	%D%/reminders/schedule.c %D%/reminders/schedule.h \
	%D%/reminders/schedule_text.c \
	%D%/rules/commands.c %D%/rules/custom.c %D%/rules/paths.c %D%/rules/rules.c %D%/rules/rules.h \
	%D%/rules/rules_internal.h %D%/rules/shell_internal.h %D%/rules/shell_parse.c %D%/rules/shell_parse.h \
	%D%/rules/shell_split.c \
	%D%/sandbox/canary.c %D%/sandbox/canary_targets.c %D%/sandbox/disk_watch.c %D%/sandbox/run.c \
	%D%/sandbox/sandbox.c %D%/sandbox/sandbox.h %D%/sandbox/sandbox_internal.h \
	%D%/shell/exec_shell.c %D%/shell/kill_shell.c %D%/shell/measure.c %D%/shell/shell.c %D%/shell/shell.h %D%/shell/spawn.c \
	%D%/shell/task_output.c \
	%D%/shell/working_directory.c \
	%D%/web/fetch.c %D%/web/page_text.c %D%/web/search.c \
	%D%/web/search_results.c %D%/web/web.c %D%/web/web.h
