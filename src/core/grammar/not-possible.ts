import { ttlInSeconds } from '../dns/read-value.ts';
import { ttlSeconds } from '../dns/record.ts';
import { Refusal, type Suggestion } from '../view/errors.ts';
import { bareWord } from './polite.ts';
import type { Token } from './tokens.ts';

/** Refuses requests for which no command exists, and offers the nearest command. */

const ownPanel = 'Use the provider’s own panel.';

/** The phrases as in the words of commands, the answer, its hint and its buttons; `…` behind a line opens the form. */
const table = `
  snapshot · backup · backups | The provider’s API cannot take a snapshot of a server. |
    \`/host catalog snapshots\` lists the existing ones. ${ownPanel} | Snapshots = catalog snapshots
  ptr · rdns · reverse-dns · reverse name | The provider’s API cannot set reverse DNS. |
    \`/host ip list\` shows it. ${ownPanel} | Addresses = ip list
  console · vnc · ssh · exec · shell · nginx · apache · docker · container · service · process · daemon · mysql · cron
    tab · script |
    Nothing can be run on a server from here. | \`/host rescue on\` boots a rescue system to log in to. |
    Help = help servers
  resize · upgrade · downgrade · scale · bigger plan · cheaper plan · more memory for · cheaper computer · cheaper
    server · bigger server |
    The provider’s API cannot change the plan of a server. |
    \`/host catalog plans\` shows what there is for a new one. ${ownPanel} | Plans = catalog plans
  renew · extend · prolong | The provider’s API cannot renew an order by hand. |
    \`/host orders\` shows until when each is paid, and \`/host keep\` takes a cancellation back. ${ownPanel} |
    Orders = orders
  ssl · tls · certificate · certificates · letsencrypt | The provider’s API has no certificates. |
    \`/host dns add\` adds the record that proves a domain to an issuer. | DNS = help dns
  firewall · port · ports | The provider’s API cannot change a firewall. |
    Change it on the server itself. | Help = help servers
  log · logs · journal · syslog | The logs of a server are on the server. |
    \`/host stats\` shows how busy it was, and \`/host audit\` what was done to it from here. | Stats = stats …
  transfer | The provider’s API cannot transfer a domain or a server. |
    ${ownPanel} | Help = help
  pay · topup · top-up · deposit | Nothing can be paid from here. |
    \`/host balance\` shows what there is. ${ownPanel} | Balance = balance
  deploy · rollback deploy · release version · git push | Nothing is deployed from here. |
    \`/host dns undo\` takes back the last change of DNS, and \`/host freeze\` stops changes for a while. | Help = help
  terraform · ansible · helm · drain · namespace · pod · maintenance on · gh run · gh pr · gh repo · gh secret · for do
    done |
    That belongs to another tool. |
    Here it is like \`/host list\`, \`/host restart web-1\` or \`/host dns set www.example.com 192.0.2.11\`. | List = list, Help = help
  mailbox · mail box · e-mail account · email account · inbox | Mailboxes are not managed from here. |
    \`/host dns list\` shows where the mail of a domain goes. Use the software of your mail server. | Help = help
  approve my own · approve own request · my own request · own request |
    Nobody approves their own request, except where \`/host access solo\` is on. |
    \`/host access\` shows who may approve here. | Access = access
  audit verify · verify audit · audit intact · delete audit · purge audit · clear audit · log intact |
    The audit is neither changed nor checked from here. |
    Only the people who run Hostler can check it. \`/host audit\` shows it. | Audit = audit
  remind me · reminder · tell them · send message · message everyone · tell everyone · meeting room |
    Hostler sends no messages or reminders for people. |
    \`/host alerts on\` and \`/host digest\` post by themselves in a channel. | Alerts… = alerts on …
  invoice pdf · pdf of invoice · download invoice · send invoice | The provider’s API has no files of invoices. |
    \`/host balance\` lists what is unpaid. ${ownPanel} | Balance = balance
  close ticket · reply · reply to provider · restore file | The provider’s API only opens and lists tickets. |
    \`/host ticket list\` shows them. ${ownPanel} | Tickets = ticket list
  copy · copy server · clone server · clone · duplicate server | The provider’s API cannot copy a server. |
    \`/host catalog snapshots\` lists what a new server can be made from. | Snapshots = catalog snapshots
  forgot password of mailbox · see password · show password · know password · what is password · my password · have
    password |
    The bot keeps no passwords. | \`/host password web-1\` makes a new one. | New password… = password …
  oncall · pager · who is on-call · on-call rota | Hostler has no on-call rota. |
    \`/host alerts list\` shows who is on each alert. | Open alerts = alerts list
  ttl · set ttl · change ttl · dns ttl | A TTL is changed by editing its record. |
    For example: \`/host dns edit www.example.com A ttl=300\`. | dns edit… = dns edit …
  admin · admins | Admins are named in HOSTLER_ADMINS only, by the people who run Hostler. |
    \`/host access\` shows who may do what here. | Access = access`;

export type Wish = (typeof wishes)[number];

export const wishes = table
  .trim()
  .split(/\n {2}(?=\S)/)
  .map((row) => {
    const [words = '', say = '', hint = '', buttons = ''] = row
      .split('|')
      .map((part) => part.trim().replaceAll(/\s+/g, ' '));
    return { words, say, hint, suggestions: buttons.split(', ').map(suggestionOf) };
  });

/** `Stats = stats …` */
function suggestionOf(button: string): Suggestion {
  const [label = '', line = ''] = button.split(' = ');
  const command = line.replace(/ …$/, '');
  return { label, command, ...(command !== line && { isForm: true }) };
}

/** The lines of buttons that take typed words. */
const filled: Readonly<Record<string, (typed: readonly string[]) => string>> = {
  'dns edit': editTtl,
  stats: (typed) => ['stats', ...typed.filter((word) => /\d/.test(word)).slice(0, 1)].join(' '),
};

function editTtl(typed: readonly string[]): string {
  const name = typed.find((word) => /^[^\s"]+$/.test(word) && word.slice(1, -1).includes('.'));
  const ttl = typed.find((word) => /^\d+[smhd]?$/.test(word));
  if (name === undefined) return 'dns edit';
  return ttl === undefined || !ttlSeconds.some((candidate) => candidate === ttlInSeconds(ttl))
    ? `dns edit ${name}`
    : `dns edit ${name} ttl=${ttl}`;
}

export function answerTo({ say, hint, suggestions }: Wish, tokens: readonly Token[]): Refusal {
  const typed = tokens.map(bareWord);
  return new Refusal('not_understood', say, {
    hint,
    suggestions: suggestions.map((each) => ({ ...each, command: filled[each.command]?.(typed) ?? each.command })),
  });
}
