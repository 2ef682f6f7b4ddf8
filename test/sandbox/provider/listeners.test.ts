import { expect, onTestFinished, test } from 'vitest';
import { startListeners } from '../../../sandbox/provider/listeners.ts';
import { createSimulatedProvider, startProvider } from '../../../sandbox/provider/server.ts';
import { hasAnswered, sayServices } from '../../../src/core/probe/services.ts';
import { createProber } from '../../../src/outside/prober.ts';
import { createCaller } from './caller.ts';

const web1 = { order: '34-12345', address: '192.0.2.10', name: 'www.example.com' };
const everything = 'https www.example.com, ssh and http';
const second = 1_000;
const minute = 60 * second;

async function open() {
  const provider = await startProvider({ jobMs: 10 * second });
  const { sim } = provider;
  const listeners = await startListeners(sim);
  onTestFinished(async () => {
    listeners.close();
    await provider.close();
  });
  const prober = createProber({ at: listeners.at, ca: listeners.ca, timeoutMs: 10 * second });
  /** The services that answer: HTTPS of the name, SSH and HTTP. */
  const answers = async ({ address, name }: { readonly address: string; readonly name?: string } = web1) => {
    const ports = [22, 80, 443].map((port) => ({ address, port }));
    const named = name === undefined ? [] : [{ address, port: 443, name }];
    return sayServices((await prober.probe([...named, ...ports])).filter(hasAnswered));
  };
  const power = (state: 'on' | 'off', order = web1.order) => sim.power({ order, state });
  /** Turns the server off and on. */
  const boot = () => {
    power('off');
    power('on');
  };
  return { sim, at: listeners.at, prober, answers, power, boot, call: createCaller(provider) };
}

test('a server with a name answers ssh, http and https, one without a name ssh, and one that is off nothing', async () => {
  const { at, answers, prober } = await open();
  expect(await answers()).toBe(everything);
  expect(await answers({ address: '192.0.2.30' })).toBe('ssh');
  expect(await answers({ address: '203.0.113.50', name: 'wiki.example.net' })).toBe('');
  expect(await answers({ address: '2001:DB8:25:0::25', name: 'mail.example.com' })).toContain('https');
  // A dedicated server, an address of nobody here, and a port that no server has.
  expect(at({ address: '198.51.100.200', port: 22 })).toBeUndefined();
  expect(at({ address: '127.0.0.1', port: 22 })).toBeUndefined();
  const [looked] = await prober.probe([{ address: web1.address, port: 5_432 }]);
  expect(looked?.why).toBe('it refuses connections');
});

test('the certificate is trusted for each name in a zone of the account, and for no other name', async () => {
  const { sim, prober } = await open();
  const certificateOf = async (name: string) =>
    (await prober.probe([{ address: web1.address, port: 443, name }])).map(
      ({ why, certificate }) => why ?? certificate,
    );
  expect(await certificateOf('a.b.example.org')).toEqual([undefined]);
  expect(await certificateOf('www.example.edu')).toEqual(['its certificate is for another name']);
  sim.records({ domain: 'example.com', add: [{ host: 'deep.er', type: 'A', value: web1.address }] });
  expect(await certificateOf('deep.er.example.com')).toEqual([undefined]);
});

test('a server answers three seconds of the sandbox after its power is on', async () => {
  const { sim, answers, power } = await open();
  power('off');
  expect(await answers()).toBe('');
  power('on');
  expect(await answers()).toBe('');
  sim.advance(3 * second);
  expect(await answers()).toBe(everything);
});

test('a server answers nothing while its job reboots it, and in rescue mode ssh only', async () => {
  const { sim, answers, call } = await open();
  await call(`POST /vps/${web1.order}/rescue_mode/`);
  sim.advance(5 * second);
  expect(await answers()).toBe('');
  sim.advance(8 * second);
  expect(await answers()).toBe('ssh');
  await call(`POST /vps/${web1.order}/stop_rescue_mode/`);
  expect(await answers()).toBe('ssh');
  sim.advance(13 * second);
  expect(await answers()).toBe(everything);
});

test('the fault "late" makes the next boot answer after 40 seconds, and only that one', async () => {
  const { sim, answers, boot } = await open();
  sim.fault({ kind: 'nextBoot', boot: 'late', times: 1 });
  boot();
  expect(sim.state().faults).toEqual([]);
  sim.advance(39 * second);
  expect(await answers()).toBe('');
  sim.advance(second);
  expect(await answers()).toBe(everything);
  boot();
  sim.advance(3 * second);
  expect(await answers()).toBe(everything);
});

test('the fault "silent" makes a server answer nothing until it boots once more', async () => {
  const { sim, answers, boot } = await open();
  sim.fault({ kind: 'nextBoot', boot: 'silent', times: 1 });
  expect(await answers()).toBe(everything);
  boot();
  sim.advance(10 * minute);
  expect(await answers()).toBe('');
  boot();
  sim.advance(3 * second);
  expect(await answers()).toBe(everything);
});

test('of two faults for the next boot, each spoils one, and a fault of a request spoils none', async () => {
  const { sim, answers, boot, power } = await open();
  sim.fault({ kind: 'nextBoot', boot: 'late', times: 1, only: web1.order });
  sim.fault({ kind: 'nextBoot', boot: 'silent', times: 1 });
  sim.fault({ kind: 'nextBoot', boot: 'silent', match: 'GET /orders/' });
  power('on', '34-12318');
  expect(sim.state().faults).toHaveLength(2);
  boot();
  expect(sim.state().faults).toHaveLength(1);
  sim.advance(40 * second);
  expect(await answers()).toBe(everything);
});

test('the boot of a server survives a restart of the provider', async () => {
  const before = createSimulatedProvider();
  before.sim.fault({ kind: 'nextBoot', boot: 'silent', times: 1 });
  before.sim.power({ order: web1.order, state: 'off' });
  before.sim.power({ order: web1.order, state: 'on' });
  const after = createSimulatedProvider({ state: before.snapshot() });
  const listeners = await startListeners(after.sim);
  onTestFinished(() => listeners.close());
  for (const { stop } of [before, after]) stop();
  after.sim.advance(minute);
  const places = [22, 5_432].map((port) => listeners.at({ address: web1.address, port }));
  expect(new Set(places.map((place) => place?.port)).size).toBe(1);
});
