import { expect, it } from 'vitest';
import { checkView } from '../../../sandbox/slack/validate/view.ts';
import { mostFavorites } from '../../../src/core/command/own-settings.ts';
import type { Policy } from '../../../src/core/policy/policy.ts';
import { favoritesOf } from '../../../src/engine/home/own-settings.ts';
import { drawHome } from '../../../src/slack/outbound/modals.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { readerOf, usualPolicy } from '../../support/bot/policy.ts';
import type { TestBotOptions } from '../../support/bot/test-bot.ts';
import { buttonsIn } from '../../support/bot/view-text.ts';
import { sayAndPress, told } from '../told.ts';
import { openHomes } from './open-homes.ts';

/** Servers that a person marked: first on Home after those in trouble, with a separate filter. */

async function withHome(options: TestBotOptions = {}) {
  const homes = await openHomes(options);
  const { shown, text, click } = homes;
  /** Picks an action of a server on Home. */
  const pick = async (user: string, server: string, label: string) => {
    const parts = shown.get(user)?.parts ?? [];
    const row = parts.findIndex((part) => part.kind === 'text' && JSON.stringify(part.text).includes(`"${server}"`));
    const button = parts
      .slice(row + 1, row + 2)
      .flatMap(buttonsIn)
      .find((one) => one.label === label);
    if (button === undefined) throw new Error(`no ${label} at ${server}:\n${text(user)}`);
    await click(user, button);
  };
  return { ...homes, pick };
}

/** The names of the servers on Home, from the first on. */
const serversIn = (text: string) => [...text.matchAll(/^(?:🟢|🔴|🟡|⚪) ([\w-]+) · /gm)].map(([, name]) => name);

it('a favorite is added and removed on Home, and is listed after the servers in trouble and before the others', async () => {
  const { bot, open, pick, filter, text } = await withHome();
  await open('operator');
  await filter('operator', 'all');
  const before = serversIn(text('operator'));
  const inTrouble = serversIn(text('operator').replaceAll(/^🟢.*$/gm, '')).length;
  const quiet = before.at(-1) ?? '';
  expect(inTrouble).toBeGreaterThan(0);
  expect(before.length - inTrouble).toBeGreaterThan(2);
  await pick('operator', quiet, '☆ Favorite');
  expect(serversIn(text('operator'))).toEqual([...before.slice(0, inTrouble), quiet, ...before.slice(inTrouble, -1)]);
  expect(text('operator')).toMatch(new RegExp(`🟢 ${quiet} · [\\d.]+ · on · ★ favorite\n`));
  // Another person has other favorites.
  await open('lead');
  await filter('lead', 'all');
  expect(serversIn(text('lead'))).toEqual(before);
  await pick('operator', quiet, '★ Favorite');
  expect(serversIn(text('operator'))).toEqual(before);
  expect(bot.writes()).toEqual([]);
  expect(await bot.store.operations.list({ limit: 9 })).toEqual([]);
});

it('the favorites filter shows only favorites, stays chosen, and says when the list is empty', async () => {
  const { bot, open, pick, filter, text, shown } = await withHome();
  await open('operator');
  expect(text('operator')).toContain('[All servers] [In trouble] [★ Favorites] [Tag ');
  await filter('operator', 'favorites');
  expect(text('operator')).toContain('You have no favorites here. The actions of a server have “☆ Favorite”.');
  await filter('operator', 'all');
  await pick('operator', 'web-1', '☆ Favorite');
  await pick('operator', 'staging-1', '☆ Favorite');
  await filter('operator', 'favorites');
  expect(serversIn(text('operator'))).toEqual(['staging-1', 'web-1']);
  expect(text('operator')).toContain('[★ Favorites ▾');
  const view = shown.get('operator');
  expect(view && checkView(drawHome(view), 'home', () => false)).toBeUndefined();
  await bot.restart();
  expect(serversIn(await open('operator'))).toEqual(['staging-1', 'web-1']);
});

