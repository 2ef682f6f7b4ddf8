import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/suite/longest-first.ts';
import { patienceMs } from './test/support/suite/patience.ts';

/** Searches through the source, and the documentation beside it. */
const house = 'test/{house,docs}/**/*.test.ts';
/** Whole processes: people's three seconds run in real time there. */
const processes = 'test/{acceptance,ship,cli}/**/*.test.ts';
/** Answers 200 commands at once within three seconds: on two cores nothing else may compute meanwhile. */
const flood = 'test/acceptance/flood.test.ts';
/** Measures the turns of the event loop, which take longer beside others. */
const eventLoop = 'test/crash/event-loop.test.ts';

const setupFiles = [
  'test/support/suite/fast-check-seed.ts',
  ...(process.env.HOSTLER_TEST_CLOCK === undefined ? [] : ['test/support/suite/moved-clock.ts']),
  ...(process.env.HOSTLER_TEST_COST === undefined ? [] : ['test/support/suite/processor-time.ts']),
];

// `npm test` runs main; `npm run test:process` the bot as a process; the rest has a command of its own.
export default defineConfig({
  test: {
    globalSetup: ['test/support/suite/postgres-server.ts'],
    setupFiles,
    // Longer than any wait in a test, whose error names the missing event. A busy machine takes longer than a quiet one, and only a
    // test that fails waits to the end.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: patienceMs } },
    // The name of a story is a whole sentence, so `-t` finds it.
    taskTitleValueFormatTruncate: 0,
    // Most tests wait for loopback, disks and databases more than they compute.
    maxWorkers: 4,
    // Nothing is mocked and no module keeps state between tests, so files of one worker share what they import.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'main',
          include: ['test/**/*.test.ts'],
          exclude: ['test/{browser,crash,package,neighbors}/**', house, processes],
        },
      },
      {
        // A part of `npm run check`: it reads the source, and needs no database.
        test: {
          name: 'house',
          include: [house],
          testTimeout: 600_000,
          isolate: false,
          setupFiles,
        },
      },
      {
        extends: true,
        // After the others, which compute more: a machine that is too busy would break the three seconds.
        test: {
          name: 'process',
          globalSetup: ['test/support/suite/bundle.ts'],
          include: [processes],
          exclude: [flood],
          // Timers of three seconds cost these tests more time than computing does.
          maxWorkers: 5,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'flood',
          globalSetup: ['test/support/suite/bundle.ts'],
          include: [flood],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          // Each worker has one browser and as many sandboxes as tests that run at once; more would starve each other on
          // a machine of two cores, fewer would only wait.
          maxWorkers: 2,
          maxConcurrency: 2,
        },
      },
      {
        extends: true,
        // Debian's Prometheus and Alertmanager.
        test: {
          name: 'neighbors',
          globalSetup: ['test/support/suite/bundle.ts'],
          include: ['test/neighbors/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'crash',
          globalSetup: ['test/support/suite/bundle.ts'],
          include: ['test/crash/**/*.test.ts'],
          exclude: [eventLoop],
          fileParallelism: false,
          isolate: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'event-loop',
          globalSetup: ['test/support/suite/bundle.ts'],
          include: [eventLoop],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'package', include: ['test/package/**/*.test.ts'] },
      },
    ],
  },
});
