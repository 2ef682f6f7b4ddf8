import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SimDnsEntry, SimDomain } from '../../sandbox/provider/model.ts';
import { zoneFile } from '../../sandbox/provider/zone.ts';
import { textOf } from '../../src/core/dns/quoted.ts';
import { conflictOf, fullName, isWritable, type RecordData } from '../../src/core/dns/record.ts';
import { zoneTextOf } from '../../src/core/dns/write-zone.ts';
import { hasAllTests, isNightly, sample } from '../support/suite/seed.ts';
import { parseZone } from '../support/values/parse-zone.ts';
import { allowances } from './allowances.ts';
import { drawnTexts } from './drawn-zone-texts.ts';
import { bytesMeant, dataMeant, type Meant, nameMeant } from './meant.ts';
import { domain, fixedTexts, soaLine, wholeText } from './zone-texts.ts';
import { hasZoneTools, type ReadByTool, readByTools, type ZoneTool } from './zone-tools.ts';

/** Zone texts through Hostler's reader and four of Debian: the accepted records, and their meaning. */

interface Compared {
  readonly text: string;
  readonly hostler: ReturnType<typeof parseZone>;
  readonly tools: readonly ReadByTool[];
}

interface Difference {
  readonly text: string;
  /** Hostler's words if it refuses a text that all tools accept; else the tool that refuses or differs. */
  readonly refusal?: string;
  readonly tool?: ZoneTool;
}

function meant(record: RecordData): Meant {
  const { type, value, prio, ttl } = record;
  const words = [...(prio === null ? [] : [String(prio)]), ...(value.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? [])];
  const data = type === 'TXT' ? bytesMeant(Buffer.from(textOf(value))) : dataMeant(type, words, '');
  return { name: nameMeant(fullName(record.host, domain)), type, data, ttl };
}

const textOfMeant = ({ name, type, data, ttl }: Meant) => `${name} ${type} ${data} ${ttl}`;
const asSet = (records: readonly Meant[]) => [...new Set(records.map(textOfMeant))].sort();
const isAlike = (a: readonly Meant[], b: readonly Meant[]) => asSet(a).join('\n') === asSet(b).join('\n');

/** Each tool has a difference to itself: one text can be odd in two ways, and each tool differs because of another. */
function differencesOf({ text, hostler: { records, problems }, tools }: Compared): Difference[] {
  if (problems.length > 0) {
    const isRight = tools.some(({ takes }) => !takes);
    return isRight ? [] : [{ text, refusal: problems.map((problem) => problem.text).join('\n') }];
  }
  const mine = records.map(meant);
  const others = tools.filter((one) => !one.takes || (one.records !== undefined && !isAlike(one.records, mine)));
  return others.map(({ tool }) => ({ text, tool }));
}

function allows({ refusal, text, only }: (typeof allowances)[number], difference: Difference): boolean {
  if (difference.refusal !== undefined) return refusal?.test(difference.refusal) === true;
  if (text?.test(difference.text) !== true || difference.tool === undefined) return false;
  return only === undefined || only.includes(difference.tool);
}

describe.skipIf(!hasZoneTools())('zone texts', () => {
  let compared: Compared[] = [];
  beforeAll(async () => {
    // Each text takes four processes.
    const texts = sample([...fixedTexts, ...drawnTexts(40)], 8);
    const tools = await readByTools(texts.map(wholeText), domain);
    compared = texts.map((text, n) => ({ text, hostler: parseZone(wholeText(text), domain), tools: tools[n] ?? [] }));
  });

  test('texts mean what four DNS tools say, or differ in a way that docs/dns.md has with its reason', () => {
    expect(compared.length).toBeGreaterThanOrEqual(isNightly ? 400 : 50);
    expect(compared.filter(({ hostler }) => hostler.problems.length === 0).length).toBeGreaterThan(
      isNightly ? 100 : 12,
    );
    const differences = compared.flatMap(differencesOf);
    expect(differences.filter((one) => !allowances.some((allowance) => allows(allowance, one)))).toEqual([]);
    // An allowance without a difference is out of date.
    const unused = allowances.filter((allowance) => !differences.some((one) => allows(allowance, one)));
    if (hasAllTests) expect(unused.map(({ row }) => row)).toEqual([]);
  });

  test('docs/dns.md has a row for each difference that is allowed, and for no other', () => {
    const docs = readFileSync('docs/dns.md', 'utf8')
      .split('\n## ')
      .find((part) => part.startsWith('How Hostler reads a zone'));
    const rows = [...(docs ?? '').matchAll(/^\| (.+?) +\| .+ \|$/gm)].map(([, first]) => first ?? '');
    expect(rows.filter((row) => !/^(-+|Text)$/.test(row)).sort()).toEqual(allowances.map(({ row }) => row).sort());
  });

  test('all tools accept the accepted records as the provider and as Hostler print them, and Hostler reads them back', async () => {
    const more = drawnTexts(isNightly ? 2_000 : 300).map((text) => parseZone(wholeText(text), domain));
    const accepted = [...compared.map(({ hostler }) => hostler), ...more].filter(
      ({ problems }) => problems.length === 0,
    );
    const zones = zonesOf(accepted.flatMap(({ records }) => records));
    expect(zones.flat().length).toBeGreaterThanOrEqual(isNightly ? 300 : 30);
    const byHostler = (zone: readonly RecordData[]) => {
      const records = zone.map((record) => ({ ...record, ttl: 300 }));
      return `${soaLine}${zoneTextOf(records, domain)}`;
    };
    const printed = zones.flatMap((zone) => [
      { zone, text: print(zone) },
      { zone, text: byHostler(zone) },
    ]);
    const tools = await readByTools(
      printed.map(({ text }) => text),
      domain,
    );
    for (const [n, { zone, text }] of printed.entries()) {
      const mine = zone.map((record) => ({ ...meant(record), ttl: 300 }));
      for (const { tool, takes, words, records } of tools[n] ?? []) {
        expect(takes, `${tool}: ${words}`).toBe(true);
        if (records !== undefined) expect(asSet(records), tool).toEqual(asSet(mine));
      }
      const again = parseZone(text, domain);
      expect(again.problems).toEqual([]);
      expect(asSet(again.records.map(meant))).toEqual(asSet(mine));
    }
  });
});

/** As few zones as hold all the records, in which none is in the way of another. Knot wants name servers outside. */
function zonesOf(records: readonly RecordData[]): RecordData[][] {
  const zones: RecordData[][] = [];
  const placed = new Set<string>();
  for (const record of records) {
    if (record.type === 'NS' && (record.host !== '@' || !record.value.endsWith('hosting.example'))) continue;
    const zone = zones.find((some) => conflictOf(record, some, domain) === undefined);
    const text = textOfMeant(meant(record));
    if (zone !== undefined) zone.push(record);
    else if (!placed.has(text)) zones.push([nameServer, record]);
    placed.add(text);
  }
  return zones;
}

const nameServer: RecordData = { host: '@', type: 'NS', value: 'ns1.hosting.example', prio: null, ttl: 300 };

function print(records: readonly RecordData[]): string {
  const entries = records.flatMap((record, id): [number, SimDnsEntry][] =>
    isWritable(record) ? [[id, { ...record, id, host: record.host === '@' ? '' : record.host, ttl: 300 }]] : [],
  );
  const sim: SimDomain = { name: domain, createdAt: 0, updatedAt: 0, tags: [], entries: new Map(entries) };
  return zoneFile(sim);
}
