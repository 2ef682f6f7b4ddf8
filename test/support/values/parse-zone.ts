import { readZoneText } from '../../../src/core/dns/zone-text.ts';

/** A zone text read without a pause. */
export function parseZone(text: string, domain: string) {
  const reading = readZoneText(text, domain);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}
