import { withoutEnd } from '../text/words.ts';

/** Extracts the host of text pasted for a name: `https://web-1.example.com:8080/x`, `192.0.2.10:443`, `root@web-1`. */
export function hostIn(word: string): string {
  // A single final dot belongs to a DNS name; several end a sentence.
  const typed = word.trim();
  const bare = withoutEnd(typed, '?!,;….');
  const text = typed === `${bare}.` ? typed : bare;
  const [, inUrl] = /^[a-z][a-z0-9+.-]{0,20}:\/\/(?:[^/@\s]*@)?(\[[^\]\s]+\]|[^/:?#\s]+)/i.exec(text) ?? [];
  const place = inUrl ?? (/^[^@\s/:]+@([^@\s]+)$/.exec(text)?.[1] || text);
  const [, inBrackets] = /^\[([0-9a-f:.]+)\](?::\d{1,5})?(?:\/.*)?$/i.exec(place) ?? [];
  if (inBrackets !== undefined) return inBrackets;
  // `tag:80` is a tag; an IPv6 address has more than one colon.
  const [, beforePort] = /^(?!(?:tag|project|domain|plan):)([^:/\s]+):\d{1,5}(?:\/.*)?$/i.exec(place) ?? [];
  if (beforePort !== undefined) return beforePort;
  const [, beforePath = ''] = /^([^/:\s]+)\/.*$/.exec(place) ?? [];
  return beforePath.slice(1, -1).includes('.') ? beforePath : place;
}
