import { StoreUnavailable } from '../core/errors.ts';

export type StoreAddress =
  | { engine: 'sqlite'; file: string; label: string }
  | { engine: 'postgres'; url: string; label: string };

const defaultFile = './data/hostler.db';

/** What DATABASE_URL means. `label` names the place in logs and errors and has no credentials in it. */
export function parseDatabaseUrl(databaseUrl: string | undefined): StoreAddress {
  const text = databaseUrl?.trim() || defaultFile;
  if (/^postgres(ql)?:/.test(text)) return postgresAddress(text);
  const file = text.replace(/^(sqlite|file):(\/\/)?/, '').replace(/\?.*$/, '') || defaultFile;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(file)?.[1];
  if (scheme !== undefined) {
    throw new StoreUnavailable(
      `DATABASE_URL begins with ${scheme}://, which is no database Hostler knows: give the path of a SQLite file, or postgres://user:password@host:5432/database`,
    );
  }
  return { engine: 'sqlite', file, label: `SQLite ${file}` };
}

function postgresAddress(text: string): StoreAddress {
  // A parse error of URL carries the whole text, password included: it must not become a cause.
  if (!URL.canParse(text) || !isDecodable(text)) {
    throw new StoreUnavailable(
      'DATABASE_URL cannot be read: it should look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded',
    );
  }
  const url = new URL(text);
  mustBeEncrypted(url);
  const host = `${url.hostname || 'localhost'}:${url.port || '5432'}`;
  return { engine: 'postgres', url: text, label: `PostgreSQL ${host}${url.pathname === '/' ? '' : url.pathname}` };
}

/**
 * The drivers take a connection without encryption, or with one that is not verified, unless they are told otherwise:
 * whoever sits on the wire would read the password and could write policies. As HOST_API_URL insists on https, this
 * insists on a verified connection, except to this machine, to a socket, and to a name of an own network.
 */
function mustBeEncrypted(url: URL): void {
  const hosts = [url.hostname, ...url.searchParams.getAll('host')].flatMap((host) => host.split(','));
  if (hosts.every(isNear) || url.searchParams.getAll('sslmode').join() === 'verify-full') return;
  throw new UnencryptedDatabase(
    `DATABASE_URL leads over a network, where its password and the policies could be read and changed: write postgres://${url.username === '' ? '' : `${url.username}:…@`}${url.host}${url.pathname}?sslmode=verify-full. Where the server has a certificate of your own authority, set NODE_EXTRA_CA_CERTS=/path/to/ca.pem as well`,
  );
}

export class UnencryptedDatabase extends StoreUnavailable {
  override name = 'UnencryptedDatabase';
}

function isNear(host: string): boolean {
  if (host === '' || host.startsWith('/') || host === '[::1]' || host === '::1') return true;
  return /^127\.\d+\.\d+\.\d+$/.test(host) || !/[.:%]/.test(host);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
