import type { Target } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { notFound } from '../../core/view/errors.ts';
import { plain } from '../../core/view/view.ts';

/** The subject of a ticket and the facts for support, as plain lines. */
export interface TicketFacts {
  readonly subject: string;
  readonly lines: readonly string[];
  readonly target: Target | undefined;
}

export const aboutPattern = /^(request|alert):[a-z0-9]{4,20}$/;

type ReadFacts = (id: string, context: Pick<ReadContext, 'bot' | 'channel'>) => Promise<TicketFacts | undefined>;

const readers: Readonly<Record<string, ReadFacts>> = {
  request: async (id, { bot, channel }) => {
    const operation = await bot.operation(id);
    if (operation === undefined || operation.channel !== channel) return undefined;
    const { title, targets, createdAt, endedAt, state, endText, steps } = operation;
    const orders = targets.filter((target) => target.kind === 'order');
    const jobs = steps.flatMap(({ job }) => (job === null ? [] : [`${job.jobId} of ${job.orderId}`]));
    return {
      subject: `${title}: ${state}`,
      target: orders[0],
      lines: [
        ...aboutTargets(targets),
        `Request: ${title}`,
        `Asked: ${time(createdAt)}`,
        ...(endedAt === null ? [`State: ${state}`] : [`Ended: ${time(endedAt)}, ${state}`]),
        ...(jobs.length === 0 ? [] : [`Job: ${jobs.join(', ')}`]),
        ...(endText === null ? [] : [`Result: ${endText}`]),
      ],
    };
  },
  alert: async (id, { bot, channel }) => {
    const [alert] = await bot.alerts.find(id);
    if (alert === undefined || alert.channel !== channel) return undefined;
    const { finding, openedAt, resolvedAt } = alert;
    const details = (finding.details ?? []).flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    return {
      subject: finding.title,
      target: finding.target.kind === 'order' ? finding.target : undefined,
      lines: [
        ...aboutTargets([finding.target]),
        `Noticed: ${finding.title}`,
        ...[...finding.lines, ...details].map(plain).filter((line) => line !== ''),
        `Since: ${time(openedAt)}`,
        ...(resolvedAt === null ? [] : [`Over since: ${time(resolvedAt)}`]),
      ],
    };
  },
};

/** Facts about a request or an alert of this channel; others are refused. */
export async function factsAbout(about: string, context: Pick<ReadContext, 'bot' | 'channel'>): Promise<TicketFacts> {
  const [kind = '', id = ''] = about.split(':');
  const facts = Object.hasOwn(readers, kind) ? await readers[kind]?.(id, context) : undefined;
  if (facts !== undefined) return facts;
  const hint = 'Leave it out, or see /host requests and /host alerts list.';
  throw notFound(`There is no ${kind} ${id} in this channel.`, hint, 'about');
}

function aboutTargets(targets: readonly Target[]): string[] {
  const words = targets.flatMap(({ kind, id, name }) => {
    if (kind === 'order') return [`Order: ${id}${name === id ? '' : ` (${name})`}`];
    return kind === 'domain' ? [`Domain: ${name}`] : [];
  });
  return [...new Set(words)].slice(0, 10);
}

/** The time to the second in UTC, since support may be in another time zone. */
function time(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
