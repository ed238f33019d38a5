#ifndef TESTS_TOOLS_SANDBOX_BYPASS_COMMANDS_H
#define TESTS_TOOLS_SANDBOX_BYPASS_COMMANDS_H
/*
 * 77 ways around a list of forbidden strings ("rm -rf /", "sudo ", "mkfs", "dd if=", "> /dev/sd"). $V is a
 * folder that is not granted, $D a file that stands for a disk, $B a folder of programs that write to a file
 * when they run.
 */

#include <stdbool.h>

struct bypass {
	const char *text;
	bool bash; /* works only in bash */
};

static const struct bypass bypasses[] = {
    {"rm -fr $V", false},
    {"rm -r -f $V", false},
    {"rm --recursive --force $V", false},
    {"rm -rfv $V", false},
    {"rm  -rf  $V", false},
    {"rm\t-rf\t$V", false},
    {"rm${IFS}-rf${IFS}$V", false},
    {"rm$IFS-rf$IFS$V", false},
    {"rm -rf -- $V", false},
    {"rm -rf \"$V\"", false},
    {"r'm' -rf $V", false},
    {"\\rm -rf $V", false},
    {"r\\m -r\\f $V", false},
    {"r\"\"m -r''f $V", false},
    {"/bin/r? -fr $V", false},
    {"rm -fr $V*", false},
    {"cd $V && cd .. && rm -fr ${V##*/}", false},
    {"a=rm;b=-rf;$a $b $V", false},
    {"s=/;rm -rf ${s}$V", false},
    {"rm -rf ${PWD%%[!/]*}${V#/}", false},
    {"$(echo rm) -rf $V", false},
    {"`echo rm` -rf $V", false},
    {"$(printf '\\162\\155') -rf $V", false},
    {"$'\\x72m' -rf $V", true},
    {"{rm,-rf,$V}", true},
    {"echo cm0gLXJmICRWCg== | base64 -d | sh", false},
    {"printf '\\x72\\x6d -rf $V' | bash", true},
    {"echo 'V$ fr- mr' | rev | sh", false},
    {"echo 'ez -es $V' | tr a-z n-za-m | sh", false},
    {"eval 'r''m -r''f $V'", false},
    {"rm \\\n-rf \\\n$V", false},
    {"sh <<X\nrm -rf $V\nX", false},
    {"env rm -rf $V", false},
    {"command rm -rf $V", false},
    {"echo $V | xargs rm -rf", false},
    {"find $V -delete", false},
    {"find $V -type f -exec unlink {} \\;", false},
    {"python3 -c 'import shutil,os;shutil.rmtree(os.environ[\"V\"])'", false},
    {"perl -e 'unlink(\"$ENV{V}/file\")'", false},
    {"f(){ \"$@\";};f rm -rf $V", false},
    {"echo 'rm -rf $V' >s.sh; sh s.sh", false},
    {"printf 'all:\\n\\trm -rf $(V)\\n' >Makefile; make -s", false},
    {"git init -q . 2>/dev/null; git -c alias.x='!rm -rf $V #' x", false},
    {"tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='rm -rf $V' /bin/sh", false},
    {"echo x | sed '1e rm -rf $V'", false},
    {": >$V/file", false},
    {"truncate -s 0 $V/file", false},
    {"cp /dev/null $V/file", false},
    {"mv $V/file $V/gone", false},
    {"awk 'BEGIN{system(\"rm -rf \" ENVIRON[\"V\"])}'", false},
    {"nohup rm -rf $V", false},
    {"timeout 9 rm -rf $V", false},
    {"nice rm -rf $V", false},
    {"setsid rm -rf $V; sleep 0.1", false},
    {"sudo\tid", false},
    {"sudo${IFS}id", false},
    {"$B/sudo\tid", false},
    {"su'do' id", false},
    {"\"sudo\" id", false},
    {"x=do; su$x id", false},
    {"su -c id", false},
    {"pkexec id", false},
    {"mk'fs'.ext4 $D", false},
    {"$B/mk?s.ext4 $D", false},
    {"mke2fs $D", false},
    {"m=mk; ${m}fs.ext4 $D", false},
    {"dd of=$D if=/dev/zero count=1 2>/dev/null", false},
    {"dd  if=/dev/zero of=$D count=1 2>/dev/null", false},
    {"d'd' if=/dev/zero of=$D count=1 2>/dev/null", false},
    {"cp /bin/true $D", false},
    {"echo x | tee $D", false},
    {"echo x >$D", false},
    {"echo x >  $D", false},
    {"echo x >>$D", false},
    {"echo x >|$D", false},
    {"echo x >\"$D\"", false},
    {"d=$D; echo x >$d", false},
};

/* Fork bombs; only where the number of processes is limited. */
static const char *const fork_bombs[] = {
    "b(){ b|b& };b",
    "x() { x | x & } ; x",
    "echo 'sh bomb.sh & sh bomb.sh' >bomb.sh; sh bomb.sh",
    "while :; do sh -c 'sleep 600' & done",
};

#endif
