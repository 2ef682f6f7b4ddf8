import { quotedString, textOf } from './quoted.ts';
import { isWritable, longestString, type RecordData, ttlOf, valueText } from './record.ts';

const encoder = new TextEncoder();

/** The records as zone text, which `dns apply` accepts. Records of other types are comments. */
export function zoneTextOf(records: readonly RecordData[], domain: string): string {
  const lines = records.map((record) => {
    const line = [record.host, ttlOf(record), 'IN', record.type, dataOf(record)].join('\t');
    return isWritable(record)
      ? line
      : `; ${line
          .split('\n')
          .map((part) => part.trim())
          .join(' ')}`;
  });
  return `${[`$ORIGIN ${domain}.`, ...lines].join('\n')}\n`;
}

function dataOf(record: RecordData): string {
  const { type, value } = record;
  if (type === 'TXT') return stringsOf(textOf(value)).map(quotedString).map(escaped).join(' ');
  const whole = ['CNAME', 'NS', 'MX', 'SRV'].includes(type) ? value.replace(/\.?$/, '.') : value;
  return valueText({ ...record, value: whole });
}

/** A text as strings of at most 255 bytes each. */
function stringsOf(text: string): string[] {
  const strings = [''];
  let length = 0;
  for (const char of text) {
    const bytes = encoder.encode(char).length;
    if (length + bytes > longestString) [length] = [0, strings.push('')];
    strings[strings.length - 1] += char;
    length += bytes;
  }
  return strings;
}

/** Control characters and bytes above ASCII as numbers: a line break would end the record, and Knot takes ASCII only. */
function escaped(text: string): string {
  return text.replace(/[^ -~]/gu, (char) =>
    [...encoder.encode(char)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join(''),
  );
}
