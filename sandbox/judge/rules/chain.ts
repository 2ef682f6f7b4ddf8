import { createHash } from 'node:crypto';
import type { JudgeRule } from './rule.ts';

export const chain: JudgeRule = {
  name: 'chain',
  promise: 'Each line of the audit is sealed with the one before it; none is missing, changed or out of order.',
  check: ({ audit }) => {
    let prev = '0'.repeat(64);
    const broken: string[] = [];
    for (const [n, line] of audit.entries()) {
      const { seq, at, kind, actor, channel, operationId, data } = line;
      if (seq !== n + 1) broken.push(`line ${n + 1} has the number ${seq}`);
      if (line.prev !== prev) broken.push(`line ${seq} does not follow the one before it`);
      const body = sorted({ seq, at, kind, actor, channel, operationId, data });
      const seal = createHash('sha256').update(line.prev).update(body).digest('hex');
      if (seal !== line.hash) broken.push(`line ${seq} was changed`);
      prev = line.hash;
    }
    return broken;
  },
};

/** JSON with sorted keys, from which the hash is computed. */
export function sorted(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${sorted(item)}`).join(',')}}`;
}
