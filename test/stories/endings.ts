import { expect } from 'vitest';
import { granting } from '../support/bot/policy.ts';
import { orderOf } from './account.ts';
import { done, type Story } from './story.ts';

// Each way in which a request ends, as the channel reads it.

const busy = { kind: 'answer', status: 409, body: { detail: 'Another operation is in progress.' } } as const;

export const endings: readonly Story[] = [
  {
    name: 'done: a confirmed request runs and is verified, and its thread says so without a mention',
    tell: async (it) => {
      await it.say('operator', 'restart web-1');
      await it.reads(`
        @hostler: ⏳ Restart web-1
          🟢 on · down 1–3 min · example.com, www.example.com and api.example.com point here
          Asked by @operator · expires ‹date›
          [Restart web-1] [Cancel] [… Details | Schedule… | Why this rule?]`);
      await it.press('operator', 'Confirm');
      await it.reads(done('Restart web-1', 'web-1 restarted; the power is on.'));
    },
  },
  {
    name: 'withdrawn: a typed request for later waits for its hour after its confirmation, and is called off',
    tell: async (it) => {
      await it.say('operator', 'restart app-28 in 2h');
      await it.sees('⏳ Restart app-28 ‹date›');
      await it.sees('[Schedule for ');
      await it.press('operator', 'Confirm');
      await it.sees('[Call off]');
      expect(it.sent(orderOf('app-28'))).toEqual([]);
      await it.settle();
      await it.press('operator', 'Call off');
      await it.sees('Called off by @operator before its hour. Nothing was done.');
      await it.settle();
      expect(it.sent(orderOf('app-28'))).toEqual([]);
    },
  },
  {
    name: 'expired: nobody confirms the request in a quarter of an hour',
    tell: async (it) => {
      await it.say('operator', 'stop app-1');
      await it.settle();
      await it.pass(16 * 60_000);
      await it.sees('⚪ Stop app-1 · expired');
      await it.sees('@operator Stop app-1: expired: nobody confirmed it in time. Nothing was done.');
    },
  },
  {
    name: 'a click on the card of an ended request is answered with its end',
    tell: async (it) => {
      await it.say('operator', 'stop app-2');
      const old = await it.keep('Confirm');
      await it.press('operator', 'Withdraw');
      await it.sees('Withdrawn. Nothing was done.');
      expect(it.sent(orderOf('app-2'))).toEqual([]);
      await old('operator');
      await it.reads(`
        @hostler: ⚪ Stop app-2 · withdrawn
          Note: Withdrawn. Nothing was done.
          Asked by @operator
          [… Details]
        (only visible to @operator) @hostler: This has ended already. Stop app-2: withdrawn. Nothing was done.
          [Show the request]`);
    },
  },
  {
    name: 'failed: the provider refuses, and the end quotes it',
    tell: async (it) => {
      it.fault({ ...busy, match: 'POST /vps/{order_id}/restart/', only: orderOf('app-3') });
      await it.confirmed('restart app-3');
      await it.reads(`
        @hostler: 🔴 Restart app-3 · failed
          Error: Restart app-3: the provider answered 409: Another operation is in progress. Nothing was changed.
          Asked and confirmed by @operator
          [Ask again] [… Status | Stats | Open a ticket… | Details]
            @hostler: @operator Restart app-3: the provider answered 409: Another operation is in progress. Nothing was changed.`);
    },
  },
  {
    name: 'failed: the job ends in error',
    tell: async (it) => {
      it.fault({ kind: 'nextJob', end: 'error', match: 'POST /vps/{order_id}/restart/', only: orderOf('app-4') });
      await it.confirmed('restart app-4');
      const why = "the provider's job ended in error. The provider says: The hypervisor did not answer in time.";
      await it.sees(`@operator Restart app-4: ${why}`);
    },
  },
  {
    name: 'unknown: the response is lost, nothing is sent again, and reading finds that the change was made',
    tell: async (it) => {
      it.fault({ kind: 'lose', match: 'POST /vps/{order_id}/stop/', only: orderOf('app-5') });
      await it.confirmed('stop app-5');
      await it.reads(`
        @hostler: ✅ Stop app-5 · done in ‹time›
          app-5 stopped; the power is off.
          Asked and confirmed by @operator
          [Undo] [… Details]
            @hostler: Warning: The provider did not respond: “Stop app-5” may have begun. Not retried; checking until about ‹date›.
            @hostler: @operator app-5 stopped; the power is off.`);
      expect(it.sent(orderOf('app-5'))).toHaveLength(1);
    },
  },
  {
    name: 'unknown: the connection breaks before the change, and reading finds that it was not made',
    tell: async (it) => {
      it.fault({ kind: 'drop', match: 'POST /vps/{order_id}/stop/', only: orderOf('app-6') });
      await it.confirmed('stop app-6');
      const why = 'the response was lost, and reading shows that it was not applied: the power is on.';
      await it.sees(`@operator Stop app-6: ${why} Ask again if you still want it.`);
      expect(it.sent(orderOf('app-6'))).toHaveLength(1);
    },
  },
  {
    name: 'unknown: reading cannot find out the result of a restart with a lost response, and the end says so',
    tell: async (it) => {
      it.fault({ kind: 'lose', match: 'POST /vps/{order_id}/restart/', only: orderOf('app-7') });
      await it.confirmed('restart app-7');
      await it.reads(`
        @hostler: 🔴 Restart app-7 · result unknown
          Warning: Restart app-7: the provider's response was lost, and reading does not show whether it was applied. app-7 is on now; whether it restarted cannot be read. It was sent once and will not be retried.
          Asked and confirmed by @operator
          [Status] [… Stats | Open a ticket… | Details]
            @hostler: Warning: The provider did not respond: “Restart app-7” may have begun. Not retried; checking until about ‹date›.
            @hostler: @operator Restart app-7: the provider's response was lost, and reading does not show whether it was applied. app-7 is on now; whether it restarted cannot be read. It was sent once and will not be retried.`);
      expect(it.sent(orderOf('app-7'))).toHaveLength(1);
    },
  },
  {
    name: 'not verified: the job is done, and the power cannot be read',
    tell: async (it) => {
      it.fault({ kind: 'nextJob', end: 'hang', match: 'POST /vps/{order_id}/restart/', only: orderOf('app-8') });
      await it.confirmed('restart app-8');
      await it.sees('accepted by the provider');
      it.provider.power({ order: orderOf('app-8'), state: 'unknown' });
      const job = it.provider.state().jobs.find((one) => one.orderId === orderOf('app-8') && one.state === 'ready');
      it.provider.job({ pk: job?.pk ?? 0, state: 'done' });
      it.provider.power({ order: orderOf('app-8'), state: 'unknown' });
      await it.reads(`
        @hostler: 🟡 Restart app-8 · not verified
          Warning: Restart app-8: accepted by the provider, but not verified: the power is unknown.
          Asked and confirmed by @operator · job ‹n›
          [Status] [… Stats | Open a ticket… | Details]
            @hostler: @operator Restart app-8: accepted by the provider, but not verified: the power is unknown.`);
    },
  },
  {
    name: 'declined: a person who may decline gives a reason',
    policy: ({ id }) =>
      granting({ [`user:${id.operator}`]: 'read operate' }, { disruptive: { approve: 1, by: [`user:${id.lead}`] } }),
    tell: async (it) => {
      await it.say('operator', 'stop app-9');
      await it.press('lead', 'Decline…');
      await it.submit('lead', { 'Why not?': 'the release is running' });
      await it.reads(`
        @hostler: ⚪ Stop app-9 · declined
          Note: Declined by @lead: the release is running. Nothing was done.
          Asked by @operator
          [… Details]
            @hostler: @operator Stop app-9: declined by @lead: the release is running. Nothing was done.`);
    },
  },
  {
    name: 'failed: of several servers one after another, those after the first failure are not started',
    tell: async (it) => {
      it.fault({ ...busy, match: 'POST /vps/{order_id}/restart/', only: orderOf('shop-2') });
      await it.confirmed('restart tag:shop');
      await it.reads(`
        @hostler: 🔴 Restart shop-1, shop-2 and shop-3 · failed
          Steps: 1 of 3 done, 1 failed, 1 not started
          ● shop-1 · done
          ✕ shop-2 · failed
            the provider answered 409: Another operation is in progress. Nothing was changed.
          ○ shop-3 · not started
          Error: shop-2: the provider answered 409: Another operation is in progress. Nothing was changed. 1 of 3 done, 1 failed; not started: shop-3.
          Asked and confirmed by @operator
          [Open a ticket…] [… Details]
            @hostler: @operator shop-2: the provider answered 409: Another operation is in progress. Nothing was changed. 1 of 3 done, 1 failed; not started: shop-3.`);
      expect(it.sent(orderOf('shop-3'))).toEqual([]);
    },
  },
  {
    name: 'refused: a freeze stops the request, and the answer has its reason',
    tell: async (it) => {
      await it.say('operator', 'freeze tag:app-12 "migration of the web tier" for=2h');
      await it.settle();
      await it.say('lead', 'restart app-12');
      await it.sees('Not now: tag:app-12 is frozen until ‹date›: migration of the web tier.\n  [Show what is frozen]');
      await it.say('lead', 'unfreeze');
      await it.sees(
        '(only visible to @lead) @hostler: There is no such freeze. /host freeze shows those that are in force.',
      );
      expect(it.sent(orderOf('app-12'))).toEqual([]);
    },
  },
  {
    name: 'refused: a server is locked while a request runs, and a second request names the first',
    tell: async (it) => {
      it.fault({ kind: 'nextJob', end: 'hang', match: 'POST /vps/{order_id}/restart/', only: orderOf('app-13') });
      await it.say('operator', 'restart app-13');
      await it.settle();
      const confirm = await it.keep('Confirm');
      await it.say('lead', 'stop app-13');
      await it.press('lead', 'Ask anyway');
      await it.settle();
      await confirm('operator');
      await it.sees(`
        (only visible to @lead) @hostler: Another request for app-13 is waiting. @operator already requested Restart app-13 in #ops at ‹date›. Nothing else was requested.
          [Open it] [Ask anyway]
        @hostler: ⏳ Stop app-13`);
      await it.say('lead', 'restart app-13');
      await it.press('lead', 'Confirm');
      await it.sees('@lead Stop app-13: not run');
      const job = it.provider.state().jobs.find((one) => one.orderId === orderOf('app-13') && one.state === 'ready');
      it.provider.job({ pk: job?.pk ?? 0, state: 'done' });
      await it.sees('app-13 restarted; the power is on.');
      await it.sees('@lead Stop app-13: not run: app-13 is locked by "Restart app-13". Nothing was done.');
      await it.sees('Not now: "Restart app-13" is running on it. Ask again when that has ended.');
    },
  },
  {
    name: 'the provider is offline: the answer quotes it and has the last known state',
    tell: async (it) => {
      it.fault({
        kind: 'answer',
        status: 503,
        body: { detail: 'Maintenance.' },
        match: 'GET /dns/domain/{name}/entry_set/',
        only: 'five.example',
        times: 10,
      });
      await it.say('operator', 'dns list five.example');
      await it.sees(`
        (only visible to @operator) @hostler: Warning: The provider is not answering (503 Maintenance). This is what the bot knew at ‹date›:
          five.example`);
      await it.sees('4 records · read ‹date›\n  [Try again]');
    },
  },
];
