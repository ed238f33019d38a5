#ifndef STORE_POSTGRES_LIBPQ_H
#define STORE_POSTGRES_LIBPQ_H
/* PostgreSQL's client library, loaded only for a store in PostgreSQL, so that other gateways run without it.
 * Pipelines need version 14 or newer. */
#include <libpq-fe.h>

struct error;

#define LIBPQ_EACH(X)           \
	X(PQbackendPID)         \
	X(PQclear)              \
	X(PQcmdStatus)          \
	X(PQcmdTuples)          \
	X(PQconnectPoll)        \
	X(PQconnectStartParams) \
	X(PQconsumeInput)       \
	X(PQenterPipelineMode)  \
	X(PQerrorMessage)       \
	X(PQexitPipelineMode)   \
	X(PQfinish)             \
	X(PQflush)              \
	X(PQfname)              \
	X(PQfreemem)            \
	X(PQgetCopyData)        \
	X(PQgetResult)          \
	X(PQgetisnull)          \
	X(PQgetvalue)           \
	X(PQisBusy)             \
	X(PQnotifies)           \
	X(PQntuples)            \
	X(PQparameterStatus)    \
	X(PQpingParams)         \
	X(PQpipelineSync)       \
	X(PQputCopyData)        \
	X(PQputCopyEnd)         \
	X(PQresultErrorField)   \
	X(PQresultStatus)       \
	X(PQsendPrepare)        \
	X(PQsendQuery)          \
	X(PQsendQueryParams)    \
	X(PQsendQueryPrepared)  \
	X(PQserverVersion)      \
	X(PQsetNoticeReceiver)  \
	X(PQsetnonblocking)     \
	X(PQsocket)             \
	X(PQstatus)             \
	X(PQtransactionStatus)

/* Its functions by their names. */
struct libpq {
#define LIBPQ_MEMBER(name) __typeof__(&name) name;
	LIBPQ_EACH(LIBPQ_MEMBER)
#undef LIBPQ_MEMBER
};

extern struct libpq pq;

/* Loads the library once for all threads. */
int libpq_load(struct error *err);

#endif
