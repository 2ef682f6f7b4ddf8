import { describe, expect, test } from 'vitest';
import type { History } from '../../../sandbox/judge/history.ts';
import { judge, rules } from '../../../sandbox/judge/judge.ts';
import { edited, good, line, post, seal, withLine, withLines, without, withPosts, withWrite } from './forge.ts';

const [write] = good.writes;
if (write === undefined) throw new Error('the good history has a write');

const minuteMs = 60_000;

type Act = History['acts'][number];
const act = (more: Pick<Act, 'at' | 'user' | 'kind'> & Partial<Act>): Act => ({
  ...{ channel: 'C1', operation: 'op1', text: '' },
  ...more,
});

/** Requested and approved long before it was sent. */
const late: History['audit'] = withLines((lines) =>
  lines.map((one) => (['asked', 'vote'].includes(one.kind) ? { ...one, at: one.at - 20 * minuteMs } : one)),
).audit;
const absences = [{ from: 3_120 - 16 * minuteMs, to: 3_120 }];

const replyAgain = post({ at: 9_070, message: '3', thread: '1', text: '@ann web-1 restarted.' });
const stopped = line(3_150, 'stop', 'dee', { text: 'stopped: Restart web-1' });
const stopping = (at: number) =>
  post({ at, text: 'Restart web-1: running\n@dee stops it: no further step begins.', isEdit: true });
const stoppedAt = (at: number): History => ({
  ...withPosts(stopping(at)),
  audit: withLine(stopped).audit,
  graceMs: 500,
});
/** The write is sent at 3,200. */
const pressesStop = (at: number, kind = 'stop'): History => ({
  ...good,
  acts: [...good.acts, act({ at, user: 'dee', kind })],
});
const refusedPress: History['posts'][number] = {
  ...{ at: 3_160, channel: 'C1', thread: null, message: 'private', requests: [], isEdit: false, onlyFor: 'dee' },
  text: 'You may not stop this.',
};
const confirmed = line(1_000, 'asked', 'ann', { command: 'restart', rule: 'confirm' });
const called = line(3_200, 'call', 'ann', { step: 0, target: 'order:34-1' });

/** The audit of a restart that the requester confirmed, and that ended `tookMs` after the click. */
const quickAudit = (tookMs: number, more: Parameters<typeof seal>[0] = []): History['audit'] =>
  seal([
    confirmed,
    line(3_000, 'vote', 'ann', { solo: false }),
    line(3_100, 'started', 'ann'),
    called,
    ...more,
    line(3_000 + tookMs, 'ended', 'ann', { end: 'done', text: 'web-1 restarted.' }),
  ]);

/** The audit of a request whose card could not be stored. */
const failedAudit = seal([confirmed, line(1_100, 'failed', 'ann', { text: 'web-1 restarted.' })]);

const requested = {
  command: 'restart',
  text: 'Restart web-1: It shuts down and starts again.',
  rule: { approve: 2, by: ['group:G1'] },
};

/** A standing approval of two runs until `until`, with a run at each of these times. */
const again = (hours: readonly number[], until = 30_000): History => {
  const of = (id: string, lines: Parameters<typeof seal>[0]) => lines.map((one) => ({ ...one, operationId: id }));
  const runs = hours.flatMap((at, n) =>
    of(`run${n}`, [
      line(at, 'asked', 'ann', {
        ...requested,
        startsAt: at,
        when: { kind: 'run', of: 'op1', n: n + 1, mostRuns: 2, by: ['bea', 'cem'] },
      }),
      { ...called, at: at + 100 },
      line(at + 500, 'ended', 'ann', { end: 'done', text: `web-1 restarted (${n}).` }),
    ]),
  );
  const standing = of('op1', [
    line(1_000, 'asked', 'ann', { ...requested, when: { kind: 'weekly', mostRuns: 2, until } }),
    line(2_000, 'vote', 'bea', { solo: false }),
    line(3_000, 'vote', 'cem', { solo: false }),
    line(40_000, 'expired', 'ann', { text: 'The standing approval is over.' }),
  ]);
  const audit = seal([...standing, ...runs].toSorted((a, b) => a.at - b.at));
  const ends = audit.filter(({ kind }) => kind === 'ended' || kind === 'expired');
  return {
    ...good,
    audit,
    writes: hours.map((at) => ({ ...write, at: at + 110 })),
    posts: ends.flatMap(({ at, operationId, data: { text } }) => [
      post({ at: at - 1, text: 'waiting', message: `${operationId}`, requests: [`${operationId}`] }),
      post({ at: at + 1, text: `${text}`, message: `${operationId}`, requests: [`${operationId}`], isEdit: true }),
      post({ at: at + 2, text: `${text}`, message: `${operationId}-end`, thread: `${operationId}` }),
    ]),
  };
};

