import { expect } from 'vitest';
import { orderOf } from './account.ts';
import type { Story } from './story.ts';

// An approval holds for the facts on the card. If they changed before the click, the end says so, and a new card asks.

export const changed: readonly Story[] = [
  {
    name: 'a request does not run when the power changed after the confirmation; the difference is shown, and a new card asks again',
    tell: async (it) => {
      await it.say('operator', 'restart app-10');
      await it.settle();
      it.provider.power({ order: orderOf('app-10'), state: 'off' });
      await it.press('operator', 'Confirm');
      await it.sees('🔴 off');
      await it.reads(`
        @hostler: ⚪ Restart app-10 · not run
          Warning: Not run: app-10 changed since the request. The power of app-10 was on and is off now. A new card with the present state was posted.
          Asked and confirmed by @operator
          [… Details]
            @hostler: @operator Restart app-10: not run: app-10 changed since the request. The power of app-10 was on and is off now. A new card with the present state was posted.
        @hostler: ⏳ Restart app-10
          🔴 off · up within a minute
          Warning: Asked again: app-10 changed since the request. The power of app-10 was on and is off now.
          Asked by @operator · expires ‹date›
          [Restart app-10] [Cancel] [… Details | Schedule… | Why this rule?]`);
      expect(it.sent(orderOf('app-10'))).toEqual([]);
    },
  },
  {
    name: 'a request does not run when its server was renamed after the confirmation, and the difference is shown',
    tell: async (it) => {
      await it.say('operator', 'restart app-11');
      await it.settle();
      it.provider.order({ order: orderOf('app-11'), name: 'app-eleven' });
      await it.press('operator', 'Confirm');
      await it.sees('not run: app-11 changed since the request. app-11 is called app-eleven now.');
      await it.sees('⏳ Restart app-eleven');
      expect(it.sent(orderOf('app-11'))).toEqual([]);
    },
  },
  {
    name: 'a request does not run when its record was edited by hand after the confirmation, and the difference is shown',
    tell: async (it) => {
      await it.say('operator', 'dns set six.example www A 192.0.2.20');
      await it.settle();
      const zone = it.provider.state().domains.find(({ name }) => name === 'six.example');
      const www = zone?.entries.find(({ host }) => host === 'www');
      it.provider.records({ domain: 'six.example', set: [{ id: www?.id ?? 0, value: '192.0.2.99' }] });
      await it.press('operator', 'Confirm');
      await it.sees(
        'not run: six.example changed since the request. www A was 203.0.113.150 ttl 300 and is 192.0.2.99',
      );
      await it.sees(`
        @hostler: ⏳ Change A www.six.example
          cached up to 5 minutes · 192.0.2.20 is db-1
          \`\`\`
          − www  A  192.0.2.99  ttl 300`);
      expect(it.sent('six.example')).toEqual([]);
    },
  },
];
