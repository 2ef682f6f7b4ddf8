import { expect } from 'vitest';
import { orderOf } from './account.ts';
import { done, type Story } from './story.ts';

// The commands as the channel reads them.

export const commands: readonly Story[] = [
  {
    name: 'a command in a channel without a policy is refused, with who can change that',
    policy: () => null,
    tell: async (it) => {
      await it.say('operator', 'restart web-3');
      await it.say('operator', '');
      await it.reads(`
        (only visible to @operator) @hostler: You may not use \`/host restart\` on web-3 here: this channel has no policy, and without one nothing is allowed; an admin makes one with /host access. \`/host why restart web-3\` explains it.
          [Ask for access]
        (only visible to @operator) @hostler: You have no rights here yet: this channel has no policy, and without one nothing is allowed; an admin makes one with /host access.
          Admins who can change that: @admin.
          [Ask for access… ▾] [Help]`);
    },
  },
  {
    name: 'a command without a grant is refused, with the reason',
    tell: async (it) => {
      await it.say('reader', 'restart web-3');
      await it.say('reader', 'why restart web-3');
      await it.say('operator', 'why restart web-3');
      await it.say('guest', 'status web-3');
      await it.reads(`
        (only visible to @reader) @hostler: You may not use \`/host restart\` on web-3 here: you need “operate”; you have “read”. \`/host why restart web-3\` explains it.
          [Ask for access]
        (only visible to @reader) @hostler: You may not use /host restart web-3 here
          Why  You need “operate”; you have “read”
          Needs  “operate”: start, stop, restart and rescue servers
          Risk  disruptive
          Policy  version 1
        (only visible to @operator) @hostler: You may use /host restart web-3 here
          Why  Granted to @ops: read, billing, operate, dns, organize, destroy, secrets, spend on everything
          Needs  “operate”: start, stop, restart and rescue servers
          Risk  disruptive
          Rule  Disruptive: you confirm it
          Policy  version 1
        (only visible to @guest) @hostler: You may not use \`/host status\` on web-3 here: guests cannot use Hostler here unless an admin adds them by name.
          [Ask for access]`);
    },
  },
  {
    name: 'a mistyped command offers its form and runs nothing, and an ambiguous name asks which server is meant',
    tell: async (it) => {
      await it.say('operator', 'restrt web-3');
      await it.say('operator', 'restart web');
      await it.press('operator', 'web-3');
      await it.sees(`
        (only visible to @operator) @hostler: \`restrt web-3\` is not how a command is written. Did you mean \`/host restart web-3\`?
          [restart…]
        (only visible to @operator) @hostler: web is not one server: web-1 (34-12345), web-2 (34-12399) and web-3 (34-12407). Which one?
          [web-1] [web-2] [web-3] [all of them]
        @hostler: ⏳ Restart web-3`);
    },
  },
  {
    name: 'status and dns list answer at once, only to the person who asked',
    tell: async (it) => {
      await it.say('operator', 'status mail-1');
      await it.say('operator', 'dns list four.example');
      await it.reads(`
        (only visible to @operator) @hostler: mail-1 · 🟢 on
          203.0.113.25, 2001:db8:25::25 · CPU ‹n› % · memory ‹n› MB · mail.example.com and backup-mx.example.net point here
          mail, prod · paid until ‹date› (‹n› days)
          34-12360 · read ‹date›
          [Restart] [Stats] [☆ Favorite] [More ▾]
          [… Share here | Refresh]
        (only visible to @operator) @hostler: four.example
          Host | Record | TTL, id
          @ | NS ns1.hosting.example | default · #53
          @ | A 203.0.113.150 | 300 · #54
          @ | TXT v=spf1 -all | default · #56
          www | A 203.0.113.150 | 300 · #55
          created ‹date› · changed ‹date› · 4 records · read ‹date›
          [Add…] [Edit…] [Remove…] [Zone file] [… Share here | Refresh]`);
    },
  },
  {
    name: 'an answer is shared once with the name of the person, is refreshed in place, or is shared at once',
    tell: async (it) => {
      await it.say('operator', 'list tag:legacy');
      await it.press('operator', 'Share here');
      await it.sees('Shared with this channel.');
      await it.press('operator', 'Refresh');
      const table = `
          Name | State | Paid
          wiki-1 | 🔴 off | 🟡 9 days, not renewed
          1 of 45 servers: 1 off · read ‹date›`;
      const shared = `
        (only visible to @operator) @hostler:${table.trimStart().replace(/^/, ' ')}
          [… Share here | Refresh]
        @hostler: @operator shared \`/host list "tag:legacy"\`${table}`;
      await it.reads(shared);
      await it.say('operator', 'list tag:legacy --share');
      await it.reads(`${shared}
        @hostler: @operator shared \`/host list "tag:legacy"\`${table}`);
      await it.say('operator', 'audit --share');
      await it.sees('`audit` answers only the person who asks, so it cannot be shared. Ask without `--share`.');
      await it.say('operator', 'audit');
      await it.sees('| shared · list "tag:legacy"');
    },
  },
  {
    name: 'help shows what the person may do here, help of a command shows its examples, and version shows the version',
    tell: async (it) => {
      await it.say('reader', 'help');
      await it.sees('/host status web-1');
      await it.sees('[All commands by area ▾]');
      expect(it.text()).not.toContain('dns set ');
      // A group of them by its name, each as it is written; `orders` is a command as well.
      for (const line of ['help dedicated', 'help ds', 'help all orders']) await it.say('reader', line);
      await it.sees('/host ds traffic <server> [period] [port]');
      await it.sees('/host orders [filter…]');
      await it.say('reader', 'help servres');
      await it.sees('Did you mean `Servers`?');
      await it.say('reader', 'help net list');
      await it.sees('@Hostler net list    in a thread');
      await it.say('reader', 'help restart');
      await it.sees('/host restart web-1');
      await it.sees('You may not use it here');
      await it.say('reader', 'how do i tag a server?');
      await it.sees('/host tag <targets> [tags…]');
      await it.say('reader', 'help me with tag');
      await it.sees('/host tag web-1 +blue -old');
      await it.say('reader', 'version');
      await it.sees('Hostler 0.');
    },
  },
  {
    name: 'a server is started, and stopped and started again by the undo',
    tell: async (it) => {
      await it.confirmed('stop app-22');
      await it.reads(done('Stop app-22', 'app-22 stopped; the power is off.', '[Undo] [… Details]'));
      await it.press('operator', 'Undo');
      await it.press('operator', 'Confirm');
      await it.sees('app-22 started; the power is on.');
      await it.settle();
      await it.say('operator', 'start app-22');
      await it.sees('(only visible to @operator) @hostler: app-22 is already on.');
      await it.say('operator', 'requests');
      await it.sees('Stop app-22 | ✅ done | @operator');
      await it.say('operator', 'audit');
      await it.sees('| done · Stop app-22');
    },
  },
  {
    name: 'a new password is approved by another person, sealed, and revealed once',
    tell: async (it) => {
      await it.say('operator', 'password app-23');
      await it.press('lead', 'Approve');
      await it.sees("@operator root password of app-23 replaced; the provider's job is done.");
      await it.messagesTo('operator').reads(`
        @hostler: The new root password of app-23 is ready. It can be shown once, until ‹date›.
          [Reveal once]`);
      await it.press('operator', 'Reveal once', 'operator');
      const shown = () => /^(\w{14})$/m.exec(it.modal('operator'))?.[1];
      await it.until(() => shown() !== undefined, 'the password');
      const password = shown() ?? 'none was shown';
      expect(password).toMatch(/^\w{14}$/);
      await it.close('operator');
      await it.messagesTo('operator').reads(`
        @hostler: The new root password of app-23 was shown at ‹date›. It cannot be shown again.`);
      expect(it.text() + it.text('operator')).not.toContain(password);
    },
  },
  {
    name: 'a command in a direct message runs under the rules of a channel of the person',
    tell: async (it) => {
      await it.say('operator', 'status app-24', 'directly');
      await it.sees('@hostler: app-24 · 🟢 on', 'operator');
      await it.say('operator', 'restart app-24', 'directly');
      await it.sees('Requested in #ops: Restart app-24. The rules of that channel decide.', 'operator');
      await it.sees('[Restart app-24]');
      await it.say('guest', 'status app-24', 'directly');
      await it.messagesTo('guest').reads(`
        @hostler: None of your channels lets you use \`/host status\` on this.
          [Ask for access in #ops]`);
    },
  },
  {
    name: 'an admin confirms new rights, shown as a difference, and they apply from then on',
    policy: () => null,
    tell: async (it) => {
      await it.say('operator', 'access grant everyone operate');
      await it.say('admin', `access grant @${it.cast.ops} "read operate" on=tag:app-25`);
      await it.press('admin', 'Confirm');
      await it.settle();
      await it.sees('You may not use `/host access grant` here: this channel has no policy,');
      await it.sees('Becomes possible: @ops: read, operate on tag:app-25');
      await it.say('operator', 'restart app-26');
      await it.sees(
        'You may not use `/host restart` on app-26 here: you have “operate” here on tag:app-25, which does not',
      );
      await it.say('operator', 'access');
      await it.sees(`
        (only visible to @operator) @hostler: Who may do what here
          1. @ops: read, operate on tag:app-25
          safe  no confirmation (default)
          routine  one confirmation (default)
          disruptive  one confirmation (default)
          dangerous  one approval from the admins (default)
          destructive  one approval from the admins, with the name typed, then 5 min to stop it (default)
          solo  no
          break glass  nobody
          reads  private, only the person who asks reads the answer
          version 1`);
      await it.say('admin', 'audit');
      await it.sees('You may not use `/host audit` here: you need “read”; no grant in this channel names you.');
    },
  },
  {
    name: 'requests running lists the running jobs, and so does the old name',
    tell: async (it) => {
      it.fault({ kind: 'nextJob', end: 'hang', match: 'POST /vps/{order_id}/restart/', only: orderOf('app-27') });
      await it.confirmed('restart app-27');
      await it.sees('accepted by the provider');
      await it.say('operator', 'jobs');
      await it.sees('Restart app-27 | ');
      await it.sees('Took “jobs” as `requests running`.');
      const job = it.provider.state().jobs.find((one) => one.orderId === orderOf('app-27') && one.state === 'ready');
      it.provider.job({ pk: job?.pk ?? 0, state: 'done' });
      await it.sees('app-27 restarted');
    },
  },
];