const quick: History = {
  ...good,
  audit: quickAudit(6_000),
  acts: [act({ at: 2_900, user: 'ann', kind: 'confirm' })],
  posts: good.posts.map((one) => (one.thread === null ? one : { ...one, text: 'web-1 restarted.' })),
};

const withdrawn = (by: string): History => ({
  ...quick,
  audit: seal([confirmed, line(3_000, 'withdrawn', by, { text: 'web-1 restarted.' })]),
});
const slow: History = { ...quick, audit: quickAudit(minuteMs) };
const lostAudit = quickAudit(6_000, [line(3_300, 'lost', 'ann')]);
const botFailed: History = {
  ...withLines((lines) =>
    lines.map((one) => {
      if (one.kind === 'call') return { ...one, data: { step: 0, target: 'channel:C1' } };
      return one.kind === 'ended' ? { ...one, data: { ...one.data, end: 'failed' } } : one;
    }),
  ),
  writes: [],
};

const withoutReply = (history: History): History => ({
  ...history,
  posts: history.posts.filter(({ thread }) => thread === null),
});
const withoutEdit = (history: History): History => ({
  ...history,
  posts: history.posts.filter(({ isEdit }) => !isEdit),
});

const withoutCem = (lines: Parameters<typeof seal>[0]) => lines.filter(({ actor }) => actor !== 'cem');

/** One of two approved, and somebody broke the glass at this time. */
const glassAt = (at: number): History =>
  withLines((lines) => [...withoutCem(lines), line(at, 'glass_broken', 'cem')].toSorted((a, b) => a.at - b.at));

/** A line of someone else that names no request. */
const aside = (kind: string, actor: string, text: string) => ({
  ...line(9_900, kind, actor, { text }),
  operationId: null,
});
const ended = (end: string) => edited('ended', { data: { end } });
const ofBot = edited('call', { data: { target: 'channel:C1' } });
const asked = (data: object) => edited('asked', { data });
const leavesAt = (at: number, user: string): History => ({ ...good, people: [{ at, user, isActive: false }] });
const changedAt = (...times: readonly number[]): History => ({
  ...good,
  changes: times.map((at) => ({ at, target: 'order:34-1' })),
});
const group = (at: number, ...members: readonly string[]) => ({ at, group: 'G1', members });
const annAndBea = group(0, 'ann', 'bea');
const inGroups = (...groups: History['groups']): History => ({ ...good, groups });
const everyPost = (more: Partial<History['posts'][number]>): History => ({
  ...good,
  posts: good.posts.map((one) => ({ ...one, ...more })),
});
const says = (text: string, onlyFor: string | null = 'dee') =>
  withPosts(post({ at: 9_100, message: '3', text, onlyFor }));
const cemVoid = withLine(line(3_050, 'vote_void', 'cem'));
const locked = (actor: string) => aside('refused', actor, 'Not now: "Restart web-1" is running on it.');
const interrupted = withLine(line(3_300, 'lost', 'ann', { text: 'the answer was lost (the bot was interrupted).' }));
const answeredTwice = withPosts(
  ...[1, 2].map((n) => post({ at: 9_100, message: `private ${n}`, text: 'web-1 is on.', onlyFor: 'ann' })),
);
const pinned: History = {
  ...withWrite({ path: '/vps/34-1/hard_reset/' }),
  audit: asked({ command: 'hard-reset' }).audit,
  pins: [{ at: 1_500, target: 'order:34-1' }],
};
const longAfter: History = {
  ...withWrite({ at: 606_100 }),
  audit: seal([
    line(1_000, 'asked', 'ann', { command: 'restart', rule: 'confirm', startsAt: 5_000 }),
    line(2_000, 'vote', 'ann', { solo: false }),
    { ...called, at: 606_000 },
    line(609_000, 'ended', 'ann', { end: 'done', text: 'web-1 restarted.' }),
  ]),
};
const oneRun = again([5_000]);
const tooFew = {
  ...oneRun,
  audit: seal(oneRun.audit.filter(({ kind, actor }) => kind !== 'vote' || actor !== 'bea')),
};
const sentItself = {
  ...oneRun,
  audit: seal(oneRun.audit.map((one) => (one.kind === 'call' ? { ...one, operationId: 'op1' } : one))),
};

