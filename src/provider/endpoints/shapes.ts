import { z } from 'zod';

/*
 * Shapes that the provider's responses share. Each shape accepts every observed form and normalizes it: an absent or
 * null text becomes '', an absent or null value null, a decimal string a number. Unknown keys are dropped.
 */

export const word = z.union([z.string(), z.number().transform(String)]);

/** An absent or null value becomes `otherwise`. */
export const orElse = <T>(shape: z.ZodType<T>, otherwise: T) =>
  shape.nullish().transform((value) => value ?? otherwise);

export const text = orElse(word, '');

/** A text whose empty form means an absent value. */
export const textOrNull = word.nullish().transform((value) => (value === undefined || value === '' ? null : value));

/** Money and measures: a number, or a decimal string from Django's DecimalField. */
export const decimal = z.union([
  z.number(),
  z
    .string()
    .trim()
    .regex(/^-?\d+(\.\d+)?$/, 'a number')
    .transform(Number),
]);

/** The provider's serializers write some null values as ''. */
const none = z.literal('').transform(() => null);

export const orNull = <T>(shape: z.ZodType<T>) => orElse<T | null>(shape, null);

export const decimalOrNull = orNull(z.union([decimal, none]));

/** An id in a request. `givenId` reads ids in responses. */
export const id = z.int();

/** An id in a response, which may be a number written as text. */
export const givenId = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/, 'a whole number')
    .transform(Number),
]);
export const idOrNull = orNull(z.union([givenId, none]));

/** The document types tags and addresses as texts; an object with a name or an address is accepted too. */
const label = z.union([
  word,
  z.object({ name: z.string() }).transform(({ name }) => name),
  z.object({ ip: z.string() }).transform(({ ip }) => ip),
  z.null(),
]);

export const texts = z
  .union([z.array(label), none])
  .nullish()
  .transform((value) => (value ?? []).filter((item) => item !== null));

export const flagOrNull = orNull(
  z.union([z.boolean(), z.literal(['true', 'false']).transform((word) => word === 'true'), none]),
);

/** The API document's sample has `x86-64`, its schema `x86_64`; both occur. */
export const architectures = ['x86_64', 'arm'] as const;
export const architecture = z
  .string()
  .nullish()
  .transform((value) => (value === 'x86-64' ? 'x86_64' : (value ?? null)));

/** The output of endpoints whose response is not read. */
export const nothing = z.void();

/*
 * Shapes of inputs.
 */

export const noInput = z.strictObject({});

/** The id of an order in a response. */
export const givenOrderId = z.union([z.string().min(1), z.int().transform(String)]);

/** `34-12345`: the prefix names the kind of order (34 servers, 77 backup, 375 domain, 664 object storage). */
export const orderId = z.string().regex(/^\d+-\d+$/, 'an order id such as 34-12345');
export const orderPath = z.strictObject({ order_id: orderId });
export const idPath = z.strictObject({ id });

/** A name for a path, which must not be able to leave its segment. */
export const domainName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^(?!\.\.?$)[^\s/?#\\]+$/, 'a domain name');

export const uint32 = z.int().min(0).max(4_294_967_295);
