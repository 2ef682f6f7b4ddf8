import fc from 'fast-check';

/** Random lines of zone text: most of them plain, some odd. */

const oneOf = (...words: readonly string[]) => fc.constantFrom(...words);
const plainLabel = fc.stringMatching(/^[a-z0-9_]{1,8}$/);
const oddLabel = fc.stringMatching(/^[a-z0-9_*\\@."$#-]{1,6}$/);
const label = fc.oneof({ weight: 5, arbitrary: plainLabel }, { weight: 1, arbitrary: oddLabel });
const name = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), oneOf('', '', '', '.example.com.', '.example.net.', '.'))
  .map(([labels, end]) => `${labels.join('.')}${end}`);
const number = fc.oneof(
  { weight: 4, arbitrary: fc.nat(70_000).map(String) },
  { weight: 1, arbitrary: fc.stringMatching(/^[0-9+.xeE-]{1,5}$/) },
);
const address = fc.oneof(
  { weight: 3, arbitrary: fc.ipV4() },
  { weight: 1, arbitrary: fc.stringMatching(/^[0-9]{1,3}(\.[0-9]{1,3}){2,4}$/) },
);
const inner = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.stringMatching(/^[ -!#-[\]-~]{1,10}$/) },
      { weight: 1, arbitrary: fc.stringMatching(/^\\[0-9]{3}$/) },
      { weight: 1, arbitrary: fc.stringMatching(/^\\[ -~]$/) },
      { weight: 1, arbitrary: oneOf('é', 'ü', '漢', '😀', '\\195\\169', '\\240\\159\\152\\128') },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
const string = fc.oneof(
  { weight: 3, arbitrary: inner.map((text) => `"${text}"`) },
  { weight: 1, arbitrary: fc.stringMatching(/^[!#-~]{1,8}$/) },
);
const rdata = fc.oneof(
  fc.tuple(oneOf('A'), address),
  fc.tuple(oneOf('AAAA'), fc.oneof(fc.ipV6(), fc.stringMatching(/^[0-9a-f:]{3,12}$/))),
  fc.tuple(oneOf('CNAME', 'NS'), name),
  fc.tuple(oneOf('MX'), number, name),
  fc.tuple(oneOf('SRV'), number, number, number, name),
  fc.tuple(
    oneOf('TXT'),
    fc.array(string, { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')),
  ),
  fc.tuple(
    oneOf('TXT'),
    fc.array(string, { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')),
  ),
  fc.tuple(oneOf('CAA'), oneOf('0', '128', '300', '0x0'), oneOf('issue', 'iodef', 'ISSUEWILD'), string),
);
const life = oneOf('', '', '', '300 ', 'IN ', '300 IN ', 'IN 1h ', '300 300 ', '7 ', '0x9 ');
const line = fc.tuple(name, life, rdata).map(([at, ttl, words]) => `${at} ${ttl}${words.join(' ')}`);

/** Each seed gives other texts; `.ci/run` always has the same seed. */
export function drawnTexts(count: number): string[] {
  const { seed } = fc.readConfigureGlobal();
  return fc.sample(line, { numRuns: count, ...(seed === undefined ? {} : { seed }) });
}
