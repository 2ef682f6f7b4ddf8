/** Other things that people ask a list of: `list projects`. The filter of servers has found nothing then. */
const otherLists: ReadonlyMap<string, string> = new Map([
  ['alerts', 'alerts list'],
  ['buckets', 's3 list'],
  ['domains', 'dns domains'],
  ['favorites', 'favorites'],
  ['freezes', 'freeze list'],
  ['invoices', 'invoices'],
  ['ips', 'ip list'],
  ['jobs', 'jobs'],
  ['keys', 'ssh-key list'],
  ['networks', 'net list'],
  ['orders', 'orders'],
  ['plans', 'plans'],
  ['projects', 'project list'],
  ['requests', 'requests'],
  ['tickets', 'ticket list'],
  ['zones', 'dns domains'],
]);

/** The command for a list of something else, where one of the words names it. */
export function otherList(words: readonly string[]): string | undefined {
  return words.map((word) => otherLists.get(word.toLowerCase())).find((path) => path !== undefined);
}

/** For the test that looks whether each is a command. */
export const otherListCommands: readonly string[] = [...otherLists.values()];
