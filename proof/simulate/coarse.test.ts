import { expect, test } from 'vitest';
import { createUnchanging, isPartOfStep, isUnchangingList } from './coarse.ts';
import { createTask, tasks } from './tasks.ts';

const everyMessage =
  'with "next" as (with "waiting" as (select "key" from "messages")) update "messages" set "state" = ?';

test.each([
  ['what nothing changes', true, 'select * from "entries" where "key" in (select value from json_each(?))'],
  ['a row of a request', false, 'select * from "operations" where "id" = ?'],
  ['both', false, 'delete from "alerts" where not exists (select 1 from "operations")'],
  ['messages', false, everyMessage],
])('a statement about %s is part of the step that led to it: %s', (_, isPart, sql) => {
  expect(isPartOfStep(sql)).toBe(isPart);
});

test('an interval sends messages in the step of its timer, and claims a turn in one of its own', () => {
  tasks.run(createTask('bot-1', 'each 1000 ms'), () => {
    expect(isPartOfStep(everyMessage)).toBe(true);
    expect(isPartOfStep('insert into "presence" values (?) on conflict do update set "seen_at" = ?')).toBe(true);
    expect(isPartOfStep('update "operations" set "turn_owner" = ? where "id" = ?')).toBe(false);
  });
});

test('lists that name servers which are changed are steps of their own', () => {
  expect(['/api/orders/?page_size=100', '/api/orders/vps/?page_size=100'].filter(isUnchangingList)).toEqual([]);
  expect(isUnchangingList('/api/dns/domain/?page_size=100')).toBe(true);
});

test('a change of what counts as unchanging is reported', () => {
  const complaints: string[] = [];
  const unchanging = createUnchanging((what) => complaints.push(what));
  unchanging.look(['entries', 'operations'].map((name) => ({ name, row: 'a', isWrite: true })));
  expect(complaints.splice(0)).toEqual(['the table entries was changed, although it counts as unchanging']);
  for (const reply of ['200 []', '200 []']) unchanging.compare('/api/project/', reply);
  expect(complaints).toEqual([]);
  unchanging.compare('/api/project/', '200 [1]');
  expect(complaints).toEqual(['/api/project/ has another reply, although it counts as unchanging']);
});
