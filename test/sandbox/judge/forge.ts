import { createHash } from 'node:crypto';
import { emptyHistory, type History, type Post, type SealedLine } from '../../../sandbox/judge/history.ts';
import { sorted } from '../../../sandbox/judge/rules/chain.ts';

/** Sealed audit entries, as the bot writes them. */
export function seal(lines: readonly Omit<SealedLine, 'seq' | 'prev' | 'hash'>[]): SealedLine[] {
  let prev = '0'.repeat(64);
  return lines.map((line, n) => {
    const { at, kind, actor, channel, operationId, data } = line;
    const body = sorted({ seq: n + 1, at, kind, actor, channel, operationId, data });
    const hash = createHash('sha256').update(prev).update(body).digest('hex');
    const sealed = { ...line, seq: n + 1, prev, hash };
    prev = hash;
    return sealed;
  });
}

type Line = Omit<SealedLine, 'seq' | 'prev' | 'hash'>;

export const line = (at: number, kind: string, actor: string, data: SealedLine['data'] = {}): Line => ({
  at,
  kind,
  actor,
  channel: 'C1',
  operationId: 'op1',
  data: { text: '', ...data },
});

/** A message for all in the channel, the card unless it is said otherwise. */
export const post = (more: Pick<Post, 'at' | 'text'> & Partial<Post>): Post => ({
  channel: 'C1',
  thread: null,
  message: '1',
  requests: [],
  onlyFor: null,
  isEdit: false,
  ...more,
});

/** A restart that Ann requested and two people of the group approved, which keeps every promise. */
export const goodLines: readonly Line[] = [
  line(1_000, 'asked', 'ann', {
    command: 'restart',
    text: 'Restart web-1: It shuts down and starts again.',
    rule: { approve: 2, by: ['group:G1'] },
  }),
  line(2_000, 'vote', 'bea', { solo: false }),
  line(3_000, 'vote', 'cem', { solo: false }),
  line(3_100, 'started', 'ann'),
  line(3_200, 'call', 'ann', { step: 0, target: 'order:34-1' }),
  line(9_000, 'ended', 'ann', { end: 'done', text: 'web-1 restarted.' }),
];

export const good: History = {
  ...emptyHistory,
  audit: seal(goodLines),
  writes: [{ at: 3_250, method: 'POST', path: '/vps/34-1/restart/', isApplied: true, job: 'done' }],
  acts: [
    { at: 900, user: 'ann', channel: 'C1', kind: 'line', operation: null, text: 'restart web-1' },
    { at: 1_900, user: 'bea', channel: 'C1', kind: 'approve', operation: 'op1', text: '' },
    { at: 2_900, user: 'cem', channel: 'C1', kind: 'approve', operation: 'op1', text: '' },
  ],
  posts: [
    post({ at: 1_050, text: 'Restart web-1: waiting', requests: ['op1'] }),
    post({ at: 9_050, text: 'web-1 restarted.', isEdit: true }),
    post({ at: 9_060, message: '2', thread: '1', text: '@ann web-1 restarted.' }),
  ],
  groups: [{ at: 0, group: 'G1', members: ['bea', 'cem', 'dee'] }],
  channels: [{ id: 'C1', members: ['ann', 'bea', 'cem', 'dee'] }],
  admins: ['ada'],
  secretNames: [{ name: 'vault-9', readers: ['ada'] }],
};

/** The same history with other lines in its audit, sealed anew. */
export function withLines(change: (lines: readonly Line[]) => readonly Line[]): History {
  return { ...good, audit: seal(change(goodLines)) };
}

type Edit = Partial<Omit<Line, 'data'>> & { readonly data?: object };

/** The history in which the lines of this kind, or of this person, are different. */
export const edited = (kindOrActor: string, { data, ...more }: Edit): History =>
  withLines((lines) =>
    lines
      .map((one) =>
        one.kind === kindOrActor || one.actor === kindOrActor
          ? { ...one, ...more, data: { ...one.data, ...data } }
          : one,
      )
      .toSorted((a, b) => a.at - b.at),
  );

/** The history with more messages. */
export const withPosts = (...more: readonly Post[]): History => ({ ...good, posts: [...good.posts, ...more] });

/** The history whose one write is different. */
export const withWrite = (more: Partial<History['writes'][number]>): History => ({
  ...good,
  writes: good.writes.map((one) => ({ ...one, ...more })),
});

/** The history without the lines of these kinds. */
export const without = (...kinds: readonly string[]): History =>
  withLines((lines) => lines.filter(({ kind }) => !kinds.includes(kind)));

/** The history with one more line, in the order of time. */
export const withLine = (more: Line): History => withLines((lines) => [...lines, more].toSorted((a, b) => a.at - b.at));