/** By the rule that must notice: each history is the good one with one lie in it, and the words of the rule. */
const forged: Readonly<Record<string, readonly (readonly [what: string, says: string, history: History])[]>> = {
  announced: [
    ['a write that was sent twice', 'belongs to no step', { ...good, writes: [write, { ...write, at: 3_900 }] }],
    ['a write before its line', 'belongs to no step', withWrite({ at: 3_199 })],
    ['a write to another server', 'belongs to no step', withWrite({ path: '/vps/34-2/restart/' })],
    ['another write to the server', 'belongs to no step', withWrite({ path: '/vps/34-1/stop/' })],
    ['a write without a line', 'belongs to no step', without('call')],
    ['a step announced twice', 'announced step 0 twice', withLine({ ...called, at: 3_300 })],
  ],
  approved: [
    ['one vote too few', '1 of 2', withLines(withoutCem)],
    ['two votes by one person', '1 of 2', edited('cem', { actor: 'bea' })],
    ['a vote after the write', '1 of 2', edited('cem', { at: 3_300 })],
    ['a vote of the person who asked', '1 of 2', { ...edited('cem', { actor: 'ann' }), groups: [annAndBea] }],
    ['glass that was broken after the write', '1 of 2', glassAt(3_300)],
    ['votes for an earlier hour', '0 of 2', withLine(line(3_050, 'moved', 'ann', { from: 1, to: 3_050 }))],
    ['a vote of somebody outside the group', '1 of 2', inGroups(group(0, 'bea'))],
    ['an approver who left the group before the write', '1 of 2', inGroups(...good.groups, group(3_050, 'bea'))],
    ['an approver who was deactivated before the write', '1 of 2', leavesAt(3_050, 'cem')],
    ['an approver who joined only later', '1 of 2', inGroups(group(0, 'bea'), group(3_150, 'bea', 'cem'))],
    ['a vote that was void', '1 of 2', cemVoid],
    ['a vote without a click', 'cem never pressed', { ...good, acts: good.acts.filter(({ user }) => user !== 'cem') }],
    [
      'a click after its vote',
      'cem never pressed',
      { ...good, acts: good.acts.map((one) => (one.user === 'cem' ? { ...one, at: 3_001 } : one)) },
    ],
    ['a vote when the time was over', 'when the time was over', edited('asked', { at: 1_000 - 24 * 60 * minuteMs })],
    ['a confirmation by somebody else', 'the person who asked never confirmed', asked({ rule: 'confirm' })],
    ['a rule that nobody can read', '0 of Infinity', asked({ rule: 7 })],
    ['a run of a standing approval that too few approved', '1 of 2 who may approve did', tooFew],
  ],
  'in-time': [
    ['a write before its hour', 'before 3500', asked({ startsAt: 3_500 })],
    ['a write during its countdown', 'before 9000', withLine(line(3_150, 'cooling', 'ann', { readyAt: 9_000 }))],
    ['a write long after its hour', 'by itself 601 s after its hour', longAfter],
  ],
  pinned: [['a pinned server without the vote that the pin adds', '2 of 3', pinned]],
  'after-no': [
    ['a write after it was declined', 'after it was declined', withLine(line(3_150, 'declined', 'dee'))],
    ['a write after it was withdrawn', 'after it was withdrawn', withLine(line(3_150, 'withdrawn', 'ann'))],
    ['a write after it expired', 'after it was expired', withLine(line(3_150, 'expired', 'ann'))],
    ['a write after a stop', 'after it was stopped', withLine(line(3_150, 'stop', 'dee'))],
    ['a write after a press of Stop without an answer', 'after dee pressed Stop', pressesStop(3_150)],
    ['a write that arrived after the end', 'after it was done', withWrite({ at: 9_500 })],
    ['a write after the card said that it stops', 'after people read that no further step begins', stoppedAt(3_190)],
    ['a write under a freeze', 'under a freeze', { ...good, freezes: [{ from: 3_000, to: null }] }],
    ['a write for somebody who had left', 'for ann, who had left', leavesAt(2_000, 'ann')],
  ],
  answered: [['a line that was answered twice', 'ann did 1 things and read 2 times: web-1 is on.', answeredTwice]],
  followed: [['an end long after the last write', 'ended 5750 ms after', { ...good, mostFollowMs: 5_000 }]],
  void: [['a void vote of somebody who may vote', 'makes the vote of cem on op1 void', cemVoid]],
  meant: [
    ['a write to a server that was changed since', 'order:34-1 was changed at 2500', changedAt(2_500)],
    ['a write after a long absence', 'by itself after the absence', { ...good, absences, acts: [], audit: late }],
  ],
  interrupted: [['an interruption that was none', 'and no process was', interrupted]],
  'one-end': [
    ['no end', 'has no end', without('ended')],
    ['two ends', 'has 2 ends', withLine(line(9_500, 'ended', 'ann', { end: 'failed', text: 'It failed.' }))],
    [
      'asked for twice',
      'asked for 2 times',
      withLine(line(1_001, 'asked', 'ann', { command: 'restart', rule: 'none' })),
    ],
  ],
  'true-end': [
    ['"done" without a write', 'did not do all of it', { ...good, writes: [] }],
    ['"done" without a step', 'nothing was sent', { ...without('call'), writes: [] }],
    ['"done" where the provider refused', 'did not do all of it', withWrite({ isApplied: false, job: null })],
    ['"done" where the job failed', 'did not do all of it', withWrite({ job: 'error' })],
    ['"done" where the job runs', 'did not do all of it', withWrite({ job: 'open' })],
    ['"failed" where all went well', 'did all of it', ended('failed')],
    ['"refused" after a write', 'a write was sent', edited('ended', { kind: 'refused' })],
    ['an end without a name', 'which is no end', ended('gone')],
    ['a standing approval that was sent itself', 'is a standing approval, and it was sent', sentItself],
  ],
  told: [
    ['an end that was not posted', 'was not posted', withoutReply(good)],
    ['an end that was posted elsewhere', 'was not posted', everyPost({ channel: 'C2' })],
    ['other words than in the audit', 'was not posted', everyPost({ text: 'web-1 failed.' })],
    ['an end that was posted twice', 'was posted again', withPosts(replyAgain)],
    ['an end that its card does not show', 'is not on its card', withoutEdit(good)],
    ['a quick end that its card does not show', 'is not on its card', withoutEdit(quick)],
    ['a quick end that only the card shows', 'was not posted', withoutReply(quick)],
    ['a quick end that pings the person who clicked last', 'pinged ann, who saw it', { ...quick, posts: good.posts }],
    ['a request that an admin withdrew, only on its card', 'was not posted', withoutReply(withdrawn('ada'))],
    ['an error that only its card shows', 'was not posted', withoutReply({ ...quick, audit: failedAudit })],
    ['an end after a minute that only the card shows', 'was not posted', withoutReply(slow)],
  ],
  names: [
    ['a name for all in a channel', 'ann saw vault-9', says('vault-9 is on.', null)],
    ['a name in a private answer', 'dee saw vault-9', says('Did you mean vault-9?')],
  ],
  locks: [
    ['a lock of a request that has ended', 'because of "Restart web-1", which had ended', withLine(locked('dee'))],
  ],
  standing: [
    ['a run more than the standing approval allows', '3 runs of op1, which allows 2', again([5_000, 6_000, 7_000])],
    ['a run after the last day', 'run1 began after the end of op1', again([5_000, 31_000])],
    ['a run after the end of its standing approval', 'run1 began after the end', again([5_000, 45_000], 90_000)],
    ['two runs at once', 'run1 began while another run of op1', again([5_000, 5_300])],
  ],
  chain: [
    [
      'a line that was changed',
      'line 2 was changed',
      { ...good, audit: good.audit.map((one) => (one.seq === 2 ? { ...one, actor: 'dee' } : one)) },
    ],
    ['a line that was removed', 'has the number', { ...good, audit: good.audit.filter(({ seq }) => seq !== 2) }],
  ],
};

