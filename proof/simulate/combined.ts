import type { Act } from './acts.ts';
import type { World } from './world.ts';
import { approve, policies, renamed, restartRoute } from './worlds.ts';

/**
 * Worlds of two processes and one approver or two, with each choice of what else may happen: an approval that arrives twice,
 * an answer that is lost, one of the processes killed, a change by hand. Each world is there three times: with messages that
 * go out as soon as they are stored, with messages that wait until a process looks for them, so that their delivery is in no
 * race with the work, and in coarse steps.
 */

const kills = [undefined, 'a kill of the first', 'a kill of the second'] as const;

const paces = [undefined, 'late messages', 'coarse steps'] as const;
const request: Act = { do: 'say', who: 'operator', line: 'restart web-1' };

interface Choice {
  readonly areTwo: boolean;
  readonly hasClicks: boolean;
  readonly isLost: boolean;
  readonly kill: (typeof kills)[number];
  readonly isChanged: boolean;
  readonly pace: (typeof paces)[number];
}

const either = [false, true];

export const combinedWorlds: readonly World[] = paces.flatMap((pace) =>
  either.flatMap((areTwo) =>
    either.flatMap((hasClicks) =>
      either.flatMap((isLost) =>
        kills.flatMap((kill) =>
          either.map((isChanged) => combine({ areTwo, hasClicks, isLost, kill, isChanged, pace })),
        ),
      ),
    ),
  ),
);

function combine({ areTwo, hasClicks, isLost, kill, isChanged, pace }: Choice): World {
  const acts = [
    hasClicks ? 'two clicks' : undefined,
    isLost ? 'a lost answer' : undefined,
    kill,
    isChanged ? 'a change by hand' : undefined,
    pace,
  ];
  const areStepsCoarse = pace === 'coarse steps';
  return {
    name: [areTwo ? 'both approve' : 'one approves', ...acts].filter((act) => act !== undefined).join(', '),
    replicas: 2,
    areMessagesLate: pace !== undefined,
    areStepsCoarse,
    areActsQuick: true,
    policy: areTwo ? policies.two : policies.one,
    ...(isLost && { faults: [{ kind: 'lose', match: restartRoute, times: 1 }] }),
    ...(areStepsCoarse && { before: [[request]] }),
    threads: [
      ...(areStepsCoarse ? [] : [[request]]),
      [approve('lead', hasClicks ? 2 : 1)],
      ...(areTwo ? [[approve('reader')]] : []),
      ...(kill === undefined ? [] : [[{ do: 'kill', which: kills.indexOf(kill) - 1 } as const]]),
      ...(isChanged ? [[renamed]] : []),
    ],
  };
}
