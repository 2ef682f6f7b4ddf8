import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startSlack } from '../../../sandbox/slack/server.ts';
import { recordViews } from '../../../sandbox/view-recorder.ts';
import { checkViews } from '../../../src/cli/check/check-views.ts';
import { newFolder } from '../../support/process/new-folder.ts';
import { runInPlace } from '../in-place.ts';

async function openSlack() {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  return slack;
}

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const found = (apiUrl: string, folder?: string) => Array.fromAsync(checkViews(apiUrl, folder));

test('hostler check --views prints one green line when Slack accepts all views, those of the code and those of a folder', async () => {
  const slack = await openSlack();
  const folder = await newFolder('views');
  const record = recordViews(folder);
  record({ surface: 'message', command: '/host list', payload: { blocks: [section('web-1')] } });
  // The same shape: one file.
  record({ surface: 'message', command: '/host list', payload: { blocks: [section('db-1')] } });
  record({ surface: 'home', command: 'app_home_opened', payload: { type: 'home', blocks: [section('web-1')] } });
  slack.sim.fault({ method: 'blocks.validate', status: 429, retryAfterS: 1, count: 1 });
  expect(await found(slack.apiUrl, folder)).toEqual([
    {
      is: 'good',
      about: 'views',
      text: expect.stringMatching(/^Slack takes all: [2-9]\d\d views of the code and 2 views of /),
    },
  ]);
  const asked = slack.sim.requests('blocks.validate').filter(({ ok }) => ok);
  expect(asked.length).toBeGreaterThan(200);
  expect(
    new Set(asked.map(({ args }) => ('message' in args ? 'message' : JSON.parse(String(args.view)).type))),
  ).toEqual(new Set(['message', 'modal', 'home']));
});

test('a refused view is a red line with the surface, the request that draws it, and the place in the view', async () => {
  const slack = await openSlack();
  const folder = await newFolder('views');
  const payload = { blocks: [section('web-1'), { type: 'divider' }] };
  recordViews(folder)({ surface: 'message', command: '/host restart web-1 › confirm', payload });
  slack.sim.refuseBlocks({ type: 'divider', surface: 'message' });
  const lines = await found(slack.apiUrl, folder);
  expect(lines).toContainEqual({
    is: 'bad',
    about: 'message',
    text: '/host restart web-1 › confirm: /blocks/1/type unsupported type: divider (failed_constraint)',
  });
  const last = lines.at(-1);
  expect(last).toMatchObject({ is: 'bad', about: 'views', text: expect.stringMatching(/^Slack refuses \d+ of \d+: /) });
});

test('a missing folder, or a file that is no view, is an error of one line', async () => {
  const slack = await openSlack();
  await expect(found(slack.apiUrl, '/nowhere/views')).rejects.toThrow('There is no folder /nowhere/views.');
  const folder = await newFolder('views');
  await writeFile(join(folder, 'a.json'), '{"blocks":');
  await expect(found(slack.apiUrl, folder)).rejects.toThrow(/a\.json is not a view from npm --prefix proof run views/);
  await slack.close();
  await expect(found(slack.apiUrl)).rejects.toThrow(/^asking http.*blocks\.validate: /);
});

test('on the command line, --views works without settings, and a refused view is exit code 1', async () => {
  const slack = await openSlack();
  const folder = await newFolder('views');
  const hostler = async (...words: string[]) => {
    const { code, said } = await runInPlace(folder, { SLACK_API_URL: slack.apiUrl }, words);
    return { code, said: stripVTControlCharacters(said) };
  };
  slack.sim.refuseBlocks({ type: 'input' });
  const refused = await hostler('check', '--views');
  expect(refused.code).toBe(1);
  expect(refused.said).toMatch(/^✕ modal +\/host dns add: \/blocks\/\d+\/type /m);
  expect((await hostler('check', 'somewhere')).said).toMatch(/^hostler check /);
});
