import { z } from 'zod';
import { orderTarget, projectTarget } from '../../core/account/account.ts';
import { option, project, text } from '../../core/command/args.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { Refusal } from '../../core/view/errors.ts';
import { valueDiff } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { changesOf, weighRights } from '../orders/rights.ts';
import { sent, verdictOf } from '../outcome.ts';
import { ordersIn } from './list.ts';
import { mustBeFree, projectComment, projectName } from './project-name.ts';

const args = {
  project: project({ hint: 'A project, by name or id.', example: 'Website' }),
  name: option(text({ hint: 'The new name. Without it, the name stays.', schema: projectName })),
  comment: option(text({ hint: 'The new comment. Without it, the comment stays.', schema: projectComment })),
};

const fields = ['name', 'comment'] as const;
const naming = z.object({ name: z.string(), comment: z.string() });

export const projectEdit = defineAction({
  path: 'project edit',
  title: 'Change a project',
  summary: 'Change the name or the comment of a project',
  examples: ['project edit Website name=Shop', 'project edit Internal comment="Build and monitoring"'],
  args,
  needs: [{ of: ['name', 'comment'], say: 'a name or a comment' }],
  capability: 'organize',
  risk: 'routine',
  step: z.object({ id: z.number(), before: naming, after: naming }),
  plan: async ({ project: listed, name, comment }, context) => {
    if (name === undefined && comment === undefined) {
      throw new Refusal('bad_value', 'Nothing to change is given.', {
        hint: 'Give name=… or comment=…, or both.',
        field: 'name',
      });
    }
    const [before, all, { orders }] = await Promise.all([
      context.reader.projects.read({ id: listed.id }),
      context.reader.projects.list(),
      context.account(),
    ]);
    const after = { name: name ?? before.name, comment: comment ?? before.comment };
    const others = all.filter(({ id }) => id !== before.id);
    if (name !== undefined) mustBeFree(name, others, context.may);
    const target = projectTarget(before);
    const rights = await weighRights(
      [
        ...changesOf([target], { name: after.name, project: after.name }),
        ...changesOf(ordersIn(before.id, orders).map(orderTarget), { project: after.name }),
      ],
      context,
    );
    return {
      title: `Change the project ${before.name}`,
      subject: [[{ bold: before.name }, ` · project ${before.id}`]],
      effect: 'Only the name and the comment of the project change.',
      details: rights.details,
      diff: fields.flatMap((field) =>
        after[field] === before[field] ? [] : valueDiff(field, before[field] || 'none', after[field] || 'none'),
      ),
      facts: {
        [`name of project ${before.id}`]: before.name,
        [`comment of ${before.name}`]: before.comment,
        ...rights.facts,
      },
      steps: [{ target, label: before.name, data: { id: before.id, before: naming.parse(before), after } }],
      ...rights.plan,
      ...(after.name === before.name && after.comment === before.comment
        ? { nothingToDo: `${before.name} has this name and comment already.` }
        : {}),
    };
  },
  execute: ({ id, before, after }, { provider }) =>
    sent(
      provider.projects.update({
        id,
        ...(after.name === before.name ? {} : { name: after.name }),
        ...(after.comment === before.comment ? {} : { comment: after.comment }),
      }),
    ),
  verify: async ({ id, after }, { reader }) => {
    const { name, comment } = await reader.projects.read({ id });
    const isSo = name === after.name && comment === after.comment;
    return verdictOf(isSo, `its name is ${name}, and its comment is ${comment || 'empty'}`);
  },
  done: ([step]) => {
    const { id, before, after } = step.data;
    const back = {
      project: [String(id)],
      ...(after.name === before.name ? {} : { name: [before.name] }),
      ...(after.comment === before.comment ? {} : { comment: [before.comment] }),
    };
    return {
      text:
        after.name === before.name ? `comment of ${before.name} changed` : `${before.name} renamed to ${after.name}`,
      undo: lineOf({ path: 'project edit', args }, back),
    };
  },
});
