import { describe, expect, test } from 'vitest';
import type { History } from '../../../sandbox/judge/history.ts';
import { judge, rules } from '../../../sandbox/judge/judge.ts';
import { good, line, post, seal, withLine, withLines, without } from './forge.ts';

const [write] = good.writes;
if (write === undefined) throw new Error('the good history has a write');

/** Requested and approved long before it was sent. */
function late(): History['audit'] {
  const before = ['asked', 'vote'];
  return withLines((lines) =>
    lines.map((one) => (before.includes(one.kind) ? { ...one, at: one.at - 20 * 60_000 } : one)),
  ).audit;
}

const replyAgain = post({ at: 9_070, message: '3', thread: '1', text: '@ann web-1 restarted.' });

/** The audit of a restart that the requester confirmed, and that ended `tookMs` after the click. */
function quickAudit(tookMs: number, end = 'done', more: Parameters<typeof seal>[0] = []): History['audit'] {
  return seal([
    line(1_000, 'asked', 'ann', { command: 'restart', rule: 'confirm' }),
    line(3_000, 'vote', 'ann', { solo: false }),
    line(3_100, 'started', 'ann'),
    line(3_200, 'call', 'ann', { step: 0, target: 'order:34-1' }),
    ...more,
    line(3_000 + tookMs, 'ended', 'ann', { end, text: 'web-1 restarted.' }),
  ]);
}

/** The audit of a request whose card could not be stored. */
const failedAudit = seal([
  line(1_000, 'asked', 'ann', { command: 'restart', rule: 'confirm' }),
  line(1_100, 'failed', 'ann', { text: 'web-1 restarted.' }),
]);

