const longest = 200;

/**
 * The id of a request, as the store keeps it: the store removes NUL and half characters, and a process that knew the
 * request under another id would neither renew its claim nor mark it done.
 */
export function requestId(text: string): string {
  return text.slice(0, longest).toWellFormed().replaceAll('\0', '');
}
