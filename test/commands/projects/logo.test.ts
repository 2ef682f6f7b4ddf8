import { expect, test } from 'vitest';
import { projectLogo } from '../../../src/commands/projects/logo.ts';
import type { UploadedFile } from '../../../src/core/command/bot-port.ts';
import { fieldsOf, rawOf } from '../../../src/core/command/command-form.ts';
import { openCommandRunner } from '../../support/bot/run-command.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const openRunner = (uploaded: Partial<UploadedFile> = {}) =>
  openCommandRunner({
    commands: [projectLogo],
    uploads: { 'project logo': 'F0LOGO' },
    file: async () => ({ name: 'new.png', type: 'image/png', bytes: png, ...uploaded }),
  });

test('an uploaded picture becomes the logo, and the note has its new address', async () => {
  const { planOf, run, sim } = await openRunner();
  const planned = await planOf('project logo Website');
  const { end, ending, note } = await run(planned);
  expect({ end, ending }).toEqual({ end: 'done', ending: { text: 'logo of Website changed' } });
  expect(note).toMatch(/\/media\/project\/1\/logo-a7f3c2\.png$/);
  const { logo } = sim.state().projects.find((project) => project.id === 1) ?? {};
  expect(logo).toEqual({
    fileName: 'logo-a7f3c2.png',
    contentType: 'image/png',
    base64: Buffer.from(png).toString('base64'),
  });
});

test('the type of a picture is read from its bytes, not from its name', async () => {
  const { runCommand, sim } = await openRunner({
    name: 'x.png',
    bytes: Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
  });
  expect((await runCommand('project logo Website')).end).toBe('done');
  expect(sim.state().projects.find((project) => project.id === 1)?.logo?.contentType).toBe('image/jpeg');
});

test.for<[string, Partial<UploadedFile>, string]>([
  [
    'a page named as a picture',
    { bytes: new TextEncoder().encode('<svg onload="x"/>') },
    'new.png is not a PNG, JPEG, GIF or WebP picture.',
  ],
  ['an empty file', { bytes: new Uint8Array() }, 'new.png is empty.'],
  ['more than 2 MB', { bytes: new Uint8Array(2 * 1024 * 1024 + 1).fill(1) }, 'new.png has 2.0 MB.'],
])('%s is refused as a logo before anything is sent', async ([, uploaded, text]) => {
  const { refusalOf, writes } = await openRunner(uploaded);
  // The error is at the field of the open form.
  const refusal = await refusalOf('project logo Website');
  expect(refusal.message).toContain(text);
  expect(refusal.field).toBe('file');
  expect(writes()).toEqual([]);
});

test('a logo that somebody changed after the approval is not replaced', async () => {
  const { planOf, run, provider, writes } = await openRunner();
  const planned = await planOf('project logo Website');
  await provider.projects.editLogo({ id: 1, logo: { name: 'theirs.png', type: 'image/png', bytes: png } });
  expect((await run(planned)).end).toBe('changed');
  expect(writes()).toHaveLength(1);
});

test('the file of a logo comes only from the form, which accepts only pictures', async () => {
  const typed = await openCommandRunner({ commands: [projectLogo] });
  expect((await typed.refusalOf('project logo Website')).message).toBe('missing: file');
  expect(await typed.refusalOf('project logo Website file=F0LOGO')).toMatchObject({ field: 'file' });
  const forged = await openCommandRunner({ commands: [projectLogo], uploads: { 'project logo': '../etc/passwd' } });
  expect(await forged.refusalOf('project logo Website')).toMatchObject({ field: 'file' });
  const field = fieldsOf(projectLogo.args, {}, (_, value) => value).find((one) => one.name === 'file');
  expect(field).toMatchObject({ widget: 'file', label: 'Picture', types: ['png', 'jpg', 'jpeg', 'gif', 'webp'] });
  expect(rawOf(projectLogo.args, { project: ['1'], file: ['F0LOGO'] })).toEqual({ project: ['1'], file: ['F0LOGO'] });
});
