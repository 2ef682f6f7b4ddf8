import {
  type Account,
  accountTarget,
  domainTarget,
  emptyAccount,
  namesOf,
  type Order,
  orderTarget,
  projectTarget,
  type Target,
  tagTarget,
} from '../../core/account/account.ts';
import { type HookKind, postedKinds } from '../../core/alert/alert.ts';
import { globOf } from '../../core/policy/evaluate.ts';
import { count } from '../../core/text/words.ts';
import type { FormOption } from '../../core/view/form.ts';
import { accessAt } from '../access/access.ts';
import type { AnyAlertRule } from '../context/alerts-port.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { sessionOf } from '../context/form-session.ts';
import type { Engine } from '../context/ports.ts';
import { find, holds } from './find.ts';

interface Row {
  /** Undefined for an option that is not part of the account. */
  readonly target: Target | undefined;
  readonly option: FormOption;
  readonly words: readonly (string | null)[];
}

function row(value: string, label: string, target?: Target): Row {
  return { target, option: { value, label }, words: [value, label] };
}

/** Rows that are searched in memory, by source. */
const inAccount: Readonly<Record<string, (account: Account) => readonly Row[]>> = {
  servers: ({ orders }) => orderRows(orders, ['vps']),
  dedicated: ({ orders }) => orderRows(orders, ['ds']),
  'any-servers': ({ orders }) => orderRows(orders, ['vps', 'ds']),
  orders: ({ orders }) => orderRows(orders),
  'live-orders': ({ orders }) =>
    orderRows(orders.filter(({ status, isCancelMarked }) => status !== 'canceled' && !isCancelMarked)),
  domains: domainRows,
  // An order may have the name of a domain.
  taggable: (account) => [
    ...orderRows(account.orders),
    ...domainRows(account).map(({ option: { value, label }, ...row }) => {
      return { ...row, option: { value: `domain:${value}`, label, description: 'domain' } };
    }),
  ],
  projects: projectRows,
  'access-targets': patternRows,
  'projects-or-none': (account) => [
    { target: undefined, option: { value: 'none', label: 'none', description: 'in no project' }, words: ['none'] },
    ...projectRows(account),
  ],
};

/** Patterns of a grant: all, a tag, a project, an order or a domain. */
function patternRows(account: Account): readonly Row[] {
  const tags = (of: readonly { readonly tags: readonly string[] }[]) =>
    [...new Set(of.flatMap((item) => item.tags))].sort();
  return [
    row('all', 'Everything'),
    ...tags(account.orders).map((tag) => row(`tag:${globOf(tag)}`, `Everything tagged ${tag}`, tagTarget(tag))),
    ...tags(account.domains).map((tag) =>
      row(`domain tag:${globOf(tag)}`, `Domains tagged ${tag}`, { ...tagTarget(tag), kind: 'domain' }),
    ),
    ...account.projects.map((project) =>
      row(`project:${globOf(project.name)}`, `Project ${project.name}`, projectTarget(project)),
    ),
    ...account.orders.map((order) => row(`order:${order.id}`, `${order.label} (${order.id})`, orderTarget(order))),
    ...account.domains.map((domain) => row(`domain:${domain.name}`, `Domain ${domain.name}`, domainTarget(domain))),
  ];
}

function domainRows({ domains }: Account): readonly Row[] {
  return domains.map((domain) => row(domain.name, domain.name, domainTarget(domain)));
}

function projectRows({ projects }: Account): readonly Row[] {
  return projects.map((project) => row(String(project.id), project.name, projectTarget(project)));
}

/** Options for a field with several values: each stands for all orders with a tag. */
function tagRows(orders: readonly Row[], wanted: string): readonly Row[] {
  const typed = wanted.replace(/^tag:/, '');
  const tagged = orders.flatMap(({ words }) => words.filter((word) => word?.startsWith('tag:') === true));
  const tags = Map.groupBy(tagged, (tag) => tag ?? '');
  return [...tags]
    .filter(([tag]) => typed !== '' && tag.toLowerCase().startsWith(`tag:${typed}`))
    .map(([tag, members]): Row => {
      const option = { value: tag, label: tag, description: count(members.length, 'order') };
      return { target: undefined, option, words: [tag] };
    });
}

