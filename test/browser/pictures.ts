import type { Locator, Page } from 'playwright-core';
import { become, flip, happen, mainButton, message, openTab, press, revealPassword, say, see } from './support.ts';

/** The states that docs/screenshots shows, each with the steps that lead to it. */

export interface Picture {
  readonly as?: string;
  readonly hasTour?: boolean;
  /** The heights of the windows, for several cards. */
  readonly heights?: { readonly desktop: number; readonly phone: number };
  /** The part of the page; the whole page without one. A card or a dialog has a picture of a phone, too. */
  readonly lead: (page: Page) => Promise<Locator | undefined>;
}

const dialogOf = async (page: Page): Promise<Locator> => see(page.getByRole('dialog'));

/** Says a line, and answers the message that it leads to. */
const card =
  (line: string, words: string | RegExp) =>
  async (page: Page): Promise<Locator> => {
    await say(page, line);
    return see(message(page, words));
  };

/** The same for a change that is confirmed and seen to its end. */
const ended =
  (line: string, title: string, end: RegExp) =>
  async (page: Page): Promise<Locator> => {
    await say(page, line);
    await press(page, title, 'Confirm');
    return see(message(page, end));
  };

async function form(page: Page, line: string): Promise<Locator> {
  await say(page, line);
  const dialog = await dialogOf(page);
  await see(dialog.locator('[type=submit]'));
  return dialog;
}

/** The four answers to a line that is not written as a command: a read, a change, several, and none. */
async function understood(page: Page): Promise<Locator> {
  for (const [line, words] of [
    ['/host how is web-1 doing?', /Took “how is web-1 doing/],
    ['/host nginx hangs, so a restart of web-2 is needed', /Left out: “nginx hangs/],
    ['/host remove the key of Omar', /is not how a command is written/],
    ['/host paint the fence', /was not understood/],
  ] as const) {
    await say(page, line);
    await see(message(page, words));
  }
  return page.locator('#channel');
}

const restarted = ended('/host restart web-1', 'Restart web-1', /Restart web-1 · answers again after/);

async function failed(page: Page): Promise<Locator> {
  await flip(page, 'The next job fails');
  return ended('/host restart web-2', 'Restart web-2', /Restart web-2 · failed/)(page);
}

export async function hardResetAsked(page: Page): Promise<Locator> {
  await say(page, '/host hard-reset web-2 because no ping since 4:20');
  await see(mainButton(page, 'Hard reset web-2'));
  await become(page, 'Lena Lead');
  return see(message(page, 'Hard reset web-2'));
}

async function home(page: Page): Promise<Locator> {
  await restarted(page);
  await hardResetAsked(page);
  await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
  await see(page.locator('.home').getByText('Needs you (1)'));
  return page.locator('#channel');
}

export async function rightsOf(page: Page): Promise<Locator> {
  await page.locator('.side-item', { hasText: /^dev/ }).first().click();
  await say(page, '/host access');
  await message(page, 'Only visible to you').getByRole('button', { name: 'Add…' }).click();
  return dialogOf(page);
}

export async function alerted(page: Page): Promise<Locator> {
  await openTab(page, 'Money');
  await page.getByRole('button', { name: 'Let it run low' }).click();
  await say(page, '/host alerts on balance');
  await press(page, 'Alerts: balance', 'Confirm');
  return see(message(page, /Balance covers \d days/));
}

async function byHand(page: Page): Promise<Locator> {
  await say(page, '/host alerts on zone');
  await press(page, 'Alerts: zone', 'Confirm');
  await see(message(page, 'Alerts: zone').filter({ hasText: 'Done' }));
  await happen(page, 'Change a DNS record by hand');
  await happen(page, '+ 1 hour');
  return see(message(page, /example.com was changed by hand/));
}

async function history(page: Page): Promise<Locator> {
  await ended('/host dns set example.com www A 192.0.2.20 ttl=300', 'Change A www', /Change A www.* · done/)(page);
  await happen(page, 'Change a DNS record by hand');
  await say(page, '/host dns history example.com');
  return see(message(page, 'History of example.com'));
}

/** The hour of the digest comes while the clock moves. */
async function digested(page: Page): Promise<Locator> {
  await restarted(page);
  await hardResetAsked(page);
  const soon = new Date(Date.now() + 20 * 60_000).toISOString().slice(11, 16);
  await ended(`/host digest daily ${soon} UTC`, 'Set the digest', /Set the digest: daily .* · done/)(page);
  await happen(page, '+ 1 hour');
  return see(message(page, /Digest since/));
}

/** The dialog in which an approver types the name of the server. */
async function canceled(page: Page, line: string): Promise<Locator> {
  await say(page, line);
  await see(message(page, 'End staging-1'));
  await become(page, 'Lena Lead');
  await press(page, 'End staging-1', 'Approve');
  return dialogOf(page);
}

