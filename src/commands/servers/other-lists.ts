/** Lists of other things, for lines such as `list projects` that match no server. */
const otherLists: ReadonlyMap<string, string> = new Map([
  ['alerts', 'alerts list'],
  ['buckets', 's3 list'],
  ['domains', 'dns domains'],
  ['favorites', 'favorites'],
  ['freezes', 'freeze list'],
  ['invoices', 'balance'],
  ['ips', 'ip list'],
  ['jobs', 'requests'],
  ['keys', 'ssh-key list'],
  ['networks', 'net list'],
  ['orders', 'orders'],
  ['plans', 'catalog'],
  ['projects', 'project list'],
  ['requests', 'requests'],
  ['tickets', 'ticket list'],
  ['zones', 'dns domains'],
]);

/** The command for another list, if one of the words names it. */
export function otherList(words: readonly string[]): string | undefined {
  return words.map((word) => otherLists.get(word.toLowerCase())).find((path) => path !== undefined);
}

/** For the test that each is a command. */
export const otherListCommands: readonly string[] = [...otherLists.values()];
