import { wordSet } from '../text/words.ts';

/** The first words of titles. */
const verbs = wordSet(
  'add allow answer apply cancel change choose confirm connect create delete disconnect end forbid freeze give hand',
  'keep link move open order pin point post put record reinstall redo remove rename replace reset restart restore revoke',
  'run set show start stop subscribe switch turn undo unlink unsubscribe warn',
);
const doublesItsEnd = wordSet('forbid pin put reset run set stop');

/** `Approve restarting web-1`, `Approve hard reset of web-1`; a title without a known verb follows a colon. */
export function approveLabel(act: string): string {
  if (/^hard reset\b/i.test(act)) return `Approve hard reset of${act.slice('hard reset'.length)}`;
  const verb = /^[a-z]+/i.exec(act)?.[0].toLowerCase() ?? '';
  if (!verbs.has(verb)) return `Approve: ${act}`;
  const stem = doublesItsEnd.has(verb) ? `${verb}${verb.at(-1)}` : verb.replace(/e$/, '');
  return `Approve ${stem}ing${act.slice(verb.length)}`;
}
