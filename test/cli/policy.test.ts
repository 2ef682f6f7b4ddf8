import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test as base, expect } from 'vitest';
import { runAudit } from '../../src/cli/audit.ts';
import { runPolicy } from '../../src/cli/policy.ts';
import { newFolder } from '../support/process/new-folder.ts';

// Policies as a file: reviewed, tested and applied like code.

async function terminal() {
  const dir = await newFolder('policy');
  const config = { databaseUrl: join(dir, 'hostler.db'), admins: ['U0ADMIN'], auditKeys: [new Uint8Array(32)] };
  const file = join(dir, 'policy.yaml');
  const run = async (command: typeof runPolicy, ...argv: string[]) => {
    const lines: string[] = [];
    const code = await command({ argv, config, print: (line) => lines.push(line) });
    return { code, text: lines.join('\n') };
  };
  return {
    file,
    write: (text: string) => writeFile(file, text),
    policy: (verb: string) => run(runPolicy, verb, ...(verb === 'export' ? [] : [file])),
    audit: (verb: string) => run(runAudit, verb),
  };
}

const test = base.extend('shell', () => terminal());

const first = `
channels:
  C0OPS:
    grants:
      - { to: [everyone], can: [read] }
      - { to: ['group:S0OPS'], can: [read, operate], on: ['tag:web'] }
    rules:
      disruptive: { approve: 2, by: ['group:S0OPS'] }
tests:
  - { person: U0OPERATOR, groups: [S0OPS], channel: C0OPS, asks: restart web-1, on: { order: web-1, tags: [web] }, expect: needs 2 approvals }
  - { person: U0OPERATOR, groups: [S0OPS], channel: C0OPS, asks: restart db-1, on: { order: db-1, tags: [db] }, expect: refused }
  - { person: U0READER, channel: C0OPS, asks: list, expect: allowed }
  - { person: U0GUEST, membership: guest, channel: C0OPS, asks: list, expect: refused }
  - { person: U0READER, channel: C0DEV, asks: list, expect: refused }
`;

test('hostler policy test, diff, apply and export: the export shows the policy that was applied', async ({ shell }) => {
  await shell.write(first);
  expect(await shell.policy('test')).toMatchObject({ code: 0, text: expect.stringContaining('5 cases, 0 fail') });
  expect((await shell.policy('diff')).text).toMatchInlineSnapshot(`
    "C0OPS  + everyone may read on all
    C0OPS  + group:S0OPS may operate on tag:web
    C0OPS  + group:S0OPS may read on tag:web
    C0OPS  ~ disruptive: one confirmation (default) → 2 approvals from group:S0OPS or an admin"
  `);
  expect((await shell.policy('apply')).text).toContain('applied C0OPS: version 1');
  expect((await shell.policy('diff')).text).toBe('nothing would change');
  // The export is a file that changes nothing.
  await shell.write((await shell.policy('export')).text);
  expect((await shell.policy('diff')).text).toBe('nothing would change');
  expect((await shell.policy('apply')).text).toBe('');
  await shell.write(
    first
      .replace("can: [read, operate], on: ['tag:web']", 'can: [read, dns]')
      .replaceAll('needs 2 approvals', 'refused'),
  );
  expect((await shell.policy('diff')).text).toMatchInlineSnapshot(`
    "C0OPS  + group:S0OPS may dns on all
    C0OPS  + group:S0OPS may read on all
    C0OPS  − group:S0OPS may operate on tag:web
    C0OPS  − group:S0OPS may read on tag:web"
  `);
  expect((await shell.policy('apply')).text).toContain('applied C0OPS: version 2');
  expect((await shell.audit('verify')).text).toContain('✓ 3 rows, every link holds; the end is 3:');
  expect((await shell.audit('export')).text).toMatch(/policy of C0OPS applied from a file by \S+/);
});

test('hostler policy diff shows rules in words, and a channel outside the file keeps its policy', async ({ shell }) => {
  await shell.write(first);
  await shell.policy('apply');
  await shell.write(`
channels:
  C0DEV:
    grants: [{ to: ['user:U0LEAD'], can: [read] }]
    rules: { dangerous: confirm, destructive: { approve: 1, by: ['user:U0LEAD', 'group:S0OPS'], typed: true, notify: dm } }
    solo: true
    reads: public
`);
  expect((await shell.policy('diff')).text).toMatchInlineSnapshot(`
    "C0DEV  + user:U0LEAD may read on all
    C0DEV  ~ dangerous: one approval from the admins (default) → one confirmation
    C0DEV  ~ destructive: one approval from the admins, with the name typed, then 5 min to stop it (default) → one approval from user:U0LEAD or group:S0OPS or an admin, with the name typed, notified by direct message
    C0DEV  ~ solo: no → yes
    C0DEV  ~ reads: private → public
    C0OPS is not in the file and is not changed"
  `);
  expect((await shell.policy('apply')).text).toContain('C0OPS is not in the file and is not changed');
  expect((await shell.policy('export')).text).toMatch(/ {2}C0DEV:(?:.|\n)*notify: dm(?:.|\n)* {2}C0OPS:/);
});