it('a favorite that the person may no longer read is hidden, and shown again when they may', async () => {
  const everything: Policy = usualPolicy(opsGroup);
  const { bot, open, click, filter, text } = await withHome({ policy: everything });
  await bot.say('reader', 'favorite web-1');
  await bot.say('reader', 'favorite wiki-1');
  await bot.savePolicy(ops, readerOf('order:34-12318'), 1);
  await open('reader');
  await filter('reader', 'favorites');
  expect(serversIn(text('reader'))).toEqual(['wiki-1']);
  expect(text('reader')).not.toContain('web-1');
  await bot.say('reader', 'favorites');
  expect(told(bot)).toContain('wiki-1');
  expect(told(bot)).not.toContain('web-1');
  // The id of a foreign server has no effect.
  await click('reader', { label: '', intent: { do: 'favorite', order: '34-12345', isFavorite: false } });
  await bot.savePolicy(ops, everything, 2);
  await filter('reader', 'favorites');
  expect(serversIn(text('reader'))).toEqual(['wiki-1', 'web-1']);
});

it('a favorite that is typed, or marked on the card of a server, is answered only to the person, and Home changes at once', async () => {
  const { bot, open, text } = await withHome();
  await open('operator');
  await bot.say('operator', 'favorite web-1');
  expect(told(bot)).toBe(
    'web-1 is one of your favorites now. Home lists them first, after the servers in trouble.\n[★ Favorite]',
  );
  expect(text('operator')).toContain('★ favorite');
  await bot.say('operator', 'favorite the server web-1 please');
  expect(told(bot)).toContain('web-1 is one of your favorites already.');
  await bot.say('operator', 'favorites');
  expect(told(bot)).toMatch(
    /^## ★ Your favorites\nweb-1 · 192\.0\.2\.10\n\[Show one… ▾ \[web-1\]\]\n\[Remove one… ▾ \[web-1\]\]$/,
  );
  await bot.press('operator', '★ Favorite');
  expect(told(bot)).toBe('web-1 is no longer one of your favorites.\n[☆ Favorite]');
  expect(text('operator')).not.toContain('★ favorite');
  await bot.say('operator', 'unfavorite web-1');
  expect(told(bot)).toContain('web-1 is not one of your favorites.');
  await bot.say('operator', 'favorites');
  expect(told(bot)).toBe('You have no favorites here. Add one with /host favorite web-1.');
  expect(bot.posted.filter(({ onlyFor }) => onlyFor === undefined)).toEqual([]);
  await sayAndPress(bot, 'operator', 'status web-1', '☆ Favorite');
  expect(told(bot)).toContain('web-1 is one of your favorites now.');
  await bot.say('guest', 'favorite web-1');
  expect(await favoritesOf(bot, people.guest ?? '')).toEqual(new Set());
});

it('a person has fifty favorites at most, and servers that are gone make room', async () => {
  const { bot, open, shown } = await withHome({ provider: { seed: { orders: 60 } } });
  const first = bot.sim
    .state()
    .orders.filter(({ kind }) => kind === 'vps')
    .map(({ id }) => id);
  const other = first[mostFavorites] ?? '';
  const mark = (orders: readonly string[]) =>
    bot.store.values.change('favorites', people.operator ?? '', () => ({ orders: [...orders] }));
  await mark(first.slice(0, mostFavorites));
  await bot.say('operator', `favorite ${other}`);
  expect(told(bot)).toBe('You have 50 favorites, which is the most.\n[Show your favorites]');
  await mark(['34-99999', ...first.slice(1, mostFavorites)]);
  await bot.say('operator', `favorite ${other}`);
  expect(told(bot)).toContain('is one of your favorites now.');
  expect([...(await favoritesOf(bot, people.operator ?? ''))]).toEqual([...first.slice(1, mostFavorites), other]);
  // A page full of favorites is drawn whole.
  await open('operator');
  const home = drawHome(shown.get('operator') ?? { summary: '', parts: [] });
  expect(checkView(home, 'home', () => false)).toBeUndefined();
  const drawn = JSON.stringify(home.blocks);
  expect(drawn.match(/[★☆] Favorite"/g)).toHaveLength(15);
  expect(drawn).toContain('Page 2 of ');
});
