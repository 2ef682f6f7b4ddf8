import { ttlInSeconds } from '../dns/read-value.ts';
import { ttlSeconds } from '../dns/record.ts';
import { Refusal, type Suggestion } from '../view/errors.ts';

/** Refuses requests for which no command exists, and offers the nearest command. */

interface Answer {
  readonly words: readonly string[];
  readonly say: string;
  readonly hint: string;
  readonly suggestions: readonly Suggestion[];
  /** Verbs before the word that otherwise mean another command. */
  readonly verbs?: readonly string[];
  /** Makes the line of the only suggestion from the typed words. */
  readonly line?: (typed: readonly string[]) => string;
}

const ownPanel = 'Use the provider’s own panel.';

/** Not possible with the provider's API; found by the first word. */
const impossible: readonly Answer[] = [
  {
    words: ['snapshot', 'backup', 'backups'],
    say: 'The provider’s API cannot take a snapshot of a server.',
    hint: `\`/host catalog snapshots\` lists the existing ones. ${ownPanel}`,
    suggestions: [{ label: 'Snapshots', command: 'catalog snapshots' }],
  },
  {
    words: ['ptr', 'rdns', 'reverse-dns'],
    say: 'The provider’s API cannot set reverse DNS.',
    hint: `\`/host ip list\` shows it. ${ownPanel}`,
    suggestions: [{ label: 'Addresses', command: 'ip list' }],
  },
  {
    words: ['console', 'vnc', 'ssh', 'exec', 'shell'],
    say: 'Nothing can be run on a server from here.',
    hint: '`/host rescue on` boots a rescue system to log in to.',
    suggestions: [{ label: 'Help', command: 'help servers' }],
  },
  {
    words: ['resize', 'upgrade', 'downgrade', 'scale'],
    say: 'The provider’s API cannot change the plan of a server.',
    hint: `\`/host catalog plans\` shows what there is for a new one. ${ownPanel}`,
    suggestions: [{ label: 'Plans', command: 'catalog plans' }],
  },
  {
    words: ['renew', 'extend', 'prolong'],
    say: 'The provider’s API cannot renew an order by hand.',
    hint: `\`/host orders\` shows until when each is paid, and \`/host keep\` takes a cancellation back. ${ownPanel}`,
    suggestions: [{ label: 'Orders', command: 'orders' }],
  },
  {
    words: ['ssl', 'tls', 'certificate', 'certificates', 'letsencrypt'],
    say: 'The provider’s API has no certificates.',
    hint: '`/host dns add` adds the record that proves a domain to an issuer.',
    suggestions: [{ label: 'DNS', command: 'help dns' }],
  },
  {
    words: ['firewall', 'port', 'ports'],
    say: 'The provider’s API cannot change a firewall.',
    hint: 'Change it on the server itself.',
    suggestions: [{ label: 'Help', command: 'help servers' }],
  },
  {
    words: ['log', 'logs', 'journal', 'syslog'],
    say: 'The logs of a server are on the server.',
    hint: '`/host stats` shows how busy it was, and `/host audit` what was done to it from here.',
    suggestions: [{ label: 'Stats', command: 'stats', isForm: true }],
    line: (typed) => ['stats', ...typed.slice(1, 2)].join(' '),
  },
  {
    words: ['transfer'],
    say: 'The provider’s API cannot transfer a domain or a server.',
    hint: ownPanel,
    suggestions: [{ label: 'Help', command: 'help' }],
  },
  {
    words: ['pay', 'topup', 'top-up', 'deposit'],
    say: 'Nothing can be paid from here.',
    hint: `\`/host balance\` shows what there is. ${ownPanel}`,
    suggestions: [{ label: 'Balance', command: 'balance' }],
  },
];

/** Possible in another way; found by a word anywhere in the line. */
const otherwise: readonly Answer[] = [
  {
    words: ['oncall', 'on-call', 'pager'],
    say: 'Hostler has no on-call rota.',
    hint: '`/host alerts list` shows who is on each alert.',
    suggestions: [{ label: 'Open alerts', command: 'alerts list' }],
  },
  {
    words: ['ttl'],
    verbs: ['set'],
    say: 'A TTL is changed by editing its record.',
    hint: 'For example: `/host dns edit www.example.com A ttl=300`.',
    suggestions: [{ label: 'dns edit…', command: 'dns edit', isForm: true }],
    line: editTtl,
  },
  {
    words: ['admin', 'admins'],
    say: 'Admins are named in HOSTLER_ADMINS only, by the people who run Hostler.',
    hint: '`/host access` shows who may do what here.',
    suggestions: [{ label: 'Access', command: 'access' }],
  },
];

function editTtl(typed: readonly string[]): string {
  const name = typed.find((word) => /^[^\s"]+$/.test(word) && word.slice(1, -1).includes('.'));
  const ttl = typed.find((word) => /^\d+[smhd]?$/.test(word));
  if (name === undefined) return 'dns edit';
  return ttl === undefined || !ttlSeconds.some((candidate) => candidate === ttlInSeconds(ttl))
    ? `dns edit ${name}`
    : `dns edit ${name} ttl=${ttl}`;
}

/** A request that begins with another name of a command: `set ttl of …`. */
export function answerBehindVerb(typed: readonly string[]): Refusal | undefined {
  const [verb = '', first = ''] = typed.filter((word) => word !== 'the');
  const answer = otherwise.find(({ words, verbs = [] }) => verbs.includes(verb) && words.includes(first));
  return answer && refusalOf('not_understood', answer, typed);
}

export function notPossible(typed: readonly string[]): Refusal | undefined {
  const answer = impossible.find(({ words }) => words.includes(typed[0] ?? ''));
  if (answer !== undefined) return refusalOf('impossible', answer, typed);
  const other = otherwise.find(({ words }) => words.some((word) => typed.includes(word)));
  return other === undefined ? undefined : refusalOf('not_understood', other, typed);
}

function refusalOf(code: 'impossible' | 'not_understood', answer: Answer, typed: readonly string[]): Refusal {
  const { say, hint, suggestions, line } = answer;
  const filled =
    line === undefined ? suggestions : suggestions.map((suggestion) => ({ ...suggestion, command: line(typed) }));
  return new Refusal(code, say, { hint, suggestions: filled });
}
