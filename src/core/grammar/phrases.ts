import { phraseList } from '../text/words.ts';

/** `what is planned for tonight` */
const plannedFor = ['what is', "what's", 'whats', 'anything', 'is anything'].flatMap((ask) =>
  ['planned', 'scheduled'].flatMap((word) =>
    ['', ...['tonight', 'today', 'tomorrow', 'this week', 'next'].flatMap((time) => [` ${time}`, ` for ${time}`])].map(
      (time) => `${ask} ${word}${time}`,
    ),
  ),
);

/**
 * Other names that people type for a command, separated by dots. A name of a query runs it; a name of a
 * destructive command only suggests it. A phrase with an equals sign always runs, with the words that it stands for
 * behind the command. A word with a final colon stands before the next one: `domain:example.com`.
 */
const typed: Readonly<Record<string, string>> = {
  access: `rights · permissions · who has access · policy · policies · rules · access list · access show ·
    request access · ask for access · get access`,
  'access grant': 'grant · give · give access · allow · invite',
  'access rule': `maintenance window = hours maintenance · set maintenance window = hours maintenance ·
    set the maintenance window = hours maintenance · set a maintenance window = hours maintenance`,
  'alerts hook': 'alerts webhook · alerts webhooks · alerts hooks',
  'alerts list': `alerts ls · any alerts · open alerts · anything broken · what is broken · what's broken ·
    i'm on it · on it · who is on it · ack all · acknowledge all`,
  'alerts off': 'unsubscribe · unsubscribe from alerts · turn off alerts · disable alerts',
  'alerts on': `subscribe · subscribe to alerts · turn on alerts · enable alerts · alert me · notify · notify me ·
    warn me · page me`,
  'alerts quiet': `quiet · quiet hours · set quiet hours · alerts silence · alerts mute ·
    alerts snooze · alerts pause · alerts stop`,
  'alerts show': 'ack · acknowledge · alert',
  audit: `history · history of · audit of · audit for · audit from · who did · who did what · who restarted ·
    who stopped · who started · who reset · who changed · who approved · who confirmed · who declined · who deleted ·
    who canceled · who ordered · what happened · what happened to · what happened on · what happened last ·
    what changed · what was done · changes · last changes · recent changes`,
  balance: `invoice · bills · unpaid · unpaid invoices · open invoices · next invoice · what do we owe ·
    what do i owe · money · credit · funds · cost · spending · billing · how much · how much do we pay ·
    how much do we owe · how much do we have · how much money do we have · how much money is left ·
    how much is left · how much money · how much money we have · when do we pay · when must we pay ·
    when we must pay · total cost · what do we pay · invoices =`,
  cancel: "delete · destroy · terminate · remove · rm · del · don't renew · do not renew",
  catalog: `prices · pricing · tariffs · plans dedicated = dedicated · plans hosting = hosting ·
    plans backups = backups · plans vps = plans · plans = plans · templates = systems · images = systems ·
    apps = apps · snapshots = snapshots · locations = locations`,
  costs: 'costs by · cost by · costs per · cost per · costs of · costs last month',
  create: `new · new server · order server · create server · create a server · create a new server · order a server ·
    order a new server · buy · buy server · buy a server · buy a new server · buy new server · rent a server`,
  digest: 'daily digest · daily summary · daily report · send digest · send a digest · send the digest',
  'dns add': 'dns new · dns create',
  'dns diff': 'dns compare · zone diff',
  'dns domain-add': 'add domain · add a domain · new domain · create domain · add zone · create zone',
  'dns domain-remove': 'remove domain · delete domain · remove zone · delete zone',
  'dns domains': 'domains · zones · all domains · which domains · what domains',
  'dns edit': 'dns change · dns update · dns modify',
  'dns find': `dns search · dns grep · dns who · who uses · what uses · what points to · who points to · where does ·
    where do`,
  'dns history': 'zone history · dns log · dns versions · dns changes',
  'dns list': `records · dns show · dns spf · dns mx · dns ls · dns records · dns for · dns of · txt records ·
    mx records · mx · spf · dig · nslookup`,
  'dns remove': 'dns delete · dns rm · dns del',
  'dns replace': 'dns move · dns swap',
  'dns restore': 'restore dns · restore zone · dns rollback · dns revert',
  'dns set': 'point · set · dns point',
  'dns undo': 'undo · undo last · undo last change · undo that · undo it · undo dns · revert',
  'dns zone': 'zone · zone file · dns export · dns file',
  favorite: 'add favorite · star =',
  favorites: 'my favorites · my servers · starred',
  'freeze list': "freezes · what is frozen · what's frozen · frozen",
  'hard-reset': 'reset · power cycle · powercycle · force restart · force reboot · hard restart · hard reboot',
  help: `? · -h · --help · commands · need help · i need help · what can you do · what can i do · how do i ·
    how can i · how to · who are you · what are you · what is this · how does this work · how does it work ·
    examples · docs · documentation · manual`,
  'ip list': 'ips · addresses',
  keep: "uncancel · undelete · do not cancel · don't cancel · not cancel",
  list: `servers · ls · vps · list servers · show servers · all servers · machines · vms · instances ·
    which servers · what servers · which server · how many servers`,
  mute: 'silence · snooze',
  'net connect': 'network on =',
  'net disconnect': 'network off =',
  notifications: `my notifications · notification settings · pings · mentions · stop paging · stop pinging ·
    stop notifying`,
  order: 'when does · when will · until when is · till when is · what costs · what does · how much does',
  orders: 'expiring · expires · what expires · renewals · what is expiring',
  password: `passwd · reset password · reset root password · change password · change root password · give password ·
    give root password · new password · new root password · reset the root password · change the root password`,
  pin: 'protect · lock',
  pins: "pinned · what is pinned · what's pinned · pin list · protected",
  reinstall: 'rebuild · reimage · wipe · erase · format',
  rename: 'change name · change name of · change the name of',
  'request stop': 'abort · stop request · requests stop',
  requests: `pending · approvals · my requests · open requests · what needs approval · what's waiting for me ·
    what is waiting · what is waiting for approval · open approvals · pending approvals · yes · no · continue ·
    go ahead · do it · never mind · approve · confirm · decline · reject · withdraw · deny · retry · try again ·
    escalate · jobs = running · running = running · what is running = running · what's running = running ·
    what runs = running`,
  restart: 'reboot · bounce · do restart · make restart · restart of',
  's3 list': 'buckets',
  scheduled: `schedule · atq · crontab · crontab -l · what do we have planned · what is the plan · atrm = · skip = ·
    upcoming · scheduled requests · what comes next · ${plannedFor.join(' · ')} · call off = ·
    cancel the scheduled = · cancel scheduled = · stop the scheduled = · abort the scheduled = · reschedule = ·
    reschedule the = · postpone = · postpone the = · delay = · delay the = · push back = · bring forward = ·
    move the restart = restart · move the reboot = restart · move the stop = stop · move the start = start ·
    move the hard-reset = hard-reset · move the reinstall = reinstall · cancel the restart = restart ·
    cancel the reboot = restart · cancel restart = restart`,
  shift: `handover · hand over · summary · report · shift report · handover report · handoff · hand off ·
    shift handover · shift handoff`,
  'ssh-key list': 'ssh keys · keys',
  start: 'boot · poweron · turn on · power on · switch on · boot up · bring up · bring back',
  stats: `graph · load · usage · metrics · chart · cpu · cpu of · cpu usage · cpu load · memory = memory ·
    ram = memory · memory usage = memory · bandwidth = traffic`,
  status: `show · info · server · show me · whose ip is · which server is · which server has · down · slow ·
    unreachable · not responding · not reachable · not working · check · how is · how's · is · what is · what about ·
    what's wrong with · whats wrong with · what is wrong with · what's up with · whats up with · ping · uptime ·
    get · details · ip · what is the ip of · what's the ip of · where is · state · describe`,
  stop: `shutdown · poweroff · halt · kill · force stop · shut down · turn off · power off · switch off · switch of ·
    turn of · bring down · take down`,
  tag: `tag put · tag add = · tag remove = how=remove · tag delete = how=remove · tag rm = how=remove ·
    tag set = how=set · untag = how=remove · dns tag = domain: · dns tag add = domain: ·
    dns tag remove = how=remove domain: · dns tag delete = how=remove domain: · dns tag rm = how=remove domain: ·
    dns tag set = how=set domain:`,
  'ticket open': `support · ticket · ticket create · ticket new · ticket write · write to support · contact support ·
    ask support`,
  unfavorite: 'remove favorite',
  unfreeze: 'thaw · stop freeze · end freeze · lift freeze · stop the freeze · end the freeze · lift the freeze',
  unpin: 'unprotect · remove pin · remove the pin of · delete pin',
  unmute: 'unsilence · unsnooze · end mute · stop mute · end the mute of',
  'who can': 'who may · who is allowed to',
  why: `can · test · why can · why can't · why cant · why may · can i · may i · why can't i · why cant i ·
    why may i not · am i allowed to`,
};

interface Typed {
  readonly alsoCalled: readonly string[];
  /** The words that each phrase stands for behind the command's name. */
  readonly phrases: Readonly<Record<string, string>>;
}

/** By the path of the command. */
export const typedFor: ReadonlyMap<string, Typed> = new Map(
  Object.entries(typed).map(([path, line]) => {
    const all = phraseList(line);
    const phrases = all.filter((name) => name.includes(' =')).map((name) => name.split(/ = ?/) as [string, string]);
    return [path, { alsoCalled: all.filter((name) => !name.includes(' =')), phrases: Object.fromEntries(phrases) }];
  }),
);

/** Polite words and the names of other tools at the beginning of a line. */
export const openings = phraseList(
  `hi · hello · hey · ok · okay · so · please · pls · plz · kindly · hostler · @hostler · just · quickly · can you ·
    could you · would you · will you · can we · i want to · i need to · i would like to · i'd like to · i need ·
    i want · we need · we want · we need to · we want to · please to · make a · make the · do a · do the · let's ·
    lets · let us · good morning · thanks · thank you · thx · dear · there · and · also · /host · host · hcloud ·
    kubectl · doctl · compute · systemctl · aws · ec2 · gcloud`,
).map((phrase) => phrase.split(' '));
