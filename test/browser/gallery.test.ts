import { rm } from 'node:fs/promises';
import { App, LogLevel } from '@slack/bolt';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { blockTypes } from '../../sandbox/slack/validate/blocks.ts';
import { hostile, messageBlocks, modal, newerMessageBlocks } from './gallery-blocks.ts';
import { browser } from './stage.ts';
import { isSkipped, newDataDir, openWindow, see } from './support.ts';

const redDot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==',
  'base64',
);

/** The payloads that Bolt's listeners got, with the parts a person chose. */
type Seen = Record<string, unknown>;

async function openGallery() {
  const dataDir = await newDataDir();
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir });
  const seen: Seen[] = [];
  const app = new App({
    token: sandbox.env.SLACK_BOT_TOKEN ?? '',
    appToken: sandbox.env.SLACK_APP_TOKEN ?? '',
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: sandbox.env.SLACK_API_URL ?? '' },
  });
  app.options(/.*/, async ({ ack, options }) => {
    const words = ['alpha', 'beta', 'gamma'].filter((word) => word.includes(options.value));
    await ack({ options: words.map((word) => ({ text: { type: 'plain_text', text: word }, value: `v-${word}` })) });
  });
  app.action(/.*/, async ({ ack, body, client }) => {
    await ack();
    const { actions, trigger_id } = body as unknown as { actions: Seen[]; trigger_id: string };
    seen.push(actions[0] ?? {});
    // The shape is the gallery's own; Bolt's type of a view knows fewer elements than Slack does.
    if (actions[0]?.action_id === 'accessory') await client.views.open({ trigger_id, view: modal as never });
  });
  app.view('gallery', async ({ ack, view }) => {
    const { values } = view.state;
    seen.push(values);
    const text = values['b-Text']?.['a-Text']?.value;
    if (text === 'wrong') await ack({ response_action: 'errors', errors: { 'b-Text': 'Anything but that.' } });
    else await ack();
  });
  await app.start();
  const page = await openWindow(await browser(), sandbox.url);
  const close = async () => {
    await page.context().close();
    await app.stop();
    await sandbox.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  const file = sandbox.slack.sim.upload('admin', '#dev', 'dot.png', redDot);
  const post = (blocks: object[]) =>
    app.client.chat.postMessage({ channel: 'C0OPS00001', text: 'gallery', blocks: blocks as never });
  return { sandbox, seen, post, file, page, close };
}

