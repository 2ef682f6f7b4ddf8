import { underWayStates } from '../../core/plan/operation.ts';
import { sayState } from '../../core/plan/say-state.ts';
import { type Button, type Text, text, type ViewPart } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { approversOf } from '../operation/approvers.ts';
import { type CardLinks, linksToCards, titleSpan } from '../operation/card-links.ts';
import type { Operation } from '../operation/record.ts';
import { mostRead, newest, waitingFor } from '../operation/waiting-for.ts';
import { mayReadOn, nextHours, pinMarks } from './next-hours.ts';

const neededShown = 3;
const runningShown = 10;
const ownShown = 5;

type RowOf = (operation: Operation) => Text;

/** The requests that wait for this person, their own requests, and running ones that they may see. */
export async function requestParts(
  context: Pick<EngineContext, 'accessOf' | 'directory' | 'log' | 'pins' | 'policies' | 'settings' | 'store'>,
  user: string,
  accesses: ReadonlyMap<string, Access>,
): Promise<{ readonly needed: readonly ViewPart[]; readonly own: readonly ViewPart[] }> {
  const [undecided, requested, underWay, hours] = await Promise.all([
    newest(context, { state: 'waiting' }),
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
  const [links, pinMark] = await Promise.all([
    linksToCards(
      context,
      shown.map(({ id }) => id),
    ),
    pinMarks(context, shown),
  ]);
  const rowOf: RowOf = (operation) => rowText(operation, links, pinMark(operation), context.settings.admins);
  return {
    needed: neededParts(needed, rowOf),
    own: [...rows('Scheduled', next, rowOf), ...rows('Your requests', own, rowOf), ...rows('Running', others, rowOf)],
  };
}

function neededParts(needed: readonly Operation[], rowOf: RowOf): ViewPart[] {
  if (needed.length === 0) return [];
  const parts: ViewPart[] = [{ kind: 'heading', text: `Needs you (${needed.length})` }];
  for (const operation of needed.slice(0, neededShown)) {
    parts.push(
      { kind: 'text', text: rowOf(operation) },
      {
        kind: 'buttons',
        buttons: [
          { label: 'Review…', intent: { do: 'review', operation: operation.id }, style: 'primary', opens: true },
        ],
      },
    );
  }
  const more = needed.slice(neededShown, mostRead);
  if (more.length > 0)
    parts.push(
      { kind: 'text', text: `and ${more.length} more` },
      { kind: 'menu', label: 'Review one', options: more.map(reviewOption) },
    );
  return parts;
}

function rows(title: string, operations: readonly Operation[], rowOf: RowOf): ViewPart[] {
  if (operations.length === 0) return [];
  return [
    { kind: 'heading', text: title },
    ...operations.map((operation): ViewPart => ({ kind: 'text', text: rowOf(operation) })),
    { kind: 'menu', label: 'Show one in full', options: operations.map(reviewOption) },
  ];
}

function reviewOption({ id, plan }: Operation): Button {
  return { label: plan.title, intent: { do: 'review', operation: id }, opens: true };
}

/** `needs 1 approval from @ops`: mentions on Home notify no one. */
function rowText(operation: Operation, links: CardLinks, pinMark: string, admins: readonly string[]): Text {
  const { id, plan, state, rule, requester, channel, createdAt, endedAt, startsAt } = operation;
  const needsOthers = state === 'waiting' && typeof rule === 'object';
  return text(
    titleSpan(plan.title, links.get(id)),
    pinMark === '' ? '' : ` · ${pinMark}`,
    ` · ${sayState({ state, rule })}`,
    needsOthers ? text(' from ', approversOf(operation, admins)) : '',
    ' · asked by ',
    { user: requester },
    ' in ',
    { channel },
    ' · ',
    ...(endedAt === null && startsAt !== null ? ['begins '] : []),
    { date: endedAt ?? startsAt ?? createdAt, style: 'full' },
  );
}
