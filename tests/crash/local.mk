# Crashes at every point.
EXTRA_PROGRAMS += %D%/crash
%C%_crash_SOURCES = %D%/crash.c %D%/disk.c %D%/disk.h %D%/judge.c %D%/judge.h %D%/run.c %D%/run.h \
	%D%/scenario.c %D%/scenario.h %D%/witness.c %D%/world.c %D%/world.h
EXTRA_%C%_crash_DEPENDENCIES = %D%/shim.so myna$(EXEEXT) myna-playground$(EXEEXT)
EXTRA_DIST += %D%/script.json %D%/wrong-builds.sh
