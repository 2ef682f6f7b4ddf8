import { expect, test } from 'vitest';
import { planText } from '../../support/view-text.ts';
import { openDns } from './open.ts';

// Records whose names another zone or other name servers answer for.

test('the card of a record in or below another domain of the account says that no name server answers it', async () => {
  const dns = await openDns();
  await dns.done('dns domain-add eu.example.com 192.0.2.10');
  for (const line of ['dns apply example.com "www.eu 300 A 192.0.2.99" --keep', 'dns edit example.com www A host=eu']) {
    const { details, effect } = (await dns.planOf(line)).plan;
    expect(details).toContainEqual(['Hidden', expect.stringMatching(/^eu\.example\.com is a separate zone, so add /)]);
    expect(effect).not.toContain('answers 192.0.2');
  }
});

test('the card of a record below a delegation names the servers that answer for it', async () => {
  const dns = await openDns();
  await dns.done('dns add example.com lab NS ns1.other.example ns2.other.example');
  const { plan } = await dns.planOf('dns add example.com www.lab A 192.0.2.99');
  expect(plan.effect).toBe('example.com has www.lab.example.com A 192.0.2.99, but no name server answers it.');
  expect(planText(plan)).toContain(
    'Hidden: lab.example.com is delegated to ns1.other.example and ns2.other.example, so add www.lab.example.com A there.',
  );
});

test('of several records the card names those that are hidden', async () => {
  const dns = await openDns();
  await dns.done('dns add example.com lab NS ns1.other.example');
  const { plan } = await dns.planOf(
    'dns apply example.com ```\nwww.lab 300 A 192.0.2.1\nlab 300 TXT hello\nlabs 300 A 192.0.2.1\nmy-lab 300 A 192.0.2.1\n``` --keep',
  );
  expect(plan.details).toContainEqual([
    'Hidden',
    'lab.example.com is delegated to ns1.other.example, so add www.lab.example.com A and lab.example.com TXT there.',
  ]);
});

test('the card of a record that is not hidden promises its answer', async () => {
  const dns = await openDns();
  await dns.done('dns add example.com lab NS ns1.lab.example.com ns2.other.example');
  for (const record of [
    // Another name server of the delegation, and the address of one below it.
    'lab NS ns3.other.example',
    'ns1.lab A 192.0.2.53',
    // A name that only ends alike, and the domain itself.
    'mylab A 192.0.2.1',
    '@ TXT hello',
  ]) {
    const { plan } = await dns.planOf(`dns add example.com ${record}`);
    expect(plan.effect, record).toContain(' answers ');
    expect(plan.details.map(([label]) => label)).not.toContain('Hidden');
  }
});

test('a card does not name a domain that the person may not read', async () => {
  const dns = await openDns({ may: (_, target) => target.id !== 'eu.example.com' });
  await dns.done('dns domain-add eu.example.com 192.0.2.10');
  const { plan } = await dns.planOf('dns add example.com www.eu A 192.0.2.99');
  expect(plan.details.map(([label]) => label)).not.toContain('Hidden');
});
