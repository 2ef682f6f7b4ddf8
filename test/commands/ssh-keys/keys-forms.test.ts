import { expect, test } from 'vitest';
import { keyBody } from '../../../sandbox/provider/seed/ssh-keys.ts';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { formIn, suggested } from '../../engine/told.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';

// The forms of `create` and `reinstall` offer the keys of the account, by title and fingerprint.

async function offered(bot: TestBot, line: string) {
  let form = await bot.open('operator', { line });
  const pages = [{ hardware: 'plan', plan: ['Cloud NVMe 2'] }, { template: ['Debian 13'] }];
  for (const values of line === 'create' ? pages : []) {
    const answer = await bot.submit('operator', form, values);
    if (answer.kind !== 'next') throw new Error(JSON.stringify(answer));
    form = answer.form;
  }
  const field = formIn(form).fields.find(({ name }) => name === 'ssh_keys');
  expect(field).toMatchObject({ widget: 'search', source: 'ssh-keys-or-default', many: true, optional: true });
  return suggested(bot, 'operator', form, 'ssh-keys-or-default');
}

test.each(['create', 'reinstall web-1'])(
  'the form of %s offers keys and "default", and shows no key in full',
  async (line) => {
    const bot = await startTestBot();
    const all = await offered(bot, line);
    expect(all.map(({ label }) => label)).toEqual([
      expect.stringContaining('default'),
      expect.stringContaining('Ada laptop'),
      expect.stringContaining('CI deploy'),
      expect.stringContaining('Old workstation'),
    ]);
    expect(JSON.stringify(all)).toContain('SHA256:');
    expect(JSON.stringify(all)).not.toContain(keyBody('ssh-ed25519', 'Ada laptop').slice(24));
  },
);

test('the names of keys are offered only for a grant on the whole account', async () => {
  const policy = policySchema.parse({
    grants: [{ to: ['everyone'], can: ['read', 'destroy', 'spend'], on: ['order:web-*'] }],
  });
  const bot = await startTestBot({ policy });
  expect(await offered(bot, 'reinstall web-1')).toEqual([]);
});
