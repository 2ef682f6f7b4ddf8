import { keyBody } from '../../sandbox/provider/seed/ssh-keys.ts';

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

const addKey = `ssh-key add Eve ssh-ed25519 ${keyBody('ssh-ed25519', 'eve')} eve@desk`;

/** The command, its line, the result of the same line afterwards and its words, and a line that runs before. */
const table = `
start | start staging-1 | nothing | staging-1 is already on.
stop | stop web-1 | nothing | web-1 is already off.
restart | restart web-1 | asks | each is a restart of its own; while one runs, its lock refuses
hard-reset | hard-reset web-1 | asks | each is a reset of its own, and is approved each time
rescue | rescue on web-1 | asks | whether it is in rescue mode cannot be read; the card says so
net connect | net connect web-1 | asks | whether it is connected cannot be read; the card says so
net disconnect | net disconnect web-1 | asks | whether it is connected cannot be read; the card says so
password | password web-1 | asks | each makes another password, for who asks
reinstall | reinstall web-1 template="Debian 13" | asks | which system is on it cannot be read, and erasing it again is a wish that people have
create | create name=web-4 plan=101 template=2 location=de | refused | There is a server called web-4 already (34-12500). Choose another name.
rename | rename web-1 www | refused | There is no order called web-1. Did you mean www (34-12345)?
tag | tag web-1 +blue -prod | nothing | web-1 has these tags already: web, blue.
move | move web-1 Internal | nothing | web-1 is in Internal already.
cancel | cancel ci-1 | nothing | ci-1 is marked already
keep | keep ci-1 | nothing | ci-1 is not marked to be canceled. | cancel ci-1
dns add | dns add example.com beta A 192.0.2.1 | nothing | example.com has beta A 192.0.2.1 ttl 3600 already.
dns set | dns set example.com www A 192.0.2.1 | nothing | example.com has www A 192.0.2.1 ttl 300 already.
dns edit | dns edit example.com www A ttl=600 | nothing | example.com has www A 192.0.2.10 ttl 600 already.
dns remove | dns remove example.com db | refused | example.com has no record db.
dns apply | dns apply example.com "beta 300 A 192.0.2.1" --keep | nothing | example.com is already as the text says: 19 records.
dns replace | dns replace 192.0.2.10 192.0.2.1 | refused | No record of a domain that you may change here points to 192.0.2.10.
dns undo | dns undo a7f3c2 | nothing | The records are as they were before "Change A www.example.com". | dns set example.com www A 192.0.2.1
dns domain-add | dns domain-add example.dev 192.0.2.10 | nothing | example.dev is in the account already, with 5 records.
dns domain-remove | dns domain-remove example.net | refused | There is no domain example.net in this account.
dns nameservers | dns nameservers example.com ns1.example.org ns2.example.org | asks | which name servers a domain has cannot be read; the card says so
project create | project create Shop | refused | There is a project called Shop already (3).
project edit | project edit Website comment=sells | nothing | Website has this name and comment already.
project delete | project delete Internal | refused | There is no project called Internal.
project add | project add Website mail-1 | nothing | In Website already: mail-1.
project remove | project remove Website web-1 | nothing | Not in Website: web-1.
project logo | project logo Website | asks | a picture may be changed again
net create | net create | refused | The account has a private network already (2); there is one per account. | net delete
ssh-key add | ${addKey} | nothing | This key is in the account already, as Eve (key 4).
ssh-key remove | ssh-key remove 3 | refused | There is no SSH key 3.
ssh-key link | ssh-key link 2 db-1 | nothing | CI deploy is linked already: db-1.
ssh-key unlink | ssh-key unlink 2 web-1 | nothing | CI deploy is not linked: web-1.
s3 threshold | s3 threshold 664-2041 10 | asks | the threshold cannot be read; the card says so
ticket open | ticket open "web-1 is slow" "Since this morning." | asks | tickets cannot be read, and a second one may be meant; people confirm each
ticket webhook set | ticket webhook set | nothing | Comments in tickets are posted to this channel already.
ticket webhook off | ticket webhook off | nothing | Comments in tickets are posted nowhere. | ticket webhook set
net delete | net delete | nothing | The account has no private network.
`;

function readAgain(kind: string, words: string): Twice['again'] {
  if (kind === 'nothing') return { nothing: words };
  return kind === 'refused' ? { refused: words } : { asks: words };
}

/** Every command that writes to the provider: a line that does it, and the result of the same line afterwards. */
export const twice: Readonly<Record<string, Twice>> = Object.fromEntries(
  table
    .trim()
    .split('\n')
    .map((row) => row.split(' | '))
    .map(([path = '', line = '', kind = '', words = '', before]) => [
      path,
      { line, again: readAgain(kind, words), ...(before === undefined ? {} : { before }) },
    ]),
);
