import { z } from 'zod';
import { projectTarget } from '../../core/account/account.ts';
import { project } from '../../core/command/args.ts';
import type { UploadedFile } from '../../core/command/bot-port.ts';
import { file } from '../../core/command/slack-args.ts';
import { badValue } from '../../core/view/errors.ts';
import { defineAction, sent } from '../define.ts';
import { uploaded } from '../uploaded.ts';

/** Extensions for Slack's file picker. */
const imageEndings = ['png', 'jpg', 'jpeg', 'gif', 'webp'] as const;

const maxBytes = 2 * 1024 * 1024;

export const projectLogo = defineAction({
  path: 'project logo',
  words: 'set · change | logo',
  title: 'Change a project logo',
  summary: 'Give a project another logo',
  examples: ['project logo Website', 'project logo Internal'],
  args: {
    project: project({ hint: 'A project, by name or id.', example: 'Website' }),
    file: file({ hint: 'A PNG, JPEG, GIF or WebP picture of at most 2 MB.', label: 'Picture', types: imageEndings }),
  },
  capability: 'organize',
  risk: 'routine',
  step: z.object({ id: z.number(), name: z.string(), file: z.string(), before: z.string().nullable() }),
  plan: async ({ project: listed, file }, context) => {
    // Checked before the card is posted, and again before the upload.
    pictureOf(await uploaded(file, context));
    const project = await context.reader.projects.read({ id: listed.id });
    const target = projectTarget(project);
    return {
      title: `Change the logo of ${project.name}`,
      subject: [[{ bold: project.name }, ` · project ${project.id}`]],
      effect: 'The uploaded picture replaces the present logo, which is not kept.',
      details: [['Logo now', project.logo === null ? 'None' : [{ link: project.logo, text: 'picture' }]]],
      facts: { [`name of project ${project.id}`]: project.name, [`logo of ${project.name}`]: project.logo, file },
      steps: [
        { target, label: project.name, data: { id: project.id, name: project.name, file, before: project.logo } },
      ],
    };
  },
  execute: async ({ id, file }, { provider, operation, file: fetch }) => {
    const uploaded = await fetch(file);
    const { type, ending } = pictureOf(uploaded);
    // The provider builds the logo's address from this name, so a new name proves the new picture.
    const logo = { name: `logo-${operation}.${ending}`, type, bytes: new Uint8Array(uploaded.bytes) };
    return sent(provider.projects.editLogo({ id, logo }));
  },
  verify: async ({ id, before }, { reader }) => {
    const { logo } = await reader.projects.read({ id });
    if (logo !== null && logo !== before) return { is: 'so', text: `its new logo is at ${logo}` };
    return { is: 'unsure', text: 'the address of the logo is the same as before' };
  },
  done: ([step]) => ({ text: `logo of ${step.data.name} changed` }),
});

/** Refuses a wrong file before a byte is sent. */
function pictureOf({ name, bytes }: UploadedFile) {
  const wrong = (text: string) =>
    badValue(`${name} ${text}.`, 'Nothing was sent. Upload a PNG, JPEG, GIF or WebP picture of at most 2 MB.', 'file');
  if (bytes.length === 0) throw wrong('is empty');
  if (bytes.length > maxBytes) throw wrong(`has ${(bytes.length / 1024 / 1024).toFixed(1)} MB`);
  const isAt = (char: string, at: number) => char === '?' || bytes[at] === char.charCodeAt(0);
  const type = types.find(({ start }) => [...start].every(isAt));
  if (type === undefined) throw wrong('is not a PNG, JPEG, GIF or WebP picture');
  return type;
}

/** The types of pictures by their first bytes, since a name and an announced type prove nothing; `?` is any byte. */
const types = [
  { type: 'image/png', ending: 'png', start: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', ending: 'jpg', start: '\xff\xd8\xff' },
  { type: 'image/gif', ending: 'gif', start: 'GIF8' },
  { type: 'image/webp', ending: 'webp', start: 'RIFF????WEBP' },
] as const;
