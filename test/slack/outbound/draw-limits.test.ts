import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countedCharacters } from '../../../sandbox/slack/validate/budget.ts';
import { checkMessageBlocks } from '../../../sandbox/slack/validate/message.ts';
import { checkView } from '../../../sandbox/slack/validate/view.ts';
import { plain, type View } from '../../../src/core/view/view.ts';
import { charactersOf } from '../../../src/slack/outbound/budget.ts';
import { drawMessage } from '../../../src/slack/outbound/draw.ts';
import { drawForm, drawHome, drawLoading, drawNotice } from '../../../src/slack/outbound/modals.ts';
import type { DrawAttempt } from '../../../src/slack/outbound/pen.ts';
import { blockTypes, firstAttempt, isView, rungs, surfaces } from '../../../src/slack/outbound/pen.ts';
import { isNightly } from '../../support/suite/seed.ts';
import { form, view } from '../arbitrary.ts';

const noImages = () => false;
const runs = { numRuns: isNightly ? 200 : 20 };

/** Every try that can be made, with any blocks refused before it. */
const attemptOn = (where: readonly DrawAttempt['surface'][]) =>
  fc.record({
    surface: fc.constantFrom(...where),
    rung: fc.constantFrom(...rungs),
    avoid: fc
      .uniqueArray(fc.constantFrom(...blockTypes, 'static_select'), { maxLength: 6 })
      .map((types): ReadonlySet<string> => new Set(types)),
    share: fc.constantFrom(1, 1 / 2, 1 / 8),
  });
/** Without a block that takes words, plain text is sent as the last try. */
const words = ['section', 'context', 'rich_text'];
const hasWords = ({ avoid }: DrawAttempt) => words.some((type) => !avoid.has(type));