test('a file whose own test cases fail is not applied', async ({ shell }) => {
  await shell.write(first.replace('expect: needs 2 approvals', 'expect: allowed'));
  const tested = await shell.policy('test');
  expect(tested.code).toBe(1);
  expect(tested.text).toContain('needs 2 approvals (granted to @S0OPS: read, operate on tag:web), expected allowed');
  await expect(shell.policy('apply')).rejects.toThrow("Nothing was applied: 1 of the file's test cases fail.");
  expect((await shell.policy('export')).text).not.toContain('C0OPS');
});

test('a policy file that is nested 5,000 deep is refused in a sentence', async ({ shell }) => {
  for (const deep of [
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    `${'{a: '.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `${'- '.repeat(5_000)}1`,
  ]) {
    await shell.write(`channels: {}\ntests:\n  ${deep}`);
    await expect(shell.policy('diff')).rejects.toThrow(/ is nested too deeply to be a policy file\.$/);
  }
});

test('test and diff warn of a grant on a tag when anybody may set the tag in any channel', async ({ shell }) => {
  await shell.write(`
channels:
  C0OPS: { grants: [{ to: [everyone], can: [organize] }] }
  C0LAB: { grants: [{ to: [everyone], can: [destroy], on: ['tag:scratch'] }] }
`);
  const warning = 'C0LAB  ! "everyone may destroy on tag:scratch" grants on tag:scratch, and everyone in C0OPS';
  expect((await shell.policy('test')).text).toContain(warning);
  expect((await shell.policy('diff')).text).toContain(warning);
  await shell.policy('apply');
  // The file has one of the policies; the database has the other.
  await shell.write(`
channels:
  C0LAB: { grants: [{ to: [everyone], can: [destroy], on: ['tag:scratch'] }] }
`);
  expect((await shell.policy('diff')).text).toContain(warning);
});

test('without a database nothing can be read, and no database is made', async ({ shell }) => {
  await expect(shell.audit('verify')).rejects.toThrow(
    'Hostler has not set up this database, and this command does not',
  );
  await expect(shell.audit('export')).rejects.toThrow('Hostler has not set up this database');
  await expect(shell.policy('export')).rejects.toThrow('Hostler has not set up this database');
  expect(await readdir(dirname(shell.file))).toEqual([]);
});

test('hostler policy test and apply refuse a rule that no request could meet, with the sum', async ({ shell }) => {
  await shell.write(`
channels:
  C0OPS:
    grants: [{ to: ['group:S0OPS'], can: [operate] }]
    rules: { dangerous: { approve: 9, by: ['user:U0LEAD'] }, destructive: { approve: 9, by: ['group:S0OPS'] } }
`);
  const why =
    /C0OPS: nobody could meet the rule for dangerous: it needs 9 approvals, and \d (person|people) can approve/;
  const tested = await shell.policy('test');
  expect(tested).toMatchObject({ code: 1, text: expect.stringMatching(why) });
  // The members of a group are not known on the command line.
  expect(tested.text).not.toContain('destructive');
  await expect(shell.policy('apply')).rejects.toThrow(why);
  expect((await shell.policy('export')).text).not.toContain('C0OPS');
});

test('a rule requires a maintenance window of the policy, and another one is refused', async ({ shell }) => {
  const withWindows = (windows: string) => `
channels:
  C0OPS:
    grants: [{ to: ['group:S0OPS'], can: [read, operate] }]
    windows: ${windows}
    rules: { disruptive: { approve: 1, by: ['group:S0OPS'], window: maintenance, grace: 30m } }
tests:
  - { person: U0OPERATOR, groups: [S0OPS], channel: C0OPS, asks: restart web-1, expect: needs 1 approval }
`;
  await shell.write(withWindows('{ nightly: "daily 22:00-04:00 UTC" }'));
  await expect(shell.policy('test')).rejects.toThrow('`windows` of the policy has no maintenance, only nightly');
  await shell.write(withWindows('{ maintenance: "sun 02:00-05:00 Europe/Berlin" }'));
  expect((await shell.policy('test')).text).toContain('needs 1 approval, only in maintenance (');
  const diff = (await shell.policy('diff')).text;
  expect(diff).toContain('C0OPS  + maintenance window maintenance: sun 02:00-05:00 Europe/Berlin');
  expect(diff).toContain('one approval from group:S0OPS or an admin, only in maintenance, at most 30 min late');
});