describe.skipIf(isSkipped)('every block and element', () => {
  let gallery: Awaited<ReturnType<typeof openGallery>>;
  beforeAll(async () => {
    gallery = await openGallery();
    return gallery.close;
  });
  beforeEach(() => void gallery.seen.splice(0));

  test('every block is shown and can be used, hostile text stays text, and an unknown block is a box', async () => {
    const { sandbox, seen, post, file, page } = gallery;
    await post(messageBlocks(file));
    const card = page.locator('#channel .message').filter({ hasText: 'A header' });
    await see(card.getByText('A header'));
    const last = async (actionId: string) => {
      await expect.poll(() => seen.at(-1)?.action_id).toBe(actionId);
      return seen.at(-1) ?? {};
    };

    expect(await card.locator('script, img[onerror]').count()).toBe(0);
    expect(await card.textContent()).toContain(hostile);
    expect(await card.locator('a[href^="javascript"]').count()).toBe(0);
    await see(card.getByText('a link').first());
    await see(card.getByText('🎉'));
    await see(card.locator('.emoji.red', { hasText: '🔴' }));
    await see(card.locator('.diff .added', { hasText: '+ new' }));
    await see(card.getByRole('cell', { name: '19' }));
    await see(card.getByRole('img', { name: 'A red dot' }));
    expect(await card.locator('img[src*="example.com"]').count(), 'nothing is loaded from elsewhere').toBe(0);

    await card.getByRole('button', { name: 'Dangerous' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave it' }).click();
    expect(seen).toEqual([]);
    expect(await page.evaluate('document.activeElement.textContent'), 'the focus is given back').toBe('Dangerous');
    await card.getByRole('button', { name: 'Dangerous' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Do it' }).click();
    await last('danger');

    const choose = async (name: RegExp, search: string, wanted: string | RegExp) => {
      await card.getByRole('button', { name }).click();
      await page.getByRole('combobox', { name: /^Search/ }).fill(search);
      await page.getByRole('option', { name: wanted }).click();
    };
    await choose(/^A color/, 'gre', 'green');
    expect(await last('static')).toMatchObject({ selected_option: { value: 'green' } });
    await choose(/^In groups/, 'ice', 'ice');
    expect(await last('grouped')).toMatchObject({ selected_option: { value: 'ice' } });
    await choose(/^Looked up/, 'be', 'beta');
    expect(await last('external')).toMatchObject({ selected_option: { value: 'v-beta' } });
    await choose(/^Somebody/, 'lena', /@lead/);
    expect(await last('user')).toMatchObject({ selected_user: 'U0LEAD0001' });
    await choose(/^A channel/, 'gen', '#general');
    expect(await last('channel')).toMatchObject({ selected_channel: 'C0GENERAL1' });
    await card.getByRole('button', { name: '#general' }).click();
    await page.getByRole('option', { name: '#dev' }).hover();
    await page.mouse.down();
    await page.keyboard.type('gen');
    // The page searches 120 ms after the last key: its timer has run before this one.
    await page.evaluate('new Promise((run) => setTimeout(run, 150))');
    await page.mouse.up();
    await expect
      .poll(() => seen.at(-1), { message: 'a click counts although the list changes meanwhile' })
      .toMatchObject({ selected_channel: 'C0DEV00001' });
    await choose(/^A conversation/, 'dev', '#dev');
    expect(await last('conversation')).toMatchObject({ selected_conversation: 'C0DEV00001' });
    for (const [name, wanted, field, id] of [
      [/^People/, /@lead/, 'selected_users', 'U0LEAD0001'],
      [/^Channels/, '#general', 'selected_channels', 'C0GENERAL1'],
      [/^Conversations/, '#dev', 'selected_conversations', 'C0DEV00001'],
    ] as const) {
      await choose(name, '', wanted);
      await page.keyboard.press('Escape');
      await expect.poll(() => seen.at(-1)).toMatchObject({ [field]: [id] });
    }
    await choose(/^Several/, 'red', 'red');
    await last('many');
    await page.keyboard.press('Escape');
    await choose(/^Several/, 'blue', 'blue');
    await expect.poll(() => JSON.stringify(seen.at(-1))).toContain('blue');
    await page.keyboard.press('Escape');
    await see(card.locator('.token', { hasText: 'red' }));
    await card.getByRole('button', { name: 'Remove red' }).click();
    await expect.poll(() => JSON.stringify(seen.at(-1)?.selected_options)).not.toContain('red');

    await card.getByRole('button', { name: 'More actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Second thing' }).click();
    expect(await last('overflow')).toMatchObject({ selected_option: { value: 'second' } });
    await card.getByRole('checkbox', { name: 'blue' }).check();
    expect(await last('boxes')).toMatchObject({ selected_options: [{ value: 'blue' }] });
    await card.getByRole('radio', { name: 'red' }).check();
    expect(await last('radio')).toMatchObject({ selected_option: { value: 'red' } });
    await card.locator('input[type=date]').fill('2026-06-02');
    expect(await last('date')).toMatchObject({ selected_date: '2026-06-02' });
    await card.locator('input[type=time]').fill('08:30');
    expect(await last('time')).toMatchObject({ selected_time: '08:30' });
    await card.locator('input[type=datetime-local]').fill('2026-06-02T08:30');
    // The operator's clocks are in London, an hour ahead of UTC in June.
    expect(await last('both')).toMatchObject({ selected_date_time: Date.parse('2026-06-02T07:30Z') / 1_000 });

    const unknown = sandbox.slack.sim.messages('#ops').at(-1);
    unknown?.blocks.push(
      { type: 'hologram', block_id: 'unknown' },
      { type: 'actions', block_id: 'odd', elements: [{ type: 'lever', action_id: 'x' }] },
      { type: 'rich_text', block_id: 'rich', elements: [{ type: 'rich_text_poem', elements: [] }] },
    );
    await card.getByRole('checkbox', { name: 'green' }).check();
    await see(card.getByText('This page cannot show the block “hologram”'));
    await see(card.getByText('This page cannot show the element “lever”'));
    await see(card.getByText('This page cannot show the rich text “rich_text_poem”'));
  });

  test('newer blocks are drawn: tables with pages, containers that open, plans and cards', async () => {
    const { seen, post, page } = gallery;
    await post(newerMessageBlocks);
    const card = page.locator('#channel .message').filter({ hasText: 'Twelve numbers' });
    const table = card.getByRole('table');
    await see(card.getByText('1 to 5 of 12'));
    expect(await table.getByRole('row').count()).toBe(6);
    await table.getByRole('button', { name: 'Number' }).click();
    expect(await table.getByRole('cell').nth(1).textContent()).toBe('0');
    await table.getByRole('button', { name: 'Number' }).click();
    expect(await table.getByRole('columnheader', { name: 'Number' }).getAttribute('aria-sort')).toBe('descending');
    expect(await table.getByRole('cell').nth(1).textContent()).toBe('11');
    await card.getByRole('button', { name: 'Next' }).click();
    await card.getByRole('button', { name: 'Next' }).click();
    await see(card.getByText('11 to 12 of 12'));
    expect(await card.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);

    expect(await card.getByText('inside').isVisible(), 'a container begins closed').toBe(false);
    await card.getByText('A container').click();
    await card.getByRole('button', { name: 'Inner' }).click();
    await expect.poll(() => seen.at(-1)?.action_id).toBe('inner');
    await card.getByRole('button', { name: 'On the card' }).click();
    await expect.poll(() => seen.at(-1)?.action_id).toBe('carded');

    await see(card.getByText('Task one · Done'));
    await see(card.getByText('Task two · Failed'));
    expect(await card.getByRole('link', { name: 'its log' }).getAttribute('href')).toBe('https://example.com/log');
    await see(card.getByText('Task alone · Running'));
    await see(card.getByText('The last'));
    await see(card.getByText('Good'));

    // Slack takes no file, video or chart block from a bot like this, so the page need not draw them.
    const neverSent = ['file', 'video', 'data_visualization'];
    const shown = [...messageBlocks(''), ...newerMessageBlocks, ...modal.blocks] as { type: string }[];
    expect(new Set([...shown.map(({ type }) => type), ...neverSent])).toEqual(new Set(blockTypes));
    expect(await card.getByText('This page cannot show').count()).toBe(0);
  });

  test('forms work: checks of the client, answers of the app, files, people and searched lists', async () => {
    const { seen, post, file, page } = gallery;
    await post(messageBlocks(file));
    await page.getByRole('button', { name: 'Beside' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'Gallery' });
    await see(dialog.getByText('An alert'));
    const send = dialog.getByRole('button', { name: 'Send' });
    await see(send);
    expect(await page.evaluate("document.activeElement.closest('.input')?.textContent"), 'the first field').toContain(
      'Text',
    );

    await dialog.getByLabel('Number').fill('12');
    await dialog.getByLabel('Mail').fill('nobody');
    await send.click();
    await see(dialog.getByText('Please complete this required field.'));
    await see(dialog.getByText('Must be at most 9.'));
    await see(dialog.getByText('Please enter a valid email address.'));
    await dialog.getByLabel('Number').fill('7');
    await dialog.getByLabel('Mail').fill('ada@example.com');
    await dialog.getByLabel('Text').fill('wrong');
    await dialog.getByLabel('Text').press('Enter');
    await see(dialog.getByText('Anything but that.'));

    await dialog.getByLabel('Text').fill('right');
    await dialog.getByLabel('Long').fill('two\nlines');
    await dialog.getByLabel('Address').fill('https://example.com/');
    await dialog.getByLabel('Rich').fill('rich words');
    await dialog.getByRole('button', { name: /^Choice/ }).click();
    await page.getByRole('option', { name: 'blue' }).click();
    await dialog.getByRole('button', { name: /^People/ }).click();
    for (const name of [/@lead/, /@admin/, /@guest/]) await page.getByRole('option', { name }).click();
    await see(page.getByText('At most 2 can be chosen.'));
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: /^Search/ }).click();
    await page.getByRole('option', { name: 'gamma' }).click();
    await page.keyboard.press('Escape');
    await dialog.getByRole('checkbox', { name: 'green' }).check();
    await dialog.getByRole('radio', { name: 'red' }).check();
    await dialog.locator('input[type=date]').fill('2026-07-03');
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'zone.txt', mimeType: 'text/plain', buffer: Buffer.from('www A 192.0.2.1') });
    await see(dialog.getByText('zone.txt'));
    expect(await dialog.getByLabel('Long').inputValue(), 'nothing typed is lost while the form is drawn anew').toBe(
      'two\nlines',
    );
    await send.click();
    await dialog.waitFor({ state: 'hidden' });

    expect(seen.at(-1)).toMatchObject({
      'b-Text': { 'a-Text': { value: 'right' } },
      'b-Long': { 'a-Long': { value: 'two\nlines' } },
      'b-Number': { 'a-Number': { value: '7' } },
      'b-Address': { 'a-Address': { value: 'https://example.com/' } },
      'b-Rich': { 'a-Rich': { rich_text_value: { type: 'rich_text' } } },
      'b-Choice': { 'a-Choice': { selected_option: { value: 'blue' } } },
      'b-People': { 'a-People': { selected_users: ['U0LEAD0001', 'U0ADMIN001'] } },
      'b-Search': { 'a-Search': { selected_options: [{ value: 'v-gamma' }] } },
      'b-Boxes': { 'a-Boxes': { selected_options: [{ value: 'green' }] } },
      'b-Radio': { 'a-Radio': { selected_option: { value: 'red' } } },
      'b-Day': { 'a-Day': { selected_date: '2026-07-03' } },
      'b-File': { 'a-File': { files: [{ name: 'zone.txt' }] } },
    });
  });
});
