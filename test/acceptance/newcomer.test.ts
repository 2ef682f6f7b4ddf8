import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patientSlack, startSystem, type TestSystem } from '../support/process/test-system.ts';
import { sample } from '../support/suite/seed.ts';
import { type Hand, handIn } from './hand.ts';

// A newcomer, who knows `/host` and `/host help` only, does each job of the product page in the real bot, within three
// messages or one form, up to the sentence that says how it ended.

interface Job {
  readonly command: string;
  readonly does: (hand: Hand) => Promise<void>;
  /** The text that the person reads at the end. */
  readonly reads: RegExp;
  /** The command of another job that has to be done first. */
  readonly after?: string;
}

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

/** A query, answered at once. */
function asks(command: string, line: string, reads: RegExp): Job {
  return { command, reads, does: ({ say }) => say(line) };
}

/** An action that the person confirms with one click. */
function confirms(command: string, line: string, reads: RegExp, after?: string): Job {
  const does = async ({ say, press }: Hand) => {
    await say(line);
    await press('Confirm');
  };
  return { command, reads, does, ...(after === undefined ? {} : { after }) };
}

/** An action that another person has to approve. */
function approved(command: string, line: string, reads: RegExp, typed?: string, after?: string): Job {
  const does = async ({ say, approve }: Hand) => {
    await say(line);
    await approve(typed);
  };
  return { command, reads, does, ...(after === undefined ? {} : { after }) };
}

