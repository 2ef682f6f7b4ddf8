const gbIn: Readonly<Record<string, number>> = { gb: 1, tb: 1_000 };

/** `Object storage 250 GB` → 250: the API has the size of a bucket nowhere else. Undefined for a plan without one. */
export function planGb(plan: string): number | undefined {
  const [, number = '', unit = ''] = /(?:^|\s)(\d{1,7}(?:\.\d{1,2})?)\s?(GB|TB)\b/i.exec(plan) ?? [];
  const size = Number(number) * (gbIn[unit.toLowerCase()] ?? 0);
  return size > 0 ? size : undefined;
}
