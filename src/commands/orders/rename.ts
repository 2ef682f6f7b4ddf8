import { z } from 'zod';
import { orderTarget } from '../../core/account/account.ts';
import { flag, optional, text } from '../../core/command/args.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { badValue, Refusal } from '../../core/view/errors.ts';
import { valueDiff } from '../../core/view/view.ts';
import { defineAction, sent, verdictOf } from '../define.ts';
import { oneLine, withoutStar } from '../without-star.ts';
import { anyOrder, orderLine, readOrder } from './read-order.ts';
import { changesOf, withRights } from './rights.ts';

const args = {
  order: anyOrder,
  name: {
    ...optional(
      text({ hint: 'The new name, at most 64 characters.', place: 'rest', schema: withoutStar(oneLine(64)) }),
    ),
    mayFollowTo: true,
  },
  none: flag({ hint: 'Remove the name.', label: 'Without a name' }),
};

export const rename = defineAction({
  path: 'rename',
  words: 'rename · relabel | name · hostname | change name · give name · other name · change hostname',
  title: 'Rename an order',
  summary: 'Give an order another name',
  examples: ['rename web-1 web-old', 'rename 34-12345 --none'],
  args,
  needs: [{ of: ['name', 'none'], say: 'a new name, or “Without a name”' }],
  capability: 'organize',
  risk: 'routine',
  step: z.object({ id: z.string(), before: z.string(), name: z.string() }),
  plan: async ({ order: listed, name: typed, none }, context) => {
    if (typed === undefined && !none)
      throw badValue('The new name is missing.', 'Give one, or choose “Without a name” (typed: `--none`).', 'name');
    if (typed && none)
      throw new Refusal('bad_value', 'A new name and “Without a name” contradict each other.', { field: 'none' });
    const name = typed ?? '';
    const order = await readOrder(context.reader, listed);
    const label = name || order.hostname || order.id;
    const before = orderTarget(order);
    const wanted = name.toLowerCase();
    const twin = (await context.account()).orders.find(
      (other) => other.id !== order.id && wanted !== '' && other.name.toLowerCase() === wanted,
    );
    // The other order is named only to people who may read it.
    const mayKnow = twin !== undefined && context.may('read', orderTarget(twin));
    const which = mayKnow ? `${twin.id} is called ${twin.name} too` : 'Another order has this name';
    const already = name === '' ? `${order.label} has no name.` : `${order.id} is called ${name} already.`;
    return withRights(changesOf([before], { name: label }), context, {
      title: name === '' ? `Remove the name of ${order.label}` : `Rename ${order.label} to ${name}`,
      subject: [orderLine(order)],
      effect: `Only the name in this account changes. ${name === '' ? `The order is then called ${label}.` : 'The hostname and DNS stay as they are.'}`,
      details: [['Same name', twin && `${which}. Commands then ask which one you mean.`]],
      diff: valueDiff('name', order.name || 'none', name || 'none'),
      facts: { [`name of ${order.id}`]: order.name },
      steps: [{ target: before, label: order.label, data: { id: order.id, before: order.name, name } }],
      nothingToDo: order.name === name ? already : undefined,
    });
  },
  execute: ({ id, name }, { provider }) => sent(provider.orders.update({ order_id: id, name })),
  verify: async ({ id, name }, { reader }) => {
    const { name: read } = await reader.orders.read({ order_id: id });
    return verdictOf(read === name, read ? `its name is ${read}` : 'it has no name');
  },
  done: ([{ data }]) => {
    const { id, before, name } = data;
    const back = before === '' ? { none: ['yes'] } : { name: [before] };
    return {
      text: name === '' ? `${id} has no name now` : `${before || id} renamed to ${name}`,
      undo: lineOf({ path: 'rename', args }, { order: [id], ...back }),
    };
  },
});
