import { underWayStates } from '../../core/plan/operation.ts';
import { sayState } from '../../core/plan/say-state.ts';
import {
  type Button,
  buttonRow,
  dotted,
  menuPart,
  reviewButton,
  type Text,
  text,
  type ViewPart,
} from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type CardLinks, linksToCards, titleSpan } from '../operation/card-links.ts';
import { approversOf } from '../operation/card-names.ts';
import type { Operation } from '../operation/read-operation.ts';
import { mostRead, newest, waitingFor } from '../operation/waiting-for.ts';
import { mayReadOn, nextHours, protectionMarks } from './home-reads.ts';

const neededShown = 3;
const runningShown = 10;
const ownShown = 5;

/** The heading that a row is under. */
type Group = 'needed' | 'next' | 'own' | 'running';
type RowOf = (operation: Operation) => Text;

interface RowContext {
  readonly links: CardLinks;
  readonly protectionMark: (operation: Operation) => string;
  readonly admins: readonly string[];
}

/** The requests that wait for this person, their own requests, and running ones that they may see. */
export async function requestParts(
  context: EngineContext,
  user: string,
  accesses: ReadonlyMap<string, Access>,
): Promise<{ readonly needed: readonly ViewPart[]; readonly own: readonly ViewPart[] }> {
  const [undecided, requested, underWay, hours] = await Promise.all([
    newest(context, { states: ['waiting'] }),
    newest(context, { requester: user }, ownShown),
    newest(context, { states: underWayStates }),
    nextHours(context, user, accesses),
  ]);
  const needed = await waitingFor(context, user, undecided.toReversed());
  const running = underWay.filter((operation) => operation.requester !== user && mayReadOn(operation, user, accesses));
  const waiting = new Set(needed.map(({ id }) => id));
  const next = hours.filter(({ id }) => !waiting.has(id));
  const isAbove = new Set([...waiting, ...next.map(({ id }) => id)]);
  const own = requested.filter(({ id }) => !isAbove.has(id));
  const others = running.slice(0, runningShown);
  const shown = [...needed.slice(0, neededShown), ...next, ...own, ...others];
  const [links, protectionMark] = await Promise.all([
    linksToCards(
      context,
      shown.map(({ id }) => id),
    ),
    protectionMarks(context, shown),
  ]);
  const rowOf =
    (group: Group): RowOf =>
    (operation) =>
      rowText(group, operation, { links, protectionMark, admins: context.settings.admins });
  return {
    needed: neededParts(needed, rowOf('needed')),
    own: [
      ...rows('Scheduled', next, rowOf('next')),
      ...rows('Your requests', own, rowOf('own')),
      ...rows('Running', others, rowOf('running')),
    ],
  };
}

function neededParts(needed: readonly Operation[], rowOf: RowOf): ViewPart[] {
  if (needed.length === 0) return [];
  const parts: ViewPart[] = [{ kind: 'heading', text: `Needs you (${needed.length})` }];
  for (const operation of needed.slice(0, neededShown)) {
    const review: Button = { ...reviewOption(operation), label: 'Review…', style: 'primary' };
    parts.push({ kind: 'text', text: rowOf(operation) }, ...buttonRow([review]));
  }
  const more = needed.slice(neededShown, mostRead);
  if (more.length > 0) parts.push({ kind: 'text', text: `and ${more.length} more` });
  return [...parts, ...menuPart('Review one', more.map(reviewOption))];
}

function rows(title: string, operations: readonly Operation[], rowOf: RowOf): ViewPart[] {
  if (operations.length === 0) return [];
  return [
    { kind: 'heading', text: title },
    ...operations.map((operation): ViewPart => ({ kind: 'text', text: rowOf(operation) })),
    ...menuPart('Show one in full', operations.map(reviewOption)),
  ];
}

function reviewOption({ id, plan }: Operation): Button {
  return reviewButton(plan.title, id);
}

/**
 * `Hard reset web-2 · @operator in #ops · today 1:48 PM`. A row says only what its heading does not, so that it stays
 * one line. Mentions on Home notify no one.
 */
function rowText(group: Group, operation: Operation, { links, protectionMark, admins }: RowContext): Text {
  const { id, plan, requester, channel, createdAt, endedAt, startsAt } = operation;
  const isScheduled = endedAt === null && startsAt !== null;
  return dotted([
    text(titleSpan(plan.title, links.get(id))),
    protectionMark(operation),
    ...(group === 'needed' || group === 'next' ? [] : [stateOf(operation, admins)]),
    group === 'own' ? [{ channel }] : [{ user: requester }, ' in ', { channel }],
    text(isScheduled ? 'begins ' : '', { date: endedAt ?? startsAt ?? createdAt, style: 'full' }),
  ]);
}

/** `⏳ needs 1 approval from @ops` */
function stateOf(operation: Operation, admins: readonly string[]): Text {
  const { state, rule } = operation;
  const needsOthers = state === 'waiting' && typeof rule === 'object';
  return text(sayState({ state, rule }), needsOthers ? text(' from ', approversOf(operation, admins)) : '');
}
