import { realNow } from './virtual-world.ts';
import { judge } from '../../sandbox/judge/judge.ts';
import { play, twoApprovers, type World } from './world.ts';

const world: World = {
  name: 'two approvers',
  replicas: 2,
  policy: twoApprovers,
  threads: [
    [{ do: 'say', who: 'operator', line: 'restart web-1', times: 2 }],
    [{ do: 'press', who: 'lead', label: 'Approve', times: 2 }],
    [{ do: 'press', who: 'reader', label: 'Approve' }],
  ],
};
for (let n = 0; n < 3; n++) {
  const before = realNow();
  const seen = await play(world, () => undefined, 1);
  console.log(seen.steps.length, 'steps', realNow() - before, 'ms', seen.isComplete, seen.complaints.slice(0, 3), judge(seen.history), seen.history.audit.map(({ kind }) => kind).join(' '), seen.history.writes.length, seen.history.posts.length);
  if (n === 0) console.log(seen.steps.slice(0, 60).map(({ actor, label }) => `${actor} ${label}`).join('\n'));
}
const { explore } = await import('./explore.ts');
const t = realNow();
const found = await explore(world, { untilMs: realNow() + 60_000 });
console.log({ ...found, failure: found.failure && { v: found.failure.violations, d: found.failure.deviations } }, realNow() - t);
process.exit(0);
