import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { defined } from '../../core/text/defined.ts';
import { StoreUnavailable } from '../../core/view/errors.ts';
import type { PostgresAddress, PostgresHost } from './address.ts';

interface PostgresServer extends PostgresHost {
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: false | ConnectionOptions;
}

/**
 * The driver's options, made from the parsed address: the driver would read the address and the environment
 * differently, and a connection in clear would disclose the password.
 */
export function postgresServer(address: PostgresAddress, { host, port }: PostgresHost): PostgresServer {
  const { user, password, database } = address;
  return { host, port, user, password, database, ssl: tlsOf(address, host) };
}

function tlsOf({ sslMode, rootCertificates }: PostgresAddress, host: string): false | ConnectionOptions {
  if (sslMode === 'disable') return false;
  if (sslMode === 'require') return { rejectUnauthorized: false };
  return {
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    // The certificate must be for this name. Without it, an IP address would be compared with "localhost" (postgres
    // 3.4.9); the TLS greeting must not contain an IP address (RFC 6066).
    host,
    ...defined({
      servername: isIP(host) === 0 ? host : undefined,
      ca: rootCertificates === undefined ? undefined : readRoots(rootCertificates),
    }),
  };
}

function readRoots(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
    throw new StoreUnavailable(
      `DATABASE_URL or PGSSLROOTCERT names ${file} as sslrootcert, which cannot be read (${code}): give the path of a file in PEM format`,
    );
  }
}
