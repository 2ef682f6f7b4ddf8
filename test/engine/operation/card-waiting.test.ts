import { expect, test } from 'vitest';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { approveLabel } from '../../../src/core/plan/approve-label.ts';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import type { View } from '../../../src/core/view/view.ts';
import { twice } from '../../commands/twice.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { buttonsIn, mentionsIn, readView } from '../../support/bot/view-text.ts';
import { sample, seed } from '../../support/suite/seed.ts';
import { cardOf, messagesOf, pressAndSettle, requested, sayAndSettle } from '../told.ts';

// Every command that writes is requested, with a reason. The card that then waits is read at one glance.

const mostWords = 60;
const mostButtons = 2;
/** Of a button in Slack. */
const longestLabel = 75;

const by = [`group:${opsGroup}`];
const approval = { approve: 2, by, typed: true };
const grants = [
  { to: by, can: ['read', 'billing', 'operate', 'dns', 'organize', 'destroy', 'secrets', 'spend', 'tickets'] },
];
const all = <T>(rule: T) => ({ routine: rule, disruptive: rule, dangerous: rule, destructive: rule });
/** The rules, and the labels of the button that decides: `Restart web-1`, `Approve restarting web-1`. */
const policies: Readonly<Record<string, { readonly policy: Policy; readonly named: RegExp }>> = {
  'one confirmation': { policy: policySchema.parse({ grants, rules: all('confirm') }), named: /^[A-Z][a-z]+ / },
  'two approvals and the name typed': {
    policy: policySchema.parse({ grants, rules: all(approval) }),
    named: /^Approve (?:[a-z]+ing|hard reset of) /,
  },
};

const writing = (await loadCommands()).filter(({ kind, risk }) => kind === 'action' && risk !== 'safe');
/** Lines for commands whose examples do not fit the seed, and lines with longer cards than those of the examples. */
const lines: Readonly<Record<string, string>> = {
  'access rule': 'access rule dangerous approve 1',
  create: 'create cpu=2 ram=4 disk=40 app=WordPress location=nl term=3 tags=web',
  'dns replace': 'dns replace mail.example.com mx.example.org in=example.com',
  'dns domain-remove': 'dns domain-remove example.org',
  restart: 'restart tag:web --parallel 3',
  stop: 'stop web-1 web-2 web-3 db-2 cache-1 mail-1 monitor-1 ci-1',
  'ssh-key link': 'ssh-key link 2 db-1 cache-1',
  'tag add': 'tag add tag:web blue green',
};
/** Commands that need an earlier request, an upload or an empty account before they have a card. */
const without = [
  'alerts hook revoke',
  'dns restore',
  'dns undo',
  'events remove',
  'keep',
  'net create',
  'project logo',
  'ticket webhook off',
  'token revoke',
  'unfreeze',
  'unpin',
];

/** The things to be decided on, such as records, are shown whole; they and the options behind the menu do not count. */
const visible = (view: View): View => ({
  ...view,
  parts: view.parts.filter(({ kind }) => kind !== 'diff' && kind !== 'code' && kind !== 'menu'),
});

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

test.each(Object.entries(policies))(
  'under %s each card that waits has at most 60 words and two buttons beside its menu, and the first one names its act',
  async (rule, { policy, named }) => {
    const publicUrl = 'https://hostler.example.com';
    const bot = await startTestBot({ policy, config: { publicUrl } });
    const carded = new Set<string>();
    const tooLong: string[] = [];
    const odd: string[] = [];
    // A quick run asks the approvers about every second command.
    const commands = rule === 'one confirmation' ? writing : sample(writing, 2);
    for (const { path, examples, capability } of commands) {
      const who = capability === 'admin' ? 'admin' : 'operator';
      for (const line of new Set([examples[0], twice[path]?.line, lines[path]])) {
        if (line === undefined) continue;
        const before = bot.posted.length;
        // A zone text may have the word itself.
        const reason = path === 'dns apply' ? '' : ' because it hangs at boot and the console is black';
        // The card is posted when this ends, and the request that is withdrawn no longer bars the next one.
        await bot.say(who, `${line}${reason}`);
        const card = bot.posted.slice(before).find(({ key }) => key.startsWith('card:'));
        const [row] = await bot.store.operations.list({ limit: 1 });
        if (card === undefined || row?.state !== 'waiting') continue;
        carded.add(path);
        const text = readView(visible(card.view), bot.nameOf);
        const buttons = card.view.parts.filter(({ kind }) => kind === 'buttons').flatMap(buttonsIn);
        if (wordsIn(text) > mostWords || buttons.length > mostButtons)
          tooLong.push(`${wordsIn(text)} words, ${buttons.length} buttons: ${line}\n${text}`);
        const label = buttons[0]?.label ?? '';
        if (!named.test(label) || label.length > longestLabel) odd.push(`${label}: ${line}`);
        await bot.click(who, { label: '', intent: { do: 'vote', operation: row.id, vote: 'withdraw' } });
      }
    }
    expect(tooLong, `HOSTLER_SEED=${seed}`).toEqual([]);
    expect(odd, `HOSTLER_SEED=${seed}`).toEqual([]);
    const paths = commands.map(({ path }) => path);
    expect(paths.filter((path) => !carded.has(path)).toSorted()).toEqual(
      without.filter((path) => paths.includes(path)),
    );
  },
);

test('a title that begins with no known verb follows a colon', () => {
  expect(approveLabel('Maintenance of web-1')).toBe('Approve: Maintenance of web-1');
  expect(approveLabel('Undo: Change A www.example.com')).toBe('Approve undoing: Change A www.example.com');
});

const partsOf = (bot: TestBot) => messagesOf(bot, 'card').at(-1)?.view.parts;

test('a card that waits for approval mentions who can approve, and the person who asked is a plain name', async () => {
  const bot = await requested('hard-reset web-1');
  expect(mentionsIn(partsOf(bot))).toEqual([opsGroup]);
  expect(cardOf(bot)).toMatch(/\nNeeds 1 of: @ops or an admin\.\n· Asked by @operator · /);
  expect(bot.findButton('Approve').button.style).toBe('primary');
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(mentionsIn(partsOf(bot))).toEqual([people.operator, people.lead]);
  // Only the button that approves something destructive is red.
  await sayAndSettle(bot, 'operator', 'cancel wiki-1');
  expect(bot.findButton('Approve').button.style).toBe('danger');
  // A card that waits for the confirmation of its requester mentions nobody.
  await sayAndSettle(bot, 'operator', 'restart web-2');
  expect(mentionsIn(partsOf(bot))).toEqual([]);
});

test('a card mentions five approvers at most, never the requester, and the admins where the rule names nobody', async () => {
  const by = Array.from({ length: 8 }, (_, n) => `user:U0APPROVER${n}` as const);
  const policy = { ...usualPolicy(opsGroup), rules: {} };
  const own = `user:${people.operator}` as const;
  const many = { dangerous: { approve: 2, by: [own, ...by], typed: false } };
  const bot = await requested('hard-reset web-1', { policy: { ...policy, rules: many } });
  expect(mentionsIn(partsOf(bot))).toEqual([0, 1, 2, 3, 4].map((n) => `U0APPROVER${n}`));
  expect(cardOf(bot)).toContain(
    'Needs 2 of: @U0APPROVER0, @U0APPROVER1, @U0APPROVER2, @U0APPROVER3, @U0APPROVER4, 3 more or an admin.',
  );
  const other = await requested('hard-reset web-1', { policy });
  expect(mentionsIn(partsOf(other))).toEqual([people.admin]);
});
