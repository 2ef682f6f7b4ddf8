/** DNS records of mail providers according to their public documentation. */

export interface MailPreset {
  readonly name: string;
  readonly mx: (domain: string) => readonly (readonly [prio: number, host: string])[];
  /** The name for the SPF include, and the end of a new SPF record. */
  readonly spf: { readonly include: string; readonly end: '~all' | '-all' | '?all' };
  readonly cnames: (domain: string) => readonly (readonly [host: string, target: string])[];
  /** Notes on the card about settings found only in the mail provider's own pages. */
  readonly notes: readonly string[];
}

const none = () => [];
const ownKey = (where: string) => `DKIM is not part of it. The key is shown by ${where}; add it with dns add.`;

const zoho = (ending: string): MailPreset => ({
  name: ending === 'com' ? 'Zoho Mail' : 'Zoho Mail (EU)',
  mx: () => [
    [10, `mx.zoho.${ending}`],
    [20, `mx2.zoho.${ending}`],
    [50, `mx3.zoho.${ending}`],
  ],
  spf: { include: `zohomail.${ending}`, end: '~all' },
  cnames: none,
  notes: [ownKey('the Zoho admin console')],
});

export const mailPresets = {
  google: {
    name: 'Google Workspace',
    mx: () => [[1, 'smtp.google.com']],
    spf: { include: '_spf.google.com', end: '~all' },
    cnames: none,
    notes: [ownKey('the Google admin console')],
  },
  microsoft: {
    name: 'Microsoft 365',
    mx: (domain) => [[0, `${domain.replaceAll('.', '-')}.mail.protection.outlook.com`]],
    spf: { include: 'spf.protection.outlook.com', end: '-all' },
    cnames: () => [['autodiscover', 'autodiscover.outlook.com']],
    notes: [
      'The MX is the name that Microsoft makes of the domain. Its admin center shows the exact one, so compare before you approve.',
      ownKey('the Microsoft 365 admin center'),
    ],
  },
  fastmail: {
    name: 'Fastmail',
    mx: () => [
      [10, 'in1-smtp.messagingengine.com'],
      [20, 'in2-smtp.messagingengine.com'],
    ],
    spf: { include: 'spf.messagingengine.com', end: '?all' },
    cnames: (domain) =>
      ['fm1', 'fm2', 'fm3'].map((key) => [`${key}._domainkey`, `${key}.${domain}.dkim.fmhosted.com`] as const),
    notes: [],
  },
  proton: {
    name: 'Proton Mail',
    mx: () => [
      [10, 'mail.protonmail.ch'],
      [20, 'mailsec.protonmail.ch'],
    ],
    spf: { include: '_spf.protonmail.ch', end: '~all' },
    cnames: none,
    notes: [ownKey('the domain settings of Proton, as three CNAMEs')],
  },
  zoho: zoho('com'),
  'zoho-eu': zoho('eu'),
  icloud: {
    name: 'iCloud Mail',
    mx: () => [
      [10, 'mx01.mail.icloud.com'],
      [10, 'mx02.mail.icloud.com'],
    ],
    spf: { include: 'icloud.com', end: '~all' },
    cnames: (domain) => [['sig1._domainkey', `sig1.dkim.${domain}.at.icloudmailadmin.com`]],
    notes: ['Apple asks for one more TXT record, which its settings show.'],
  },
} as const satisfies Readonly<Record<string, MailPreset>>;

export type MailProvider = keyof typeof mailPresets;

/** Adds the provider to an SPF text, since a domain may have only one SPF record. */
export function withInclude(spf: string, include: string): string {
  const words = spf.trim().split(/\s+/);
  const wanted = `include:${include}`;
  if (words.some((word) => word.toLowerCase() === wanted)) return spf;
  const end = words.findIndex((word) => /^[-~?+]?all$|^redirect=/i.test(word));
  const at = end < 0 ? words.length : end;
  return [...words.slice(0, at), wanted, ...words.slice(at)].join(' ');
}
