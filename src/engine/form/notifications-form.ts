import { z } from 'zod';
import { endMentions, type ReminderWay, reminderWays } from '../../core/command/own-settings.ts';
import { mayApprove } from '../../core/policy/evaluate.ts';
import { risks, ruleFor } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import { readDayHours } from '../../core/time/weekly.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Field, FormValues, UnopenedForm } from '../../core/view/form.ts';
import { channelsOf } from '../access/access.ts';
import { type Notifications, notificationsOf, reminderWayOf, setNotifications } from '../access/notifications.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** The dialog for a person's notifications. It offers only the kinds that this person can get. */
export async function notificationsForm(context: EngineContext, user: string): Promise<UnopenedForm> {
  const [now, messages] = await Promise.all([notificationsOf(context, user), messagesFor(context, user)]);
  const direct: Field = {
    name: 'direct',
    label: 'Send me a direct message about',
    widget: 'checks',
    optional: true,
    options: messages.map((message) => ({ value: message, ...directWords[message] })),
    initial: messages.filter((message) => now[fieldOf[message]]),
  };
  return {
    title: 'Notifications',
    submit: 'Save',
    notes: ['For you alone, in every channel. Cards and Home show the requests all the same.'],
    fields: [
      ...(messages.length === 0 ? [] : [direct]),
      ...(messages.includes('approvals') ? reminderFields(now) : []),
      {
        name: 'ends',
        label: 'Mention me when my request ends',
        widget: 'choice',
        optional: false,
        options: endMentions.map((value) => ({ value, label: endWords[value] })),
        initial: now.ends,
      },
    ],
  };
}

function reminderFields(now: Notifications): Field[] {
  return [
    {
      name: 'reminders',
      label: 'Remind me when my approval is missing',
      hint: 'At half of the time of a request, and 15 minutes before it expires.',
      widget: 'choice',
      optional: false,
      options: reminderWays.map((value) => ({ value, label: reminderWords[value] })),
      initial: reminderWayOf(now),
    },
    {
      name: 'quiet',
      label: 'My quiet hours',
      hint: 'Such as 22:00-07:00, in your time zone. No reminder comes then, unless something would be destroyed.',
      widget: 'text',
      optional: true,
      ...(now.quiet === null ? {} : { initial: `${now.quiet.from}-${now.quiet.to}` }),
    },
  ];
}

const reminderWords: Readonly<Record<ReminderWay, string>> = {
  direct: 'By direct message',
  thread: 'By a mention in the thread of the card',
  none: 'Not at all',
};

const directMessages = ['approvals', 'access'] as const;
type DirectMessage = (typeof directMessages)[number];

const fieldOf = { approvals: 'isOn', access: 'access' } as const satisfies Record<DirectMessage, keyof Notifications>;

const directWords: Readonly<Record<DirectMessage, { readonly label: string; readonly description: string }>> = {
  approvals: {
    label: 'Requests that wait for my approval',
    description: 'After 10 minutes without an answer, or at once where the channel says so.',
  },
  access: { label: 'Requests for access', description: 'The other admins get them. If no admin wants them, all do.' },
};

const endWords: Readonly<Record<(typeof endMentions)[number], string>> = {
  usual: 'When it took long, failed, or somebody else decided',
  trouble: 'Only when it did not end as done',
  never: 'Never',
};

/** The kinds of direct messages that this person can get. */
async function messagesFor(context: EngineContext, user: string): Promise<readonly DirectMessage[]> {
  const isAdmin = context.settings.admins.includes(user);
  const isAbleToApprove = [...(await channelsOf(context, user)).accesses.values()].some(isApprover);
  return directMessages.filter((message) => (message === 'access' ? isAdmin : isAbleToApprove));
}

function isApprover({ actor, policy }: Access): boolean {
  return risks.some((risk) => {
    const rule = ruleFor(policy, risk);
    return typeof rule === 'object' && mayApprove(rule, actor, '', false).ok;
  });
}

const valuesSchema = z.object({
  direct: z.array(z.string()).catch([]),
  ends: z.enum(endMentions).optional().catch(undefined),
  reminders: z.enum(reminderWays).optional().catch(undefined),
  quiet: z.string().default('').catch(''),
});

/** Throws a refusal that names the wrong field. */
function quietHours(typed: string): Pick<Notifications, 'quiet'> {
  const quiet = typed.trim() === '' ? null : readDayHours(typed);
  if (quiet !== undefined) return { quiet };
  throw new Refusal('bad_value', 'Write the hours like 22:00-07:00, or leave this empty.', { field: 'quiet' });
}

export async function saveNotifications(context: EngineContext, user: string, values: FormValues): Promise<void> {
  const { direct, ends, reminders, quiet } = valuesSchema.parse(values);
  const messages = await messagesFor(context, user);
  const chosen = Object.fromEntries(messages.map((message) => [fieldOf[message], direct.includes(message)]));
  const hours = messages.includes('approvals') ? quietHours(quiet) : {};
  if (!(await setNotifications(context, user, { ...chosen, ...defined({ ends, reminders }), ...hours })))
    throw new Refusal('changed', 'You changed this elsewhere a moment ago. Open it again.');
}
