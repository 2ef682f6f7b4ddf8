import type { BrowserContextOptions, Page } from 'playwright-core';
import { become, message, openTab, press, revealPassword, say, see } from './support.ts';

/** The states that docs/screenshots shows, each with what leads to it. */

export interface Picture {
  readonly options?: BrowserContextOptions & { hasTour?: boolean };
  readonly lead: (page: Page) => Promise<unknown>;
}

async function restarted(page: Page): Promise<void> {
  await say(page, '/host restart web-1');
  await press(page, 'Restart web-1', 'Confirm');
  await see(message(page, /Restart web-1 · done in/));
}

async function hardResetAsked(page: Page): Promise<void> {
  await say(page, '/host hard-reset web-2');
  await see(message(page, 'Hard reset web-2').getByRole('button', { name: 'Approve', exact: true }));
  await become(page, 'Lena Lead');
  await see(message(page, 'Hard reset web-2').getByRole('button', { name: 'Approve', exact: true }));
}

export const pictures: Readonly<Record<string, Picture>> = {
  sandbox: {
    async lead(page) {
      await restarted(page);
      await say(page, '/host dns set example.com www A 192.0.2.20 ttl=300');
      await see(message(page, 'Change A www.example.com').getByRole('button', { name: 'Confirm' }));
      await message(page, 'Restart web-1')
        .getByRole('button', { name: /1 reply/ })
        .click();
      await see(page.getByRole('complementary', { name: 'Thread' }).getByText(/^web-1 restarted/));
    },
  },
  tour: {
    options: { hasTour: true },
    async lead(page) {
      const tour = page.getByRole('region', { name: 'A short tour' });
      await tour.getByRole('button', { name: 'Skip' }).click();
      await tour.getByRole('button', { name: 'Type it for me' }).click();
      await page.locator('#composer').press('Enter');
      await see(message(page, 'Restart web-1').getByRole('button', { name: 'Confirm' }));
    },
  },
  completion: {
    async lead(page) {
      await page.locator('#composer').fill('/ho');
      await see(page.getByRole('option').first());
    },
  },
  list: {
    async lead(page) {
      await say(page, '/host list');
      await see(message(page, '12 servers'));
    },
  },
  stats: {
    async lead(page) {
      await say(page, '/host stats web-1 cpu 24h --share');
      await see(message(page, 'web-1').getByRole('img').last());
    },
  },
  approval: { lead: hardResetAsked },
  form: {
    async lead(page) {
      const dialog = page.getByRole('dialog');
      await say(page, '/host dns add example.com');
      await dialog.getByLabel('Host').fill('www2');
      await dialog.getByRole('button', { name: /^Type/ }).click();
      await page.getByRole('option', { name: 'A', exact: true }).click();
      await dialog.getByLabel('Value').fill('300.1.2.3');
      await dialog.locator('[type=submit]').click();
      await see(dialog.locator('.error'));
    },
  },
  reveal: { lead: revealPassword },
  alert: {
    async lead(page) {
      await openTab(page, 'Money');
      await page.getByRole('button', { name: 'Let it run low' }).click();
      await say(page, '/host alerts on balance');
      await press(page, 'Alerts: balance', 'Confirm');
      await see(message(page, /Balance covers \d days/));
    },
  },
  home: {
    async lead(page) {
      await restarted(page);
      await hardResetAsked(page);
      await page.locator('.side-item', { hasText: 'Hostler Home' }).click();
      await see(page.locator('.home').getByText('Needs you (1)'));
    },
  },
  trouble: {
    async lead(page) {
      await openTab(page, /^Trouble/);
      await page.getByRole('switch', { name: 'The next job fails' }).click();
      await say(page, '/host restart web-2');
      await press(page, 'Restart web-2', 'Confirm');
      await see(message(page, /Restart web-2 · failed/));
      await page.getByRole('switch', { name: 'Every click and command is delivered twice' }).click();
    },
  },
  requests: {
    async lead(page) {
      await openTab(page, /^Trouble/);
      await page.getByRole('switch', { name: 'The next answer is lost' }).click();
      await page.getByRole('switch', { name: 'Every click and command is delivered twice' }).click();
      await say(page, '/host stop web-2');
      await press(page, 'Stop web-2', 'Confirm');
      await see(message(page, /Stop web-2 · done/));
      await openTab(page, 'Requests');
    },
  },
  phone: {
    options: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    async lead(page) {
      await restarted(page);
      await say(page, '/host dns set example.com www A 192.0.2.20 ttl=300');
      await see(message(page, 'Change A www.example.com').getByRole('button', { name: 'Confirm' }));
    },
  },
};

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

export const fileName = (name: string, scheme: Scheme): string =>
  scheme === 'light' ? `${name}.png` : `${name}-dark.png`;
