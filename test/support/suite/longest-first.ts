import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest files, in each project the slowest first. A slow file that begins last would keep all other workers
 * waiting. Vitest knows the times by itself only after a first run.
 */
export const longest = [
  'test/engine/run/runner-wake.test.ts',
  'test/attacks/names.test.ts',
  'test/slack/deliver.test.ts',
  'test/engine/engine-killed.test.ts',
  'test/engine/alerts/lifecycle.test.ts',
  'test/store/database.test.ts',
  'test/cli/setup/setup.test.ts',
  'test/ship/readme.test.ts',
  'test/acceptance/stories.test.ts',
  'test/acceptance/limits.test.ts',
  'test/acceptance/newcomer.test.ts',
  'test/acceptance/hooks.test.ts',
  'test/cli/main-errors.test.ts',
  'test/acceptance/slack.test.ts',
  'test/ship/docs-lines.test.ts',
  'test/cli/start.test.ts',
  'test/cli/check/check-views.test.ts',
  'test/ship/backup.test.ts',
  'test/crash/arrows.test.ts',
  'test/crash/random.test.ts',
  'test/crash/soak.test.ts',
  'test/crash/slack.test.ts',
  'test/crash/ship.test.ts',
  'test/crash/provider-faults.test.ts',
  'test/crash/fuzz.test.ts',
  'test/crash/failover.test.ts',
  'test/crash/refused-blocks.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual
      .map((file, at) => ({ file, at, rank: rankOf(file) }))
      .sort((a, b) => groupOf(a.file) - groupOf(b.file) || a.rank - b.rank || a.at - b.at)
      .map(({ file }) => file);
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((path) => moduleId.endsWith(path));
  return at < 0 ? longest.length : at;
}

function groupOf({ project }: TestSpecification): number {
  return project.config.sequence.groupOrder;
}
