import { keyBody } from '../../sandbox/provider/seed/ssh-keys.ts';

/** Every command that writes to the provider: a line that does it, and the result of the same line afterwards. */

interface Twice {
  readonly line: string;
  /** The state before the run. */
  readonly before?: string;
  readonly again:
    | { readonly nothing: string }
    | { readonly refused: string }
    /** The reason why the second run posts a card again. */
    | { readonly asks: string };
}

export const twice: Readonly<Record<string, Twice>> = {
  start: { line: 'start staging-1', again: { nothing: 'staging-1 is already on.' } },
  stop: { line: 'stop web-1', again: { nothing: 'web-1 is already off.' } },
  restart: { line: 'restart web-1', again: { asks: 'each is a restart of its own; while one runs, its lock refuses' } },
  'hard-reset': { line: 'hard-reset web-1', again: { asks: 'each is a reset of its own, and is approved each time' } },
  rescue: { line: 'rescue on web-1', again: { asks: 'whether it is in rescue mode cannot be read; the card says so' } },
  'net connect': {
    line: 'net connect web-1',
    again: { asks: 'whether it is connected cannot be read; the card says so' },
  },
  'net disconnect': {
    line: 'net disconnect web-1',
    again: { asks: 'whether it is connected cannot be read; the card says so' },
  },
  password: { line: 'password web-1', again: { asks: 'each makes another password, for who asks' } },
  reinstall: {
    line: 'reinstall web-1 template="Debian 13"',
    again: { asks: 'which system is on it cannot be read, and erasing it again is a wish that people have' },
  },
  create: {
    line: 'create name=web-4 plan=101 template=2 location=de',
    again: { refused: 'There is a server called web-4 already (34-12500). Choose another name.' },
  },
  rename: {
    line: 'rename web-1 www',
    again: { refused: 'There is no order called web-1. Did you mean www (34-12345)?' },
  },
  tag: { line: 'tag web-1 +blue -prod', again: { nothing: 'web-1 has these tags already: web, blue.' } },
  move: { line: 'move web-1 Internal', again: { nothing: 'web-1 is in Internal already.' } },
  cancel: { line: 'cancel ci-1', again: { nothing: 'ci-1 is marked already' } },
  keep: { before: 'cancel ci-1', line: 'keep ci-1', again: { nothing: 'ci-1 is not marked to be canceled.' } },
  'dns add': {
    line: 'dns add example.com beta A 192.0.2.1',
    again: { nothing: 'example.com has beta A 192.0.2.1 ttl 3600 already.' },
  },
  'dns set': {
    line: 'dns set example.com www A 192.0.2.1',
    again: { nothing: 'example.com has www A 192.0.2.1 ttl 300 already.' },
  },
  'dns edit': {
    line: 'dns edit example.com www A ttl=600',
    again: { nothing: 'example.com has www A 192.0.2.10 ttl 600 already.' },
  },
  'dns remove': { line: 'dns remove example.com db', again: { refused: 'example.com has no record db.' } },
  'dns apply': {
    line: 'dns apply example.com "beta 300 A 192.0.2.1" --keep',
    again: { nothing: 'example.com is already as the text says: 19 records.' },
  },
  'dns replace': {
    line: 'dns replace 192.0.2.10 192.0.2.1',
    again: { refused: 'No record of a domain that you may change here points to 192.0.2.10.' },
  },
  'dns undo': {
    before: 'dns set example.com www A 192.0.2.1',
    line: 'dns undo a7f3c2',
    again: { nothing: 'The records are as they were before "Change A www.example.com" (a7f3c2).' },
  },
  'dns domain-add': {
    line: 'dns domain-add example.dev 192.0.2.10',
    again: { nothing: 'example.dev is in the account already, with 5 records.' },
  },
  'dns domain-remove': {
    line: 'dns domain-remove example.net',
    again: { refused: 'There is no domain example.net in this account.' },
  },
  'dns nameservers': {
    line: 'dns nameservers example.com ns1.example.org ns2.example.org',
    again: { asks: 'which name servers a domain has cannot be read; the card says so' },
  },
  'project create': { line: 'project create Shop', again: { refused: 'There is a project called Shop already (3).' } },
  'project edit': {
    line: 'project edit Website comment=sells',
    again: { nothing: 'Website has this name and comment already.' },
  },
  'project delete': { line: 'project delete Internal', again: { refused: 'There is no project called Internal.' } },
  'project add': { line: 'project add Website mail-1', again: { nothing: 'In Website already: mail-1.' } },
  'project remove': { line: 'project remove Website web-1', again: { nothing: 'Not in Website: web-1.' } },
  'project logo': { line: 'project logo Website', again: { asks: 'a picture may be changed again' } },
  'net create': {
    before: 'net delete',
    line: 'net create',
    again: { refused: 'The account has a private network already (2); there is one per account.' },
  },
  'ssh-key add': {
    line: `ssh-key add Eve ssh-ed25519 ${keyBody('ssh-ed25519', 'eve')} eve@desk`,
    again: { nothing: 'This key is in the account already, as Eve (key 4).' },
  },
  'ssh-key remove': { line: 'ssh-key remove 3', again: { refused: 'There is no SSH key 3.' } },
  'ssh-key link': { line: 'ssh-key link 2 db-1', again: { nothing: 'CI deploy is linked already: db-1.' } },
  'ssh-key unlink': { line: 'ssh-key unlink 2 web-1', again: { nothing: 'CI deploy is not linked: web-1.' } },
  's3 threshold': {
    line: 's3 threshold 664-2041 10',
    again: { asks: 'the threshold cannot be read; the card says so' },
  },
  'ticket open': {
    line: 'ticket open "web-1 is slow" "Since this morning."',
    again: { asks: 'tickets cannot be read, and a second one may be meant; people confirm each' },
  },
  'ticket webhook set': {
    line: 'ticket webhook set',
    again: { nothing: 'Comments in tickets are posted to this channel already.' },
  },
  'ticket webhook off': {
    before: 'ticket webhook set',
    line: 'ticket webhook off',
    again: { nothing: 'Comments in tickets are posted nowhere.' },
  },
  'net delete': { line: 'net delete', again: { nothing: 'The account has no private network.' } },
};
