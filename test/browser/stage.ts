import { rm } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { test as base } from 'vitest';
import { openBrowser, openWindow, type Started, startOver, startQuick, startSlow } from './support.ts';

/** The beginning of each test: the product in its first minute, and windows at it. */

let shared: Promise<Browser> | undefined;

/** One browser for all files of a worker; the windows share nothing. It ends with the worker. */
export function browser(): Promise<Browser> {
  shared ??= openBrowser();
  return shared;
}

export interface Stage {
  readonly url: string;
  /** A separate window with its own storage, as that person; the tour is closed unless `hasTour`. */
  window(as?: string, options?: BrowserContextOptions & { hasTour?: boolean }): Promise<Page>;
}

export interface OwnStage extends Stage {
  readonly started: Started;
}

/** Sandboxes that no test uses now, each in its first minute again. */
const free: Started[] = [];

async function end({ kill, dataDir }: Started): Promise<void> {
  await kill();
  await rm(dataDir, { recursive: true, force: true });
}

function windowsAt(url: string) {
  const pages: Page[] = [];
  return {
    async window(as?: string, options?: BrowserContextOptions & { hasTour?: boolean }) {
      const page = await openWindow(await browser(), url, as, options);
      pages.push(page);
      return page;
    },
    close: () => Promise.all(pages.map((page) => page.context().close())),
  };
}

/**
 * `stage` is a sandbox that other tests used before and use after, with jobs that take a second; `own` is for tests that
 * stop it, read its files, or see a job while it runs: there a job ends when a test lets a minute pass.
 */
export const test = base
  .extend('stage', async ({ task, onTestFinished }): Promise<Stage> => {
    const started = free.pop() ?? (await startQuick());
    const { window, close } = windowsAt(started.url);
    onTestFinished(async () => {
      await close();
      // A sandbox in which something went wrong is not used again.
      if (task.result?.state === 'fail') return end(started);
      await startOver(started);
      free.push(started);
    });
    return { url: started.url, window };
  })
  .extend('own', async ({ onTestFinished }): Promise<OwnStage> => {
    const started = await startSlow();
    const { window, close } = windowsAt(started.url);
    onTestFinished(async () => {
      await close();
      await end(started);
    });
    return { url: started.url, started, window };
  });
