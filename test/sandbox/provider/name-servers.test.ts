import { expect, onTestFinished, test } from 'vitest';
import { startNameServers } from '../../../sandbox/provider/name-servers.ts';
import { createSimulatedProvider } from '../../../sandbox/provider/server.ts';

async function open(...aliases: readonly (readonly [host: string, value: string])[]) {
  const { sim, stop } = createSimulatedProvider();
  const add = aliases.map(([host, value]) => ({ host, type: 'CNAME' as const, value }));
  sim.records({ domain: 'example.com', add });
  const { resolver, close } = await startNameServers(sim);
  onTestFinished(() => {
    close();
    stop();
  });
  return resolver;
}

test('an alias leads to the addresses of its target, in the same zone and in another', async () => {
  const resolver = await open(['twice', 'blog.example.com.'], ['elsewhere', 'any.example.org']);
  expect(await resolver.resolve4('blog.example.com')).toEqual(['192.0.2.11']);
  expect(await resolver.resolve4('monitor.example.net')).toEqual(['203.0.113.40']);
  expect(await resolver.resolve4('twice.example.com')).toEqual(['192.0.2.11']);
  expect(await resolver.resolve4('elsewhere.example.com')).toEqual(['198.51.100.10']);
  expect(await resolver.resolveCname('twice.example.com')).toEqual(['blog.example.com']);
});

test('aliases that lead in a circle or out of the account have no address', async () => {
  const resolver = await open(['a', 'b.example.com'], ['b', 'a.example.com'], ['out', 'www.example.edu']);
  expect(await resolver.resolve4('a.example.com')).toEqual([]);
  expect(await resolver.resolve4('out.example.com')).toEqual([]);
  expect(await resolver.resolve4('www.example.com')).toEqual(['192.0.2.10']);
});
