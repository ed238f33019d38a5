libnet_a_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBEXECDIR='"$(pkglibexecdir)"'
libnet_a_CFLAGS = $(AM_CFLAGS) $(SMALL_CFLAGS)
libnet_a_SOURCES = \
	%D%/backoff.c %D%/backoff.h %D%/curl_loop.c %D%/curl_loop.h %D%/egress.c %D%/egress.h %D%/loop.c %D%/loop.h \
	%D%/loop_busy.c %D%/loop_busy.h %D%/lws_context.c %D%/lws_context.h %D%/resolve.c %D%/resolve.h \
	%D%/child/child.c %D%/child/child.h %D%/child/helper.c %D%/child/pipe.c %D%/child/child_internal.h \
	%D%/child/spawn.c \
	%D%/http/easy.c %D%/http/easy.h %D%/http/error.c %D%/http/host.c %D%/http/http.c %D%/http/http.h \
	%D%/http/library.c %D%/http/library.h %D%/http/multi.c %D%/http/multi.h \
	%D%/http/response.c %D%/http/setup.c %D%/http/transfer.h \
	%D%/http/url.c %D%/http/url.h \
	%D%/server/body.c %D%/server/body.h %D%/server/connection.c %D%/server/form.c \
	%D%/server/head.c %D%/server/head.h %D%/server/listen.c %D%/server/request.c \
	%D%/server/response.c %D%/server/server.c %D%/server/server.h %D%/server/server_internal.h \
	%D%/server/upgrade.c \
	%D%/web/address.c %D%/web/address.h %D%/web/guard.c %D%/web/guard.h %D%/web/outcome.c %D%/web/setup.c \
	%D%/web/transfer.h %D%/web/web.c %D%/web/web.h \
	%D%/websocket/event.c %D%/websocket/frame.c %D%/websocket/frame.h %D%/websocket/lifecycle.c %D%/websocket/vhost.c \
	%D%/websocket/websocket.c %D%/websocket/websocket.h %D%/websocket/websocket_internal.h
