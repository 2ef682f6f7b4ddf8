import { accountTarget, mayKnow } from '../../core/account/account.ts';
import type { Alert } from '../../core/alert/alert.ts';
import type { AuditLine, OperationSummary } from '../../core/command/bot-port.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { stateWord, stateWords } from '../../core/plan/say-state.ts';
import { type Columns, dotted, type Row, withCode } from '../../core/view/view.ts';

/** One line of the overview: a request with all of its entries, or an entry without a request. */
export interface AuditItem {
  readonly at: number;
  readonly actor: string | null;
  /** The words for a change without an actor; by default the bot made it. */
  readonly by?: string;
  readonly what: string;
  readonly text: string;
  readonly request: string;
}

export interface KnownAudit {
  readonly lines: readonly AuditLine[];
  readonly requests: ReadonlyMap<string, OperationSummary>;
}

/**
 * Entries quote typed lines: without a grant on all, people see their own entries and those of requests they may read.
 */
export async function knowable(all: readonly AuditLine[], context: ReadContext): Promise<KnownAudit> {
  const lines = all.filter(({ isMistyped, actor }) => !isMistyped || actor === context.actor);
  const ids = [...new Set(lines.flatMap(({ operation }) => operation ?? []))];
  const summaries = await Promise.all(ids.map((id) => context.bot.operation(id)));
  const requests = new Map(summaries.flatMap((summary) => (summary === undefined ? [] : [[summary.id, summary]])));
  if (context.may('read', accountTarget)) return { lines, requests };
  const visible = new Map([...requests].filter(([, each]) => mayKnow(each, context.actor, context)));
  const own = lines.filter(({ actor, operation }) => actor === context.actor || visible.has(operation ?? ''));
  return { lines: own, requests: visible };
}

/** The failed call in the text of an entry, which entry by entry shows. */
const providerPath = /: (?:GET|POST|PUT|PATCH|DELETE) \/.*$/s;

/** Groups entries by request, newest first, at the time of the newest entry. */
export function grouped({ lines, requests }: KnownAudit): AuditItem[] {
  const seen = new Set<string>();
  return lines.flatMap((line): AuditItem[] => {
    const request = line.operation === null ? undefined : requests.get(line.operation);
    if (request === undefined) return [{ ...itemOf(line), text: line.text.replace(providerPath, '') }];
    if (seen.has(request.id)) return [];
    seen.add(request.id);
    return [{ ...whatOf(request), at: line.at, what: endOf(request) }];
  });
}

/** The alerts and requests of a timeline, in any order. */
export function eventsOf(alerts: readonly Alert[], { requests }: KnownAudit): AuditItem[] {
  const ofRequests = [...requests.values()].flatMap((request): AuditItem[] => {
    const { createdAt, endedAt } = request;
    const item = whatOf(request);
    const begin = { ...item, at: createdAt, what: 'requested' };
    return endedAt === null ? [begin] : [begin, { ...item, at: endedAt, what: endOf(request) }];
  });
  const ofAlerts = alerts.flatMap(({ finding, openedAt, sinceAt, resolvedAt, byUser }): AuditItem[] => {
    const item = { actor: null, text: finding.title, request: '' };
    return [
      { ...item, at: openedAt, what: 'alert opened' },
      ...(byUser === null || sinceAt === null ? [] : [{ ...item, at: sinceAt, actor: byUser, what: 'on it' }]),
      ...(resolvedAt === null ? [] : [{ ...item, at: resolvedAt, what: 'alert resolved' }]),
    ];
  });
  return [...ofAlerts, ...ofRequests];
}

/** The request, and the machine that asked. */
function whatOf({ id, title, requester, token }: OperationSummary) {
  return { actor: requester, text: token === null ? title : `${title}, asked by ${token.name}`, request: id };
}

export function itemOf({ at, actor, kind, text, operation }: AuditLine): AuditItem {
  return { at, actor, what: kind.replaceAll('_', ' '), text, request: operation ?? '' };
}

function endOf(request: OperationSummary): string {
  return request.waitsFor !== null && request.endedAt === null ? stateWords.waiting : stateWord(request);
}

/** An entry has one person; a request also has its deciders. */
export function auditColumns(isDetailed: boolean): Columns {
  return [{ name: 'When' }, { name: isDetailed ? 'Who' : 'Who · decided by' }, { name: 'What happened' }];
}

/** The id of a request is the link to its card. */
export function rowOf(
  { at, actor, by = 'the bot', what, text, request }: AuditItem,
  more?: { readonly links: ReadonlyMap<string, string>; readonly decisions: ReadonlyMap<string, string> },
): Row {
  const link = more?.links.get(request);
  return [
    [{ date: at, style: 'full' }],
    dotted([actor === null ? by : [{ user: actor }], more?.decisions.get(request) ?? '']),
    dotted([what, withCode(text.slice(0, 200)), link === undefined ? request : [{ link, text: request }]]),
  ];
}
