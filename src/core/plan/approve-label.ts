/** The first words of titles, and how a button says that somebody approves them. */
const nouns: Readonly<Record<string, string>> = {
  add: 'adding',
  allow: 'allowing',
  answer: 'answering',
  apply: 'applying',
  cancel: 'canceling',
  change: 'changing',
  choose: 'choosing',
  confirm: 'confirming',
  connect: 'connecting',
  create: 'creating',
  delete: 'deleting',
  disconnect: 'disconnecting',
  end: 'ending',
  forbid: 'forbidding',
  freeze: 'freezing',
  give: 'giving',
  hand: 'handing',
  'hard reset': 'hard reset of',
  keep: 'keeping',
  link: 'linking',
  move: 'moving',
  open: 'opening',
  order: 'ordering',
  pin: 'pinning',
  point: 'pointing',
  post: 'posting',
  put: 'putting',
  record: 'recording',
  reinstall: 'reinstalling',
  redo: 'redoing',
  remove: 'removing',
  rename: 'renaming',
  replace: 'replacing',
  reset: 'resetting',
  restart: 'restarting',
  restore: 'restoring',
  revoke: 'revoking',
  set: 'setting',
  show: 'showing',
  start: 'starting',
  stop: 'stopping',
  subscribe: 'subscribing',
  switch: 'switching',
  turn: 'turning',
  undo: 'undoing',
  unlink: 'unlinking',
  unsubscribe: 'unsubscribing',
  warn: 'warning',
};

/** `Approve restarting web-1`, `Approve hard reset of web-1`; a title without a known verb follows a colon. */
export function approveLabel(act: string): string {
  const [, both, first] = /^(([a-z]+)(?: [a-z]+)?)/i.exec(act) ?? [];
  for (const words of [both, first]) {
    const noun = words === undefined ? undefined : nouns[words.toLowerCase()];
    if (words !== undefined && noun !== undefined) return `Approve ${noun}${act.slice(words.length)}`;
  }
  return `Approve: ${act}`;
}
