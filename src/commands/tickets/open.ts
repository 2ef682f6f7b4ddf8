import { z } from 'zod';
import { accountTarget, orderTarget } from '../../core/account/account.ts';
import { choice, option, order, text } from '../../core/command/args.ts';
import { struckOut } from '../../core/text/strike-secrets.ts';
import { badValue, Refusal } from '../../core/view/errors.ts';
import { typedMost } from '../../core/view/form.ts';
import { defaultOf, optionalOf, optionOf } from '../args.ts';
import { defineAction } from '../define.ts';
import { everyKind } from '../orders/read-order.ts';
import { filled } from '../without-star.ts';
import { aboutPattern, factsAbout } from './facts.ts';

const priorities = ['0', '1', '2', '3', '4'] as const;
/** The priorities in the provider's document, with its reaction times. */
const priorityWords: Readonly<Record<(typeof priorities)[number], string>> = {
  '0': 'not urgent, within 24 hours',
  '1': 'normal, within 8 hours',
  '2': 'important, within 6 hours',
  '3': 'urgent, within 1 hour',
  '4': 'very urgent, at once; only with extended management and for technical faults',
};

const subjectMost = 64;
/** The most that a card shows uncut, since the message must be sent as shown. */
const messageMost = 4_400;
const lineMost = 2_000;
const please = 'Help is needed with this.';

const receiptData = z.object({ id: z.string(), url: z.string(), status: z.string() });

