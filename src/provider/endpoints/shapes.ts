import { z } from 'zod';

/*
 * What the provider's answers have in common. Each shape accepts every form that has been seen and gives readers one:
 * an absent or null text is '', an absent or null value is null, a decimal string is a number. Keys nobody announced
 * are dropped.
 */

export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** The empty string means "none" here. */
export const textOrNull = z
  .string()
  .nullish()
  .transform((value) => (value === undefined || value === '' ? null : value));

/** Money and measures: a number, or a decimal string where Django's DecimalField shows through. */
export const decimal = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
]);

export const decimalOrNull = decimal.nullish().transform((value) => value ?? null);

export const id = z.int();
export const idOrNull = id.nullish().transform((value) => value ?? null);

export const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);

/** The sample of the API document spells it `x86-64`, its schema `x86_64`; both occur. */
export const architectures = ['x86_64', 'arm'] as const;
export const architecture = z
  .string()
  .nullish()
  .transform((value) => (value === 'x86-64' ? 'x86_64' : (value ?? null)));

/** For `answers: 'nothing'`. */
export const nothing = z.void();

/*
 * What goes in.
 */

export const noInput = z.strictObject({});

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