const lies = Object.entries(forged).flatMap(([rule, rows]) =>
  rows.map(([what, says, history]) => ({ rule, what, says, history })),
);

/** Unusual histories that keep every promise. */
const allowed: readonly (readonly [what: string, history: History])[] = [
  ['a history that keeps every promise', good],
  ['a step that changes the bot itself', { ...ofBot, writes: [] }],
  ['an unknown end', { ...withWrite({ isApplied: false, job: null }), audit: ended('unknown').audit }],
  ['a write that was announced before the card said that it stops', stoppedAt(3_240)],
  ['a press of Stop that was refused', { ...pressesStop(3_150), posts: [...good.posts, refusedPress] }],
  [
    'a freeze between the check and the write, before an act that moved the simulated clock',
    { ...pressesStop(3_190, 'approve'), freezes: [{ from: 3_000, to: null }], actMs: 250 },
  ],
  ['an end that stands twice after a kill', { ...withPosts(replyAgain), kills: 1 }],
  ['a quick end whose reply pings nobody', quick],
  ['an end after a minute whose reply pings the requester', { ...slow, posts: good.posts }],
  ['a quick end after a lost response that pings the requester', { ...quick, audit: lostAudit, posts: good.posts }],
  ['a step that changes the bot itself and failed', botFailed],
  ['two runs under a standing approval', again([5_000, 6_000])],
  [
    'an error before the card, which only the requester reads',
    { ...quick, audit: failedAudit, writes: [], acts: [], posts: [] },
  ],
  ['a request that its requester withdrew, only on its card', withoutReply({ ...withdrawn('ann'), writes: [] })],
  ['a refusal for another reason', withLine(aside('refused', 'dee', 'dns undo op1: www changed since.'))],
  [
    'a lock of another request with the same title, which still runs',
    {
      ...withLines((lines) => [
        ...lines,
        { ...line(9_500, 'asked', 'dee', { ...requested, rule: 'none' }), operationId: 'op2' },
        locked('bea'),
      ]),
      isOver: false,
    },
  ],
  [
    'a name that the reader typed',
    {
      ...says('There is no vault-9.'),
      acts: [...good.acts, act({ at: 9_000, user: 'dee', kind: 'line', operation: null, text: 'status vault-9' })],
    },
  ],
  ['an approver who left after the write', inGroups(...good.groups, group(4_000))],
  [
    'an admin in place of the group',
    { ...edited('cem', { actor: 'ada' }), acts: [...good.acts, act({ at: 2_900, user: 'ada', kind: 'approve' })] },
  ],
  [
    'solo',
    {
      ...withLines((lines) => [
        line(1_000, 'asked', 'ann', { command: 'restart', rule: { approve: 1, by: [] } }),
        line(2_000, 'vote', 'ann', { solo: true }),
        ...lines.slice(3),
      ]),
      acts: [act({ at: 1_900, user: 'ann', kind: 'approve' })],
      posts: quick.posts,
    },
  ],
  ['nothing at all', { ...good, audit: seal([]), writes: [] }],
  [
    'a write after a long absence, and somebody said that it may continue',
    {
      ...good,
      absences,
      acts: [
        ...good.acts.map((act) => ({ ...act, at: act.at - 20 * minuteMs })),
        act({ at: 3_150, user: 'bea', kind: 'continue' }),
      ],
      groups: good.groups.map((group) => ({ ...group, at: -30 * minuteMs })),
      audit: late,
    },
  ],
  ['a change by hand before the request or after the write', changedAt(900, 3_300)],
  ['a change of another server', { ...good, changes: [{ at: 2_000, target: 'order:34-2' }] }],
  ['an interruption by a kill', { ...interrupted, kills: 1 }],
  ['a write without approvals after somebody broke the glass', glassAt(3_050)],
  ['a request under way', { ...without('ended'), isOver: false }],
];

describe('the judge', () => {
  test.each(lies)('the judge finds the violation: $what', ({ rule, says, history }) => {
    const found = judge(history).filter((violation) => violation.rule === rule);
    expect(found.map(({ what }) => what).join('\n')).toContain(says);
  });

  test('each rule of the judge finds a forged history', () => {
    expect(new Set(Object.keys(forged))).toEqual(new Set(rules.map(({ name }) => name)));
  });

  test.each(allowed)('the judge allows %s', (_, history) => expect(judge(history)).toEqual([]));
});
