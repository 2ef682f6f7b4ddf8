import { expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { planText } from '../../support/bot/view-text.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('tag');

test('tag add keeps the present tags, and writes only orders that lack the tag', async () => {
  const { sim, planOf, run, writes, runCommand } = await openRunner();
  sim.order({ order: '34-12407', tags: ['web', 'Blue'] });
  const planned = await planOf('tag add tag:web blue');
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Tag web-1, web-2 and web-3 with blue
      web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · 🟢 active
      web-2 · 34-12399 · 192.0.2.11 · Cloud NVMe 2 · 🟢 active
      web-3 · 34-12407 · 198.51.100.10 · Cloud NVMe 2 · 🟢 active
      − web-1  web, prod
      + web-1  web, prod, blue
      − web-2  web, prod
      + web-2  web, prod, blue
      Effect: Tags group orders for people and for the rights of a channel. Servers keep running.
      Stays: web-3: this is so already."
  `);
  const { ending } = await run(planned);
  expect(ending).toEqual({
    text: 'blue added to web-1 and web-2',
    undo: 'tag targets=34-12345 targets=34-12399 tags=-blue',
  });
  expect(writes()).toEqual([
    { request: 'PATCH /orders/34-12345/', body: { tags: ['web', 'prod', 'blue'] } },
    { request: 'PATCH /orders/34-12399/', body: { tags: ['web', 'prod', 'blue'] } },
  ]);
  expect((await planOf('tag add web-1,web-2 blue')).plan.nothingToDo).toBe(
    'Nothing to change for any of them: web-1 and web-2.',
  );
  expect((await runCommand(ending?.undo ?? '')).ending?.text).toBe('blue removed from web-1 and web-2');
});

test('tag remove ignores upper and lower case, and keeps the other tags', async ({ runCommand, planOf, writes }) => {
  expect(await runCommand('tag remove db-2 PROD replica')).toMatchObject({
    end: 'done',
    ending: { text: 'prod and replica removed from db-2', undo: 'tag 34-12411 +prod +replica' },
    note: 'the tags of db-2 are db',
  });
  expect(writes()).toEqual([{ request: 'PATCH /orders/34-12411/', body: { tags: ['db'] } }]);
  expect((await planOf('tag remove db-2 prod')).plan.nothingToDo).toBe('db-2 does not have prod; its tags: db.');
});

test('tag set replaces all tags, or removes them with --none', async ({ runCommand, refusalOf }) => {
  expect((await runCommand('tag set mail-1 mail critical')).ending).toEqual({
    text: 'critical added to mail-1; prod removed from mail-1',
    undo: 'tag 34-12360 +prod -critical',
  });
  expect(await runCommand('tag set mail-1 --none')).toMatchObject({ end: 'done', note: 'mail-1 has no tags' });
  expect(await refusalOf('tag set mail-1 a --none')).toMatchObject({ field: 'none' });
});

test('tags with signs are added and removed in one request', async ({ planOf, runCommand, refusalOf }) => {
  expect((await planOf('tag web-1 +blue -web')).plan.title).toBe('Tag web-1 with blue, and remove the tag web');
  expect(await runCommand('tag web-1 +blue -web green')).toMatchObject({
    end: 'done',
    ending: { text: 'blue and green added to web-1; web removed from web-1', undo: 'tag 34-12345 +web -blue -green' },
    note: 'the tags of web-1 are prod, blue, green',
  });
  expect(await refusalOf('tag web-1 +blue -blue')).toMatchObject({ field: 'tags' });
});

test('the undo of a first tag leaves no tags', async ({ runCommand }) => {
  const { ending } = await runCommand('tag add 375-13 "main site"');
  expect(ending?.undo).toBe('tag 375-13 "-main site"');
  expect(await runCommand(ending?.undo ?? '')).toMatchObject({ end: 'done', note: 'example.com has no tags' });
});

test('tags that somebody changed right before the write are not overwritten', async ({ sim, planOf, run, writes }) => {
  const planned = await planOf('tag add web-1,web-2 blue');
  // While the first order is written, somebody tags the second by hand.
  const stop = sim.onChange((change) => {
    if (change.what !== 'order') return;
    stop();
    sim.order({ order: '34-12399', tags: ['web', 'handmade'] });
  });
  expect(await run(planned)).toMatchObject({
    end: 'changed',
    note: 'The tags of web-2 changed meanwhile: they were web, prod and are web, handmade now.',
    error: { reason: 'changed' },
  });
  expect(writes().map((write) => write.request)).toEqual(['PATCH /orders/34-12345/']);
});

test('words and names of orders become no tags, unless the account has them', async ({ sim, refusalOf, planOf }) => {
  for (const words of ['except web-3 blue', 'blue and green', 'blue please', 'to web', '-web-3 blue'])
    expect(await refusalOf(`tag add web-1 ${words}`), words).toMatchObject({
      message: expect.stringMatching(/^`(?:except|and|please|to|web-3)` is (?:not a tag|a name, not a tag)\.$/),
      field: 'tags',
    });
  for (const line of ['tag add web-1 web-2 blue', 'tag remove web-1 web-2 prod', 'tag set web-1 web-2 prod'])
    expect(await refusalOf(line)).toMatchObject({ message: '`web-2` is a name, not a tag.', field: 'tags' });
  expect((await planOf('tag add web-1, web-2 blue')).plan.title).toBe('Tag web-1 and web-2 with blue');
  sim.order({ order: '34-12407', tags: ['web-2', 'to'] });
  expect((await planOf('tag add mail-1 web-2 to')).plan.title).toBe('Tag mail-1 with web-2, to');
});

test('a tag that is missing or too long is refused', async ({ refusalOf }) => {
  expect(await refusalOf(`tag add web-1 ${'x'.repeat(65)}`)).toMatchObject({ field: 'tags' });
  expect(await refusalOf('tag add web-1')).toMatchObject({ message: 'missing: tags' });
  expect((await refusalOf('tag add web-99 blue')).message).toBe('There is no order called web-99.');
});

test('tags of a domain can be added, removed and replaced, each with an undo', async () => {
  const { planOf, run, runCommand: does, writes } = await openRunner();
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
  const { planOf, refusalOf, runCommand, writes } = await openRunner();
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
  const sent = writes().map(({ request }) => request);
  expect(sent).toEqual(['PUT /dns/domain/example.com/tags/', 'PATCH /orders/34-12345/', 'PATCH /orders/375-13/']);
  expect((await planOf('tag server:web-1 +blue')).plan.title).toBe('Tag web-1 with blue');
});

test('a name that only a domain has needs no word for its kind', async () => {
  const { sim, planOf, refusalOf } = await openRunner();
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
  const { planOf } = await openRunner({
    bot: { policy: async () => policy, policies: async () => new Map([['C1', policy]]) },
  });
  const { plan } = await planOf('dns tag add example.com eu');
  expect(plan.raised?.risk).toMatch(/dangerous|destructive/);
  expect(planText(plan)).toContain('would come to include example.com');
  expect((await planOf('dns tag add example.com us')).plan.raised).toBeUndefined();
});

test('a tag that somebody sets between approval and run is not overwritten', async () => {
  const { planOf, run, provider, writes } = await openRunner();
  const planned = await planOf('dns tag add example.com eu');
  await provider.dns.setTags({ name: 'example.com', tags: ['prod', 'handmade'] });
  expect((await run(planned)).end).toBe('changed');
  const step = planned.command.step(planned.plan.steps[0]?.data ?? null);
  await expect(step.recheckTarget({ reader: provider } as never)).rejects.toThrow(
    'changed meanwhile: they were prod and are prod, handmade now',
  );
  expect(writes()).toHaveLength(1);
});
