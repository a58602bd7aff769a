#pragma once

#include <malloc.h>
#include <sqlite3.h>

// An empty text; its bytes last as long as the program.
static inline int lunara_sqlite_bind_empty_text(sqlite3_stmt *statement, int index) {
  return sqlite3_bind_text(statement, index, "", 0, SQLITE_STATIC);
}

// Has SQLite not count its memory, for which each of its allocations would take a lock that all connections share. To
// be called before anything else of it; sqlite3_config is variadic, which Swift does not import.
static inline int lunara_sqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// sqlite3_db_config is variadic, which Swift does not import. Text in double quotes is a name, never a string; and no
// statement may damage the file on purpose.
static inline void lunara_sqlite_be_strict(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

// The schema of a file may come from somebody else, as in a backup. So no trigger and no view of the file runs, and its
// columns and indexes call only functions that SQLite counts as innocuous. Triggers of a connection (TEMP) still run.
static inline void lunara_sqlite_distrust_schema(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

// Syncs the write-ahead log through SQLite's own file object: its xSync also syncs the folder once after the log was
// made, which a plain fsync of a descriptor would miss. The method table is reached in C because it is a struct of
// function pointers behind an opaque type.
static inline int lunara_sqlite_sync_log(sqlite3 *database) {
  sqlite3_file *log = 0;
  int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (result != SQLITE_OK) return result;
  if (log == 0 || log->pMethods == 0) return SQLITE_OK;
  return log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
}

// Gives the page cache back, and with it what the allocator keeps of it: malloc_trim is GNU's own and no part of the
// Glibc module.
static inline void lunara_sqlite_release_memory(sqlite3 *database) {
  sqlite3_db_release_memory(database);
  malloc_trim(0);
}

// Gives a text as the result of a function; SQLite copies it. SQLITE_TRANSIENT is a cast, which Swift does not import.
static inline void lunara_sqlite_result_text(sqlite3_context *context, const void *bytes, long count) {
  sqlite3_result_text64(context, bytes, (sqlite3_uint64)count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
