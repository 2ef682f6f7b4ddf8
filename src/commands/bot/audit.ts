import { domainTarget, namesOf, orderTarget, projectTarget, targetKey } from '../../core/account/account.ts';
import { flag, integer, option, optional, text, withDefault } from '../../core/command/args.ts';
import type { BotReader } from '../../core/command/bot-port.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { person } from '../../core/command/slack-args.ts';
import { boundsOf, dayArgs, span, spanIn } from '../../core/command/time-args.ts';
import { bare, relativeHost } from '../../core/dns/record.ts';
import { sayDifference } from '../../core/dns/zone-diff.ts';
import { quoteValue } from '../../core/grammar/tokens.ts';
import { defined } from '../../core/text/defined.ts';
import { day, minute } from '../../core/text/words.ts';
import { runButton, says } from '../../core/view/view.ts';
import { optionalOf, requestId } from '../args.ts';
import { defineList } from '../define.ts';
import { onlyOf } from '../dns/versions.ts';
import { mustName, namesHere } from '../must-name.ts';
import { csvFile, timelineFile } from './audit-file.ts';
import { auditColumns, eventsOf, grouped, itemOf, type KnownAudit, knowable, rowOf } from './audit-rows.ts';
import { personNamed } from './one-named.ts';

/** Entries read for each shown line; a request has about five. */
const entriesEach = 8;
const mostInFile = 5_000;
const longest = 400 * day;

const isPerson = (word: string) => word.startsWith('@');
const isSpan = (word: string) => spanIn(word, true) !== undefined;
/** `last 7 days`. The number of an order is longer. */
const isPartOfSpan = (word: string) => /^(?:last|past|\d{1,3}|(?:minute|hour|day|week)s?)$/i.test(word);

export const audit = defineList({
  path: 'audit',
  words: `| audit · audit log · audit trail · history · log book · paper trail · cloudtrail | who did · who
    restart · who stop · who start · who reset · who change · who approve · who confirm · who decline · who delete ·
    who cancel · who order · who turn · who reboot · who mute · who pin · who froze · who broke · who break · who
    touch · who touched · who grant · who give · who gave · who unmute · who unpin · who revoke · who was using ·
    who has been using · what happened · what changed · what was done · what did · did i do · what i did · used
    break glass · break glass used · why was · why refused · was refused · denied attempt · refused attempt · last
    change · recent change · any change · git blame · blame · git log · audit of · audit for · audit from ·
    history of · who move · who set · who add · who remove · who edit · break glass use · tampered · who was it ·
    who approved what · who messed`,
  title: 'Audit',
  summary: 'Show who requested, approved and did what in this channel',
  examples: ['audit web-1 7d', 'audit from=2026-11-01 to=2026-11-30 --csv'],
  args: {
    about: {
      ...optionalOf(text)({
        label: 'About',
        alsoCalled: ['on'],
        hint: 'A server, an order, a domain or a name in it.',
        example: 'web-1',
      }),
      fits: (word: string) => !isPerson(word) && !isSpan(word) && !isPartOfSpan(word),
    },
    by: { ...optional(person({ hint: 'Only what this person did.' })), fits: isPerson },
    since: optionalOf(span)({
      after: ['since'],
      hint: 'Only the last hours or days, such as 7d, or since 18:00.',
      minMs: minute,
      maxMs: longest,
      isPast: true,
    }),
    ...dayArgs,
    last: withDefault(integer({ place: 'option', hint: 'The number of requests.', min: 1, max: 80 }), 20),
    request: option(requestId({ hint: 'Only this request, by its id, entry by entry.' })),
    reads: flag({ hint: 'Reads too, and each entry of a request.' }),
    timeline: flag({ hint: 'As a Markdown file: alerts, requests and changes by hand, oldest first.' }),
    csv: flag({ hint: 'As a file for a spreadsheet, entry by entry.' }),
  },
  capability: 'read',
  isAboutChannel: true,
  list: async ({ about, by, since, from, to, last, request, reads, csv, timeline }, context, show, line) => {
    const { bot, channel, now } = context;
    const actor = by === undefined ? undefined : await personNamed(by, bot);
    const { first, before } = boundsOf({ from, to }, context, since === undefined ? undefined : now - since);
    const isDetailed = reads || csv || request !== undefined;
    const named = about === undefined ? undefined : await targetsNamed(about, context);
    const zone = named?.zone;
    const lines = await bot.audit({
      channel,
      limit: csv || timeline ? mostInFile : isDetailed ? last : last * entriesEach,
      isWithoutReads: !isDetailed,
      ...defined({ actor, operationId: request, from: first, until: before, about: named }),
    });
    const ofDomain = await knowable(lines, context);
    const visible = zone?.host === undefined ? ofDomain : onlyAbout(ofDomain, zone.host);
    const isOfRequests = isDetailed || actor !== undefined || zone === undefined;
    const isWithin = ({ at }: { readonly at: number }) =>
      at >= (first ?? 0) && at < (before ?? Number.POSITIVE_INFINITY);
    const byHand = (isOfRequests ? [] : await changesByHand(zone.name, zone.host, bot)).filter(isWithin);
    if (timeline) {
      const keys = named && new Set(named.keys);
      const alerts = (await bot.alerts.since(first ?? 0)).filter(
        ({ finding: { target } }) => keys?.has(targetKey(target)) ?? true,
      );
      const events = [...eventsOf(alerts, visible), ...byHand].filter(isWithin);
      if (events.length > 0) return timelineFile(events, context);
    }
    if (visible.lines.length + byHand.length === 0 && ofDomain.lines.length > 0) {
      const none = `No request here is about ${about}, but ${ofDomain.requests.size} about ${zone?.name}.`;
      return says(none, [runButton('Show them', `audit ${quoteValue(zone?.name ?? '')}`)]);
    }
    if (visible.lines.length + byHand.length === 0) {
      const words = named?.keys.length === 0 ? [named.label] : [];
      mustName('audit', { words, names: await namesHere(context), isKnown: () => false });
      const isAll = line({ last: [], reads: [], csv: [], timeline: [], page: [] }) === 'audit';
      return says(isAll ? 'No audit entries yet.' : 'No audit entries fit.');
    }
    if (csv) return csvFile(visible, lines.length === mostInFile, context);
    const items = isDetailed
      ? visible.lines.map(itemOf)
      : [...grouped(visible), ...byHand].toSorted((a, b) => b.at - a.at).slice(0, last);
    return show({
      all: items,
      columns: auditColumns(isDetailed),
      row: rowOf,
      linksOf: async (shown) => {
        const ids = shown.flatMap(({ request }) => (request === '' ? [] : [request]));
        const [links, decisions] = await Promise.all([bot.cardLinks(ids), bot.decisions(isDetailed ? [] : ids)]);
        return { links, decisions };
      },
      total: `${items.length} audit rows`,
      foot: (note) =>
        `Newest first${isDetailed ? '' : ', by the last that happened'}${note}. /host request and an id show one request.`,
      buttons: [
        ...(isDetailed ? [] : [runButton('Entry by entry', line({ reads: ['yes'], page: [] }))]),
        runButton('As a file', line({ csv: ['yes'], reads: [], page: [] })),
      ],
    });
  },
});

