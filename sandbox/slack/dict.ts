/** Blocks, views and payloads as unchanged JSON, so that the simulation does not hide what a bot sent. */
export type Dict = { [key: string]: unknown };

export const isDict = (value: unknown): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asDict = (value: unknown): Dict => (isDict(value) ? value : {});

export const asDicts = (value: unknown): Dict[] => (Array.isArray(value) ? value.filter(isDict) : []);

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The text of a text object. */
export const textOf = (value: unknown): string => asText(asDict(value).text);

/** The length as Slack counts it, in characters instead of UTF-16 units. */
export const lengthOf = (value: string): number => (/[\ud800-\udbff]/.test(value) ? [...value].length : value.length);
