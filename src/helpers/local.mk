# Programs that myna starts: what could be broken into by what strangers sent runs in a process of its own.
pkglibexec_PROGRAMS += myna-image myna-reader myna-sandbox

# Decodes the images that strangers sent. Nothing else links the libraries for them.
libimage_a_CPPFLAGS = $(AM_CPPFLAGS) $(IMAGE_CFLAGS)
libimage_a_SOURCES = \
	%D%/image/encode.c %D%/image/exif.c %D%/image/gif.c %D%/image/jpeg.c \
	%D%/image/picture.c %D%/image/picture.h %D%/image/png.c %D%/image/resize.c %D%/image/webp.c
myna_image_SOURCES = %D%/image/main.c
myna_image_LDADD = libimage.a libreader.a libbase.a $(IMAGE_LIBS) $(SECCOMP_LIBS)

# Reads the pages that strangers wrote. Nothing else links libxml2.
libreader_a_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS) $(SECCOMP_CFLAGS)
libreader_a_SOURCES = \
	%D%/reader/charset.c %D%/reader/charset.h %D%/reader/confine.c %D%/reader/confine.h \
	%D%/reader/elements.c %D%/reader/html.c %D%/reader/html.h %D%/reader/html_internal.h %D%/reader/link.c \
	%D%/reader/markdown.c %D%/reader/table.c
myna_reader_SOURCES = %D%/reader/main.c
myna_reader_LDADD = libreader.a libbase.a $(XML_LIBS) $(SECCOMP_LIBS)

# Confines a command. In a build tree it lies beside myna. The tests build it again with one of the parts missing.
sandbox_sources = \
	%D%/sandbox/canary.c %D%/sandbox/canary.h %D%/sandbox/canary_calls.c %D%/sandbox/canary_files.c \
	%D%/sandbox/canary_self.c %D%/sandbox/confine.c %D%/sandbox/sandbox_internal.h %D%/sandbox/landlock.h \
	%D%/sandbox/limits.c %D%/sandbox/main.c \
	%D%/sandbox/options.c %D%/sandbox/options.h %D%/sandbox/report.c %D%/sandbox/report.h \
	%D%/sandbox/supervise.h %D%/sandbox/system_paths.c %D%/sandbox/system_paths.h \
	%D%/sandbox/temp_dir.c %D%/sandbox/user.c %D%/sandbox/user.h
sandbox_supervise = %D%/sandbox/descendants.c %D%/sandbox/memory.c %D%/sandbox/supervise.c
myna_sandbox_SOURCES = $(sandbox_sources) $(sandbox_supervise) %D%/sandbox/seccomp.c %D%/sandbox/landlock.c %D%/sandbox/namespaces.c
myna_sandbox_CPPFLAGS = $(AM_CPPFLAGS) $(SECCOMP_CFLAGS)
myna_sandbox_CFLAGS = -std=gnu11 $(WARN_CFLAGS) $(SANDBOX_CFLAGS)
myna_sandbox_LDFLAGS = $(SANDBOX_LDFLAGS)
myna_sandbox_LDADD = $(SECCOMP_LIBS)
