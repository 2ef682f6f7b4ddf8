import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type ReaderAt, type Target, targetKey } from '../../core/account/account.ts';
import type { AlertSummary, Finding } from '../../core/alert/alert.ts';
import { letsSomebody } from '../../core/policy/evaluate.ts';
import type { Capability } from '../../core/policy/policy.ts';
import { count } from '../../core/text/words.ts';
import { severities } from '../../core/view/severity.ts';
import type { AlertRow } from '../../store/records/alert-messages.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** An alert's row with its finding, which was written by the bot and is not validated. */
export interface Alert extends Omit<AlertRow, 'finding'> {
  readonly finding: Finding;
}

const storedFinding = z.custom<Finding>((value) => typeof value === 'object' && value !== null && 'cause' in value);

export function readAlert(row: AlertRow): Alert {
  return { ...row, finding: storedFinding.parse(row.finding) };
}

/** The title of the only alert, or the number of several. */
export function titleOf(rows: readonly AlertRow[]): string {
  const [only, ...others] = rows;
  return only === undefined || others.length > 0 ? count(rows.length, 'alert') : readAlert(only).finding.title;
}

export function summaryOf(row: AlertRow): AlertSummary {
  const { id, rule, state, severity, finding, openedAt, resolvedAt, byUser, until } = readAlert(row);
  return { id, rule, state, severity, finding, openedAt, resolvedAt, by: byUser, until };
}

export interface ChannelReader extends ReaderAt {
  readonly may: (capability: Capability, target: Target) => boolean;
}

/** Stands for all people who read the channel. */
export async function readerOf({ policies }: Pick<EngineContext, 'policies'>, channel: string): Promise<ChannelReader> {
  const grants = (await policies.get(channel))?.grants ?? [];
  return { channel, may: (capability, target) => letsSomebody(grants, capability, target) };
}

export function graver(a: Pick<Alert, 'severity'>, b: Pick<Alert, 'severity'>): number {
  return severities.indexOf(b.severity) - severities.indexOf(a.severity);
}

type Ranked = Pick<Alert, 'severity' | 'openedAt'> & { readonly finding: Pick<Finding, 'left'> };

/** Sorts by severity, then by the least time left, then by age. */
export function mostUrgentFirst(a: Ranked, b: Ranked): number {
  const left = ({ finding }: Ranked) => finding.left ?? Number.MAX_SAFE_INTEGER;
  return graver(a, b) || left(a) - left(b) || a.openedAt - b.openedAt;
}

/** Short enough to read aloud. */
export function shortId(seed: string): string {
  const digits = 'abcdefghjkmnpqrstuvwxyz23456789';
  const hash = createHash('sha256').update(seed).digest();
  return [...hash.subarray(0, 8)].map((byte) => digits[byte % digits.length]).join('');
}

/** More open alerts than this are a flood, of which only the first are searched. */
const mostOpen = 500;

export async function openAbout(
  { store }: Pick<EngineContext, 'store'>,
  targets: ReadonlySet<string>,
): ReturnType<EngineContext['alerts']['openAbout']> {
  const rows = await store.alerts.listOpen({ limit: mostOpen });
  return rows
    .map((row) => ({ ...summaryOf(row), channel: row.channel }))
    .filter(({ finding }) => targets.has(targetKey(finding.target)))
    .toSorted(mostUrgentFirst);
}
