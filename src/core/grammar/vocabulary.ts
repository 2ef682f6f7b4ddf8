import { phraseList, wordSet } from '../text/words.ts';

/**
 * The words by which people mean a command, with dots between them: its verbs | the things it is about | the questions that
 * it answers. A command that changes something needs a verb or a question; a read needs a thing alone.
 */
const typed: Readonly<Record<string, string>> = {
  access: `| access · right · permission · policy · rule · grant | who has access · approval rule · my right · what
    can do here`,
  'access break-glass': '|  | may break glass · who may break glass',
  'access grant': `grant · give · allow · let · invite | access · right · permission | get operate · get read · get dns`,
  'access revoke': 'revoke · take away · withdraw | access · right · permission',
  'access rule': '|  | rule need · need approval · need two · should need · maintenance window · require approval',
  account: '| account | who am i · whoami',
  'alerts list': `acknowledge | alert · incident · problem | what is broken · anything broken · everything all right ·
    everything ok · everything fine · any incident · on it · is broken`,
  'alerts off': 'unsubscribe · turn off · disable · stop | alert',
  'alerts on': 'subscribe · turn on · enable · notify · warn · page | alert | let us know · tell us when',
  'alerts quiet': 'quiet · silence | alert · night | quiet hour · only page',
  'alerts show': 'ack · show | alert',
  audit: `export | audit · audit log · history | who did · who restarted · who stopped · who started · who reset ·
    who changed · who approved · who confirmed · who declined · who deleted · who canceled · who ordered ·
    who turned · who rebooted · who muted · who pinned · who froze · who broke · what happened · what changed
    · what was done · used break glass · why was · why refused · was refused · who approved`,
  balance: `pay · spend | balance · invoice · bill · money · credit · fund · payment | how much do we owe · how much
    money · what do we owe · when do we pay · unpaid · money finish`,
  cancel: `cancel · terminate · delete · destroy · remove · end · get rid of | order · server · machine | no longer
    need · do not renew`,
  catalog: `| price · tariff · template · image · location · catalog · system | how much would · how much does
    cost`,
  costs: '| cost · spending | how much do we spend · cost each month · spend on',
  create: `create · order · buy · rent | server · machine · vps · instance | one more server · new server · another
    server`,
  digest: '| digest · daily summary · daily report | every morning',
  'dns add': 'add · create · put | record · dns · txt · cname · mx · aaaa · subdomain',
  'dns domain-add': 'add · create | domain · zone',
  'dns domains': '| domain · zone',
  'dns find': 'find · search |  | who use · what use · what point to · points to',
  'dns history': '| dns history · zone history · dns change | what changed in · who changed · what is change in',
  'dns list': '| dns · record · dns setting · txt · mx · spf | where mail of · mail go',
  'dns nameservers': 'change · set | nameserver · name server',
  'dns remove': 'remove · delete | record · dns · subdomain',
  'dns restore': 'restore · roll back · put back | dns · zone | make like before',
  'dns set': 'set · point · change · move · switch | record · dns | go to',
  'dns undo': 'undo · revert | dns · change',
  'dns zone': 'export | zone file',
  'ds list': '| dedicated server',
  favorites: '| favorite',
  freeze: 'freeze |  | change freeze',
  'freeze list': '| freeze | are we frozen · is frozen · what is frozen · anything frozen',
  'hard-reset': 'hard reset · reset · power cycle · force restart · force reboot',
  help: 'help | manual · documentation · command | what can you do · how to · i am new · how does it work · how i can',
  'ip list': '| ip · address | has ip · who has ip',
  keep: 'keep | order | do not cancel · undo cancel',
  list: 'list | server · machine · vps · instance · node · droplet · vm | how many server · which server',
  mute: 'mute · silence · snooze | alert of',
  notifications: '| notification · mention · ping | stop pinging',
  order: '|  | when expire · is renewed · what costs · when does end',
  orders: '| order · renewal · subscription | what expire · will be renewed',
  password: 'reset · change | password · root password · passwd',
  pin: 'pin · protect · lock',
  pins: '| pin | is pinned · are pinned · what is pinned',
  'project delete': 'delete | project',
  'project list': '| project',
  reinstall: 'reinstall · rebuild · reimage · wipe · erase · format · install',
  rename: 'rename |  | change the name · change name',
  request: '|  | status of my request · status of request · my request',
  requests: `approve · decline · confirm | request · approval | what is waiting · waiting · cancel that · cancel it ·
    stop it · cancel my request · cancel request · call it off · needs approval · nobody approves · say yes ·
    take it back`,
  rescue: 'rescue · boot rescue | rescue mode',
  restart: 'restart · reboot · bounce · new start · make restart |  | rollout restart · server reboot',
  's3 list': '| bucket · storage',
  scheduled: `postpone · reschedule · call off · skip · delay | scheduled · planned · plan | what is planned · what is
    plan · cancel the scheduled`,
  shift: '| shift · handover | who has shift · what happened over · what happened tonight · what happened since',
  'ssh-key add': 'add · create · put · upload | ssh key · key',
  'ssh-key list': '| ssh key · key',
  start: 'start · boot · power on · turn on · switch on · poweron · bring up |  | want on',
  stats: '| load · cpu · memory · ram · disk · traffic · usage · metric · graph · busy · top | disk full · is slow',
  status: `check · describe · look | server · status · state | how is · is ok · is up · is down · is off · is it up
    · down · slow · hangs · has a problem · what is wrong · does not work · not work · unreachable · doing
    its job · doing ok`,
  stop: 'stop · shut down · shutdown · power off · turn off · switch off · poweroff · halt · take down',
  tag: 'tag · untag · label | tag',
  'ticket list': '| ticket | did provider answer · our ticket',
  'ticket open': 'open · write · ask · contact · tell · create | ticket · support · provider · hosting company',
  unfreeze: 'unfreeze · thaw |  | lift freeze · end freeze · stop freeze',
  unmute: 'unmute',
  unpin: 'unpin',
  'who can': '|  | who can · who may · who is allowed · who else can',
  why: '|  | why can · can not why · can i · am i allowed · why may · may · may cancel · may restart · may stop',
};

export const vocabulary: readonly (readonly [path: string, lists: readonly (readonly string[])[]])[] = Object.entries(
  typed,
).map(([path, lists]) => [path, lists.split('|').map(phraseList)]);

/** Words that say nothing about what is meant. */
export const fillers = wordSet(
  `a an the my our your their its this that these those it i you we he she they me us them one some any all please pls
   plz kindly could can would will should may might must do does did is are was were be been being have has had having am
   to of for from on in into at by with and or so as if then than there here now just also only again still yet very
   really quick quickly asap thanks thank thx hi hello hey dear good morning evening afternoon ok okay sorry
   want need like know tell see possible someone somebody nobody anyone everyone today hostler host bot
   server servers machine vps site website page what which when where who how why`,
);

/** Words that say what is not meant. */
export const negations = wordSet(
  'not no never dont doesnt didnt wont except but without unless other instead excluding',
);
