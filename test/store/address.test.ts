import { expect, test } from 'vitest';
import { parseDatabaseUrl } from '../../src/store/address.ts';

test.each<[text: string | undefined, address: object]>([
  [undefined, { engine: 'sqlite', file: './data/hostler.db' }],
  [' ', { file: './data/hostler.db' }],
  ['file:///var/lib/h.db', { file: '/var/lib/h.db' }],
  ['sqlite:./h.db', { file: './h.db' }],
  ['sqlite::memory:', { file: ':memory:' }],
  ['/h.db', { engine: 'sqlite', file: '/h.db' }],
  ['postgresql://u:s3cret@db/hostler', { engine: 'postgres', label: 'PostgreSQL db:5432/hostler' }],
  ...['hostler.db', './data/h', '../h', '/var/lib/h', 'file:h', 'sqlite:h', 'h.db?mode=rwc'].map(
    (path): [string, object] => [path, { engine: 'sqlite' }],
  ),
])('DATABASE_URL is a path, a file: or sqlite: URL, or a PostgreSQL URL: %s', (text, address) => {
  expect(parseDatabaseUrl(text)).toMatchObject(address);
});

test.each([
  'host=localhost dbname=hd',
  'host=localhost dbname=hd.db',
  'hostler',
  'hostler.sqlite',
  'postgre://hostler@db/hostler.db',
  'mysql://u:s3cret@db/hostler',
  'db.internal:5432/hostler',
])('a text that is neither an address nor a path is refused: %s', (text) => {
  expect(() => parseDatabaseUrl(text)).toThrow(
    /^DATABASE_URL is not an address of a database: the path of a SQLite file begins with .+ postgres:\/\/user:password@/,
  );
  expect(() => parseDatabaseUrl(text)).not.toThrow('s3cret');
});

const parts = (text: string, env = {}) => {
  const address = parseDatabaseUrl(text, env);
  if (address.engine !== 'postgres') throw new Error('no PostgreSQL');
  const { hosts, user, password, database } = address;
  return { hosts: hosts.map(({ host, port }) => `${host} ${port}`), user, password, database };
};
const hostler = { user: 'u', password: 'p', database: 'db' };

test.each<[string, string[]]>([
  ['postgres://u:p@h/db', ['h 5432']],
  ['postgres://u:p@h:5433/db', ['h 5433']],
  ['postgres://u:p@[::1]:5433/db', ['::1 5433']],
  ['postgres://u:p@a,b:5433,c/db', ['a 5432', 'b 5433', 'c 5432']],
  ['postgres://u:p@/db?host=a,b&port=5433', ['a 5433', 'b 5433']],
  ['postgres://u:p@/db?host=a,b&port=5433,5434', ['a 5433', 'b 5434']],
  ['postgres://u:p@/db?host=/run/postgresql', ['/run/postgresql 5432']],
  ['postgres://u:p@/db?host=/run/postgresql&port=5433', ['/run/postgresql 5433']],
  ['postgres://u:p@%2Frun%2Fpostgresql:5433/db', ['/run/postgresql 5433']],
  ['postgresql:///?user=u&password=p&dbname=db&host=h', ['h 5432']],
])('the host and port of %s are read', (text, hosts) => {
  expect(parts(text)).toEqual({ ...hostler, hosts });
});

test("missing parts of an address are read from PostgreSQL's own variables, except the host and sslmode", () => {
  const env = { PGUSER: 'u', PGPASSWORD: 'p', PGDATABASE: 'db', PGHOST: 'db.example.com', PGSSLMODE: 'prefer' };
  expect(parts('postgres://', env)).toEqual({ ...hostler, hosts: ['localhost 5432'] });
  expect(parts('postgres://x:y@h:1/z', env)).toEqual({ user: 'x', password: 'y', database: 'z', hosts: ['h 1'] });
  const given = { PGSSLROOTCERT: '/ca.pem', PGOPTIONS: '-c a=b' };
  expect(parseDatabaseUrl('postgres://h/db', given)).toMatchObject({ options: '-c a=b' });
  expect(parseDatabaseUrl('postgres://h/db?options=-c c=d', given)).toMatchObject({ options: '-c c=d' });
  expect(parseDatabaseUrl('postgres://h/db', given)).toMatchObject({ rootCertificates: '/ca.pem', sslMode: 'disable' });
  expect(parseDatabaseUrl('postgres://h/db?sslrootcert=/a', given)).toMatchObject({ rootCertificates: '/a' });
  expect(parseDatabaseUrl('postgres://h/db?sslrootcert=system', given)).toMatchObject({ rootCertificates: undefined });
});

test.each([
  ['postgres://u:p@ss@h/db', 'percent-encoded'],
  ['postgres://u:p/ss@h/db', 'percent-encoded'],
  ['postgres://u:p#ss@h/db', 'percent-encoded'],
  ['postgres:/h/db', 'it should look like'],
  ['postgres://h:port/db', 'it should look like'],
  ['postgres://h:70000/db', 'it should look like'],
  ['postgres://h/db?target_session_attrs=standby', 'leave out target_session_attrs'],
  ['postgres://h/db?sslmode=yes', 'write sslmode=verify-full once, or, to this machine,'],
])('a mistake in an address gets an error message without the password: %s', (text, words) => {
  expect(() => parts(text)).toThrow(words);
  expect(() => parts(text)).not.toThrow(/s3cret|p@ss|p\/ss|p#ss/);
});
