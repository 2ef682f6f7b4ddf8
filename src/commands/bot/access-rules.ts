import { choice, text as words } from '../../core/command/args.ts';
import type { BotReader } from '../../core/command/bot-port.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { subjects } from '../../core/command/several.ts';
import { span } from '../../core/command/time-args.ts';
import { possibleApprovers, sayUnmeetable } from '../../core/policy/approvers.ts';
import { type Approval, approverNotices, policySchema, risks, ruleFor } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import { day, hour, minute, spanText } from '../../core/text/words.ts';
import { badValue } from '../../core/view/errors.ts';
import { runButton, text } from '../../core/view/view.ts';
import { defaultOf, optionalOf, optionOf } from '../args.ts';
import { defineAction } from '../define.ts';
import { namedWindow, planWindow } from './access-windows.ts';
import { onlyForApprovals, readRule, readSubjects } from './access-words.ts';
import { type Change, planChange, policyChange, policyHere } from './change-access.ts';

export const accessRule = defineAction({
  ...policyChange,
  path: 'access rule',
  words: `set · change · require | approval rule · maintenance window · approval · two person · second person ·
    sign-off | rule need · need approval · need two · should need · require approval · require two · two approvals
    for · maintenance window = hours maintenance · set maintenance window = hours maintenance · approval for
    destructive · approval for dangerous · approval for disruptive · say yes first · need no confirmation · need
    sign-off · somebody approve every`,
  isBehind: true,
  title: 'Set a rule',
  summary: 'Set what each risk needs: nothing, a confirmation, or approvals, and the hours of maintenance windows',
  examples: [
    'access rule dangerous approve 2 notify=dm',
    'access rule hours maintenance sun 02:00-05:00 Europe/Berlin',
  ],
  args: {
    risk: choice({
      of: [...risks, 'hours'],
      labels: { hours: 'Hours of a maintenance window' },
      also: { window: 'hours', windows: 'hours' },
      hint: 'One of safe, routine, disruptive, dangerous and destructive; or hours, to name a maintenance window.',
    }),
    rule: words({
      place: 'rest',
      hint: 'One of none, confirm, approve 1, approve 2 typed, and approve 1 reason. For a maintenance window its name and hours, such as maintenance sun 02:00-05:00 Europe/Berlin.',
      example: 'approve 1',
    }),
    by: optionOf(subjects)({
      after: ['by'],
      label: 'Approvers',
      hint: 'The people and groups who may approve. The default is the admins. Everyone is not possible.',
      most: 20,
      excludesEveryone: true,
    }),
    notify: defaultOf(choice)({
      of: approverNotices,
      labels: {
        mention: 'A mention on the card',
        dm: 'A direct message at once',
        none: 'Neither',
      },
      also: { message: 'dm', 'direct-message': 'dm', nobody: 'none', off: 'none' },
      place: 'option',
      after: ['notify'],
      label: 'Notify approvers by',
      hint: 'The default is a mention, and a direct message when nobody has answered for 10 minutes.',
      usual: 'mention',
    }),
    wait: optionOf(span)({
      after: ['wait'],
      hint: 'How long an approved request can be stopped before it destroys something, such as 15m; 0s for none.',
      minMs: 0,
      maxMs: day,
    }),
    window: optionOf(words)({
      label: 'Only in',
      hint: 'A maintenance window that the policy of this channel names, or none.',
      example: 'maintenance',
    }),
    grace: optionOf(span)({
      hint: 'How late a scheduled request begins by itself, such as 30m. The default is 10m.',
      minMs: minute,
      maxMs: 12 * hour,
    }),
  },
  plan: async ({ risk, rule, by, notify, wait, window, grace }, context) => {
    if (risk === 'hours') {
      const others = { by, wait, window, grace, notify: notify === 'mention' ? undefined : notify };
      return planWindow(rule, Object.keys(defined(others)), context);
    }
    const approvers = await namedPeople(by ?? [], context.bot, 'by');
    const policy = await context.bot.policy(context.channel);
    const before = ruleFor(policy, risk);
    // A rule that is set anew keeps its countdown and its hours.
    const present: Partial<Approval> = typeof before === 'object' ? before : {};
    const next = readRule(rule.split(/\s+/), approvers, {
      notify,
      wait: wait === undefined ? present.wait : wait === 0 ? undefined : spanText(wait),
      window: window === undefined ? present.window : namedWindow(window, policy),
      grace: grace === undefined ? present.grace : spanText(grace),
    });
    if (typeof next === 'string' && (namedWindow(window, policy) ?? grace) !== undefined) {
      const text = `The rule \`${next}\` has no maintenance window and no grace.`;
      throw onlyForApprovals(text, 'them', window === undefined ? 'grace' : 'window');
    }
    if (typeof next === 'string' && wait !== undefined && wait > 0)
      throw onlyForApprovals(`With the rule \`${next}\` nothing counts down.`, '`wait`', 'wait');
    const doubts = typeof next === 'object' ? await mustBeMeetable(next, context) : [];
    const change: Change = (before) => ({ ...before, rules: { ...before.rules, [risk]: next } });
    return planChange(`Set the rule for ${risk}`, context, change, doubts);
  },
});

