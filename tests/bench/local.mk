# Measurements, each built by its name: make tests/bench/bench_store
EXTRA_PROGRAMS += %D%/bench_gateway %D%/bench_http %D%/bench_models %D%/bench_store %D%/floor %D%/libraries %D%/soak
EXTRA_LIBRARIES += libbench.a
libbench_a_SOURCES = %D%/bench.c %D%/bench.h %D%/bench_stage.c %D%/bench_stage.h %D%/platform.c %D%/platform.h
bench_libs = libbench.a $(MYNA_LIBS) $(DEPS_LIBS)
%C%_bench_gateway_SOURCES = %D%/bench_gateway.c %D%/measure_acks.c %D%/measure_burst.c %D%/measure_disk.c \
	%D%/measure_first.c %D%/growth.c %D%/growth.h %D%/measure_growth.c %D%/measure_idle.c \
	%D%/measure_latency.c %D%/measure_limits.c %D%/measure_playground.c %D%/measure_start.c \
	%D%/measure_streams.c
%C%_bench_gateway_LDADD = $(bench_libs)
%C%_bench_http_LDADD = $(bench_libs)
%C%_bench_models_LDADD = $(bench_libs)
%C%_bench_store_LDADD = $(bench_libs)
%C%_floor_LDADD = $(DEPS_LIBS)
%C%_libraries_LDADD = $(DEPS_LIBS)
%C%_soak_SOURCES = %D%/soak.c %D%/soak_talk.c %D%/soak_talk.h
%C%_soak_LDADD = $(bench_libs)
EXTRA_DIST += %D%/bot.mjs %D%/cost %D%/cost.json %D%/installation %D%/installation.json %D%/message-files.sh %D%/package-lock.json %D%/package.json %D%/playground.sh %D%/report.sh \
	%D%/run %D%/script.json %D%/search.sh \
	%D%/smoke.sh %D%/soak.json %D%/streams.mjs