function orderRows(orders: readonly Order[], kinds: readonly Order['kind'][] = ['vps', 'ds', 'other']): Row[] {
  return orders
    .filter(({ kind }) => kinds.includes(kind))
    .map((order) => ({
      target: orderTarget(order),
      option: { value: order.id, label: `${order.label} (${order.id})`, description: order.addresses[0] ?? order.plan },
      words: [...namesOf(order), ...order.tags.map((tag) => `tag:${tag}`)],
    }));
}

/** Slack's limit of options in a list. */
const mostAlerts = 100;

type AlertSource = (context: EngineContext, channel: string) => Promise<readonly FormOption[]>;

function hookOptions(kinds: readonly HookKind[]): AlertSource {
  return async ({ store }, channel) =>
    (await store.hooks.list(channel, kinds)).map(({ id, kind, name }) => {
      return { value: id, label: name, description: `${kind} · ${id}` };
    });
}

/** Options of the forms about alerts, by source: the bot's own rules, and the channel's hooks. */
const alertSources: Readonly<Record<string, AlertSource>> = {
  'alert-rules': async ({ alertRules }) => alertRules.map(ruleOption),
  'alert-rules-or-all': async ({ alertRules }) => [allRules, ...alertRules.map(ruleOption)],
  'alert-rules-here': async ({ alertRules, store }, channel) => {
    const wanted = (await store.values.get('subscription', channel))?.rules ?? {};
    return [allRules, ...alertRules.filter(({ name }) => wanted[name] !== undefined).map(ruleOption)];
  },
  'alerts-here': async ({ store }, channel) =>
    (await store.alerts.listOpen({ channel, limit: mostAlerts }))
      .filter(({ finding }) => !finding.isNews)
      .map(({ id, finding }) => ({ value: id, label: finding.title })),
  'alert-hooks': hookOptions(postedKinds),
  'event-hooks': hookOptions(['events']),
};

const allRules: FormOption = { value: 'all', label: 'all', description: 'every one of them' };

function ruleOption({ name, title }: AnyAlertRule): FormOption {
  return { value: name, label: name, description: title };
}

/** Sources of the whole account: their names are for people with a grant on all of it. */
const accountSources: ReadonlySet<string> = new Set(['snapshots', 'ssh-keys', 'ssh-keys-or-default', 'buckets']);

const most = 50;

/** Search as you type: reads from memory and offers only targets on which this person may use the command. */
export async function suggest(context: EngineContext, query: Parameters<Engine['suggest']>[0]) {
  if (query.everythingAt !== undefined) return find(context, query.actor, query.everythingAt, query.text);
  const session = await sessionOf(context, query.form, query.actor);
  if (session?.kind !== 'command') return [];
  const command = commandAt(context, session.command);
  // A form may search only the sources of its fields.
  if (command === undefined || !Object.values(command.args).some(({ source }) => source === query.source)) return [];
  const capability = command.capability === 'none' ? 'read' : command.capability;
  const access = await accessAt(context, query.actor, session.place);
  if (!access.decide(capability, 'safe', []).allowed) return [];
  const wanted = query.text.trim().toLowerCase();
  const rows = inAccount[query.source];
  if (rows !== undefined) {
    const account = context.accountReader.peek() ?? (await context.accountReader.read({ staleOk: true }));
    const own = rows(account).filter(({ target }) => target === undefined || access.may(capability, target));
    const takesTags = Object.values(command.args).some(
      (arg) => arg.source === query.source && arg.many && query.source !== 'access-targets',
    );
    return [...(takesTags ? tagRows(own, wanted) : []), ...own]
      .filter((row) => row.words.some((word) => holds(word ?? '', wanted)))
      .slice(0, most)
      .map((row) => row.option);
  }
  const ofAlerts = alertSources[query.source];
  if (ofAlerts !== undefined) {
    return (await ofAlerts(context, session.place.channel)).filter(({ label, description = '' }) =>
      `${label} ${description}`.toLowerCase().includes(wanted),
    );
  }
  const source = context.optionSources[query.source];
  const needed = accountSources.has(query.source) ? [accountTarget] : [];
  if (source === undefined || !access.decide(capability, 'safe', needed).allowed) return [];
  // The value of an earlier page comes from the session: Slack does not send other fields with a search.
  const { dependsOn } = Object.values(command.args).find((arg) => arg.source === query.source) ?? {};
  const chosen = dependsOn === undefined ? {} : { [dependsOn]: session.raw[dependsOn] ?? [] };
  const account = context.accountReader.peek() ?? emptyAccount;
  const { reader, currency } = context;
  return (await source({ text: query.text, reader, account, currency, chosen })).slice(0, most);
}
