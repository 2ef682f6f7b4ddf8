const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
export const dayMs = 24 * hour;
export const hourMs = hour;

/**
 * All numbers of the simulated provider. "Specification" marks specified numbers; the others are plausible.
 */
export const numbers = {
  /** Specification: the default page size, which replaces invalid sizes too. */
  pageSizeDefault: 10,
  pageSizeMax: 100,
  bodyMaxBytes: 5 * 1024 * 1024,
  logoMaxBytes: 2 * 1024 * 1024,
  requestsKept: 10_000,
  waitForRequestMs: 60_000,
  throttledForSec: 60,
  webhookTimeoutMs: 10 * second,

  jobMs: { min: 20 * second, max: 40 * second },
  /** The share of a restart's duration after which the server is off; it is on again at the end. */
  jobPowerDipAt: 0.3,
  firstJobPk: 812,
  /** The time from power on until a server answers from outside, by its boot. */
  bootMs: { usual: 3 * second, late: 40 * second, silent: Number.POSITIVE_INFINITY },

  /** How long an order stays in a status that ends by itself. */
  unpaidForMs: 7 * dayMs,
  expiredForMs: 7 * dayMs,
  disabledForMs: 14 * dayMs,
  instantCancelMs: 10 * minute,

  /** Specification: the allowed TTLs of records, and the default. */
  ttlChoices: [120, 300, 600, 900, 1800, 3600, 7200, 18_000, 43_200, 86_400],
  ttlDefaultSec: 3600,
  /** `$TTL` in the document's sample of a zone file, although a record's documented default is 3600. */
  zoneFileTtlSec: 21_600,
  prioMax: 4_294_967_295,

  terms: [1, 3, 6, 12],
  configuration: {
    cpu_count: { min: 1, max: 16 },
    ram_size: { min: 2, max: 32 },
    disk_size: { min: 20, max: 300 },
  },
  /** The monthly price per unit of a custom configuration. */
  unitPrice: { core: 1.2, ramGb: 0.8, diskGb: 0.03 },

  statsStepsSec: [60, 300, 900, 3600, 21_600, 86_400],
  statsPointsMax: 400,
  /** One of this many points is missing, as if the provider's collector had skipped it. */
  statsGapEvery: 61,

  /** The provider's UTC offset, for dates without a zone and with an offset. */
  localOffsetMinutes: 120,
  ordersSeedMax: 10_000,
} as const;
