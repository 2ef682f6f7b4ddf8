import { z } from 'zod';
import { accountTarget, orderTarget, type Project, projectTarget } from '../../core/account/account.ts';
import { option, project, text as words } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { badValue, ifReadable } from '../../core/view/errors.ts';
import { dotted, valueDiff } from '../../core/view/view.ts';
import { defineAction, made, sent, verdictOf } from '../define.ts';
import { changesOf, withRights } from '../orders/rights.ts';
import { oneLine, withoutStar } from '../without-star.ts';
import { ordersIn } from './list.ts';

/** The provider's limits of lengths, checked before anything is sent. */
const projectName = withoutStar(oneLine(40).min(1, 'a name that is not empty'));

const projectComment = z.string().trim().max(256, 'at most 256 characters long');

/** Refuses a name in use, which the provider would accept although it would become ambiguous. */
function mustBeFree(wanted: string, others: readonly Pick<Project, 'id' | 'name'>[], may: ReadContext['may']): void {
  const twin = others.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (twin === undefined) return;
  if (!may('read', projectTarget(twin)))
    throw badValue('Another project has this name already.', 'Choose another name.', 'name');
  const show = { label: `Show ${twin.name}`, command: `project show ${twin.id}` };
  const text = `There is a project called ${twin.name} already (${twin.id}).`;
  throw badValue(text, 'Choose another name, or add orders to that one.', 'name', show);
}

export const projectCreate = defineAction({
  path: 'project create',
  words: `create · new · make · set up · need a project · open a project · make project | project · proj | separate
    project`,
  title: 'Create a project',
  summary: 'Create a project',
  examples: ['project create Shop', 'project create "Mail and DNS" comment="What customers do not see"'],
  args: {
    name: words({ hint: 'Its name, at most 40 characters.', example: 'Shop', place: 'rest', schema: projectName }),
    comment: option(words({ hint: 'Its purpose, at most 256 characters.', schema: projectComment })),
  },
  capability: 'organize',
  isAccountWide: () => true,
  risk: 'routine',
  step: z.object({ name: z.string(), comment: z.string() }),
  plan: async ({ name, comment = '' }, { reader, may }) => {
    mustBeFree(name, await reader.projects.list(), may);
    return {
      title: `Create the project ${name}`,
      subject: comment === '' ? [] : [comment],
      effect: 'An empty project is created. It is free.',
      facts: { name, comment },
      steps: [{ target: accountTarget, label: name, data: { name, comment } }],
    };
  },
  execute: ({ name, comment }, { provider }) =>
    made('project', provider.projects.create({ name, ...(comment === '' ? {} : { comment }) })),
  verify: async ({ name }, { reader }) => {
    // Found by name, since after a lost response there is no id.
    const matches = (await reader.projects.list()).filter((project) => project.name === name);
    const ids = matches.map((project) => project.id).join(', ');
    if (matches.length === 0) return { is: 'not', text: `no project is called ${name}` };
    return { is: matches.length === 1 ? 'so' : 'unsure', text: `in the list of projects as ${ids}` };
  },
  done: ([step]) => {
    const id = z.object({ id: z.number() }).safeParse(step.receipt?.data).data?.id;
    return { text: `project ${step.data.name} created${id === undefined ? '' : ` (${id})`}` };
  },
});

const args = {
  project: project({ hint: 'A project, by name or id.', example: 'Website' }),
  name: option(words({ hint: 'The new name. Without it, the name stays.', schema: projectName })),
  comment: option(words({ hint: 'The new comment. Without it, the comment stays.', schema: projectComment })),
};

const naming = z.object({ name: z.string(), comment: z.string() });
type Naming = z.infer<typeof naming>;

function changedFields(before: Naming, after: Naming) {
  return (['name', 'comment'] as const).filter((field) => after[field] !== before[field]);
}

