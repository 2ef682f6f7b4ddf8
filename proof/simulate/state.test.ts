import { expect, test } from 'vitest';
import { createMemory } from './state.ts';
import { createTask, taskOfTimer, tasks } from './tasks.ts';

test('the memory of processes is one state, whichever of them remembered something first', () => {
  const [one, other] = [createMemory(), createMemory()];
  const rememberIn = (memory: typeof one, ...processes: string[]) => {
    for (const process of processes) memory.remember(process, 'GET /api/orders/', '200');
  };
  rememberIn(one, 'bot-1', 'bot-2');
  rememberIn(other, 'bot-2', 'bot-1');
  expect(one.read(() => false)).toEqual(other.read(() => false));
  expect(one.read((process) => process === 'bot-1')).toHaveLength(1);
});

test('a timer belongs to the task that set it, and an interval to none: each of its calls is a task of its own', () => {
  const start = createTask('bot-1', 'start');
  tasks.run(start, () => {
    expect(taskOfTimer(undefined)).toBe(start);
    expect(taskOfTimer(1_000)).toBeUndefined();
  });
});
