import { liveServers, type Order } from '../../core/account/account.ts';
import { describeSshKey, fingerprintOfLine, readSshKey, type SshPublicKey } from '../../core/account/ssh-key.ts';
import { eachAtMost } from '../../core/async/each-at-most.ts';
import { flag, option, scalar, searched, text } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { searchedWords } from '../../core/command/several.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { byNumbers, firstFew } from '../../core/text/words.ts';
import { ifReadable, notFound, Refusal } from '../../core/view/errors.ts';
import type { Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { ProviderSshKey } from '../../provider/endpoints/account.ts';
import { findItem } from '../catalog/find.ts';
import type { CommandContext } from '../define.ts';
import { serversOf } from '../servers/see-servers.ts';
import { filled } from '../without-star.ts';

/** Parts of the commands about SSH keys. A key is shown by its fingerprint and comment, never in full. */

export function findSshKey(word: string, keys: readonly ProviderSshKey[], field = 'key'): ProviderSshKey {
  const wanted = word.trim();
  const byFingerprint = keys.find((key) => fingerprintOfLine(key.key) === wanted);
  if (byFingerprint !== undefined) return byFingerprint;
  const items = keys.map((key) => ({ id: key.id, name: titleOf(key), key }));
  return findItem(wanted, items, { noun: 'SSH key', field, see: 'ssh-key list' }).key;
}

export const defaultKeys = 'default';

/** Finds each key named by the words once; `default` stands for the default keys. */
export function findSshKeys(words: readonly string[], keys: readonly ProviderSshKey[]) {
  const field = 'ssh_keys';
  const matches = words.flatMap((word) =>
    word.trim().toLowerCase() === defaultKeys
      ? keys.filter((key) => key.default === true)
      : [findSshKey(word, keys, field)],
  );
  if (words.length > 0 && matches.length === 0)
    throw notFound('No key of this account is a default key.', 'Name the keys; see /host ssh-key list.', field);
  return [...new Map(matches.map((key) => [key.id, key])).values()];
}

export function titleOf(key: Pick<ProviderSshKey, 'id' | 'title'>): string {
  return key.title === '' ? `key ${key.id}` : key.title;
}

/** `Ada laptop (ssh-ed25519 · SHA256:… · ada@laptop)` */
export function sayKeys(keys: readonly ProviderSshKey[]): string {
  return keys.length === 0 ? 'None' : firstFew(keys, 5, (key) => `${titleOf(key)} (${describeSshKey(key.key)})`);
}

export function keySubject(key: ProviderSshKey): Text {
  return [{ bold: titleOf(key) }, ` · ${describeSshKey(key.key)} · key ${key.id}`];
}

export function keyFacts({ id, key }: ProviderSshKey) {
  return { key: id, fingerprint: fingerprintOfLine(key) ?? key.slice(0, 40) };
}

const serversRead = 40;
const readAtOnce = 6;

/** Reads the keys of each server, without servers whose list cannot be read and those beyond the limit. */
export async function readLinks(reader: Reader, servers: readonly Pick<Order, 'id'>[]) {
  const links = new Map<string, readonly ProviderSshKey[]>();
  await eachAtMost(readAtOnce, servers.slice(0, serversRead), async ({ id }) => {
    const keys = await keysOfServer(reader, id);
    if (keys !== undefined) links.set(id, keys);
  });
  return links;
}

export function keysOfServer(reader: Reader, id: string): Promise<readonly ProviderSshKey[] | undefined> {
  return ifReadable(reader.sshKeys.ofServer({ order_id: id }));
}

/** `web-1 and web-2`, `12 of 14 servers read`, `no server` */
function sayLinked(id: number, servers: readonly Order[], links: ReadonlyMap<string, readonly ProviderSshKey[]>) {
  const linked = servers
    .filter((server) => links.get(server.id)?.some((key) => key.id === id))
    .toSorted((a, b) => byNumbers(a.label, b.label));
  const unread = servers.length - links.size;
  const names = linked.length === 0 ? 'no server' : firstFew(linked, 6, ({ label }) => label);
  return unread === 0 ? names : `${names}; ${unread} of ${servers.length} servers could not be read`;
}

/** The key that the word names, and the servers that it is linked to: of all, or of those that a person may read. */
export async function keyWithLinks(word: string, { reader, account }: CommandContext, may?: ReadContext['may']) {
  const [keys, { orders }] = await Promise.all([reader.sshKeys.list(), account()]);
  const key = findSshKey(word, keys);
  const live = liveServers(orders);
  const servers = may === undefined ? live : serversOf(live, may);
  const linkedTo = sayLinked(key.id, servers, await readLinks(reader, servers));
  return { key, keys, title: titleOf(key), linkedTo };
}

export const keyArg = searched({
  hint: 'A key, by title, id or fingerprint.',
  source: 'ssh-keys',
  example: 'Ada laptop',
});

/** The SSH keys of a new installation; `without` completes the hint. */
export function keysToInstall(without: string) {
  const hint = `SSH keys, by title, id or fingerprint, or default for the default keys. ${without}`;
  return option(searchedWords({ hint, label: 'SSH keys', source: 'ssh-keys-or-default', most: 50 }));
}

/** The public key. A refusal never quotes it, since it may be the private half. */
const publicKeyArg = scalar<SshPublicKey>(
  { hint: 'The line of a .pub file, such as ssh-ed25519 AAAA… comment.', label: 'Public key', place: 'rest' },
  'multiline',
  (words) => {
    const reading = readSshKey(words.join(' '));
    if ('key' in reading) return reading.key;
    throw new Refusal('bad_value', reading.problem, reading.hint === undefined ? {} : { hint: reading.hint });
  },
  ({ line }) => line,
);

export const sshKeyAddArgs = {
  title: text({
    hint: 'The title of the key, at most 128 characters.',
    example: 'Ada laptop',
    schema: filled('title', 128).regex(/^\P{Cc}*$/u, 'a title in one line'),
  }),
  key: publicKeyArg,
  default: flag({ hint: 'Make it a default key, for new servers.', label: 'Default key' }),
};

/** Slack's buttons hold 2,000 characters, so a longer key has no undo button. */
const lineMost = 1_500;

export function addAgain(key: { title: string; key: string; isDefault: boolean }): string | undefined {
  const raw = { title: [key.title], key: [key.key], ...(key.isDefault ? { default: ['yes'] } : {}) };
  const line = lineOf({ path: 'ssh-key add', args: sshKeyAddArgs }, raw);
  return key.title === '' || line.length > lineMost ? undefined : line;
}
