import { act, toast } from './api.js';
import { h } from './dom.js';
import { get, list } from './store.js';

/** Asks the bot as a machine does, and shows the call and its answer. */

export function createMachine(parent) {
  const server = () => list('server/').find(({ name }) => name === 'web-2' || get('copied'))?.name ?? 'web-2';
  const field = h('input', { class: 'field', 'aria-label': 'Line of the machine', oninput: () => show() });
  const box = (label) => h('pre', { class: 'exchange', tabindex: '0', role: 'region', 'aria-label': label });
  const outcome = h('p', { class: 'state', role: 'status' });
  const [exchange, curl] = [box('The last call and its answer'), box('The call with curl')];
  const ask = (event) => {
    event.preventDefault();
    act('machine', { line: field.value });
  };
  const copy = () => navigator.clipboard.writeText(curl.textContent).then(() => toast('Copied.'));
  const copyButton = h('button', { type: 'button', class: 'button', onclick: copy }, 'Copy');
  parent.append(
    h('h3', {}, 'A machine'),
    h('p', { class: 'muted' }, 'ci has a token of @operator. It asks; a person decides on the card.'),
    h('form', { class: 'input', onsubmit: ask }, field, h('button', { class: 'button primary' }, 'Ask as ci'), outcome),
    exchange,
    h('details', {}, h('summary', {}, 'With curl'), curl, copyButton),
  );
  // Text that stays the same is not written again, so that nothing selected is lost and nothing is read out twice.
  const write = (node, text) => node.textContent === text || node.replaceChildren(text);
  function show() {
    if (field.value === '') field.value = `restart ${server()} because deploy 41`;
    const { url, token, call, body = '', status, answer = {} } = get('machine') ?? {};
    const quoted = JSON.stringify(field.value).replaceAll("'", "'\\''");
    const data = `'{"line":${quoted},"key":"'$(date +%s)'"}'`;
    write(curl, `curl ${url}/api/run -H 'Authorization: Bearer ${token}' -d ${data}`);
    exchange.hidden = call === undefined;
    const { end, detail, state, text, error = '' } = answer;
    write(outcome, end ? `${end.verdict}: ${end.text}` : (detail ?? state ?? text ?? error));
    write(exchange, `${call} ${body}\n${status} ${JSON.stringify(answer, null, 2)}`);
  }
  return { show };
}