/** The targets that a word names. One that no longer exists is found by its label, and a host name by its domain. */
async function targetsNamed(word: string, { account, may }: ReadContext) {
  const { orders, domains, projects } = await account();
  const wanted = bare(word);
  const isNamed = (names: readonly string[]) => names.some((name) => name.toLowerCase() === wanted);
  const [domain] = domains
    .filter(({ name }) => `.${wanted}`.endsWith(`.${name.toLowerCase()}`))
    .toSorted((a, b) => b.name.length - a.name.length)
    .filter((domain) => may('read', domainTarget(domain)));
  const targets = [
    ...orders.filter((order) => isNamed([...namesOf(order), order.label])).map(orderTarget),
    ...(domain === undefined ? [] : [domainTarget(domain)]),
    ...projects.filter(({ name }) => isNamed([name])).map(projectTarget),
  ];
  const host = domain && relativeHost(wanted, domain.name);
  return {
    keys: targets.filter((target) => may('read', target)).map(targetKey),
    label: word.toLowerCase(),
    /** The domain of the word, and its name there unless it is the domain itself. */
    zone: domain && { name: domain.name, host: host === '@' ? undefined : host },
  };
}

/** Leaves out requests that change only records of other names. */
function onlyAbout({ lines, requests }: KnownAudit, host: string): KnownAudit {
  const own = new Map(
    [...requests].filter(([, { steps }]) => {
      const each = steps.map(({ data }) => JSON.stringify(data ?? null));
      return each.some((data) => !data.includes('"host":') || data.includes(`"host":${JSON.stringify(host)}`));
    }),
  );
  return { lines: lines.filter(({ operation }) => operation !== null && own.has(operation)), requests: own };
}

async function changesByHand(name: string, host: string | undefined, { zones }: BotReader) {
  const byHand = (await zones.versions(name)).filter(({ since }) => since !== null);
  return byHand.flatMap((version) => {
    const text = sayDifference(onlyOf(version, host));
    return text === '' ? [] : [{ at: version.at, actor: null, by: 'by hand', what: 'changed', text, request: '' }];
  });
}