/** A standing approval of two runs until `until`, with a run at each of these times that takes `tookMs`. */
const again = (hours: readonly number[], { tookMs = 500, until = 30_000 } = {}): History => {
  const of = (id: string, lines: Parameters<typeof seal>[0]) => lines.map((one) => ({ ...one, operationId: id }));
  const runs = hours.flatMap((at, n) =>
    of(`run${n}`, [
      line(at, 'asked', 'ann', {
        command: 'restart',
        text: 'Restart web-1: It shuts down and starts again.',
        rule: { approve: 2, by: ['group:G1'] },
        startsAt: at,
        run: { of: 'op1', n: n + 1, mostRuns: 2, by: ['bea', 'cem'] },
      }),
      line(at + 100, 'call', 'ann', { step: 0, target: 'order:34-1' }),
      line(at + tookMs, 'ended', 'ann', { end: 'done', text: `web-1 restarted (${n}).` }),
    ]),
  );
  const standing = of('op1', [
    line(1_000, 'asked', 'ann', {
      command: 'restart',
      text: 'Restart web-1: It shuts down and starts again.',
      rule: { approve: 2, by: ['group:G1'] },
      every: { mostRuns: 2, until },
    }),
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

function withdrawn(by: string): History['audit'] {
  return seal([
    line(1_000, 'asked', 'ann', { command: 'restart', rule: 'confirm' }),
    line(3_000, 'withdrawn', by, { text: 'web-1 restarted.' }),
  ]);
}

const quick: History = {
  ...good,
  audit: quickAudit(6_000),
  acts: [{ at: 2_900, user: 'ann', channel: 'C1', kind: 'confirm', operation: 'op1', text: '' }],
  posts: good.posts.map((one) => (one.thread === null ? one : { ...one, text: 'web-1 restarted.' })),
};

const withoutReply = (history: History): History => ({
  ...history,
  posts: history.posts.filter(({ thread }) => thread === null),
});

/** One of two approved, and somebody broke the glass at this time. */
const glassAt = (at: number): History =>
  withLines((lines) =>
    [
      ...lines.filter(({ actor, kind }) => kind !== 'vote' || actor !== 'cem'),
      line(at, 'glass_broken', 'cem'),
    ].toSorted((a, b) => a.at - b.at),
  );

/** Each history is the good one with one lie in it; the rule that must notice, and its words. */
const forged: readonly (readonly [what: string, rule: string, says: string, history: History])[] = [
  [
    'a write that was sent twice',
    'announced',
    'belongs to no step',
    { ...good, writes: [write, { ...write, at: 3_900 }] },
  ],
  ['a write before its line', 'announced', 'belongs to no step', { ...good, writes: [{ ...write, at: 3_199 }] }],
  [
    'a write to another server',
    'announced',
    'belongs to no step',
    { ...good, writes: [{ ...write, path: '/vps/34-2/restart/' }] },
  ],
  [
    'another write to the server',
    'announced',
    'belongs to no step',
    { ...good, writes: [{ ...write, path: '/vps/34-1/stop/' }] },
  ],
  ['a write without a line', 'announced', 'belongs to no step', without('call')],
  [
    'a step announced twice',
    'announced',
    'announced step 0 twice',
    withLine(line(3_300, 'call', 'ann', { step: 0, target: 'order:34-1' })),
  ],
  [
    'one vote too few',
    'approved',
    '1 of 2',
    withLines((lines) => lines.filter(({ actor, kind }) => kind !== 'vote' || actor !== 'cem')),
  ],
  [
    'two votes by one person',
    'approved',
    '1 of 2',
    withLines((lines) => lines.map((one) => (one.actor === 'cem' ? { ...one, actor: 'bea' } : one))),
  ],
  [
    'a vote after the write',
    'approved',
    '1 of 2',
    withLines((lines) =>
      lines.map((one) => (one.actor === 'cem' ? { ...one, at: 3_300 } : one)).toSorted((a, b) => a.at - b.at),
    ),
  ],
  [
    'a vote of the person who asked',
    'approved',
    '1 of 2',
    {
      ...withLines((lines) => lines.map((one) => (one.actor === 'cem' ? { ...one, actor: 'ann' } : one))),
      groups: [{ at: 0, group: 'G1', members: ['ann', 'bea'] }],
    },
  ],
  ['glass that was broken after the write', 'approved', '1 of 2', glassAt(3_300)],
  ['votes for an earlier hour', 'approved', '0 of 2', withLine(line(3_050, 'moved', 'ann', { from: 1, to: 3_050 }))],
  [
    'a write before its hour',
    'in-time',
    'before 3500',
    withLines((lines) =>
      lines.map((one) => (one.kind === 'asked' ? { ...one, data: { ...one.data, startsAt: 3_500 } } : one)),
    ),
  ],
  [
    'a write before the end of its countdown',
    'in-time',
    'before 9000',
    withLine(line(3_150, 'cooling', 'ann', { readyAt: 9_000 })),
  ],
  [
    'a write long after its hour',
    'in-time',
    'by itself 601 s after its hour',
    {
      ...good,
      audit: seal([
        line(1_000, 'asked', 'ann', { command: 'restart', rule: 'confirm', startsAt: 5_000 }),
        line(2_000, 'vote', 'ann', { solo: false }),
        line(606_000, 'call', 'ann', { step: 0, target: 'order:34-1' }),
        line(609_000, 'ended', 'ann', { end: 'done', text: 'web-1 restarted.' }),
      ]),
      writes: [{ ...write, at: 606_100 }],
    },
  ],
  [
    'a pinned server without the vote that the pin adds',
    'pinned',
    '2 of 3',
    {
      ...withLines((lines) =>
        lines.map((one) => (one.kind === 'asked' ? { ...one, data: { ...one.data, command: 'hard-reset' } } : one)),
      ),
      writes: [{ ...write, path: '/vps/34-1/hard_reset/' }],
      pins: [{ at: 1_500, target: 'order:34-1' }],
    },
  ],
  [
    'a vote of somebody outside the group',
    'approved',
    '1 of 2',
    { ...good, groups: [{ at: 0, group: 'G1', members: ['bea'] }] },
  ],
  [
    'an approver who left the group before the write',
    'approved',
    '1 of 2',
    { ...good, groups: [...good.groups, { at: 3_050, group: 'G1', members: ['bea'] }] },
  ],
  [
    'an approver who was deactivated before the write',
    'approved',
    '1 of 2',
    { ...good, people: [{ at: 3_050, user: 'cem', isActive: false }] },
  ],
  [
    'an approver who joined the group only later',
    'approved',
    '1 of 2',
    {
      ...good,
      groups: [
        { at: 0, group: 'G1', members: ['bea'] },
        { at: 3_150, group: 'G1', members: ['bea', 'cem'] },
      ],
    },
  ],
  ['a vote that was void', 'approved', '1 of 2', withLine(line(3_050, 'vote_void', 'cem'))],
  [
    'a vote without a click',
    'approved',
    'cem never pressed',
    { ...good, acts: good.acts.filter(({ user }) => user !== 'cem') },
  ],
  [
    'a click after its vote',
    'approved',
    'cem never pressed',
    { ...good, acts: good.acts.map((act) => (act.user === 'cem' ? { ...act, at: 3_001 } : act)) },
  ],
  [
    'a vote when the time was over',
    'approved',
    'when the time was over',
    withLines((lines) => lines.map((one) => (one.kind === 'asked' ? { ...one, at: 1_000 - 24 * 3_600_000 } : one))),
  ],
  [
    'a confirmation by somebody else',
    'approved',
    'the person who asked never confirmed',
    withLines((lines) =>
      lines.map((one) => (one.kind === 'asked' ? { ...one, data: { ...one.data, rule: 'confirm' } } : one)),
    ),
  ],
  [
    'a rule that nobody can read',
    'approved',
    '0 of Infinity',
    withLines((lines) => lines.map((one) => (one.kind === 'asked' ? { ...one, data: { ...one.data, rule: 7 } } : one))),
  ],
  ['a write after it was declined', 'after-no', 'after it was declined', withLine(line(3_150, 'declined', 'dee'))],
  ['a write after it was withdrawn', 'after-no', 'after it was withdrawn', withLine(line(3_150, 'withdrawn', 'ann'))],
  ['a write after it expired', 'after-no', 'after it was expired', withLine(line(3_150, 'expired', 'ann'))],
  ['a write after a stop', 'after-no', 'after it was stopped', withLine(line(3_150, 'stop', 'dee'))],
  [
    'a write that arrived after the end',
    'after-no',
    'after it was done',
    { ...good, writes: [{ ...write, at: 9_500 }] },
  ],
  [
    'a write after the card said that it stops',
    'after-no',
    'after people read that no further step begins',
    {
      ...withLine(line(3_150, 'stop', 'dee', { text: 'stopped: Restart web-1' })),
      graceMs: 500,
      posts: [
        ...good.posts,
        post({
          at: 3_190,
          message: '1',
          text: 'Restart web-1: running\n@dee stops it: no further step begins.',
          isEdit: true,
        }),
      ],
    },
  ],
  [
    'a line that was answered twice',
    'answered',
    'ann did 1 things and read 2 times: web-1 is on.',
    {
      ...good,
      posts: [
        ...good.posts,
        ...[1, 2].map((n) => post({ at: 9_100, message: `private ${n}`, text: 'web-1 is on.', onlyFor: 'ann' })),
      ],
    },
  ],
  ['an end long after the last write', 'followed', 'ended 5750 ms after', { ...good, mostFollowMs: 5_000 }],
  ['a write under a freeze', 'after-no', 'under a freeze', { ...good, freezes: [{ from: 3_000, to: null }] }],
  [
    'a write for somebody who had left',
    'after-no',
    'for ann, who had left',
    { ...good, people: [{ at: 2_000, user: 'ann', isActive: false }] },
  ],
  [
    'a vote made void whose person may vote',
    'void',
    'makes the vote of cem on op1 void',
    withLine(line(3_050, 'vote_void', 'cem')),
  ],
  [
    'a write to a server that was changed since',
    'meant',
    'order:34-1 was changed at 2500',
    { ...good, changes: [{ at: 2_500, target: 'order:34-1' }] },
  ],
  [
    'a write after a long absence',
    'meant',
    'by itself after the absence',
    { ...good, absences: [{ from: 3_120 - 16 * 60_000, to: 3_120 }], acts: [], audit: late() },
  ],
  [
    'an interruption that was none',
    'interrupted',
    'and no process was',
    withLine(line(3_300, 'lost', 'ann', { text: 'Restart web-1: the answer was lost (the bot was interrupted).' })),
  ],
  ['no end', 'one-end', 'has no end', without('ended')],
  ['two ends', 'one-end', 'has 2 ends', withLine(line(9_500, 'ended', 'ann', { end: 'failed', text: 'It failed.' }))],
  [
    'asked for twice',
    'one-end',
    'asked for 2 times',
    withLine(line(1_001, 'asked', 'ann', { command: 'restart', rule: 'none' })),
  ],
  ['"done" without a write', 'true-end', 'did not do all of it', { ...good, writes: [] }],
  ['"done" without a step', 'true-end', 'nothing was sent', { ...without('call'), writes: [] }],
  [
    '"done" where the provider refused',
    'true-end',
    'did not do all of it',
    { ...good, writes: [{ ...write, isApplied: false, job: null }] },
  ],
  [
    '"done" where the job failed',
    'true-end',
    'did not do all of it',
    { ...good, writes: [{ ...write, job: 'error' }] },
  ],
  ['"done" where the job runs', 'true-end', 'did not do all of it', { ...good, writes: [{ ...write, job: 'open' }] }],
  [
    '"failed" where all went well',
    'true-end',
    'did all of it',
    withLines((lines) =>
      lines.map((one) => (one.kind === 'ended' ? { ...one, data: { end: 'failed', text: 'web-1 restarted.' } } : one)),
    ),
  ],
  [
    '"refused" after a write',
    'true-end',
    'a write was sent',
    withLines((lines) => lines.map((one) => (one.kind === 'ended' ? { ...one, kind: 'refused' } : one))),
  ],
  [
    'an end without a name',
    'true-end',
    'which is no end',
    withLines((lines) =>
      lines.map((one) => (one.kind === 'ended' ? { ...one, data: { end: 'gone', text: 'web-1 restarted.' } } : one)),
    ),
  ],
  [
    'an end that was not posted',
    'told',
    'was not posted',
    { ...good, posts: good.posts.filter(({ thread }) => thread === null) },
  ],
  [
    'an end that was posted elsewhere',
    'told',
    'was not posted',
    { ...good, posts: good.posts.map((post) => ({ ...post, channel: 'C2' })) },
  ],
  [
    'other words than in the audit',
    'told',
    'was not posted',
    { ...good, posts: good.posts.map((post) => ({ ...post, text: 'web-1 failed.' })) },
  ],
  ['an end that was posted twice', 'told', 'was posted again', { ...good, posts: [...good.posts, replyAgain] }],
  [
    'an end that its card does not show',
    'told',
    'is not on its card',
    { ...good, posts: good.posts.filter(({ isEdit }) => !isEdit) },
  ],
  [
    'a quick end that its card does not show',
    'told',
    'is not on its card',
    { ...quick, posts: quick.posts.filter(({ isEdit }) => !isEdit) },
  ],
  ['a quick end that only the card shows', 'told', 'was not posted', withoutReply(quick)],
  [
    'a quick end whose reply pings the person who clicked last',
    'told',
    'pinged ann, who saw it',
    { ...quick, posts: good.posts },
  ],
  [
    'a request that an admin withdrew, and only the card shows it',
    'told',
    'was not posted',
    withoutReply({ ...quick, audit: withdrawn('ada') }),
  ],
  ['an error that only its card shows', 'told', 'was not posted', withoutReply({ ...quick, audit: failedAudit })],
  [
    'an end after a minute that only the card shows',
    'told',
    'was not posted',
    withoutReply({ ...quick, audit: quickAudit(60_000) }),
  ],
  [
    'a name for all in a channel',
    'names',
    'ann saw vault-9',
    {
      ...good,
      posts: [...good.posts, post({ at: 9_100, message: '3', text: 'vault-9 is on.' })],
    },
  ],
  [
    'a name in a private answer',
    'names',
    'dee saw vault-9',
    {
      ...good,
      posts: [...good.posts, post({ at: 9_100, message: '3', text: 'Did you mean vault-9?', onlyFor: 'dee' })],
    },
  ],
  [
    'a lock of a request that has ended',
    'locks',
    'because of "Restart web-1", which had ended',
    withLine({
      ...line(9_900, 'refused', 'dee', { text: 'Not now: "Restart web-1" is running on it.' }),
      operationId: null,
    }),
  ],
  [
    'a run more than the standing approval allows',
    'standing',
    '3 runs of op1, which allows 2',
    again([5_000, 6_000, 7_000]),
  ],
  ['a run after the last day', 'standing', 'run1 began after the end of op1', again([5_000, 31_000])],
  [
    'a run after the end of its standing approval',
    'standing',
    'run1 began after the end',
    again([5_000, 45_000], { until: 90_000 }),
  ],
  ['two runs at once', 'standing', 'run1 began while another run of op1', again([5_000, 5_300])],
  [
    'a run of a standing approval that too few approved',
    'approved',
    '1 of 2 who may approve did',
    {
      ...again([5_000]),
      audit: seal(again([5_000]).audit.filter(({ kind, actor }) => kind !== 'vote' || actor !== 'bea')),
    },
  ],
  [
    'a standing approval that was sent itself',
    'true-end',
    'is a standing approval, and it was sent',
    {
      ...again([5_000]),
      audit: seal(again([5_000]).audit.map((one) => (one.kind === 'call' ? { ...one, operationId: 'op1' } : one))),
    },
  ],
  [
    'a line that was changed',
    'chain',
    'line 2 was changed',
    { ...good, audit: good.audit.map((one) => (one.seq === 2 ? { ...one, actor: 'dee' } : one)) },
  ],
  ['a line that was removed', 'chain', 'has the number', { ...good, audit: good.audit.filter(({ seq }) => seq !== 2) }],
];

test('the judge finds no violation in a history that keeps every promise', () => {
  expect(judge(good)).toEqual([]);
});

describe('a forged history', () => {
  test.each(forged)('the judge finds the violation: %s', (_, rule, says, history) => {
    const found = judge(history).filter((violation) => violation.rule === rule);
    expect(found.map(({ what }) => what).join('\n')).toContain(says);
  });

  test('each rule of the judge finds a forged history', () => {
    expect(new Set(forged.map(([, rule]) => rule))).toEqual(new Set(rules.map(({ name }) => name)));
  });
});

describe('an unusual history that is allowed', () => {
  const allowed: readonly (readonly [string, History])[] = [
    [
      'a step that changes the bot itself',
      {
        ...withLines((lines) =>
          lines.map((one) => (one.kind === 'call' ? { ...one, data: { step: 0, target: 'channel:C1' } } : one)),
        ),
        writes: [],
      },
    ],
    [
      'an answer that was lost and read: unknown',
      {
        ...withLines((lines) =>
          lines.map((one) =>
            one.kind === 'ended' ? { ...one, data: { end: 'unknown', text: 'web-1 restarted.' } } : one,
          ),
        ),
        writes: [{ ...write, isApplied: false, job: null }],
      },
    ],
    [
      'a write that was announced before the card said that it stops',
      {
        ...withLine(line(3_150, 'stop', 'dee', { text: 'stopped: Restart web-1' })),
        graceMs: 500,
        posts: [
          ...good.posts,
          post({
            at: 3_240,
            message: '1',
            text: 'Restart web-1: running\n@dee stops it: no further step begins.',
            isEdit: true,
          }),
        ],
      },
    ],
    ['an end that stands twice after a kill', { ...good, kills: 1, posts: [...good.posts, replyAgain] }],
    ['a quick end whose reply pings nobody', quick],
    [
      'an end after a minute whose reply pings the requester',
      { ...quick, audit: quickAudit(60_000), posts: good.posts },
    ],
    [
      'a quick end after a lost response whose reply pings the requester',
      { ...quick, audit: quickAudit(6_000, 'done', [line(3_300, 'lost', 'ann')]), posts: good.posts },
    ],
    [
      'a step that changes the bot itself and failed',
      {
        ...withLines((lines) =>
          lines.map((one) => {
            if (one.kind === 'call') return { ...one, data: { step: 0, target: 'channel:C1' } };
            return one.kind === 'ended' ? { ...one, data: { end: 'failed', text: 'web-1 restarted.' } } : one;
          }),
        ),
        writes: [],
      },
    ],
    ['two runs under a standing approval', again([5_000, 6_000])],
    [
      'an error before the card, which only the requester reads',
      { ...quick, audit: failedAudit, writes: [], acts: [], posts: [] },
    ],
    [
      'a request that its requester withdrew, and only the card shows it',
      withoutReply({ ...quick, audit: withdrawn('ann'), writes: [] }),
    ],
    [
      'a typed line that names a request that has ended, refused for another reason',
      withLine({ ...line(9_900, 'refused', 'dee', { text: 'dns undo op1: www changed since.' }), operationId: null }),
    ],
    [
      'a lock of another request with the same title, which still runs',
      {
        ...withLines((lines) => [
          ...lines,
          {
            ...line(9_500, 'asked', 'dee', {
              command: 'restart',
              text: 'Restart web-1: It shuts down and starts again.',
              rule: 'none',
            }),
            operationId: 'op2',
          },
          {
            ...line(9_900, 'refused', 'bea', { text: 'Not now: "Restart web-1" is running on it.' }),
            operationId: null,
          },
        ]),
        isOver: false,
      },
    ],
    [
      'a name that the reader typed',
      {
        ...good,
        acts: [
          ...good.acts,
          { at: 9_000, user: 'dee', channel: 'C1', kind: 'line', operation: null, text: 'status vault-9' },
        ],
        posts: [...good.posts, post({ at: 9_100, message: '3', text: 'There is no vault-9.', onlyFor: 'dee' })],
      },
    ],
    [
      'an approver who left after the write',
      { ...good, groups: [...good.groups, { at: 4_000, group: 'G1', members: [] }] },
    ],
    [
      'an admin in place of the group',
      {
        ...withLines((lines) => lines.map((one) => (one.actor === 'cem' ? { ...one, actor: 'ada' } : one))),
        acts: [...good.acts, { at: 2_900, user: 'ada', channel: 'C1', kind: 'approve', operation: 'op1', text: '' }],
      },
    ],
    [
      'solo',
      {
        ...withLines((lines) => [
          line(1_000, 'asked', 'ann', { command: 'restart', rule: { approve: 1, by: [] } }),
          line(2_000, 'vote', 'ann', { solo: true }),
          ...lines.slice(3),
        ]),
        acts: [{ at: 1_900, user: 'ann', channel: 'C1', kind: 'approve', operation: 'op1', text: '' }],
        posts: quick.posts,
      },
    ],
    ['nothing at all', { ...good, audit: seal([]), writes: [] }],
    [
      'a write after a long absence, and somebody said that it may continue',
      {
        ...good,
        absences: [{ from: 3_120 - 16 * 60_000, to: 3_120 }],
        acts: [
          ...good.acts.map((act) => ({ ...act, at: act.at - 20 * 60_000 })),
          { at: 3_150, user: 'bea', channel: 'C1', kind: 'continue', operation: 'op1', text: '' },
        ],
        groups: good.groups.map((group) => ({ ...group, at: -30 * 60_000 })),
        audit: late(),
      },
    ],
    [
      'a change by hand that came before it was asked for, or after it was sent',
      {
        ...good,
        changes: [
          { at: 900, target: 'order:34-1' },
          { at: 3_300, target: 'order:34-1' },
          { at: 2_000, target: 'order:34-2' },
        ],
      },
    ],
    [
      'an interruption by a kill',
      {
        ...withLine(line(3_300, 'lost', 'ann', { text: 'the answer was lost (the bot was interrupted).' })),
        kills: 1,
      },
    ],
    ['a write without approvals after somebody broke the glass', glassAt(3_050)],
    ['a request under way', { ...without('ended'), isOver: false }],
  ];
  test.each(allowed)('the judge allows %s', (_, history) => expect(judge(history)).toEqual([]));
});
