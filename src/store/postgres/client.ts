import postgres from 'postgres';
import { orLate } from '../../core/async/within.ts';
import type { PostgresAddress, PostgresHost } from './address.ts';
import { postgresServer } from './options.ts';

interface PostgresClientOptions {
  readonly connectTimeoutMs: number;
  readonly onClose?: () => void;
}

/** A client with one connection, which its first query opens. */
export function openPostgresClient(
  address: PostgresAddress,
  host: PostgresHost,
  { connectTimeoutMs, onClose = () => {} }: PostgresClientOptions,
): postgres.Sql {
  const { applicationName, options } = address;
  return postgres({
    ...postgresServer(address, host),
    max: 1,
    connect_timeout: connectTimeoutMs / 1000,
    max_lifetime: null,
    fetch_types: false,
    backoff: false,
    onnotice: () => {},
    onclose: onClose,
    types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
    connection: { application_name: applicationName, ...(options === '' ? {} : { options }) },
  });
}

/** The first host that answers and accepts writes. A single host is not tested. */
export async function reachHost(address: PostgresAddress, withinMs: number): Promise<PostgresHost> {
  let failure: unknown;
  for (const host of address.hosts) {
    if (address.hosts.length === 1) return host;
    const client = openPostgresClient(address, host, { connectTimeoutMs: withinMs });
    try {
      const late = () => new Error(`no answer within ${withinMs / 1000} s`);
      const [row] = await orLate(client`show transaction_read_only`, withinMs, late);
      if (row?.transaction_read_only === 'off') return host;
      failure = new ReadOnlyHost();
    } catch (error) {
      failure = error;
    } finally {
      client.end({ timeout: 0 }).catch(() => {});
    }
  }
  throw failure;
}

/** An error with PostgreSQL's code for a read-only transaction. */
class ReadOnlyHost extends Error {
  override name = 'ReadOnlyHost';
  readonly code = '25006';

  constructor() {
    super('the server accepts no writes');
  }
}