describe('Slack accepts any view after it refused any blocks', () => {
  it('any view is a valid message whose text has at most 3,800 bytes, and only people, channels and dates as markup', () => {
    const property = fc.property(view, attemptOn(surfaces.filter((surface) => !isView(surface))), (given, attempt) => {
      const { text, blocks } = drawMessage(given, attempt, 7);
      expect(checkMessageBlocks(blocks, noImages)).toBeUndefined();
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_800);
      expect(text.trim()).not.toBe('');
      const unmarked = text.replace(/<(@[UW]|#[CG])[A-Z0-9]+>|<!date\^\d+\^[^|>]*\|[^>]*>/g, '');
      expect(unmarked).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      expect(charactersOf(blocks)).toBeLessThanOrEqual(10_000 * attempt.share + 3_000);
      if (attempt.rung === 'drawn') expect(blocks.filter(({ type }) => attempt.avoid.has(type))).toEqual([]);
      expect(blocks.map(({ type }) => type)).not.toContain('alert');
      if (attempt.rung === 'text') expect(blocks).toEqual([]);
    });
    fc.assert(property, { numRuns: isNightly ? 200 : 30 });
  });

  it('any view is valid on Home and in a modal', () => {
    const holds = fc.property(view, attemptOn(['modal', 'home']), (given, attempt) => {
      expect(checkView(drawHome(given, { ...attempt, surface: 'home' }), 'home', noImages)).toBeUndefined();
      const inModal: DrawAttempt = { ...attempt, surface: 'modal' };
      const drawn = drawNotice(plain(given.summary), given, { attempt: inModal });
      expect(checkView(drawn, 'modal', noImages)).toBeUndefined();
      expect(checkView(drawLoading(inModal), 'modal', noImages)).toBeUndefined();
      for (const block of drawn.blocks) {
        if (block.type === 'alert') expect('text' in block && block.text.text.length).toBeLessThanOrEqual(200);
        if (attempt.rung === 'drawn' && hasWords(attempt)) expect(attempt.avoid.has(block.type)).toBe(false);
      }
    });
    fc.assert(holds, runs);
  });

  it.each([[['section']], [['section', 'context']]])('an empty view is valid after Slack refused %j', (refused) => {
    const avoid = new Set(refused);
    for (const surface of ['modal', 'home'] as const) {
      const attempt: DrawAttempt = { surface, rung: 'drawn', avoid, share: 1 };
      const empty = { summary: 'Nothing', parts: [] };
      const drawn = surface === 'home' ? drawHome(empty, attempt) : drawNotice('Nothing', empty, { attempt });
      expect(checkView(drawn, surface, noImages)).toBeUndefined();
      expect(drawn.blocks.filter(({ type }) => avoid.has(type))).toEqual([]);
    }
  });

  it('a control of Home after an empty line is valid', () => {
    const button = { label: 'Restart…', intent: { do: 'run', line: 'restart' } } as const;
    const parts = [{ kind: 'text', text: '' } as const, { kind: 'buttons', buttons: [button] } as const];
    const attempt: DrawAttempt = { surface: 'home', rung: 'drawn', avoid: new Set(), share: 1 };
    const { blocks } = drawHome({ summary: 'Home', parts }, attempt);
    expect(checkView({ type: 'home', blocks }, 'home', noImages)).toBeUndefined();
    expect(JSON.stringify(blocks)).toContain('Restart…');
  });

  it('any form is valid', () => {
    fc.assert(
      fc.property(form, attemptOn(['modal']), (given, attempt) => {
        const drawn = drawForm(given, new Map(), attempt);
        expect(checkView(drawn, 'modal', noImages)).toBeUndefined();
        expect(drawn.private_metadata === given.id || drawn.submit === undefined).toBe(true);
      }),
      runs,
    );
  });
});

it('the buttons are in every try that has blocks, after any block was refused', () => {
  const buttons = [{ label: 'Confirm', intent: { do: 'vote', operation: 'a7', vote: 'confirm' } }] as const;
  const menu = [{ label: '1 hour', intent: { do: 'run', line: 'list' } }] as const;
  const card: View = {
    summary: 'Restart web-1',
    parts: [
      ...Array.from({ length: 60 }, () => ({ kind: 'text', text: 'word '.repeat(400) }) as const),
      { kind: 'notice', tone: 'warning', text: 'x '.repeat(300) },
      { kind: 'buttons', buttons },
      { kind: 'menu', label: 'Snooze', options: menu },
    ],
  };
  for (const surface of surfaces) {
    for (const rung of rungs.slice(0, -1)) {
      for (const refused of [...blockTypes, 'static_select', 'none']) {
        const attempt: DrawAttempt = { surface, rung, avoid: new Set([refused]), share: 1 };
        const drawn = JSON.stringify(drawMessage(card, attempt).blocks);
        for (const label of ['"Confirm"', '"1 hour"'])
          expect(drawn, `${surface} ${rung} without ${refused}`).toContain(label);
      }
    }
  }
});

it('a full message has at most 10,000 characters as Slack counts them: escaped, and a hundred more for each header', () => {
  const line = '<a> & <b> '.repeat(20);
  const parts = Array.from({ length: 45 }, (_, n) =>
    n % 5 === 0 ? ({ kind: 'heading', text: `Part ${n}` } as const) : ({ kind: 'text', text: line } as const),
  );
  for (const surface of ['message', 'update', 'ephemeral', 'response_url'] as const) {
    const { blocks } = drawMessage({ summary: 'Full', parts }, firstAttempt(surface));
    const counted = countedCharacters(blocks, true);
    expect(counted).toBeGreaterThan(8_000);
    expect(counted).toBeLessThanOrEqual(10_000);
    expect(checkMessageBlocks(blocks, noImages)).toBeUndefined();
  }
});

it('preformatted text is drawn in parts of at most 3,000 characters, which together are complete', () => {
  // The length of one piece is undocumented.
  for (const kind of ['code', 'diff'] as const) {
    const lines = Array.from({ length: 110 }, (_, n) => `${n} ${'x'.repeat(60 + (n % 20))}`);
    const part =
      kind === 'code'
        ? ({ kind, text: lines.join('\n') } as const)
        : ({ kind, lines: lines.map((text) => ({ sign: ' ', text }) as const) } as const);
    const { blocks, cutCode } = drawMessage({ summary: 'A zone', parts: [part] });
    const elements = blocks.flatMap((block) => (block.type === 'rich_text' ? block.elements : []));
    const pieces = elements
      .flatMap((element) => (element.type === 'rich_text_preformatted' ? element.elements : []))
      .map((inner) => ('text' in inner ? (inner.text ?? '') : ''));
    expect(pieces.length).toBeGreaterThan(2);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(3_000);
    const shown = pieces.join('\n').split('\n');
    expect(shown).toEqual((kind === 'code' ? lines : lines.map((line) => `  ${line}`)).slice(0, shown.length));
    expect(shown.length === lines.length || cutCode.length === 1).toBe(true);
  }
});
