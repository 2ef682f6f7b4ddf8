import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Makes X.509 certificates (RFC 5280) with EC keys, from the few parts of DER that they need. */

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

interface CertificateOptions {
  /** The DNS names, such as `*.example.com`. */
  readonly names: readonly string[];
  readonly from: Date;
  /** Before 2050. */
  readonly until: Date;
  /** The authority that signs it. Without one it is an authority, which signs itself. */
  readonly issuer?: Certificate;
}

const issuerName = 'Simulated authority';
const serverName = 'Simulated server';

export function makeCertificate({ names, from, until, issuer }: CertificateOptions): Certificate {
  const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;
  const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256', privateKeyEncoding, publicKeyEncoding });
  const publicKey = createPublicKey(own.publicKey).export({ type: 'spki', format: 'der' });
  // A leading byte of 1 keeps the number positive.
  const serial = Buffer.concat([Buffer.of(1), randomBytes(15)]);
  const content = der(
    tags.sequence,
    der(tags.version, der(tags.integer, Buffer.of(2))),
    der(tags.integer, serial),
    ecdsaWithSha256,
    nameOf(issuerName),
    der(tags.sequence, timeOf(from), timeOf(until)),
    nameOf(issuer === undefined ? issuerName : serverName),
    publicKey,
    der(tags.extensions, der(tags.sequence, ...extensionsOf(names, issuer === undefined))),
  );
  const signature = sign('sha256', content, issuer?.key ?? own.privateKey);
  const whole = der(tags.sequence, content, ecdsaWithSha256, der(tags.bits, Buffer.of(0), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  const cert = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
  return { key: own.privateKey, cert };
}

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  text: 0x0c,
  time: 0x17,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  version: 0xa0,
  extensions: 0xa3,
} as const;

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), body]);
}

const objectId = (hex: string) => Buffer.from(hex, 'hex');
const commonName = objectId('0603550403');
const alternativeNames = objectId('0603551d11');
const basicConstraints = objectId('0603551d13');
const ecdsaWithSha256 = der(tags.sequence, objectId('06082a8648ce3d040302'));

function nameOf(text: string): Buffer {
  const attribute = der(tags.sequence, commonName, der(tags.text, Buffer.from(text)));
  return der(tags.sequence, der(tags.set, attribute));
}

/** `261130104500Z` */
function timeOf(date: Date): Buffer {
  return der(tags.time, Buffer.from(`${date.toISOString().slice(2, 19).replace(/\D/g, '')}Z`));
}

function extensionsOf(names: readonly string[], isAuthority: boolean): Buffer[] {
  const isTrue = der(tags.boolean, Buffer.of(0xff));
  const dnsNames = names.map((name) => der(tags.dnsName, Buffer.from(name)));
  return [
    der(tags.sequence, alternativeNames, der(tags.octets, der(tags.sequence, ...dnsNames))),
    ...(isAuthority
      ? [der(tags.sequence, basicConstraints, isTrue, der(tags.octets, der(tags.sequence, isTrue)))]
      : []),
  ];
}
