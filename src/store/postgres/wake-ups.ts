import { type Kysely, sql } from 'kysely';
import type postgres from 'postgres';
import type { Schema } from '../schema.ts';
import type { WakeUps } from '../wake-ups.ts';
import type { PostgresAddress } from './address.ts';
import { openPostgresClient, reachHost } from './client.ts';

const channel = 'hostler_turns';
const reconnectMs = 1_000;

export interface ListenOptions {
  readonly connectTimeoutMs: number;
  /** True when a pooler lends connections: a notification would reach another client. */
  readonly isLent: () => boolean;
}

/** Listens on one connection. While it is down, the bot's read of the rows every second finds due turns. */
export function createPostgresWakeUps(
  address: PostgresAddress,
  db: Kysely<Schema>,
  { connectTimeoutMs, isLent }: ListenOptions,
): WakeUps {
  return {
    reachOthers: true,
    notify: async () => {
      if (!isLent()) await sql`select pg_notify(${sql.lit(channel)}, '')`.execute(db);
    },
    listen: async (onWake) => {
      let client: postgres.Sql | undefined;
      let timer: NodeJS.Timeout | undefined;
      let isEnded = false;

      async function connect(): Promise<void> {
        const opened = openPostgresClient(address, await reachHost(address, connectTimeoutMs), {
          connectTimeoutMs,
          onNotify: onWake,
          onClose: () => {
            if (client === opened) reconnect();
          },
        });
        client = opened;
        await opened.unsafe(`listen ${channel}`);
        if (isEnded) await opened.end({ timeout: 0 });
      }

      function reconnect(): void {
        client?.end({ timeout: 0 }).catch(() => {});
        client = undefined;
        clearTimeout(timer);
        if (isEnded) return;
        timer = setTimeout(() => connect().catch(reconnect), reconnectMs);
        timer.unref();
      }

      if (!isLent()) await connect().catch(reconnect);
      return async () => {
        isEnded = true;
        clearTimeout(timer);
        await client?.end({ timeout: 1 });
      };
    },
  };
}
