import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { Client, type ClientConfig, types } from 'pg';
import { orLate } from '../../core/async/within.ts';
import { codeOf, StoreUnavailable } from '../../core/view/errors.ts';
import type { PostgresAddress, PostgresHost } from './postgres-address.ts';

/**
 * The driver's options, made from the parsed address: the driver would read the address and the environment
 * differently, and a connection in clear would disclose the password. It reads the environment for each option that is
 * absent or empty.
 */
export function clientOptions(address: PostgresAddress, connectTimeoutMs: number): ClientConfig {
  const { user, password, database, options, applicationName } = address;
  return {
    user,
    // A function, since an empty password would be read from the environment.
    password: () => password,
    database,
    options,
    application_name: applicationName,
    ssl: tlsOf(address),
    sslnegotiation: 'postgres',
    connectionTimeoutMillis: connectTimeoutMs,
    types: {
      getTypeParser: (id, format) => (Number(id) === types.builtins.INT8 ? Number : types.getTypeParser(id, format)),
    },
  };
}

/** The driver adds the name for which the certificate must be. */
function tlsOf({ sslMode, rootCertificates }: PostgresAddress): false | ConnectionOptions {
  if (sslMode === 'disable') return false;
  if (sslMode === 'require') return { rejectUnauthorized: false };
  const roots = rootCertificates !== undefined && { ca: readRoots(rootCertificates) };
  return { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...roots };
}

function readRoots(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StoreUnavailable(
      `DATABASE_URL or PGSSLROOTCERT names ${file} as sslrootcert, which cannot be read (${codeOf(error)}): give the path of a file in PEM format`,
    );
  }
}

/** The first host that answers and accepts writes. A single host is not tested. */
export async function reachHost(hosts: readonly PostgresHost[], options: ClientConfig, withinMs: number) {
  let failure: unknown;
  for (const host of hosts) {
    if (hosts.length === 1) return host;
    const client = new Client({ ...options, ...host }).on('error', () => {});
    try {
      await client.connect();
      const late = () => new Error(`no answer within ${withinMs / 1000} s`);
      const { rows } = await orLate(client.query('show transaction_read_only'), withinMs, late);
      if (rows[0]?.transaction_read_only === 'off') return host;
      failure = Object.assign(new Error('the server accepts no writes'), { code: readOnly });
    } catch (error) {
      failure = error;
    } finally {
      client.end().catch(() => {});
    }
  }
  throw failure;
}

/** PostgreSQL's code for a read-only transaction. */
const readOnly = '25006';
