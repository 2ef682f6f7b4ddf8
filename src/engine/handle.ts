import { Refusal } from '../core/errors.ts';
import { actOnAlert } from './alerts/act.ts';
import { askLine } from './ask.ts';
import { type Ballot, cast } from './ballot.ts';
import { needsName } from './card.ts';
import type { Kit } from './kit.ts';
import { readOperation } from './records.ts';
import type { Place, Request } from './request.ts';
import { notice, refusalView } from './say.ts';

/** `isAgain`: a crash cut off the work on it. */
type Handle = (kit: Kit, request: Request, place: Place, isAgain: boolean) => Promise<void>;

/** What is done with each kind of asking that needs no modal. */
export const handlers: Readonly<Record<Exclude<Request['ask']['kind'], 'submit'>, Handle>> = {
  line: async (kit, request, place) => {
    if (request.ask.kind !== 'line') return;
    const answer = await askLine(kit, request, place, request.ask.line);
    kit.deps.meter.request(request.ask.kind, answer);
  },
  intent: async (kit, request, place, isAgain) => {
    if (request.ask.kind !== 'intent') return;
    const { intent } = request.ask;
    if (intent.do === 'run') {
      kit.deps.meter.request('button', await askLine(kit, request, place, intent.line));
    } else if (intent.do === 'vote') {
      await click(kit, request, place, {
        operation: intent.operation,
        user: request.actor,
        vote: intent.vote,
        isAgain,
      });
    } else if (intent.do === 'alert') {
      await actOnAlert(kit, request, place, intent);
      kit.deps.meter.request('alert', intent.act);
    } else {
      await needsModal(kit, request, place);
    }
  },
  about: needsModal,
  ask: needsModal,
};

async function click(kit: Kit, request: Request, place: Place, ballot: Ballot): Promise<void> {
  const { operation, vote } = ballot;
  const row = await kit.deps.store.operations.find(operation);
  if (vote === 'approve' && row !== undefined && row.state === 'waiting' && needsName(readOperation(row).rule)) {
    const button = {
      label: 'Approve',
      intent: { do: 'vote', operation, vote },
      style: 'primary',
      opens: true,
    } as const;
    await kit.deps.desk.whisper(
      place,
      request.actor,
      notice('info', 'This approval asks for the name of what is destroyed.', [button]),
    );
    return;
  }
  try {
    await cast(kit, ballot);
    kit.deps.meter.request('vote', vote);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await kit.deps.desk.whisper(place, request.actor, refusalView(error));
    kit.deps.meter.request('vote', 'refused');
  }
}

async function needsModal(kit: Kit, request: Request, place: Place): Promise<void> {
  await kit.deps.desk.whisper(
    place,
    request.actor,
    notice('info', 'This opens a window, which Slack did not let me do this time. Click the button again.'),
  );
}
