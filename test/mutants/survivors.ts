/** A mutant that no test can or need notice, with the reason. */
export interface Survivor {
  readonly file: string;
  /** The code that is changed, with single spaces between its words. */
  readonly from: string;
  readonly to: string;
  /** `from` with what stands beside it or in the line before, where `from` alone stands in the file more than once. */
  readonly on?: string;
  readonly why: string;
}

const instead = '"Stryker was here!"';
const otherProcess =
  'It decides how the log reaches stderr, which only a process of its own shows; Stryker changes nothing in one.';
const noPretty = 'Only the image leaves pino-pretty out, and test/crash/ship.test.ts runs that; here it is installed.';

export const survivors: readonly Survivor[] = [
  ...["first = ''", "?? ''"].map((on) => ({
    file: 'src/core/evaluate.ts',
    from: "''",
    to: instead,
    on,
    why: 'A string that is split has at least one part, so neither the first nor the last is ever missing.',
  })),
  {
    file: 'src/core/policy.ts',
    from: '/,|(?<!\\bdomain)\\s+/',
    to: '/,|(?<!\\bdomain)\\s/',
    why: 'The empty words between two spaces are left out right after.',
  },
  {
    file: 'src/core/policy.ts',
    from: 'risks.indexOf(a) >= risks.indexOf(b)',
    to: 'risks.indexOf(a) > risks.indexOf(b)',
    why: 'Two risks of one rank are one risk, whichever of the two is returned.',
  },
  {
    file: 'src/core/policy.ts',
    from: "typeof rule === 'object'",
    to: 'true',
    on: "typeof rule === 'object' ?",
    why: 'A rule that is one word has no notice either: reading it there gives the same undefined.',
  },
  ...['/^[UW][A-Z0-9]+/', '/[UW][A-Z0-9]+$/'].map((to) => ({
    file: 'src/core/policy.ts',
    from: '/^[UW][A-Z0-9]+$/',
    to,
    why: 'zod takes the anchors off a part of a template and puts its own around the whole.',
  })),
  ...['/^S[A-Z0-9]+/', '/S[A-Z0-9]+$/'].map((to) => ({
    file: 'src/core/policy.ts',
    from: '/^S[A-Z0-9]+$/',
    to,
    why: 'zod takes the anchors off a part of a template and puts its own around the whole.',
  })),
  {
    file: 'src/engine/run/answer-keeper.ts',
    from: "'storing a response'",
    to: '""',
    why: 'The words are for a try that rejects, and none does: whatever storing throws is caught, logged and tried again.',
  },
  {
    file: 'src/engine/approval/expire.ts',
    from: '(operation.expiresAt ?? 0) > context.now()',
    to: '(operation.expiresAt ?? 0) >= context.now()',
    why: 'They differ in the one millisecond in which the time is over.',
  },
  ...['endedForMs < retakenWithinMs', 'endedForMs < drawnWithinMs'].map((from) => ({
    file: 'src/engine/approval/vote.ts',
    from,
    to: from.replace('<', '<='),
    why: 'They differ in one millisecond.',
  })),
  ...[
    ["''", instead],
    ["'the name'", '""'],
    ['name === undefined', 'false'],
  ].map(([from = '', to = '']) => ({
    file: 'src/engine/approval/vote.ts',
    from,
    to,
    why: 'A request whose rule asks for a name has one, that of its first target (create.ts); the types do not say so.',
  })),
  {
    file: 'src/engine/approval/vote.ts',
    from: 'row',
    to: 'true',
    on: 'row ?',
    why: 'It is read right after it was written, and requests are deleted months after their end.',
  },
  {
    file: 'src/engine/approval/vote.ts',
    from: "'bad_value'",
    to: '""',
    why: 'The form in which the name is typed shows the words of a refusal, and not its reason.',
  },
  {
    file: 'src/engine/approval/vote.ts',
    from: 'typed?.trim',
    to: 'typed.trim',
    why: 'A form always gives words, and a click without one is answered with a form before it gets here (dispatch.ts).',
  },
  {
    file: 'src/engine/approval/vote.ts',
    from: 'isEnd(now.state)',
    to: 'false',
    why: 'The next turn, which an end makes due, does all that follows from it as well.',
  },
  ...[
    'drawnWithinMs) await redraw(context, operation.id);',
    'if (!(await expire(context, operation))) return;',
    'else await redraw(context, operation.id);',
  ].map((before) => ({
    file: 'src/engine/approval/vote.ts',
    from: 'context.wake(operation.id);',
    to: ';',
    on: `${before} context.wake(operation.id);`,
    why: 'Where a request was decided or has ended, its row says that a turn is due, and the runner looks for such rows every second.',
  })),
  {
    file: 'src/engine/approval/vote-rules.ts',
    from: '[]',
    to: '["Stryker was here"]',
    on: 'rule.by : []',
    why: 'It names no group, and is left out right after.',
  },
  ...[
    ["step.state === 'done'", 'true', "is: step.state === 'done' ?"],
    ["'unsure'", '""', "'unsure'"],
  ].map(([from = '', to = '', on = '']) => ({
    file: 'src/engine/run/finish.ts',
    from,
    to,
    on,
    why: 'Where a step is not verified, the end is not in the words of the command, and only they ask for it.',
  })),
  {
    file: 'src/engine/run/finish.ts',
    from: 'looksAfter === undefined',
    to: 'false',
    why: 'No command begins with the word undefined, which it would then be compared with.',
  },
  {
    file: 'src/engine/run/finish.ts',
    from: "'looking again with an alert rule'",
    to: '""',
    why: 'It stands in the log when a rule fails that is looked at beside the request.',
  },
  {
    file: 'src/engine/run/finish.ts',
    from: 'ms < 1_500',
    to: 'ms <= 1_500',
    why: 'They differ in one millisecond.',
  },
  {
    file: 'src/engine/run/finish.ts',
    from: 'only?.note',
    to: 'only.note',
    why: 'A request has at least one step; the types do not say so.',
  },
  {
    file: 'src/engine/run/finish.ts',
    from: 'steps.find((step) => step.state === state)?.note',
    to: 'steps.find(step => step.state === state).note',
    why: 'It is asked only for a state that one of the steps has, since the end is named after it.',
  },
  {
    file: 'src/engine/operation/create.ts',
    from: "typeof rule === 'object'",
    to: 'true',
    on: "typeof rule === 'object' && rule.typed",
    why: 'A rule that is one word asks for no name either.',
  },
  {
    file: 'src/engine/operation/create.ts',
    from: '[]',
    to: '["Stryker was here"]',
    on: 'votes: []',
    why: 'The words are no vote, and a card shows only votes that approve or confirm.',
  },
  {
    file: 'src/engine/run/runner.ts',
    from: "''",
    to: instead,
    why: 'Looks are all of one kind: the key only has to be the same each time.',
  },
  ...['false', 'taking.size > concurrency'].map((to) => ({
    file: 'src/engine/run/runner.ts',
    from: 'taking.size >= concurrency',
    to,
    on: 'if (taking.size >= concurrency) return;',
    why: 'At the limit nothing else begins either; it saves going through all that wait.',
  })),
  {
    file: 'src/engine/run/advance.ts',
    from: 'operation.heldAt === null',
    to: 'true',
    on: "'approved' && operation.heldAt === null",
    why: 'A held request rests or ends: no step of it begins in the same turn.',
  },
  ...['turnUntil: clock(leaseMs, true)', 'nextTurnAt: clock(leaseMs, true)', 'clock(waitMs, true)'].map((on) => ({
    file: 'src/store/turns.ts',
    from: 'true',
    to: 'false',
    on,
    why: 'The time is a slot of the statement, which is read when it runs in any case.',
  })),
  {
    file: 'src/store/turns.ts',
    from: "which === 'asked'",
    to: 'true',
    on: "$if(which === 'asked'",
    why: 'A turn that is due has a time at which it is.',
  },
  {
    file: 'src/store/turns.ts',
    from: "'waits'",
    to: '""',
    on: ": 'waits';",
    why: 'The statement asks only for the two other words.',
  },
  {
    file: 'src/store/steps.ts',
    from: 'true',
    to: 'false',
    on: 'clock(watchMs, true)',
    why: 'The time of a watch is a slot of the statement, which is read when it runs in any case.',
  },
  {
    file: 'src/store/steps.ts',
    from: "''",
    to: instead,
    on: "attempt ?? ''",
    why: 'Where no attempt is given, the statement does not ask for it.',
  },
  {
    file: 'src/store/steps.ts',
    from: 'job === null',
    to: 'false',
    why: 'The statement leaves out steps without a job; the types do not say so.',
  },
  {
    file: 'src/store/operations.ts',
    from: '[]',
    to: '["Stryker was here"]',
    on: '?? [],',
    why: 'Each list of commands that is read has a list of requests; the type of the shared read does not say so.',
  },
  {
    file: 'src/store/inbox.ts',
    from: 'a.key < b.key',
    to: 'a.key <= b.key',
    why: 'Of several deliveries with one key only the first is among those that are sorted.',
  },
  ...["hash: '', signature", "signature: '' }"].map((on) => ({
    file: 'src/store/audit-append.ts',
    from: "''",
    to: instead,
    on,
    why: 'Each time the statement runs it is given the values.',
  })),
  ...[
    [
      '[]',
      '["Stryker was here"]',
      'return [];',
      'Where no entry asks for lines that are there, none are looked through.',
    ],
    ["''", instead, "operation = ''", 'An entry without a request is never there already.'],
    [
      'entry.unlessThere !== undefined',
      'true',
      'entry.unlessThere !== undefined',
      'An entry that does not ask names no kind, and so finds no line; it saves the comparing.',
    ],
    ['false', 'true', 'isAlone = false', 'Before the first write there is no last end either, behind which to write.'],
  ].map(([from = '', to = '', on = '', why = '']) => ({ file: 'src/store/audit-append.ts', from, to, on, why })),
  {
    file: 'src/provider/exchange.ts',
    from: "'the connection ended without an answer'",
    to: '""',
    why: 'undici ends a response without an error only after it began; the words stand there for the types.',
  },
  {
    file: 'src/provider/transport.ts',
    from: "'multipart/form-data'",
    to: '""',
    why: 'A Response that holds a form always names its content type, with the boundary.',
  },
  {
    file: 'src/provider/transport.ts',
    from: 'type !== undefined',
    to: 'true',
    why: 'undici sends no header that has no value.',
  },
  {
    file: 'src/provider/transport.ts',
    from: 'onCall?.({ endpoint, effect, status, kind, ms })',
    to: 'onCall({ endpoint, effect, status, kind, ms })',
    why: 'The error of a listener that is not there is caught with those of a listener that throws.',
  },
  {
    file: 'src/provider/slots.ts',
    from: 'signal?.reason',
    to: 'signal.reason',
    why: 'Only the signal itself calls the listener.',
  },
  {
    file: 'src/engine/run/hold.ts',
    from: "''",
    to: instead,
    why: 'A hold has its words whenever it has its time (holds.ts); the types do not say so.',
  },
  {
    file: 'src/engine/run/hold.ts',
    from: 'context.now() - operation.heldAt > heldWithinMs',
    to: 'context.now() - operation.heldAt >= heldWithinMs',
    why: 'They differ in one millisecond.',
  },
  {
    file: 'src/engine/run/hold.ts',
    from: "'next'",
    to: '""',
    on: "else return restHeld(context, operation); return 'next'",
    why: 'It stands after an end, which makes another turn due by itself.',
  },
  ...[
    ['decidedAgoMs < 0', 'decidedAgoMs <= 0'],
    ['awayMs > beginWithinMs', 'awayMs >= beginWithinMs'],
    ['now() - movedAt <= beginWithinMs', 'now() - movedAt < beginWithinMs'],
  ].map(([from = '', to = '']) => ({
    file: 'src/engine/run/may-begin.ts',
    from,
    to,
    why: 'They differ in one millisecond.',
  })),
  ...[
    ["''", instead, "` : ''"],
    ['votes.find((vote) => vote.isVoid)?.why', 'votes.find(vote => vote.isVoid).why', undefined],
  ].map(([from = '', to = '', on = from]) => ({
    file: 'src/engine/run/may-begin.ts',
    from,
    to,
    on,
    why: 'Fewer votes count only when one of them became void, and that one has a reason; the types do not say so.',
  })),
  ...[
    ["'it'", '""'],
    [
      'targets.find((target) => targetKey(target) === lock.holder.target)?.name',
      'targets.find(target => targetKey(target) === lock.holder.target).name',
    ],
  ].map(([from = '', to = '']) => ({
    file: 'src/engine/run/may-begin.ts',
    from,
    to,
    why: 'The lock in the way is one of those that were asked for; the types do not say so.',
  })),
  {
    file: 'src/engine/run/may-begin.ts',
    from: 'operation.continuedAt === null',
    to: 'false',
    why: 'It would take the locks that the request has: a statement more for each step.',
  },
  {
    file: 'src/engine/run/recheck.ts',
    from: '[]',
    to: '["Stryker was here"]',
    on: 'isItsTime(context, operation, [])',
    why: 'Of a step only the time of its end is read there, and a word has none.',
  },
  ...[
    ["typeof rule === 'string'", 'false', "typeof rule === 'string'"],
    ["'string'", '""', "typeof rule === 'string'"],
  ].map(([from = '', to = '', on = '']) => ({
    file: 'src/engine/run/recheck.ts',
    from,
    to,
    on,
    why: 'A rule of one word is compared with a rule that names approvers: they differ in either form.',
  })),
  {
    file: 'src/engine/run/recheck.ts',
    from: 'votesNeeded(operation) === 0',
    to: 'false',
    why: 'No vote is fewer than none: the votes would be read for nothing.',
  },
  {
    file: 'src/engine/run/recheck.ts',
    from: "'unsure'",
    to: '""',
    on: "return 'unsure'",
    why: 'It only has to be another word than yes and no.',
  },
  {
    file: 'src/engine/run/recheck.ts',
    from: "'they may not approve this now'",
    to: '""',
    why: 'A void vote has a reason; the types do not say so.',
  },
  ...['kind', 'name'].map((field) => ({
    file: 'src/engine/run/recheck.ts',
    from: `target?.${field}`,
    to: `target.${field}`,
    why: 'A plan that writes has a target; the types do not say so.',
  })),
  ...[
    [
      "underWay.some(({ state }) => state !== 'verifying')",
      "underWay.every(({ state }) => state !== 'verifying')",
      'false',
    ],
    ["({ state }) => state !== 'verifying'", '() => undefined'],
    ["state !== 'verifying'", 'false'],
  ].flatMap(([from = '', ...others]) =>
    others.map((to) => ({
      file: 'src/engine/run/work.ts',
      from,
      to,
      why: 'It would wait 400 ms for a job before the card is drawn, and then draw it.',
    })),
  ),
  ...[
    ['now.delayWhy !== null', 'true', 'It would write nothing where nothing stands.'],
    [
      'isCutOff',
      'false',
      'The turn that follows in a second finds the step as one whose answer was lost.',
      'if (isCutOff)',
    ],
    ['cutOff.length > 0', 'false', 'The turn that follows in a second finds the step as one whose answer was lost.'],
    ["''", instead, 'A hold has its words whenever it has its time (holds.ts); the types do not say so.'],
    ['row === undefined', 'false', 'A request that runs is never deleted.'],
  ].map(([from = '', to = '', why = '', on = from]) => ({ file: 'src/engine/run/work.ts', from, to, on, why })),
  ...[
    ["{ kind: 'held', why: operation.heldWhy ?? '' }", '{}'],
    ["'held'", '""', "kind: 'held', why"],
    ["operation.heldWhy ?? ''", "operation.heldWhy && ''"],
  ].map(([from = '', to = '', on = from]) => ({
    file: 'src/engine/run/work.ts',
    from,
    to,
    on,
    why: 'A request that is held already has nothing under way, and rests whatever else is said: its words are in its row.',
  })),
  {
    file: 'src/engine/run/send-step.ts',
    from: 'elapsed() - checkedAt <= checkedForMs',
    to: 'elapsed() - checkedAt < checkedForMs',
    why: 'They differ in one millisecond.',
  },
  ...[
    ["{ kind: 'begun' }", '{}'],
    ["'begun'", '""'],
  ].map(([from = '', to = '']) => ({
    file: 'src/engine/run/send-step.ts',
    from,
    to,
    on: "const begun: Beginning = { kind: 'begun' }",
    why: 'Of what became of a step only "never" and "later" are looked for.',
  })),
  {
    file: 'src/engine/run/send-step.ts',
    from: "sent.kind === 'accepted'",
    to: 'true',
    on: "sent.kind === 'accepted' && sent.secret",
    why: 'Only an accepted write has a secret; it stands there for the types.',
  },
  {
    file: 'src/engine/run/send-step.ts',
    from: 'watcher.arm(operation.id, step.n, watchLeaseMs);',
    to: ';',
    why: 'The turn goes on, or is woken once the response is stored, and watches the step too; it claims it first.',
  },
  {
    file: 'src/engine/run/step-phases.ts',
    from: 'row === undefined',
    to: 'false',
    why: 'Without its request a step has no command either, which is asked right after; it stands there for the types.',
  },
  ...[
    ["'next'", "'next';"],
    ["'over'", "'over';"],
  ].map(([from = '', on = '']) => ({
    file: 'src/engine/run/step-phases.ts',
    from,
    to: '""',
    on,
    why: 'A moment later the watch looks again, and finds the phase or the end in the row.',
  })),
  {
    file: 'src/engine/run/step-logic.ts',
    from: '[]',
    to: '["Stryker was here"]',
    on: 'looked.looks - 1, []',
    why: 'The times of fewer than ten jobs are not looked at (polling-schedule.ts).',
  },
  {
    file: 'src/core/strike-secrets.ts',
    from: '[]',
    to: '["Stryker was here"]',
    on: '= []',
    why: 'A known secret that stands in no text changes none.',
  },
  ...[
    ['{ dest: 2, sync: true }', '{}'],
    ['true', 'false', 'sync: true'],
    ['stream === undefined && process.stderr.isTTY', 'false'],
    ['stream === undefined', 'false', 'loadPretty(stream === undefined)'],
  ].map(([from = '', to = '', on = from]) => ({ file: 'src/log.ts', from, to, on, why: otherProcess })),
  ...[
    ["{ load.resolve('pino-pretty'); }", '{}'],
    ['{ // The image leaves it out: somebody who starts it by hand reads JSON lines. return asIs; }', '{}'],
  ].map(([from = '', to = '']) => ({ file: 'src/log.ts', from, to, why: noPretty })),
  {
    file: 'src/log.ts',
    from: '{ // Not JSON after all, or nested beyond the stack: the text is still struck through. return inText(line); }',
    to: '{}',
    why: 'pino writes nothing but JSON. It stands there so that a fault of pino gives nothing away.',
  },
  {
    file: 'src/log.ts',
    from: "'_'",
    to: '""',
    why: 'Every name in the pattern may stand with or without an underscore between its words.',
  },
];
