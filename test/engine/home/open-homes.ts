import type { Button, View } from '../../../src/core/view/view.ts';
import { startTestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';
import { buttonsIn } from '../../support/bot/view-text.ts';
import { idOf, wordsOf } from '../told.ts';

const onHome = { channel: '', kind: 'home' } as const;

/** The Home tabs of a bot, as Slack gets them. */
export async function openHomes(options: TestBotOptions = {}) {
  const bot = await startTestBot(options);
  const shown = new Map<string, View>();
  for (const { engine } of bot.replicas)
    engine.onHomeChange(async (user, view) => void shown.set(bot.nameOf(user), view));
  const text = (user: string) => wordsOf(bot, shown.get(user));
  return {
    bot,
    shown,
    open: async (user: string) => {
      const view = await bot.replicas[0]?.engine.home(idOf(user));
      if (view !== undefined) shown.set(user, view);
      return text(user);
    },
    text,
    click: (user: string, button: Button) => bot.click(user, button, { place: onHome }),
    filter: (user: string, filter: string, page = 1) =>
      bot.click(user, { label: '', intent: { do: 'home', filter, page } }, { place: onHome }),
    /** The dialog behind a button of Home. */
    review: (user: string, label = 'Review…') => {
      const button = shown
        .get(user)
        ?.parts.flatMap(buttonsIn)
        .find((one) => one.label === label);
      if (button === undefined) throw new Error(`no ${label} on Home of ${user}`);
      return bot.open(user, { intent: button.intent }, onHome);
    },
  };
}
