/** A mutant that no test can or need notice, with the reason. */
export interface Survivor {
  readonly file: string;
  /** The code that is changed, with single spaces between its words. */
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

const instead = '"Stryker was here!"';

export const survivors: readonly Survivor[] = [
  {
    file: 'src/core/evaluate.ts',
    from: "''",
    to: instead,
    why: 'A string that is split has at least one part, so neither the first nor the last is ever missing.',
  },
  {
    file: 'src/core/policy.ts',
    from: '/,|(?<!\\bdomain)\\s+/',
    to: '/,|(?<!\\bdomain)\\s/',
    why: 'The empty words between two spaces are left out right after.',
  },
  {
    file: 'src/core/policy.ts',
    from: 'risks.indexOf(a) >= risks.indexOf(b)',
    to: 'risks.indexOf(a) > risks.indexOf(b)',
    why: 'Two risks of one rank are one risk, whichever of the two is returned.',
  },
  ...['/^[UW][A-Z0-9]+/', '/[UW][A-Z0-9]+$/'].map((to) => ({
    file: 'src/core/policy.ts',
    from: '/^[UW][A-Z0-9]+$/',
    to,
    why: 'zod takes the anchors off a part of a template and puts its own around the whole.',
  })),
  ...['/^S[A-Z0-9]+/', '/S[A-Z0-9]+$/'].map((to) => ({
    file: 'src/core/policy.ts',
    from: '/^S[A-Z0-9]+$/',
    to,
    why: 'zod takes the anchors off a part of a template and puts its own around the whole.',
  })),
];
