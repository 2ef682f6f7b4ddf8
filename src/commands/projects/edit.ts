import { z } from 'zod';
import { orderTarget, projectTarget } from '../../core/account/account.ts';
import { optional, project, text } from '../../core/command/args.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { Refusal } from '../../core/view/errors.ts';
import { valueDiff } from '../../core/view/value-diff.ts';
import { defineAction } from '../define.ts';
import { weighRights } from '../orders/rights.ts';
import { verdictOf } from '../outcome.ts';
import { ordersIn } from './list.ts';
import { mustBeFree, projectComment, projectName } from './project-name.ts';

const args = {
  project: project({ hint: 'A project, by name or id.', example: 'Website' }),
  name: optional(text({ hint: 'The new name. Without it, the name stays.', place: 'option', schema: projectName })),
  comment: optional(
    text({ hint: 'The new comment. Without it, the comment stays.', place: 'option', schema: projectComment }),
  ),
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
    if (name !== undefined) {
      const others = all.filter(({ id }) => id !== before.id);
      mustBeFree(name, others, context.may);
    }
    const target = projectTarget(before);
    const rights = await weighRights(
      [
        { before: target, after: projectTarget({ id: before.id, name: after.name }) },
        ...ordersIn(before.id, orders).map((order) => ({
          before: orderTarget(order),
          after: { ...orderTarget(order), project: after.name },
        })),
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
  execute: async ({ id, before, after }, { provider }) => {
    const answered = await provider.projects.update({
      id,
      ...(after.name === before.name ? {} : { name: after.name }),
      ...(after.comment === before.comment ? {} : { comment: after.comment }),
    });
    return { text: '', data: { name: answered.name, comment: answered.comment } };
  },
  verify: async ({ id, after }, { reader }) => {
    const { name, comment } = await reader.projects.read({ id });
    const isSo = name === after.name && comment === after.comment;
    const text = `its name is ${name}, and its comment is ${comment || 'empty'}`;
    return verdictOf(isSo, text, text);
  },
  done: ([step]) => {
    if (step === undefined) return { text: 'project changed' };
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
