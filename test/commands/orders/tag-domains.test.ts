import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { planText } from '../../support/bot/view-text.ts';
import { openerOf } from '../commands-called.ts';

const drive = openerOf('tag');

test('tags of a domain can be added, removed and replaced, each with an undo', async () => {
  const { planOf, run, runCommand: does, writes } = await drive();
  const planned = await planOf('dns tag add example.com eu PROD');
  expect(planText(planned.plan)).toContain('− example.com  prod\n  + example.com  prod, eu\n');
  expect(planned.command).toMatchObject({ capability: 'organize', risk: 'routine' });
  const added = await run(planned);
  expect(added).toMatchObject({ end: 'done', note: 'the tags of example.com are prod, eu' });
  expect(await does(added.ending?.undo ?? '')).toMatchObject({ end: 'done', note: 'the tags of example.com are prod' });
  const removed = await does('dns tag set example.com --none');
  expect(removed).toMatchObject({ end: 'done', ending: { text: 'prod removed from example.com' } });
  expect(await does(removed.ending?.undo ?? '')).toMatchObject({ end: 'done' });
  const first = await does('dns tag add example.net staging');
  expect(first.ending?.undo).toBe('tag "domain:example.net" -staging');
  expect(writes().map(({ request, body }) => [request, body])).toEqual([
    ['PUT /dns/domain/example.com/tags/', { tags: ['prod', 'eu'] }],
    ['PUT /dns/domain/example.com/tags/', { tags: ['prod'] }],
    ['PUT /dns/domain/example.com/tags/', { tags: [] }],
    ['PUT /dns/domain/example.com/tags/', { tags: ['prod'] }],
    ['PUT /dns/domain/example.net/tags/', { tags: ['internal', 'staging'] }],
  ]);
});

test('a name that is a domain and an order is asked about, and each of the two can be named', async () => {
  const { planOf, refusalOf, runCommand, writes } = await drive();
  const asked = await refusalOf('tag example.com +eu');
  expect(asked).toMatchObject({
    reason: 'ambiguous',
    message: 'example.com is a domain and an order.',
    field: 'targets',
  });
  expect(asked).toMatchObject({
    candidates: [
      { label: 'Domain example.com', values: ['domain:example.com'] },
      { label: 'Order 375-13', values: ['375-13'] },
    ],
  });
  await runCommand('tag domain:example.com,web-1 +eu');
  await runCommand('tag order:example.com +eu');
  expect(writes().map(({ request }) => request)).toEqual([
    'PUT /dns/domain/example.com/tags/',
    'PATCH /orders/34-12345/',
    'PATCH /orders/375-13/',
  ]);
  expect((await planOf('tag server:web-1 +blue')).plan.title).toBe('Tag web-1 with blue');
});

test('a name that only a domain has needs no word for its kind', async () => {
  const { sim, planOf, refusalOf } = await drive();
  sim.order({ order: '375-13', name: 'Registration' });
  expect((await planOf('tag example.com +eu')).plan.title).toBe('Tag example.com with eu');
  expect((await planOf('tag https://Example.com/ +eu')).plan.title).toBe('Tag example.com with eu');
  expect((await planOf('tag example.com and web-1 +eu')).plan).toMatchObject({
    title: 'Tag example.com and web-1 with eu',
    effect:
      'Tags group domains and orders for people and for the rights of a channel. The records stay as they are. Servers keep running.',
  });
  expect(await refusalOf('tag exmaple.com +eu')).toMatchObject({
    message: 'There is no domain exmaple.com in this account.',
    hint: 'Did you mean example.com?',
  });
  expect((await refusalOf('tag domain:web-1 +eu')).message).toBe('There is no domain web-1 in this account.');
});

test.each(['domain tag:eu', 'tag:eu'])('a tag that opens rights on %s has the risk of those rights', async (on) => {
  const policy = policySchema.parse({ grants: [{ to: ['everyone'], can: ['dns', 'destroy'], on: [on] }] });
  const { planOf } = await drive({
    bot: { policy: async () => policy, policies: async () => new Map([['C1', policy]]) },
  });
  const { plan } = await planOf('dns tag add example.com eu');
  expect(plan.raised?.risk).toMatch(/dangerous|destructive/);
  expect(planText(plan)).toContain('would come to include example.com');
  expect((await planOf('dns tag add example.com us')).plan.raised).toBeUndefined();
});

test('a tag that somebody sets between approval and run is not overwritten', async () => {
  const { planOf, run, provider, writes } = await drive();
  const planned = await planOf('dns tag add example.com eu');
  await provider.dns.setTags({ name: 'example.com', tags: ['prod', 'handmade'] });
  expect((await run(planned)).end).toBe('changed');
  const step = planned.command.step(planned.plan.steps[0]?.data ?? null);
  await expect(step.recheckTarget({ reader: provider } as never)).rejects.toThrow(
    'changed meanwhile: they were prod and are prod, handmade now',
  );
  expect(writes()).toHaveLength(1);
});

test('after a lost response the tags are read', async () => {
  const { sim, runCommand: does } = await drive();
  sim.fault({ kind: 'lose', match: 'PUT /dns/domain/{name}/tags/' });
  expect(await does('dns tag add example.com eu')).toMatchObject({ end: 'done' });
});
