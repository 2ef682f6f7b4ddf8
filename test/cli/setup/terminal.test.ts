import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { looksLikeKey, openTerminal } from '../../../src/cli/setup/terminal.ts';

// A key that is pasted at a question whose answer is shown.

function openScreen() {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: 'utf8' });
  let screen = '';
  output.on('data', (text: string) => {
    screen += text;
  });
  const terminal = openTerminal(input, output);
  onTestFinished(terminal.close);
  return { terminal, input, screen: () => screen };
}

const keys = ['xoxb-1-abc', 'XAPP-1-A0-2', 'f00dfeedf00dfeedf00dfeedf00dfeed', 'Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg=='];

test.each(keys)('%s at a question for an address is not shown, and is not the answer', async (key) => {
  const { terminal, input, screen } = openScreen();
  const answer = terminal.prompt('Address of its API', 'https://fornex.com/api');
  input.write(`${key}\r`);
  await expect.poll(screen).toContain('That looks like a key');
  input.write('https://api.example.com\r');
  expect(await answer).toBe('https://api.example.com');
  expect(screen()).not.toContain(key);
  expect(screen()).toContain('https://api.example.com');
});

test('a key typed letter by letter is hidden as soon as it looks like a key, and the next answer is shown', async () => {
  const { terminal, input, screen } = openScreen();
  const answer = terminal.prompt('Admins');
  for (const letter of 'xoxb-secret') input.write(letter);
  await expect.poll(screen).toContain('\u001b[2KAdmins: ');
  input.write('\r');
  await expect.poll(screen).toContain('That looks like a key');
  input.write('@ada\r');
  expect(await answer).toBe('@ada');
  expect(screen()).not.toContain('secret');
  expect(screen()).toContain('@ada');
});

test.each([
  'https://fornex.com/api',
  'http://127.0.0.1:41234',
  '@ada, Lead Lena, U0OPERAT01',
  'https://acme.slack.com/archives/C0OPS00001',
  'hostler-operations-of-the-harbour',
  '',
])('"%s" is no key', (text) => {
  expect(looksLikeKey(text)).toBe(false);
});
