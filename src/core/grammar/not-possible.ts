import { ttlInSeconds } from '../dns/read-value.ts';
import { ttlSeconds } from '../dns/record.ts';
import { Refusal, type Suggestion } from '../view/errors.ts';
import { bareWord } from './polite.ts';
import type { Token } from './tokens.ts';

/** Refuses requests for which no command exists, and offers the nearest command. */

export interface Wish {
  /** The phrases, as in the words of commands. */
  readonly words: string;
  readonly say: string;
  readonly hint: string;
  readonly suggestions: readonly Suggestion[];
  /** Makes the line of the only suggestion from the typed words. */
  readonly line?: (typed: readonly string[]) => string;
}

const ownPanel = 'Use the provider’s own panel.';

export const wishes: readonly Wish[] = [
  {
    words: 'snapshot · backup · backups',
    say: 'The provider’s API cannot take a snapshot of a server.',
    hint: `\`/host catalog snapshots\` lists the existing ones. ${ownPanel}`,
    suggestions: [{ label: 'Snapshots', command: 'catalog snapshots' }],
  },
  {
    words: 'ptr · rdns · reverse-dns',
    say: 'The provider’s API cannot set reverse DNS.',
    hint: `\`/host ip list\` shows it. ${ownPanel}`,
    suggestions: [{ label: 'Addresses', command: 'ip list' }],
  },
  {
    words:
      'console · vnc · ssh · exec · shell · nginx · apache · docker · container · service · process · daemon · mysql · cron tab · script',
    say: 'Nothing can be run on a server from here.',
    hint: '`/host rescue on` boots a rescue system to log in to.',
    suggestions: [{ label: 'Help', command: 'help servers' }],
  },
  {
    words:
      'resize · upgrade · downgrade · scale · bigger plan · cheaper plan · more memory for · cheaper computer · cheaper server · bigger server',
    say: 'The provider’s API cannot change the plan of a server.',
    hint: `\`/host catalog plans\` shows what there is for a new one. ${ownPanel}`,
    suggestions: [{ label: 'Plans', command: 'catalog plans' }],
  },
  {
    words: 'renew · extend · prolong',
    say: 'The provider’s API cannot renew an order by hand.',
    hint: `\`/host orders\` shows until when each is paid, and \`/host keep\` takes a cancellation back. ${ownPanel}`,
    suggestions: [{ label: 'Orders', command: 'orders' }],
  },
  {
    words: 'ssl · tls · certificate · certificates · letsencrypt',
    say: 'The provider’s API has no certificates.',
    hint: '`/host dns add` adds the record that proves a domain to an issuer.',
    suggestions: [{ label: 'DNS', command: 'help dns' }],
  },
  {
    words: 'firewall · port · ports',
    say: 'The provider’s API cannot change a firewall.',
    hint: 'Change it on the server itself.',
    suggestions: [{ label: 'Help', command: 'help servers' }],
  },
  {
    words: 'log · logs · journal · syslog',
    say: 'The logs of a server are on the server.',
    hint: '`/host stats` shows how busy it was, and `/host audit` what was done to it from here.',
    suggestions: [{ label: 'Stats', command: 'stats', isForm: true }],
    line: (typed) => ['stats', ...typed.filter((word) => /\d/.test(word)).slice(0, 1)].join(' '),
  },
  {
    words: 'transfer',
    say: 'The provider’s API cannot transfer a domain or a server.',
    hint: ownPanel,
    suggestions: [{ label: 'Help', command: 'help' }],
  },
  {
    words: 'pay · topup · top-up · deposit',
    say: 'Nothing can be paid from here.',
    hint: `\`/host balance\` shows what there is. ${ownPanel}`,
    suggestions: [{ label: 'Balance', command: 'balance' }],
  },
  {
    words: 'deploy · rollback deploy · release version · git push',
    say: 'Nothing is deployed from here.',
    hint: '`/host dns undo` takes back the last change of DNS, and `/host freeze` stops changes for a while.',
    suggestions: [{ label: 'Help', command: 'help' }],
  },
  {
    words:
      'terraform · ansible · helm · drain · namespace · pod · maintenance on · gh run · gh pr · gh repo · gh secret · for do done',
    say: 'That belongs to another tool.',
    hint: 'Here it is like `/host list`, `/host restart web-1` or `/host dns set www.example.com 192.0.2.11`.',
    suggestions: [
      { label: 'List', command: 'list' },
      { label: 'Help', command: 'help' },
    ],
  },
  {
    words: 'mailbox · mail box · e-mail account · email account · inbox',
    say: 'Mailboxes are not managed from here.',
    hint: '`/host dns list` shows where the mail of a domain goes. Use the software of your mail server.',
    suggestions: [{ label: 'Help', command: 'help' }],
  },
  {
    words: 'approve my own · approve own request · my own request · own request',
    say: 'Nobody approves their own request, except where `/host access solo` is on.',
    hint: '`/host access` shows who may approve here.',
    suggestions: [{ label: 'Access', command: 'access' }],
  },
  {
    words: 'audit verify · verify audit · audit intact · delete audit · purge audit · clear audit · log intact',
    say: 'The audit is neither changed nor checked from here.',
    hint: 'Only the people who run Hostler can check it. `/host audit` shows it.',
    suggestions: [{ label: 'Audit', command: 'audit' }],
  },
  {
    words: 'remind me · reminder · tell them · send message · message everyone · tell everyone · meeting room',
    say: 'Hostler sends no messages or reminders for people.',
    hint: '`/host alerts on` and `/host digest` post by themselves in a channel.',
    suggestions: [{ label: 'Alerts…', command: 'alerts on', isForm: true }],
  },
  {
    words: 'invoice pdf · pdf of invoice · download invoice · send invoice',
    say: 'The provider’s API has no files of invoices.',
    hint: `\`/host balance\` lists what is unpaid. ${ownPanel}`,
    suggestions: [{ label: 'Balance', command: 'balance' }],
  },
  {
    words: 'close ticket · reply ticket · reply to provider · restore file',
    say: 'The provider’s API only opens and lists tickets.',
    hint: `\`/host ticket list\` shows them. ${ownPanel}`,
    suggestions: [{ label: 'Tickets', command: 'ticket list' }],
  },
  {
    words: 'copy · copy server · clone server · clone · duplicate server',
    say: 'The provider’s API cannot copy a server.',
    hint: '`/host catalog snapshots` lists what a new server can be made from.',
    suggestions: [{ label: 'Snapshots', command: 'catalog snapshots' }],
  },
  {
    words:
      'forgot password of mailbox · see password · show password · know password · what is password · my password · have password',
    say: 'The bot keeps no passwords.',
    hint: '`/host password web-1` makes a new one.',
    suggestions: [{ label: 'New password…', command: 'password', isForm: true }],
  },
  {
    words: 'oncall · pager · who is on-call · on-call rota',
    say: 'Hostler has no on-call rota.',
    hint: '`/host alerts list` shows who is on each alert.',
    suggestions: [{ label: 'Open alerts', command: 'alerts list' }],
  },
  {
    words: 'ttl · set ttl · change ttl · dns ttl',
    say: 'A TTL is changed by editing its record.',
    hint: 'For example: `/host dns edit www.example.com A ttl=300`.',
    suggestions: [{ label: 'dns edit…', command: 'dns edit', isForm: true }],
    line: editTtl,
  },
  {
    words: 'admin · admins',
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

export function answerTo({ say, hint, suggestions, line }: Wish, tokens: readonly Token[]): Refusal {
  const typed = tokens.map(bareWord);
  const filled =
    line === undefined ? suggestions : suggestions.map((suggestion) => ({ ...suggestion, command: line(typed) }));
  return new Refusal('not_understood', say, { hint, suggestions: filled });
}