/** One card of each kind that has an hour: at one, again and again, in a maintenance window, and a countdown. */
async function timed(page: Page): Promise<Locator> {
  await become(page, 'Ada Admin');
  // It opens in ten hours.
  const [from, to] = [10, 13].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 13));
  await say(page, `/host access rule hours maintenance daily ${from}:00-${to}:00 UTC`);
  await press(page, 'Set the maintenance window', 'Confirm');
  await see(message(page, /Set the maintenance window .* · done/));
  await become(page, 'Omar Operator');
  for (const [line, title] of [
    ['/host reinstall staging-1 "Debian 12"', 'Reinstall staging-1'],
    ['/host restart web-1 in the maintenance window', 'Restart web-1'],
    ['/host restart cache-1 every monday 4:00 for 8 weeks', 'Restart cache-1'],
    ['/host restart web-2 tomorrow 3pm', 'Restart web-2'],
  ] as const) {
    await say(page, line);
    await see(mainButton(page, title));
    if (title !== 'Reinstall staging-1') continue;
    await become(page, 'Lena Lead');
    await press(page, title, 'Approve');
    const dialog = await dialogOf(page);
    await dialog.getByRole('textbox').first().fill('staging-1');
    await dialog.locator('[type=submit]').click();
    await see(message(page, title).filter({ hasText: 'Stop' }));
    await become(page, 'Omar Operator');
  }
  return page.locator('#channel');
}

/** A drill that an alert notices, while it runs. */
async function drilled(page: Page): Promise<Locator> {
  await say(page, '/host alerts on answers');
  await press(page, 'Turn on alerts: answers', 'Confirm');
  await see(message(page, /Turn on alerts: answers · done/));
  // The bot remembers what answers before it can miss it, and misses it twice.
  const sweep = async () => {
    await happen(page, '+ 1 minute');
    await page.waitForTimeout(2_500);
  };
  await sweep();
  await happen(page, 'A server hangs at boot');
  const drill = page.getByRole('region', { name: 'Drill: A server hangs at boot' });
  const alert = message(page, /web-1.*answer/).getByRole('button', { name: /^Restart/ });
  await see(drill.getByRole('timer'));
  while ((await alert.count()) === 0) await sweep();
  await alert.click();
  await see(drill.getByText('Restart web-1'));
  return drill;
}

