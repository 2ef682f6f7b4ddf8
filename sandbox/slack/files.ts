import type { Dict } from './dict.ts';
import type { StoredFile } from './state.ts';
import { nextId, nowS, type Workspace } from './workspace.ts';

const mimetypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  csv: 'text/csv',
  json: 'application/json',
  zone: 'text/plain',
  pdf: 'application/pdf',
};

const extension = (name: string): string => (name.includes('.') ? (name.split('.').at(-1) ?? '').toLowerCase() : '');

const mimetypeOf = (name: string): string => mimetypes[extension(name)] ?? 'application/octet-stream';

/** Adds an announced file; its bytes arrive later, or at once. */
export function addFile(workspace: Workspace, userId: string, name: string, size: number, altText = ''): StoredFile {
  const file: StoredFile = {
    id: nextId(workspace.state, 'F'),
    name,
    title: name,
    altText,
    mimetype: mimetypeOf(name),
    size,
    userId,
    createdS: nowS(workspace),
    contentBase64: '',
    isUploaded: false,
    isCompleted: false,
    shares: [],
  };
  workspace.state.files.push(file);
  return file;
}

const privateUrl = (workspace: Workspace, file: StoredFile): string =>
  `${workspace.origin}/files-pri/${workspace.state.team.id}-${file.id}/${encodeURIComponent(file.name)}`;

/** The image formats Slack shows inside blocks. */
const shownInBlocks = new Set(['image/png', 'image/jpeg', 'image/gif']);

/** Whether a block of the app may refer to this Slack file: Slack has processed it, and the app has access to it. */
export const imageLookup =
  (workspace: Workspace) =>
  (reference: Dict): boolean => {
    const stored = workspace.state.files.find(
      (file) =>
        file.isCompleted &&
        shownInBlocks.has(file.mimetype) &&
        (file.id === reference.id || privateUrl(workspace, file) === reference.url),
    );
    const { rules, faults } = workspace;
    if (stored === undefined || (rules.isOn('picture-of-the-app') && !isOpenToApp(workspace, stored))) return false;
    return !rules.isOn('picture-is-processed') || !faults.takeUnreadyPicture();
  };

/** A file that is shared nowhere is its owner's alone. */
function isOpenToApp({ state }: Workspace, { userId, shares }: StoredFile): boolean {
  const { botUserId } = state.app;
  const isMember = (id: string) =>
    state.channels.some((channel) => channel.id === id && channel.members.includes(botUserId));
  return userId === botUserId || shares.some(({ channel }) => isMember(channel));
}

/** A file as files.info shows it. */
export function fileObject(workspace: Workspace, file: StoredFile): Dict {
  const shares: Record<string, Record<string, Dict[]>> = { public: {}, private: {} };
  for (const share of file.shares) {
    const channel = workspace.state.channels.find((candidate) => candidate.id === share.channel);
    const side = shares[channel?.kind === 'public' ? 'public' : 'private'] ?? {};
    side[share.channel] = [
      ...(side[share.channel] ?? []),
      {
        ts: share.ts,
        ...(share.threadTs === null ? {} : { thread_ts: share.threadTs }),
        channel_name: channel?.name ?? '',
      },
    ];
  }
  const kindOf = (id: string): string | undefined =>
    workspace.state.channels.find((channel) => channel.id === id)?.kind;
  const inKind = (kind: string): string[] =>
    file.shares.map((share) => share.channel).filter((channel) => kindOf(channel) === kind);
  return {
    id: file.id,
    created: file.createdS,
    timestamp: file.createdS,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: extension(file.name) || 'binary',
    pretty_type: extension(file.name).toUpperCase() || 'Binary',
    user: file.userId,
    user_team: workspace.state.team.id,
    editable: false,
    size: file.size,
    mode: 'hosted',
    is_external: file.externalUrl !== undefined,
    is_public: inKind('public').length > 0,
    alt_txt: file.altText,
    url_private: file.externalUrl ?? privateUrl(workspace, file),
    url_private_download: file.externalUrl ?? `${privateUrl(workspace, file)}?download=1`,
    permalink: `https://${workspace.state.team.domain}.slack.com/files/${file.userId}/${file.id}/${encodeURIComponent(file.name)}`,
    channels: inKind('public'),
    groups: inKind('private'),
    ims: inKind('im'),
    shares,
    file_access: 'visible',
  };
}
