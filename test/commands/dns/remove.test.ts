import { expect, test } from 'vitest';
import { planText } from '../../support/view-text.ts';
import { openDns, sayRefusal } from './open.ts';

test('dns remove takes a host and a type, a value, or ids', async () => {
  const dns = await openDns();
  const planned = await dns.planOf('dns remove example.com shop A');
  expect(planned.plan.effect).toContain('shop.example.com A no longer answers 192.0.2.11. The old answer stays cached');
  expect(planText(planned.plan)).toContain('Affected: 1 record points here: blog.example.com CNAME.');
  expect(planned.command.risk).toBe('dangerous');
  expect(await dns.run(planned)).toMatchObject({
    end: 'done',
    ending: { text: 'shop.example.com A 192.0.2.11 removed', undo: 'dns undo a7f3c2' },
  });
  expect(sayRefusal(await dns.refusalOf('dns remove example.com shop A'))).toContain('has no record shop A');

  const ids = [await dns.idOf('example.com', 'api', 'A'), await dns.idOf('example.com', 'db', 'A')];
  expect(await dns.runCommand(`dns remove example.com ${ids.join(' ')}`)).toMatchObject({
    end: 'done',
    ending: { text: 'example.com: 2 records removed, read back' },
  });
  expect((await dns.planOf('dns remove example.com @ MX 20 backup-mx.example.net')).plan.raised?.risk).toBe(
    'destructive',
  );
  expect(sayRefusal(await dns.refusalOf('dns remove example.com @ MX'))).toContain('Which one?');
});

test('dns remove of more than a third of the zone has a higher risk', async () => {
  const dns = await openDns();
  const hosts = ['wiki', 'files-1', 'backup-1', 'staging'];
  const ids = await Promise.all(hosts.map((host) => dns.idOf('example.net', host, 'A')));
  expect((await dns.planOf(`dns remove example.net ${ids.slice(0, 3).join(' ')}`)).plan.raised).toBeUndefined();
  expect((await dns.planOf(`dns remove example.net ${ids.join(' ')}`)).plan.raised).toMatchObject({
    risk: 'destructive',
    why: 'It changes or removes 4 of the 10 records.',
  });
});
