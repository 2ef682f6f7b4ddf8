import { z } from 'zod';

/*
 * Shapes that the provider's answers share. Each shape accepts every form that has been seen and gives readers one:
 * an absent or null text is '', an absent or null value is null, a decimal string is a number. Keys nobody announced
 * are dropped.
 */

const word = z.union([z.string(), z.number().transform(String)]);

export const text = word.nullish().transform((value) => value ?? '');

/** The empty string means "none" here. */
export const textOrNull = word.nullish().transform((value) => (value === undefined || value === '' ? null : value));

/** Money and measures: a number, or a decimal string where Django's DecimalField shows through. */
export const decimal = z.union([
  z.number(),
  z
    .string()
    .trim()
    .regex(/^-?\d+(\.\d+)?$/, 'a number')
    .transform(Number),
]);

/** '' is how some serializers write null. */
const none = z.literal('').transform(() => null);

export const decimalOrNull = z
  .union([decimal, none])
  .nullish()
  .transform((value) => value ?? null);

/** For what is sent. What comes back is read by `givenId`. */
export const id = z.int();

/** An id in an answer, which may be a number written as text. */
export const givenId = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/, 'a whole number')
    .transform(Number),
]);
export const idOrNull = z
  .union([givenId, none])
  .nullish()
  .transform((value) => value ?? null);

/** Tags and addresses are texts by the document; an object with a name or an address is read as well. */
const label = z.union([
  word,
  z.object({ name: z.string() }).transform(({ name }) => name),
  z.object({ ip: z.string() }).transform(({ ip }) => ip),
  z.null(),
]);

export const texts = z
  .union([z.array(label), none])
  .nullish()
  .transform((value) => (value ?? []).filter((one) => one !== null));

/** True, false, or null for what was not said. */
export const flagOrNull = z
  .union([z.boolean(), z.literal(['true', 'false']).transform((said) => said === 'true'), none])
  .nullish()
  .transform((value) => value ?? null);

/** The sample of the API document spells it `x86-64`, its schema `x86_64`; both occur. */
export const architectures = ['x86_64', 'arm'] as const;
export const architecture = z
  .string()
  .nullish()
  .transform((value) => (value === 'x86-64' ? 'x86_64' : (value ?? null)));

/** For `answers: 'nothing'`. */
export const nothing = z.void();

/*
 * Shapes of the input.
 */

export const noInput = z.strictObject({});

/** The id of an order in an answer. */
export const givenOrderId = z.union([z.string().min(1), z.int().transform(String)]);

/** `34-12345`: the prefix names the kind of order (34 servers, 77 backup, 375 domain, 664 object storage). */
export const orderId = z.string().regex(/^\d+-\d+$/, 'an order id such as 34-12345');
export const orderPath = z.strictObject({ order_id: orderId });
export const idPath = z.strictObject({ id });

/** The client asks for pages itself, so `page` is not an input. The provider turns a size it dislikes into its own. */
export const pageSize = z.int().min(1).optional();
export const listInput = z.strictObject({ page_size: pageSize });

/** A name that stands in a path must not be able to leave its segment. */
export const domainName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^(?!\.\.?$)[^\s/?#\\]+$/, 'a domain name');

export const uint32 = z.int().min(0).max(4_294_967_295);