const notForEveryone = {
  by: {
    text: 'Being in a channel gives no right to approve: `everyone` cannot be an approver.',
    hint: 'Name people or user groups; without `by` the admins approve.',
  },
  who: { text: '`everyone` cannot break the glass.', hint: 'Name people or user groups.' },
};

async function namedPeople(words: readonly string[], bot: BotReader, field: keyof typeof notForEveryone) {
  const named = await readSubjects(words, bot, field);
  const { text, hint } = notForEveryone[field];
  if (named.includes('everyone')) throw badValue(text, hint, field);
  return named;
}

const notKnown =
  'Slack does not say who is in a user group of it, so it is not known whether enough people can approve.';

/** Refuses a rule that too few people can meet. Returns a warning if Slack does not answer. */
async function mustBeMeetable(rule: Approval, context: ReadContext): Promise<string[]> {
  const { grants, solo } = await policyHere(context);
  const ruled = { rule, isSolo: solo };
  const people = await context.bot.peopleOf({ grants, rules: { dangerous: rule } });
  const arithmetic = sayUnmeetable(ruled, grants, people);
  if (arithmetic !== undefined) {
    const hint = 'Name more people or groups with `by`, or ask for fewer approvals.';
    throw badValue(text('Nobody could meet this rule: ', arithmetic), hint, 'rule');
  }
  return possibleApprovers(ruled, people) === undefined ? [notKnown] : [];
}

export const accessSolo = defineAction({
  ...policyChange,
  path: 'access solo',
  words: `| solo | self-approval · approve own · alone in team · only one person · work alone · single admin ·
    without second approver · only person who works · self approval · no second person`,
  isBehind: true,
  title: 'Allow own approvals',
  summary: 'Set whether people may approve their own requests here',
  examples: ['access solo on', 'access solo off'],
  args: {
    on: optionalOf(choice)({
      of: ['on', 'off'],
      labels: { on: 'On: people may approve their own requests', off: 'Off: somebody else has to approve' },
      hint: 'On is for teams of one: every card says so. Without it, the present state is shown.',
    }),
  },
  plan: async ({ on }, context) => {
    const isOn = (await context.bot.policy(context.channel))?.solo === true;
    const wanted = on === undefined ? isOn : on === 'on';
    const plan = await planChange(wanted ? 'Turn solo on' : 'Turn solo off', context, (policy) => ({
      ...policy,
      solo: wanted,
    }));
    if (wanted !== isOn) return plan;
    const other = isOn ? 'off' : 'on';
    const says = isOn ? 'people may approve their own requests' : 'nobody may approve their own requests';
    const already = on === undefined ? '' : ' already';
    return {
      ...plan,
      nothingToDo: `Solo is ${isOn ? 'on' : 'off'} in this channel${already}: ${says}. \`/host access solo ${other}\` changes that.`,
      instead: [runButton(`Turn solo ${other}…`, `access solo ${other}`)],
    };
  },
  done: () => ({ text: 'Solo is set' }),
});

export const accessReads = defineAction({
  ...policyChange,
  path: 'access reads',
  words: '| private read · public read | hide answers',
  isBehind: true,
  title: 'Choose who reads answers',
  summary: 'Set whether the channel reads the answers to typed reads',
  examples: ['access reads public', 'access reads private'],
  args: {
    reads: choice({
      of: ['private', 'public'],
      hint: 'Private: only the person who asks reads the answer. Public: the channel reads it.',
    }),
  },
  plan: ({ reads }, context) =>
    planChange(`Answer reads in ${reads === 'public' ? 'public' : 'private'}`, context, ({ reads: _, ...policy }) =>
      reads === 'public' ? { ...policy, reads } : policy,
    ),
});

export const accessGlass = defineAction({
  ...policyChange,
  path: 'access break-glass',
  words: `| | let break glass · may break glass = · who may break glass = · emergency override · emergency access ·
    in emergency`,
  isBehind: true,
  title: 'Who may break the glass',
  summary: 'Set who may run one request without its approvals in an emergency',
  examples: ['access break-glass @ops', 'access break-glass none'],
  args: {
    who: subjects({
      place: 'rest',
      label: 'People and groups',
      hint: 'Who may run one request at once, with a reason; none for nobody.',
      example: '@ops',
      most: 20,
      excludesEveryone: true,
    }),
  },
  plan: async ({ who }, context) => {
    const isNone = who.length === 1 && /^(?:none|nobody)$/i.test(who[0] ?? '');
    const named = isNone ? [] : await namedPeople(who, context.bot, 'who');
    return planChange('Set who may break the glass', context, ({ breakGlass: _, ...policy }) =>
      policySchema.parse(isNone ? policy : { ...policy, breakGlass: named }),
    );
  },
});