export const projectEdit = defineAction({
  path: 'project edit',
  words: `edit · rename · change · update · write | project · proj · comment of · description of · project name ·
    project description | project other name · call project · rename project`,
  title: 'Change a project',
  summary: 'Change the name or the comment of a project',
  examples: ['project edit Website name=Shop', 'project edit Internal comment="Build and monitoring"'],
  args,
  needs: [{ of: ['name', 'comment'], say: 'a name or a comment' }],
  capability: 'organize',
  risk: 'routine',
  step: z.object({ id: z.number(), before: naming, after: naming }),
  plan: async ({ project: listed, name, comment }, context) => {
    if (name === undefined && comment === undefined)
      throw badValue('Nothing to change is given.', 'Give name=… or comment=…, or both.', 'name');
    const [before, all, { orders }] = await Promise.all([
      context.reader.projects.read({ id: listed.id }),
      context.reader.projects.list(),
      context.account(),
    ]);
    const after = { name: name ?? before.name, comment: comment ?? before.comment };
    const changed = changedFields(before, after);
    const others = all.filter(({ id }) => id !== before.id);
    if (name !== undefined) mustBeFree(name, others, context.may);
    const target = projectTarget(before);
    const changes = [
      ...changesOf([target], { name: after.name, project: after.name }),
      ...changesOf(ordersIn(before.id, orders).map(orderTarget), { project: after.name }),
    ];
    return withRights(changes, context, {
      title: `Change the project ${before.name}`,
      subject: [[{ bold: before.name }, ` · project ${before.id}`]],
      effect: 'Only the name and the comment of the project change.',
      diff: changed.flatMap((field) => valueDiff(field, before[field] || 'none', after[field] || 'none')),
      facts: {
        [`name of project ${before.id}`]: before.name,
        [`comment of ${before.name}`]: before.comment,
      },
      steps: [{ target, label: before.name, data: { id: before.id, before: naming.parse(before), after } }],
      nothingToDo: changed.length === 0 ? `${before.name} has this name and comment already.` : undefined,
    });
  },
  execute: ({ id, before, after }, { provider }) => {
    const values = changedFields(before, after).map((field) => [field, after[field]] as const);
    return sent(provider.projects.update({ id, ...Object.fromEntries(values) }));
  },
  verify: async ({ id, after }, { reader }) => {
    const { name, comment } = await reader.projects.read({ id });
    const isSo = name === after.name && comment === after.comment;
    return verdictOf(isSo, `its name is ${name}, and its comment is ${comment || 'empty'}`);
  },
  done: ([step]) => {
    const { id, before, after } = step.data;
    const back = changedFields(before, after).map((field) => [field, [before[field]]] as const);
    return {
      text:
        after.name === before.name ? `comment of ${before.name} changed` : `${before.name} renamed to ${after.name}`,
      undo: lineOf({ path: 'project edit', args }, { project: [String(id)], ...Object.fromEntries(back) }),
    };
  },
});

export const projectDelete = defineAction({
  path: 'project delete',
  words: 'delete · remove · rm · scrap · erase · throw away · dissolve · drop | project · proj |',
  title: 'Delete a project',
  summary: 'Delete a project; its orders stay, without one',
  examples: ['project delete Internal', 'project delete 2'],
  args: { project: project({ hint: 'A project, by name or id.', example: 'Internal', place: 'rest' }) },
  capability: 'organize',
  risk: 'dangerous',
  step: z.object({ id: z.number(), name: z.string() }),
  plan: async ({ project: listed }, context) => {
    const { reader, account } = context;
    const [project, { orders }] = await Promise.all([reader.projects.read({ id: listed.id }), account()]);
    const own = ordersIn(project.id, orders);
    const target = projectTarget(project);
    const names = (most: number) => firstFew(own, most, (order) => order.label);
    const [stay, lose] = own.length === 1 ? ['stays', 'loses its'] : ['stay', 'lose their'];
    const orderTargets = own.map(orderTarget);
    return withRights(changesOf(orderTargets, { project: null }), context, {
      title: `Delete the project ${project.name}`,
      subject: [
        [{ bold: project.name }, ` · project ${project.id}${project.comment === '' ? '' : ` · ${project.comment}`}`],
      ],
      // The orders lose their project and with it the rights granted on it.
      targets: [target, ...orderTargets],
      effect: 'The project is deleted with its comment and logo. Its orders stay, in no project.',
      glance: dotted([
        own.length === 0 ? 'no order is in it' : `${names(5)} ${stay}, in no project`,
        'its comment and logo are deleted',
      ]),
      details: [
        ['Orders', own.length === 0 ? 'none is in it' : `${count(own.length, 'order')} ${lose} project: ${names(10)}`],
      ],
      facts: {
        [`name of project ${project.id}`]: project.name,
        [`orders of ${project.name}`]: own.map((order) => order.id).toSorted(),
      },
      steps: [{ target, label: project.name, data: { id: project.id, name: project.name } }],
      typedName: project.name,
    });
  },
  execute: ({ id }, { provider }) => sent(provider.projects.delete({ id })),
  verify: async ({ id, name }, { reader }) => {
    const project = await ifReadable(reader.projects.read({ id }), 'not_found');
    return verdictOf(project === undefined, `there is no project ${name} now`, 'the project is still there');
  },
  done: ([step]) => ({ text: `project ${step.data.name} deleted` }),
});