const jobs: readonly Job[] = [
  asks('list', 'list', /1[23] servers: \d+ on, \d+ off/),
  asks('status', 'status 192.0.2.11', /web-2 · 🟢 on\n {2}.*app.example.com and shop.example.com point here/),
  confirms('start', 'start staging-1', /staging-1 started(?: in \d+ s)?; the power is on/),
  confirms('stop', 'stop monitor-1', /monitor-1 stopped(?: in \d+ s)?; the power is off/),
  {
    command: 'restart',
    reads: /web-1, web-2 and web-3 restarted/,
    does: async ({ say, press, withForm }) => {
      await say('');
      await withForm(() => press('Restart…'), { Servers: ['tag:web'] });
      await press('Confirm');
    },
  },
  approved('hard-reset', 'hard-reset vpn-1', /vpn-1 was reset/),
  confirms('rescue', 'rescue mail-1 on', /✅ .*rescue/),
  {
    command: 'password',
    reads: /Shown once(.*\n)+```\n\w{14}\n```/,
    does: async ({ say, approve, press, withForm }) => {
      await say('password db-1');
      await approve();
      await withForm(() => press('Reveal once'));
    },
  },
  {
    command: 'reinstall',
    reads: /Reinstall ci-1: accepted by the provider, but not verified: .*order is active, and the power is on/,
    does: async ({ say, withForm, approve }) => {
      await withForm(() => say('reinstall ci-1'), { Template: 'Debian 13' });
      await approve('ci-1');
    },
  },
  asks('stats', 'stats web-2 24h', /CPU: min .* · mean .* · max .* · last (.*\n)+.*\(image: Curve of web-2/),
  confirms('net connect', 'network cache-1 on', /✅ .*cache-1/),
  asks('job', 'job ci-1 806', /Job 806 of ci-1 · ended in error\n(.*\n)+.*hypervisor/),
  {
    command: 'create',
    reads: /web-4 created as 34-\d+(?: in \d+ s)?; order 34-\d+ is active, and the power is on/,
    does: async ({ say, withForm, approve }) => {
      await withForm(
        () => say('create'),
        { Hardware: 'A ready-made plan', Plan: 'Cloud NVMe 2, € 5.50' },
        { Template: 'Debian 13' },
        { Name: 'web-4', Location: 'Germany' },
        {},
      );
      await approve();
    },
  },
  asks('catalog', 'plans', /Cloud NVMe 1 \(101\) \| € 3.50 \| 1 core · 2 GB(.*\n)+.*the cheapest first/),
  asks('orders', 'orders expiring 14d', /7 orders \(expiring within 14 days\)/),
  asks('order', 'order 375-13', /example.com · 🟢 active\n {2}Order {2}375-13 · domain/),
  {
    command: 'rename',
    reads: /db-2 renamed to db-replica; its name is db-replica/,
    does: async ({ say, withForm, press }) => {
      await withForm(() => say('rename db-2'), { Name: 'db-replica' });
      await press('Confirm');
    },
  },
  confirms('tag', 'tag wiki-1,backup-1 +blue', /blue added to wiki-1 and backup-1/),
  {
    command: 'move',
    reads: /cache-1 removed from Website; it is in no project/,
    after: 'net connect',
    does: async ({ say, withForm, press }) => {
      await withForm(() => say('move cache-1'), { Project: 'none' });
      await press('Confirm');
    },
  },
  approved('cancel', 'cancel "Offsite backup"', /Offsite backup ends on /, 'Offsite backup'),
  confirms('keep', 'keep 77-3301', /Offsite backup is kept; no cancellation is set/, 'cancel'),
  asks('ds list', 'ds list', /2 dedicated servers: 2 active/),
  asks('ds show', 'ds show files-1', /CPU {2}Intel Xeon E3-1230 v6 · 4 cores/),
  asks('ds traffic', 'ds traffic files-1 year', /In .* TB · out .* TB · together .* TB/),
  asks('ds limit', 'ds limit files-1', /% used: .* of 10.0 TB\n.*At this pace it runs out on/),
  asks('dns domains', 'dns domains', /[34] domains with \d+ records/),
  asks('dns list', 'dns list www.example.com', /www \| A 192.0.2.10/),
  confirms('dns add', 'dns add beta.example.com A 192.0.2.10', /beta.example.com A .* added; the zone has it/),
  confirms(
    'dns set',
    'dns set shop.example.com A 192.0.2.10 ttl=300',
    /shop.example.com A is 192.0.2.10; the zone has it/,
    'dns add',
  ),
  {
    command: 'dns edit',
    reads: /status.example.com A 203.0.113.40 has ttl 120; the zone has it/,
    after: 'dns set',
    does: async ({ say, press, withForm }) => {
      await say('dns list status.example.com');
      await withForm(() => press('Edit status A 203.0.113.40'), { TTL: '120' });
      await press('Confirm');
    },
  },
  approved(
    'dns remove',
    'dns remove db.example.com',
    /db.example.com A 192.0.2.20 removed; the zone no longer has it/,
    undefined,
    'dns edit',
  ),
  asks(
    'dns zone',
    'dns zone example.com',
    /Zone file of example.com, (.*\n)+.*The file is in the bot’s direct messages to you/,
  ),
  {
    command: 'dns apply',
    reads: /example.org: 2 records added, read back/,
    does: async ({ say, withForm, upload, press }) => {
      // Longer than a field of a form can hold.
      const file = upload(
        'example.org.zone',
        `${'; a comment\n'.repeat(400)}new 300 A 192.0.2.10\nnew 300 AAAA 2001:db8::1\n`,
      );
      await withForm(() => say('dns apply example.org'), { File: [file], Keep: 'Yes' });
      await press('Confirm');
    },
  },
  {
    command: 'dns undo',
    reads: /example.net: 2 records removed, read back/,
    does: async ({ say, press, see }) => {
      await say('dns apply example.net "a1 300 A 192.0.2.1\na2 300 A 192.0.2.2" --keep');
      await press('Confirm');
      await see(/\[Undo\]/);
      await press('Undo');
      await press('Confirm');
    },
  },
  approved('dns domain-add', 'dns domain-add example.dev 192.0.2.10', /✅ .*example.dev/),
  approved('dns domain-remove', 'dns domain-remove example.dev', /✅ .*example.dev/, 'example.dev', 'dns domain-add'),
  approved(
    'dns nameservers',
    'dns nameservers example.org ns1.example.net ns2.example.net',
    /Change the name servers of example.org: accepted by the provider, but not verified: the provider repeated the list/,
    undefined,
    'dns apply',
  ),
  asks('project list', 'project list', /[23] projects · \d+ orders in none/),
  asks('project show', 'project show internal', /Internal · project 2\n(.*\n)+.*3 orders/),
  confirms('project create', 'project create Shop', /project Shop created/, 'create'),
  confirms('project edit', 'project edit Shop comment="What sells"', /comment of Shop changed/, 'project create'),
  confirms('project add', 'project add Shop mail-1', /mail-1 put into Shop/, 'project edit'),
  confirms('project remove', 'project remove Shop mail-1', /mail-1 removed from Shop/, 'project add'),
  {
    command: 'project logo',
    reads: /logo of Internal changed; its new logo is at http/,
    does: async ({ say, withForm, upload, press }) => {
      const file = upload('logo.png', png);
      await withForm(() => say('project logo Internal'), { Picture: [file] });
      await press('Confirm');
    },
  },
  approved('project delete', 'project delete Shop', /project Shop deleted/, undefined, 'project remove'),
  asks('net list', 'net list', /The account has (private network|no private network)/),
  asks('net locations', 'net locations', /Germany \| de/),
  approved('net delete', 'net delete', /private network 1 deleted/, undefined, 'project create'),
  confirms('net create', 'net create', /private network created/, 'net delete'),
  asks('balance', 'balance', /€ [\d.]+ · covers \d+ days \(€ [\d.]+ a month\)/),
  asks('account', 'account', /Name {2}Example Ltd/),
  asks('help', 'help', /What you may do here\n(.*\n)+.*\/host restart web-1/),
  asks('access', 'access', /@ops: read, billing, operate/),
  asks('why', 'why reinstall web-1', /You may use \/host reinstall web-1 here\n(.*\n)+.*the name typed/),
  asks('requests', 'requests', /requests? here|No requests here|requests? waits? for you/),
  asks('audit', 'audit', /When \| Who \| What|No audit entries yet/),
  asks('alerts', 'alerts', /No alert is on here/),
  asks('freeze', 'freeze tag:nothing the release is running', /Frozen: the release is running\./),
  asks('version', 'version', /Hostler \d+\.\d+/),
];

/** A part of them with those that they follow. */
const chosen = new Set(sample(jobs, 3));
for (const { after } of chosen) for (const job of jobs) if (job.command === after) chosen.add(job);
const told = jobs.filter((job) => chosen.has(job));

let system: TestSystem;
const running = new Map<string, Promise<{ text: string; messages: number; forms: number }>>();

beforeAll(async () => {
  // Long enough that the bot sees a server go away for its new system.
  system = await startSystem({ slack: patientSlack, provider: { jobMs: 2_500 } });
  const slots = Array.from({ length: 6 }, () => Promise.resolve());
  for (const [index, job] of told.entries()) {
    // Six people at once, not sixty; a job that needs the end of another job follows it.
    const slot = slots[index % slots.length] ?? Promise.resolve();
    const ran = slot.then(() => run(job));
    slots[index % slots.length] = ran.then(
      () => {},
      () => {},
    );
    // The test of each job awaits it.
    ran.catch(() => {});
    running.set(job.command, ran);
  }
});
afterAll(() => system.close());

async function run(job: Job): Promise<{ text: string; messages: number; forms: number }> {
  if (job.after !== undefined) await running.get(job.after);
  const hand = await handIn(system, `job-${job.command.replaceAll(' ', '-')}`);
  await job.does(hand);
  return { text: await hand.see(job.reads), ...hand.counted() };
}

describe('a newcomer does each job within three messages or one form', () => {
  test.each(told)('$command', async ({ command, reads }) => {
    const { text, messages, forms } = (await running.get(command)) ?? { text: '', messages: 9, forms: 9 };
    expect(text).toMatch(reads);
    expect(text).not.toMatch(/✖|went wrong|incident/);
    expect(messages).toBeLessThanOrEqual(3);
    expect(forms).toBeLessThanOrEqual(1);
  });
});
