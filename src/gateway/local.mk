# What the command line starts or asks: the daemon and its configuration.
libgateway_a_CPPFLAGS = $(AM_CPPFLAGS) -DSYSCONFDIR='"$(sysconfdir)"'
libgateway_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libgateway_a_SOURCES = \
	src/chat/connection.c src/chat/connection.h src/chat/history.c src/chat/history.h \
	src/chat/table.c src/chat/text.c src/chat/text.h \
	src/config/channel_checks.c src/config/channel_checks.h \
	src/config/gateway_config.c src/config/gateway_config.h \
	src/config/http_settings.c src/config/http_settings.h \
	src/config/last_good_config.c src/config/last_good_config.h \
	src/config/log_settings.c src/config/log_settings.h \
	src/control/answer.c src/control/answer.h src/control/console.c src/control/control_internal.h \
	src/control/control.c src/control/control.h \
	src/control/event_stream.c src/control/event_stream.h \
	src/control/http_api.c src/control/http_api.h \
	src/control/http_page.c src/control/send.c src/control/send.h \
	src/control/pairings.c src/control/send_files.c src/control/store.c \
	%D%/gateway.c %D%/node.c %D%/gateway.h %D%/gateway_internal.h %D%/parts.c %D%/reload.c \
	%D%/restart.c %D%/restart.h %D%/sd_notify.c \
	src/ops/cluster_status.c src/ops/cluster_status.h src/ops/diagnosis.c src/ops/diagnosis.h src/ops/doctor.c src/ops/doctor.h \
	src/ops/doctor_offline.c src/ops/doctor_versions.c \
	src/ops/gateway_view.h src/ops/health.c src/ops/health.h \
	src/ops/metrics.c src/ops/metrics.h src/ops/probe.c src/ops/probe.h \
	src/ops/process.c src/ops/process.h src/ops/reports.c src/ops/reports.h \
	src/ops/sandbox_status.c src/ops/sandbox_status.h src/ops/spending.c src/ops/spending.h \
	src/ops/state_dump.c src/ops/state_dump.h src/ops/status.c src/ops/status.h \
	src/ops/status_page.c src/ops/status_page.h