export const ticketOpen = defineAction({
  path: 'ticket open',
  words: `open · write · ask · contact · tell · create · new · send · report · support · ticket · complain · escalate ·
    file · raise | ticket · support · provider · hosting company · helpdesk · help desk · hoster · hosting | ticket
    create · ticket new · ticket write · contact support · ask support · issue create · ask help of hosting`,
  title: 'Open a ticket',
  summary: 'Open a ticket with the support of the provider',
  examples: [
    'ticket open "web-1 does not boot" "It hangs since this morning." order=web-1',
    'ticket open about=request:a7f3c2 priority=2',
  ],
  args: {
    subject: optionalOf(text)({
      hint: 'One line of at most 64 characters. Without it, the subject comes from the request or alert.',
      example: 'web-1 does not boot',
      isForPeople: true,
      schema: filled('subject', subjectMost),
    }),
    message: optionalOf(text)({
      hint: 'The facts that support needs. Passwords and keys are removed before anything is sent.',
      place: 'rest',
      multiline: true,
      isForPeople: true,
      schema: filled('message', typedMost),
    }),
    order: option(order({ hint: 'The order it is about.', example: 'web-1', kinds: everyKind })),
    priority: defaultOf(choice)({
      of: priorities,
      labels: priorityWords,
      hint: 'How urgent it is. The provider asks you not to raise it without need.',
      place: 'option',
      usual: '1',
    }),
    about: optionOf(text)({
      hint: 'A request or an alert whose facts are added, such as request:a7f3c2 or alert:k3m9x2.',
      schema: z.string().trim().toLowerCase().regex(aboutPattern, 'request: or alert: and its id'),
    }),
  },
  needs: [
    { of: ['subject', 'about'], say: 'a subject' },
    { of: ['message', 'about'], say: 'a message' },
  ],
  capability: 'tickets',
  risk: 'disruptive',
  step: z.object({
    subject: z.string(),
    message: z.string(),
    priority: z.literal([0, 1, 2, 3, 4]),
    order: z.string().nullable(),
    about: z.string().nullable(),
  }),
  // The form is filled in with the facts, so that they can be corrected.
  fillIn: async (raw, context) => {
    const [about] = raw.about ?? [];
    if (about === undefined) return raw;
    const { bot } = context;
    const facts = await factsAbout(about, context);
    const message = bot.strikeSecrets([please, ...facts.lines].join('\n'));
    return {
      subject: [bot.strikeSecrets(facts.subject).slice(0, subjectMost).trim()],
      ...(message.length > typedMost ? {} : { message: [message] }),
      ...(facts.target === undefined ? {} : { order: [facts.target.id] }),
      ...raw,
    };
  },
  plan: async ({ subject: typed, message: words, order: named, priority, about }, context) => {
    const { bot } = context;
    if (about === undefined && (typed === undefined || words === undefined)) {
      const field = typed === undefined ? 'subject' : 'message';
      throw new Refusal('bad_value', `The ${field} is missing.`, { field });
    }
    const facts = about === undefined ? undefined : await factsAbout(about, context);
    const target = named === undefined ? facts?.target : orderTarget(named);
    const subject = bot
      .strikeSecrets(typed ?? facts?.subject ?? '')
      .slice(0, subjectMost)
      .trim();
    const own = facts === undefined && target?.kind === 'order' ? [`Order: ${target.id} (${target.name})`] : [];
    // The form filled in the facts; lines that the person removed must stay out.
    const isFilledIn = facts?.lines.some((line) => words?.includes(bot.strikeSecrets(line)));
    const message = bot.strikeSecrets(
      [words ?? please, [...own, ...(isFilledIn ? [] : (facts?.lines ?? []))].join('\n')]
        .filter((part) => part !== '')
        .join('\n\n'),
    );
    mustFit(message);
    const earlier =
      about === undefined ? undefined : (await bot.openedTickets()).find((ticket) => ticket.about === about);
    const orderId = target?.kind === 'order' ? target.id : null;
    const level = priorities.indexOf(priority) as 0 | 1 | 2 | 3 | 4;
    const ticket = { subject, message, priority: level, order: orderId };
    return {
      title: `Open a support ticket: ${subject}`,
      effect: 'The support of the provider reads exactly the text below. The API cannot withdraw a ticket.',
      details: [
        ['Subject', subject],
        ['Order', orderId ?? 'None'],
        ['Priority', priorityWords[priority]],
        ['Removed', message.includes(struckOut) ? `Text that looked like a secret, shown as ${struckOut}.` : ''],
        ['Opened before', earlier && [`a ticket about this: `, { link: earlier.url, text: earlier.subject }]],
      ],
      message,
      facts: ticket,
      steps: [{ target: target ?? accountTarget, label: subject, data: { ...ticket, about: about ?? null } }],
    };
  },
  execute: async ({ subject, message, priority, order: orderId, about }, { provider, bot }) => {
    const order = orderId === null ? {} : { order: orderId };
    const { id, url, status } = await provider.tickets.open({ subject, message, priority, ...order });
    await bot.addOpenedTicket({ id, url, subject, order: orderId, about });
    return { text: `ticket ${id}`, data: { id, url, status } };
  },
  // Tickets cannot be read: the provider's response is the only evidence.
  verify: async (_step, _context, receipt) => {
    const ticket = receiptData.safeParse(receipt?.data).data;
    if (ticket !== undefined)
      return { is: 'so', text: `the provider has the ticket, with the status ${ticket.status || 'opened'}` };
    const text = 'whether the ticket was opened cannot be read: check the customer area before you ask again';
    return { is: 'unsure', isFinal: true, text };
  },
  done: ([step]) => {
    const ticket = receiptData.safeParse(step.receipt?.data).data;
    if (ticket === undefined) return { text: 'The ticket is open' };
    return { text: `The ticket is open. The API reads no answers: they are at ${ticket.url}` };
  },
});

function mustFit(message: string): void {
  const refused = (text: string, hint: string) => badValue(text, hint, 'message');
  if (message.length > messageMost) {
    const hint = `At most ${messageMost} fit on the card that shows it in full: shorten it.`;
    throw refused(`With its facts the message has ${message.length} characters.`, hint);
  }
  if (message.split('\n').some((line) => line.length > lineMost))
    throw refused(`A line of the message is longer than ${lineMost} characters.`, 'Break it into several lines.');
}
