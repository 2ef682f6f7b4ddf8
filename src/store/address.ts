import { defined } from '../core/defined.ts';
import { StoreUnavailable } from '../core/errors.ts';

/** How a PostgreSQL server is reached: every pool of this process is opened with the options that come from it. */
export interface PostgresAddress {
  readonly engine: 'postgres';
  /** A folder of sockets when it begins with a slash. */
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly sslMode: SslMode;
  /** A file with the certificates of the authorities that are trusted, instead of the public ones. */
  readonly rootCertificates?: string;
  /** Whatever else stands after the question mark: settings of the session. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly label: string;
}

export type StoreAddress = { engine: 'sqlite'; file: string; label: string } | PostgresAddress;

const sslModes = ['disable', 'require', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

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

function postgresAddress(text: string): PostgresAddress {
  // A parse error of URL carries the whole text, password included: it must not become a cause.
  if (!URL.canParse(text) || !isDecodable(text)) {
    throw new StoreUnavailable(
      'DATABASE_URL cannot be read: it should look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded',
    );
  }
  const url = new URL(text);
  const { host: hosts = [], sslmode = [], sslrootcert = [], ...rest } = parametersOf(url);
  const named = [decodeURIComponent(url.hostname), ...hosts].filter((host) => host !== '');
  mustBeEncrypted(url, named, sslmode);
  // Named here, since the drivers would take a server that is not named from the environment.
  const [host = 'localhost', ...others] = named.map((one) => one.replace(/^\[(.+)\]$/, '$1'));
  if (others.length > 0 || host.includes(',')) {
    throw new StoreUnavailable(
      'DATABASE_URL names more than one server: give one, and no host after the question mark',
    );
  }
  const tls = Object.keys(rest).find((name) => name.startsWith('ssl'));
  if (tls !== undefined) {
    throw new StoreUnavailable(
      `DATABASE_URL has ${tls}, which Hostler does not use: encryption is chosen with sslmode, a certificate of your own authority is named with sslrootcert`,
    );
  }
  const port = url.port || '5432';
  const database = decodeURIComponent(url.pathname.slice(1));
  return {
    engine: 'postgres',
    host,
    port: Number(port),
    sslMode: sslModeOf(sslmode),
    parameters: Object.fromEntries(Object.entries(rest).map(([name, values = []]) => [name, values.join()])),
    label: `PostgreSQL ${url.hostname || host}:${port}${database === '' ? '' : `/${database}`}`,
    ...defined({
      user: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      database: database || undefined,
      // As PostgreSQL's own tools say it: the public ones.
      rootCertificates: sslrootcert.at(-1)?.replace(/^system$/, '') || undefined,
    }),
  };
}

function parametersOf(url: URL): Partial<Record<string, string[]>> {
  const groups = Map.groupBy(url.searchParams, ([name]) => name);
  return Object.fromEntries([...groups].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

function sslModeOf(given: readonly string[]): SslMode {
  const [text = 'disable', ...others] = given;
  const mode = sslModes.find((one) => one === text);
  if (mode !== undefined && others.length === 0) return mode;
  throw new StoreUnavailable(
    'DATABASE_URL has a sslmode that leaves encryption to the server: write sslmode=verify-full once, or, to this machine, sslmode=require or sslmode=disable',
  );
}

/**
 * The drivers take a connection without encryption, or with one that is not verified, unless they are told otherwise:
 * whoever sits on the wire would read the password and could write policies. As HOST_API_URL insists on https, this
 * insists on a verified connection, except to this machine, to a socket, and to a name of an own network.
 */
function mustBeEncrypted(url: URL, hosts: readonly string[], sslmode: readonly string[]): void {
  if (hosts.flatMap((host) => host.split(',')).every(isNear) || sslmode.join() === 'verify-full') return;
  throw new UnencryptedDatabase(
    `DATABASE_URL leads over a network, where its password and the policies could be read and changed: write postgres://${url.username === '' ? '' : `${url.username}:…@`}${url.host}${url.pathname}?sslmode=verify-full. Where the server has a certificate of your own authority, add &sslrootcert=/path/to/ca.pem`,
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
