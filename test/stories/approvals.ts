import { expect } from 'vitest';
import { policySchema } from '../../src/core/policy/policy.ts';
import { orderOf } from './account.ts';
import type { Cast, Story } from './story.ts';

// Stories about approvers, and about approvals that no longer count.

const needs =
  (approvals: number, more: { solo?: boolean; readerToo?: boolean } = {}) =>
  ({ id, ops }: Cast) =>
    policySchema.parse({
      grants: [{ to: [`group:${ops}`], can: ['read', 'operate', 'secrets'] }],
      rules: {
        disruptive: {
          approve: approvals,
          by: [`group:${ops}`, ...(more.readerToo === true ? [`user:${id.reader}`] : [])],
        },
      },
      ...(more.solo === true ? { solo: true } : {}),
    });

export const approvals: readonly Story[] = [
  {
    name: 'a request that needs two approvals: the requester cannot approve, and a second vote of one person does not count',
    policy: needs(2, { readerToo: true }),
    tell: async (it) => {
      await it.say('operator', 'restart app-15');
      await it.press('operator', 'Approve');
      await it.press('lead', 'Approve');
      await it.sees('Needs 1 more of');
      await it.press('lead', 'Approve');
      await it.reads(`
        @hostler: ⏳ Restart app-15
          🟢 on · down 1–3 min
          Needs 1 more of: @ops, @reader or an admin.
          Asked by @operator · approved by @lead · expires ‹date›
          [Approve restarting app-15] [Decline…] [… Details | Schedule… | Ask for changes… | Why this rule? | Remind approvers | Withdraw]
        (only visible to @operator) @hostler: You cannot approve this: you asked for this, so somebody else must approve.
          @ops, @reader or an admin can approve it.
          [Remind approvers]
        (only visible to @lead) @hostler: Your vote on this is counted already.
          [Show the request]`);
      await it.press('reader', 'Approve');
      await it.sees('approved by @lead, @reader');
      await it.sees('@operator app-15 restarted');
    },
  },
  {
    name: 'under solo a person approves their own request, and the card says so',
    policy: needs(1, { solo: true }),
    tell: async (it) => {
      await it.say('operator', 'restart app-16');
      await it.sees('Asked by @operator · solo: the person who asked may approve here · expires ‹date›');
      await it.press('operator', 'Approve');
      await it.sees('app-16 restarted');
    },
  },
  {
    name: 'a person who may not approve gets a private refusal, and the card does not change',
    policy: needs(1),
    tell: async (it) => {
      await it.say('operator', 'restart app-17');
      await it.press('reader', 'Approve');
      await it.press('guest', 'Approve');
      await it.reads(`
        @hostler: ⏳ Restart app-17
          🟢 on · down 1–3 min
          Needs 1 of: @ops or an admin.
          Asked by @operator · expires ‹date›
          [Approve restarting app-17] [Decline…] [… Details | Schedule… | Ask for changes… | Why this rule? | Remind approvers | Withdraw]
        (only visible to @reader) @hostler: You cannot approve this: only an approver of this channel may do this.
          @ops or an admin can approve it.
          [Show the request]
        (only visible to @guest) @hostler: You cannot approve this: guests cannot use Hostler here unless an admin adds them by name.
          @ops or an admin can approve it.
          [Show the request]`);
    },
  },
  {
    name: 'the vote of an approver who left the group before the run is void, and the card waits again',
    policy: needs(2),
    tell: async (it) => {
      await it.group(['operator', 'lead', 'reader']);
      await it.say('operator', 'restart app-18');
      await it.press('reader', 'Approve');
      await it.sees('Needs 1 more of');
      await it.group(['operator', 'lead']);
      await it.press('lead', 'Approve');
      await it.sees('The approval of @reader no longer counts: only an approver of this channel may do this.');
      await it.settle();
      await it.sees('Needs 1 more of: @ops or an admin.\n  Asked by @operator · approved by @lead · expires ‹date›');
      expect(it.sent(orderOf('app-18'))).toEqual([]);
    },
  },
  {
    name: 'a request is refused, with the rule, when the requester lost the right before it ran',
    policy: needs(1),
    tell: async (it) => {
      await it.say('operator', 'restart app-19');
      await it.settle();
      await it.group(['lead']);
      await it.press('lead', 'Approve');
      await it.reads(`
        @hostler: ⚪ Restart app-19 · not run
          Warning: Not run: you need “operate”; no grant in this channel names you. Nothing was done.
          Asked by @operator · approved by @lead
          [… Details]
            @hostler: @operator Restart app-19: not run: you need “operate”; no grant in this channel names you. Nothing was done.`);
      expect(it.sent(orderOf('app-19'))).toEqual([]);
    },
  },
  {
    name: 'nothing runs in a channel that became shared, and the requester gets a direct message',
    tell: async (it) => {
      await it.say('operator', 'restart app-20');
      await it.settle();
      await it.share();
      await it.press('operator', 'Confirm');
      await it.reads(`
        @hostler: ⚪ Restart app-20 · not run
          Warning: This channel is shared or public now: the requester was notified directly.
          Asked and confirmed by @operator
          [… Details]`);
      await it.messagesTo('operator').reads(`
        @hostler: @operator Restart app-20: not run: this channel is shared with another organization; permissions here are suspended until an admin restores them with /host access confirm. Nothing was done.`);
      expect(it.sent(orderOf('app-20'))).toEqual([]);
    },
  },
  {
    name: 'a cancellation is approved by another person who types the name, and is then withdrawn with keep',
    tell: async (it) => {
      await it.say('operator', 'cancel app-21');
      await it.sees('🟢 on · everything on it is deleted · a snapshot is kept');
      await it.press('lead', 'Approve');
      await it.submit('lead', { 'Type app-21 to approve': 'app-1' });
      await it.modalOf('lead').reads(`
        == Approve ==
        End app-21 on ‹date›
        It is not renewed. It ends with its paid period, and everything on it is deleted.
        Type app-21 to approve: [app-1]
          ! That is not the name. Type app-21 exactly.
        [Close] [Approve]`);
      await it.submit('lead', { 'Type app-21 to approve': 'app-21' });
      await it.sees('@operator app-21 ends on ‹date›; the cancellation is set.');
      await it.settle();
      await it.say('operator', 'cancel app-21');
      await it.sees('app-21 is marked already: it ends with its paid period. /host keep app-21 withdraws that.');
      await it.confirmed('keep app-21');
      await it.sees('@hostler: app-21 is kept; no cancellation is set.');
    },
  },
];
