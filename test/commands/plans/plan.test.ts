import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { openDns } from '../dns/open.ts';

const commands = await loadCommands();
const open = () => openDns({ commands });
type Dns = Awaited<ReturnType<typeof open>>;

const powers = async ({ reader }: Dns) =>
  Promise.all(
    ['34-12345', '34-12399', '34-12346'].map(async (id) => (await reader.vps.status({ order_id: id })).status),
  );
const stateOf = async (dns: Dns) => ({ zone: (await dns.records()).toSorted(), powers: await powers(dns) });

/** How far the lines go one after another, each asked for when the one before has ended. */
async function oneByOne(lines: readonly string[]) {
  const dns = await open();
  for (const [at, line] of lines.entries()) {
    const asked = await dns.ask(line);
    if (asked.kind !== 'plan') return { failed: at, state: await stateOf(dns) };
    if (asked.plan.nothingToDo !== undefined) continue;
    expect((await dns.run(asked)).end, line).toBe('done');
  }
  return { failed: undefined, state: await stateOf(dns) };
}

async function asPlan(lines: readonly string[]) {
  const dns = await open();
  const before = await stateOf(dns);
  const asked = await dns.ask(`plan ${lines.map((line) => `'${line}'`).join(' ')}`);
  if (asked.kind === 'refused') return { refused: asked.error.message, state: await stateOf(dns), before };
  if (asked.kind !== 'plan') throw new Error('no plan');
  if (asked.plan.nothingToDo === undefined) expect((await dns.run(asked)).end, lines.join('; ')).toBe('done');
  return { refused: undefined, state: await stateOf(dns), before };
}

const hosts = fc.constantFrom('www', 'new', 'api');
const value = fc.constantFrom('192.0.2.10', '192.0.2.71', '192.0.2.72');
const server = fc.constantFrom('web-1', 'web-2', 'db-1');
const line = fc.oneof(
  fc.tuple(fc.constantFrom('stop', 'start', 'restart'), server).map((words) => words.join(' ')),
  fc
    .tuple(fc.constantFrom('set', 'add', 'remove'), hosts, value)
    .map(([verb, host, to]) => `dns ${verb} example.com ${host} A ${to}`),
);

test('a plan ends as its lines one after another would, or is refused with the number of the line that would fail', {
  timeout: 120_000,
}, async () => {
  const property = fc.asyncProperty(fc.array(line, { minLength: 2, maxLength: 5 }), async (lines) => {
    const [alone, plan] = [await oneByOne(lines), await asPlan(lines)];
    if (alone.failed === undefined)
      expect(plan, lines.join('; ')).toMatchObject({ refused: undefined, state: alone.state });
    else {
      expect(plan.refused, lines.join('; ')).toMatch(new RegExp(`^Line ${alone.failed + 1}: `));
      expect(plan.state).toEqual(plan.before);
    }
  });
  await fc.assert(property, { numRuns: 20 });
});

/** A zone of one name, by the rules of the documentation alone. */
function oracle(lines: readonly (readonly [verb: 'add' | 'remove' | 'set', value: string])[]) {
  let zone: readonly string[] = [];
  for (const [at, [verb, to]] of lines.entries()) {
    const isThere = zone.includes(to);
    if (verb === 'set' && zone.length > 1) return { failed: at };
    if (verb === 'remove' && !isThere) return { failed: at };
    if (verb === 'set') zone = [to];
    if (verb === 'add' && !isThere) zone = [...zone, to];
    if (verb === 'remove') zone = zone.filter((each) => each !== to);
  }
  return { zone };
}

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((first, at) => ordersOf(all.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

const changes = [
  ['set', '192.0.2.1'],
  ['set', '192.0.2.2'],
  ['remove', '192.0.2.1'],
  ['remove', '192.0.2.2'],
  ['add', '192.0.2.1'],
] as const;

test('dns set, dns add and dns remove of one name end as the oracle of the zone says, in each order', {
  timeout: 120_000,
}, async () => {
  let done = 0;
  for (const order of ordersOf(changes)) {
    const expected = oracle(order);
    const { refused, state } = await asPlan(order.map(([verb, to]) => `dns ${verb} example.com fresh A ${to}`));
    const fresh = state.zone.filter((record) => record.startsWith('fresh ')).map((record) => record.split(' ')[2]);
    const words = JSON.stringify(order);
    if (expected.failed !== undefined) expect(refused, words).toMatch(new RegExp(`^Line ${expected.failed + 1}: `));
    else expect([refused, fresh.toSorted()], words).toEqual([undefined, expected.zone?.toSorted()]);
    done += expected.failed === undefined ? 1 : 0;
  }
  expect(done).toBeGreaterThan(5);
});

describe('a line that cannot be planned', () => {
  test.each<[line: string, why: RegExp]>([
    ['plan "list" "restart web-1"', /^Line 1: `list` only reads/],
    ['plan "restart web-1" "access solo on"', /^Line 2: `access solo` is about the bot itself/],
    ['plan "restart web-1" "plan list"', /^Line 2: `plan list` only reads/],
    ['plan "restart web-1" "plan delete x"', /^Line 2: `plan delete` is about the bot itself/],
    ['plan "restart web-1 at 3am" "restart web-2"', /^Line 1: This line has an hour/],
    ['plan "restart web-1 because of it" "restart web-2"', /^Line 1: This line has a reason/],
    ['plan "restart" "restart web-2"', /^Line 1: `restart` also needs servers/],
    [
      'plan "rename web-1 web-9" "restart web-1"',
      /^Line 2 is about web-1, .* after `rename` in line 1 cannot be foreseen/,
    ],
    ['plan "restart web-1" "restart web-77"', /^Line 2: There is no server called web-77/],
    [`plan ${Array.from({ length: 21 }, () => '"restart web-1"').join(' ')}`, /^That is 21 lines/],
  ])('%s is refused with its number', async (typed, why) => {
    const dns = await open();
    expect((await dns.refusalOf(typed)).message).toMatch(why);
  });
});

test('a plan of lines that change nothing says so of each', async () => {
  const dns = await open();
  const { plan } = await dns.planOf('start web-1 then dns set example.com www A 192.0.2.10');
  expect(plan.nothingToDo).toMatch(/^Line 1: web-1 is already on\. Line 2: example\.com has www A 192\.0\.2\.10 /);
});

test('neighbors with the same command are one part, with the warnings about both', async () => {
  const dns = await open();
  const { plan, canonical } = await dns.planOf('restart web-1 then restart web-2 then stop db-1');
  expect(canonical).toEqual({ lines: ['restart 34-12345 34-12399', 'stop 34-12346'] });
  const steps = plan.steps.map(({ label, part }) => `${part} ${label}`);
  expect(steps).toEqual(['0 Restart web-1', '0 Restart web-2', '1 Stop db-1']);
});

test('more than three orders raise the risk of the whole plan', async () => {
  const dns = await open();
  const { plan } = await dns.planOf(
    'restart web-1 then stop web-2 then restart db-1 then dns set example.com www A 192.0.2.77 then restart cache-1',
  );
  expect(plan.raised?.risk).toBe('dangerous');
  expect(plan.parts?.map(({ command, risk }) => `${command} ${risk}`)).toEqual([
    'restart dangerous',
    'stop dangerous',
    'restart dangerous',
    'dns set disruptive',
    'restart dangerous',
  ]);
});
