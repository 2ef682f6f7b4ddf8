import { count } from '../../core/text/words.ts';
import { parseDatabaseUrl } from '../../store/address.ts';
import { reasonOf } from '../cli.ts';
import { bad, good, note, notLookedAt, type RunCheck } from './check-result.ts';

const encryption = {
  disable:
    'the connection to PostgreSQL is not encrypted, which is right within this machine or its own network of containers; anywhere else end DATABASE_URL with ?sslmode=verify-full',
  require:
    'the connection to PostgreSQL is encrypted, and nobody looks at whose certificate it is: sslmode=verify-full does',
} as const;

export const database: RunCheck = async ({ store, config }) => {
  if (store instanceof Error) return bad(store.message);
  try {
    await store.ping();
  } catch (error) {
    return bad(reasonOf(error));
  }
  const findings = good(`${store.label} answers, its schema is up to date`);
  const address = parseDatabaseUrl(config.databaseUrl);
  if (address.engine === 'sqlite') return findings;
  if (address.sslMode === 'verify-full')
    return [...findings, ...good('the connection is encrypted, and the certificate is the right one')];
  return [...findings, ...note(encryption[address.sslMode])];
};

export const audit: RunCheck = async ({ store }) => {
  if (store instanceof Error) return notLookedAt('the database cannot be opened');
  const verdict = await store.audit.verify();
  if (verdict.ok) return good(`every link holds in ${count(verdict.count, 'row')}`);
  return bad(
    verdict.why,
    verdict.isOfSignature
      ? 'is HOSTLER_SECRET_KEY the one that the bot had? If it is, somebody changed the database, or wrote to it without the key; compare it with a backup, and see hostler rotate --help'
      : 'somebody changed the database; compare it with a backup',
  );
};
