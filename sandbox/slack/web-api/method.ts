import { z } from 'zod';
import { refuseBlocks } from '../accept.ts';
import { asDicts, type Dict } from '../dict.ts';
import type { BlockWay } from '../validate/rule.ts';
import type { Workspace } from '../workspace.ts';

/** A response with `{ok: false}`. */
export class SlackApiError extends Error {
  override name = 'ApiError';
  readonly code: string;
  readonly more: Dict;
  constructor(code: string, more: Dict = {}) {
    super(code);
    this.code = code;
    this.more = more;
  }
}

/** An error with `[ERROR] …` lines in response_metadata. */
export const withProblems = (code: string, problems: readonly string[]): SlackApiError =>
  new SlackApiError(
    code,
    problems.length === 0
      ? {}
      : {
          ...(code === 'invalid_blocks' ? { errors: problems } : {}),
          response_metadata: { messages: problems.map((line) => `[ERROR] ${line}`) },
        },
  );

/** A token bucket: calls at once, and calls a minute after that. */
export interface Rate {
  perMinute: number;
  burst: number;
  /** The argument whose values have separate buckets. */
  per?: 'channel';
}

export const rates = {
  tier2: { perMinute: 20, burst: 20 },
  tier3: { perMinute: 50, burst: 50 },
  tier4: { perMinute: 100, burst: 100 },
  post: { perMinute: 60, burst: 5, per: 'channel' },
  /** apps.connections.open and auth.test are limited in the hundreds. */
  special: { perMinute: 600, burst: 600 },
} as const satisfies Record<string, Rate>;

export interface SimMethod {
  name: string;
  token: 'bot' | 'app' | 'any' | 'none';
  /** The scopes, any one of which is enough. */
  scopes: readonly string[];
  rate: Rate;
  call(args: Dict, workspace: Workspace): Dict;
}

export function defineMethod<S extends z.ZodType>(row: {
  name: string;
  token?: SimMethod['token'];
  scopes: readonly string[];
  rate: Rate;
  args: S;
  run(args: z.output<S>, workspace: Workspace): Dict;
}): SimMethod {
  return {
    name: row.name,
    token: row.token ?? 'bot',
    scopes: row.scopes,
    rate: row.rate,
    call(args, workspace) {
      const parsed = row.args.safeParse(args);
      if (!parsed.success) {
        const problems = parsed.error.issues.map((issue) =>
          issue.code === 'invalid_type' && issue.input === undefined
            ? `missing required field: ${issue.path.join('/')}`
            : `${issue.message} [json-pointer:/${issue.path.join('/')}]`,
        );
        throw withProblems('invalid_arguments', problems);
      }
      return row.run(parsed.data, workspace);
    },
  };
}

const truthy = new Set<unknown>([true, 'true', '1', 1]);

/** A flag as a form's string or as a JSON value; Slack accepts both. */
export const flag = z.preprocess(
  (value) => (value === undefined ? undefined : truthy.has(value)),
  z.boolean().optional(),
);

export const whole = (fallback: number, max: number) =>
  z.preprocess(
    (value) => (value === undefined || value === '' ? fallback : Number(value)),
    z.number().int().min(0).max(max),
  );

/** A JSON value, as text in a form. */
export const json = z.unknown().transform((value): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
});

export function readBlocks(value: unknown, workspace: Workspace, way: BlockWay = 'message'): Dict[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const wrong = refuseBlocks(workspace, value, way);
  if (wrong !== undefined) throw withProblems(wrong.error, wrong.problems);
  return asDicts(value);
}

/** Legacy attachments, unchanged; blocks in them are checked. */
export function readAttachments(value: unknown, workspace: Workspace): Dict[] | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (!Array.isArray(value)) throw new SlackApiError('invalid_attachments');
  if (value.length > 100) throw new SlackApiError('too_many_attachments');
  const attachments = asDicts(value);
  for (const attachment of attachments) {
    if ('blocks' in attachment && refuseBlocks(workspace, attachment.blocks) !== undefined) {
      throw new SlackApiError('invalid_attachments');
    }
  }
  return attachments;
}

/** A page of a list, with Slack's cursor. */
export function page<T>(items: readonly T[], cursor: string | undefined, limit: number): { items: T[]; next: string } {
  const from =
    cursor === undefined || cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('at:', ''));
  if (!Number.isInteger(from) || from < 0) throw new SlackApiError('invalid_cursor');
  const size = limit === 0 ? items.length : limit;
  const until = from + size;
  return {
    items: items.slice(from, until),
    next: until < items.length ? Buffer.from(`at:${until}`).toString('base64') : '',
  };
}

export const nextCursor = (next: string): Dict => ({ response_metadata: { next_cursor: next } });
