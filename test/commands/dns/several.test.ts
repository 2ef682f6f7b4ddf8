import { describe, expect, test } from 'vitest';
import { openDns, sayRefusal } from './open.ts';

// Several values for one name at once.

describe('dns add of several values', () => {
  test('dns add of two ACME texts adds two records in one plan, whose title has the name', async () => {
    const dns = await openDns();
    const { plan } = await dns.planOf('dns add example.com _acme-challenge TXT "token-one" "token-two"');
    expect(plan.title).toBe('Add 2 TXT records of _acme-challenge.example.com');
    expect(await dns.done('dns add example.com _acme-challenge TXT "token-one" "token-two"')).toMatchObject({
      end: 'done',
    });
    expect(await dns.records('example.com', '_acme-challenge')).toEqual([
      '_acme-challenge TXT token-one 3600',
      '_acme-challenge TXT token-two 3600',
    ]);
    // The plan leaves out the existing record.
    const again = await dns.planOf('dns add example.com _acme-challenge TXT "token-two" "token-three"');
    expect(again.plan.steps.map(({ label }) => label)).toEqual(['+ _acme-challenge TXT token-three']);
  });

  test('dns add of other quoted texts asks what is meant, and both suggestions work', async () => {
    const dns = await openDns();
    const refusal = await dns.refusalOf('dns add example.com note TXT "one" "two"');
    expect(sayRefusal(refusal)).toContain('2 texts are quoted: separate records, or one long text?');
    const labels = await Promise.all(
      refusal.suggestions.map(async ({ command }) => (await dns.planOf(command)).plan.steps.map(({ label }) => label)),
    );
    expect(labels).toEqual([['+ note TXT one', '+ note TXT two'], ['+ note TXT onetwo']]);
  });

  test.each(['add', 'set'])('both suggestions of dns %s keep the TTL that was typed', async (verb) => {
    const dns = await openDns();
    const { suggestions } = await dns.refusalOf(`dns ${verb} example.com note TXT "one" "two" ttl=5m`);
    expect(suggestions.map(({ command }) => command)).toEqual([
      `dns ${verb} example.com note TXT "one" "two" each=yes ttl=300`,
      `dns ${verb} example.com note TXT "onetwo" ttl=300`,
    ]);
  });

  test('a value of several words is one value, and several values are several', async () => {
    const dns = await openDns();
    for (const [line, labels] of [
      ['dns add example.com pool A 192.0.2.1 192.0.2.2', ['+ pool A 192.0.2.1', '+ pool A 192.0.2.2']],
      ['dns add example.com pool A 192.0.2.1, 192.0.2.2', ['+ pool A 192.0.2.1', '+ pool A 192.0.2.2']],
      ['dns add example.com note TXT v=spf1 -all', ['+ note TXT v=spf1 -all']],
      ['dns add example.com sub CAA 0 issue "letsencrypt.org"', ['+ sub CAA 0 issue "letsencrypt.org"']],
    ] as const)
      expect(
        (await dns.planOf(line)).plan.steps.map(({ label }) => label),
        line,
      ).toEqual(labels);
  });
});

describe('dns set of several values', () => {
  test('dns set makes the records of a name exactly the given ones', async () => {
    const dns = await openDns();
    await dns.done('dns add example.com pool A 192.0.2.1 192.0.2.2 192.0.2.3');
    expect(
      (await dns.planOf('dns set example.com pool A 192.0.2.2 192.0.2.9')).plan.diff?.map(
        ({ sign, text }) => `${sign} ${text.split(/\s+/)[2]}`,
      ),
    ).toEqual(['− 192.0.2.1', '+ 192.0.2.9', '− 192.0.2.3']);
    expect(await dns.done('dns set example.com pool A 192.0.2.2 192.0.2.9', 'b8g4d3')).toMatchObject({ end: 'done' });
    expect(await dns.records('example.com', 'pool')).toEqual(['pool A 192.0.2.9 3600', 'pool A 192.0.2.2 3600']);
    expect((await dns.planOf('dns set example.com pool A 192.0.2.9 192.0.2.2')).plan.nothingToDo).toContain('already');
  });

  test('dns set adds all values of a new name, and each ACME text is a separate record', async () => {
    const dns = await openDns();
    const { plan } = await dns.planOf('dns set example.com _acme-challenge TXT "one" "two"');
    expect(plan.steps.map(({ label }) => label)).toEqual(['+ _acme-challenge TXT one', '+ _acme-challenge TXT two']);
  });
});
