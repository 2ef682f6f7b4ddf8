import { expect, test } from 'vitest';
import { createRateLimit } from '../../../src/core/async/rate-limit.ts';

test('a person above the limit is refused with a message, again after ten seconds, and accepted after a minute', () => {
  let now = 0;
  const { admit } = createRateLimit(2, () => now);
  const at = (seconds: number, person = 'operator') => {
    now = seconds * 1_000;
    return admit(person);
  };
  expect([at(0), at(1), at(2), at(3), at(11)]).toEqual(['yes', 'yes', 'no_first', 'no_again', 'no_again']);
  expect([at(12), at(13), at(22)]).toEqual(['no_first', 'no_again', 'no_first']);
  expect(at(23, 'lead')).toBe('yes');
  expect([at(60), at(60.5), at(61)]).toEqual(['yes', 'no_first', 'yes']);
});

test('a repeated request counts once, and its refusal is reported when it is read', () => {
  const { admit, giveBack } = createRateLimit(1, () => 0);
  giveBack('operator', admit('operator'));
  expect(admit('operator')).toBe('yes');
  giveBack('operator', admit('operator'));
  expect(admit('operator')).toBe('no_first');
});
