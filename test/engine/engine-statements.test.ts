import { expect, test } from 'vitest';
import { startTestBot } from '../support/bot/test-bot.ts';
import { confirm } from './told.ts';

test('a confirmed action takes at most eighty statements, and shares the settings that were just read', async () => {
  const statements: string[] = [];
  const bot = await startTestBot({ process: { onQuery: ({ sql }) => statements.push(sql) } });
  const rename = async (line: string) => {
    statements.length = 0;
    await confirm(bot, 'operator', line);
    // Without those with which this test waits for the end.
    return statements.filter(
      (sql) =>
        !/^select (\* from "operations" (where "state"|order by)|count\(\*\) as "count" from "messages")/.test(sql),
    );
  };
  const settings = /from "(stored_values|freezes)"/;
  // Settings are read again after half a second, which passes on a busy machine.
  const startedAt = performance.now();
  const first = await rename('rename mail-1 mail-8');
  const periods = 1 + Math.floor((performance.now() - startedAt) / 500);
  expect(first.filter((sql) => settings.test(sql)).length).toBeLessThanOrEqual(6 * periods);
  let second = await rename('rename web-1 web-9');
  for (let n = 1; n < 10 && second.some((sql) => settings.test(sql)); n++)
    second = await rename(`rename web-9${n === 1 ? '' : n - 1} web-9${n}`);
  expect(second.length).toBeLessThanOrEqual(80);
  expect(second.filter((sql) => settings.test(sql))).toEqual([]);
  expect(second.filter((sql) => sql.startsWith('insert into "audit"'))).toHaveLength(4);
});
