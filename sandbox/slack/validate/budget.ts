import { asText, isDict, lengthOf } from '../dict.ts';

const headerCosts = 100;

/** The length of a text after Slack's escaping: & has five characters, < and > have four. */
function escapedLength(text: string): number {
  const entities = (text.match(/[&<>]/g) ?? []).reduce((sum, character) => sum + (character === '&' ? 4 : 3), 0);
  return lengthOf(text) + entities;
}

/** The characters of all blocks: either escaped and with the cost of headers, or unchanged. */
export function countedCharacters(value: unknown, isEscaped: boolean): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countedCharacters(item, isEscaped), 0);
  if (!isDict(value)) return 0;
  // The titles of plans and tasks are bare strings.
  const text = asText(value.text) + (value.type === 'plan' || value.type === 'task_card' ? asText(value.title) : '');
  const own = isEscaped ? escapedLength(text) + (value.type === 'header' ? headerCosts : 0) : lengthOf(text);
  return own + Object.values(value).reduce((sum: number, item) => sum + countedCharacters(item, isEscaped), 0);
}
