import { mayReadRequest } from '../../core/account.ts';
import { defined } from '../../core/defined.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import { canonicalJson } from '../../core/json.ts';
import { type Button, says, type View } from '../../core/view.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { titleSpan } from '../operation/card-links.ts';
import { type Operation, readOperationOrRest } from '../operation/record.ts';
import type { CommandRequest } from './command-request.ts';

/** Another request for the same, waiting for a decision already, where this person may know of it. `id` is the one being made. */
export async function waitingTwin(
  { store }: Pick<EngineContext, 'store'>,
  { id, command, canonical }: { readonly id: string; readonly command: string; readonly canonical: RawArgs },
  { may, actor }: Access,
): Promise<Operation | undefined> {
  const rows = await store.operations.waiting(command);
  const wanted = canonicalJson(JSON.parse(JSON.stringify(canonical)));
  return (
    rows
      // A form that was sent twice makes one request: it is no twin of itself.
      .filter((row) => row.id !== id && canonicalJson(row.args) === wanted)
      .map(readOperationOrRest)
      .find(({ plan, requester }) => requester === actor.id || mayReadRequest(plan, may))
  );
}

/** Two cards for one thing are decided twice: so the one that waits is offered first. */
export function twinView(
  { command, raw, reason, replaces }: CommandRequest,
  twin: Operation,
  channel: string,
  link?: string,
): View {
  const line = `${lineOf(command, raw)}${reason === undefined ? '' : ` because ${reason}`}`;
  const buttons: Button[] = [
    { label: 'Open it', intent: { do: 'review', operation: twin.id }, style: 'primary', opens: true },
    { label: 'Ask anyway', intent: { do: 'run', line, in: channel, anyway: true, ...defined({ replaces }) } },
  ];
  return says(
    [
      'This is waiting already: ',
      titleSpan(twin.plan.title, link),
      ', asked by ',
      { user: twin.requester },
      ' in ',
      { channel: twin.channel },
      ' at ',
      { date: twin.createdAt, style: 'full' },
      '. Nothing new was requested.',
    ],
    buttons,
  );
}
