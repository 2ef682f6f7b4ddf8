/**
 * Lines that people type for a command together with some of its words: for each command, the phrases, each with the
 * words that it stands for behind the name. A word with a final colon stands before the next one: `domain:example.com`.
 */
export const phrases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  balance: { invoices: '' },
  catalog: {
    'plans dedicated': 'dedicated',
    'plans hosting': 'hosting',
    'plans backups': 'backups',
    'plans vps': 'plans',
    plans: 'plans',
    templates: 'systems',
    images: 'systems',
    apps: 'apps',
    snapshots: 'snapshots',
    locations: 'locations',
  },
  favorite: { star: '' },
  'net connect': { 'network on': '' },
  'net disconnect': { 'network off': '' },
  requests: {
    jobs: 'running',
    running: 'running',
    'what is running': 'running',
    "what's running": 'running',
    'what runs': 'running',
  },
  stats: { memory: 'memory', ram: 'memory', 'memory usage': 'memory', bandwidth: 'traffic' },
  tag: {
    'tag add': '',
    'tag remove': 'how=remove',
    'tag delete': 'how=remove',
    'tag rm': 'how=remove',
    'tag set': 'how=set',
    untag: 'how=remove',
    'dns tag': 'domain:',
    'dns tag add': 'domain:',
    'dns tag remove': 'how=remove domain:',
    'dns tag delete': 'how=remove domain:',
    'dns tag rm': 'how=remove domain:',
    'dns tag set': 'how=set domain:',
  },
};
