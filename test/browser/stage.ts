import { rm } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, test as base, vi } from 'vitest';
import { newDataDir, openBrowser, openWindow, type Started, startMain } from './support.ts';

/** The beginning of each test: the product in its first minute, and windows at it. */

// Mostly they wait for jobs, so some run side by side; more would starve each other on a machine of two cores.
vi.setConfig({ maxConcurrency: 3 });

let shared: Promise<Browser> | undefined;

/** One browser for the tests of a file; their windows share nothing. */
export function browser(): Promise<Browser> {
  shared ??= openBrowser();
  return shared;
}
afterAll(async () => (await shared)?.close());

export interface Stage {
  readonly url: string;
  readonly dataDir: string;
  readonly started: Started;
  /** A window of its own, with its own storage, as that person; the tour is closed unless it is asked for. */
  window(as?: string, options?: BrowserContextOptions & { hasTour?: boolean }): Promise<Page>;
}

export const test = base.extend('stage', async ({ onTestFinished }): Promise<Stage> => {
  const dataDir = await newDataDir();
  const started = await startMain(dataDir);
  const pages: Page[] = [];
  onTestFinished(async () => {
    await Promise.all(pages.map((page) => page.context().close()));
    await started.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    url: started.url,
    dataDir,
    started,
    async window(as, options) {
      const page = await openWindow(await browser(), started.url, as, options);
      pages.push(page);
      return page;
    },
  };
});
