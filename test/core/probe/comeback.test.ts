import { expect, test } from 'vitest';
import { afterProbe, type Comeback, isBack, sayComeback, sayMissing } from '../../../src/core/probe/comeback.ts';
import type { Probed } from '../../../src/core/probe/services.ts';

const ssh: Probed = { address: '192.0.2.10', port: 22, ms: 12 };
const site: Probed = { address: '192.0.2.10', port: 443, name: 'www.example.com', ms: 80 };
const silent = 'it did not answer in time';
const broken = 'it answers with status 503';

const comeback: Comeback = {
  before: [site, ssh],
  beforeAt: 0,
  needs: 'all',
  withinMs: 300_000,
  isVerified: true,
  missing: null,
  tookMs: 0,
};
const after = (siteWhy: string | undefined, sshWhy: string | undefined, needs: Comeback['needs'] = 'all') =>
  afterProbe(
    { ...comeback, needs, power: 'power on' },
    [
      { ...site, ...(siteWhy && { why: siteWhy }) },
      { ...ssh, ...(sshWhy && { why: sshWhy }) },
    ],
    300_000,
  );

test.each([
  [after(silent, silent), 'power on, nothing answers after 5 min', 'before it, https www.example.com and ssh answered'],
  [
    after(broken, undefined),
    'power on, https www.example.com not back after 5 min',
    `https www.example.com: ${broken}`,
  ],
  [
    after(broken, silent),
    'power on, https www.example.com and ssh not back after 5 min',
    `https www.example.com: ${broken}; ssh: ${silent}`,
  ],
])('a server that does not answer as before is not back, and the words say how', (seen, words, missing) => {
  expect(isBack(seen)).toBe(false);
  expect([sayComeback(seen), sayMissing(seen)]).toEqual([words, missing]);
});

test('a server is back when all services answer, or any where another system runs', () => {
  expect(isBack(comeback)).toBe(false);
  expect(isBack(after(undefined, undefined))).toBe(true);
  expect(isBack(after(silent, undefined, 'any'))).toBe(true);
  expect(isBack(after(silent, silent, 'any'))).toBe(false);
});
