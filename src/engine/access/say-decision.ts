import { type Glass, isGlassBroken } from '../../core/plan/glass.ts';
import type { OperationState } from '../../core/plan/operation.ts';
import type { Timing } from '../../core/plan/timing.ts';
import { signs } from '../../core/view/signs.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { countingVotes } from './count-votes.ts';
import { personName } from './say-names.ts';

interface Decided {
  readonly endedBy: string | null;
  readonly glass: Glass | null;
  readonly requester: string;
  readonly startsAt: number | null;
  readonly state: OperationState;
  readonly stopBy: string | null;
  readonly timing: Timing | null;
}

/**
 * Names the people who decided a request, with the words for another way than votes: `@lead`, `🔨 broke glass, closed by
 * @lead`, `standing approval of @lena`, `@operator, called off by @lead`. Empty if nobody decided it. `approved` stands
 * before the voters.
 */
export async function sayDecision(
  context: Pick<EngineContext, 'directory'>,
  { endedBy, glass, requester, startsAt, state, stopBy, timing }: Decided,
  votes: readonly VoteRow[],
  approved = '',
): Promise<string> {
  const by = async (words: string, users: readonly (string | null | undefined)[]): Promise<string> => {
    const named = users.flatMap((user) => user ?? []);
    const names = await Promise.all(named.map((user) => personName(context, user)));
    return names.length === 0 ? '' : words + names.join(', ');
  };
  const declined = state === 'declined' ? [endedBy] : [];
  const voters = new Set([...countingVotes(votes).map(({ userId }) => userId), ...declined]);
  const isBroken = glass !== null && isGlassBroken({ glass });
  const isCalledOff = state === 'withdrawn' && (startsAt !== null || endedBy !== requester);
  const parts = await Promise.all([
    ...(isBroken
      ? [
          glass.by === requester ? `${signs.broken} broke glass` : by(`${signs.broken} glass broken by `, [glass.by]),
          glass.closed === undefined ? 'not closed yet' : by('closed by ', [glass.closed.by]),
        ]
      : [by('standing approval of ', timing?.run?.by ?? []), by(approved, [...voters])]),
    by(startsAt === null ? 'withdrawn by ' : 'called off by ', isCalledOff ? [endedBy] : []),
    by('stopped by ', [stopBy]),
  ]);
  return parts.filter((part) => part !== '').join(', ');
}
