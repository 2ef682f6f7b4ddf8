import { isIPv6 } from 'node:net';
import { userInfo } from 'node:os';
import { wordSet } from '../../core/text/words.ts';
import { StoreUnavailable } from '../../core/view/errors.ts';

/** DATABASE_URL is malformed. The message repeats nothing of the value, which may hold a password. */
export class BadAddress extends StoreUnavailable {
  override name = 'BadAddress';
  /** Completes the sentence "DATABASE_URL is not …". */
  readonly wanted: string;

  constructor(wanted: string) {
    super(`DATABASE_URL is not ${wanted}`);
    this.wanted = wanted;
  }
}

/** A server. A host that begins with a slash is the folder of its socket. */
export interface PostgresHost {
  readonly host: string;
  readonly port: number;
}

const sslModes = ['disable', 'require', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

/** The parts of a postgres:// address. The driver gets the parts, because it reads addresses differently from libpq. */
export interface PostgresAddress {
  readonly engine: 'postgres';
  /** The bot uses the first host that answers and accepts writes. */
  readonly hosts: readonly PostgresHost[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly sslMode: SslMode;
  /** A file with the certificates of the trusted authorities, instead of the public ones. */
  readonly rootCertificates: string | undefined;
  readonly applicationName: string;
  /** Options for the server, such as `-c search_path=hostler`. */
  readonly options: string;
  readonly label: string;
}

/** Parameters with libpq's names and meanings. Others are refused, since the driver might ignore them silently. */
const parameters = wordSet(
  'sslmode sslrootcert host port user password dbname application_name options target_session_attrs',
);

/**
 * Parses an address as libpq does: several hosts, folders of sockets, and the environment for absent parts. The host
 * and sslmode decide about encryption, so they are read from the address only, where everyone sees them.
 */
export function postgresAddress(text: string, env: NodeJS.ProcessEnv): PostgresAddress {
  const shape = /^postgres(?:ql)?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^@/?#]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
  const match = shape.exec(text);
  if (match === null) throw unreadable();
  const [user, password, places = '', path] = match.slice(1, 5).map((part = '') => decoded(part));
  const query = new URLSearchParams(match[5]);
  const parameter = (name: string, ...otherwise: (string | undefined)[]) =>
    query.getAll(name).join() || otherwise.find((value) => value !== undefined && value !== '') || '';
  const written = places.split(',').map(hostAndPort);
  const hosts = hostsOf(
    parameter('host', written.map(({ host }) => host).join(), 'localhost'),
    parameter('port', written.map(({ port }) => port).join()),
  );
  const name = parameter('user', user, env.PGUSER) || userInfo().username;
  const database = parameter('dbname', path, env.PGDATABASE, name);
  const sslmode = parameter('sslmode', 'disable');
  mustBeEncrypted(hosts, sslmode, `${name}:…@${sayHosts(hosts)}/${database}`);
  if ([...query.keys()].some((key) => !parameters.has(key))) {
    throw new BadAddress(`readable after the question mark, where the bot knows ${[...parameters].join(', ')}`);
  }
  if (!['', 'any', 'read-write', 'primary'].includes(parameter('target_session_attrs'))) {
    throw new BadAddress('of a server that the bot can write to: leave out target_session_attrs, or set read-write');
  }
  return {
    engine: 'postgres',
    hosts,
    user: name,
    password: parameter('password', password, env.PGPASSWORD),
    database,
    sslMode: sslModeOf(sslmode),
    // `system` is libpq's word for the public authorities.
    rootCertificates: parameter('sslrootcert', env.PGSSLROOTCERT).replace(/^system$/, '') || undefined,
    applicationName: parameter('application_name', 'hostler'),
    options: parameter('options', env.PGOPTIONS),
    label: `PostgreSQL ${sayHosts(hosts)}/${database}`,
  };
}

const unreadable = () =>
  new BadAddress(
    'readable: it should look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded (@ is %40, / is %2F)',
  );

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unreadable();
  }
}

function hostAndPort(place: string): { host: string; port: string } {
  const [, host, port = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]]*)(?::(\d*))?$/i.exec(place) ?? [];
  if (host === undefined) throw unreadable();
  return { host, port };
}

/** Expects one port for each host, or one for all; an absent port is the default. */
function hostsOf(hosts: string, ports: string): PostgresHost[] {
  const [all, numbers] = [hosts.split(','), ports.split(',')];
  return all.map((text, n) => {
    const host = text.replace(/^\[(.*)\]$/, '$1') || 'localhost';
    const port = Number((numbers.length === 1 ? numbers[0] : numbers[n]) || '5432');
    const isPlace = host.startsWith('/') || isIPv6(host) || /^[\w.-]+$/.test(host);
    if (!isPlace || !Number.isInteger(port) || port < 1 || port > 65_535) throw unreadable();
    return { host, port };
  });
}

function sayHosts(hosts: readonly PostgresHost[]): string {
  return hosts.map(({ host, port }) => `${isIPv6(host) ? `[${host}]` : host}:${port}`).join();
}

/**
 * By default the driver connects without encryption or verification: someone on the wire could read the password and
 * write policies. HOST_API_URL requires https, and this requires a verified connection, except to this machine, to a
 * socket, and to a name on the operator's own network.
 */
function mustBeEncrypted(hosts: readonly PostgresHost[], sslmode: string, place: string): void {
  const isNear = ({ host }: PostgresHost) =>
    host.startsWith('/') || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host) || !/[.:]/.test(host);
  if (hosts.every(isNear) || sslmode === 'verify-full') return;
  throw new BadAddress(
    `safe: it leads over a network, where its password and the policies could be read and changed: write postgres://${place}?sslmode=verify-full. Where the server has a certificate of your own authority, add &sslrootcert=/path/to/ca.pem`,
  );
}

function sslModeOf(text: string): SslMode {
  const mode = sslModes.find((candidate) => candidate === text);
  if (mode !== undefined) return mode;
  throw new BadAddress(
    'usable: its sslmode leaves encryption to the server: write sslmode=verify-full once, or, to this machine, sslmode=require or sslmode=disable',
  );
}