export const pictures: Readonly<Record<string, Picture>> = {
  sandbox: {
    async lead(page) {
      await restarted(page);
      await hardResetAsked(page);
      const card = message(page, 'Restart web-1');
      await card.hover();
      await card.getByRole('button', { name: 'Reply in thread' }).click();
      const thread = page.getByRole('complementary', { name: 'Thread' });
      await thread.getByRole('textbox').fill('@Hostler list tag:db');
      await thread.getByRole('textbox').press('Enter');
      await see(thread.getByText('db-2'));
      return undefined;
    },
  },
  tour: {
    hasTour: true,
    async lead(page) {
      const tour = page.getByRole('region', { name: 'A short tour' });
      await tour.getByRole('button', { name: 'Skip' }).click();
      await tour.getByRole('button', { name: 'Type it for me' }).click();
      await page.locator('#composer').press('Enter');
      await see(mainButton(page, 'Restart web-1'));
      return undefined;
    },
  },
  trouble: {
    async lead(page) {
      await failed(page);
      await flip(page, 'Every click and command is delivered twice');
      return undefined;
    },
  },
  requests: {
    async lead(page) {
      await flip(page, 'The next answer is lost');
      await flip(page, 'Every click and command is delivered twice');
      await ended('/host stop web-2', 'Stop web-2', /Stop web-2 · done/)(page);
      await openTab(page, 'Calls');
      return undefined;
    },
  },
  noise: {
    async lead(page) {
      await hardResetAsked(page);
      await openTab(page, 'Noise');
      return undefined;
    },
  },

  'rehearse-drill': { lead: drilled },
  'rehearse-card': {
    async lead(page) {
      const drill = await drilled(page);
      await press(page, 'Restart web-1', 'Confirm');
      await see(drill.getByText('web-1 answered again.'));
      return drill;
    },
  },

  menu: { lead: card('/host', /Only visible to you/) },
  help: { lead: card('/host help', /Only visible to you/) },
  list: { lead: card('/host list', '12 servers') },
  server: {
    async lead(page) {
      await say(page, '/host status web-1');
      await see(message(page, 'paid until').getByRole('img').last());
      return message(page, 'paid until');
    },
  },
  stats: {
    async lead(page) {
      await say(page, '/host stats web-1 cpu 24h --share');
      await see(message(page, 'web-1').getByRole('img').last());
      return message(page, 'web-1');
    },
  },
  money: { lead: card('/host balance', '84.20') },
  why: { lead: card('/host why @reader restart web-1', /Only visible to you/) },
  refusal: { as: 'reader', lead: card('/host restart web-1', /Only visible to you/) },
  alerts: { lead: card('/host alerts', /Only visible to you/) },
  alert: { lead: alerted },

  confirm: { lead: card('/host restart web-1', 'Restart web-1') },
  done: { lead: restarted },
  failed: { lead: failed },
  approval: { lead: hardResetAsked },
  cancel: { lead: card('/host cancel staging-1', 'End staging-1') },
  dns: { lead: card('/host dns set example.com www A 192.0.2.20 ttl=300', 'Change A www.example.com') },
  replace: { lead: card('/host dns replace 192.0.2.10 192.0.2.77', 'Replace 192.0.2.10') },
  undo: {
    async lead(page) {
      await ended('/host dns set example.com www A 192.0.2.11 ttl=300', 'Change A www', /Change A www.* · done/)(page);
      await press(page, /Change A www.* · done/, 'Undo');
      return see(message(page, 'Undo: Change A www'));
    },
  },

  propagation: {
    async lead(page) {
      const line = '/host dns set example.com www A 192.0.2.20 ttl=300';
      const done = await ended(line, 'Change A www', /Change A www.* · done/)(page);
      await see(done.getByText(/All 3 name servers answer it/));
      return done;
    },
  },
  history: { lead: history },
  drift: { lead: byHand },
  scheduled: {
    async lead(page) {
      const words = /Restart web-1 · /;
      await say(page, '/host restart web-1 in=2h because new kernel');
      await press(page, 'Restart web-1', 'Confirm');
      return see(message(page, words).filter({ hasText: 'Call off' }));
    },
  },
  understood: { heights: { desktop: 1240, phone: 1640 }, lead: understood },
  hours: { heights: { desktop: 922, phone: 1330 }, lead: timed },
  digest: { lead: digested },

  home: { lead: home },
  review: {
    async lead(page) {
      await home(page);
      await page.getByRole('button', { name: 'Review…' }).click();
      return dialogOf(page);
    },
  },
  rights: { as: 'admin', lead: rightsOf },
  preview: {
    as: 'admin',
    async lead(page) {
      const dialog = await rightsOf(page);
      await dialog.getByRole('button', { name: 'User groups' }).click();
      await page.getByRole('option', { name: /dev/i }).first().click();
      await page.keyboard.press('Escape');
      for (const name of [/^read/, /^operate/]) await dialog.getByRole('checkbox', { name }).check();
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByRole('button', { name: 'Preview' }).waitFor({ state: 'detached' });
      return dialogOf(page);
    },
  },
  form: {
    async lead(page) {
      const dialog = await form(page, '/host dns add example.com');
      await dialog.getByLabel('Host').fill('www2');
      await dialog.getByRole('button', { name: /^Type/ }).click();
      await page.getByRole('option', { name: 'A', exact: true }).click();
      await dialog.getByLabel('Value').fill('300.1.2.3');
      await dialog.locator('[type=submit]').click();
      await see(dialog.locator('.error'));
      return dialog;
    },
  },
  create: { lead: (page) => form(page, '/host create') },
  restart: { lead: (page) => form(page, '/host restart') },
  plan: {
    lead: card(
      '/host stop web-1 then dns set example.com www A 192.0.2.20 then dns remove example.com api A then start web-1',
      '4 steps',
    ),
  },
  decline: {
    async lead(page) {
      const asked = await hardResetAsked(page);
      await asked.getByRole('button', { name: 'Decline…' }).click();
      return dialogOf(page);
    },
  },
  typed: { lead: (page) => canceled(page, '/host cancel staging-1') },
  reveal: {
    async lead(page) {
      await revealPassword(page);
      return dialogOf(page);
    },
  },
};

/** A picture of the whole page on a phone would show the same as a card on a phone. */
export const looks = ['light', 'dark', 'phone'] as const;
export type Look = (typeof looks)[number];

export const fileName = (name: string, look: Look): string =>
  look === 'light' ? `${name}.png` : `${name}-${look}.png`;

/** Pictures of the whole page, with the provider's side, which a phone shows by itself only. */
const whole: readonly string[] = ['sandbox', 'tour', 'trouble', 'requests', 'noise'];
/** Pictures of a part of the provider's side. */
const drills: readonly string[] = ['rehearse-drill', 'rehearse-card'];
/** Looks that a picture does not have: large ones, whose parts are dark in another picture. */
const without: Readonly<Record<Look, readonly string[]>> = {
  light: [],
  dark: ['plan', 'hours', 'understood', 'requests', 'noise', 'preview', 'stats', 'trouble', ...drills],
  phone: [...whole, 'plan', ...drills],
};

export const hasLook = (name: string, look: Look): boolean => !without[look].includes(name);

export const fileNames = (): string[] =>
  Object.keys(pictures).flatMap((name) =>
    looks.filter((look) => hasLook(name, look)).map((look) => fileName(name, look)),
  );
