import { randomInt } from 'node:crypto';

const alphabet = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const random = (length: number) => Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

export const createPassword = () => random(14);

/** A key in the provider's form: eight characters, a dot and thirty-two characters. */
export const createApiKey = () => `${random(8)}.${random(32)}`;
