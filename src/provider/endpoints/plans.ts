import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { decimal, decimalOrNull, givenId, noInput, orNull, text, texts } from './shapes.ts';
import { diskClass } from './vps-orders.ts';

const backupPlan = z.object({
  space: decimal,
  price: decimal,
  units: text.transform((value) => (value === '' ? 'GB' : value)),
});

const dedicatedPlan = z.object({
  id: givenId,
  name: z.string(),
  cpu_model: text,
  cpu_count: decimalOrNull,
  ram: text,
  disk: text,
  bandwidth: text,
  price: decimal,
  /** Pairs of location code and display name. */
  locations: z.array(z.tuple([z.string(), z.string()])),
});

const hostingPlan = z.object({
  id: givenId,
  name: z.string(),
  sites: decimalOrNull,
  price: decimal,
  cpu_cores: decimalOrNull,
  /** GB. */
  hdd_space: decimalOrNull,
  available_locations: texts,
});

const vpsPlan = z.object({
  id: givenId,
  name: z.string(),
  cpu_count: decimal,
  ram: text,
  disk: text,
  bandwidth: text,
  price: decimal,
  disk_class: orNull(diskClass),
});

export type VpsPlan = z.output<typeof vpsPlan>;

export const plans = {
  backups: { route: 'GET /plans/backups', input: noInput, output: backupPlan, listed: true },
  dedicated: { route: 'GET /plans/dedicated', input: noInput, output: dedicatedPlan, listed: true },
  hosting: { route: 'GET /plans/hosting', input: noInput, output: hostingPlan, listed: true },
  vps: { route: 'GET /plans/vps', input: noInput, output: vpsPlan, listed: true },
} as const satisfies Area;
