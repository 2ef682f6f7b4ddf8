/** The type of a picture by its first bytes, since its name and its announced type prove nothing. */
export interface ImageType {
  readonly type: string;
  readonly ending: string;
}

const starts: readonly (ImageType & { readonly at: readonly (readonly [number, string])[] })[] = [
  { type: 'image/png', ending: 'png', at: [[0, '\x89PNG\r\n\x1a\n']] },
  { type: 'image/jpeg', ending: 'jpg', at: [[0, '\xff\xd8\xff']] },
  { type: 'image/gif', ending: 'gif', at: [[0, 'GIF8']] },
  {
    type: 'image/webp',
    ending: 'webp',
    at: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
];

/** Extensions for Slack's file picker. */
export const imageEndings = ['png', 'jpg', 'jpeg', 'gif', 'webp'] as const;

export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const match = starts.find(({ at }) =>
    at.every(([offset, text]) => [...text].every((char, index) => bytes[offset + index] === char.charCodeAt(0))),
  );
  return match && { type: match.type, ending: match.ending };
}
