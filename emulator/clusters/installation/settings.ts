/** Renders postgresql.conf. */
import type { Binaries } from './binaries.ts'

/** PostgreSQL's parameters, by name. */
export type Settings = Record<string, string>

/** Quoted for postgresql.conf (PostgreSQL docs, "Parameter Interaction via the Configuration File"). */
function quoteSetting(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** The settings of every server of any size: its postgresql.conf. */
export function renderSettings({ version }: Binaries): string {
  const settings = {
    unix_socket_permissions: '0700',
    ssl: 'on',
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    datestyle: 'ISO, MDY',
    default_text_search_config: 'pg_catalog.english',
    lc_messages: 'C',
    // log-file.ts parses the prefix. Many checkpoints are the emulator's own, and would fill the log.
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    // Workers for reads would be three more processes for each server.
    ...(Number(version) >= 18 && { io_method: 'sync' }),
    // In files below the emulator's folder: /dev/shm is only 64 MB in a container, and files there would
    // survive a crash.
    dynamic_shared_memory_type: 'mmap',
    // The data need not survive a crash of the machine, only of processes.
    fsync: 'off',
    // For forks, replica sets and points in time. Segments are never reused, since one being copied must not change.
    wal_level: 'replica',
    wal_recycle: 'off',
    wal_init_zero: 'off',
    min_wal_size: '8MB',
    max_wal_size: '256MB',
    archive_mode: 'on',
    archive_library: 'basic_archive',
    hot_standby_feedback: 'on',
    wal_retrieve_retry_interval: '500ms',
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${quoteSetting(value)}\n`)
    .join('')
}
