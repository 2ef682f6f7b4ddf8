import { rm } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { test as base, type TestContext } from 'vitest';
import { hasAllTests } from '../support/suite/seed.ts';
import { openBrowser, openWindow, type Started, startOver, startQuick, startSlow } from './support.ts';

/** The beginning of each test: the product in its first minute, and windows at it. */

let shared: Promise<Browser> | undefined;

/** One browser for all files of a worker; the windows share nothing. It ends with the worker. */
export function browser(): Promise<Browser> {
  shared ??= openBrowser();
  return shared;
}

export interface Stage {
  readonly started: Started;
  readonly url: string;
  /** A separate window with its own storage, as that person; the tour is closed unless `hasTour`. */
  window(as?: string, options?: BrowserContextOptions & { hasTour?: boolean }): Promise<Page>;
}

interface Pool {
  readonly start: () => Promise<Started>;
  /** Sandboxes that no test uses now, each in its first minute again. */
  readonly free: Started[];
}

const quick: Pool = { start: startQuick, free: [] };
const slow: Pool = { start: startSlow, free: [] };

async function end({ kill, dataDir }: Started): Promise<void> {
  await kill();
  await rm(dataDir, { recursive: true, force: true });
}

const stageOf =
  ({ start, free }: Pool) =>
  async ({ task, onTestFinished }: Pick<TestContext, 'task' | 'onTestFinished'>): Promise<Stage> => {
    const started = free.pop() ?? (await start());
    const pages: Page[] = [];
    onTestFinished(async () => {
      await Promise.all(pages.map((page) => page.context().close()));
      // A sandbox that a test stopped, or in which something went wrong, is not used again.
      if (started.hasEnded() || task.result?.state === 'fail') return end(started);
      await startOver(started);
      free.push(started);
    });
    return {
      started,
      url: started.url,
      async window(as, options) {
        const page = await openWindow(await browser(), started.url, as, options);
        pages.push(page);
        return page;
      },
    };
  };

/**
 * `stage` is a sandbox that other tests used before and use after, with jobs that take a second, and `page` a window of
 * it. In `slow` a job ends when a test lets a minute pass, for tests that see a job while it runs.
 */
export const test = base
  .extend('stage', stageOf(quick))
  .extend('slow', stageOf(slow))
  .extend('page', ({ stage }) => stage.window());

/** A test of what another one shows in part, or the tests of the engine do. */
export const nightly = test.skipIf(!hasAllTests);
