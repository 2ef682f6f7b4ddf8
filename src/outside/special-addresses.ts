import { BlockList, isIP } from 'node:net';

/**
 * The addresses to which no question goes, because they are not public: the special registries of IANA, and the ranges that
 * RFC 4291 reserves. A zone could name them as its servers to reach machines inside of the operator's network.
 */

type Range = readonly [address: string, prefix: number, source: string];

export const specialV4: readonly Range[] = [
  ['0.0.0.0', 8, 'RFC 791'],
  ['10.0.0.0', 8, 'RFC 1918'],
  ['100.64.0.0', 10, 'RFC 6598'],
  ['127.0.0.0', 8, 'RFC 1122'],
  ['169.254.0.0', 16, 'RFC 3927'],
  ['172.16.0.0', 12, 'RFC 1918'],
  ['192.0.0.0', 24, 'RFC 6890'],
  ['192.0.2.0', 24, 'RFC 5737'],
  ['192.31.196.0', 24, 'RFC 7535'],
  ['192.52.193.0', 24, 'RFC 7450'],
  ['192.88.99.0', 24, 'RFC 7526'],
  ['192.168.0.0', 16, 'RFC 1918'],
  ['192.175.48.0', 24, 'RFC 7534'],
  ['198.18.0.0', 15, 'RFC 2544'],
  ['198.51.100.0', 24, 'RFC 5737'],
  ['203.0.113.0', 24, 'RFC 5737'],
  ['224.0.0.0', 4, 'RFC 5771'],
  ['240.0.0.0', 4, 'RFC 1112'],
];

/** The only range of IPv6 from which public addresses are given (RFC 4291); everything outside of it is refused. */
const publicV6: Range = ['2000::', 3, 'RFC 4291'];

export const specialV6: readonly Range[] = [
  ['2001::', 23, 'RFC 2928'],
  ['2001:db8::', 32, 'RFC 3849'],
  // An address of 6to4 contains an IPv4 address, which may be private.
  ['2002::', 16, 'RFC 3056'],
  ['2620:4f:8000::', 48, 'RFC 7534'],
  ['3fff::', 20, 'RFC 9637'],
];

const special = new BlockList();
for (const [address, prefix] of specialV4) special.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of specialV6) special.addSubnet(address, prefix, 'ipv6');
const unicast = new BlockList();
unicast.addSubnet(publicV6[0], publicV6[1], 'ipv6');

/** True for an address of the public internet. False for everything else, such as a text that is no address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  // A zone such as `%eth0` names an interface of this machine.
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !special.check(address, 'ipv4');
  return unicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
