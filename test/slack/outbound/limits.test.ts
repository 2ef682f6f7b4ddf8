import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkMessageBlocks } from '../../../sandbox/slack/validate/message.ts';
import { checkView } from '../../../sandbox/slack/validate/view.ts';
import { asPlainMessage, drawMessage } from '../../../src/slack/outbound/message.ts';
import { drawForm, drawHome, drawNotice } from '../../../src/slack/outbound/modal.ts';
import { form, view } from '../arbitrary.ts';

const noImages = () => false;
const runs = { numRuns: 40 };

describe('whatever a view holds, Slack takes it', () => {
  it('as a message, with a text of at most 4,000 characters', () => {
    fc.assert(
      fc.property(view, (given) => {
        const { text, blocks } = drawMessage(given);
        expect(checkMessageBlocks(blocks, noImages)).toBeUndefined();
        expect(text.length).toBeGreaterThan(0);
        expect(text.length).toBeLessThanOrEqual(4_000);
        expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
        const plain = asPlainMessage(given);
        expect(plain.length).toBeGreaterThan(0);
        expect(plain.length).toBeLessThanOrEqual(4_000);
        expect(plain).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      }),
      runs,
    );
  });

  it('as Home and inside a modal', () => {
    fc.assert(
      fc.property(view, (given) => {
        expect(checkView(drawHome(given), 'home', noImages)).toBeUndefined();
        expect(checkView(drawNotice(given.summary, given), 'modal', noImages)).toBeUndefined();
      }),
      runs,
    );
  });

  it('and whatever a form holds', () => {
    fc.assert(
      fc.property(form, (given) => {
        const drawn = drawForm(given);
        expect(checkView(drawn, 'modal', noImages)).toBeUndefined();
        expect(drawn.private_metadata === given.id || drawn.callback_id === 'notice').toBe(true);
      }),
      runs,
    );
  });
});
