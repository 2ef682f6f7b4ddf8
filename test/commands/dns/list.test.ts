import { expect } from 'vitest';
import { viewText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { openDns, test } from './open.ts';

test('dns domains shows the domains of the account and the servers that they lead to', async ({ dns }) => {
  expect(viewText(await dns.viewOf('dns domains'))).toMatchInlineSnapshot(`
    "Domain │ Points to │ Mail
    example.com · 18 records · prod │ web-1 │ mail.example.com and backup-mx.example.net
    example.net · 10 records · internal │ wiki-1 │ 
    example.org · 12 records · prod, marketing │ web-3 │ mail.example.com
    · 3 domains with 40 records · read ‹full›
    [Records of… → form dns list]"
  `);
});

test('dns domains lists the domains that fit', async ({ dns }) => {
  for (const [filter, names] of [
    ['tag:marketing', ['example.org']],
    ['tag:mark*', ['example.org']],
    ['tag prod', ['example.com', 'example.org']],
    ['*.net', ['example.net']],
    ['ORG prod', ['example.org']],
    ['203.0.113.50', ['example.net']],
    ['2001:DB8:25:0::25', ['example.com']],
    ['tag:marketing *.com', []],
  ] as const) {
    const view = viewText(await dns.viewOf(`dns domains ${filter}`));
    const listed = [...view.matchAll(/^(\S+) · \d+ records /gm)].map(([, name]) => name);
    expect(listed, filter).toEqual(names);
    expect(view).toContain(`${names.length} of 3 domains`);
    expect(view).toContain('[All domains → dns domains]');
  }
});

test('dns domains names only domains and servers that the person may read', async () => {
  const dns = await openDns({ may: (_, target) => target.id === 'example.net' });
  const view = viewText(await dns.viewOf('dns domains'));
  expect(view).toContain('example.net · 10 records · internal │ 203.0.113.50');
  expect(view).not.toMatch(/example\.(com|org)|wiki-1/);
});

test('domains that cannot be listed are shown as unknown, not as none', async ({ dns }) => {
  dns.sim.fault(answer('GET /dns/domain/', 500, { detail: 'down' }));
  expect(viewText(await dns.viewOf('dns domains'))).toContain('Domains: unknown.');
});

test('dns list shows the records of a domain, those of the domain itself first, and its dates', async ({ dns }) => {
  const said = viewText(await dns.viewOf('dns list example.com'));
  expect([...said.matchAll(/^(\S+) │ (\S+)/gm)].map(([, host, type]) => `${host} ${type}`).slice(1)).toEqual([
    ...['@ NS', '@ NS', '@ NS', '@ A', '@ MX', '@ MX', '@ TXT', '@ CAA', '_dmarc TXT', 'api A', 'app A', 'blog CNAME'],
    ...['db A', 'mail A', 'mail AAAA', 'shop A', 'status A', 'www A'],
  ]);
  expect(said).toContain(
    '\n· created ‹full› · changed ‹full› · 18 records · read ‹full›\n[Add… → form dns add example.com]',
  );
});

test('a short list of records has buttons for each, and their form shows the present record', async ({ dns }) => {
  expect(viewText(await dns.viewOf('dns list example.com blog'))).toMatchInlineSnapshot(`
    "## example.com
    Host │ Record │ TTL, id
    blog │ CNAME shop.example.com │ default · #13
    · 1 of 18 records · read ‹full›
    [Edit blog CNAME shop.example.com → form dns edit example.com 13 host=blog type=CNAME value=shop.example.com] [Remove blog CNAME shop.example.com → dns remove example.com 13] [Zone file → dns zone example.com]"
  `);
  expect(viewText(await dns.viewOf('dns list example.com type=mx 20'))).toContain('1 of 18 records');
});

test('a person who may not change records gets no buttons for changes', async () => {
  const dns = await openDns({ may: (capability) => capability === 'read' });
  const view = viewText(await dns.viewOf('dns list example.com'));
  expect(view).toContain('[Zone file → dns zone example.com]');
  expect(view).not.toMatch(/Add|Edit|Remove/);
});

test('the records of a long zone are shown in pages', async ({ dns }) => {
  dns.sim.records({
    domain: 'example.net',
    add: Array.from({ length: 40 }, (_, index) => ({ host: `h${index + 10}`, type: 'A' as const, value: '192.0.2.1' })),
  });
  const first = await dns.viewOf('dns list example.net');
  expect(first.more).toBe('dns list example.net page=2');
  expect(viewText(first)).toContain('50 records · page 1 of 2');
});

test('dns zone sends the zone as a file', async ({ dns }) => {
  const view = await dns.viewOf('dns zone example.org');
  expect(view.summary).toBe('Zone file of example.org, 12 records: 5 A, 1 CNAME, 1 MX, 1 TXT, 1 SRV, 3 NS');
  const [file] = view.files ?? [];
  const text = new TextDecoder().decode(file?.bytes);
  expect(text).toContain('$ORIGIN example.org.');
  expect(text).toContain('"v=spf1 mx -all"');
});
