import { z } from 'zod';
import { accountTarget } from '../../core/account/account.ts';
import { option, text } from '../../core/command/args.ts';
import { defineAction } from '../define.ts';
import { mustBeFree, projectComment, projectName } from './project-name.ts';

export const projectCreate = defineAction({
  path: 'project create',
  title: 'Create a project',
  summary: 'Create a project',
  examples: ['project create Shop', 'project create "Mail and DNS" comment="What customers do not see"'],
  args: {
    name: text({ hint: 'Its name, at most 40 characters.', example: 'Shop', place: 'rest', schema: projectName }),
    comment: option(text({ hint: 'Its purpose, at most 256 characters.', schema: projectComment })),
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
  execute: async ({ name, comment }, { provider }) => {
    const { id } = await provider.projects.create({ name, ...(comment === '' ? {} : { comment }) });
    return { text: `project ${id}`, data: { id } };
  },
  verify: async ({ name }, { reader }) => {
    // Found by name, since after a lost response there is no id.
    const matches = (await reader.projects.list()).filter((project) => project.name === name);
    const ids = matches.map((project) => project.id).join(', ');
    return matches.length === 0
      ? { is: 'not', text: `no project is called ${name}` }
      : { is: matches.length === 1 ? 'so' : 'unsure', text: `in the list of projects as ${ids}` };
  },
  done: ([step]) => {
    const id = z.object({ id: z.number() }).safeParse(step.receipt?.data).data?.id;
    return { text: `project ${step.data.name} created${id === undefined ? '' : ` (${id})`}` };
  },
});
