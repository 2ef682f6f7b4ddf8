import { z } from 'zod';
import { sayDuration, second } from '../text/words.ts';
import type { Probed } from './services.ts';
import { hasAnswered, isSameService, probedSchema, sayProbed, sayService, sayServices } from './services.ts';

/** The services that answered right before a change, and whether they answer again: stored in the row of the step. */

export const comebackSchema = z.object({
  before: z.array(probedSchema),
  beforeAt: z.number(),
  /** `any`: another system than before runs on the server, so one answer proves that it is back. */
  needs: z.enum(['all', 'any']),
  withinMs: z.number(),
  /** The end of the job, after which the services are tried again. */
  since: z.number().exactOptional(),
  /** False if the change itself could not be verified, however well the server answers. */
  isVerified: z.boolean(),
  /** The services that do not answer again; null until the last probe. */
  missing: z.array(probedSchema).nullable(),
  /** The power at the last probe, if not everything answered: `power on`. */
  power: z.string().exactOptional(),
  /** From the write to the last probe. */
  tookMs: z.number(),
});
export type Comeback = Readonly<z.infer<typeof comebackSchema>>;

/** Takes the result of a probe. */
export function afterProbe(comeback: Comeback, probed: readonly Probed[], tookMs: number): Comeback {
  const { before } = comeback;
  const missing = before.flatMap((service) => {
    const now = probed.find((each) => isSameService(each, service)) ?? service;
    return hasAnswered(now) ? [] : [now];
  });
  return { ...comeback, missing, tookMs };
}

export function isBack({ before, needs, missing }: Comeback): boolean {
  return missing !== null && (needs === 'all' ? missing.length === 0 : missing.length < before.length);
}

/** `answers again after 41 s` or `nothing answers after 5 min`; undefined before the last probe. */
export function sayComeback(comeback: Comeback): string | undefined {
  const { missing, power, tookMs } = comeback;
  if (missing === null) return undefined;
  if (isBack(comeback)) return `answers again after ${sayTook(tookMs)}`;
  const silent = isMute(comeback) ? 'nothing answers' : `${sayServices(missing)} not back`;
  return `${power === undefined ? '' : `${power}, `}${silent} after ${sayTook(tookMs)}`;
}

/** `https www.example.com and ssh answer again after 41 s`; with the services that do not. */
export function sayAnswers(comeback: Comeback): string {
  const { before, missing, tookMs } = comeback;
  const silent = missing ?? [];
  const back = before.filter((service) => !silent.some((each) => isSameService(each, service)));
  const words = sayServices(back);
  const answers = `${words} ${isOne(back) ? 'answers' : 'answer'} again after ${sayTook(tookMs)}`;
  if (silent.length === 0) return answers;
  const gone = `${sayServices(silent)} answered before and ${isOne(silent) ? 'does' : 'do'} not now`;
  return back.length === 0 ? `${gone}, ${sayTook(tookMs)} after it began` : `${answers}; ${gone}`;
}

/** Why the services that do not answer again are missing. */
export function sayMissing(comeback: Comeback): string {
  if (isMute(comeback)) return `before it, ${sayServices(comeback.before)} answered`;
  return sayProbed(comeback.missing ?? []);
}

/** True if no service answers at all; one with the status 503 answers, but not as before. */
function isMute({ before, missing }: Comeback): boolean {
  return missing?.length === before.length && !missing.some(({ why = '' }) => why.startsWith('it answers'));
}

function isOne(services: Comeback['before']): boolean {
  return new Set(services.map(sayService)).size === 1;
}

function sayTook(ms: number): string {
  return sayDuration(Math.max(second, ms));
}
