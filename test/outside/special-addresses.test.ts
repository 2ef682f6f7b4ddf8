import { expect, test } from 'vitest';
import { isPublicAddress } from '../../src/outside/special-addresses.ts';

// The special registries of IANA: the first and the last address of each range, and where it is from.

test.each([
  ['RFC 791', '0.0.0.0', '0.255.255.255'],
  ['RFC 1918', '10.0.0.0', '10.255.255.255'],
  ['RFC 6598', '100.64.0.0', '100.127.255.255'],
  ['RFC 1122', '127.0.0.0', '127.255.255.255'],
  ['RFC 3927', '169.254.0.0', '169.254.255.255'],
  ['RFC 1918', '172.16.0.0', '172.31.255.255'],
  ['RFC 6890', '192.0.0.0', '192.0.0.255'],
  ['RFC 5737', '192.0.2.0', '192.0.2.255'],
  ['RFC 7535', '192.31.196.0', '192.31.196.255'],
  ['RFC 7450', '192.52.193.0', '192.52.193.255'],
  ['RFC 7526', '192.88.99.0', '192.88.99.255'],
  ['RFC 1918', '192.168.0.0', '192.168.255.255'],
  ['RFC 7534', '192.175.48.0', '192.175.48.255'],
  ['RFC 2544', '198.18.0.0', '198.19.255.255'],
  ['RFC 5737', '198.51.100.0', '198.51.100.255'],
  ['RFC 5737', '203.0.113.0', '203.0.113.255'],
  ['RFC 5771', '224.0.0.0', '239.255.255.255'],
  ['RFC 1112', '240.0.0.0', '255.255.255.255'],
  ['RFC 4291, unspecified and loopback', '::', '::1'],
  ['RFC 4291, IPv4-mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
  ['RFC 6052', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['RFC 8215', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['RFC 6666', '100::', '100::ffff:ffff:ffff:ffff'],
  ['RFC 2928, with Teredo and ORCHID', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['RFC 3849', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['RFC 3056', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['RFC 7534', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['RFC 9637', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['RFC 9602', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['RFC 4193', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['RFC 4291, link-local', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['RFC 3879', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['RFC 4291, multicast', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
])('%s: no question goes to %s, or to %s', (_, first, last) => {
  expect([first, last].map(isPublicAddress)).toEqual([false, false]);
});

test.each([
  ...['1.1.1.1', '9.9.9.9', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0'],
  ...['192.0.1.0', '192.0.3.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '169.253.255.255'],
  ...['2606:4700:4700::1111', '2620:fe::fe', '2001:200::1', '2001:db9::1', '2003::1', '3ffe::1'],
])('the public address %s is asked', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const texts = ['', 'ns1.example.com', '1.1.1', '1.1.1.1:53', '0x7f000001', '2606:4700::1111%eth0', '[::1]'];
test.each(texts)('"%s" is no address', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});
