import { type } from './composition.ts';
import { boolean, byType, integer, list, oneOf, shape, string, type ValidationRule } from './rule.ts';

const style = shape({}, { bold: boolean, code: boolean, italic: boolean, strike: boolean, underline: boolean });
const inline = (
  name: string,
  required: Record<string, ValidationRule>,
  optional: Record<string, ValidationRule> = {},
): ValidationRule => shape({ type: type(name), ...required }, { style, ...optional });

const link = inline('link', { url: string(3000, 1) }, { text: string(4000), unsafe: boolean });
const plain = inline('text', { text: string(12_000, 1) });
const word = string(255, 1);

const inlines = byType(
  {
    broadcast: inline('broadcast', { range: oneOf('here', 'channel', 'everyone') }),
    channel: inline('channel', { channel_id: word }),
    color: inline('color', { value: word }),
    date: inline(
      'date',
      { timestamp: integer(0, 99_999_999_999), format: string(1000, 1) },
      { url: string(3000), fallback: string(1000) },
    ),
    emoji: inline('emoji', { name: word }, { unicode: string(255), url: string(3000) }),
    link,
    team: inline('team', { team_id: word }),
    text: plain,
    user: inline('user', { user_id: word }),
    usergroup: inline('usergroup', { usergroup_id: word }),
  },
  ' in rich text',
);

const section = shape({ type: type('rich_text_section'), elements: list(inlines, 1000) });

/** The rule of a rich_text block's elements. */
export const richTextElements = list(
  byType(
    {
      rich_text_section: section,
      rich_text_list: shape(
        {
          type: type('rich_text_list'),
          style: oneOf('bullet', 'ordered'),
          elements: list(byType({ rich_text_section: section }, ' in a list'), 1000),
        },
        { indent: integer(0, 8), offset: integer(0, 10_000), border: oneOf(0, 1) },
      ),
      rich_text_quote: shape({ type: type('rich_text_quote'), elements: list(inlines, 1000) }, { border: oneOf(0, 1) }),
      rich_text_preformatted: shape(
        {
          type: type('rich_text_preformatted'),
          elements: list(byType({ text: plain, link }, ' in preformatted text'), 1000),
        },
        { border: oneOf(0, 1), language: string(255) },
      ),
    },
    ' in a rich_text block',
  ),
  1000,
);

export const richTextCell = shape({ type: type('rich_text'), elements: richTextElements }, { block_id: string(255) });
